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
		d, err := (&Stage{}).Do(context.Background(), Input{URL: "https://site.example/", Body: []byte(body), ContentType: contentType,
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
