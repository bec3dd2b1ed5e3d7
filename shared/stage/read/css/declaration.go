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
			if !late(value) && (!validValue(property, value) || isPlainMark(property, value)) {
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
var properties = table("all display visibility opacity content-visibility font font-size "+
	"text-indent position "+
	"left top right bottom inset inset-inline inset-block inset-inline-start inset-inline-end "+
	"inset-block-start inset-block-end margin margin-left margin-top margin-right "+
	"margin-bottom margin-inline margin-block margin-inline-start margin-inline-end "+
	"margin-block-start margin-block-end clip clip-path overflow overflow-x overflow-y "+
	"overflow-inline overflow-block width height max-width max-height inline-size block-size "+
	"max-inline-size max-block-size min-width min-height min-inline-size min-block-size color "+
	"background background-color background-image background-clip -webkit-background-clip "+
	"-webkit-text-fill-color -webkit-text-stroke -webkit-text-stroke-width "+
	"-webkit-text-stroke-color text-shadow white-space text-wrap text-wrap-mode transform "+
	"-webkit-transform translate scale rotate transition animation animation-name "+
	"animation-fill-mode animation-iteration-count -webkit-animation will-change flex "+
	"flex-grow flex-basis padding padding-bottom padding-top padding-block padding-left "+
	"padding-right padding-inline padding-block-start padding-block-end padding-inline-start "+
	"padding-inline-end box-sizing aspect-ratio filter -webkit-filter mask -webkit-mask "+
	"mask-image -webkit-mask-image mask-size -webkit-mask-size zoom line-height contain "+
	"backface-visibility letter-spacing mix-blend-mode float fill fill-opacity stroke "+
	"color-scheme font-size-adjust text-size-adjust -webkit-text-security content font-family "+
	"mask-position -webkit-mask-position mask-repeat -webkit-mask-repeat interpolate-size "+
	"background-size perspective word-spacing tab-size list-style list-style-type quotes "+
	"vertical-align", "")

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
	valid := validators[property]
	return IsWide(v) || valid == nil || valid(v)
}

// isPlainMark reports whether a declaration sets the mark of items, or the marks around
// quotations, to what has no words. There are many of them.
func isPlainMark(property, v string) bool {
	switch property {
	case "quotes":
		return !HasWords(v)
	case "list-style", "list-style-type":
		for _, w := range Words(v) {
			if !plainMarks[w] && !strings.Contains(w, "(") {
				return false
			}
		}
		return true
	}
	return false
}

// plainMarks are the commonest words of list-style. Others may be names of @counter-style.
var plainMarks = table("none disc circle square decimal inside outside inherit initial unset "+
	"revert decimal-leading-zero lower-alpha upper-alpha lower-roman upper-roman lower-latin "+
	"upper-latin lower-greek", "")

// validators report whether a property takes a value. Properties that are missing take all.
var validators = map[string]func(v string) bool{
	"display":    func(v string) bool { _, ok := displayKeyword(v); return ok },
	"visibility": oneOf("visible hidden collapse"),
	"position":   oneOf("static relative absolute fixed sticky -webkit-sticky"),

	"opacity":      isLength,
	"fill-opacity": isLength,
	"zoom":         func(v string) bool { return isLength(v) || v == "normal" || v == "reset" },

	"color":                   mayBeColor,
	"background-color":        mayBeColor,
	"-webkit-text-fill-color": mayBeColor,

	"left": mayBeSize, "top": mayBeSize, "right": mayBeSize, "bottom": mayBeSize,
	"width": mayBeSize, "height": mayBeSize, "max-width": mayBeSize, "max-height": mayBeSize,
	"margin-left": mayBeSize, "margin-top": mayBeSize, "text-indent": mayBeSize,
	"font-size": isFontSize,
}

func oneOf(words string) func(string) bool {
	set := table(words, "")
	return func(v string) bool { return set[v] }
}

func isLength(v string) bool {
	_, ok := ParseLength(v, DefaultSizes)
	return ok
}

// mayBeColor reports whether a value is a colour, or a function that may be one.
func mayBeColor(v string) bool {
	_, ok := ParseColor(v, Black)
	return ok || strings.Contains(v, "(") && strings.HasSuffix(v, ")")
}

// mayBeSize reports whether a value is a word, a function, or a length with its unit.
func mayBeSize(v string) bool {
	if strings.Contains(v, "(") || isLetter(v[0]) {
		return true
	}
	if !isLength(strings.TrimSuffix(strings.TrimSuffix(v, " hanging"), " each-line")) {
		return false
	}
	hasUnit := strings.TrimRight(v, "0123456789.") != "" && v[len(v)-1] > '9'
	return hasUnit || v[len(v)-1] == '%' || Number(v, 1) == 0
}

// isFontSize reports whether a value is a word for a size, or a length with its unit.
func isFontSize(v string) bool {
	if _, ok := FontSize(v, 16); ok {
		return true
	}
	last := v[len(v)-1]
	return isLength(v) && (last > '9' || last == '%' || last == ')' || Number(v, 1) == 0)
}
