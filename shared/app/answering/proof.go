package answering

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"wstk/shared/app/reading"
	"wstk/shared/stage/answer"
	"wstk/shared/stage/read"
	"wstk/shared/stage/screen"
	"wstk/shared/stage/verify"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// MaxResult bounds a saved result that verify reads, in bytes.
const MaxResult = 64 << 20

// VerifyReport says what of a saved result still stands, and what was not checked.
type VerifyReport struct {
	File     string `json:"file"`
	Against  string `json:"against"` // bundle or store
	Verified int    `json:"verified"`
	Failed   int    `json:"failed"`
	// quotes of Verified whose text this version does not make; their statements are not ok but
	// null
	ReadAnew   int                     `json:"read_anew"`
	Checks     []VerifiedItem          `json:"checks"`
	Statements []CheckedWords          `json:"statements"`
	Grades     []CheckedGrade          `json:"grades"`
	Unchecked  []verify.UncheckedField `json:"unchecked"`
}

// CheckedWords is the check of a part of a reply that is no quote itself.
type CheckedWords struct {
	// statement, conflict, content, title, source, grounding, reference; form for what is no part of a reply
	// at all
	Part  string `json:"part"`
	Words string `json:"words"`
	// null where no code can tell, as for a statement that is said to follow from its quotes
	OK     *bool  `json:"ok"`
	Reason string `json:"reason,omitempty"` // why it does not stand, or was not checked
}

// CheckedGrade is what an answer says of its grounding beside what the rules of this
// version say.
type CheckedGrade struct {
	Claimed wstk.Grade `json:"claimed"`
	Today   wstk.Grade `json:"today"`             // "" where the rules lack something
	Counted string     `json:"counted,omitempty"` // what today's counts
	OK      *bool      `json:"ok"`                // null where it was not checked
	Reason  string     `json:"reason,omitempty"`
}

// VerifiedItem is the check of one Evidence.
type VerifiedItem struct {
	ID    string            `json:"id"`
	Kind  wstk.EvidenceKind `json:"kind"`
	URL   string            `json:"url"`
	Words string            `json:"words"`
	OK    bool              `json:"ok"`
	// the text it names could not be read again; its words stand in another reading
	Anew   bool   `json:"read_anew,omitempty"`
	Reason string `json:"reason,omitempty"` // why not, or how
}

// Problems lists what did not verify, a clause each.
func (r VerifyReport) Problems() []string {
	var out []string
	for _, k := range r.Checks {
		if !k.OK {
			out = append(out, fmt.Sprintf("the quote %s %q: %s", k.ID,
				text.Shorten(k.Words, 60), k.Reason))
		}
	}
	for _, k := range r.Statements {
		if k.OK != nil && !*k.OK {
			out = append(out, fmt.Sprintf("the %s %q: %s", k.Part,
				text.Shorten(k.Words, 60), k.Reason))
		}
	}
	return out
}

// VerifyBundle checks every Evidence and statement in a bundle. It needs nothing but
// the bundle and the reader, which reads its pages again.
func VerifyBundle(ctx context.Context, b verify.Bundle, reader *read.Stage) (VerifyReport, error) {
	if len(b.Reply()) > MaxResult {
		return VerifyReport{}, wstk.Errorf(wstk.TooLarge, "reading the result",
			"it is over %d bytes", MaxResult)
	}
	saved, err := verify.Read(ctx, b.Reply())
	if err != nil {
		return VerifyReport{}, err
	}
	docs, fetches, err := verify.Records(ctx, b)
	if err != nil {
		return VerifyReport{}, err
	}
	old := len(fetches) == 0
	for _, a := range saved.Answers { // versions that name their rules put fetches into bundles
		old = old && (a.Asked == nil || a.Asked.Rules == "")
	}
	saved.Faults = append(saved.Faults, verify.Unneeded(b, saved, docs, fetches)...)
	c := checker{against: "bundle", stage: &verify.Stage{Blobs: b, Literal: read.FindData},
		old: old}
	c.binder.Library = verify.Library{
		Name: "bundle", Whole: !old, Old: old,
		Fetches: func(context.Context, wstk.Evidence) ([]wstk.Snapshot, error) {
			return fetches, nil
		},
		Documents: func(_ context.Context, e wstk.Evidence) (of []*wstk.Document, err error) {
			for _, d := range docs {
				if d.URL == e.URL {
					of = append(of, d)
				}
			}
			return of, nil
		},
		Read: readerOf(b, reader), BreaksOff: teaserIn(b), Kind: bytesKind(b),
	}
	return c.check(ctx, saved)
}

