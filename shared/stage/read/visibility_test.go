package read

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// way is a page of testdata/visibility.
type way struct {
	name, html string
	browser    bool // cannot be decided without laying the page out
	markup     bool // only the markup hides it: this browser has a way of its own
	open       bool // known, and caught in no way
}

const (
	sentence = "The reservoir holds forty thousand litres in spring."
	control  = "This paragraph is seen by everyone who opens the page."
)

func ways(t *testing.T, file string) []way {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/visibility/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var out []way
	for _, part := range strings.Split("\n"+string(data), "\n## ")[1:] {
		name, html, _ := strings.Cut(part, "\n")
		w := way{name: name}
		w.name, w.browser = strings.CutSuffix(name, " (browser)")
		w.name, w.markup = strings.CutSuffix(w.name, " (markup)")
		w.name, w.open = strings.CutSuffix(w.name, " (open)")
		w.browser = w.browser || w.open
		if strings.Count(html, "TEXT") != 1 {
			t.Fatalf("%s: the page must hold TEXT once", name)
		}
		html = strings.Replace(html, "TEXT", sentence, 1)
		if strings.Contains(html, "</body>") {
			html = strings.Replace(html, "</body>", "<p>"+control+"</p></body>", 1)
		} else {
			html += "<section>" + control + "</section>"
		}
		w.html = "<!doctype html><meta charset=utf-8><title>A page</title>" + html
		out = append(out, w)
	}
	return out
}

// What a reader does not see is no text, and what only looks hidden stays: by attributes,
// inline style and the page's own rules. Ways that need a layout are not caught here; when
// one is, it is no longer one of them.
func TestWaysToHide(t *testing.T) {
	hidden, shown := ways(t, "hidden.txt"), ways(t, "shown.txt")
	if len(hidden) < 140 || len(shown) < 80 {
		t.Fatalf("only %d ways to hide and %d that are none", len(hidden), len(shown))
	}
	caught, open := 0, 0
	for _, w := range hidden {
		d := readString(t, w.html)
		checkDocument(t, d)
		has := strings.Contains(d.Text, sentence)
		if !strings.Contains(d.Text, control) {
			t.Errorf("%s: the control is gone", w.name)
		}
		switch {
		case w.browser && has:
			open++
		case w.browser:
			t.Errorf("%s: needs no browser", w.name)
		case has:
			t.Errorf("%s: the hidden sentence is text", w.name)
		default:
			caught++
		}
	}
	for _, w := range shown {
		d := readString(t, w.html)
		if !strings.Contains(d.Text, sentence) {
			t.Errorf("%s: the sentence is lost: %+v", w.name, d.Hidden)
		}
		if !strings.Contains(d.Text, control) {
			t.Errorf("%s: the control is gone: %+v", w.name, d.Hidden)
		}
	}
	t.Logf("%d of %d ways caught, %d need a browser; %d visible sentences", caught, len(hidden),
		open, len(shown))
}

// Each way to hide is needed: without it some page is read otherwise than a visitor reads it.
func TestEachWayToHideIsNeeded(t *testing.T) {
	hidden, shown := ways(t, "hidden.txt"), ways(t, "shown.txt")
	all := hidingWays
	defer func() { hidingWays = all }()
	for i := range all {
		hidingWays = slices.Delete(slices.Clone(all), i, i+1)
		seen := func(w way) bool { return strings.Contains(readString(t, w.html).Text, sentence) }
		wrong := slices.ContainsFunc(hidden, func(w way) bool { return !w.browser && seen(w) }) ||
			slices.ContainsFunc(shown, func(w way) bool { return !seen(w) })
		if !wrong {
			t.Errorf("without the way %q all pages are still read right; want one that is not",
				all[i].name)
		}
	}
}

// Linked sheets are not read, and the Document says how many; sheets in the page are.
func TestStylesNotRead(t *testing.T) {
	for html, want := range map[string]int{
		`<link rel=stylesheet href=/a.css><link rel="stylesheet" href=b.css><p>Words.`:                                        2,
		`<style>@import "x.css"; p{color:red}</style><p>Words.`:                                                               1,
		`<link rel=stylesheet media=print href=p.css><link rel="alternate stylesheet" href=c.css><link rel=icon href=i><p>W.`: 0,
		`<link rel=stylesheet href="data:text/css,b{display:none}"><p>Words.`:                                                 0,
	} {
		if d := readString(t, html); d.StylesNotRead != want {
			t.Errorf("%s: %d style sheets not read, want %d", html, d.StylesNotRead, want)
		}
	}
}
