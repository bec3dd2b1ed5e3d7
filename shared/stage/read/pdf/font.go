package pdf

import (
	"bytes"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/unicode/norm"
)

// font says which characters the codes of a string show and how wide they are.
type font struct {
	wide     bool              // codes of more than one byte
	unicode  map[uint32]string // by the font's ToUnicode table
	glyphs   [256]string       // of a font of one-byte codes: what its encoding says
	charset  encoding.Encoding // of a wide font whose codes are those of a charset
	utf16    bool              // wide, and codes are UTF-16
	spaces   []codeSpace       // which codes are how long; two bytes without any
	cids     []cidRange
	cidOf    map[uint32]uint32  // what cids were found to say
	widths   map[uint32]float64 // by code, of wide fonts by CID; in thousandths
	width    float64            // of codes that widths does not have
	standard *[95]int16         // widths of a font that comes without
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

// font reads a font's dictionary, each once.
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

func (f *File) simpleEncoding(ft *font, d, desc dict, base string, kind name) {
	enc := f.value(d["Encoding"])
	var diff array
	baseName, _ := enc.(name)
	if e, ok := enc.(dict); ok {
		baseName, _ = f.value(e["BaseEncoding"]).(name)
		diff = f.list(e["Differences"])
	}
	symbolic := f.int(desc["Flags"], 0)&4 != 0
	switch {
	case baseName == "WinAnsiEncoding":
		ft.fill(charmap.Windows1252)
	case baseName == "MacRomanEncoding":
		ft.fill(charmap.Macintosh)
	case strings.Contains(base, "Symbol") && desc["FontFile2"] == nil:
		ft.named(symbolTable)
	case kind == "TrueType" || kind == "Type3":
		ft.fill(charmap.Windows1252)
	default:
		if !f.builtIn(ft, desc) {
			ft.named(standardTable)
			if symbolic && diff == nil && desc != nil &&
				(desc["FontFile"] != nil || desc["FontFile3"] != nil) {
				// its own encoding is not known: better nothing than other letters
				ft.glyphs = [256]string{}
			}
		}
	}
	code := 0
	for _, v := range diff {
		switch v := f.value(v).(type) {
		case float64:
			code = int(v)
		case name:
			if code >= 0 && code < 256 {
				ft.glyphs[code] = glyphText(string(v), code, kind == "Type3")
			}
			code++
		}
	}
}

func (ft *font) fill(m *charmap.Charmap) {
	for i := range ft.glyphs {
		if r := m.DecodeByte(byte(i)); r != utf8.RuneError && (i >= 32 || r >= 32) {
			ft.glyphs[i] = letters(string(r))
		}
	}
}

func (ft *font) named(table string) {
	for row := range strings.FieldsSeq(table) {
		code, n, _ := strings.Cut(row, ":")
		if c, err := strconv.ParseUint(code, 16, 8); err == nil {
			ft.glyphs[c] = glyphText(n, int(c), false)
		}
	}
}

// builtIn reads the encoding of an embedded Type 1 font, which stands in its readable
// part: dup 65 /A put.
func (f *File) builtIn(ft *font, desc dict) bool {
	if st, ok := f.value(desc["FontFile3"]).(*stream); ok && f.value(st.dict["Subtype"]) == name("Type1C") {
		return ft.compact(f.decode(st))
	}
	st, ok := f.value(desc["FontFile"]).(*stream)
	if !ok {
		return false
	}
	src := f.decode(st)
	if i := bytes.Index(src, []byte("eexec")); i >= 0 {
		src = src[:i]
	}
	i := bytes.Index(src, []byte("/Encoding"))
	if i < 0 {
		return false
	}
	s := &scanner{src: src, pos: i + len("/Encoding")}
	if v, _ := s.next(false); v == op("StandardEncoding") {
		return false
	}
	found := false
	for range 8192 {
		v, ok := s.next(false)
		if !ok || v == op("def") && found {
			break
		}
		if v != op("dup") {
			continue
		}
		a, _ := s.next(false)
		b, _ := s.next(false)
		code, ok := a.(float64)
		n, ok2 := b.(name)
		if ok && ok2 && code >= 0 && code < 256 {
			ft.glyphs[int(code)] = glyphText(string(n), int(code), false)
			found = true
		}
	}
	return found
}

var glyphNames = sync.OnceValue(func() map[string]string {
	m := make(map[string]string, 800)
	for row := range strings.FieldsSeq(glyphTable) {
		n, codes, _ := strings.Cut(row, ":")
		var out []rune
		for c := range strings.SplitSeq(codes, "+") {
			if v, err := strconv.ParseUint(c, 16, 32); err == nil {
				out = append(out, rune(v))
			}
		}
		m[n] = string(out)
	}
	return m
})

// glyphText returns the characters that a glyph of this name shows, "" where the name
// tells none. Fonts of dots, which Type 3 fonts often are, name their glyphs by
// their codes: a65.
func glyphText(n string, code int, dots bool) string {
	if s, ok := glyphNames()[n]; ok {
		return s
	}
	if i := strings.IndexByte(n, '.'); i > 0 {
		return glyphText(n[:i], code, dots)
	}
	hex := func(s string, least, most int) string {
		if len(s) < least || len(s) > most {
			return ""
		}
		v, err := strconv.ParseUint(s, 16, 32)
		if err != nil || v < 32 || v > utf8.MaxRune || v >= 0xd800 && v < 0xe000 {
			return ""
		}
		return letters(string(rune(v)))
	}
	if s, ok := strings.CutPrefix(n, "uni"); ok && len(s) >= 4 && len(s)%4 == 0 {
		out := ""
		for i := 0; i+4 <= len(s) && i < 32; i += 4 {
			out += hex(s[i:i+4], 4, 4)
		}
		if out != "" {
			return out
		}
	}
	if s, ok := strings.CutPrefix(n, "u"); ok {
		if out := hex(s, 4, 6); out != "" {
			return out
		}
	}
	if strings.Contains(n, "_") && !dots {
		out := ""
		for part := range strings.SplitSeq(n, "_") {
			s := glyphText(part, 0, false)
			if s == "" {
				return ""
			}
			out += s
		}
		return out
	}
	for _, form := range []string{"isolated", "initial", "medial", "final"} {
		if base, ok := strings.CutSuffix(strings.TrimSuffix(n, "arabic"), form); ok {
			return arabicNames()[base]
		}
	}
	if dots && len(n) > 1 {
		if v, err := strconv.Atoi(strings.TrimLeft(n, "aAcCgG")); err == nil && v == code {
			switch {
			case v >= 33 && v < 127:
				return string(rune(v))
			case v >= 11 && v <= 15: // where TeX's fonts have them
				return [...]string{"ff", "fi", "fl", "ffi", "ffl"}[v-11]
			}
		}
	}
	return ""
}

// arabicNames are the names of Arabic letters, which fonts give to each of their forms:
// behinitial.
var arabicNames = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for row := range strings.FieldsSeq("alef:ا beh:ب teh:ت theh:ث jeem:ج hah:ح khah:خ dal:د " +
		"thal:ذ reh:ر zain:ز seen:س sheen:ش sad:ص dad:ض tah:ط zah:ظ ain:ع ghain:غ feh:ف qaf:ق " +
		"kaf:ك lam:ل meem:م noon:ن heh:ه waw:و yeh:ي " +
		"tehmarbuta:ة alefmaksura:ى hamza:ء alefhamzaabove:أ alefhamzabelow:إ alefmadda:آ " +
		"alefmaddaabove:آ wawhamzaabove:ؤ wawhamza:ؤ yehhamzaabove:ئ yehhamza:ئ lamalef:لا " +
		"lamwithalef:لا lamwithalefhamzaabove:لأ lamwithalefhamzabelow:لإ " +
		"lamwithalefmaddaabove:لآ " +
		"peh:پ tcheh:چ jeh:ژ gaf:گ keheh:ک farsiyeh:ی veh:ڤ") {
		n, s, _ := strings.Cut(row, ":")
		m[n] = s
	}
	return m
})

