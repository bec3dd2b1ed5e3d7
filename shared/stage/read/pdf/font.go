package pdf

import (
	"strings"

	"golang.org/x/text/encoding"
)

// font says which characters the codes of a string show and how wide they are.
type font struct {
	wide     bool              // codes of more than one byte
	unicode  map[uint32]string // by the font's ToUnicode table
	glyphs   [256]string       // of a font of one-byte codes: what its encoding says
	charset  encoding.Encoding // of a wide font whose codes are those of a charset
	utf16    bool              // wide, and codes are UTF-16
	spaces   []codeSpace       // how long codes are; two bytes if there are none
	cids     []cidRange
	cidOf    map[uint32]uint32  // what was looked up in cids
	widths   map[uint32]float64 // by code, of wide fonts by CID; in thousandths
	width    float64            // of codes that are not in widths
	standard *[95]int16         // widths of a font that is not in the file; nil if it is
	scale    float64            // of widths: 1/1000, of Type 3 fonts their matrix
	// height of the font in parts of the size: 1 except for Type 3 fonts
	em       float64
	mono     bool
	bold     bool
	vertical bool
}

type codeSpace struct {
	size   int
	lo, hi uint32
}

type cidRange struct{ lo, hi, cid uint32 }

// maxCodes bounds the tables of one font.
const maxCodes = 1 << 17

// font reads the dictionary of a font, each one once.
func (f *File) font(v any) *font {
	id, isRef := v.(ref)
	if isRef {
		if ft, ok := f.fonts[id]; ok {
			return ft
		}
	}
	if !f.step(256) {
		return &font{scale: 0.001, em: 1}
	}
	ft := f.readFont(f.dict(v))
	if isRef {
		f.fonts[id] = ft
	}
	return ft
}

func (f *File) readFont(d dict) *font {
	ft := &font{scale: 0.001, em: 1, widths: map[uint32]float64{}}
	base, _ := f.value(d["BaseFont"]).(name)
	kind, _ := f.value(d["Subtype"]).(name)
	desc := f.dict(d["FontDescriptor"])
	if st, ok := f.value(d["ToUnicode"]).(*stream); ok {
		f.toUnicode(ft, f.decode(st))
	}
	if kind == "Type0" {
		if kids := f.list(d["DescendantFonts"]); len(kids) > 0 {
			k := f.dict(kids[0])
			desc = f.dict(k["FontDescriptor"])
			f.cidWidths(ft, k)
			f.wideEncoding(ft, d["Encoding"])
			f.glyphOrder(ft, k, desc)
		}
	} else {
		f.simpleWidths(ft, d, desc, string(base), kind)
		f.simpleEncoding(ft, d, desc, string(base), kind)
	}
	low := strings.ToLower(string(base))
	flags := f.int(desc["Flags"], 0)
	ft.mono = flags&1 != 0 || strings.Contains(low, "mono") || strings.Contains(low, "courier") ||
		strings.Contains(low, "cmtt") || strings.Contains(low, "consol") ||
		strings.Contains(low, "typewriter")
	ft.bold = flags&(1<<18) != 0 || strings.Contains(low, "bold") ||
		strings.Contains(low, "black") || strings.Contains(low, "heavy") ||
		strings.Contains(low, "cmbx") || strings.Contains(low, "-demi") ||
		strings.Contains(low, "-medi")
	return ft
}

func (f *File) simpleWidths(ft *font, d, desc dict, base string, kind name) {
	first := f.int(d["FirstChar"], 0)
	ft.width = f.number(desc["MissingWidth"], 0)
	list := f.list(d["Widths"])
	for i, v := range list {
		if code := first + i; code >= 0 && code < 256 {
			ft.widths[uint32(code)] = f.number(v, 0)
		}
	}
	if kind == "Type3" {
		if m := f.list(d["FontMatrix"]); len(m) >= 1 {
			ft.scale = f.number(m[0], 0.001)
			if ft.scale < 0 {
				ft.scale = -ft.scale
			}
			if b := f.box(d["FontBBox"]); b != nil && ft.scale > 0 {
				ft.em = (b.y1 - b.y0) * ft.scale
			}
		}
	}
	if len(list) > 0 {
		return
	}
	switch {
	case strings.Contains(base, "Courier"):
		ft.width = 600
	case strings.Contains(base, "Times"):
		ft.standard, ft.width = &timesWidths, 500
	default:
		ft.standard, ft.width = &helveticaWidths, 556
	}
}

