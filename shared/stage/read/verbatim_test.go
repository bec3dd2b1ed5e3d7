package read

import (
	"context"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// Law 1: the text is what the page says, code point by code point. Nothing composes,
// decomposes or replaces characters that look alike, and the hash is that of the text
// as it stands.
func TestTextIsNotNormalised(t *testing.T) {
	const words = "cafe\u0301 caf\u00e9 \ufb01le \u212b \u00c5 10\u2075 H\u2082O \u00bd \uff33\uff31\uff2c \u201cx\u201d \U0001f600 \U0001d4b3 \u0958"
	for contentType, body := range map[string]string{
		"text/html":     "<title>x</title><main><p>" + words + "</p></main>",
		"text/plain":    words,
		"text/markdown": words,
	} {
		d, err := (&Stage{}).Do(context.Background(),
			Input{URL: "https://site.example/", Body: []byte(body), ContentType: contentType,
				Charset: "utf-8", FetchedAt: time.Unix(0, 0).UTC()})
		if err != nil {
			t.Fatal(err)
		}
		checkDocument(t, d)
		if !strings.Contains(d.Text, words) || d.TextSHA256 != wstk.HashOf([]byte(d.Text)) {
			t.Errorf("%s: got %+q", contentType, d.Text)
		}
	}
}

// Law 1: a value is found again also where the names on the way to it hold what JSON
// Pointers are made of.
func TestDataUnderOddNamesIsFoundAgain(t *testing.T) {
	body := []byte(`<title>x</title><p>Some words.<script type="application/ld+json">{"@type":"Product","a/b":"1","c~d":{"~1":"2","":"3","e.f":["4"]}}</script>`)
	d, err := (&Stage{}).Do(context.Background(),
		Input{URL: "https://site.example/", Body: body, ContentType: "text/html", FetchedAt: time.Unix(0, 0).UTC()})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, item := range d.Data {
		for _, l := range item.Leaves {
			got, err := FindData(body, l.Element, l.Pointer)
			if err != nil || got != l.Literal {
				t.Errorf("%s: %q, %v; the leaf says %q", l.Pointer, got, err, l.Literal)
			}
			found[l.Literal] = true
		}
	}
	for _, want := range []string{"1", "2", "4"} {
		if !found[want] {
			t.Errorf("no leaf holds %s: %v", want, found)
		}
	}
}
