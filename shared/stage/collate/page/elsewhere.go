package page

import (
	"slices"
	"strings"

	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// deniedElsewhere returns a sentence that takes back the words of a statement at another
// place of its page than the quote; "" for none. A supposition takes nothing back.
func (p *Set) deniedElsewhere(e wstk.Evidence, statement string) string {
	const fewest = 3 // words that claim something
	words := strings.TrimRight(text.FoldCompare(statement), SentenceStops+" ")
	d := p.Of(e)
	own, ok := e.Span()
	if d == nil || !ok || len(wording.Bare(words)) < fewest {
		return ""
	}
	for i, folded := range p.foldedBlocks(d) {
		if !strings.Contains(folded, words) {
			continue
		}
		for _, r := range text.Sentences(d.BlockText(i), d.Meta.Language) {
			r.Start, r.End = r.Start+d.Blocks[i].ByteStart, r.End+d.Blocks[i].ByteStart
			sentence := d.Text[r.Start:r.End]
			if r.Start < own.ByteEnd && own.ByteStart < r.End || !claims(sentence, words) {
				continue
			}
			other := e
			other.Quote, other.Flags, other.ByteStart, other.ByteEnd = sentence,
				nil, &r.Start, &r.End
			if p.TakenBack(other, words) {
				return sentence
			}
		}
	}
	return ""
}

// claims reports whether a sentence holds words whole, and none beside them that only
// suppose: if, when.
func claims(sentence, words string) bool {
	folded := text.FoldCompare(sentence)
	at := slices.Collect(text.Places(folded, words))
	return len(at) > 0 && text.Whole(folded, at[0], at[0]+len(words)) &&
		!slices.ContainsFunc(wording.Bare(folded[:at[0]]+" "+folded[at[0]+len(words):]),
			func(w string) bool { return conditions[w] || whens[w] })
}

// foldedBlocks are the blocks of a Document as they are compared.
func (p *Set) foldedBlocks(d *wstk.Document) []string {
	if p.folded[d] == nil {
		out := make([]string, len(d.Blocks))
		for i := range d.Blocks {
			p.Tick()
			out[i] = text.FoldCompare(d.BlockText(i))
		}
		p.folded[d] = out
	}
	return p.folded[d]
}
