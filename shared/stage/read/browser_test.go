package read

import (
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// record is what a browser might have said of body.
func record(t *testing.T, body string, v wstk.Visibility) []byte {
	t.Helper()
	v.Engine, v.BodySHA256 = wstk.VisibilityEngine, wstk.HashOf([]byte(body))
	data, err := v.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A page is read by what the browser showed of it, in every form of it, and by its markup
// where no record fits.
func TestTheBrowserDecides(t *testing.T) {
	const body = `<html><head></head><body><p>Seen words.</p><p>Unseen words <b>but these</b></p>` +
		`<p style="display:none">Shown after all.</p><details><summary>More</summary><p hidden>Left out.</p><p>Folded.</p></details><svg><text>Drawn</text></svg></body></html>`
	unseen := []wstk.Unseen{{Element: 4, By: 4, Reason: "clip"}, {Element: 12, By: 11, Reason: "off_screen"}}
	good := wstk.Visibility{Elements: 13, Unseen: unseen, Unknown: []int{7}}
	read := func(record []byte) *wstk.Document {
		in := Input{URL: "https://site.example/", Body: []byte(body), ContentType: "text/html", Visibility: record}
		d, err := (&Stage{}).Do(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		shown, err := (&Stage{}).Show(t.Context(), in)
		if err != nil || shown.Text != d.Text {
			t.Errorf("shown %q, read %q, %v", shown.Text, d.Text, err)
		}
		checkDocument(t, d)
		return d
	}
	stored := record(t, body, good)
	d := read(stored)
	if want := "Seen words.\nbut these\nShown after all.\nMore\nFolded."; d.Text != want {
		t.Errorf("the text is %q, want %q", d.Text, want)
	}
	if d.VisibilitySHA256 != wstk.HashOf(stored) || len(d.Warnings) > 0 {
		t.Errorf("by %q, with %v", d.VisibilitySHA256, d.Warnings)
	}
	var hidden []string
	for _, h := range d.Hidden {
		hidden = append(hidden, h.Reason+" "+h.Text)
	}
	if got := strings.Join(hidden, "; "); got != "clip Unseen words; attribute Left out.; off_screen Drawn" {
		t.Errorf("hidden: %s", got)
	}

	plain := read(nil)
	other := good
	other.Elements++
	for name, r := range map[string][]byte{
		"of another body":   record(t, body+" ", good),
		"of other elements": record(t, body, other),
		"no record":         []byte("{}"),
		"out of order": record(t, body,
			wstk.Visibility{Elements: 13, Unseen: []wstk.Unseen{unseen[1], unseen[0]}}),
		"unknown engine": []byte(strings.Replace(string(stored), wstk.VisibilityEngine, "browser/0", 1)),
	} {
		d := read(r)
		if d.Text != plain.Text || d.VisibilitySHA256 != "" || len(d.Warnings) != 1 ||
			d.Warnings[0].Code != "visibility_unmatched" {
			t.Errorf("%s: %q by %q, with %v", name, d.Text, d.VisibilitySHA256, d.Warnings)
		}
	}
}
