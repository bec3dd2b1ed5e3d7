package page

import (
	"slices"
	"strings"

	"wstk/shared/stage/collate/proposition"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Proposition takes apart some words of a quote, with what stands over them on its page.
func (p *Set) Proposition(e wstk.Evidence, words string) *proposition.Proposition {
	d := p.Of(e)
	u := proposition.Unit{Words: words, Lang: p.Spoken(e), Address: addressOf(e.URL),
		Points: points, Speaks: speaksOf}
	if d != nil {
		u.Title = d.Meta.Title + "\n" + d.Meta.SiteName
		u.Headings = p.headingsOf(d, u.Lang)
	}
	if places := PlacesOf(d, e, words); len(places) > 0 {
		x := places[0]
		u.Labels, u.Above = slices.Clone(x.Labels), x.Section
		if x.Row != "" {
			u.Labels = append(u.Labels, x.Row)
		}
	}
	return proposition.Of(u)
}

// Spoken is the language of the page of a quote; if the page does not name it, as its words
// show.
func (p *Set) Spoken(e wstk.Evidence) string {
	lang := p.Language(e)
	if d := p.Of(e); lang == "" && d != nil {
		known := false
		if lang, known = p.detected[d]; !known {
			if lang = text.DetectLanguage(d.Text); lang == "" {
				lang = "en"
			}
			p.detected[d] = lang
		}
	}
	return lang
}

// headingsOf are the stems of all headings of a page, up to a bound.
func (p *Set) headingsOf(d *wstk.Document, lang string) map[string]bool {
	const most = 500 // headings
	stems, known := p.headed[d]
	if !known {
		stems = map[string]bool{}
		for _, section := range d.Sections[:min(len(d.Sections), most)] {
			for w := range wording.Content(section.Title, lang) {
				stems[w] = true
			}
		}
		p.headed[d] = stems
	}
	return stems
}

// propositions are those of the sentences and rows of a quote that a statement touches; of all
// of them if it does not hold the statement.
func (p *Set) propositions(e wstk.Evidence, statement string) []*proposition.Proposition {
	key := [2]string{e.ID, statement}
	if out, ok := p.taken[key]; ok {
		return out
	}
	out := []*proposition.Proposition{}
	for _, words := range p.unitsOf(e, statement) {
		out = append(out, p.Proposition(e, words))
	}
	p.taken[key] = out
	return out
}

// unitsOf are the sentences and rows of a quote that a statement touches.
func (p *Set) unitsOf(e wstk.Evidence, statement string) (out []string) {
	at := text.Range{End: len(e.Quote)}
	if places := text.Occurrences(e.Quote, statement); len(places) > 0 {
		at = places[0]
		if strings.Contains(e.Quote, "\t") {
			return []string{e.Quote[at.Start:at.End]}
		}
	}
	if strings.Contains(e.Quote, "\t") {
		return []string{e.Quote}
	}
	for _, r := range SentencesIn(e.Quote, p.Language(e)) {
		if r.Start < at.End && at.Start < r.End {
			out = append(out, e.Quote[r.Start:r.End])
		}
	}
	return out
}

// relation is how a quote stands to a statement that another quote says: it disagrees if it
// contradicts one of its propositions, and agrees if it says each of them. Where the question is
// known, the ones that answer it are enough: a sentence before them only says what "it" is.
func (p *Set) relation(say, e wstk.Evidence, statement string) proposition.Relation {
	said := p.propositions(say, statement)
	agreed, bears := 0, 0
	for _, one := range said {
		if !p.asked.Bears(one) {
			continue
		}
		bears++
		best := proposition.Apart
		for _, other := range p.propositions(e, e.Quote) {
			p.Tick()
			r, _, _ := proposition.Compare(one, other, p.asked)
			if r == proposition.Agree {
				best = r
				break
			}
			best = max(best, r)
		}
		switch best {
		case proposition.Disagree:
			return best
		case proposition.Agree:
			agreed++
		}
	}
	if agreed > 0 && agreed == bears {
		return proposition.Agree
	}
	return proposition.Apart
}

// speaksOf reports whether a sentence has a subject that only its page can name: we, it.
func speaksOf(sentence string) bool {
	for i, w := range wording.Bare(text.FoldCompare(sentence)) {
		if speakers[w] || i == 0 && pronouns[w] {
			return true
		}
	}
	return false
}

// addressOf is the part of an address that may name what its page is about.
func addressOf(url string) string {
	site := SiteOf(url)
	name, _, _ := strings.Cut(site, ".")
	_, path, _ := strings.Cut(strings.TrimPrefix(url, "https://"), "/")
	return name + "/" + path
}

// Asked notes the question that the answer is for.
func (p *Set) Asked(query string) *Set {
	if strings.TrimSpace(query) != "" {
		p.asked, p.query = proposition.Ask(query), query
	}
	return p
}

// Question is the question that the answer is for; nil if it is not known.
func (p *Set) Question() *proposition.Question { return p.asked }

// MayAnswer reports whether a quote may be shown in place of a claim that was proposed for it: its
// page says it and does not take it back, it speaks of what the claim speaks of, if both are in one
// language, and it holds a value of the kind that was asked for, if one was, or most of what the
// claim says.
func (p *Set) MayAnswer(e wstk.Evidence, claim string) bool {
	if p.TakenBack(e, e.Quote) {
		return false
	}
	const least, most = 4, 2 // of as many words of the claim one is in the quote
	bears := p.asked == nil || slices.ContainsFunc(p.propositions(e, e.Quote), p.asked.Bears)
	lang := p.Spoken(e)
	if own := text.DetectLanguage(claim); own != "" && own != text.Language(lang) {
		return bears
	}
	said := wording.Content(claim, lang)
	own := slices.Concat([]string{e.Quote}, e.SectionPath, linesTo(p.Of(e), e))
	both, _, _ := wording.Split(said, wording.Content(strings.Join(own, "\n"), lang))
	return bears && least*both >= len(said) || most*both >= len(said)
}
