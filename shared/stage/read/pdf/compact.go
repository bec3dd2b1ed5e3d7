package pdf

// compact reads the encoding of a font in Compact Font Format: which glyph a code
// means, and the glyph's name. It reports whether it found any.
func (ft *font) compact(src []byte) (found bool) {
	c, ok := readCFF(src)
	if !ok {
		return false
	}
	c.encoded(func(code int, n string) {
		if t := glyphText(n, code, false); t != "" {
			ft.glyphs[code], found = t, true
		}
	})
	return found
}

// cff is a font in Compact Font Format. It reads numbers at places; outside the font they
// are 0.
type cff struct {
	src      []byte
	names    [][]byte // that the font adds to those of the format
	glyphs   []int    // the name of each glyph, as a number
	encoding int      // where the encoding stands
}

// Operators of the font's dictionary whose operand is a place in the font.
const (
	opCharset     = 15
	opEncoding    = 16
	opCharStrings = 17
)

// readCFF finds the tables of a font. It reports false for a font that has the charset or
// the encoding of the format itself, which is as if it named none.
func readCFF(src []byte) (*cff, bool) {
	c := &cff{src: src}
	at := c.int(2, 1)
	at = c.index(at, nil) // names of fonts
	var top [][]byte
	at = c.index(at, &top)
	c.index(at, &c.names)
	if len(top) == 0 {
		return nil, false
	}
	places := topDict(top[0])
	c.encoding = places[opEncoding]
	charset, charStrings := places[opCharset], places[opCharStrings]
	glyphs := c.int(charStrings, 2)
	if charset <= 2 || c.encoding <= 1 || charStrings == 0 || glyphs == 0 {
		return nil, false
	}
	c.glyphs = c.charset(charset, glyphs)
	return c, true
}

// name returns the name with a number.
func (c *cff) name(sid int) string {
	std := compactNames()
	switch own := sid - len(std); {
	case own < 0:
		return std[sid]
	case own < len(c.names):
		return string(c.names[own])
	}
	return ""
}

// encoded calls do for each code of the encoding with the name of its glyph.
func (c *cff) encoded(do func(code int, name string)) {
	format, n := c.int(c.encoding, 1), c.int(c.encoding+1, 1)
	at := c.encoding + 2
	glyph := 1
	put := func(code int) {
		if code < 256 && glyph < len(c.glyphs) {
			do(code, c.name(c.glyphs[glyph]))
		}
		glyph++
	}
	switch format & 0x7f {
	case 0: // a code for each glyph
		for i := range n {
			put(c.int(at+i, 1))
		}
		at += n
	case 1: // runs of codes
		for i := range n {
			first, left := c.int(at+2*i, 1), c.int(at+2*i+1, 1)
			for k := 0; k <= left; k++ {
				put(first + k)
			}
		}
		at += 2 * n
	}
	if format&0x80 != 0 { // further codes, with numbers of names
		for i := range c.int(at, 1) {
			do(c.int(at+1+3*i, 1), c.name(c.int(at+2+3*i, 2)))
		}
	}
}

func (c *cff) int(at, size int) int {
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
func (c *cff) index(at int, out *[][]byte) int {
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
func (c *cff) charset(at, glyphs int) []int {
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
	last := 0
	for i := 0; i < len(src); {
		b := int(src[i])
		i++
		if b == 12 { // an operator of two bytes
			i++
		} else if b <= 21 {
			out[b] = last
		} else {
			v, size, ok := operand(b, src[i:])
			if ok {
				last = v
			}
			i += size
		}
	}
	return out
}

// operand reads a number that begins with the byte b, and how many bytes it takes of the
// rest. It reports false for fractions and for bytes that begin no number.
func operand(b int, rest []byte) (v, size int, ok bool) {
	at := func(k int) int {
		if k < len(rest) {
			return int(rest[k])
		}
		return 0
	}
	switch {
	case b == 28:
		return int(int16(at(0)<<8 | at(1))), 2, true
	case b == 29:
		return int(int32(at(0)<<24 | at(1)<<16 | at(2)<<8 | at(3))), 4, true
	case b == 30: // a fraction: half bytes, up to one of 15
		for size < len(rest) && rest[size]&0xf != 0xf && rest[size]>>4 != 0xf {
			size++
		}
		return 0, size + 1, false
	case b >= 32 && b <= 246:
		return b - 139, 0, true
	case b >= 247 && b <= 250:
		return (b-247)*256 + at(0) + 108, 1, true
	case b >= 251 && b <= 254:
		return -(b-251)*256 - at(0) - 108, 1, true
	}
	return 0, 0, false
}
