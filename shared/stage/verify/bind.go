package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"wstk/shared/wstk"
)

// A quote is proven only if it is bound to its source: a Document says that this text belongs
// to this snapshot of this URL, a fetch says when the snapshot came, and the snapshot, read
// again, gives the same text.

// Library is what evidence is compared with: the stores, or a bundle.
type Library struct {
	// Fetches returns the fetches of the page of this URL, under which it was read.
	Fetches func(ctx context.Context, e wstk.Evidence) ([]wstk.Snapshot, error)

	// Documents returns the readings of the page of this URL.
	Documents func(ctx context.Context, e wstk.Evidence) ([]*wstk.Document, error)

	// Read reads the body of a fetch again, as it was read then.
	Read func(ctx context.Context, s wstk.Snapshot) (*wstk.Document, error)

	// BreaksOff reports whether the page of a fetch, as it was read, is a teaser. It is nil
	// if that cannot be known.
	BreaksOff func(ctx context.Context, s wstk.Snapshot, d *wstk.Document) (bool, error)

	// Kind returns what the bytes of a fetch are, seen from the bytes alone, as in the name
	// of a reader: html. If it is nil, they are not looked at.
	Kind func(ctx context.Context, s wstk.Snapshot) (string, error)

	// Whole is set if every Evidence must have its Document here: in a bundle of today's
	// form. In the stores a page may have been read again since.
	Whole bool

	// Old is set for bundles of older forms. They hold no fetches, and the oldest hold no
	// Documents either; what they cannot show is unchecked.
	Old bool

	// Name is what it is called: bundle or store.
	Name string
}

// Binder binds evidence to its source. It reads each fetch once, and may not be used
// concurrently.
type Binder struct {
	Library
	readings map[readingKey]reading
	teasers  map[readingKey]bool
	differ   map[[2]*wstk.Document]string // readings that were compared, see unlike
}

type readingKey struct {
	url   string
	body  wstk.Hash
	seen  wstk.Hash // what a browser showed
	at    time.Time
	trial string // content type and charset that are tried
}

type reading struct {
	doc *wstk.Document
	err error
}

// Bound is what binding an Evidence found.
type Bound struct {
	Why       string         // why it is not proven; "" if it is
	Document  *wstk.Document // that holds it, as this version reads it; nil if it is not proven
	Unchecked []string       // fields that could not be checked here

	// Place is the Evidence as it is in Document: with the text, the offsets, the section,
	// the sentence and the flags that it has there, and with Partial as BreaksOff reports
	// it.
	Place wstk.Evidence

	// Anew is set if reading again gave another text than the Evidence names: Place is where
	// this version finds its words on the page.
	Anew bool

	other bool // another version of the reader is said to have read the page, or may have
}

// Fields of a report's unchecked list. Those of an Evidence have its JSON names.
const (
	UncheckedReading   = "reading"        // the text was not read again from the snapshot
	UncheckedOlder     = "reading, older" // it was, by a newer reader, which finds the words too
	UncheckedURL       = "url"
	UncheckedFinalURL  = "final_url"
	UncheckedFetched   = "fetched_at"
	UncheckedCanonical = "canonical_url"
	UncheckedPublished = "published_at"
	UncheckedSection   = "section_path"
	UncheckedPage      = "page"
	UncheckedSentence  = "sentence"
	UncheckedFlags     = "flags"
	UncheckedPartial   = "partial" // it is not known whether the page breaks off
	UncheckedText      = "text_sha256"
	UncheckedSnapshot  = "snapshot_sha256"
)

// Bind compares an Evidence that passed Recheck with its source. An error means that the
// stores failed, or Cancelled that ctx ended.
func (b *Binder) Bind(ctx context.Context, e wstk.Evidence) (Bound, error) {
	if err := stopped(ctx); err != nil {
		return Bound{}, err
	}
	fetch, why, err := b.Fetch(ctx, e)
	if err != nil || why != "" {
		return Bound{Why: why}, err
	}
	out, err := b.bind(ctx, e, fetch)
	if err != nil || out.Why != "" {
		return out, err
	}
	if out.Place.ID == "" {
		out.Place = e
	}
	switch {
	case fetch != nil && b.BreaksOff != nil:
		if out.Place.Partial, err = b.teaser(ctx, *fetch, out.Document); err != nil {
			return Bound{}, err
		}
	case e.Partial:
		out.Unchecked = append(out.Unchecked, UncheckedPartial)
	}
	if span, ok := out.Place.Span(); ok {
		out.Place.Sentence, out.Place.Flags = SentenceAt(out.Document, span),
			out.Document.FlagsIn(span.ByteStart, span.ByteEnd)
		out.Place.SectionPath, out.Place.Page = sectionAt(out.Document, span.ByteStart),
			pageAt(out.Document, span.ByteStart)
	}
	if out.other {
		out.compare(e)
	}
	return out, nil
}

