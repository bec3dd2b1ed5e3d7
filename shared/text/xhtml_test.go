package text_test

import (
	"strings"
	"testing"

	"wstk/shared/text"
)

func TestIsXHTML(t *testing.T) {
	for src, want := range map[string]bool{
		`<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html>`:             true,
		"\ufeff <!doctype HTML>\n<body>":                                    true,
		`<?xml version="1.0"?><html/>`:                                      true,
		`<h:html xmlns:h="http://www.w3.org/1999/xhtml">`:                   true,
		`<!-- <rss> --><html lang="en">`:                                    true,
		"<!--" + strings.Repeat(" <rss>", 10_000) + `--><html>`:             true,
		`<?xml-stylesheet href="a>b"?><!DOCTYPE x [<!ENTITY a "b">]><html>`: true,
		`stray words <html>`:                                                true,
		`<!DOCTYPE html[<!ENTITY a "b">]><x/>`:                              true,
		`<?xml version="1.0"?><rss><title>html</title><html>x</html></rss>`: false,
		`<!-- <html> --><feed/>`:                                            false,
		`<!DOCTYPE x [<!ENTITY html "<html>">]><x/>`:                        false,
		`<htmlish/>`:  false,
		`<!-- <html>`: false,
		`<!DOCTYPE svg PUBLIC "-//W3C//DTD XHTML 1.1//EN" "html"><svg/>`: false,
		``: false, `<`: false, `<!`: false, `<?`: false, `no markup at all`: false,
	} {
		if got := text.IsXHTML(src); got != want {
			t.Errorf("%.80q: %v", src, got)
		}
	}
}
