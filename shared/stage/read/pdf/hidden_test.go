package pdf

import (
	"bytes"
	"fmt"
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
	states = "/ExtGState<</Gone<</ca 0/CA 0>>/Faint<</ca .02>>/Tenth<</ca .1>>/Half<</ca .5>>/Mul<</BM/Multiply>>/Over<</op true/OPM 1>>>>"
	square = "/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8"
	form   = "/Type/XObject/Subtype/Form/BBox[0 0 600 800]"
)

var layerObjects = []string{"<</Type/OCG/Name(Off)>>", "<</Type/OCG/Name(On)>>", "<</Type/OCMD/OCGs[6 0 R 7 0 R]>>", "<</Type/OCMD/P/AllOn/OCGs[6 0 R 7 0 R]>>"}

// formOf is a sheet that draws a form after content, in the state that before names.
func formOf(content, dict, drawn string) sheet {
	return sheet{content: content, resources: states + "/XObject<</X 6 0 R>>",
		objects: []string{object(form+"/Resources<</Font<</F1 5 0 R>>>>"+dict, drawn)}}
}

func imageOf(content, dict string) sheet {
	return sheet{content: content, resources: states + "/XObject<</X 6 0 R>>",
		objects: []string{object(square+dict, "x"), object(square, "x")}}
}