// compare compares what an Evidence of another version of the reader says of its place with
// what this version reads there. What differs is unchecked, since that version is not here to
// ask. A flag that the Evidence does not have is a fault: it would hide that the page takes
// the words back or that a visitor wrote them, and a name of another reader costs nothing.
func (b *Bound) compare(e wstk.Evidence) {
	var fields []string
	differs := func(name string, is bool) {
		if is {
			fields = append(fields, name)
		}
	}
	at := b.Place
	differs(UncheckedCanonical, e.CanonicalURL != b.Document.CanonicalURL)
	differs(UncheckedPublished, !wstk.SameTime(e.PublishedAt, b.Document.Meta.PublishedAt))
	if _, ok := e.Span(); ok {
		differs(UncheckedSection, !slices.Equal(e.SectionPath, at.SectionPath))
		differs(UncheckedPage, (e.Page == nil) != (at.Page == nil) ||
			e.Page != nil && *e.Page != *at.Page)
		differs(UncheckedSentence, e.Sentence != "" && at.Sentence == "")
		differs(UncheckedFlags, !slices.Equal(e.Flags, at.Flags))
		for _, f := range at.Flags {
			if !slices.Contains(e.Flags, f) {
				*b = Bound{Why: fmt.Sprintf("this version reads these words with the flag %q, "+
					"and it does not have this flag", f)}
				return
			}
		}
	}
	if b.Anew {
		fields = append(fields, UncheckedText)
	}
	if len(fields) > 0 {
		b.Unchecked = append(b.Unchecked, append([]string{UncheckedOlder}, fields...)...)
	}
}

func (b *Binder) bind(ctx context.Context, e wstk.Evidence, fetch *wstk.Snapshot) (Bound, error) {
	d, why, err := b.document(ctx, e)
	if err != nil || why != "" {
		return Bound{Why: why}, err
	}
	if fetch == nil {
		return b.bindOld(ctx, e, d)
	}
	again, err := b.read(ctx, *fetch, "")
	if err != nil {
		if ctx.Err() != nil {
			return Bound{}, err
		}
		return Bound{Why: "its page cannot be read again from its snapshot: " + err.Error()}, nil
	}
	open, err := b.doubts(ctx, *fetch, again)
	if err != nil {
		return Bound{}, err
	}
	var out Bound
	if d == nil {
		out = withoutDocument(e, again)
	} else {
		out = b.sameReading(e, d, again)
	}
	out.Unchecked = append(slices.Clone(out.Unchecked), open...)
	return out, nil
}

// Fetch returns the fetch that gave an Evidence's snapshot, or says why there is none. Both
// are empty for a bundle of an older form, which holds no fetches.
func (b *Binder) Fetch(ctx context.Context, e wstk.Evidence) (*wstk.Snapshot, string, error) {
	fetches, err := b.Fetches(ctx, e)
	if err != nil {
		return nil, "", err
	}
	why := "there is no fetch of its page in the " + b.Name
	for _, s := range fetches {
		switch {
		case s.FinalURL != e.URL:
		case s.BodySHA256 != e.SnapshotSHA256:
			why = "no fetch of its page gave its snapshot"
		case !s.FetchedAt.Equal(e.FetchedAt):
			why = "no fetch of its page is from the time it names"
		default:
			return &s, "", nil
		}
	}
	if b.Old && len(fetches) == 0 {
		return nil, "", nil
	}
	return nil, why, nil
}

