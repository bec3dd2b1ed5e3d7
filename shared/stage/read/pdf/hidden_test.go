package pdf

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// sheet is a page of a PDF that is written here: its content, what stands in its
// dictionary and in its resources beside the font F1, and further objects from 6 on.
type sheet struct {
	content, page, resources string
	objects                  []string
}

func (s sheet) bytes() []byte {
	if !strings.Contains(s.page, "/MediaBox") {
		s.page += "/MediaBox[0 0 600 800]"
	}
	all := append([]string{
		"<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R 7 0 R]/D<</OFF[6 0 R]>>>>>>",
		"<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/Contents 4 0 R" + s.page + "/Resources<</Font<</F1 5 0 R>>" + s.resources + ">>>>",
		object("", s.content),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
	}, s.objects...)
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	for i, o := range all {
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\n", len(all)+1)
	return b.Bytes()
}

func object(dict, data string) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", dict, len(data), data)
}

const (
	secret  = "BT /F1 12 Tf 60 700 Td (Secret words) Tj ET"
	further = " BT 0 Tr 0 g /F1 12 Tf 60 500 Td (Open words) Tj ET"

	// The words of secret stand within 60…135 across and 697…709 upwards.
	over   = " 50 690 200 30 re f "
	layers = "/Properties<</Off 6 0 R/On 7 0 R/Any 8 0 R/All 9 0 R>>"
	states = "/ExtGState<</Gone<</ca 0/CA 0>>/Faint<</ca .02>>/Tenth<</ca .1>>/Half<</ca .5>>" +
		"/Mul<</BM/Multiply>>/Over<</op true/OPM 1>>>>"
	square = "/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8"
	form   = "/Type/XObject/Subtype/Form/BBox[0 0 600 800]"
)

var layerObjects = []string{
	"<</Type/OCG/Name(Off)>>",
	"<</Type/OCG/Name(On)>>",
	"<</Type/OCMD/OCGs[6 0 R 7 0 R]>>",
	"<</Type/OCMD/P/AllOn/OCGs[6 0 R 7 0 R]>>",
}

// way is an entry of testdata/ways.txt.
type way struct {
	name   string
	reason string // why no reader sees the words, or "shown"
	sheet
}

// ways reads testdata/ways.txt.
func ways(t testing.TB) (out []way) {
	t.Helper()
	data, err := os.ReadFile("testdata/ways.txt")
	if err != nil {
		t.Fatal(err)
	}
	short := strings.NewReplacer("$secret", secret, "$further", further, "$over", over,
		"$layers", layers, "$states", states, "$form", form, "$square", square)
	for line := range strings.Lines(short.Replace(string(data))) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			name, reason, _ := strings.Cut(line[1:], "] ")
			out = append(out, way{name: name, reason: reason})
			continue
		}
		key, value, _ := strings.Cut(line, ": ")
		switch w := &out[len(out)-1]; key {
		case "content":
			w.content = value
		case "page":
			w.page = value
		case "resources":
			w.resources = value
		case "objects":
			w.objects = slices.Clone(layerObjects)
		case "object":
			w.objects = append(w.objects, value)
		case "stream":
			dict, data, _ := strings.Cut(value, " | ")
			w.objects = append(w.objects, object(dict, data))
		default:
			t.Fatalf("ways.txt: %q is no key", key)
		}
	}
	return out
}

// What no reader sees on a page is not text of it; what only looks hidden stays.
func TestWaysToHide(t *testing.T) {
	hidden, shown := 0, 0
	for _, w := range ways(t) {
		d := read(t, w.bytes())
		if w.reason == "shown" {
			shown++
			if !strings.Contains(words(d), "Secret words") {
				t.Errorf("%s: the words are lost; the text is %q, hidden is %+v", w.name, words(d),
					d.Pages[0].Hidden)
			}
			continue
		}
		hidden++
		if got := words(d); strings.Contains(got, "Secret") {
			t.Errorf("%s: the hidden words are in the text %q", w.name, got)
			continue
		}
		h := d.Pages[0].Hidden
		if len(h) != 1 || h[0].Reason != w.reason || h[0].Text != "Secret words" {
			t.Errorf("%s: hidden is %+v, want the words as %s", w.name, h, w.reason)
		}
	}
	if hidden != 52 || shown != 47 {
		t.Errorf("%d ways to hide and %d that only look so, want 52 and 47", hidden, shown)
	}
}