// hiddenWays are pages on which no reader sees "Secret words".
var hiddenWays = map[string]struct {
	sheet
	reason string
}{
	"opacity of nothing":        {sheet{content: "/Gone gs " + secret, resources: states}, reasonColour},
	"faint":                     {sheet{content: "q /Faint gs " + secret + " Q", resources: states}, reasonColour},
	"a form of no opacity":      {formOf("q /Gone gs /X Do Q", "", secret), reasonColour},
	"a group of no opacity":     {formOf("q /Gone gs /X Do Q", "/Group<</S/Transparency>>", secret), reasonColour},
	"half of a faint group":     {formOf("q .1 g /Faint gs /X Do Q", "/Group<</S/Transparency>>", "1 g "+secret), reasonColour},
	"mode 3":                    {sheet{content: "3 Tr " + secret}, reasonMode},
	"mode 7":                    {sheet{content: "q 7 Tr " + secret + " Q"}, reasonMode},
	"mode 7 and white paint":    {sheet{content: "q 7 Tr " + secret + " 1 g" + over + "Q"}, reasonMode},
	"white on white":            {sheet{content: "1 g " + secret}, reasonColour},
	"white on a white box":      {sheet{content: "0 g" + over + "1 g" + over + secret}, reasonColour},
	"black on black":            {sheet{content: "0 g" + over + secret}, reasonColour},
	"blue on the same blue":     {sheet{content: "0 0 1 rg" + over + "1 1 0 0 k " + secret}, reasonColour},
	"white by its colour space": {sheet{content: "/DeviceRGB cs 1 1 1 sc " + secret}, reasonColour},
	"white by a profile": {sheet{content: "/C cs 1 1 1 scn " + secret,
		resources: "/ColorSpace<</C[/ICCBased 6 0 R]>>", objects: []string{object("/N 3", "x")}}, reasonColour},
	"white on a faint veil":       {sheet{content: "q /Faint gs 0 g" + over + "Q 1 g " + secret, resources: states}, reasonColour},
	"white on a veil of a tenth":  {sheet{content: "q /Tenth gs 0 g" + over + "Q 1 g " + secret, resources: states}, reasonColour},
	"white on a pale round shape": {sheet{content: ".91 g 50 690 m 250 690 l 260 705 250 715 250 720 c 50 720 l h f 1 g " + secret}, reasonColour},
	"no tint": {sheet{content: "/C cs 0 scn " + secret,
		resources: "/ColorSpace<</C[/Separation/Spot/DeviceCMYK 6 0 R]>>", objects: []string{"<<>>"}}, reasonColour},
	"a white edge":               {sheet{content: "1 Tr 1 G 0 g " + secret}, reasonColour},
	"clipped away":               {sheet{content: "q 300 300 50 50 re W n " + secret + " Q"}, reasonClip},
	"clipped by two boxes":       {sheet{content: "q 50 690 200 30 re W n 50 650 200 30 re W n " + secret + " Q"}, reasonClip},
	"clipped to nothing":         {sheet{content: "q 0 0 0 0 re W* n " + secret + " Q"}, reasonClip},
	"outside a form's box":       {sheet{content: "/X Do", resources: "/XObject<</X 6 0 R>>", objects: []string{object("/Type/XObject/Subtype/Form/BBox[0 0 50 50]/Resources<</Font<</F1 5 0 R>>>>", secret)}}, reasonClip},
	"outside the crop box":       {sheet{content: secret, page: "/CropBox[0 0 600 600]"}, reasonOutside},
	"a crop box beyond the page": {sheet{content: "1 0 0 1 0 300 cm " + secret, page: "/CropBox[0 0 600 2000]"}, reasonOutside},
	"outside the page":           {sheet{content: "1 0 0 1 700 0 cm " + secret}, reasonOutside},
	"under a box":                {sheet{content: secret + " 1 g" + over}, reasonCovered},
	"under a black box":          {sheet{content: secret + " 0 g" + over}, reasonCovered},
	"under a box of four lines":  {sheet{content: secret + " 1 g 50 690 m 250 690 l 250 720 l 50 720 l h f"}, reasonCovered},
	"under a box that is turned": {sheet{content: secret + " q 0 1 -1 0 250 690 cm 1 g 0 0 30 200 re f Q"}, reasonCovered},
	"under boxes in one path":    {sheet{content: secret + " .5 g 0 0 9 9 re 50 690 200 30 re f"}, reasonCovered},
	"under a thick line":         {sheet{content: secret + " 20 w 1 G 50 704 m 250 704 l S"}, reasonCovered},
	"under a picture":            {imageOf(secret+" q 200 0 0 30 50 690 cm /X Do Q"+further, ""), reasonCovered},
	"under a picture in place":   {sheet{content: secret + " q 200 0 0 30 50 690 cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q" + further}, reasonCovered},
	"under a form":               {formOf(secret+" /X Do", "", "1 g"+over), reasonCovered},
	"under a box, then a veil":   {sheet{content: secret + " 1 g" + over + "/Half gs 0 g" + over, resources: states}, reasonCovered},
	"under a note":               {sheet{content: secret, page: "/Annots[<</Subtype/Square/Rect[50 690 250 720]/IC[1 1 1]>>]"}, reasonCovered},
	"tiny":                       {sheet{content: "BT /F1 .1 Tf 60 700 Td (Secret words) Tj ET"}, reasonTiny},
	"tiny by its matrix":         {sheet{content: "q .01 0 0 .01 60 700 cm BT /F1 12 Tf (Secret words) Tj ET Q"}, reasonTiny},
	"a layer that is off":        {sheet{content: "/OC /Off BDC " + secret + " EMC", resources: layers, objects: layerObjects}, reasonLayer},
	"layers that must all be on": {sheet{content: "/OC /All BDC " + secret + " EMC", resources: layers, objects: layerObjects}, reasonLayer},
	"a form of a layer": {sheet{content: "/X Do",
		resources: layers + "/XObject<</X 10 0 R>>",
		objects:   append(layerObjects[:4:4], object(form+"/OC 6 0 R/Resources<</Font<</F1 5 0 R>>>>", secret))}, reasonLayer},
	"a page that starts further": {sheet{content: secret + " 1 g" + over, page: "/MediaBox[-50 -50 600 800]"}, reasonCovered},
	"a page on its side":         {sheet{content: secret + " 1 g" + over, page: "/Rotate 90"}, reasonCovered},
	"white after state is back":  {sheet{content: "q 0 g" + over + "Q 1 g 60 0 0 60 0 0 cm 1 0 0 1 0 -8 cm BT /F1 .2 Tf 1 12 Td (Secret words) Tj ET"}, reasonColour},
	"an ink that is none":        {sheet{content: "/C cs 1 scn " + secret, resources: "/ColorSpace<</C[/Separation/None/DeviceGray 6 0 R]>>", objects: []string{"<<>>"}}, reasonColour},
	"white of a laboratory":      {sheet{content: "/C cs 100 0 0 scn " + secret, resources: "/ColorSpace<</C[/Lab<</WhitePoint[.95 1 1.09]>>]>>"}, reasonColour},
	"white by its number":        {sheet{content: "/C cs 1 scn " + secret, resources: "/ColorSpace<</C[/Indexed/DeviceRGB 1<000000FFFFFF>]>>"}, reasonColour},
	"a layer that is not the one": {sheet{content: "/OC /Not BDC " + secret + " EMC",
		resources: "/Properties<</Not 8 0 R>>", objects: append(layerObjects[:2:2], "<</Type/OCMD/VE[/Not 7 0 R]>>")}, reasonLayer},
	"layers of which one lacks": {sheet{content: "/OC /Not BDC " + secret + " EMC",
		resources: "/Properties<</Not 8 0 R>>", objects: append(layerObjects[:2:2], "<</Type/OCMD/VE[/And 7 0 R[/Or 6 0 R[/Not 7 0 R]]]>>")}, reasonLayer},
	"under boxes by turns":        {sheet{content: secret + " 1 g 0 0 9 9 re 50 690 200 30 re f*"}, reasonCovered},
	"clip of a path with corners": {sheet{content: "q 300 300 m 400 300 l 350 400 l h W n " + secret + " Q"}, reasonClip},
}