// document returns the Document that an Evidence is from; nil if it is not here.
func (b *Binder) document(ctx context.Context, e wstk.Evidence) (*wstk.Document, string, error) {
	docs, err := b.Documents(ctx, e)
	if err != nil {
		return nil, "", err
	}
	differs := ""
	for _, d := range docs {
		if d.URL != e.URL || d.SnapshotSHA256 != e.SnapshotSHA256 {
			continue
		}
		if !d.FetchedAt.Equal(e.FetchedAt) {
			// In a store the page may have been fetched again since, and be the same.
			if (b.Whole || b.Old) && differs == "" {
				differs = "no fetch of its page is from the time it names"
			}
			continue
		}
		why := OfPage(e, d)
		if why == "" {
			return d, "", nil
		}
		differs = why
	}
	if differs == "" && b.Whole {
		differs = "the " + b.Name + " holds no page of this URL with its text and its snapshot"
	}
	return nil, differs, nil
}

// withoutDocument binds an Evidence whose Document is missing by reading its snapshot again.
func withoutDocument(e wstk.Evidence, again *wstk.Document) Bound {
	if again.TextSHA256 == e.TextSHA256 {
		return Bound{Why: OfPage(e, again), Document: again}
	}
	return anew(e, again)
}

// anew looks for the words of an Evidence in another reading of its page, and binds it to
// the place where they are there.
func anew(e wstk.Evidence, d *wstk.Document) Bound {
	out := Bound{Document: d, Place: e, Anew: true, other: true}
	out.Place.TextSHA256 = d.TextSHA256
	if e.Kind == wstk.EvidenceData {
		if !hasLeaf(d, e) {
			return Bound{Why: "its snapshot, read again, does not hold this value"}
		}
		return out
	}
	near := -1
	if e.ByteStart != nil {
		near = *e.ByteStart
	}
	span, _, ok := (&Haystack{Text: d.Text}).Find(e.Quote, near)
	if !ok {
		return Bound{Why: "its snapshot, read again, does not hold these words"}
	}
	out.Place.ByteStart, out.Place.ByteEnd, out.Place.CharStart, out.Place.CharEnd =
		&span.ByteStart, &span.ByteEnd, &span.CharStart, &span.CharEnd
	out.Place.Quote = d.Text[span.ByteStart:span.ByteEnd]
	return out
}

// Reread finds the words of an Evidence in another reading of its body, and returns it as it would
// be of that reading; not ok if they are not there, or only in another form.
func Reread(e wstk.Evidence, d *wstk.Document) (wstk.Evidence, bool) {
	b := anew(e, d)
	if b.Why != "" || b.Place.Quote != e.Quote {
		return e, false
	}
	if at, ok := b.Place.Span(); ok {
		b.Place.SectionPath, b.Place.Flags = sectionAt(d, at.ByteStart), d.FlagsIn(at.ByteStart, at.ByteEnd)
		b.Place.Sentence = SentenceAt(d, at)
	}
	return b.Place, true
}

// sameText binds an Evidence to a reading of its text by another version of the reader.
func sameText(e wstk.Evidence, d *wstk.Document) Bound {
	if e.Kind == wstk.EvidenceData && !hasLeaf(d, e) {
		return Bound{Why: "its snapshot, read again, does not hold this value"}
	}
	return Bound{Document: d, other: true}
}

// hasLeaf reports whether the value of an Evidence is in the page's structured data. Other
// attributes and elements, hidden ones among them, prove nothing.
func hasLeaf(d *wstk.Document, e wstk.Evidence) bool {
	return slices.ContainsFunc(d.Data, func(item wstk.DataItem) bool {
		return slices.ContainsFunc(item.LeavesOf(e), func(l wstk.DataLeaf) bool {
			return l.Literal == e.Literal
		})
	})
}

// sameReading compares d, the stored reading that an Evidence is from, with a new reading of
// the same fetch.
func (b *Binder) sameReading(e wstk.Evidence, d, again *wstk.Document) Bound {
	name, _, _ := strings.Cut(d.Reader, "/")
	today, _, _ := strings.Cut(again.Reader, "/")
	switch {
	case name != today || d.Reader == "":
		return Bound{Why: fmt.Sprintf("its page says that %q read it, but %q reads its snapshot",
			d.Reader, again.Reader)}
	case d.Reader == again.Reader && d.TextSHA256 != again.TextSHA256:
		return Bound{Why: "its snapshot, read again, gives another text"}
	case d.Reader == again.Reader:
		pair := [2]*wstk.Document{d, again}
		what, known := b.differ[pair]
		if !known {
			what = unlike(d, again)
			if b.differ == nil {
				b.differ = map[[2]*wstk.Document]string{}
			}
			b.differ[pair] = what
		}
		if what != "" {
			return Bound{Why: "its snapshot, read again, gives another page: " + what}
		}
		return Bound{Document: d}
	case d.TextSHA256 == again.TextSHA256:
		return sameText(e, again)
	}
	out := anew(e, again)
	if out.Why != "" {
		out.Why += "; it was read by " + d.Reader
	}
	return out
}

