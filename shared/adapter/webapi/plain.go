package webapi

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/text"
)

// Plain is the text of s: tags are dropped, entities decoded once, white space
// collapsed, and what is invisible or steers a terminal removed. What only looks like a
// tag, such as the type in List<String>, stays.
func Plain(s string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	for hidden := false; ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		switch raw := string(z.Raw()); kind {
		case html.TextToken:
			if !hidden {
				b.WriteString(html.UnescapeString(raw))
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			if a == atom.Script || a == atom.Style {
				hidden = kind == html.StartTagToken
				continue
			}
			z.NextIsNotRawText() // as it would be within a textarea
			switch {
			case a == 0:
				b.WriteString(raw)
			case !inline[a]:
				b.WriteByte(' ')
			}
		}
	}
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text.Strip(strings.ToValidUTF8(b.String(), "")))
	return strings.Join(strings.Fields(clean), " ")
}

// inline are the elements between whose words no space stands.
var inline = map[atom.Atom]bool{atom.B: true, atom.Strong: true, atom.Em: true, atom.I: true,
	atom.Mark: true, atom.Span: true,
	atom.A: true, atom.U: true, atom.Code: true, atom.Sub: true, atom.Sup: true, atom.Small: true,
	atom.Wbr: true, atom.Font: true}
