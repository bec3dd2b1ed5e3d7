package cloud

import (
	"context"

	"wstk/shared/wstk"
)

// noIndex stands for the index in a stack that was made without search: pages are
// stored and read, nothing is found by its words.
type noIndex struct{}

var errNoSearch = wstk.Errorf(wstk.Unprocessable, "searching",
	"this stack was deployed without search").
	Try(wstk.Advices("deploy it with the parameter Search=serverless",
		"or name the pages to ask: urls")...)

func (noIndex) Replace(context.Context, wstk.PageIndex) error { return nil }
func (noIndex) Remove(context.Context, string) error          { return nil }
func (noIndex) Search(context.Context, wstk.IndexQuery) ([]wstk.IndexHit, error) {
	return nil, errNoSearch
}
func (noIndex) Entry(context.Context, string) (wstk.IndexHit, error) {
	return wstk.IndexHit{}, errNoSearch
}
func (noIndex) Links(context.Context, string, int) ([]wstk.LinkTo, error) { return nil, nil }
func (noIndex) Stats(context.Context) (wstk.IndexStats, error) {
	return wstk.IndexStats{}, nil
}
