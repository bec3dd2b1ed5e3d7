package recall

import (
	"context"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// hits makes hits of the first candidates, at most r.query.Limit, and reads their texts. A
// passage whose text is not stored, or whose span lies outside it, is left out with a
// warning, and the next candidate takes its place.
func (r *run) hits(ctx context.Context, ranked []*candidate) ([]wstk.Hit, []wstk.Warning, error) {
	var out []wstk.Hit
	var warnings []wstk.Warning
	for len(out) < r.query.Limit && len(ranked) > 0 {
		n := min(r.query.Limit-len(out), len(ranked))
		if err := r.read(ctx, ranked[:n]); err != nil {
			return nil, nil, err
		}
		for _, c := range ranked[:n] {
			if c.missing != "" {
				warnings = append(warnings, wstk.Warning{Code: "text_missing", URL: c.URL,
					Message: "A passage of " + c.URL + " was found and left out: " +
						c.missing + "."})
				continue
			}
			if n := len(out); n > 0 {
				// Cover, Links and PerPage move hits. The scores must fall in the new order, too.
				c.score = min(c.score, out[n-1].Score)
			}
			out = append(out, r.hit(c, len(out)+1))
		}
		ranked = ranked[n:]
	}
	return out, warnings, nil
}

// passage returns the text of c and the text of its page. If there is none, missing says
// why. It is an error if the store does not answer.
func (r *run) passage(
	ctx context.Context, c *candidate,
) (passage, page, missing string, err error) {
	if c.Summary != nil {
		return c.Summary.Text, "", "", nil
	}
	if c.Chunk == nil {
		return "", "", "the index holds no passage for it", nil
	}
	doc, err := r.cache.get(ctx, r.Texts, c.Chunk.TextSHA256, r.config.TextCache)
	switch wstk.CodeOf(err) {
	case "":
	case wstk.NotFound:
		return "", "", "its text is not stored", nil
	case wstk.Internal:
		return "", "", "its stored text is damaged", nil
	default:
		return "", "", "", err
	}
	if c.Chunk.ByteStart < 0 || c.Chunk.ByteStart > c.Chunk.ByteEnd || c.Chunk.ByteEnd > len(doc) {
		return "", "", "its offsets are not in the stored text", nil
	}
	return doc[c.Chunk.ByteStart:c.Chunk.ByteEnd], doc, "", nil
}

func (r *run) hit(c *candidate, rank int) wstk.Hit {
	h := wstk.Hit{Rank: rank, Score: c.score, Kind: c.Kind, ID: c.ID, URL: c.URL,
		CanonicalURL: c.CanonicalURL,
		Title:        c.Title, SectionPath: []string{}, Text: c.passage,
		Legs: c.legs, AlsoOn: c.alsoOn,
		FetchedAt: c.FetchedAt, PublishedAt: c.PublishedAt, Chunk: c.Chunk, Link: c.URL}
	if ch := c.Chunk; ch != nil {
		span := ch.Span
		h.Span = &span
		h.Flags = ch.Flags
		h.TextSHA256, h.SnapshotSHA256 = ch.TextSHA256, ch.SnapshotSHA256
		if len(ch.SectionPath) > 0 {
			h.SectionPath = ch.SectionPath
		}
		from, to := openingAt(ch.ByteStart, c.passage, h.SectionPath)
		h.Link = r.links(ch.TextSHA256, c.page).Link(c.URL, from, to)
	} else if c.Summary != nil {
		h.TextSHA256 = c.Summary.TextSHA256
	}
	h.Why = r.why(h, c)
	return h
}

// links returns what makes links into the text of a page. It is made once for all hits of
// the page.
func (r *run) links(of wstk.Hash, page string) *text.Fragments {
	if r.fragments == nil {
		r.fragments = map[wstk.Hash]*text.Fragments{}
	}
	f := r.fragments[of]
	if f == nil {
		f = text.NewFragments(page)
		r.fragments[of] = f
	}
	return f
}

// openingAt returns the bytes of the page that a text fragment names, for a passage that
// begins at byte at: its first line that is not the heading, cut at a word.
func openingAt(at int, passage string, path []string) (start, end int) {
	line, rest, _ := strings.Cut(passage, "\n")
	if len(path) > 0 && strings.TrimSpace(line) == strings.TrimSpace(path[len(path)-1]) &&
		rest != "" {
		at += len(line) + 1
		line, _, _ = strings.Cut(rest, "\n")
	}
	if cell, _, ok := strings.Cut(line, "\t"); ok && cell != "" {
		line = cell
	}
	if len(line) > maxOpening {
		if i := strings.LastIndexByte(line[:maxOpening], ' '); i > 0 {
			line = line[:i]
		} else {
			line = strings.ToValidUTF8(line[:maxOpening], "")
		}
	}
	return at, at + len(line)
}

// maxOpening is the length of such a line, in bytes.
const maxOpening = 120
