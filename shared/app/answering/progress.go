package answering

import (
	"context"

	"wstk/shared/wstk"
)

// Stage is what an extraction does just now.
type Stage string

// The stages, in their order. Buckets are extracted, verified and collated one by one.
const (
	StageFetch     Stage = "fetch" // pages that were named
	StageRecall    Stage = "recall"
	StagePartition Stage = "partition"
	StageExtract   Stage = "extract"
)

// Progress is how far an extraction is.
type Progress struct {
	Stage   Stage `json:"stage"`
	Pages   int   `json:"pages"`    // that were tried, or on which passages were found
	PagesOf *int  `json:"pages_of"` // pages there will be; null while it is not known
	Done    int   `json:"done"`     // buckets that are done
	Of      *int  `json:"of"`       // buckets there are; null while it is not known
}

// firstMark is the number of the first part that is a mark, behind buckets and calls of models;
// see firstCall.
const firstMark = 1 << 30

// mark notes with a run what one of its tasks has done, at this place among its marks. A task
// that is tried again makes the same marks, which are noted once.
func (a *Room) mark(ctx context.Context, run wstk.RunID, place int, p part) error {
	p.Run = run // which makes the blob its own: another run cannot remove it
	h, err := wstk.PutJSON(ctx, a.Blobs, p)
	if err != nil {
		return err
	}
	return a.Runs.AddPart(ctx, run, wstk.Part{N: firstMark + place, Data: h})
}

// markPage notes that so many of the pages that were named are read.
func (a *Room) markPage(ctx context.Context, q Request, run wstk.RunID, done int) error {
	of := len(q.From)
	return a.mark(ctx, run, done-1,
		part{Progress: &Progress{Stage: StageFetch, Pages: done, PagesOf: &of}})
}

// markRecalled notes on how many pages passages were found.
func (a *Room) markRecalled(ctx context.Context, q Request, in Extracting, hits []wstk.Hit) error {
	n := pagesOf(hits)
	return a.mark(ctx, in.Run, len(q.From), part{Progress: &Progress{Stage: StagePartition,
		Pages: n, PagesOf: &n}})
}

// markPartitioned notes how many buckets there are.
func (a *Room) markPartitioned(
	ctx context.Context, in Extracting, found recalled, buckets int,
) error {
	n := pagesOf(found.Hits)
	return a.mark(ctx, in.Run, found.Mark, part{Progress: &Progress{Stage: StageExtract, Pages: n,
		PagesOf: &n, Of: &buckets}})
}

// pagesOf counts the pages of hits.
func pagesOf(hits []wstk.Hit) int {
	pages := map[string]bool{}
	for _, h := range hits {
		pages[h.URL] = true
	}
	return len(pages)
}

// begun is how far a run is before its first task is done.
func begun(q Request) Progress {
	n := len(q.From)
	if q.Answer != nil {
		n = 1
	}
	if n > 0 {
		return Progress{Stage: StageFetch, PagesOf: &n}
	}
	return Progress{Stage: StageRecall}
}
