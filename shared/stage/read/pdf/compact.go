package pdf

import (
	"strings"
	"sync"
)

var standardNames = sync.OnceValue(func() []string { return strings.Fields(cffStrings) })

// compact reads the encoding of a font in Compact Font Format: which glyph a code
// means, and the glyph's name. It reports whether it found any.
func (ft *font) compact(src []byte) bool {
	c := cff{src: src}
	at := c.int(2, 1)
	at = c.index(at, nil) // names
	var top, names [][]byte
	at = c.index(at, &top)
	c.index(at, &names)
	if len(top) == 0 {
		return false
	}
	charset, encoding, charstrings := 0, 0, 0
	for key, v := range topDict(top[0]) {
		switch key {
		case 15:
			charset = v
		case 16:
			encoding = v
		case 17:
			charstrings = v
		}
	}
	glyphs := c.int(charstrings, 2)
	if charset <= 2 || encoding <= 1 || charstrings == 0 || glyphs == 0 {
		return false // one of the standard's own, as if it named none
	}
	sids := c.charset(charset, glyphs)
	nameOf := func(sid int) string {
		if std := standardNames(); sid < len(std) {
			return std[sid]
		} else if sid-len(std) < len(names) {
			return string(names[sid-len(std)])
		}
		return ""
	}
	found := false
	put := func(code, gid int) {
		if code >= 0 && code < 256 && gid > 0 && gid < len(sids) {
			if t := glyphText(nameOf(sids[gid]), code, false); t != "" {
				ft.glyphs[code], found = t, true
			}
		}
	}
	format, n := c.int(encoding, 1), c.int(encoding+1, 1)
	at = encoding + 2
	switch format & 0x7f {
	case 0:
		for i := range n {
			put(c.int(at+i, 1), i+1)
		}
		at += n
	case 1:
		gid := 1
		for i := range n {
			first, left := c.int(at+2*i, 1), c.int(at+2*i+1, 1)
			for k := 0; k <= left; k++ {
				put(first+k, gid)
				gid++
			}
		}
		at += 2 * n
	}
	if format&0x80 != 0 {
		for i := range c.int(at, 1) {
			code, sid := c.int(at+1+3*i, 1), c.int(at+2+3*i, 2)
			if t := glyphText(nameOf(sid), code, false); t != "" {
				ft.glyphs[code], found = t, true
			}
		}
	}
	return found
}

// cff reads numbers at places; outside the font they are 0.
type cff struct{ src []byte }

func (c cff) int(at, size int) int {
	if at < 0 || size < 1 || size > 4 || at+size > len(c.src) {
		return 0
	}
	v := 0
	for _, b := range c.src[at : at+size] {
		v = v<<8 | int(b)
	}
	return v
}

// index reads a list of strings into out and returns where it ends.
func (c cff) index(at int, out *[][]byte) int {
	n, size := c.int(at, 2), c.int(at+2, 1)
	if n == 0 {
		return at + 2
	}
	base := at + 3 + (n+1)*size - 1
	end := base + 1
	for i := range n {
		a, b := base+c.int(at+3+i*size, size), base+c.int(at+3+(i+1)*size, size)
		if a < 0 || b < a || b > len(c.src) {
			break
		}
		if out != nil {
			*out = append(*out, c.src[a:b])
		}
		end = b
	}
	return end
}

// charset returns the name of each glyph as a number.
func (c cff) charset(at, glyphs int) []int {
	sids := make([]int, 1, glyphs)
	format := c.int(at, 1)
	at++
	for len(sids) < glyphs && at < len(c.src) {
		sid, left := c.int(at, 2), 0
		at += 2
		if format > 0 {
			left = c.int(at, format)
			at += format
		}
		for k := 0; k <= left && len(sids) < glyphs; k++ {
			sids = append(sids, sid+k)
		}
	}
	return sids
}

// topDict reads the operators of a dictionary that have one whole number.
func topDict(src []byte) map[int]int {
	out := map[int]int{}
	v := 0
	for i := 0; i < len(src); {
		b := int(src[i])
		i++
		at := func(k int) int {
			if i+k < len(src) {
				return int(src[i+k])
			}
			return 0
		}
		switch {
		case b == 12:
			i++
		case b <= 21:
			out[b] = v
		case b == 28:
			v = int(int16(at(0)<<8 | at(1)))
			i += 2
		case b == 29:
			v = int(int32(at(0)<<24 | at(1)<<16 | at(2)<<8 | at(3)))
			i += 4
		case b == 30:
			for i < len(src) && src[i]&0xf != 0xf && src[i]>>4 != 0xf {
				i++
			}
			i++
		case b >= 32 && b <= 246:
			v = b - 139
		case b >= 247 && b <= 250:
			v = (b-247)*256 + at(0) + 108
			i++
		case b >= 251 && b <= 254:
			v = -(b-251)*256 - at(0) - 108
			i++
		}
	}
	return out
}
