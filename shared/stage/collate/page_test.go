package collate

import (
	"strings"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

var fetched = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// say is one sentence on one page, under a heading and perhaps a field.
type say struct {
	url, section, field, text string
	frame                     bool   // outside the main content
	rest                      string // more text of the page
}

// document builds a page of a heading, the sentence and the rest.
func document(s say) *wstk.Document {
	d := &wstk.Document{URL: s.url, CanonicalURL: s.url, FetchedAt: fetched}
	d.Meta.Language = "en"
	d.Meta.Title = "Page " + s.url
	var b strings.Builder
	add := func(kind wstk.BlockKind, t string, main bool) {
		if t == "" {
			return
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		blk := wstk.Block{Kind: kind, Section: len(d.Sections) - 1, Main: main}
		blk.ByteStart = b.Len()
		b.WriteString(t)
		blk.ByteEnd = b.Len()
		d.Blocks = append(d.Blocks, blk)
	}
	if s.section != "" {
		d.Sections = append(d.Sections, wstk.Section{Title: s.section, Level: 1, Parent: -1})
		add(wstk.BlockHeading, s.section, true)
	}
	add(wstk.BlockParagraph, s.text, !s.frame)
	for _, r := range strings.Split(s.rest, "\n") {
		add(wstk.BlockParagraph, r, true)
	}
	d.Text = b.String()
	d.TextSHA256 = wstk.HashOf([]byte(d.Text))
	d.SnapshotSHA256 = wstk.HashOf([]byte(s.url))
	return d
}

// evidence is what verify would give for words of d.
func evidence(d *wstk.Document, words string) wstk.Evidence {
	i := strings.Index(d.Text, words)
	if i < 0 {
		panic("not in the text: " + words)
	}
	o := text.NewOffsets(d.Text)
	sp := wstk.Span{CharStart: o.Char(i), CharEnd: o.Char(i + len(words)), ByteStart: i,
		ByteEnd: i + len(words)}
	path := []string{}
	for _, b := range d.Blocks {
		if b.ByteStart <= i && i < b.ByteEnd {
			path = append(path, d.SectionPath(b.Section)...)
		}
	}
	return wstk.Evidence{ID: wstk.TextEvidenceID(d.TextSHA256, sp, d.URL),
		Kind: wstk.EvidenceText, Quote: words,
		CharStart: &sp.CharStart, CharEnd: &sp.CharEnd, ByteStart: &sp.ByteStart,
		ByteEnd:    &sp.ByteEnd,
		TextSHA256: d.TextSHA256, SnapshotSHA256: d.SnapshotSHA256, URL: d.URL,
		CanonicalURL: d.CanonicalURL,
		SectionPath:  path, FetchedAt: d.FetchedAt, PublishedAt: d.Meta.PublishedAt,
		Status: wstk.StatusDirect, Link: text.FragmentLink(d.URL, words)}
}

// claimOf is a direct claim whose statement is its quote.
func claimOf(d *wstk.Document, words, field string) Item {
	return Item{
		Claim: wstk.Claim{Field: field, Statement: words, Support: wstk.SupportDirect,
			Proposed: []wstk.Proposal{
				{Kind: wstk.EvidenceText, URL: d.URL, Words: words, ByteStart: -1, Element: -1}}},
		Evidence: []wstk.Evidence{evidence(d, words)},
	}
}

// collateOf joins sentences, one claim for each.
func collateOf(query string, says ...say) wstk.Extraction {
	in := Input{Query: query, Strategy: wstk.Singular, Strict: true}
	for _, s := range says {
		d := document(s)
		in.Pages = append(in.Pages, d)
		in.Items = append(in.Items, claimOf(d, s.text, s.field))
	}
	return collated(in)
}
