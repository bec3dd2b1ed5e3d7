package answering

import (
	"context"

	"wstk/shared/stage/verify"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Since is what became of a quote, and how the sentence that holds it reads then and now.
type Since struct {
	wstk.Relocation
	Sentence []text.Change // empty where it reads the same, or no sentence took its place
}

// Since says what became of an Evidence, with a look at the sentences around it. It works on stored
// text alone: the live page is not asked.
func (a *Room) Since(ctx context.Context, e wstk.Evidence) (Since, error) {
	r, err := a.newRelocating().of(ctx, e)
	out := Since{Relocation: r}
	if err != nil || r.Now == nil {
		return out, err
	}
	was, now := e.Quote, r.Now.Words
	if at, isText := e.Span(); isText {
		if was, err = a.around(ctx, e.TextSHA256, e.Quote, at); err != nil {
			return out, err
		}
		place := wstk.Evidence{CharStart: r.Now.CharStart, CharEnd: r.Now.CharEnd,
			ByteStart: r.Now.ByteStart, ByteEnd: r.Now.ByteEnd}
		at, _ = place.Span()
		if now, err = a.around(ctx, r.Now.TextSHA256, r.Now.Words, at); err != nil {
			return out, err
		}
	}
	out.Sentence = verify.Changed(was, now)
	return out, nil
}

// around are the sentences around a quote in a stored text; the quote, if the text is not stored.
func (a *Room) around(
	ctx context.Context, h wstk.Hash, quote string, at wstk.Span,
) (string, error) {
	s, err := a.Blobs.Get(ctx, h)
	if wstk.CodeOf(err) == wstk.NotFound {
		return quote, nil
	}
	return verify.Sentences(string(s), "", quote, at), err
}
