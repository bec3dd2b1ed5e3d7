package extract

import (
	"context"

	"wstk/shared/stage/extract/choice"
	"wstk/shared/wstk"
)

// Meaning compares what may answer with the question by their vectors.
type Meaning struct {
	Embedder wstk.Embedder       // nil compares by words alone
	Kept     wstk.EmbeddingStore // vectors of units, so that each is made once; nil keeps none
}

// compared is how many of the candidates that fit by their words are compared by their meaning.
const compared = 25

// compareMeaning fills in the features of meaning, for candidates ordered by their words. Those
// behind the first ones get what the least like of these has.
func (q *question) compareMeaning(cands []candidate) error {
	if q.call == nil || q.call.meaning.Embedder == nil || len(cands) == 0 ||
		!q.call.meaning.Embedder.Info().Speaks(q.lang) {
		return nil
	}
	asked, err := q.call.asked(q.text[q.part.start:q.part.end])
	if err != nil {
		return err
	}
	near := cands[:min(compared, len(cands))]
	texts := make([]string, len(near))
	for i := range near {
		texts[i] = near[i].page.shown(near[i].unit)
	}
	vectors, err := q.call.meaning.of(q.call.ctx, texts)
	if err != nil {
		return err
	}
	for i := range near {
		near[i].row[choice.Alike] = wstk.Cosine(asked, vectors[texts[i]])
		near[i].row[choice.AlikePassage] = near[i].unit.alike
	}
	fill(cands, choice.Alike)
	fill(cands, choice.AlikePassage)
	covered := 0.0
	for i := range cands {
		covered = max(covered, cands[i].row[choice.Coverage])
	}
	for i := range cands {
		cands[i].row[choice.Uncovered] = 1 - covered
	}
	return nil
}

// fill gives the candidates that lack a cosine the least that another has.
func fill(cands []candidate, f choice.Feature) {
	const barely = 1e-9 // 0 is none
	least := 1.0
	for i := range cands {
		if v := cands[i].row[f]; v != 0 {
			least = min(least, v)
		}
	}
	if least == 1 {
		least = barely
	}
	for i := range cands {
		if cands[i].row[f] == 0 {
			cands[i].row[f] = least
		}
	}
}

// asked is the vector of a question. It is not kept beyond the call: what is asked stays private.
func (c *call) asked(text string) ([]float32, error) {
	if v := c.questions[text]; v != nil {
		return v, nil
	}
	made, err := c.meaning.Embedder.Embed(c.ctx, wstk.EmbedQuery, text)
	if err != nil {
		return nil, err
	}
	v := made.Embeddings[0].Vector
	c.questions[text] = v
	return v, nil
}

// of returns the vectors of texts, and keeps those that are new.
func (m Meaning) of(ctx context.Context, texts []string) (map[string][]float32, error) {
	model := m.Embedder.Info().ID()
	hashes := make([]wstk.Hash, len(texts))
	for i, s := range texts {
		hashes[i] = wstk.HashOf([]byte(s))
	}
	held := map[wstk.Hash][]float32{}
	if m.Kept != nil {
		var err error
		if held, err = m.Kept.Get(ctx, model, hashes...); err != nil {
			return nil, err
		}
	}
	out := make(map[string][]float32, len(texts))
	var open []string
	for i, s := range texts {
		v, made := held[hashes[i]]
		if _, twice := out[s]; !made && !twice {
			open = append(open, s)
		}
		out[s] = v
	}
	if len(open) == 0 {
		return out, nil
	}
	made, err := m.Embedder.Embed(ctx, wstk.EmbedPassage, open...)
	if err != nil {
		return nil, err
	}
	fresh := make(map[wstk.EmbeddingKey][]float32, len(open))
	for i, s := range open {
		out[s] = made.Embeddings[i].Vector
		fresh[wstk.EmbeddingKey{Text: wstk.HashOf([]byte(s)), Model: model}] =
			made.Embeddings[i].Vector
	}
	if m.Kept == nil {
		return out, nil
	}
	return out, m.Kept.Put(ctx, fresh)
}

// shown is a unit with the items that would be quoted with it.
func (p *page) shown(u *unit) string {
	out := p.text(u)
	for _, item := range p.listed(u, maxListed) {
		out += "\n" + item.Statement
	}
	return out
}
