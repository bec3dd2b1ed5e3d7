package extract

import (
	"math"
	"sort"
	"strings"

	"wstk/shared/wstk"
)

// A narrative has at most this many sentences, and takes only what is this near to
// the best. novelty is the weight of relevance against repetition in
// maximal marginal relevance (Carbonell and Goldstein 1998).
const (
	maxSentences  = 8
	minSentences  = 4
	narrativeFrom = 10.0 // log odds below the best
	novelty       = 0.7
	perPage       = 5
	maxNarrated   = 16 // items quoted of the lists that chosen sentences introduce
)

// aboutSelf are the words by which a query means the owner of the site, rather
// than a thing the site writes about.
var aboutSelf = set("organization organisation company site website project group team they you " +
	"charity business firm association society foundation school product app tool software")

// deictic are the words that point at it.
var deictic = set("this that the your their our its they you these")

// narrative chooses sentences that together tell about the query: relevant,
// not repeating each other, from several pages, the leading one first and the
// rest in the order of their pages.
func (q *question) narrative(pages []*page) ([]wstk.Claim, termSet) {
	if q.aboutSite() {
		return q.opening(pages), ^termSet(0)
	}
	q.account = true
	cands := q.rank(pages)
	pool := q.pool(cands, false)
	if len(pool) == 0 {
		pool = q.pool(cands, true)
	}
	if len(pool) == 0 {
		return nil, 0
	}
	lead := 0
	for i := range pool { // what something is comes before what is said about it
		if i < 6 && pool[i].score >= pool[0].score-0.5 && pool[i].unit.first &&
			defines(pool[i].page.text(pool[i].unit)) {
			lead = i
			break
		}
	}
	chosen := diverse(pool, lead)
	var covers termSet
	first := chosen[0]
	rest := chosen[1:]
	place := map[*page]int{}
	for i, c := range chosen {
		if _, ok := place[c.page]; !ok {
			place[c.page] = i
		}
	}
	sort.SliceStable(rest, func(i, j int) bool {
		a, b := rest[i], rest[j]
		if a.page != b.page {
			return place[a.page] < place[b.page]
		}
		return a.unit.start < b.unit.start
	})
	var claims []wstk.Claim
	items := 0
	for _, c := range append([]candidate{first}, rest...) {
		covers |= c.covers
		for u := c.unit; u != nil; u = c.page.nextList(u) {
			if u != c.unit {
				c.unit, c.value = u, nil
			}
			claims = appendNew(claims, []wstk.Claim{q.claim(&answer{candidate: c})})
			list := c.page.listed(u, min(maxListed, maxNarrated-items))
			items += len(list)
			claims = appendNew(claims, list)
		}
	}
	return claims, covers
}

// pool are the candidates that may tell about the query, of what the sites themselves
// say or of all.
func (q *question) pool(cands []candidate, others bool) []candidate {
	led := q.lead(cands)
	if led == nil || led.cands[0].others != others {
		return nil
	}
	cut := 0.0
	var pool []candidate
	for i := range cands {
		c := &cands[i]
		if c.others && !others {
			continue
		}
		if !c.page.tells(c.unit) || c.unit.header >= 0 && c.unit.own|c.unit.synonym == 0 {
			continue
		}
		if len(pool) == 0 {
			if !q.may(c) || q.silent(c) {
				continue
			}
			q.explain(c, led.belief.In(&led.spans[0]))
			cut = c.score - narrativeFrom
		}
		if c.score >= cut {
			pool = append(pool, *c)
		}
		if len(pool) == 60 {
			break
		}
	}
	return pool
}

// nextList returns the sentence that introduces the next list, where the paragraph
// of u introduces one and another that holds words of the query follows it in the
// same section: what speaks for something and what against it are one account.
func (p *page) nextList(u *unit) *unit {
	d := p.doc
	if !introduces(strings.TrimRight(d.BlockText(u.block), " \n")) {
		return nil
	}
	i := u.block + 1
	for i < len(d.Blocks) && d.Blocks[i].Kind == wstk.BlockListItem {
		i++
	}
	if i == u.block+1 || i == len(d.Blocks) || d.Blocks[i].Section != u.section ||
		!introduces(strings.TrimRight(d.BlockText(i), " \n")) {
		return nil
	}
	for k := p.unitAt(d.Blocks[i].ByteStart); k < len(p.units) && p.units[k].block == i; k++ {
		if v := &p.units[k]; introduces(strings.TrimRight(p.text(v), " \n")) &&
			v.own|v.synonym != 0 {
			return v
		}
	}
	return nil
}

