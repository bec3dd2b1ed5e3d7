package css

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// presentational are the declarations that attributes of old HTML, and those of SVG, stand
// for.
func presentational(n *html.Node) (out []Declaration) {
	add := func(property, value string) {
		if value = strings.ToLower(strings.TrimSpace(value)); value != "" {
			out = append(out, Declaration{property: property, value: value})
		}
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "bgcolor":
			add("background-color", AttributeColor(a.Val))
		case "background":
			if n.DataAtom == atom.Body || n.DataAtom == atom.Table || n.DataAtom == atom.Td ||
				n.DataAtom == atom.Th {
				add("background-image", "url(x)")
			}
		case "text":
			if n.DataAtom == atom.Body {
				add("color", AttributeColor(a.Val))
			}
		case "color":
			if n.DataAtom == atom.Font || n.DataAtom == atom.Basefont {
				add("color", AttributeColor(a.Val))
			} else if n.Namespace != "" {
				add("color", a.Val)
			}
		case "display", "visibility", "opacity", "font-size", "clip-path", "mask", "transform",
			"fill", "fill-opacity", "stroke", "filter":
			if n.Namespace == "svg" {
				add(a.Key, a.Val)
			}
		}
	}
	return out
}

// AttributeColor reads a colour as attributes write it: also without its #.
func AttributeColor(v string) string {
	v = strings.TrimSpace(v)
	if len(v) == 6 && strings.Trim(strings.ToLower(v), "0123456789abcdef") == "" {
		return "#" + v
	}
	return v
}
