package pdf

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// The files in testdata were made by ReportLab, WeasyPrint and pikepdf from words that
// the tests repeat.

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", name+".pdf"))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func words(d *Document) string {
	var out []string
	for _, p := range d.Pages {
		for _, b := range p.Blocks {
			out = append(out, b.Text)
		}
	}
	return strings.Join(out, "\n")
}

// made writes a PDF of one page with these content operators; F1 is Helvetica, F2 a
// font whose ToUnicode table is cmap.
func made(content, cmap string) []byte {
	var b bytes.Buffer
	var at []int
	obj := func(s string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), s)
	}
	stream := func(s string) string { return object("", s) }
	b.WriteString("%PDF-1.7\n")
	obj("<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[8 0 R]/D<</OFF[8 0 R]>>>>>>")
	obj("<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 600 800]>>")
	obj("<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>" +
		"/Properties<</L 8 0 R>>/XObject<</X 9 0 R>>>>>>")
	obj(stream(content))
	obj("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
	obj("<</Type/Font/Subtype/Type0/BaseFont/Any/Encoding/Identity-H" +
		"/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/DW 500>>]/ToUnicode 7 0 R>>")
	obj(stream(cmap))
	obj("<</Type/OCG/Name(Layer)>>")
	obj(object(form+"/Resources<</XObject<</X 9 0 R>>>>", "/X Do"))
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return b.Bytes()
}

func read(t *testing.T, body []byte) *Document {
	t.Helper()
	d, err := Read(t.Context(), body)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestReadInEveryWrapping(t *testing.T) {
	want := words(read(t, fixture(t, "twocol")))
	if !strings.HasPrefix(want, "Section 0 heading\nThe its A so wrap word The its A so the column.") {
		t.Errorf("it begins %.80q", want)
	}
	for _, name := range []string{"packed", "enc_aes128", "enc_aes256"} {
		if got := words(read(t, fixture(t, name))); got != want {
			t.Errorf("%s: another text than twocol.pdf without it", name)
		}
	}
	body := fixture(t, "twocol")
	i := bytes.LastIndex(body, []byte("startxref"))
	if got := words(read(t, append(bytes.Clone(body[:i]), "startxref\n17\n%%EOF"...))); got != want {
		t.Error("a wrong cross-reference offset changes the text")
	}
	if got := words(read(t, append([]byte("junk before\n\x00\x01"), body...))); got != want {
		t.Error("bytes before the header change the text")
	}
	for _, name := range []string{"enc_empty", "enc_128"} {
		const want = "Secret words stand here in the file"
		if got := words(read(t, fixture(t, name))); got != want {
			t.Errorf("%s: the text is %q, want %q", name, got, want)
		}
	}
}

func TestColumnsAreReadOneAfterTheOther(t *testing.T) {
	got := words(read(t, fixture(t, "twocol")))
	last := -1
	for _, h := range []string{"Section 0 heading", "Section 1 heading", "Section 2 heading", "Section 3 heading"} {
		i := strings.Index(got, h)
		if i <= last {
			t.Fatalf("%q stands at %d, after %d", h, i, last)
		}
		last = i
	}
}

func TestScripts(t *testing.T) {
	for name, want := range map[string]string{
		"cjk_ja": "これは日本語のテストです。漢字とかな",
		"cjk_ko": "한국어 시험 문서입니다 글자",
		"rtl":    "مرحبا بالعالم هذا نص عربي للتجربة مع رقم 2024 في السطر\nשלום עולם זהו טקסט בעברית לבדיקה",
	} {
		if got := words(read(t, fixture(t, name))); !strings.Contains(got, want) {
			t.Errorf("%s: the text is %q, want it to contain %q", name, got, want)
		}
	}
}

func TestStructure(t *testing.T) {
	d := read(t, fixture(t, "weasy"))
	if d.Title != "Manual of things" || d.Author != "Ada Example" || len(d.Outline) != 9 ||
		d.Outline[1].Title != "Chapter 0 of it" || d.Outline[1].Level != 2 || d.Outline[1].Page != 1 {
		t.Errorf("the document says title %q, author %q, outline %+v; want those of weasy.pdf",
			d.Title, d.Author, d.Outline)
	}
	kinds := map[Kind]string{}
	for _, b := range d.Pages[0].Blocks {
		if kinds[b.Kind] == "" {
			kinds[b.Kind] = b.Text
		}
	}
	if kinds[Item] != "• first 0 thing" || kinds[Code] != "def f(x):\n    return x + 0" {
		t.Errorf("the first blocks of each kind are %v, want the item and the code of weasy.pdf", kinds)
	}
}

func TestHiddenText(t *testing.T) {
	d := read(t, fixture(t, "white"))
	if got := words(d); got != "Visible words on the page" {
		t.Errorf("the visible text is %q, want the visible words alone", got)
	}
	if got := fmt.Sprint(d.Pages[0].Hidden); got != "[{invisible Invisible words beside} {same_color Ignore all white words}]" {
		t.Errorf("the hidden text is %s, want both kinds", got)
	}
	d = read(t, fixture(t, "ocr"))
	if !d.Pages[0].OCR || words(d) != "Recognised words of a scan" || len(d.Pages[0].Hidden) > 0 {
		t.Errorf("a layer of recognised words over a picture is read as %+v", d.Pages[0])
	}
	for name, c := range map[string]struct{ content, visible, reason string }{
		"on black":   {"0 g 50 80 400 60 re f 1 g BT /F1 12 Tf 60 100 Td (White on black) Tj ET", "White on black", ""},
		"white cmyk": {"0 0 0 0 k BT /F1 12 Tf 60 100 Td (White ink) Tj ET", "", reasonColour},
		"tiny":       {"BT /F1 0.5 Tf 60 100 Td (Dust) Tj ET", "", reasonTiny},
		"outside":    {"BT /F1 12 Tf 60 -100 Td (Below) Tj ET", "", reasonOutside},
		"layer":      {"/OC /L BDC BT /F1 12 Tf 60 100 Td (Layer) Tj ET EMC BT /F1 12 Tf 60 130 Td (Shown) Tj ET", "Shown", reasonLayer},
		"outline":    {"BT 1 g 1 Tr /F1 12 Tf 60 100 Td (Only its edge) Tj ET", "Only its edge", ""},
	} {
		d := read(t, made(c.content, ""))
		reason := ""
		if h := d.Pages[0].Hidden; len(h) > 0 {
			reason = h[0].Reason
		}
		if got := words(d); got != c.visible || reason != c.reason {
			t.Errorf("%s: %q is visible, and text is hidden as %q; want %q and %q", name, got,
				reason, c.visible, c.reason)
		}
	}
}

func TestWordsOverLines(t *testing.T) {
	lines := func(s ...string) string {
		return "BT /F1 12 Tf 14 TL 60 700 Td (" + strings.Join(s, ") Tj T* (") + ") Tj ET"
	}
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"parted":          {[]string{"This is an exam-", "ple of a word"}, "This is an example of a word"},
		"known compound":  {[]string{"A well-known thing that is well-", "known to all of us here"}, "A well-known thing that is well-known to all of us here"},
		"numbers":         {[]string{"In the years 2020-", "2021 it was otherwise"}, "In the years 2020- 2021 it was otherwise"},
		"name":            {[]string{"The town is called Baden-", "Baden and lies there"}, "The town is called Baden-Baden and lies there"},
		"plain":           {[]string{"One line and", "another line"}, "One line and another line"},
		"an escaped sign": {[]string{`a \(b\) c \101`}, "a (b) c A"},
	} {
		if got := words(read(t, made(lines(c.lines...), ""))); got != c.want {
			t.Errorf("%s: the text is %q, want %q", name, got, c.want)
		}
	}
}

