package text

import "strconv"

// Count returns a number with its English noun, to which it adds an s for any number but
// one: 1 page, 2 pages, 0 pages.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}
