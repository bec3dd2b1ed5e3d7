// Package index makes a page findable: it turns a Document, its Summary and its
// links into a PageIndex, all as tokens, and replaces the page in the Index.
package index

import (
	"context"
	"strings"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Stage indexes pages.
type Stage struct {
	Index wstk.Index

	// Split cuts a document into chunks; wired to chunk.Split.
	Split func(context.Context, *wstk.Document) ([]wstk.Chunk, error)

	Pages wstk.PageStore   // told when the index holds a page's text; may be nil
	Now   func() time.Time // nil means time.Now
}

// Input is a page with what is known about it.
type Input struct {
	Page     wstk.Page
	Document *wstk.Document
	Summary  *wstk.Summary // nil when there is none
}

// Do replaces what the index holds for in.Page with in.Document, and returns it. Doing it
// again changes nothing; of two fetches of a page the newer stays, whichever comes last.
//
// All chunks are indexed, main and not: a search for a telephone number finds it in the
// footer. Recall, which can be tuned, puts main content first.
func (s *Stage) Do(ctx context.Context, in Input) (wstk.PageIndex, error) {
	p, err := s.Build(ctx, in)
	if err != nil {
		return wstk.PageIndex{}, err
	}
	if err := s.Index.Replace(ctx, p); err != nil {
		return wstk.PageIndex{}, wstk.Wrap(wstk.Internal, "indexing "+p.URL, err)
	}
	if s.Pages != nil {
		now := time.Now
		if s.Now != nil {
			now = s.Now
		}
		if err := s.Pages.MarkIndexed(ctx, p.URL, p.TextSHA256, now().UTC()); err != nil {
			return wstk.PageIndex{}, wstk.Wrap(wstk.Internal, "marking page indexed", err)
		}
	}
	return p, nil
}

// Build returns what Do puts into the index, and stores nothing.
func (s *Stage) Build(ctx context.Context, in Input) (wstk.PageIndex, error) {
	d := in.Document
	if d == nil {
		return wstk.PageIndex{}, wstk.Errorf(wstk.Invalid, "indexing "+in.Page.URL, "no document")
	}
	if in.Page.URL != d.URL {
		return wstk.PageIndex{},
			wstk.Errorf(wstk.Invalid, "indexing "+in.Page.URL, "the document is of %s", d.URL)
	}
	if in.Summary != nil && (in.Summary.URL != d.URL || in.Summary.TextSHA256 != d.TextSHA256) {
		return wstk.PageIndex{},
			wstk.Errorf(wstk.Invalid, "indexing "+d.URL, "the summary is of another text")
	}
	title := d.Meta.Title
	if title == "" {
		title = in.Page.Title
	}
	p := wstk.PageIndex{
		URL: d.URL, Site: in.Page.Site, CanonicalURL: d.CanonicalURL, Title: title,
		Language:   Language(d),
		TextSHA256: d.TextSHA256, SnapshotSHA256: d.SnapshotSHA256,
		FetchedAt: d.FetchedAt, PublishedAt: d.Meta.PublishedAt, Tokenizer: text.TokenizerVersion,
		Links: links(d),
	}
	if p.CanonicalURL == "" {
		p.CanonicalURL = d.URL
	}
	titleTokens := tokens(title, p.Language)
	paths := map[int][]string{}
	header := headers(d)
	chunks, err := s.Split(ctx, d)
	if err != nil {
		return wstk.PageIndex{}, err
	}
	for _, c := range chunks {
		if err := ctx.Err(); err != nil {
			return wstk.PageIndex{}, wstk.Wrap(wstk.Cancelled, "indexing "+d.URL, err)
		}
		path, ok := paths[c.Parent]
		if !ok {
			path = tokens(strings.Join(c.SectionPath, "\n"), p.Language)
			paths[c.Parent] = path
		}
		if h := header(c); h != "" {
			path = append(path[:len(path):len(path)], tokens(h, p.Language)...)
		}
		p.Entries = append(p.Entries, wstk.Entry{
			ID: c.ID, Kind: wstk.KindChunk, Chunk: &c,
			Title: titleTokens, Heading: path,
			Body: tokens(d.Text[c.ByteStart:c.ByteEnd], p.Language),
		})
	}
	if in.Summary != nil {
		p.Entries = append(p.Entries, summaryEntry(*in.Summary, titleTokens, p.Language))
	}
	return p, nil
}

// summaryEntry makes a summary searchable: its text and its signals are the body.
func summaryEntry(s wstk.Summary, title []string, lang string) wstk.Entry {
	var b strings.Builder
	b.WriteString(s.Text)
	for _, list := range [][]string{s.Signals.Offers, s.Signals.Asks, s.Signals.CallsToAction,
		s.Signals.Entities} {
		for _, phrase := range list {
			b.WriteByte('\n')
			b.WriteString(phrase)
		}
	}
	return wstk.Entry{ID: s.Key().ID(), Kind: wstk.KindSummary, Summary: &s, Title: title,
		Body: tokens(b.String(), lang)}
}

// Language is the language a document's tokens are made in: the one it declares,
// else the one it looks like, else "".
func Language(d *wstk.Document) string {
	if d.Meta.Language != "" {
		return d.Meta.Language
	}
	s := d.MainText()
	if s == "" {
		s = d.Text
	}
	return text.DetectLanguage(s[:min(len(s), 4000)])
}

// headers returns a function that gives the header row of a table if a chunk begins in the
// middle of it: without it, rows that are cut off from their header could not be found by
// the names of their columns.
func headers(d *wstk.Document) func(wstk.Chunk) string {
	first := map[int]int{} // table → block of its header
	for i, b := range d.Blocks {
		if _, ok := first[b.Table]; !ok && b.Table > 0 && b.IsHeader {
			first[b.Table] = i
		}
	}
	return func(c wstk.Chunk) string {
		b := d.Blocks[c.Blocks[0]]
		if h, ok := first[b.Table]; ok && b.Table > 0 && h < c.Blocks[0] {
			return d.BlockText(h)
		}
		return ""
	}
}

// tokens returns what the index stores of s. Stop words are among it: a query that has
// nothing else must find them.
func tokens(s, lang string) []string {
	ts := text.Tokenize(s, lang)
	out := make([]string, 0, len(ts))
	for _, t := range ts {
		out = append(out, t.Text)
	}
	return out
}

// links returns the page's links to other pages, each target once, in page order:
// with the words of the first link in main content that has any, else of the
// first with any.
func links(d *wstk.Document) []wstk.Link {
	var out []wstk.Link
	at := map[string]int{}
	for _, l := range d.Links {
		if !strings.Contains(l.URL, "://") || l.URL == d.URL || l.URL == d.CanonicalURL {
			continue
		}
		i, ok := at[l.URL]
		if !ok {
			at[l.URL] = len(out)
			out = append(out, l)
			continue
		}
		seen := &out[i]
		if l.Main && !seen.Main {
			words := seen.Text
			nofollow := seen.NoFollow && l.NoFollow
			*seen = l
			seen.NoFollow = nofollow
			if seen.Text == "" {
				seen.Text = words
			}
			continue
		}
		seen.NoFollow = seen.NoFollow && l.NoFollow
		if seen.Text == "" {
			seen.Text = l.Text
		}
	}
	return out
}
