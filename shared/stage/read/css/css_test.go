package css

import (
	"math"
	"strings"
	"testing"

	"wstk/shared/stage/read/dom"
)

// styled returns the style of the element with the id x, nil for none.
func styled(t *testing.T, page string) *Style {
	t.Helper()
	tree := dom.ParseAll(page, false)
	sheet := Read(tree)
	for i := range tree.Els {
		if dom.Attr(tree.Els[i].Node, "id") == "x" {
			st, _ := sheet.Style(tree, i)
			if st != nil {
				sheet.Settle(st, nil, false)
			}
			return st
		}
	}
	t.Fatalf("%s: no element has the id x", page)
	return nil
}

// Of several declarations the strongest wins, as in a browser.
func TestTheCascade(t *testing.T) {
	const p = `<p id=x class="a b" style="opacity:.5;zoom:2!important">Words.`
	for _, c := range []struct{ name, sheet, property, want string }{
		{"the later rule", "p{color:red} p{color:blue}", "color", "blue"},
		{"the stronger selector", ".a{color:red} p{color:blue}", "color", "red"},
		{"an id over classes", "#x{color:red} .a.b{color:blue}", "color", "red"},
		{"where() weighs nothing", "p{color:red} :where(#x){color:blue}", "color", "red"},
		{"is() weighs its heaviest", ":is(i,#x){color:red} .a.b{color:blue}", "color", "red"},
		{"the attribute over rules", "#x{opacity:1}", "opacity", ".5"},
		{"important over the attribute", "p{opacity:1!important}", "opacity", "1"},
		{"the important attribute over all", "#x{zoom:3!important}", "zoom", "2"},
		{"a rule over its layer", "p{color:red} @layer l{#x{color:blue}}", "color", "red"},
		{"the later layer", "@layer l,m; @layer m{p{color:red}} @layer l{p{color:blue}}",
			"color", "red"},
		{"important in the first layer",
			"@layer l{p{color:red!important}} @layer m{p{color:blue!important}}", "color", "red"},
		{"an invalid value is passed over", "p{display:none;display:hidden}", "display", "none"},
		{"a rule within a rule", "p{color:red; &.a{color:blue}}", "color", "blue"},
		{"a scope", "@scope (.c){p{color:red}}", "color", ""},
		{"a variable", ":root{--c:red} p{--c:blue;color:var(--c)}", "color", "blue"},
		{"the substitute of a variable", "p{color:var(--none, red)}", "color", "red"},
		{"a shorthand", "p{margin:1px 2px}", "margin-left", "2px"},
		{"what an animation leaves", "@keyframes k{to{color:red}} p{animation:k 1s forwards}",
			"color", "red"},
		{"an escaped name", `.\61 {color:red}`, "color", "red"},
		{"a comment in a name", "p/**/.a{color:red} p/**/i{color:blue}", "color", "red"},
	} {
		st := styled(t, "<style>"+c.sheet+"</style>"+p)
		if got := st.Values[c.property]; got != c.want {
			t.Errorf("%s: %s is %q, want %q (%s)", c.name, c.property, got, c.want, c.sheet)
		}
	}
}

// Each selector matches, or does not match, the element with the id x of one page.
func TestSelectors(t *testing.T) {
	const page = `<main class=m lang=en-GB><div class="box far"><h2>Head</h2><p>First.</p>` +
		`<p id=x class="a b" data-k="one two">Words <b>in bold</b>.</p><ul></ul>` +
		`<input disabled></div></main>`
	for want, list := range map[bool][]string{
		true: {"p", "*", "#x", ".a.b", "p.a", "main p", ".box > p", "h2 ~ p", "p + p",
			"main .box > h2 + p + p", "[data-k]", "[data-k~=two]", "[data-k^=one]", "[data-k$=TWO i]",
			"[data-k*='e t']", ":not(.c)", ":is(.c, .b)", ":has(b)", ":has(+ ul)", ":has(> b)",
			":nth-child(3)", ":nth-child(odd)", ":nth-last-child(n + 2)", ":nth-of-type(2)",
			":nth-child(1 of .a)", ":last-of-type", ":lang(en)", ":root p", "main:has(ul) p",
			":not(:empty)", ":has(~ :disabled)", "P", "svg|p, p"},
		false: {"i", ".c", "p.c", "main > p", "h2 + p.a", "ul ~ p", "[data-k=one]", "[data-j]",
			":not(p)", ":is(i, .c)", ":has(i)", ":has(> i)", ":nth-child(2)", ":nth-child(even)",
			":first-of-type", ":only-child", ":lang(de)", ":empty", ":hover", ":checked",
			".none p", ".none > .box p", "#y *", "p >", "p:unheard", "p::before"},
	} {
		for _, sel := range list {
			st := styled(t, "<style>"+sel+"{color:red}</style>"+page)
			if got := st != nil && st.Values["color"] == "red"; got != want {
				t.Errorf("%s matches: %v, want %v", sel, got, want)
			}
		}
	}
}

