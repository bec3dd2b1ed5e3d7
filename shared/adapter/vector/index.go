// Package vector keeps vectors beside an index: whatever makes a page findable by its words
// makes it findable by its meaning, and whatever forgets it forgets both.
package vector

import (
	"context"
	"strings"

	"wstk/shared/wstk"
)

var _ wstk.Index = Index{}

// Index is a wstk.Index that embeds what it is given. Only chunks of main content and
// summaries have vectors, and only those of pages in a language of the Embedder: other pages,
// and what was indexed without it, are found by their words.
type Index struct {
	wstk.Index
	Vectors  wstk.VectorIndex
	Embedder wstk.Embedder  // nil makes no vectors; those that an earlier one made are forgotten
	Texts    wstk.BlobStore // texts of Documents by hash
}

// atOnce is how many chunks are embedded in one call: enough for all processors.
const atOnce = 32

// Replace indexes the words first. If the vectors fail, so does the page, and the message
// comes again.
func (x Index) Replace(ctx context.Context, p wstk.PageIndex) error {
	if err := x.Index.Replace(ctx, p); err != nil || x.Embedder == nil {
		return err
	}
	return x.Embed(ctx, p)
}

// Embed makes the vectors of a page whose words are indexed already. What the Embedder cost is
// told to who waits for it (wstk.Spending).
func (x Index) Embed(ctx context.Context, p wstk.PageIndex) error {
	v := wstk.PageVectors{URL: p.URL, Site: p.Site, FetchedAt: p.FetchedAt,
		Model: x.Embedder.Info().ID()}
	words, err := x.words(ctx, p, &v)
	if err != nil {
		return err
	}
	for len(words) > 0 {
		some := words[:min(len(words), atOnce)]
		made, err := x.Embedder.Embed(ctx, wstk.EmbedPassage, some...)
		wstk.Spend(ctx, made.Usage)
		if err != nil {
			return err
		}
		for _, m := range made.Embeddings {
			v.Vectors = append(v.Vectors, m.Vector)
		}
		words = words[len(some):]
	}
	return x.Vectors.Replace(ctx, v)
}

// words adds to v the entries that get a vector, and returns what is embedded of each: title,
// section and text, since a passage says less than the place where it stands; of a summary,
// title and text.
func (x Index) words(
	ctx context.Context, p wstk.PageIndex, v *wstk.PageVectors,
) ([]string, error) {
	if !x.Embedder.Info().Speaks(p.Language) {
		return nil, nil
	}
	data, err := x.Texts.Get(ctx, p.TextSHA256)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil, nil // its site was removed meanwhile
	}
	if err != nil {
		return nil, err
	}
	var words []string
	seen := map[string]bool{}
	for _, e := range p.Entries {
		if e.Summary != nil && !seen[e.ID] {
			seen[e.ID] = true
			v.Chunks = append(v.Chunks, e.ID)
			words = append(words, p.Title+"\n"+e.Summary.Text)
			continue
		}
		c := e.Chunk
		if c == nil || !c.Main || seen[e.ID] || c.ByteStart < 0 || c.ByteEnd > len(data) ||
			c.ByteStart > c.ByteEnd {
			continue
		}
		seen[e.ID] = true
		v.Chunks = append(v.Chunks, e.ID)
		around := append([]string{p.Title}, c.SectionPath...)
		words = append(words,
			strings.Join(append(around, string(data[c.ByteStart:c.ByteEnd])), "\n"))
	}
	return words, nil
}

// Remove forgets the words first: a vector without its chunk finds nothing.
func (x Index) Remove(ctx context.Context, url string) error {
	if err := x.Index.Remove(ctx, url); err != nil {
		return err
	}
	return x.Vectors.Remove(ctx, url)
}
