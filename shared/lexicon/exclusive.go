package lexicon

import (
	_ "embed"
	"sync"
)

//go:embed exclusive.txt
var exclusiveFile string

var exclusiveLexicon = sync.OnceValue(func() *Lexicon { return Parse(exclusiveFile) })

// exclusive are the group and the field that a word names.
var exclusive = sync.OnceValue(func() map[string][2]string {
	out := map[string][2]string{}
	for e := range exclusiveLexicon().Entries("exclusive") {
		if len(e) == 4 {
			out[e[3]] = [2]string{e[1], e[2]}
		}
	}
	return out
})

// ExclusiveFields returns the fields that words in small letters name, by their group: fax of the
// group telephone. A value of one field of a group is no value of another one. Of several fields of
// one group the first counts.
func ExclusiveFields(words []string) map[string]string {
	out := map[string]string{}
	for _, w := range words {
		if x, ok := exclusive()[w]; ok && out[x[0]] == "" {
			out[x[0]] = x[1]
		}
	}
	return out
}

var plainly = sync.OnceValue(func() map[string]bool { return exclusiveLexicon().Set("plainly") })

// Plainly reports whether a value of a field is also one of the plain name of its group: a mobile
// is a phone, a fax is not.
func Plainly(field string) bool { return plainly()[field] }
