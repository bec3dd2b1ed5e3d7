package text

import "unicode/utf8"

// Shorten returns s where it has at most n code points, else its beginning and "…", n
// code points together. n is at least 1.
func Shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	chars, end := 0, 0
	for i := range s {
		if chars == n-1 {
			end = i
		}
		if chars++; chars > n {
			return s[:end] + "…"
		}
	}
	return s
}

// Prefix returns the longest beginning of s of at most n bytes that ends between two code
// points.
func Prefix(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