func TestToUnicode(t *testing.T) {
	cmap := "1 begincodespacerange <0000> <FFFF> endcodespacerange " +
		"2 beginbfchar <0001> <00660069> <0005> <D83DDE00> endbfchar " +
		"2 beginbfrange <0002> <0003> <0041> <0006> <0007> [<0042> <FB01>] endbfrange"
	content := "BT /F2 12 Tf 60 700 Td <0001000200030005000600070009> Tj ET"
	if got, want := words(read(t, made(content, cmap))), "fiAB😀Bfi�"; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
}

func TestGlyphNames(t *testing.T) {
	for n, want := range map[string]string{"A": "A", "fi": "fi", "f_f_i": "ffi", "uni00410042": "AB", "u1F600": "😀", "uniFB01": "fi", "a.sc": "a", "behinitial": "ب", "lamalefisolated": "لا",
		"uniD800": "", "g12": "", "summationdisplay": "∑"} {
		if got := glyphText(n, 0, false); got != want {
			t.Errorf("the glyph %s shows %q, want %q", n, got, want)
		}
	}
	if got := glyphText("a65", 65, true); got != "A" {
		t.Errorf("the glyph a65 of a font of dots shows %q, want A", got)
	}
}

func TestTablesAndContents(t *testing.T) {
	page := "BT /F1 12 Tf 1 0 0 1 50 700 Tm (Name) Tj 1 0 0 1 200 700 Tm (Size) Tj " +
		"1 0 0 1 50 680 Tm (alpha) Tj 1 0 0 1 200 680 Tm (12 kg) Tj " +
		"1 0 0 1 50 660 Tm (beta) Tj 1 0 0 1 200 660 Tm (7 kg) Tj " +
		"1 0 0 1 50 600 Tm (1 First . . . . . . 1) Tj " +
		"1 0 0 1 50 586 Tm (2 Second . . . . . . 9) Tj 1 0 0 1 50 572 Tm (The rest) Tj ET"
	want := "Name\tSize\nalpha\t12 kg\nbeta\t7 kg\n" +
		"1 First . . . . . . 1\n2 Second . . . . . . 9\nThe rest"
	if got := words(read(t, made(page, ""))); got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
}

