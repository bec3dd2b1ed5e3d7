package read

import (
	"strings"
	"wstk/shared/stage/read/dom"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// codeLanguage reads the language of a code block from its own class, that of
// a code element in it, or that of up to three elements around it: language-x,
// lang-x, highlight-x, brush: x, data-lang, data-language, and the classes with
// which pandoc and GitHub name it. "" when nothing names one.
func codeLanguage(n *html.Node) string {
	if l := languageOf(n, true); l != "" {
		return l
	}
	for c, look := n.FirstChild, 0; c != nil && look < 4; c, look = c.NextSibling, look+1 {
		if c.Type == html.ElementNode && (c.DataAtom == atom.Code || c.DataAtom == atom.Span) {
			if l := languageOf(c, true); l != "" {
				return l
			}
		}
	}
	for p, up := n.Parent, 0; p != nil && up < 3 && p.Type == html.ElementNode; p, up = p.Parent,
		up+1 {
		if p.DataAtom == atom.Body || p.DataAtom == atom.Html {
			break
		}
		if l := languageOf(p, false); l != "" {
			return l
		}
	}
	return ""
}

// languageOf reads one element. Bare class names count only on the block itself.
func languageOf(n *html.Node, self bool) string {
	for _, key := range []string{"data-lang", "data-language", "data-code-language"} {
		if l := languageName(dom.Attr(n, key)); l != "" {
			return l
		}
	}
	words := strings.Fields(dom.Attr(n, "class"))
	for i, w := range words {
		w = strings.ToLower(w)
		for _, prefix := range []string{"language-", "lang-", "highlight-source-",
			"highlight-text-", "highlight-", "brush:", "sourcecode-", "prism-"} {
			if l, ok := strings.CutPrefix(w, prefix); ok {
				if prefix == "brush:" && l == "" && i+1 < len(words) {
					l = strings.ToLower(words[i+1])
				}
				if l = languageName(l); l != "" {
					return l
				}
			}
		}
	}
	if self || dom.HasWord(dom.Attr(n, "class"), "sourceCode") ||
		dom.HasWord(dom.Attr(n, "class"), "src") {
		for _, w := range words {
			w = strings.ToLower(strings.TrimPrefix(w, "src-"))
			if bareLanguages[w] {
				return w
			}
		}
	}
	return ""
}

// languageName cleans a name; names that say "none" are "".
func languageName(l string) string {
	l = strings.ToLower(strings.Trim(l, " ;:\"'"))
	if i := strings.IndexAny(l, " ;,{"); i >= 0 {
		l = l[:i]
	}
	switch l {
	case "", "default", "none", "notranslate", "text", "txt", "plain", "plaintext", "plain-text",
		"nohighlight", "no-highlight", "wrapper", "box", "toolbar", "container", "block":
		return ""
	}
	if len(l) > 20 {
		return ""
	}
	for _, r := range l {
		if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '+' || r == '#' || r == '-' ||
			r == '_' || r == '.') {
			return ""
		}
	}
	return l
}

// bareLanguages are languages that appear as a class of their own.
var bareLanguages = map[string]bool{
	"bash": true, "sh": true, "shell": true, "console": true, "python": true,
	"python3": true, "py": true,
	"javascript": true, "js": true, "typescript": true, "ts": true, "java": true,
	"c": true, "cpp": true,
	"c++": true, "csharp": true, "cs": true, "go": true, "golang": true, "rust": true,
	"ruby": true, "rb": true,
	"php": true, "perl": true, "sql": true, "html": true, "xml": true, "css": true,
	"json": true, "yaml": true,
	"toml": true, "ini": true, "diff": true, "haskell": true, "scala": true,
	"kotlin": true, "swift": true,
	"lua": true, "r": true, "matlab": true, "makefile": true, "dockerfile": true,
	"nginx": true, "lisp": true,
	"clojure": true, "erlang": true, "elixir": true, "powershell": true,
	"http": true, "graphql": true,
	"latex": true, "tex": true, "vim": true, "objectivec": true, "dart": true,
	"groovy": true, "scss": true,
}
