package proposition

import (
	"slices"
	"strings"
)

// sure reports whether two propositions of one frame surely say the same. More is needed for
// that than for a contradiction, which is shown with both sides: a known attribute, or a noun
// that is counted; the same words for the same thing, in the same order and after the same
// prepositions; and no word that only its own page can explain.
func (p *Proposition) sure(o *Proposition) bool {
	return !p.points && !o.points && !p.speaks && !o.speaks && p.says(o) &&
		len(p.subject(nil)) > 0 && len(o.subject(nil)) > 0 &&
		slices.Equal(p.subject(o), o.subject(p))
}

// says reports whether both sides name a known attribute, or count the same noun.
func (p *Proposition) says(o *Proposition) bool {
	if len(p.named) > 0 && (len(p.Values) == 0 || !wordKinds[p.kind]) {
		return true
	}
	m, n := p.counted(), o.counted()
	return m != "" && m == n
}

// counted is the noun right behind the only number; "" without one.
func (p *Proposition) counted() string {
	if len(p.Values) != 1 || p.Values[0].Type != "number" {
		return ""
	}
	for _, w := range p.words {
		if w.Start >= p.Values[0].End {
			if w.use == free && w.Start <= p.Values[0].End+1 {
				return singular(w.plain)
			}
			return ""
		}
	}
	return ""
}

// subject are the words of the subject that do not stand over the other side, each in the form
// it has on its page, with the preposition before it where that makes the sense.
func (p *Proposition) subject(o *Proposition) (out []string) {
	last, counted := "", p.counted()
	for i, w := range p.words {
		if prepositions[w.plain] && (i == 0 || p.words[i-1].use != ofAttribute) {
			last = w.plain // but the height of a thing is its own
		}
		if w.use != free || singular(w.plain) == counted {
			continue
		}
		if o == nil || !o.over[w.stem] || o.rest[w.stem] {
			out = append(out, last+" "+singular(w.plain))
		}
		last = ""
	}
	return out
}

// singular is a word without the s of a plural.
func singular(w string) string {
	if len(w) > 3 && !strings.HasSuffix(w, "ss") {
		return strings.TrimSuffix(w, "s")
	}
	return w
}