// shownWays are pages on which every reader sees "Secret words".
var shownWays = map[string]sheet{
	"plain":                         {content: secret},
	"white on a dark box":           {content: "0 g" + over + "1 g " + secret},
	"white on a round shape":        {content: "0 0 .5 rg 50 690 m 250 690 l 260 705 250 715 250 720 c 50 720 l h f 1 g " + secret},
	"white on a picture":            imageOf("q 200 0 0 30 50 690 cm /X Do Q 1 g "+secret, ""),
	"white on a shading":            {content: "q 50 690 200 30 re W n /S sh Q 1 g " + secret},
	"white on a pattern":            {content: "/Pattern cs /P scn" + over + "1 g " + secret},
	"a clip that holds it":          {content: "q 55 694 100 16 re W n " + secret + " Q"},
	"a clip and its end":            {content: "q 300 300 50 50 re W n Q " + secret},
	"a clip of two boxes":           {content: "q 0 0 9 9 re 55 694 100 16 re W n " + secret + " Q"},
	"highlight":                     {content: secret + " /Mul gs 1 1 0 rg" + over, resources: states},
	"highlight below":               {content: "1 1 0 rg" + over + "0 g " + secret},
	"veil":                          {content: secret + " /Half gs 1 g" + over, resources: states},
	"half":                          {content: "/Half gs " + secret, resources: states},
	"a form at half":                formOf("/Half gs /X Do", "/Group<</S/Transparency>>", secret),
	"table lines":                   {content: secret + " .5 w 50 692 m 250 692 l 50 715 m 250 715 l 50 692 m 50 715 l S"},
	"a cell's border":               {content: secret + " 50 690 200 30 re S"},
	"a cell, then its words":        {content: "1 g" + over + "0 g " + secret},
	"a frame of two boxes":          {content: secret + " 0 0 600 800 re 40 40 520 720 re f*"},
	"underline":                     {content: secret + " 60 697.5 75 .8 re f"},
	"watermark":                     {content: secret + " q /Half gs .8 g .7 .7 -.7 .7 200 300 cm BT /F1 90 Tf (DRAFT) Tj ET Q", resources: states},
	"a box elsewhere":               {content: secret + " 1 g 50 600 200 80 re f"},
	"a box that is clipped":         {content: secret + " q 300 300 50 50 re W n 1 g" + over + "Q"},
	"a box on a layer that is off":  {content: secret + " /OC /Off BDC 1 g" + over + "EMC", resources: layers, objects: layerObjects},
	"a layer that is on":            {content: "/OC /On BDC " + secret + " EMC", resources: layers, objects: layerObjects},
	"layers of which one is on":     {content: "/OC /Any BDC " + secret + " EMC", resources: layers, objects: layerObjects},
	"a picture one can see through": imageOf(secret+" q 200 0 0 30 50 690 cm /X Do Q", "/SMask 7 0 R"),
	"a stencil":                     imageOf(secret+" q 200 0 0 30 50 690 cm /X Do Q", "/ImageMask true"),
	"drawn again over the box":      {content: secret + " .9 g" + over + "0 g " + secret},
	"an edge in black":              {content: "1 g 1 Tr " + secret},
	"a white fill with an edge":     {content: "1 g 0 G 2 Tr " + secret},
	"letters as a clip":             {content: "q 7 Tr " + secret + " 1 0 0 rg" + over + "Q"},
	"grey":                          {content: ".6 g " + secret},
	"a tint":                        {content: "/C cs .8 scn " + secret, resources: "/ColorSpace<</C[/Separation/Spot/DeviceCMYK 6 0 R]>>", objects: []string{"<<>>"}},
	"overprint of no ink":           {content: secret + " /Over gs 0 0 0 0 k" + over, resources: states},
	"narrow letters":                {content: "50 Tz " + secret},
	"an ink that is some":           {content: "/C cs 1 scn " + secret, resources: "/ColorSpace<</C[/Separation/Black/DeviceGray 6 0 R]>>", objects: []string{"<<>>"}},
	"grey of a laboratory":          {content: "/C cs 40 0 0 scn " + secret, resources: "/ColorSpace<</C[/Lab<</WhitePoint[.95 1 1.09]>>]>>"},
	"black by its number":           {content: "/C cs 0 scn " + secret, resources: "/ColorSpace<</C[/Indexed/DeviceRGB 1<000000FFFFFF>]>>"},
	"a layer that is on, by a rule": {content: "/OC /Yes BDC " + secret + " EMC", resources: "/Properties<</Yes 8 0 R>>", objects: append(layerObjects[:2:2], "<</Type/OCMD/VE[/Or 6 0 R[/Not[/Not 7 0 R]]]>>")},
	"a frame of two boxes by turns": {content: secret + " .5 g 40 680 220 50 re 50 690 200 30 re f*"},
	"small print":                   {content: "BT /F1 5 Tf 60 700 Td (Secret words) Tj ET"},
	"a note that is not shown":      {content: secret, page: "/Annots[<</Subtype/Square/F 2/Rect[50 690 250 720]/IC[1 1 1]>>]"},
	"a note with an edge alone":     {content: secret, page: "/Annots[<</Subtype/Square/Rect[50 690 250 720]/C[1 0 0]>>]"},
	"a crop box":                    {content: secret, page: "/CropBox[20 20 580 780]"},
	"recognised under a picture":    imageOf(secret+" q 600 0 0 800 0 0 cm /X Do Q", ""),
	"a thin box beside":             {content: secret + " 60 690 75 2 re f"},
	"half of it under a box":        {content: secret + " 1 g 50 690 200 10.5 re f"},
}