// unlike names the parts in which two readings of one fetch differ, "" for none. It leaves
// out what only shows the page in another form.
func unlike(a, b *wstk.Document) string {
	parts := func(d *wstk.Document) map[string]json.RawMessage {
		bare := *d
		bare.Text, bare.Markdown, bare.Links, bare.Choice, bare.Warnings = "", "",
			nil, wstk.Choice{}, nil
		raw, err := json.Marshal(&bare)
		m := map[string]json.RawMessage{}
		if err == nil {
			err = json.Unmarshal(raw, &m)
		}
		if err != nil {
			return nil
		}
		return m
	}
	x, y := parts(a), parts(b)
	var names []string
	for k := range x {
		if string(x[k]) != string(y[k]) {
			names = append(names, k)
		}
	}
	for k := range y {
		if _, ok := x[k]; !ok {
			names = append(names, k)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// trials are the content types as which a body may have been sent whose fetch is unknown.
var trials = []string{"", "text/html", "text/html; charset=utf-8",
	"text/html; charset=windows-1252", "text/plain", "text/plain; charset=utf-8",
	"application/json", "text/markdown", "application/xml"}

// bindOld binds an Evidence of a bundle of an older form, which holds no fetches. It reads the
// snapshot as each type that it may have been sent as. The Document in the bundle is only
// what its writer says, and proves nothing.
func (b *Binder) bindOld(ctx context.Context, e wstk.Evidence, d *wstk.Document) (Bound, error) {
	out := Bound{Why: "its page cannot be read again from its snapshot"}
	first := ""
	for _, trial := range trials {
		again, err := b.read(ctx, wstk.Snapshot{URL: e.URL, FinalURL: e.URL,
			BodySHA256: e.SnapshotSHA256, FetchedAt: e.FetchedAt}, trial)
		// a reading that was kept comes without an error
		if stop := stopped(ctx); stop != nil {
			return Bound{}, stop
		}
		if err != nil {
			if wstk.CodeOf(err) == wstk.NotFound {
				return Bound{Why: "its snapshot is not stored here"}, nil
			}
			continue
		}
		kind, _, _ := strings.Cut(again.Reader, "/")
		if first == "" {
			first = kind
		}
		if first == "html" && kind != first {
			continue // markup read as plain text holds words that no reader sees
		}
		if again.TextSHA256 == e.TextSHA256 {
			out = sameText(e, again)
			break
		}
		if out.Why != "" {
			out = anew(e, again)
		}
	}
	if out.Why == "" {
		out.Unchecked = append(out.Unchecked, UncheckedFinalURL)
		if d == nil {
			out.Unchecked = append(out.Unchecked, UncheckedURL, UncheckedFetched)
		}
	}
	return out, nil
}

// teaser calls BreaksOff once for each fetch.
func (b *Binder) teaser(
	ctx context.Context, s wstk.Snapshot, d *wstk.Document,
) (is bool, err error) {
	key := keyOf(s, "")
	is, known := b.teasers[key]
	if known {
		return is, nil
	}
	if is, err = b.BreaksOff(ctx, s, d); err != nil {
		return false, err
	}
	if b.teasers == nil {
		b.teasers = map[readingKey]bool{}
	}
	b.teasers[key] = is
	return is, nil
}

func keyOf(s wstk.Snapshot, trial string) readingKey {
	return readingKey{s.FinalURL, s.BodySHA256, s.VisibilitySHA256, s.FetchedAt.UTC(), trial}
}

func (b *Binder) read(ctx context.Context, s wstk.Snapshot, trial string) (*wstk.Document, error) {
	key := keyOf(s, trial)
	if r, ok := b.readings[key]; ok {
		return r.doc, r.err
	}
	if trial != "" {
		s.ContentType = trial
	}
	var r reading
	r.doc, r.err = b.Read(ctx, s)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if b.readings == nil {
		b.readings = map[readingKey]reading{}
	}
	b.readings[key] = r
	return r.doc, r.err
}