// Conditions hold for a wide, light screen with a mouse.
func TestConditions(t *testing.T) {
	for want, list := range map[bool][]string{
		true: {"screen", "all and (min-width:600px)", "(width >= 600px)", "(400px <= width < 2000px)",
			"not print", "not all and (max-width: 600px)", "print, screen", "(orientation: landscape)",
			"(hover: hover) and (pointer: fine)", "(prefers-color-scheme: light)",
			"(aspect-ratio: 16/9)", "(min-resolution: 96dpi)", "only screen", "(color)",
			"((width) and (not (print)))"},
		false: {"print", "(max-width: 600px)", "(width < 600px)", "(prefers-color-scheme: dark)",
			"(monochrome)", "not screen", "(unheard: 1)", "not (unheard: 1)", "(1px < width < 2px)",
			"(prefers-reduced-motion)", "(min-width: red)"},
	} {
		for _, q := range list {
			if got := mediaHolds(q); got != want {
				t.Errorf("@media %s holds: %v, want %v", q, got, want)
			}
		}
	}
	for cond, want := range map[string]bool{"(display: grid)": true, "(display: gird)": false,
		"selector(:has(a))": true, "selector(:unheard)": false, "not (color: red)": false,
		"(-moz-appearance: none)": false, "(text-wrap: balance) or (unheard: 1)": true} {
		if got := supports(cond); got != want {
			t.Errorf("@supports %s holds: %v, want %v", cond, got, want)
		}
	}
}

// Lengths come out in pixels, or in per cent of something.
func TestLengths(t *testing.T) {
	sizes := Sizes{Font: 20, Root: 10}
	for v, want := range map[string]Length{
		"0": {}, "12px": {Pixels: 12}, "-1.5em": {Pixels: -30}, "2rem": {Pixels: 20},
		"1e1px": {Pixels: 10}, "50%": {Percent: 50}, "10vw": {Pixels: 128}, "100svh": {Pixels: 720},
		"1in": {Pixels: 96}, "calc(1px + 2 * 3px)": {Pixels: 7},
		"calc(100% - 2em)": {Pixels: -40, Percent: 100}, "min(1px, 2px)": {Pixels: 1},
		"clamp(1px, 5px, 3px)": {Pixels: 3}, "max(1em, 30px)": {Pixels: 30},
		"calc(-1 * infinity)": {Pixels: -1e9}, "round(up, 3px, 2px)": {Pixels: 4},
		"0.5turn": {Pixels: 180}, "abs(-3px)": {Pixels: 3}, "hypot(3px, 4px)": {Pixels: 5},
		"sin(90deg)": {Pixels: 1},
	} {
		if got, ok := ParseLength(v, sizes); !ok || math.Abs(got.Pixels-want.Pixels) > 1e-9 ||
			got.Percent != want.Percent {
			t.Errorf("ParseLength(%q) = %+v, %v, want %+v", v, got, ok, want)
		}
	}
	for _, v := range []string{"", "px", "1 px", "1foo", "calc(1px + )", "red", "1px 2px",
		strings.Repeat("calc(", 50) + "1px"} {
		if got, ok := ParseLength(v, sizes); ok {
			t.Errorf("ParseLength(%q) = %+v, want it refused", v, got)
		}
	}
}

// Colours come out in sRGB.
func TestColors(t *testing.T) {
	for v, want := range map[string]Color{
		"#fff": White, "#000000ff": Black, "white": White, "transparent": {}, "currentcolor": LinkBlue,
		"rgb(255 0 0)": {1, 0, 0, 1}, "rgba(255, 0, 0, 50%)": {1, 0, 0, .5},
		"hsl(120 100% 50%)": {0, 1, 0, 1}, "hwb(0 100% 0%)": White, "lab(100 0 0)": White,
		"oklch(0 0 0)": Black, "color(srgb 1 1 1 / .5)": {1, 1, 1, .5},
		"color-mix(in srgb, white, black)": {.5, .5, .5, 1}, "contrast-color(white)": Black,
		"rgb(from white r 0 0)": {1, 0, 0, 1},
	} {
		got, ok := ParseColor(v, LinkBlue)
		far := max(math.Abs(got.R-want.R), math.Abs(got.G-want.G), math.Abs(got.B-want.B),
			math.Abs(got.A-want.A))
		if !ok || far > 0.01 {
			t.Errorf("ParseColor(%q) = %+v, %v, want %+v", v, got, ok, want)
		}
	}
	for _, v := range []string{"", "#12", "#ggg", "rgb(1)", "whitest", "device-cmyk(0 0 0 0)"} {
		if got, ok := ParseColor(v, Black); ok {
			t.Errorf("ParseColor(%q) = %+v, want it refused", v, got)
		}
	}
	if !Alike(RGBA(.99, 1, 1, 1), White) || Alike(Black, White) ||
		!Alike(RGBA(0, 0, 0, .01), White) {
		t.Error("Alike must hold for near-white and for clear black on white, not for black on white")
	}
}

// An element whose ancestors lack what a selector asks for is not looked at, and one whose
// ancestors have it always is.
func TestTheFamilyOfAnElement(t *testing.T) {
	tree := dom.ParseAll(`<main id=m class="a b"><div class=c><p id=x>Words.</p></div></main>`, false)
	families := familiesOf(tree)
	x := families[len(tree.Els)-1]
	for _, sel := range []string{"main p", ".a .c > p", "#m p", "div:hover + p", "html .b p, i"} {
		list, ok := parseSelectors(sel, false, 0)
		if !ok || !x.has(&list[0].around) {
			t.Errorf("%s may not hold inside %v, want that it may", sel, x)
		}
	}
	list, _ := parseSelectors(".none p", false, 0)
	if x.has(&list[0].around) {
		t.Error(".none p may hold, want it refused by the elements around")
	}
}
