package extract

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"wstk/shared/lexicon"
)

//go:embed synonyms.txt
var synonymFile string

// synonymIndex has for each word of synonyms.txt the others of its groups.
var synonymIndex = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for _, f := range lexicon.Parse(synonymFile).Families() {
		for _, e := range f.Entries {
			ws := strings.Fields(e.Phrase())
			for _, a := range ws {
				for _, b := range ws {
					if a != b && !slices.Contains(m[a], b) {
						m[a] = append(m[a], b)
					}
				}
			}
		}
	}
	return m
})

func synonymsOf(w string) []string { return synonymIndex()[strings.ToLower(w)] }

// lightWords carry a question along and say little about its answer; a page that
// answers often does without them.
var lightWords = set(`make makes making put get gets getting use uses used using work works do does
	done let take takes taken took come comes go goes give gives keep keeps find want need needs
	have has had many much one ones any some first current currently inside possible possibly ever
	still also already actually really other another different certain thing things way ways
	something someone anything else time times kind kinds happen happens happened mean means called
	known exactly right good bad best better like able available there without within between during
	after before under over up down out through long big large small number value values set sets
	say says said see tell know change changes allow allowed specific given several each per both
	various main own together whether single normally usually often deep deeply old far tall high
	wide heavy fast quickly frequently soon late early look looks looked looking meant intended
	supposed run runs running`)