// Letters pressed together are hidden; which of them are left there does not matter.
func TestLettersOfNoWidth(t *testing.T) {
	for _, content := range []string{"0 Tz " + secret, "q .002 0 0 1 60 0 cm " + secret + " Q"} {
		d := read(t, sheet{content: content}.bytes())
		if h := d.Pages[0].Hidden; words(d) != "" || len(h) != 1 || h[0].Reason != reasonTiny {
			t.Errorf("%s: the text is %q, hidden are %+v; want all of it hidden as tiny", content,
				words(d), h)
		}
	}
}

// A viewer hides some layers by itself: those that are marked as not for the screen.
func TestLayersOfTheViewer(t *testing.T) {
	for state, hidden := range map[string]bool{"OFF": true, "ON": false} {
		s := sheet{content: "/OC /L BDC " + secret + " EMC", resources: "/Properties<</L 6 0 R>>",
			objects: []string{"<</Type/OCG/Name(L)/Usage<</View<</ViewState/" + state + ">>>>>>", layerObjects[1]}}
		body := bytes.Replace(s.bytes(), []byte("/OFF[6 0 R]"), []byte("/AS[<</Event/View/Category[/View]/OCGs[6 0 R]>>]"), 1)
		if d := read(t, body); strings.Contains(words(d), "Secret") == hidden {
			t.Errorf("a layer that is %s on the screen: the text is %q", state, words(d))
		}
	}
}

// Words that a line goes through are reported; lines under, over and between words are not.
func TestStruckWords(t *testing.T) {
	for name, c := range map[string]struct {
		content, page, want string
	}{
		"a line":                   {secret + " 1 w 60 704 m 140 704 l S", "", "Secret words"},
		"a thin box":               {secret + " 58 703.5 90 .7 re f", "", "Secret words"},
		"a line before":            {"1 w 60 704 m 140 704 l S " + secret, "", "Secret words"},
		"one word":                 {secret + " 1 w 60 704 m 96 704 l S", "", "Secret"},
		"a mark of the viewer":     {secret, "/Annots[<</Subtype/StrikeOut/Rect[58 697 140 711]/QuadPoints[58 711 140 711 58 697 140 697]>>]", "Secret words"},
		"underline":                {secret + " 1 w 60 698 m 140 698 l S", "", ""},
		"between two lines":        {secret + " BT /F1 12 Tf 60 714 Td (More words) Tj ET 1 w 60 711.5 m 140 711.5 l S", "", ""},
		"a line elsewhere":         {secret + " 1 w 300 704 m 400 704 l S", "", ""},
		"a white line":             {secret + " 1 w 1 G 60 704 m 140 704 l S", "", ""},
		"behind the words":         {"1 w 20 704 m 500 704 l S 1 g 50 690 200 30 re f 0 g " + secret, "", ""},
		"a line of the form dots":  {secret + " [1 2] 0 d 1 w 60 704 m 140 704 l S", "", ""},
		"a line that goes upwards": {secret + " 1 w 80 600 m 80 800 l S", "", ""},
	} {
		d := read(t, sheet{content: c.content, page: c.page}.bytes())
		var got []string
		for _, b := range d.Pages[0].Blocks {
			got = append(got, b.Struck...)
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s: struck %q, want %q", name, s, c.want)
		}
	}
}

// A page of many boxes and many words costs in proportion to them.
func BenchmarkBoxesAndWords(b *testing.B) {
	for _, n := range []int{10_000, 50_000} {
		body := sheet{content: boxesAndWords(n)}.bytes()
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := Read(b.Context(), body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func boxesAndWords(n int) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, "1 g %d %d %d 700 re f 0 g %d %d 90 1 re f ", i%7, i%11, 580-i%13, i%500,
			i*7%790)
		fmt.Fprintf(&s, "BT /F1 9 Tf %d %d Td (ab) Tj ET ", i%560, i*13%780)
	}
	return s.String()
}
