package screen

import (
	"math"
	"strings"
)

// Documentation is full of strings in the shape of secrets that are none. These
// rules tell them: words that say so, repetition, sequences, too little variety.

// placeholder reports whether value is an example rather than a secret.
func placeholder(value string) bool {
	hit := false
	scan(vocab().matchers["placeholders"](), value, func(_, _, _ int) { hit = true })
	return hit || sequence(value)
}

// placeholderToken is placeholder for token bodies that are random characters: a
// short word among them can be chance, so only whole-value signs count.
func placeholderToken(value string) bool {
	low := strings.ToLower(value)
	for _, word := range phrases("token placeholders") {
		if strings.Contains(low, word) {
			return true
		}
	}
	return sequence(value) || entropy(value) < 2.5
}

// sequence reports whether most steps from character to character are repeats or
// neighbours: aaaa, 1234, abcd.
func sequence(value string) bool {
	if len(value) < 6 {
		return false
	}
	steps := 0
	for i := 1; i < len(value); i++ {
		if d := int(value[i]) - int(value[i-1]); d >= -1 && d <= 1 {
			steps++
		}
	}
	return steps*10 >= (len(value)-1)*6
}

// entropy is Shannon's, in bits per byte, of the bytes of s.
func entropy(s string) float64 {
	if s == "" {
		return 0
	}
	var count [256]int
	for i := 0; i < len(s); i++ {
		count[s[i]]++
	}
	h, n := 0.0, float64(len(s))
	for _, c := range count {
		if c > 0 {
			p := float64(c) / n
			h -= p * math.Log2(p)
		}
	}
	return h
}

// classes counts which of lower case, upper case, digits and signs s has.
func classes(s string) (lower, upper, digit, sign int) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z':
			lower++
		case 'A' <= c && c <= 'Z':
			upper++
		case '0' <= c && c <= '9':
			digit++
		default:
			sign++
		}
	}
	return lower, upper, digit, sign
}

// kinds counts how many of lower case, upper case, digits and signs s has.
func kinds(s string) (n int) {
	lower, upper, digit, sign := classes(s)
	for _, of := range []int{lower, upper, digit, sign} {
		n += min(of, 1)
	}
	return n
}

// digest reports whether s has the shape of a checksum, a commit or a UUID: things
// that look random and are public.
func digest(s string) bool {
	hex := true
	for i := 0; i < len(s); i++ {
		c := lowerByte(s[i])
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			hex = false
			break
		}
	}
	switch {
	case hex:
		return true
	case len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-':
		return true
	case strings.HasPrefix(s, "sha256-"), strings.HasPrefix(s, "sha384-"),
		strings.HasPrefix(s, "sha512-"), strings.HasPrefix(s, "sha1-"):
		return true
	}
	return false
}
