package answering

import (
	"context"
	"maps"
	"slices"

	"wstk/shared/app/reading"
	"wstk/shared/wstk"
)

// Removed says what went with a run, and what stays since something that is kept refers
// to it.
type Removed struct {
	Run          wstk.RunID   `json:"run_id"`
	Evidence     int          `json:"evidence_removed"`
	EvidenceKept []string     `json:"evidence_kept"` // ids that another run cites
	KeptBy       []wstk.RunID `json:"kept_by"`       // the runs that do; at most 20
	Blobs        int          `json:"blobs_removed"` // request, result and pieces
	// hashes that another run of the same words may share
	BlobsKept []string `json:"blobs_kept"`
}

// RemoveRun forgets a run of the caller's, of kind extraction, answer or search, that has ended: its
// record, its result, and the evidence that no other run cites. Pages, texts and bodies
// belong to their sites and stay. A run that has not ended is Conflict; one of another kind,
// or that is not there, NotFound.
//
// Nothing that is kept loses what it refers to. Rows go before bytes; a run that cites
// evidence stores it once more after it has said so (see collateBucket), and what was
// removed is looked at again afterwards, so that of a run that cites it meanwhile one of
// the two sees the other. A removal that was cut off before the record was gone can be
// begun again; one that was cut off later leaves bytes that nothing refers to.
func (a *Room) RemoveRun(ctx context.Context, id wstk.RunID) (Removed, error) {
	if _, err := a.Reading.Run(ctx, id); err != nil {
		return Removed{Run: id, EvidenceKept: []string{}, KeptBy: []wstk.RunID{},
			BlobsKept: []string{}}, err
	}
	return a.removeRun(ctx, id)
}

// RunToRemove returns the run that RemoveRun would remove, or the error it would give.
func (a *Room) RunToRemove(ctx context.Context, id wstk.RunID) (wstk.Run, error) {
	run, err := a.Reading.Run(ctx, id)
	if err == nil {
		err = removable(run)
	}
	return run, err
}

// removable returns why a run cannot be removed; nil where it can.
func removable(run wstk.Run) error {
	switch {
	case !run.Kind.Cites() && run.Kind != wstk.RunSearch:
		return wstk.Errorf(wstk.NotFound, "", "%s is neither an extraction, an answer nor a "+
			"search run", run.ID)
	case !run.State.Terminal():
		return wstk.Errorf(wstk.Conflict, "", "run %s has not ended", run.ID).
			Try(wstk.Advice("cancel it first, or wait"))
	}
	return nil
}

// Forget is RemoveRun, whosever the run is.
func (a *Room) Forget(ctx context.Context, id wstk.RunID) error {
	_, err := a.removeRun(ctx, id)
	return err
}

// removeRun is RemoveRun, whosever the run is.
func (a *Room) removeRun(ctx context.Context, id wstk.RunID) (out Removed, err error) {
	out = Removed{Run: id, EvidenceKept: []string{}, KeptBy: []wstk.RunID{}, BlobsKept: []string{}}
	run, err := a.Runs.Get(ctx, id)
	if err == nil {
		err = removable(run)
	}
	if err != nil {
		return out, err
	}
	mine, blobs, err := a.CitedBy(ctx, run)
	if err != nil {
		return out, err
	}
	kept, err := a.cited(ctx, id, mine)
	if err != nil {
		return out, err
	}
	shared, err := a.sharesBlobs(ctx, run)
	if err != nil {
		return out, err
	}

	ctx = context.WithoutCancel(ctx) // from here on it is done to the end
	if err := a.SearchRows.RemoveRows(ctx, id); err != nil {
		return out, err
	}
	var gone []string
	for e := range mine {
		if by := kept[e]; by != "" {
			out.keptBy(by)
			out.EvidenceKept = append(out.EvidenceKept, e)
		} else {
			gone = append(gone, e)
		}
	}
	slices.Sort(gone)
	slices.Sort(out.EvidenceKept)
	for some := range slices.Chunk(gone, 100) {
		if err := a.Verify.Evidence.Remove(ctx, some...); err != nil {
			return out, err
		}
	}
	out.Evidence = len(gone)
	if len(gone) > 0 {
		since, err := a.cited(ctx, id, mine)
		if err != nil {
			return out, err
		}
		for _, e := range gone {
			if by := since[e]; by != "" {
				out.keptBy(by)
				if err := a.Verify.Evidence.Put(ctx, mine[e]); err != nil {
					return out, err
				}
				out.Evidence--
				out.EvidenceKept = append(out.EvidenceKept, e)
			}
		}
	}
	if err := a.Runs.Remove(ctx, id); err != nil {
		return out, err
	}
	for _, h := range blobs {
		if shared {
			out.BlobsKept = append(out.BlobsKept, string(h))
			continue
		}
		if err := a.Blobs.Delete(ctx, h); err != nil {
			return out, err
		}
		out.Blobs++
	}
	return out, nil
}

