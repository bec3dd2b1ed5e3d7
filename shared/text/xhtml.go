package text

import "strings"

// IsXHTML reports whether XML is a page: its document type or its root element is
// html. What stands before the root, declarations, comments and stray text, may be
// of any length, so that no page can hide behind it.
func IsXHTML(xml string) bool {
	for {
		_, rest, ok := strings.Cut(xml, "<")
		if !ok || rest == "" {
			return false
		}
		end := ">"
		switch {
		case strings.HasPrefix(rest, "!--"):
			end = "-->"
		case rest[0] == '?':
			end = "?>"
		case rest[0] == '!':
			declaration, _, _ := strings.Cut(rest, ">")
			words := strings.FieldsFunc(declaration,
				func(r rune) bool { return r <= ' ' || r == '[' })
			if len(words) > 1 && strings.EqualFold(words[0], "!doctype") &&
				localName(words[1]) == "html" {
				return true
			}
			if strings.Contains(declaration, "[") {
				_, rest, _ = strings.Cut(rest, "]")
			}
		default:
			name, _, _ := strings.Cut(rest[:min(len(rest), 100)], ">")
			name, _, _ = strings.Cut(name, "/")
			words := strings.Fields(name)
			return len(words) > 0 && localName(words[0]) == "html"
		}
		if _, xml, ok = strings.Cut(rest, end); !ok {
			return false
		}
	}
}

// localName is a tag's name without its prefix, in lower case.
func localName(s string) string { return strings.ToLower(s[strings.LastIndexByte(s, ':')+1:]) }