// readerOf reads bodies again out of a store.
func readerOf(
	blobs wstk.BlobStore, reader *read.Stage,
) func(context.Context, wstk.Snapshot) (*wstk.Document, error) {
	return func(ctx context.Context, s wstk.Snapshot) (*wstk.Document, error) {
		body, err := blobs.Get(ctx, s.BodySHA256)
		if err != nil {
			return nil, err
		}
		var visibility []byte
		if s.VisibilitySHA256 != "" {
			if visibility, err = blobs.Get(ctx, s.VisibilitySHA256); err != nil {
				return nil, err
			}
		}
		done, err := reading.Slot(ctx, len(body))
		if err != nil {
			return nil, err
		}
		defer done()
		return reader.Do(ctx, reading.ReadInput(s, body, visibility))
	}
}

// handedOver notes the quotes of pages that a service fetched and handed over.
func (c checker) handedOver(
	ctx context.Context, saved *verify.Saved, left verify.Unchecked,
) error {
	for _, e := range saved.Evidence {
		fetches, err := c.binder.Fetches(ctx, e.Evidence)
		if err != nil {
			return err
		}
		for _, s := range fetches {
			if s.FetchedBy != "" && s.BodySHA256 == e.SnapshotSHA256 && s.FinalURL == e.URL {
				left.Add("fetched_by", 1, "the page was fetched and handed over by "+
					wstk.Via(s.FetchedBy, s.FetchedVia)+": only that service says that the site sent these bytes")
				break
			}
		}
	}
	return nil
}

// teaserIn screens bodies again out of a store.
func teaserIn(
	blobs wstk.BlobStore,
) func(context.Context, wstk.Snapshot, *wstk.Document) (bool, error) {
	return func(ctx context.Context, s wstk.Snapshot, d *wstk.Document) (bool, error) {
		body, err := blobs.Get(ctx, s.BodySHA256)
		if err != nil {
			return false, err
		}
		return screen.BreaksOff(ctx, screen.Input{Snapshot: s, Document: d, Body: body})
	}
}

// bytesKind tells of bodies in a store what they are, see read.Kind.
func bytesKind(blobs wstk.BlobStore) func(context.Context, wstk.Snapshot) (string, error) {
	return func(ctx context.Context, s wstk.Snapshot) (string, error) {
		body, err := blobs.Get(ctx, s.BodySHA256)
		return read.Kind(s.FinalURL, body), err
	}
}

// VerifySaved checks every Evidence and statement in saved JSON against the stores. It works
// on stored bytes alone. A bundle is for VerifyBundle.
func (a *Room) VerifySaved(ctx context.Context, data []byte) (VerifyReport, error) {
	saved, err := verify.Read(ctx, data)
	if err != nil {
		return VerifyReport{}, err
	}
	return a.storeChecker().check(ctx, saved)
}

// storeChecker checks results against the stores.
func (a *Room) storeChecker() *checker {
	return &checker{against: "store", stage: a.Verify, binder: verify.Binder{
		Library: verify.Library{Name: "store", Fetches: a.fetchesOf, Documents: a.documentOf,
			Read: readerOf(a.Blobs, a.Read), BreaksOff: teaserIn(a.Blobs),
			Kind: bytesKind(a.Blobs)}}}
}

// maxFetches is how many fetches of a page are looked through for the one that an
// Evidence names.
const maxFetches = 10000

