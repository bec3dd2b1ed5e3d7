package read

import (
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// What is text is read as it stands, whatever it is called; what is not is refused by
// its name.
func TestMediaTypes(t *testing.T) {
	for kind, body := range map[string]string{
		"text/csv; charset=windows-1252": "name,size\nCaf\xe9,12\n",
		"text/css":                       "p { color: red } /* Café */",
		"application/javascript":         "let café = 1;",
		"text/calendar":                  "BEGIN:VCALENDAR\nSUMMARY:Café",
		"application/x-ndjson":           "{\"a\": \"Café\"}\n{\"a\": 2}",
		"text/tab-separated-values":      "Café\t1\n",
		"message/rfc822":                 "Subject: Café\n\nwords",
	} {
		d, err := (&Stage{}).Do(t.Context(), Input{URL: "https://a.example/x", Body: []byte(body), ContentType: kind})
		if err != nil || d.Reader != "text/2" || !strings.Contains(strings.ToLower(d.Text), "café") {
			t.Errorf("%s: %v, %v", kind, d, err)
			continue
		}
		checkDocument(t, d)
	}
	for kind, body := range map[string]string{
		"image/svg+xml": "<svg/>", "image/png": "\x89PNG\r\n\x1a\n\x00", "application/zip": "PK\x03\x04\x00", "application/msword": "\xd0\xcf\x11\xe0\x00",
		"text/csv": "PK\x03\x04\x14\x00\x00\x00\x08\x00",
	} {
		_, err := (&Stage{}).Do(t.Context(), Input{URL: "https://a.example/x", Body: []byte(body), ContentType: kind})
		if wstk.CodeOf(err) != wstk.UnsupportedMediaType {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// What a body is, whatever it was sent as.
func TestKindOfBytes(t *testing.T) {
	for _, c := range []struct{ url, body, want string }{
		{"https://a.example/x.txt", "\ufeff <!DOCTYPE html><p>Hello.</p>", "html"},
		{"https://a.example/", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body/></html>`, "html"},
		{"https://a.example/", `<?xml version="1.0"?><rss/>`, "xml"},
		{"https://a.example/", `{"price": 5}`, "json"},
		{"https://a.example/README.md", "# Kettle", "markdown"},
		{"https://a.example/", "Plain words <b>and</b> marks", "text"},
		{"https://a.example/", "%PDF-1.7", "pdf"},
	} {
		if got := Kind(c.url, []byte(c.body)); got != c.want {
			t.Errorf("%q: %s, want %s", c.body, got, c.want)
		}
	}
}