// letters is s with ligatures and contextual forms as the letters they show: which
// glyph a program drew for them says nothing of the words.
func letters(s string) string {
	for _, r := range s {
		if r >= 0xfb00 && r <= 0xfb06 || r >= 0xfb1d && r <= 0xfdff || r >= 0xfe70 && r <= 0xfefc {
			return norm.NFKC.String(s)
		}
	}
	return s
}

// toUnicode reads a ToUnicode table.
func (f *File) toUnicode(ft *font, src []byte) {
	ft.unicode = map[uint32]string{}
	f.codeTable(src, func(o op, args []any) {
		switch o {
		case "endcodespacerange":
			ft.codeSpaces(args)
		case "endbfchar":
			for i := 0; i+1 < len(args); i += 2 {
				code, _ := args[i].(str)
				to, ok := args[i+1].(str)
				if ok && len(ft.unicode) < maxCodes {
					ft.unicode[codeOf(code)] = utf16Text(to)
				}
			}
		case "endbfrange":
			for i := 0; i+2 < len(args); i += 3 {
				a, _ := args[i].(str)
				b, _ := args[i+1].(str)
				lo, hi := codeOf(a), codeOf(b)
				switch to := args[i+2].(type) {
				case str:
					for c, k := lo, uint32(0); c <= hi && k < 1<<16 && len(ft.unicode) < maxCodes &&
						f.step(1); c, k = c+1, k+1 {
						ft.unicode[c] = utf16Text(advance(to, k))
					}
				case array:
					for k, v := range to {
						if t, ok := v.(str); ok && len(ft.unicode) < maxCodes && f.step(1) {
							ft.unicode[lo+uint32(k)] = utf16Text(t)
						}
					}
				}
			}
		}
	})
}

