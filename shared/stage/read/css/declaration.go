package css

import "strings"

// Declaration is one property that matters here with its value.
type Declaration struct {
	property, value string
	important       bool
}

// declarations reads the declarations of a style attribute or of a rule's body.
func declarations(s string) []Declaration {
	var out []Declaration
	for s != "" {
		end := topLevel(s, ";")
		d := s[:end]
		s = s[min(end+1, len(s)):]
		property, value, ok := strings.Cut(d, ":")
		if !ok {
			continue
		}
		property = unescaped(strings.TrimSpace(property))
		custom := strings.HasPrefix(property, "--")
		if !custom {
			if property = strings.ToLower(property); !relevant(property) {
				continue
			}
		}
		value = environment(strings.TrimSpace(value))
		important := false
		if i := strings.LastIndexByte(value, '!'); i >= 0 &&
			strings.EqualFold(strings.TrimSpace(value[i+1:]), "important") {
			value, important = strings.TrimSpace(value[:i]), true
		}
		if !custom {
			if !strings.Contains(value, "var(") {
				value = strings.ToLower(value)
			}
			if strings.IndexByte(value, '\\') >= 0 && !strings.Contains(value, "(") {
				value = strings.ToLower(unescaped(value))
			}
			if !late(value) && !validValue(property, value) {
				continue
			}
		}
		if value != "" {
			out = append(out, Declaration{property, value, important})
		}
	}
	return out
}

// environment puts what env() stands for into a value: nothing is known to a page in an
// ordinary window, so it is the substitute, and 0 where there is none.
func environment(v string) string {
	return replaced(v, "env(", func(args string) string {
		if _, instead, ok := strings.Cut(args, ","); ok {
			return strings.TrimSpace(instead)
		}
		return "0px"
	})
}

// properties are those that matter here, shorthands among them.
var properties = func() map[string]bool {
	out := map[string]bool{}
	for p := range strings.FieldsSeq(
		`all display visibility opacity content-visibility font font-size text-indent position left top right bottom inset
inset-inline inset-block inset-inline-start inset-inline-end inset-block-start inset-block-end margin margin-left margin-top margin-right margin-bottom
margin-inline margin-block margin-inline-start margin-inline-end margin-block-start margin-block-end clip clip-path overflow overflow-x overflow-y
overflow-inline overflow-block width height max-width max-height inline-size block-size max-inline-size max-block-size min-width min-height min-inline-size min-block-size color background
background-color background-image background-clip -webkit-background-clip -webkit-text-fill-color -webkit-text-stroke -webkit-text-stroke-width
-webkit-text-stroke-color text-shadow white-space text-wrap text-wrap-mode transform -webkit-transform translate scale rotate transition animation animation-name animation-fill-mode
animation-iteration-count -webkit-animation will-change flex flex-grow flex-basis padding padding-bottom padding-top padding-block
padding-left padding-right padding-inline padding-block-start padding-block-end padding-inline-start padding-inline-end box-sizing aspect-ratio filter -webkit-filter mask -webkit-mask mask-image
-webkit-mask-image mask-size -webkit-mask-size zoom line-height contain backface-visibility letter-spacing mix-blend-mode float fill fill-opacity stroke color-scheme
font-size-adjust text-size-adjust -webkit-text-security content font-family mask-position -webkit-mask-position mask-repeat -webkit-mask-repeat interpolate-size background-size
perspective word-spacing tab-size`) {
		out[p] = true
	}
	return out
}()

func relevant(property string) bool {
	if properties[property] {
		return true
	}
	var s Style
	return s.field(property) != nil
}

// IsWide tells values that every property takes.
func IsWide(v string) bool {
	switch v {
	case "inherit", "initial", "unset", "revert", "revert-layer":
		return true
	}
	return false
}

// validValue reports whether a browser takes a value; one that is not leaves an earlier
// declaration in force.
func validValue(property, v string) bool {
	if v == "" {
		return false
	}
	if IsWide(v) {
		return true
	}
	switch property {
	case "display":
		_, ok := displayKeyword(v)
		return ok
	case "visibility":
		return v == "visible" || v == "hidden" || v == "collapse"
	case "opacity", "zoom", "fill-opacity":
		_, ok := ParseLength(v, DefaultSizes)
		return ok || property == "zoom" && (v == "normal" || v == "reset")
	case "position":
		switch v {
		case "static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky":
			return true
		}
		return false
	case "color", "background-color", "-webkit-text-fill-color":
		_, ok := ParseColor(v, Black)
		return ok || strings.Contains(v, "(") && strings.HasSuffix(v, ")")
	case "left", "top", "right", "bottom", "text-indent", "width", "height", "max-height",
		"max-width", "margin-left", "margin-top":
		if strings.Contains(v, "(") || strings.IndexByte("abcdefghijklmnopqrstuvwxyz", v[0]) >= 0 {
			return true
		}
		_, ok := ParseLength(strings.TrimSuffix(strings.TrimSuffix(v, " hanging"), " each-line"),
			DefaultSizes)
		return ok && (v == "0" || strings.TrimRight(v, "0123456789.") != "" && v[len(v)-1] > '9' ||
			v[len(v)-1] == '%' || Number(v, 1) == 0)
	case "font-size":
		if _, ok := FontSize(v, 16); ok {
			return true
		}
		_, ok := ParseLength(v, DefaultSizes)
		return ok && (v[len(v)-1] > '9' || v[len(v)-1] == '%' ||
			v[len(v)-1] == ')' || Number(v, 1) == 0)
	}
	return true
}
