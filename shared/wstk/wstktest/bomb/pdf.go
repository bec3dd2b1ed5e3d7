package bomb

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
)

// writer writes a PDF object by object.
type writer struct {
	b       bytes.Buffer
	offsets []int
}

func newWriter() *writer {
	w := &writer{}
	w.b.WriteString("%PDF-1.7\n")
	return w
}

// add writes object number len+1.
func (w *writer) add(body string) {
	w.offsets = append(w.offsets, w.b.Len())
	fmt.Fprintf(&w.b, "%d 0 obj\n%s\nendobj\n", len(w.offsets), body)
}

func (w *writer) stream(dict, data string) {
	w.add(fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", dict, len(data), data))
}

func (w *writer) end() string {
	at := w.b.Len()
	fmt.Fprintf(&w.b, "xref\n0 %d\n0000000000 65535 f \n", len(w.offsets)+1)
	for _, o := range w.offsets {
		fmt.Fprintf(&w.b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&w.b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n",
		len(w.offsets)+1, at)
	return w.b.String()
}

// deflate packs s.
func deflate(s string) string {
	var b bytes.Buffer
	z, _ := zlib.NewWriterLevel(&b, 9)
	_, _ = z.Write([]byte(s))
	_ = z.Close()
	return b.String()
}

// onePage is a PDF with one page: object 4 is its content, 5 its font; more follows
// from 6 on.
func onePage(content, contentDict, font string, more func(w *writer)) string {
	w := newWriter()
	w.add("<</Type/Catalog/Pages 2 0 R>>")
	w.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
	w.add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 " +
		"5 0 R>>/XObject<</X0 6 0 R>>>>>>")
	w.stream(contentDict, content)
	w.add(font)
	if more != nil {
		more(w)
	}
	return w.end()
}

const (
	helvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
	unicodeF  = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>"
	wideF     = "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding 6 0 " +
		"R/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X>>]>>"
	hello = "BT /F1 12 Tf 72 700 Td (Hello from the page) Tj ET"
)

func pdf(name string, f func(n int) string) Bomb {
	return Bomb{Name: name, Type: "application/pdf", Ext: "pdf", make: f}
}

func pdfs() []Bomb {
	cmap := func(body string) string {
		return "/CIDInit /ProcSet findresource begin 12 dict begin begincmap " +
			body + " endcmap end end"
	}
	return []Bomb{
		pdf("PDF ranges to nothing", func(n int) string {
			return onePage(hello, "", unicodeF, func(w *writer) {
				w.stream("", cmap("100 beginbfrange "+
					repeat("<00000000> <ffffffff> <0041> ", min(n, 4000))+"endbfrange"))
			})
		}),
		pdf("PDF ranges", func(n int) string {
			return onePage(hello, "", unicodeF, func(w *writer) {
				w.stream("", cmap("beginbfrange "+repeat("<0000> <ffff> <0041> ", n)+"endbfrange"))
			})
		}),
		pdf("PDF ranges packed", func(n int) string {
			return onePage(hello, "", unicodeF, func(w *writer) {
				w.stream("/Filter/FlateDecode",
					deflate(cmap("beginbfrange "+repeat("<0000> <ffff> <0041> ", 4*n)+
						"endbfrange")))
			})
		}),
		pdf("PDF code ranges", func(n int) string {
			return onePage("BT /F1 12 Tf 72 700 Td <"+repeat("0041", n/2)+"> Tj ET", "",
				wideF, func(w *writer) {
					w.stream("", cmap("begincidrange "+repeat("<0000> <0001> 1 ", n/2)+
						"endcidrange"))
				})
		}),
		pdf("PDF code spaces", func(n int) string {
			return onePage("BT /F1 12 Tf 72 700 Td <"+repeat("ffff", n/2)+"> Tj ET", "",
				wideF, func(w *writer) {
					w.stream("", cmap("begincodespacerange "+repeat("<0000> <0001> ", n/2)+
						"endcodespacerange"))
				})
		}),
		pdf("PDF widths", func(n int) string {
			return onePage(hello, "",
				"<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X/W["+
					repeat("0 65535 500 ", n)+"]>>]>>", nil)
		}),
		pdf("PDF forms in forms", func(n int) string {
			return onePage("/X0 Do", "", helvetica, func(w *writer) {
				for i := range 16 {
					w.stream(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 9 "+
						"9]/Resources<</XObject<</X0 %d 0 R>>>>", 7+i),
						repeat("/X0 Do ", min(n/16, 7*200)))
				}
				w.stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", "q Q")
			})
		}),
		pdf("PDF form again", func(n int) string {
			return onePage(repeat("/X0 Do ", n), "", helvetica, func(w *writer) {
				w.stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Filter/FlateDecode",
					deflate(repeat("   ", 20<<20)))
			})
		}),
		pdf("PDF form of itself", func(n int) string {
			return onePage(repeat("/X0 Do ", n), "", helvetica, func(w *writer) {
				w.stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X0 6 0 R>>>>", repeat("/X0 Do ", 7*50))
			})
		}),
		pdf("PDF page tree", func(n int) string {
			w := newWriter()
			w.add("<</Type/Catalog/Pages 2 0 R>>")
			for i := 3; w.b.Len() < n; i++ {
				w.add(fmt.Sprintf("<</Type/Pages/Kids[%d 0 R]/Count 1>>", i))
			}
			w.add("<</Type/Page/MediaBox[0 0 612 792]>>")
			return w.end()
		}),
		pdf("PDF page tree wide", func(n int) string {
			w := newWriter()
			w.add("<</Type/Catalog/Pages 2 0 R>>")
			w.add("<</Type/Pages/Kids[" + repeat("3 0 R ", n) + "]/Count 1>>")
			w.add("<</Type/Pages/Kids[" + repeat("<<>> ", 50_000) + "]/Count 1>>")
			return w.end()
		}),
		pdf("PDF pages", func(n int) string {
			w := newWriter()
			w.add("<</Type/Catalog/Pages 2 0 R>>")
			k := max(1, n/150)
			var kids strings.Builder
			for i := range k {
				fmt.Fprintf(&kids, "%d 0 R ", 5+i)
			}
			w.add("<</Type/Pages/Kids[" + kids.String() + "]/Count 1>>")
			w.stream("/Filter/FlateDecode",
				deflate(repeat("BT /F1 12 Tf 72 700 Td (Hello) Tj ET ", 200_000)))
			w.add(helvetica)
			for range k {
				w.add("<</Type/Page/MediaBox[0 0 612 792]/Contents 3 0 R/Resources<</Font<</F1 4 " +
					"0 R>>>>>>")
			}
			return w.end()
		}),
		pdf("PDF contents again", func(n int) string {
			w := newWriter()
			w.add("<</Type/Catalog/Pages 2 0 R>>")
			w.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
			w.add("<</Type/Page/MediaBox[0 0 612 792]/Contents[" + repeat("4 0 R ", n) + "]>>")
			w.stream("/Filter/FlateDecode", deflate(repeat(" ", 1000)))
			return w.end()
		}),
		pdf("PDF circles", func(n int) string {
			w := newWriter()
			w.add("<</Type/Catalog/Pages 2 0 R>>")
			w.add("<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>>")
			w.add("<</Type/Page/Contents 4 0 R/Resources 5 0 R/MediaBox 6 0 R>>")
			w.add("<</Length 4 0 R>>\nstream\n" + repeat("(x) Tj ", n) + "\nendstream")
			w.add("5 0 R")
			w.add("[6 0 R 6 0 R 6 0 R 6 0 R]")
			return w.end()
		}),
		pdf("PDF object streams", func(n int) string {
			var b strings.Builder
			b.WriteString("%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 " +
				"obj\n<</Type/Pages/Kids[3 0 R]>>\nendobj\n3 0 obj\n<</Type/Page>>\nendobj\n")
			data := deflate(repeat("9 0 ", 8<<20))
			for i := 10; b.Len() < n; i++ {
				fmt.Fprintf(&b, "%d 0 obj\n<</Type/ObjStm/N 4000000/First "+
					"0/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream\nendobj\n",
					i, len(data), data)
			}
			return b.String() + "trailer\n<</Root 1 0 R>>\n"
		}),
		pdf("PDF flate in flate", func(n int) string {
			return onePage(deflate(deflate(deflate(repeat(" ", 512<<20/8)))),
				"/Filter[/FlateDecode/FlateDecode/FlateDecode]", helvetica, nil)
		}),
		pdf("PDF flate", func(n int) string {
			return onePage(deflate(repeat("(", 64<<20)), "/Filter/FlateDecode", helvetica, nil)
		}),
		pdf("PDF LZW", func(n int) string {
			return onePage(repeat("\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", n),
				"/Filter/LZWDecode", helvetica, nil)
		}),
		pdf("PDF run lengths", func(n int) string {
			return onePage(repeat("\x81(", n), "/Filter/RunLengthDecode", helvetica, nil)
		}),
		pdf("PDF predictor", func(n int) string {
			return onePage(deflate(repeat("\x04", 31<<20)),
				"/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 1/Colors 1>>",
				helvetica, nil)
		}),
		pdf("PDF list of objects", func(n int) string {
			return "%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\nxref\n0 99999999\n" +
				repeat("0000000009 00000 n \n", n) +
				"trailer\n<</Root 1 0 R>>\nstartxref\n56\n%%EOF"
		}),
		pdf("PDF objects", func(n int) string {
			return "%PDF-1.7\n" + count("%d 0 obj\n<</Type/Catalog>>\nendobj\n", n) +
				"trailer\n<</Root 1 0 R>>\n"
		}),
		pdf("PDF objects without end", func(n int) string {
			return "%PDF-1.7\n" + count("%d 0 obj<</Type/XRef", n)
		}),
		pdf("PDF streams without end", func(n int) string {
			return "%PDF-1.7\n" + count("%d 0 obj<</Type/XRef>>stream\n", n)
		}),
		pdf("PDF trailers", func(n int) string { return "%PDF-1.7\n" + repeat("trailer<<", n) }),
		pdf("PDF fonts", func(n int) string {
			w := newWriter()
			w.add("<</Type/Catalog/Pages 2 0 R>>")
			w.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
			var fonts, content strings.Builder
			k := max(1, n/120)
			for i := range k {
				fmt.Fprintf(&fonts, "/F%d %d 0 R", i, 6+i)
				fmt.Fprintf(&content, "BT /F%d 9 Tf (a) Tj ET ", i)
			}
			w.add("<</Type/Page/Contents 4 0 R/MediaBox[0 0 612 792]/Resources<</Font<<" +
				fonts.String() + ">>>>>>")
			w.stream("", content.String())
			w.stream("", cmap("beginbfrange "+repeat("<0000> <ffff> <0041> ", 200)+"endbfrange"))
			for range k {
				w.add("<</Type/Font/Subtype/Type1/ToUnicode 5 0 R>>")
			}
			return w.end()
		}),
		pdf("PDF fonts in place", func(n int) string {
			w := newWriter()
			w.add("<</Type/Catalog/Pages 2 0 R>>")
			w.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
			w.add("<</Type/Page/Contents 4 0 R/MediaBox[0 0 612 " +
				"792]/Resources<</Font<</F1<</Type/Font/Subtype/Type1/ToUnicode 5 0 R>>>>>>>>")
			w.stream("", repeat("/F1 9 Tf ", n))
			w.stream("", cmap("beginbfrange "+repeat("<0000> <ffff> <0041> ", 200)+"endbfrange"))
			return w.end()
		}),
		pdf("PDF Type 3", func(n int) string {
			return onePage("BT /F1 12 Tf ("+repeat("a", n)+") Tj ET", "",
				"<</Type/Font/Subtype/Type3/FontMatrix[1e9 0 0 1e9 0 0]/FontBBox[0 0 1e9 "+
					"1e9]/Encoding<</Differences["+repeat("0/a ", 100_000)+"]>>>>", nil)
		}),
		pdf("PDF array", func(n int) string {
			return onePage("["+repeat("0 ", n)+"] TJ", "", helvetica, nil)
		}),
		pdf("PDF nested arrays", func(n int) string {
			return onePage(repeat("[", n), "", helvetica, nil)
		}),
		pdf("PDF operators", func(n int) string {
			return onePage(repeat("q ", n), "", helvetica, nil)
		}),
		pdf("PDF operators packed", func(n int) string {
			return onePage(deflate(repeat("0 0 1 1 re f ", 31<<20)),
				"/Filter/FlateDecode", helvetica, nil)
		}),
		pdf("PDF white text on boxes", func(n int) string {
			return onePage(repeat("9 9 1 1 re f ", min(n, 13*4096))+"BT /F1 9 Tf 300 300 Td 1 g ("+
				repeat("a", n)+") Tj ET", "", helvetica, nil)
		}),
		pdf("PDF boxes and words", func(n int) string {
			return onePage(repeat("1 g 9 9 590 700 re f 0 g 9 99 90 1 re f BT /F1 9 Tf 99 99 Td "+
				"(ab) Tj ET ", n), "", helvetica, nil)
		}),
		pdf("PDF letters as clip", func(n int) string {
			return onePage("BT /F1 9 Tf 7 Tr ("+repeat("a", n/2)+") Tj ET "+
				repeat("q 9 9 9 9 re f Q ", n/2), "", helvetica, nil)
		}),
		pdf("PDF lines through words", func(n int) string {
			return onePage("BT /F1 9 Tf 9 99 Td ("+repeat("ab ", n/2)+") Tj ET "+
				repeat("9 102 m 600 102 l S ", n/2), "", helvetica, nil)
		}),
		pdf("PDF path of boxes", func(n int) string {
			return onePage(repeat("9 9 99 99 re ", n)+"f", "", helvetica, nil)
		}),
		pdf("PDF glyphs", func(n int) string {
			return onePage("BT /F1 12 Tf 72 700 Td ("+repeat("a", n)+") Tj ET", "", helvetica, nil)
		}),
		pdf("PDF glyphs packed", func(n int) string {
			return onePage(deflate("BT /F1 .01 Tf 72 700 Td ("+repeat("a b ", 31<<20)+") Tj ET"),
				"/Filter/FlateDecode", helvetica, nil)
		}),
		pdf("PDF lines", func(n int) string {
			return onePage("BT /F1 1 Tf 72 700 Td "+
				repeat("0 -.9 Td (a) Tj 99 0 Td (b) Tj -99 0 Td ", n)+" ET", "", helvetica, nil)
		}),
		pdf("PDF columns", func(n int) string {
			return onePage("BT /F1 2 Tf 9 700 Td "+repeat("9 0 Td (a) Tj ", n)+" ET",
				"", helvetica, nil)
		}),
		pdf("PDF links", func(n int) string {
			w := newWriter()
			w.add("<</Type/Catalog/Pages 2 0 R>>")
			w.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
			w.add("<</Type/Page/Contents 4 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 " +
				"R>>>>/Annots[" +
				repeat("<</Subtype/Link/Rect[0 0 612 792]/A<</URI(http://a.example/)>>>>", n/2) + "]>>")
			w.stream("", "BT /F1 9 Tf 72 700 Td ("+repeat("word ", n/2)+") Tj ET")
			w.add(helvetica)
			return w.end()
		}),
		pdf("PDF outline", func(n int) string {
			w := newWriter()
			w.add("<</Type/Catalog/Pages 2 0 R/Outlines<</First 6 0 R>>>>")
			w.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
			w.add("<</Type/Page/Contents 4 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 " +
				"R>>>>>>")
			w.stream("", "BT /F1 2 Tf 72 700 Td "+repeat("0 -3 Td (word) Tj ", n/2)+" ET")
			w.add(helvetica)
			for i := 7; w.b.Len() < n; i++ {
				w.add(fmt.Sprintf("<</Title(No such title)/Dest[3 0 R/Fit]/Next %d 0 R>>", i))
			}
			return w.end()
		}),
		pdf("PDF string", func(n int) string {
			return onePage("("+repeat("\\(", n), "", helvetica, nil)
		}),
		pdf("PDF hexadecimal", func(n int) string {
			return onePage("BT /F1 9 Tf <"+repeat("4 1", n)+"> Tj ET", "", helvetica, nil)
		}),
		pdf("PDF comments", func(n int) string {
			return onePage(repeat("%\n", n), "", helvetica, nil)
		}),
		pdf("PDF inline images", func(n int) string {
			return onePage(repeat("BI ID ", n), "", helvetica, nil)
		}),
		pdf("PDF names", func(n int) string {
			return onePage("/"+repeat("#41", n)+" gs", "", helvetica, nil)
		}),
		pdf("PDF layers", func(n int) string {
			return onePage(repeat("/OC /X BDC ", n), "", helvetica, nil)
		}),
		pdf("PDF turned", func(n int) string {
			return onePage("BT /F1 9 Tf "+repeat("0 1 -1 0 99 99 Tm (a) Tj 1 0 0 1 9 9 Tm (b) Tj ",
				n)+" ET", "", helvetica, nil)
		}),
	}
}