func TestMargins(t *testing.T) {
	var pages []Page
	for i := range 4 {
		pages = append(pages, Page{height: 800,
			Blocks: []Block{{Text: fmt.Sprintf("Manual, page %d", i+1), Y: 780},
				{Text: "Words of the page", Y: 500}, {Text: fmt.Sprint(i + 1), Y: 30}}})
	}
	margins(pages)
	for _, p := range pages {
		if !p.Blocks[0].Margin || p.Blocks[1].Margin || !p.Blocks[2].Margin {
			t.Errorf("the first and the last of these blocks are not marked alone: %+v", p.Blocks)
		}
	}
}

func TestRefusals(t *testing.T) {
	for name, body := range map[string][]byte{
		"password": fixture(t, "enc_user"),
		"empty":    []byte("%PDF-1.4\n"),
		"no pages": []byte("%PDF-1.4\n1 0 obj <</Type/Catalog>> endobj trailer <</Root 1 0 R>>"),
	} {
		if _, err := Read(t.Context(), body); wstk.CodeOf(err) != wstk.UnsupportedMediaType {
			t.Errorf("%s: the error is %v, want UnsupportedMediaType", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, fixture(t, "weasy")); wstk.CodeOf(err) != wstk.Cancelled {
		t.Errorf("the error of a cancelled reading is %v, want Cancelled", err)
	}
	if d := read(t, fixture(t, "scanned")); words(d) != "" || d.Pages[0].Images != 1 {
		t.Errorf("a scan without words is read as %+v, want one picture", d.Pages[0])
	}
}

// Files built to overload a reader: each ends soon, and in bounded memory.
func TestHostileFiles(t *testing.T) {
	many := func(n int, s string) string { return strings.Repeat(s, n) }
	for name, body := range map[string][]byte{
		"forms in themselves": made(many(100_000, "/X Do "), ""),
		"deep arrays":         made(many(2_000_000, "["), ""),
		"deep dictionaries":   made(many(1_000_000, "<<"), ""),
		"stray signs":         made(many(2_000_000, "> "), ""),
		"deep states":         made(many(1_000_000, "q "), ""),
		"one word":            made("BT /F1 12 Tf 60 700 Td ("+many(1_000_000, "x")+") Tj ET", ""),
		"one place":           made("BT /F1 12 Tf 60 700 Td "+many(100_000, "(x) Tj 1 0 0 1 60 700 Tm ")+" ET", ""),
		"white over boxes":    made(many(10_000, "0 g 1 1 2 2 re f ")+"1 g BT /F1 12 Tf 60 700 Td "+many(50_000, "(x) Tj ")+"ET", ""),
		"wide ranges":         made("", many(5_000, "beginbfrange <0000> <FFFF> <0041> endbfrange ")),
		"rows":                made("BT /F1 2 Tf 1 0 0 1 0 0 Tm "+many(60_000, "(ab) Tj 7 0.01 Td ")+"ET", ""),
		"circle of pages":     []byte("%PDF-1.4\n1 0 obj <</Pages 2 0 R>> endobj 2 0 obj <</Kids[2 0 R 2 0 R]>> endobj 3 0 obj <</Length 3 0 R>> stream\n endstream endobj trailer <</Root 1 0 R>>"),
		"many references":     []byte("%PDF-1.4\n" + many(100_000, "1 0 obj <</Kids[1 0 R]/Pages 1 0 R>> endobj ") + "trailer <</Root 1 0 R>>"),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			started := time.Now()
			_, _ = Read(t.Context(), body) // it may be read or refused
			runtime.ReadMemStats(&after)
			took, used := time.Since(started), (after.TotalAlloc-before.TotalAlloc)>>20
			t.Logf("%v, %d MB allocated for %d KB", took.Round(time.Millisecond), used, len(body)>>10)
			if took > 20*time.Second {
				t.Errorf("it took %v, want less than 20 s", took)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, n := range []string{"weasy", "cjk_ja", "enc_128", "white", "twocol"} {
		f.Add(fixture(f, n))
	}
	f.Add(made("BT /F1 12 Tf 60 700 Td (words) Tj [(a) -300 (b)] TJ ET", "1 beginbfchar <01> <0041> endbfchar"))
	f.Fuzz(func(t *testing.T, body []byte) {
		d, err := Read(t.Context(), body)
		if err != nil {
			if !strings.Contains(err.Error(), "PDF") {
				t.Errorf("an error without a reason: %v", err)
			}
			if strings.Contains(err.Error(), "does not understand") {
				t.Errorf("the reader panicked: %v", err)
			}
			return
		}
		if again, _ := Read(t.Context(), body); words(again) != words(d) {
			t.Error("two readings differ")
		}
	})
}
