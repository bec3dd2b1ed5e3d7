package prompted

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"wstk/shared/prompt"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Partitioned are the buckets of a question.
type Partitioned struct {
	Buckets  []wstk.Bucket
	Left     int // items beyond Limits.Buckets
	Warnings []wstk.Warning
}

// The bounds of what partition sees of a page.
const (
	passagesOfPage = 3
	maxPassage     = 600 // bytes
)

// Partition sorts the pages of hits into one bucket for each thing that the query asks for, in
// one call. At most Limits.Summaries pages are shown, those with the best hits, each with its
// title and the passages that were found. A page may be in several buckets. The title of a bucket
// is words of its pages: one that stands on none of them is replaced by the title of its first
// page. No bucket means that no page says anything about the query.
//
// Errors: those of wstk.Model, ModelFailed for a reply in another form, and the Document
// function's own.
func (e *Engine) Partition(
	ctx context.Context, query string, hits []wstk.Hit,
) (out Partitioned, err error) {
	shown, left := e.found(ctx, hits)
	if len(shown) == 0 {
		return out, nil
	}
	if left > 0 {
		out.Warnings = append(out.Warnings, wstk.Warning{Code: "pages_left_out",
			Details: map[string]int{"pages": left},
			Message: fmt.Sprintf("%d more pages were found than the model is shown; they are not "+
				"part of the answer. Ask a narrower question.", left)})
	}
	p, err := e.Prompts.Or(partPrompt)
	if err != nil {
		return out, err
	}
	user, err := prompt.Fence(map[string]string{"question": query}, shown)
	if err != nil {
		return out, err
	}
	var reply partitionReply
	err = e.ask(ctx, wstk.ModelRequest{Operation: wstk.OpPartition, System: p.Text, User: user,
		Name: "items", Schema: partitionSchema, MaxTokens: e.Limits.reply()}, &reply)
	if err != nil {
		return out, err
	}
	err = e.sorted(ctx, reply, shown, hits, &out)
	return out, err
}

// sorted adds the buckets of a reply about the pages that were shown.
func (e *Engine) sorted(
	ctx context.Context, reply partitionReply, shown []prompt.Page, hits []wstk.Hit,
	out *Partitioned,
) (err error) {
	var c cuts
	for _, it := range first(&c, reply.Items, maxItems) {
		b := wstk.Bucket{Rationale: strings.TrimSpace(c.text(it.Rationale, maxRationale)),
			Pages: numbered(shown, it.Pages)}
		if len(b.Pages) == 0 {
			continue
		}
		if b.Title, err = e.titleOf(ctx, strings.TrimSpace(c.text(it.Title, maxName)),
			b.Pages); err != nil {
			return err
		}
		if slices.ContainsFunc(out.Buckets, func(o wstk.Bucket) bool {
			return o.Title == b.Title && slices.Equal(o.Pages, b.Pages)
		}) {
			continue
		}
		if len(out.Buckets) == e.Limits.MostBuckets() {
			out.Left++
			continue
		}
		b.Hits = hitsOn(hits, b.Pages)
		out.Buckets = append(out.Buckets, b)
	}
	if c != (cuts{}) {
		out.Warnings = append(out.Warnings, replyCut(c))
	}
	return nil
}

// numbered are the addresses of pages by their numbers, each once.
func numbered(shown []prompt.Page, numbers []int) (urls []string) {
	for _, n := range numbers {
		if n >= 1 && n <= len(shown) && !slices.Contains(urls, shown[n-1].URL) {
			urls = append(urls, shown[n-1].URL)
		}
	}
	return urls
}

// replyCut is the warning for a reply that goes beyond its bounds.
func replyCut(c cuts) wstk.Warning {
	return wstk.Warning{Code: "reply_cut", Message: "The model replied with more than is taken: " +
		c.String() + "."}
}

// found are the pages of hits, best first, each with its title and what was found on it; left
// counts those beyond Limits.Summaries.
func (e *Engine) found(ctx context.Context, hits []wstk.Hit) (pages []prompt.Page, left int) {
	at := map[string]int{}
	addressed := map[string][]wstk.Span{}
	for _, h := range hits {
		i, ok := at[h.URL]
		if !ok {
			i = len(at)
			at[h.URL] = i
			if i < e.Limits.summaries() {
				pages = append(pages, prompt.Page{Number: i + 1, URL: h.URL})
				if t := strings.TrimSpace(h.Title); t != "" {
					pages[i].Passages = append(pages[i].Passages, text.Prefix(t, maxName))
				}
				if e.Addressed != nil {
					addressed[h.URL] = e.Addressed(ctx, h.URL)
				}
			}
		}
		if i >= len(pages) || len(pages[i].Passages) > passagesOfPage {
			continue
		}
		if h.Span != nil && touches(addressed[h.URL], h.Span.ByteStart, h.Span.ByteEnd) ||
			h.Span == nil && len(addressed[h.URL]) > 0 { // a summary is made of the whole page
			continue
		}
		if words := strings.TrimSpace(text.Prefix(h.Text, maxPassage)); words != "" {
			pages[i].Passages = append(pages[i].Passages, words)
		}
	}
	return pages, len(at) - len(pages)
}

// titleOf is the title that a model gave a bucket if it stands on one of its pages, else the
// title of the first of them.
func (e *Engine) titleOf(ctx context.Context, title string, urls []string) (string, error) {
	other, folded := "", text.FoldCompare(title)
	for _, u := range urls {
		d, err := e.Document(ctx, u)
		if wstk.CodeOf(err) == wstk.NotFound {
			continue
		}
		if err != nil {
			return "", wstk.Wrap(wstk.Internal, "reading the document of "+u, err)
		}
		if folded != "" && (strings.Contains(text.FoldCompare(d.Text), folded) ||
			strings.Contains(text.FoldCompare(d.Meta.Title), folded)) {
			return title, nil
		}
		if other == "" {
			other = text.Prefix(strings.TrimSpace(d.Meta.Title), maxName)
		}
	}
	return other, nil
}

// hitsOn are the hits on some pages.
func hitsOn(hits []wstk.Hit, urls []string) (out []wstk.Hit) {
	for _, h := range hits {
		if slices.Contains(urls, h.URL) {
			out = append(out, h)
		}
	}
	return out
}
