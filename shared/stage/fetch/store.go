package fetch

import (
	"context"
	"strings"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// store writes what is known: the body, then the row that names it.
func (f *fetch) store(ctx context.Context) (Result, error) {
	f.snap.FetchedAt = f.now().UTC().Truncate(time.Millisecond)
	if !f.snap.FetchedAt.After(f.after) {
		f.snap.FetchedAt = f.after.Add(time.Millisecond)
	}
	f.snap.DurationMS = f.took.Milliseconds()
	if f.picture != nil {
		h, err := f.Blobs.Put(ctx, f.picture)
		if err != nil {
			return Result{}, wstk.Wrap(wstk.Internal, "storing screenshot", err)
		}
		f.snap.ScreenshotSHA256 = h
	}
	var shown []byte
	if f.shown != nil && len(f.body) > 0 {
		v := *f.shown
		v.BodySHA256 = wstk.HashOf(f.body)
		var err error
		if shown, err = v.Encode(); err != nil {
			return Result{}, err
		}
		if f.snap.VisibilitySHA256, err = f.Blobs.Put(ctx, shown); err != nil {
			return Result{}, wstk.Wrap(wstk.Internal, "storing what the browser showed", err)
		}
	}
	return f.Stage.store(ctx, f.snap, f.body,
		Result{Visibility: shown, Held: f.held, Steps: f.steps})
}

func (s *Stage) store(
	ctx context.Context, snap wstk.Snapshot, body []byte, r Result,
) (Result, error) {
	const op = "storing snapshot"
	// Both stores keep a cancelled call from changing anything; a body without a
	// row is never seen and costs nothing but its bytes.
	if err := ctx.Err(); err != nil {
		return Result{}, wstk.Wrap(wstk.Cancelled, op, err)
	}
	if body != nil {
		h, err := s.Blobs.Put(ctx, body)
		if err != nil {
			return Result{}, wstk.Wrap(wstk.Internal, op, err)
		}
		snap.BodySHA256, snap.BodyBytes = h, int64(len(body))
	}
	if err := s.Snapshots.Put(ctx, snap); err != nil {
		return Result{}, wstk.Wrap(wstk.Internal, op, err)
	}
	for h, data := range map[wstk.Hash][]byte{snap.BodySHA256: body,
		snap.VisibilitySHA256: r.Visibility} {
		if h == "" {
			continue
		}
		if err := wstk.KeepBlob(ctx, s.Blobs, h, data); err != nil {
			return Result{}, wstk.Wrap(wstk.Internal, op, err)
		}
	}
	r.Snapshot, r.Body, r.Redirect = snap, body, snap.RedirectsTo()
	return r, nil
}

// Provided stores a body that was handed in: a file, standard input, an upload.
// url says where it comes from; an http or https URL is made canonical, any other
// ("file:///tmp/a.html", "stdin:") is kept as it stands. contentType may be "",
// it is then guessed. The verdict is ok, or thin when the body is empty. A url
// that is empty or holds spaces, control characters or credentials is Invalid.
func (s *Stage) Provided(
	ctx context.Context, url string, body []byte, contentType string,
) (Result, error) {
	const op = "storing what was provided"
	if s.Blobs == nil || s.Snapshots == nil {
		return Result{}, wstk.Errorf(wstk.Internal, op, "the fetch stage is not wired")
	}
	canonical, err := text.Canonical(url)
	if err != nil {
		if !otherScheme(url) || strings.ContainsFunc(url, func(r rune) bool {
			return r <= ' ' || r == 0x7f
		}) {
			return Result{}, wstk.Errorf(wstk.Invalid, op, "its address is not a URL").
				Try(wstk.Advice("name it with a URL such as file:///tmp/page.html"))
		}
		canonical = url
	}
	if text.WithoutUser(canonical) != canonical {
		return Result{}, wstk.Errorf(wstk.Invalid, op, "the URL carries a user name or password")
	}
	if body == nil {
		body = []byte{}
	}
	snap := wstk.Snapshot{URL: canonical, FinalURL: canonical, Method: wstk.MethodProvided,
		FetchedAt: s.now().UTC().Truncate(time.Millisecond), Verdict: wstk.VerdictOK}
	if len(body) == 0 {
		snap.Verdict, snap.Reason = wstk.VerdictThin, "the body is empty"
	}
	snap.ContentType, snap.Charset, _ = mediaType(contentType, body)
	return s.store(ctx, snap, body, Result{})
}