// CitedBy returns the evidence of a run by its id, and the blobs that are the run's own.
func (a *Room) CitedBy(
	ctx context.Context, run wstk.Run,
) (map[string]wstk.Evidence, []wstk.Hash, error) {
	cited, blobs := map[string]wstk.Evidence{}, map[wstk.Hash]bool{}
	add := func(x wstk.Extraction) {
		for _, e := range x.Evidence {
			cited[e.ID] = e
		}
	}
	if run.Request != "" {
		blobs[run.Request] = true
	}
	if !run.Kind.Cites() {
		return cited, slices.Sorted(maps.Keys(blobs)), nil
	}
	if run.Result != "" {
		r, err := wstk.GetJSON[reply](ctx, a.Blobs, run.Result)
		// of what is not there nothing is cited
		if err != nil && wstk.CodeOf(err) != wstk.NotFound {
			return nil, nil, err
		}
		for _, x := range r.Extractions {
			add(x)
		}
		for _, p := range r.Passages {
			cited[p.Evidence.ID] = p.Evidence
		}
		blobs[run.Result] = true
	}
	parts, err := a.Runs.Parts(ctx, run.ID)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range parts {
		done, err := wstk.GetJSON[part](ctx, a.Blobs, p.Data)
		if err != nil && wstk.CodeOf(err) != wstk.NotFound {
			return nil, nil, err
		}
		if done.Extraction != nil {
			add(*done.Extraction)
		}
		blobs[p.Data] = true
	}
	return cited, slices.Sorted(maps.Keys(blobs)), nil
}

// keptBy notes a run that cites what stays.
func (r *Removed) keptBy(run wstk.RunID) {
	if len(r.KeptBy) < reading.MostCiting && !slices.Contains(r.KeptBy, run) {
		r.KeptBy = append(r.KeptBy, run)
		slices.Sort(r.KeptBy)
	}
}

// cited returns which of some evidence other runs than one cite, and one of them. It reads every
// extraction that is kept.
func (a *Room) cited(
	ctx context.Context, but wstk.RunID, some map[string]wstk.Evidence,
) (map[string]wstk.RunID, error) {
	kept := map[string]wstk.RunID{}
	if len(some) == 0 {
		return kept, nil
	}
	for _, kind := range wstk.CitingKinds() {
		if err := a.citedBy(ctx, kind, but, some, kept); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// citedBy is cited for the runs of one kind.
func (a *Room) citedBy(
	ctx context.Context, kind wstk.RunKind, but wstk.RunID, some map[string]wstk.Evidence,
	kept map[string]wstk.RunID,
) error {
	for cursor := ""; ; {
		runs, next, err := a.Runs.List(ctx, wstk.RunFilter{Kind: kind}, cursor, 100)
		if err != nil {
			return err
		}
		for _, r := range runs {
			if r.ID == but {
				continue
			}
			theirs, _, err := a.CitedBy(ctx, r)
			if err != nil {
				return err
			}
			for e := range theirs {
				if _, ok := some[e]; ok {
					kept[e] = r.ID
				}
			}
		}
		if next == "" {
			return nil
		}
		cursor = next
	}
}

// sharesBlobs reports whether another run asked for the same words: only such a one can
// have the same request, pieces or result.
func (a *Room) sharesBlobs(ctx context.Context, run wstk.Run) (bool, error) {
	runs, _, err := a.Runs.List(ctx, wstk.RunFilter{Query: run.Query}, "", 2)
	return slices.ContainsFunc(runs, func(r wstk.Run) bool { return r.ID != run.ID }), err
}