// fetchesOf returns the stored fetches that may have given an Evidence: of its URL, and of
// the address that led there when its snapshot came.
func (a *Room) fetchesOf(ctx context.Context, e wstk.Evidence) ([]wstk.Snapshot, error) {
	fetches, err := a.Snapshots.List(ctx, e.URL, maxFetches)
	if err != nil {
		return nil, err
	}
	for _, s := range fetches {
		if s.BodySHA256 == e.SnapshotSHA256 && s.FetchedAt.Equal(e.FetchedAt) {
			return fetches, nil
		}
	}
	snap, err := a.Snapshots.Get(ctx, e.SnapshotSHA256)
	if code := wstk.CodeOf(err); code == wstk.NotFound || code == wstk.Invalid {
		return fetches, nil
	}
	if err != nil || snap.URL == e.URL {
		return fetches, err
	}
	led, err := a.Snapshots.List(ctx, snap.URL, maxFetches)
	return append(fetches, led...), err
}

// documentOf returns the reading that stands for the page of an Evidence now.
func (a *Room) documentOf(ctx context.Context, e wstk.Evidence) ([]*wstk.Document, error) {
	p, err := a.Pages.Get(ctx, e.URL)
	if wstk.CodeOf(err) == wstk.NotFound || err == nil && p.Document == "" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d, err := a.Reading.Document(ctx, p.Document)
	if err != nil {
		return nil, err
	}
	return []*wstk.Document{d}, nil
}

// checker checks a result against a bundle or the stores.
type checker struct {
	against string
	old     bool // a bundle of an older form
	stage   *verify.Stage
	binder  verify.Binder
}

func (c *checker) check(ctx context.Context, saved *verify.Saved) (VerifyReport, error) {
	rep := VerifyReport{Against: c.against, Checks: []VerifiedItem{}, Statements: []CheckedWords{},
		Grades: []CheckedGrade{}}
	left := verify.Unchecked{}
	stands := make([]bool, len(saved.Evidence))
	named := make([]bool, len(saved.Evidence)) // of an answer that says by which rules it was made
	for _, a := range saved.Answers {
		for i := range a.Extraction.Evidence {
			named[a.First+i] = a.Asked != nil && a.Asked.Rules != ""
		}
	}
	for i, e := range saved.Evidence {
		named[i] = named[i] || e.Passage != nil && e.Passage.Rules != ""
	}
	pages := make([]*wstk.Document, len(saved.Evidence))
	anew := make([]bool, len(saved.Evidence))
	for i, e := range saved.Evidence {
		bound, err := c.one(ctx, e)
		if err != nil {
			if ctx.Err() != nil {
				return VerifyReport{}, err
			}
			bound.Why = err.Error() // bytes that no longer match their hash are a finding here
		}
		if bound.Why == "" && bound.Place.Sentence != "" &&
			bound.Place.Sentence != e.Sentence && named[i] {
			bound.Why = "it is a part of a sentence, but does not say so"
		}
		stands[i], pages[i], anew[i] = bound.Why == "", bound.Document, bound.Anew
		item := VerifiedItem{ID: e.ID, Kind: e.Kind, URL: e.URL, Words: e.Quote, OK: stands[i],
			Anew: bound.Anew, Reason: bound.Why}
		if stands[i] {
			rep.Verified++
			left.Fields(bound, e.Evidence, c.against)
			saved.Evidence[i].Evidence = bound.Place
		} else {
			rep.Failed++
		}
		if bound.Anew {
			rep.ReadAnew++
			item.Reason = notReadAgain
		}
		rep.Checks = append(rep.Checks, item)
	}
	for _, f := range saved.Faults {
		rep.Statements = append(rep.Statements, checked("form", f.Path, f.Why))
	}
	h := &held{stands: stands, anew: anew, pages: pages}
	for _, a := range saved.Answers {
		for i := range a.Extraction.Evidence { // as their pages say, not as the file does
			a.Extraction.Evidence[i] = saved.Evidence[a.First+i].Evidence
		}
		if err := rep.answer(ctx, a, h, left); err != nil {
			return VerifyReport{}, err
		}
	}
	for _, p := range saved.Pages {
		rep.aboutPage(p, saved)
	}
	if err := c.handedOver(ctx, saved, left); err != nil {
		return VerifyReport{}, err
	}
	left.Whole(c.against, saved)
	rep.Unchecked = left.List()
	return rep, nil
}

