package pdf

import (
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// toUnicode reads a ToUnicode table: the characters that codes show.
func (f *File) toUnicode(ft *font, src []byte) {
	ft.unicode = map[uint32]string{}
	f.codeTable(src, func(o op, args []any) {
		switch o {
		case "endcodespacerange":
			ft.codeSpaces(args)
		case "endbfchar":
			for i := 0; i+1 < len(args); i += 2 {
				code, _ := args[i].(str)
				if to, ok := args[i+1].(str); ok && len(ft.unicode) < maxCodes {
					ft.unicode[codeOf(code)] = utf16Text(to)
				}
			}
		case "endbfrange":
			for i := 0; i+2 < len(args); i += 3 {
				first, _ := args[i].(str)
				last, _ := args[i+1].(str)
				f.unicodeRange(ft, codeOf(first), codeOf(last), args[i+2])
			}
		}
	})
}

// unicodeRange reads what a range of codes shows: characters in a row, or a list of them.
func (f *File) unicodeRange(ft *font, first, last uint32, to any) {
	switch to := to.(type) {
	case str:
		for k := uint32(0); first+k <= last && k < 1<<16 && len(ft.unicode) < maxCodes &&
			f.step(1); k++ {
			ft.unicode[first+k] = utf16Text(advance(to, k))
		}
	case array:
		for k, v := range to {
			if t, ok := v.(str); ok && len(ft.unicode) < maxCodes && f.step(1) {
				ft.unicode[first+uint32(k)] = utf16Text(t)
			}
		}
	}
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

// charsets are the encodings of wide fonts whose codes are those of a charset, by a part
// of the name. The first that fits counts.
var charsets = []struct {
	part    string
	begins  bool // the name begins with the part
	charset encoding.Encoding
	spaces  []codeSpace
}{
	{"GBK", false, simplifiedchinese.GB18030, leadBytes},
	{"GB-", false, simplifiedchinese.GB18030, leadBytes},
	{"GBpc", false, simplifiedchinese.GB18030, leadBytes},
	{"B5", false, traditionalchinese.Big5, leadBytes},
	{"RKSJ", false, japanese.ShiftJIS, shiftJIS},
	{"KSC", false, korean.EUCKR, leadBytes},
	{"EUC-", true, japanese.EUCJP, leadBytes},
}

// The codes of one and two bytes: of most charsets, and of Shift JIS.
var (
	leadBytes = []codeSpace{{1, 0, 0x80}, {2, 0x8100, 0xfeff}, {1, 0xa0, 0xff}}
	shiftJIS  = []codeSpace{{1, 0, 0x80}, {1, 0xa0, 0xdf}, {2, 0x8100, 0xfcff}}
)

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
	switch {
	case strings.HasPrefix(s, "Identity"):
		ft.spaces = nil // two bytes, whatever ToUnicode says
		return
	case strings.Contains(s, "UCS2") || strings.Contains(s, "UTF16"):
		ft.utf16, ft.spaces = true, nil
		return
	}
	for _, c := range charsets {
		if strings.HasPrefix(s, c.part) || !c.begins && strings.Contains(s, c.part) {
			ft.charset, ft.spaces = c.charset, c.spaces
			return
		}
	}
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
