package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Attr returns the value of an attribute, "" when it is absent.
func Attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val
		}
	}
	return ""
}

// HasAttr reports whether an attribute is there, with or without a value.
func HasAttr(n *html.Node, key string) bool {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return true
		}
	}
	return false
}

// HasWord reports whether list, words separated by white space, has w.
func HasWord(list, w string) bool {
	if w == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(list[from:], w)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(w)
		if (i == 0 || HTMLSpace(list[i-1])) && (end == len(list) || HTMLSpace(list[end])) {
			return true
		}
		from = i + 1
	}
}

// ClassLike reports whether one of the words of n's class is one of names or ends
// in "-" and one of them.
func ClassLike(n *html.Node, names ...string) bool {
	for c := range strings.FieldsSeq(Attr(n, "class")) {
		for _, name := range names {
			if c == name || strings.HasSuffix(c, "-"+name) || strings.HasSuffix(c, "__"+name) {
				return true
			}
		}
	}
	return false
}

// HTMLSpace reports whether c is white space in HTML.
func HTMLSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func IsMain(n *html.Node) bool {
	return n.DataAtom == atom.Main && n.Namespace == "" || Attr(n, "role") == "main"
}

// TextContent returns the text of everything under n, as the DOM's textContent does. It
// stops once it has limit bytes; 0 is no limit.
func TextContent(n *html.Node, limit int) string {
	if c := n.FirstChild; c != nil && c.NextSibling == nil && c.Type == html.TextNode &&
		(limit == 0 || len(c.Data) <= limit) {
		return c.Data
	}
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
			if limit > 0 && b.Len() >= limit {
				break
			}
		}
	}
	return b.String()
}

// TypeName returns the name of a type of schema.org, given with or without its address.
func TypeName(t string) string {
	t = strings.TrimSpace(t)
	return t[strings.LastIndexAny(t, "/#:")+1:]
}

// EachClassWord splits a class attribute or an id into lower-case words of at
// least two letters: siteNav-item_2 is site, nav, item. A word is only good until f
// returns, and its first 32 letters count.
func EachClassWord(s string, f func([]byte)) {
	var buf [32]byte
	w := buf[:0]
	for i := 0; i <= len(s); i++ {
		var c byte
		if i < len(s) {
			c = s[i]
		}
		switch {
		case c >= 'a' && c <= 'z':
		case c >= 'A' && c <= 'Z':
			if i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z' {
				if len(w) > 1 {
					f(w)
				}
				w = w[:0]
			}
			c += 'a' - 'A'
		default:
			if len(w) > 1 {
				f(w)
			}
			w = w[:0]
			continue
		}
		if len(w) < cap(buf[:]) {
			w = append(w, c)
		}
	}
}
