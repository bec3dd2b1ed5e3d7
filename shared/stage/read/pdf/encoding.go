package pdf

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// simpleEncoding reads what the one-byte codes of a font show: its base encoding, and the
// differences from it.
func (f *File) simpleEncoding(ft *font, d, desc dict, base string, kind name) {
	var differences array
	enc := f.value(d["Encoding"])
	encoding, _ := enc.(name)
	if e, ok := enc.(dict); ok {
		encoding, _ = f.value(e["BaseEncoding"]).(name)
		differences = f.list(e["Differences"])
	}
	switch {
	case encoding == "WinAnsiEncoding":
		ft.fill(charmap.Windows1252)
	case encoding == "MacRomanEncoding":
		ft.fill(charmap.Macintosh)
	case strings.Contains(base, "Symbol") && desc["FontFile2"] == nil:
		ft.glyphs = symbolEncoding()
	case kind == "TrueType" || kind == "Type3":
		ft.fill(charmap.Windows1252)
	default:
		f.ownEncoding(ft, desc, differences != nil)
	}
	f.differences(ft, differences, kind == "Type3")
}

// ownEncoding reads the encoding of an embedded font. Without one it is the standard's,
// except for symbols, if nothing else says what they are: no letters are better than wrong
// ones.
func (f *File) ownEncoding(ft *font, desc dict, differences bool) {
	if f.builtIn(ft, desc) {
		return
	}
	symbolic := f.int(desc["Flags"], 0)&4 != 0
	embedded := desc["FontFile"] != nil || desc["FontFile3"] != nil
	if symbolic && embedded && !differences {
		ft.glyphs = [256]string{}
		return
	}
	ft.glyphs = standardEncoding()
}

// differences reads codes and the names of the glyphs that follow them.
func (f *File) differences(ft *font, list array, dots bool) {
	code := 0
	for _, v := range list {
		switch v := f.value(v).(type) {
		case float64:
			code = int(v)
		case name:
			if code >= 0 && code < 256 {
				ft.glyphs[code] = glyphText(string(v), code, dots)
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

// builtIn reads the encoding of an embedded font and reports whether it has one.
func (f *File) builtIn(ft *font, desc dict) bool {
	if st, ok := f.value(desc["FontFile3"]).(*stream); ok &&
		f.value(st.dict["Subtype"]) == name("Type1C") {
		return ft.compact(f.decode(st))
	}
	if st, ok := f.value(desc["FontFile"]).(*stream); ok {
		return ft.type1(f.decode(st))
	}
	return false
}

// type1 reads the encoding of a Type 1 font, which stands in its readable part:
// dup 65 /A put. It reports whether it found any.
func (ft *font) type1(src []byte) (found bool) {
	src, _, _ = bytes.Cut(src, []byte("eexec"))
	_, src, ok := bytes.Cut(src, []byte("/Encoding"))
	if !ok {
		return false
	}
	s := &scanner{src: src}
	if v, _ := s.next(false); v == op("StandardEncoding") {
		return false
	}
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
		n, named := b.(name)
		if ok && named && code >= 0 && code < 256 {
			ft.glyphs[int(code)] = glyphText(string(n), int(code), false)
			found = true
		}
	}
	return found
}