func (f *File) cidWidths(ft *font, d dict) {
	ft.width = f.number(d["DW"], 1000)
	w := f.list(d["W"])
	for i := 0; i < len(w) && len(ft.widths) < maxCodes; {
		first := f.int(w[i], -1)
		if first < 0 || i+1 >= len(w) {
			return
		}
		if list, ok := f.value(w[i+1]).(array); ok {
			for k, v := range list {
				if !f.step(1) {
					return
				}
				ft.widths[uint32(first+k)] = f.number(v, 0)
			}
			i += 2
			continue
		}
		if i+2 >= len(w) {
			return
		}
		last, v := f.int(w[i+1], -1), f.number(w[i+2], 0)
		for c := first; c <= last && c < 1<<16 && f.step(1); c++ {
			ft.widths[uint32(c)] = v
		}
		i += 3
	}
}

// shown is one glyph of a string.
type shown struct {
	text  string
	width float64 // in parts of the size
	space bool    // the one-byte code 32, which word spacing widens
}

// each calls yield for the glyphs of a string.
func (ft *font) each(s str, yield func(shown)) {
	if ft.wide {
		ft.eachWide(s, yield)
		return
	}
	for i := range len(s) {
		c := s[i]
		t, ok := ft.unicode[uint32(c)]
		if !ok || t == "" {
			t = ft.glyphs[c]
		}
		yield(shown{t, ft.byteWidth(c) * ft.scale, c == 32})
	}
}

// byteWidth is the width of a one-byte code.
func (ft *font) byteWidth(c byte) float64 {
	if w, ok := ft.widths[uint32(c)]; ok {
		return w
	}
	if ft.standard != nil && c >= 32 && c < 127 {
		return float64(ft.standard[c-32])
	}
	return ft.width
}

// eachWide calls yield for the glyphs of a string whose codes have several bytes.
func (ft *font) eachWide(s str, yield func(shown)) {
	for len(s) > 0 {
		n := ft.codeSize(s)
		if ft.utf16 && n == 2 && len(s) >= 4 && s[0] >= 0xd8 && s[0] < 0xdc {
			n = 4 // a pair of surrogates is one character
		}
		raw := s[:n]
		s = s[n:]
		code := codeOf(raw)
		yield(shown{ft.wideText(raw, code), ft.wideWidth(raw, code) * ft.scale,
			n == 1 && raw[0] == 32})
	}
}

// wideText returns the characters that a wide code shows, or "" if nothing says which.
func (ft *font) wideText(raw str, code uint32) string {
	if t, ok := ft.unicode[code]; ok {
		return t
	}
	if ft.utf16 {
		return utf16Text(raw)
	}
	if ft.charset != nil {
		if b, err := ft.charset.NewDecoder().Bytes([]byte(raw)); err == nil {
			return string(b)
		}
	}
	return ""
}

// wideWidth is the width of a wide code. Those of a charset are not the numbers that widths
// are listed by: each is as wide as the font, or half as wide if it has one byte.
func (ft *font) wideWidth(raw str, code uint32) float64 {
	w, ok := ft.widths[ft.cid(code)]
	switch {
	case !ok && len(raw) == 1 && ft.charset != nil:
		return ft.width / 2
	case !ok || ft.utf16 || ft.charset != nil:
		return ft.width
	}
	return w
}

// cid is the number of a code's glyph.
func (ft *font) cid(code uint32) uint32 {
	if cid, ok := ft.cidOf[code]; ok {
		return cid
	}
	cid := code
	for _, r := range ft.cids {
		if code >= r.lo && code <= r.hi {
			cid = r.cid + code - r.lo
			break
		}
	}
	if ft.cidOf == nil {
		ft.cidOf = map[uint32]uint32{}
	}
	ft.cidOf[code] = cid
	return cid
}

func (ft *font) codeSize(s str) int {
	for size := 1; size <= 4 && size <= len(s); size++ {
		c := codeOf(s[:size])
		for _, sp := range ft.spaces {
			if sp.size == size && c >= sp.lo && c <= sp.hi {
				return size
			}
		}
	}
	if len(ft.spaces) > 0 {
		return min(len(s), ft.spaces[0].size)
	}
	return min(2, len(s))
}