// tells reports whether a unit may be part of an account: a sentence of the main
// text, or an item or row that says as much as one.
func (p *page) tells(u *unit) bool {
	if !p.doc.Blocks[u.block].Main || u.kind == wstk.BlockHeading ||
		u.kind == wstk.BlockCode || u.words < 4 {
		return false
	}
	s := strings.TrimRight(p.text(u), " \n\t\"”»)")
	for _, end := range []string{".", "!", "。", "！", ":", "：", "।", "؟"} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return u.words >= 8
}

// diverse picks from pool by maximal marginal relevance, starting with lead.
func diverse(pool []candidate, lead int) []candidate {
	words := make([]map[string]bool, len(pool))
	for i := range pool {
		words[i] = contentWords(pool[i].page.text(pool[i].unit), pool[i].page.lang)
	}
	taken := map[int]bool{lead: true}
	chosen := []int{lead}
	onPage := map[*page]int{pool[lead].page: 1}
	best := pool[0].score
	for len(chosen) < maxSentences {
		pick, pickScore := -1, 0.0
		for i := range pool {
			if taken[i] || onPage[pool[i].page] >= perPage {
				continue
			}
			same := 0.0
			for _, c := range chosen {
				if pool[c].page == pool[i].page && pool[c].unit.overlaps(pool[i].unit) {
					same = 1
				}
				same = max(same, jaccard(words[i], words[c]))
			}
			if same >= alike {
				continue
			}
			score := novelty*math.Exp((pool[i].score-best)/3) - (1-novelty)*same
			if onPage[pool[i].page] == 0 {
				score += 0.05 // another page is another view
			}
			if pick < 0 || score > pickScore {
				pick, pickScore = i, score
			}
		}
		if pick < 0 || len(chosen) >= minSentences && pickScore < 0.45 {
			break
		}
		taken[pick] = true
		onPage[pool[pick].page]++
		chosen = append(chosen, pick)
	}
	out := make([]candidate, len(chosen))
	for i, k := range chosen {
		out[i] = pool[k]
	}
	return out
}

func jaccard(a, b map[string]bool) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// aboutSite reports whether the query asks what the site itself is: "what does this
// organization do".
func (q *question) aboutSite() bool {
	w := wordsOf(q.text)
	pointed, self := false, false
	for i, x := range w {
		if aboutSelf[x.text] && (x.text == "they" || x.text == "you" ||
			i > 0 && deictic[w[i-1].text]) {
			self = true
		}
		if deictic[x.text] {
			pointed = true
		}
		if _, asks := askCues[x.text]; asks || deictic[x.text] || aboutSelf[x.text] ||
			auxiliaries[x.text] || siteWords[x.text] || narrativeOpeners[x.text] ||
			ambiguousCues[x.text] {
			continue
		}
		return false
	}
	return pointed && self
}

var siteWords = set("about do of me tell for offer mission who purpose goal goals summary " +
	"overview summarise summarize describe explain what provide")

// opening quotes how the pages introduce themselves: the first sentences of their
// main text.
func (q *question) opening(pages []*page) []wstk.Claim {
	var claims []wstk.Claim
	var said []string
	for i, p := range pages {
		n := 0
		for k := range p.units {
			u := &p.units[k]
			if u.kind != wstk.BlockParagraph || !p.tells(u) || p.others(u) ||
				isQuestion(p.text(u)) || p.linked(p.text(u)) {
				continue
			}
			if p.opening >= 0 && u.section != p.doc.Blocks[p.opening].Section {
				continue // further down it is about particulars
			}
			words := (&candidate{page: p, unit: u}).proposal()
			repeated := false
			for _, s := range said {
				repeated = repeated || overlap(s, words.Words, p.lang) >= alike
			}
			if repeated {
				continue
			}
			said = append(said, words.Words)
			claims = append(claims, wstk.Claim{Statement: words.Words, Support: wstk.SupportDirect,
				Proposed: []wstk.Proposal{words}})
			if n++; n == 3 || n == 1 && i > 0 {
				break
			}
		}
		if len(claims) >= maxSentences-2 {
			break
		}
	}
	return claims
}