// What no reader sees on a page is not text of it; what only looks like that stays.
func TestWaysToHide(t *testing.T) {
	for name, w := range hiddenWays {
		d := read(t, w.bytes())
		if got := words(d); strings.Contains(got, "Secret") {
			t.Errorf("%s: the hidden words are text: %q", name, got)
			continue
		}
		if h := d.Pages[0].Hidden; len(h) != 1 || h[0].Reason != w.reason || h[0].Text != "Secret words" {
			t.Errorf("%s: hidden is %+v, want %s", name, h, w.reason)
		}
	}
	for name, s := range shownWays {
		if d := read(t, s.bytes()); !strings.Contains(words(d), "Secret words") {
			t.Errorf("%s: the words are lost: %q, %+v", name, words(d), d.Pages[0].Hidden)
		}
	}
	t.Logf("%d ways to hide, %d that only look like it", len(hiddenWays), len(shownWays))
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

// A viewer sets some layers by itself: those that say that they are not for the screen.
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

// A line through words is said with them; lines under, over and between words are none.
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
		fmt.Fprintf(&s, "1 g %d %d %d 700 re f 0 g %d %d 90 1 re f BT /F1 9 Tf %d %d Td (ab) Tj ET ", i%7, i%11, 580-i%13, i%500, i*7%790, i%560, i*13%780)
	}
	return s.String()
}