// aboutPage holds the citations and the turns of a reply about a page against its answers.
func (r *VerifyReport) aboutPage(p verify.AboutPage, saved *verify.Saved) {
	whole := p.AnswerResult
	for _, a := range saved.Answers[p.From:p.To] {
		whole.Extractions = append(whole.Extractions, a.Extraction)
	}
	for _, why := range append(answer.CheckCited(whole), answer.CheckTurns(whole)...) {
		r.Statements = append(r.Statements, checked("reference", p.Path, why))
	}
}

func (c *checker) one(ctx context.Context, e verify.Given) (verify.Bound, error) {
	if e.Malformed != "" {
		return verify.Bound{Why: e.Malformed}, nil
	}
	if why, err := c.stage.Recheck(ctx, e.Evidence); why != "" || err != nil {
		return verify.Bound{Why: why}, err
	}
	return c.binder.Bind(ctx, e.Evidence)
}

// WriteBundle stores a result, and every text, snapshot, fetch and page structure its
// evidence names, in one file that verifies anywhere. It checks the result first, as VerifySaved
// does: one that does not stand whole here is Conflict, and no file is written.
func (a *Room) WriteBundle(ctx context.Context, path string, result []byte) error {
	saved, err := verify.Read(ctx, result)
	if err != nil {
		return err
	}
	checker := a.storeChecker()
	rep, err := checker.check(ctx, saved)
	if err != nil {
		return err
	}
	if wrong := rep.Problems(); len(wrong) > 0 {
		return wstk.Errorf(wstk.Conflict, "writing bundle", "%s; no bundle was written", wrong[0]).
			Try(wstk.Advice("ask again"))
	}
	var hashes, documents []wstk.Hash
	var fetches []wstk.Snapshot
	for _, e := range saved.Evidence {
		fetch, why, err := checker.binder.Fetch(ctx, e.Evidence)
		if err == nil && (why != "" || fetch == nil) {
			err = wstk.Errorf(wstk.Conflict, "writing bundle", "the quote %s: %s", e.ID, why).
				Try(wstk.Advice("ask again"))
		}
		if err != nil {
			return err
		}
		fetches = append(fetches, bareFetch(*fetch))
		for _, h := range []wstk.Hash{e.TextSHA256, e.SnapshotSHA256, fetch.VisibilitySHA256} {
			if h != "" {
				hashes = append(hashes, h)
			}
		}
		h, err := a.structureOf(ctx, e.Evidence, *fetch)
		if err != nil {
			return err
		}
		documents = append(documents, h)
	}
	return a.SaveBundle(ctx, path, result, a.Blobs, hashes, documents, fetches)
}

// structureOf returns the hash of the Document that an Evidence stands in. One whose page
// was read again since is made again of its snapshot.
func (a *Room) structureOf(
	ctx context.Context, e wstk.Evidence, fetch wstk.Snapshot,
) (wstk.Hash, error) {
	p, err := a.Pages.Get(ctx, e.URL)
	if err != nil && wstk.CodeOf(err) != wstk.NotFound {
		return "", err
	}
	if p.Document != "" && p.TextSHA256 == e.TextSHA256 && p.SnapshotSHA256 == e.SnapshotSHA256 &&
		p.FetchedAt.Equal(e.FetchedAt) {
		return p.Document, nil
	}
	d, err := readerOf(a.Blobs, a.Read)(ctx, fetch)
	if err != nil {
		return "", err
	}
	return wstk.SaveDocument(ctx, a.Blobs, d)
}

// bareFetch is what a bundle tells of a fetch: what reading its body again takes, and how
// it came.
func bareFetch(s wstk.Snapshot) wstk.Snapshot {
	headers := map[string]string{}
	for k, v := range s.Headers {
		if slices.Contains(read.Headers, strings.ToLower(k)) {
			headers[k] = v
		}
	}
	bare := s
	bare.Headers, bare.ScreenshotSHA256, bare.Warnings, bare.DurationMS, bare.RetryAfterSec =
		headers, "", nil, 0, 0
	return bare
}
