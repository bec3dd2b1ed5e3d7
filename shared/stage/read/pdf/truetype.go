package pdf

import "unicode/utf8"

// glyphOrder reads what the glyphs of a TrueType font show from the font's own table, if the
// file does not say it otherwise and codes are numbers of glyphs.
func (f *File) glyphOrder(ft *font, d, desc dict) {
	if ft.unicode != nil || ft.utf16 || ft.charset != nil {
		return
	}
	st, ok := f.value(desc["FontFile2"]).(*stream)
	if !ok || f.value(d["CIDToGIDMap"]) != nil && f.value(d["CIDToGIDMap"]) != name("Identity") {
		return
	}
	ft.unicode = map[uint32]string{}
	t := &trueType{File: f, src: f.decode(st), glyphs: ft.unicode}
	if cmap := t.table("cmap"); cmap != 0 {
		t.readCmap(cmap)
	}
}

// trueType reads an embedded TrueType font. Numbers outside the font are 0.
type trueType struct {
	*File
	src    []byte
	glyphs map[uint32]string // the characters that each glyph shows
}

func (t *trueType) u16(at int) int {
	if at < 0 || at+2 > len(t.src) {
		return 0
	}
	return int(t.src[at])<<8 | int(t.src[at+1])
}

func (t *trueType) u32(at int) int { return t.u16(at)<<16 | t.u16(at+2) }

// table returns where a table of the font begins, or 0 if the font has none of this name.
func (t *trueType) table(tag string) (offset int) {
	for i := range min(t.u16(4), 64) {
		if at := 12 + 16*i; at+16 <= len(t.src) && string(t.src[at:at+4]) == tag {
			offset = t.u32(at + 8)
		}
	}
	return offset
}

// readCmap reads the tables of characters for Unicode and Windows.
func (t *trueType) readCmap(cmap int) {
	const unicode, windows = 0, 3
	for i := range min(t.u16(cmap+2), 32) {
		platform, at := t.u16(cmap+4+8*i), cmap+t.u32(cmap+8+8*i)
		if platform != unicode && platform != windows {
			continue
		}
		switch t.u16(at) {
		case 4:
			if full := t.segments(at); full {
				return
			}
		case 12:
			t.groups(at)
		}
	}
}

// segments reads a table of format 4, and reports whether the font has as many characters
// as are read.
func (t *trueType) segments(at int) (full bool) {
	n := t.u16(at+6) / 2
	for k := range n {
		hi, lo := t.u16(at+14+2*k), t.u16(at+16+2*n+2*k)
		delta, off := t.u16(at+16+4*n+2*k), t.u16(at+16+6*n+2*k)
		for c := lo; c <= hi && c < 0xffff && t.step(1); c++ {
			glyph := c
			if off != 0 {
				if glyph = t.u16(at + 16 + 6*n + 2*k + off + 2*(c-lo)); glyph == 0 {
					continue
				}
			}
			t.show((glyph+delta)&0xffff, c)
		}
		if len(t.glyphs) >= 1<<16 {
			return true
		}
	}
	return false
}

// groups reads a table of format 12.
func (t *trueType) groups(at int) {
	for k := range min(t.u32(at+12), 1<<14) {
		lo, hi, glyph := t.u32(at+16+12*k), t.u32(at+20+12*k), t.u32(at+24+12*k)
		for c := lo; c <= hi && c-lo < 1<<16 && t.step(1); c++ {
			t.show(glyph+c-lo, c)
		}
	}
}

// show notes a character of a glyph; the first one counts.
func (t *trueType) show(glyph, r int) {
	if glyph <= 0 || r < 32 || r > utf8.MaxRune || len(t.glyphs) >= maxCodes {
		return
	}
	if _, ok := t.glyphs[uint32(glyph)]; !ok {
		t.glyphs[uint32(glyph)] = letters(string(rune(r)))
	}
}