// codeTable calls do with each operator of a table of codes, and what stands before it.
func (f *File) codeTable(src []byte, do func(o op, args []any)) {
	s := &scanner{src: src}
	var args []any
	for {
		v, ok := s.next(false)
		if !ok || !f.step(1) {
			return
		}
		if o, isOp := v.(op); isOp {
			do(o, args)
			args = args[:0]
		} else if args = append(args, v); len(args) > maxCodes {
			return
		}
	}
}

func (ft *font) codeSpaces(args []any) {
	for i := 0; i+1 < len(args) && len(ft.spaces) < 64; i += 2 {
		lo, _ := args[i].(str)
		hi, _ := args[i+1].(str)
		if len(lo) > 0 && len(lo) <= 4 {
			ft.spaces = append(ft.spaces, codeSpace{len(lo), codeOf(lo), codeOf(hi)})
		}
	}
}

func codeOf(s str) uint32 {
	v := uint32(0)
	for i := 0; i < len(s) && i < 4; i++ {
		v = v<<8 | uint32(s[i])
	}
	return v
}

// advance adds k to the last UTF-16 unit.
func advance(s str, k uint32) str {
	if k == 0 || len(s) == 0 {
		return s
	}
	b := []byte(s)
	if len(b) == 1 {
		b[0] += byte(k)
		return str(b)
	}
	v := uint32(b[len(b)-2])<<8 | uint32(b[len(b)-1])
	v += k
	b[len(b)-2], b[len(b)-1] = byte(v>>8), byte(v)
	return str(b)
}

func utf16Text(s str) string {
	if len(s) == 1 {
		return letters(string(rune(s[0])))
	}
	units := make([]uint16, 0, len(s)/2)
	for i := 0; i+1 < len(s) && i < 64; i += 2 {
		units = append(units, uint16(s[i])<<8|uint16(s[i+1]))
	}
	out := string(utf16.Decode(units))
	return letters(strings.Trim(out, "\x00"))
}

// wideEncoding reads how a font of wide codes names its glyphs.
func (f *File) wideEncoding(ft *font, v any) {
	ft.wide = true
	if st, ok := f.value(v).(*stream); ok {
		ft.spaces = nil
		f.readCIDs(ft, f.decode(st))
		ft.vertical = f.int(st.dict["WMode"], 0) == 1
		return
	}
	n, _ := f.value(v).(name)
	s := string(n)
	ft.vertical = s == "V" || strings.HasSuffix(s, "-V")
	if strings.HasPrefix(s, "Identity") {
		ft.spaces = nil // two bytes, whatever ToUnicode says
		return
	}
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(s, p) {
				return true
			}
		}
		return false
	}
	lead := []codeSpace{{1, 0, 0x80}, {2, 0x8100, 0xfeff}, {1, 0xa0, 0xff}}
	switch {
	case has("UCS2", "UTF16"):
		ft.utf16, ft.spaces = true, nil
		return
	case has("GBK", "GB-", "GBpc"):
		ft.charset = simplifiedchinese.GB18030
	case has("B5"):
		ft.charset = traditionalchinese.Big5
	case has("RKSJ"):
		ft.charset = japanese.ShiftJIS
		lead = []codeSpace{{1, 0, 0x80}, {1, 0xa0, 0xdf}, {2, 0x8100, 0xfcff}}
	case has("KSC"):
		ft.charset = korean.EUCKR
	case strings.HasPrefix(s, "EUC-"):
		ft.charset = japanese.EUCJP
	default:
		return
	}
	ft.spaces = lead
}

