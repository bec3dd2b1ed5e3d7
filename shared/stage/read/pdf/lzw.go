package pdf

const (
	lzwClear = 256 // the code that empties the table
	lzwEnd   = 257
	lzwFirst = 258 // the first code that the data makes itself
	lzwCodes = 4096
)

// lzw is the table of codes of an LZW stream, and what was read so far.
type lzw struct {
	table [lzwCodes]lzwCode
	next  int  // the code that is made next
	width uint // bits of a code
	early int  // how many codes before the table needs it the width grows
	prev  int  // the code before, -1 for none
	out   []byte
}

// lzwCode is a string: that of another code, and a byte.
type lzwCode struct {
	prev int16
	last byte
	size int32
}

// unlzw undoes LZW as PDF has it: codes of 9 to 12 bits, the high bit first.
func unlzw(data []byte, early, limit int) []byte {
	z := &lzw{early: early}
	for i := range lzwClear {
		z.table[i] = lzwCode{-1, byte(i), 1}
	}
	z.clear()
	var acc uint32
	var bits uint
	for _, b := range data {
		acc = acc<<8 | uint32(b)
		bits += 8
		for bits >= z.width {
			code := int(acc >> (bits - z.width) & (1<<z.width - 1))
			bits -= z.width
			if code == lzwClear {
				z.clear()
				continue
			}
			if code == lzwEnd || len(z.out) > limit || !z.take(code) {
				return z.out
			}
		}
	}
	return z.out
}

func (z *lzw) clear() { z.next, z.width, z.prev = lzwFirst, 9, -1 }

// take writes the string of a code and makes the next one. It reports false for a code
// that cannot be.
func (z *lzw) take(code int) bool {
	switch {
	case z.prev < 0 && code < lzwClear:
		z.write(code)
	case z.prev >= 0 && code < z.next:
		first := z.write(code)
		if z.next < lzwCodes {
			z.add(first)
		}
	case z.prev >= 0 && code == z.next && z.next < lzwCodes:
		// The code that is made here: the one before it, and its own first byte.
		z.add(z.first(z.prev))
		z.write(code)
	default:
		return false
	}
	z.prev = code
	for z.width < 12 && z.next+z.early >= 1<<z.width {
		z.width++
	}
	return true
}

// add makes a code: the string before, and a byte.
func (z *lzw) add(last byte) {
	z.table[z.next] = lzwCode{int16(z.prev), last, z.table[z.prev].size + 1}
	z.next++
}

// first is the first byte of a code's string.
func (z *lzw) first(code int) byte {
	for z.table[code].prev >= 0 {
		code = int(z.table[code].prev)
	}
	return z.table[code].last
}

// write appends the string of a code and returns its first byte.
func (z *lzw) write(code int) (first byte) {
	n := int(z.table[code].size)
	at := len(z.out) + n
	z.out = append(z.out, make([]byte, n)...)
	for c := code; c >= 0; c = int(z.table[c].prev) {
		at--
		first = z.table[c].last
		z.out[at] = first
	}
	return first
}
