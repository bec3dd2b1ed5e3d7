package read

import (
	"context"
	"strings"
	"testing"
)

// What a browser never shows is not text of the page, and so never a quote.
func TestWhatIsNeverShown(t *testing.T) {
	for _, tag := range []string{"noframes", "noembed", "iframe", "template", "script", "style", "title", "object", "canvas", "datalist"} {
		page := "<!DOCTYPE html><body><p>Before.</p><" + tag + "><p>The fallback is 7 kg.</p></" + tag + "><p>Behind.</p>"
		d, err := (&Stage{}).Do(context.Background(), Input{URL: "https://a.example/", Body: []byte(page)})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(d.Text, "fallback") || strings.Contains(d.Markdown, "fallback") ||
			!strings.Contains(d.Text, "Before.\nBehind.") {
			t.Errorf("<%s>: %q, %q", tag, d.Text, d.Markdown)
		}
	}
}
