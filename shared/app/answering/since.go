package answering

import (
	"context"

	"wstk/shared/stage/verify"
	"wstk/shared/wstk"
)

// Since compares an Evidence with the text that is held of its page now. It works on
// stored text alone: the live page is not asked.
func (a *Room) Since(ctx context.Context, e wstk.Evidence) (verify.Since, error) {
	out, now, err := a.fate(ctx, e)
	_, isText := e.Span()
	if err != nil || now == nil || !isText {
		return out, err
	}
	old, err := a.Blobs.Get(ctx, e.TextSHA256)
	if err != nil && wstk.CodeOf(err) != wstk.NotFound {
		return out, err
	}
	out.Compare(e, string(old), now)
	return out, nil
}

// Fate is what Since says became of the quote, without a look at the sentences around it.
func (a *Room) Fate(ctx context.Context, e wstk.Evidence) (verify.Fate, error) {
	out, _, err := a.fate(ctx, e)
	return out.Fate, err
}

// fate is Since except for the sentences of a text, and the page as it is held now where it is
// another than the quoted one.
func (a *Room) fate(ctx context.Context, e wstk.Evidence) (verify.Since, *wstk.Document, error) {
	p, err := a.Pages.Get(ctx, e.URL)
	if wstk.CodeOf(err) == wstk.NotFound {
		return verify.Since{Fate: verify.FateUnknown}, nil, nil
	}
	if err != nil {
		return verify.Since{}, nil, err
	}
	out := verify.Since{Fate: verify.FateUnknown, CheckedAt: p.CheckedAt, Verdict: p.Verdict}
	if p.Document == "" || !p.Verdict.Readable() && !p.Partial {
		return out, nil, nil
	}
	out.FetchedAt = p.FetchedAt
	_, isText := e.Span()
	if isText && p.TextSHA256 == e.TextSHA256 || !isText && p.SnapshotSHA256 == e.SnapshotSHA256 {
		out.Fate = verify.FateSame
		return out, nil, nil
	}
	if p.Partial { // the words may stand in the rest
		return out, nil, nil
	}
	now, err := a.Reading.Document(ctx, p.Document)
	if err != nil {
		return out, nil, err
	}
	out.Fate, out.Sentence = verify.FateOf(e, now)
	return out, now, nil
}
