package looking

import (
	"context"
	"errors"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/wstk"
)

// CacheReport is what the cache holds, and where it is.
type CacheReport struct {
	wstk.CacheUse
	Dir      string `json:"dir"`
	Evidence string `json:"evidence_dir"`
}

// CacheWork does one piece of upkeep, show, prune or clear, and says what the cache holds
// afterwards.
func (l *Room) CacheWork(ctx context.Context, what string) (CacheReport, error) {
	r := CacheReport{Dir: l.Config.CacheDir, Evidence: l.Config.Evidence()}
	keeper, ok := l.Cache.(wstk.CacheUpkeep)
	if !ok {
		return r, wstk.Errorf(wstk.Internal, "", "on AWS there is no cache to show, prune or clear")
	}
	work := map[string]func(context.Context) (wstk.CacheUse, error){"show": keeper.Use,
		"prune": keeper.Prune, "clear": keeper.Clear}[what]
	if work == nil {
		return r, wstk.Errorf(wstk.Invalid, "", "%q is not an operation on a cache", what)
	}
	var err error
	r.CacheUse, err = work(ctx)
	return r, err
}

// EvidenceItem is one capture as a list shows it.
type EvidenceItem struct {
	// null, as what follows, when the manifest cannot be read
	URL         *string           `json:"url"`
	FetchedAt   *time.Time        `json:"fetched_at"`
	FetchMethod *wstk.FetchMethod `json:"fetch_method"`
	Verdict     *wstk.Verdict     `json:"verdict"`
	BodySHA256  wstk.Hash         `json:"body_sha256,omitempty"`
	TextSHA256  wstk.Hash         `json:"text_sha256,omitempty"`
	Dir         string            `json:"dir"`
	// what is wrong with its files, where they were checked
	Problem string `json:"problem,omitempty"`
}

// captures are those of one address, or all of them for "", newest first.
func (l *Room) captures(ctx context.Context, url string) ([]wstk.Capture, error) {
	all, err := l.Captures.List(ctx)
	if err != nil || url == "" {
		return all, err
	}
	name, err := reading.PageName(url)
	if err != nil {
		return nil, err
	}
	var out []wstk.Capture
	for _, c := range all {
		if s := c.Manifest.Snapshot; s.URL == name || s.FinalURL == name || damaged(c) {
			out = append(out, c)
		}
	}
	return out, nil
}

// damaged reports whether it is no longer known what a capture is of.
func damaged(c wstk.Capture) bool { return c.Manifest.Format == "" }

// ListEvidence lists what one-page commands saw, newest first; check hashes the files
// again.
func (l *Room) ListEvidence(ctx context.Context, url string, check bool) ([]EvidenceItem, error) {
	all, err := l.captures(ctx, url)
	if err != nil {
		return nil, err
	}
	out := make([]EvidenceItem, len(all))
	for i, c := range all {
		m := c.Manifest
		if damaged(c) {
			out[i] = EvidenceItem{Dir: c.Dir, Problem: "its manifest cannot be read"}
			continue
		}
		out[i] = EvidenceItem{URL: &m.Snapshot.URL, FetchedAt: &m.Snapshot.FetchedAt,
			FetchMethod: &m.Snapshot.Method, Verdict: &m.Snapshot.Verdict,
			BodySHA256: m.Snapshot.BodySHA256, TextSHA256: m.TextSHA256, Dir: c.Dir}
		if !check {
			continue
		}
		if _, err := l.Captures.Load(ctx, c); wstk.CodeOf(err) == wstk.Conflict {
			out[i].Problem = errors.Unwrap(err).Error()
		} else if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Archive is a WARC file that was written.
type Archive struct {
	Path    string `json:"path"`
	Pages   int    `json:"pages"`
	Records int    `json:"records"`
}

// ExportEvidence writes captures into a WARC file.
func (l *Room) ExportEvidence(ctx context.Context, path, url string) (Archive, error) {
	all, err := l.captures(ctx, url)
	if err != nil {
		return Archive{}, err
	}
	if len(all) == 0 {
		return Archive{}, wstk.Errorf(wstk.Empty, "", "there is no evidence to write").
			Try(wstk.Step{Do: wstk.DoListEvidence}, wstk.Step{Do: wstk.DoExtract})
	}
	records, err := l.WriteArchive(ctx, path, "wstk "+wstk.Version, all, l.Captures.Load)
	return Archive{Path: path, Pages: len(all), Records: records}, err
}
