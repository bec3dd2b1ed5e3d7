package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"wstk/shared/stage/read"
	"wstk/shared/stage/verify"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// maxResult bounds a saved result that verify reads, in bytes.
const maxResult = 64 << 20

// Bundle is an open proof bundle: a result, and the bytes it refers to.
type Bundle interface {
	wstk.BlobStore
	Reply() []byte
	Documents() []wstk.Hash // structures of the pages, see wstk.LoadDocument
	Close() error
}

// VerifyReport says what of a saved result still stands, and what nobody checked.
type VerifyReport struct {
	File       string           `json:"file"`
	Against    string           `json:"against"` // bundle or store
	Verified   int              `json:"verified"`
	Failed     int              `json:"failed"`
	Checks     []VerifiedItem   `json:"checks"`
	Statements []CheckedWords   `json:"statements"`
	Unchecked  []UncheckedField `json:"unchecked"`
}

// VerifiedItem is the check of one Evidence.
type VerifiedItem struct {
	ID     string            `json:"id"`
	Kind   wstk.EvidenceKind `json:"kind"`
	URL    string            `json:"url"`
	Words  string            `json:"words"`
	OK     bool              `json:"ok"`
	Reason string            `json:"reason,omitempty"` // why not
}

// UncheckedField is something in a result that was not held against anything.
type UncheckedField struct {
	What   string `json:"what"`
	Count  int    `json:"count"` // of quotes or statements it concerns; 0 for the whole
	Reason string `json:"reason"`
}

// Problems lists what did not verify, a clause each.
func (r VerifyReport) Problems() []string {
	var out []string
	for _, k := range r.Checks {
		if !k.OK {
			out = append(out, fmt.Sprintf("the quote %s %q: %s", k.ID, text.Shorten(k.Words, 60), k.Reason))
		}
	}
	for _, k := range r.Statements {
		if k.OK != nil && !*k.OK {
			out = append(out, fmt.Sprintf("the %s %q: %s", k.Part, text.Shorten(k.Words, 60), k.Reason))
		}
	}
	return out
}

var zipHead = []byte("PK\x03\x04")

// IsBundle tells whether the file at path begins as a bundle does.
func IsBundle(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(zipHead))
	n, _ := io.ReadFull(f, head)
	return bytes.Equal(head[:n], zipHead)
}

// VerifyBundle checks every Evidence and statement in a bundle. It needs nothing but
// the bundle.
func VerifyBundle(ctx context.Context, b Bundle) (VerifyReport, error) {
	c := checker{against: "bundle", stage: &verify.Stage{Blobs: b, Literal: read.FindData}}
	var docs []*wstk.Document
	for _, h := range b.Documents() {
		d, err := wstk.LoadDocument(ctx, b, h)
		if err != nil {
			return VerifyReport{}, wstk.Errorf(wstk.Conflict, "reading the pages of the bundle", "%w", err)
		}
		docs = append(docs, d)
	}
	c.page = func(_ context.Context, e wstk.Evidence) (string, []string, error) {
		for _, d := range docs {
			if d.URL == e.URL && d.TextSHA256 == e.TextSHA256 {
				why := verify.OfPage(e, d)
				if why == "" && !e.FetchedAt.Equal(d.FetchedAt) {
					why = "its page was not fetched when it says"
				}
				return why, nil, nil
			}
		}
		return "", ofPage(e, "fetched_at"), nil
	}
	return c.check(ctx, b.Reply())
}

// VerifyFile checks every Evidence and statement in saved JSON, or in what stdin gives
// when path is "-", against the stores. It works on stored bytes alone. A bundle is
// for VerifyBundle.
func (a *App) VerifyFile(ctx context.Context, path string, stdin io.Reader) (VerifyReport, error) {
	data, err := readResult(path, stdin)
	if err != nil {
		return VerifyReport{}, err
	}
	return checker{against: "store", stage: a.Verify, page: a.stands}.check(ctx, data)
}

// maxFetches is how many fetches of a page are looked through for the one that an
// Evidence names.
const maxFetches = 1000