// readCIDs reads an embedded table of codes.
func (f *File) readCIDs(ft *font, src []byte) {
	f.codeTable(src, func(o op, args []any) {
		switch o {
		case "endcodespacerange":
			ft.codeSpaces(args)
		case "endcidrange":
			for i := 0; i+2 < len(args) && len(ft.cids) < 1<<10; i += 3 {
				a, _ := args[i].(str)
				b, _ := args[i+1].(str)
				c, _ := args[i+2].(float64)
				ft.cids = append(ft.cids, cidRange{codeOf(a), codeOf(b), uint32(max(0, c))})
			}
		case "endcidchar":
			for i := 0; i+1 < len(args) && len(ft.cids) < 1<<10; i += 2 {
				a, _ := args[i].(str)
				c, _ := args[i+1].(float64)
				ft.cids = append(ft.cids, cidRange{codeOf(a), codeOf(a), uint32(max(0, c))})
			}
		}
	})
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

// glyphOrder finds what the glyphs of a TrueType font show from the font's own table,
// where the file does not say it otherwise and codes are numbers of glyphs.
func (f *File) glyphOrder(ft *font, d, desc dict) {
	if ft.unicode != nil || ft.utf16 || ft.charset != nil {
		return
	}
	st, ok := f.value(desc["FontFile2"]).(*stream)
	if !ok || f.value(d["CIDToGIDMap"]) != nil && f.value(d["CIDToGIDMap"]) != name("Identity") {
		return
	}
	ft.unicode = map[uint32]string{}
	src := f.decode(st)
	u16 := func(at int) int {
		if at < 0 || at+2 > len(src) {
			return 0
		}
		return int(src[at])<<8 | int(src[at+1])
	}
	u32 := func(at int) int { return u16(at)<<16 | u16(at+2) }
	cmap := 0
	for i := range min(u16(4), 64) {
		if at := 12 + 16*i; at+16 <= len(src) && string(src[at:at+4]) == "cmap" {
			cmap = u32(at + 8)
		}
	}
	if cmap == 0 {
		return
	}
	put := func(gid, r int) {
		if gid > 0 && r >= 32 && r <= utf8.MaxRune && len(ft.unicode) < maxCodes {
			if _, ok := ft.unicode[uint32(gid)]; !ok {
				ft.unicode[uint32(gid)] = letters(string(rune(r)))
			}
		}
	}
	for i := range min(u16(cmap+2), 32) {
		platform, at := u16(cmap+4+8*i), cmap+u32(cmap+8+8*i)
		if platform != 0 && platform != 3 {
			continue
		}
		switch u16(at) {
		case 4:
			n := u16(at+6) / 2
			for k := range n {
				hi, lo := u16(at+14+2*k), u16(at+16+2*n+2*k)
				delta, off := u16(at+16+4*n+2*k), u16(at+16+6*n+2*k)
				for c := lo; c <= hi && c < 0xffff && f.step(1); c++ {
					g := c
					if off != 0 {
						if g = u16(at + 16 + 6*n + 2*k + off + 2*(c-lo)); g == 0 {
							continue
						}
					}
					put((g+delta)&0xffff, c)
				}
				if len(ft.unicode) >= 1<<16 {
					return
				}
			}
		case 12:
			for k := range min(u32(at+12), 1<<14) {
				lo, hi, g := u32(at+16+12*k), u32(at+20+12*k), u32(at+24+12*k)
				for c := lo; c <= hi && c-lo < 1<<16 && f.step(1); c++ {
					put(g+c-lo, c)
				}
			}
		}
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
	if !ft.wide {
		for i := range len(s) {
			c := s[i]
			t, ok := ft.unicode[uint32(c)]
			if !ok || t == "" {
				t = ft.glyphs[c]
			}
			w, ok := ft.widths[uint32(c)]
			if !ok {
				w = ft.width
				if ft.standard != nil && c >= 32 && c < 127 {
					w = float64(ft.standard[c-32])
				}
			}
			yield(shown{t, w * ft.scale, c == 32})
		}
		return
	}
	for len(s) > 0 {
		n := ft.codeSize(s)
		raw := s[:n]
		s = s[n:]
		code := codeOf(raw)
		if ft.utf16 && n == 2 && code >= 0xd800 && code < 0xdc00 && len(s) >= 2 { // a pair
			raw += s[:2]
			s = s[2:]
			code = codeOf(raw)
		}
		t, known := ft.unicode[code]
		switch {
		case known:
		case ft.utf16:
			t = utf16Text(raw)
		case ft.charset != nil:
			if b, err := ft.charset.NewDecoder().Bytes([]byte(raw)); err == nil {
				t = string(b)
			}
		}
		cid, ok := ft.cidOf[code]
		if !ok {
			cid = code
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
		}
		w, ok := ft.widths[cid]
		if !ok || ft.utf16 || ft.charset != nil {
			w = ft.width
			if !ok && n == 1 && ft.charset != nil {
				w = ft.width / 2
			}
		}
		yield(shown{t, w * ft.scale, n == 1 && raw[0] == 32})
	}
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
