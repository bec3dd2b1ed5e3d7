package text

import (
	"sort"
	"unicode/utf8"
)

// Range is a part of a string: byte offsets, End exclusive.
type Range struct{ Start, End int }

// Offsets translates between byte offsets and code point offsets of one string.
// An invalid byte counts as one code point, as in a range loop. It is read-only
// after NewOffsets.
type Offsets struct {
	s     string
	marks []int // marks[k] is the byte offset of code point k*step; nil for ASCII
	chars int
}

const step = 64 // code points between marks

// NewOffsets reads s once. It keeps one int for 64 code points, none for ASCII.
func NewOffsets(s string) *Offsets {
	o := &Offsets{s: s, chars: len(s)}
	if IsASCII(s) {
		return o
	}
	n := 0
	for i := range s {
		if n%step == 0 {
			o.marks = append(o.marks, i)
		}
		n++
	}
	o.chars = n
	return o
}

// Char returns how many code points stand before byte byteOff. An offset within
// a code point counts as its start; one outside the string as the nearer end.
func (o *Offsets) Char(byteOff int) int {
	if byteOff <= 0 {
		return 0
	}
	if byteOff >= len(o.s) {
		return o.chars
	}
	if o.marks == nil {
		return byteOff
	}
	// A code point has 1 to 4 bytes, so only few marks come into question.
	lo := byteOff / (utf8.UTFMax * step)
	hi := min(byteOff/step+1, len(o.marks))
	k := lo + sort.Search(hi-lo, func(i int) bool { return o.marks[lo+i] > byteOff }) - 1
	n := k * step
	for i := o.marks[k]; ; n++ {
		_, size := utf8.DecodeRuneInString(o.s[i:])
		if i += size; i > byteOff {
			return n
		}
	}
}

// Byte returns where code point charOff starts; len(s) for the number of code
// points and beyond, 0 below 0.
func (o *Offsets) Byte(charOff int) int {
	if charOff <= 0 {
		return 0
	}
	if charOff >= o.chars {
		return len(o.s)
	}
	if o.marks == nil {
		return charOff
	}
	i := o.marks[charOff/step]
	for n := charOff % step; n > 0; n-- {
		_, size := utf8.DecodeRuneInString(o.s[i:])
		i += size
	}
	return i
}

// Chars is the number of code points.
func (o *Offsets) Chars() int { return o.chars }

// IsASCII reports whether s holds ASCII alone.
func IsASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