// stands holds an Evidence against the page and the fetches in the stores. unchecked
// are the fields that nothing there could tell of.
func (a *App) stands(ctx context.Context, e wstk.Evidence) (why string, unchecked []string, err error) {
	snap, err := a.Snapshots.Get(ctx, e.SnapshotSHA256)
	if wstk.CodeOf(err) == wstk.NotFound || wstk.CodeOf(err) == wstk.Invalid {
		return "no fetch of its snapshot is stored here", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	d, err := a.Verify.Document(ctx, e.URL)
	if ctx.Err() != nil {
		return "", nil, err
	}
	same := err == nil && d.TextSHA256 == e.TextSHA256 && d.SnapshotSHA256 == e.SnapshotSHA256
	if !(same && d.FetchedAt.Equal(e.FetchedAt)) {
		// The page may have been read again since, or led to from another address.
		direct, known, err := a.fetched(ctx, e.URL, e)
		if err == nil && !known && snap.URL != e.URL {
			_, known, err = a.fetched(ctx, snap.URL, e)
		}
		switch {
		case err != nil:
			return "", nil, err
		case !known && direct:
			return "its page was not fetched when it says", nil, nil
		case !known:
			unchecked = append(unchecked, "fetched_at")
		}
	}
	if !same {
		return "", append(unchecked, ofPage(e)...), nil
	}
	return verify.OfPage(e, d), unchecked, nil
}

// fetched tells whether a fetch of url with an Evidence's snapshot is stored, and
// whether there is one of the time that the Evidence names.
func (a *App) fetched(ctx context.Context, url string, e wstk.Evidence) (any, then bool, err error) {
	fetches, err := a.Snapshots.List(ctx, url, maxFetches)
	for _, s := range fetches {
		if s.BodySHA256 == e.SnapshotSHA256 {
			any = true
			then = then || s.FetchedAt.Equal(e.FetchedAt)
		}
	}
	return any, then, err
}

// ofPage are the fields that only the page's Document can tell of.
func ofPage(e wstk.Evidence, more ...string) []string {
	fields := append([]string{"canonical_url", "published_at"}, more...)
	if e.Kind == wstk.EvidenceData {
		return append(fields, "text_sha256")
	}
	return append(fields, "section_path", "snapshot_sha256")
}

// checker checks a result against a bundle or the stores.
type checker struct {
	against string
	stage   *verify.Stage
	page    func(ctx context.Context, e wstk.Evidence) (why string, unchecked []string, err error)
}

func (c checker) check(ctx context.Context, data []byte) (VerifyReport, error) {
	rep := VerifyReport{Against: c.against, Checks: []VerifiedItem{}}
	items, err := verify.EvidenceIn(data)
	if err != nil {
		return rep, err
	}
	unchecked := map[string]int{}
	seen := map[string]bool{}
	for _, e := range items {
		whole, err := json.Marshal(e)
		if err != nil {
			return rep, wstk.Errorf(wstk.Invalid, "reading the result", "%w", err)
		}
		if seen[string(whole)] {
			continue
		}
		seen[string(whole)] = true
		why, left, err := c.one(ctx, e)
		if err != nil {
			if ctx.Err() != nil {
				return rep, err
			}
			why = err.Error() // bytes that no longer match their hash are a finding here
		}
		if why == "" {
			rep.Verified++
			for _, field := range left {
				unchecked[field]++
			}
		} else {
			rep.Failed++
		}
		rep.Checks = append(rep.Checks, VerifiedItem{ID: e.ID, Kind: e.Kind, URL: e.URL, Words: e.Quote, OK: why == "", Reason: why})
	}
	rep.Statements = checkAnswers(data)
	rep.Unchecked = c.leftOut(rep, unchecked)
	return rep, nil
}

func (c checker) one(ctx context.Context, e verify.Given) (why string, unchecked []string, err error) {
	if e.Malformed != "" {
		return e.Malformed, nil, nil
	}
	if why, err := c.stage.Recheck(ctx, e.Evidence); why != "" || err != nil {
		return why, nil, err
	}
	why, unchecked, err = c.page(ctx, e.Evidence)
	if e.Kind == wstk.EvidenceText {
		unchecked = append(unchecked, "status")
	}
	return why, unchecked, err
}

// leftOut says what was not checked, and why.
func (c checker) leftOut(rep VerifyReport, fields map[string]int) []UncheckedField {
	out := []UncheckedField{}
	names := make([]string, 0, len(fields))
	for f := range fields {
		names = append(names, f)
	}
	slices.Sort(names)
	for _, f := range names {
		reason := "the " + c.against + " no longer holds that reading of the page"
		if c.against == "bundle" {
			reason = "the bundle does not hold the structure of the page"
		}
		if f == "status" {
			reason = "whether a quote was first proposed in these very words is not kept; it stands there in these words"
		}
		out = append(out, UncheckedField{What: f, Count: fields[f], Reason: reason})
	}
	follows := 0
	for _, s := range rep.Statements {
		if s.OK == nil {
			follows++
		}
	}
	if follows > 0 {
		out = append(out, UncheckedField{What: "inferred or assumed statements", Count: follows, Reason: "whether they follow from their quotes no code can tell"})
	}
	if len(rep.Statements) > 0 {
		out = append(out, UncheckedField{What: "title, grounding, sources, gaps, unsupported, topics of conflicts and typed values", Reason: "they are not quotes"})
	}
	return out
}

func readResult(path string, stdin io.Reader) ([]byte, error) {
	in := stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, wstk.Errorf(wstk.Invalid, "opening the result", "%w", err).WithNext("name a bundle or the saved JSON of a command")
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxResult+1))
	if err != nil {
		return nil, wstk.Errorf(wstk.Invalid, "reading the result", "%w", err)
	}
	if len(data) > maxResult {
		return nil, wstk.Errorf(wstk.TooLarge, "reading the result", "it is over %d bytes", maxResult)
	}
	if bytes.HasPrefix(data, zipHead) {
		return nil, wstk.Errorf(wstk.Invalid, "reading the result", "this is a bundle").WithNext("name the bundle's file: wstk verify FILE")
	}
	return data, nil
}

// WriteBundle stores a result, and every text, snapshot and page structure its
// evidence names, in one file that verifies anywhere.
func (a *App) WriteBundle(ctx context.Context, path string, result []byte) error {
	items, err := verify.EvidenceIn(result)
	if err != nil {
		return err
	}
	var hashes, documents []wstk.Hash
	for _, e := range items {
		for _, h := range []wstk.Hash{e.TextSHA256, e.SnapshotSHA256} {
			if h != "" {
				hashes = append(hashes, h)
			}
		}
		p, err := a.Pages.Get(ctx, e.URL)
		if err != nil && wstk.CodeOf(err) != wstk.NotFound {
			return err
		}
		// A page that was read again since has another structure by now.
		if p.Document != "" && p.TextSHA256 == e.TextSHA256 && p.SnapshotSHA256 == e.SnapshotSHA256 && p.FetchedAt.Equal(e.FetchedAt) {
			documents = append(documents, p.Document)
		}
	}
	return a.SaveBundle(ctx, path, result, a.Blobs, hashes, documents)
}
