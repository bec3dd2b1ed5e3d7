package app

import (
	"bytes"
	"context"
	"io"
	"os"

	"wstk/shared/stage/verify"
	"wstk/shared/wstk"
)

// maxResult bounds a saved result that verify reads, in bytes.
const maxResult = 64 << 20

// Bundle is an open proof bundle: a result, and the bytes it refers to.
type Bundle interface {
	wstk.BlobStore
	Reply() []byte
	Close() error
}

// VerifyReport says which quotes of a saved result still stand.
type VerifyReport struct {
	File     string         `json:"file"`
	Against  string         `json:"against"` // bundle or store
	Verified int            `json:"verified"`
	Failed   int            `json:"failed"`
	Checks   []VerifiedItem `json:"checks"`
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

// VerifyFile checks every Evidence in a bundle, in saved JSON, or in what stdin
// gives when path is "-". It works on stored bytes alone.
func (a *App) VerifyFile(ctx context.Context, path string, stdin io.Reader) (VerifyReport, error) {
	data, err := readResult(path, stdin)
	if err != nil {
		return VerifyReport{}, err
	}
	rep := VerifyReport{File: path, Against: "store", Checks: []VerifiedItem{}}
	checker := *a.Verify
	if path != "-" && bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		b, err := a.OpenBundle(path)
		if err != nil {
			return VerifyReport{}, err
		}
		defer b.Close()
		data, checker.Blobs, rep.Against = b.Reply(), b, "bundle"
	}
	items, err := verify.EvidenceIn(data)
	if err != nil {
		return VerifyReport{}, err
	}
	seen := map[string]bool{}
	for _, e := range items {
		if seen[e.ID+e.Quote] {
			continue
		}
		seen[e.ID+e.Quote] = true
		why, err := checker.Recheck(ctx, e)
		if err != nil {
			if ctx.Err() != nil {
				return VerifyReport{}, err
			}
			why = err.Error() // bytes that no longer match their hash are a finding here
		}
		if why == "" {
			rep.Verified++
		} else {
			rep.Failed++
		}
		rep.Checks = append(rep.Checks, VerifiedItem{ID: e.ID, Kind: e.Kind, URL: e.URL, Words: e.Quote, OK: why == "", Reason: why})
	}
	return rep, nil
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
	if path != "-" {
		// A bundle may be larger than any result: only its first bytes matter here.
		head := make([]byte, 4)
		n, _ := io.ReadFull(in, head)
		if bytes.Equal(head[:n], []byte("PK\x03\x04")) {
			return head, nil
		}
		in = io.MultiReader(bytes.NewReader(head[:n]), in)
	}
	data, err := io.ReadAll(io.LimitReader(in, maxResult+1))
	if err != nil {
		return nil, wstk.Errorf(wstk.Invalid, "reading the result", "%w", err)
	}
	if len(data) > maxResult {
		return nil, wstk.Errorf(wstk.TooLarge, "reading the result", "it is over %d bytes", maxResult)
	}
	return data, nil
}

// WriteBundle stores a result, and every text and snapshot its evidence names, in
// one file that verifies anywhere.
func (a *App) WriteBundle(ctx context.Context, path string, result []byte) error {
	items, err := verify.EvidenceIn(result)
	if err != nil {
		return err
	}
	var hashes []wstk.Hash
	for _, e := range items {
		for _, h := range []wstk.Hash{e.TextSHA256, e.SnapshotSHA256} {
			if h != "" {
				hashes = append(hashes, h)
			}
		}
	}
	return a.SaveBundle(ctx, path, result, a.Blobs, hashes)
}
