package css

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// presentational are the declarations that attributes of old HTML, and those of SVG, stand
// for.
func presentational(n *html.Node) (out []Declaration) {
	for _, a := range n.Attr {
		property, value := presented(n, a)
		if property == "" {
			continue
		}
		if value = strings.ToLower(strings.TrimSpace(value)); value != "" {
			out = append(out, Declaration{property: property, value: value})
		}
	}
	return out
}

// presented returns the declaration that an attribute stands for, "" where it stands for none.
func presented(n *html.Node, a html.Attribute) (property, value string) {
	switch a.Key {
	case "bgcolor":
		return "background-color", AttributeColor(a.Val)
	case "background":
		switch n.DataAtom {
		case atom.Body, atom.Table, atom.Td, atom.Th:
			return "background-image", "url(x)"
		}
	case "text":
		if n.DataAtom == atom.Body {
			return "color", AttributeColor(a.Val)
		}
	case "color":
		if n.DataAtom == atom.Font || n.DataAtom == atom.Basefont {
			return "color", AttributeColor(a.Val)
		}
		if n.Namespace != "" {
			return "color", a.Val
		}
	default:
		if n.Namespace == "svg" && svgProperties[a.Key] {
			return a.Key, a.Val
		}
	}
	return "", ""
}

// svgProperties are the attributes of a drawing that are properties.
var svgProperties = table("display visibility opacity font-size clip-path mask transform fill "+
	"fill-opacity stroke filter", "")

// AttributeColor reads a colour as attributes write it: also without its #.
func AttributeColor(v string) string {
	v = strings.TrimSpace(v)
	if len(v) == 6 && strings.Trim(strings.ToLower(v), "0123456789abcdef") == "" {
		return "#" + v
	}
	return v
}
