package fetch

import (
	"context"
	"errors"
	"net/http"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// ask makes one request for FinalURL, in the host's turn. It returns the page held
// when the request was conditional.
func (f *fetch) ask(ctx context.Context) (wstk.Response, *wstk.Page, error) {
	url := f.snap.FinalURL
	host := text.HostKey(url)
	held, err := f.known(ctx, url)
	if err != nil {
		return wstk.Response{}, nil, err
	}
	token, err := f.turn(ctx, host)
	if err != nil {
		return wstk.Response{}, nil, err
	}
	req := wstk.Request{URL: url, Header: f.accept(f.header(host)), UserAgent: f.userAgent(),
		MaxBytes: f.task.MaxBytes, Credential: f.credential()}
	if held != nil {
		req.ETag, req.Modified = held.ETag, held.LastModified
	}
	start := f.now()
	resp, err := f.Client.Do(ctx, req)
	f.took += f.now().Sub(start)
	f.asked = true
	f.release(ctx, host, token)
	if err != nil {
		return wstk.Response{}, nil, f.refusal(ctx, err)
	}
	f.tell()
	f.snap.Status = resp.Status
	return resp, held, nil
}

// turn waits for the host and marks it as taken; it returns the slot's token.
func (f *fetch) turn(ctx context.Context, host string) (string, error) {
	const op = "waiting for the host"
	token, at := f.task.Slot, f.task.NotBefore
	if token == "" || f.asked {
		slot, err := f.Hosts.Reserve(ctx, host, f.now(), max(f.task.Gap, f.delay))
		if err != nil {
			return "", wstk.Wrap(wstk.Unavailable, op, err)
		}
		token, at = slot.Token, slot.At
	}
	patience := f.patience(ctx)
	wait := at.Sub(f.now())
	if wait > patience {
		return "", busy(op, host, at)
	}
	if err := f.sleep(ctx, wait); err != nil {
		return "", wstk.Wrap(wstk.Cancelled, op, err)
	}
	err := f.Hosts.Begin(ctx, host, token, max(f.task.Gap, f.delay),
		orDefault(f.Lease, 2*time.Minute), patience-max(wait, 0))
	if wstk.CodeOf(err) == wstk.Conflict {
		until := f.now()
		if b := (*wstk.HostBusy)(nil); errors.As(err, &b) && b.Until.After(until) {
			until = b.Until
		}
		return "", busy(op, host, until)
	}
	if err != nil {
		return "", wstk.Wrap(wstk.Unavailable, op, err)
	}
	if f.Begun != nil && f.task.Run != "" && !f.asked {
		if err := f.Begun(ctx, f.task); err != nil {
			f.release(ctx, host, token)
			return "", wstk.Wrap(wstk.Unavailable, "counting an attempt", err)
		}
	}
	return token, nil
}

// release frees the host, also if the caller has gone away meanwhile. A failure is not
// reported: the lease frees the host then.
func (f *fetch) release(ctx context.Context, host, token string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_ = f.Hosts.End(ctx, host, token)
}

// patience is how long this task may wait for its host or for a Retry-After. A worker of a
// crawl has other things to do; a person waits up to the deadline of the request.
func (f *fetch) patience(ctx context.Context) time.Duration {
	if f.task.Run != "" {
		return orDefault(f.Wait, 2*time.Second)
	}
	if end, ok := ctx.Deadline(); ok {
		return max(end.Sub(f.now()), 0)
	}
	return orDefault(f.MaxWait, 30*time.Second)
}

func busy(op, host string, until time.Time) error {
	return wstk.Errorf(wstk.Conflict, op, "%w", &Busy{Host: host, Until: until}).
		Try(wstk.Retry("later"))
}

func orDefault(d, standard time.Duration) time.Duration {
	if d == 0 {
		return standard
	}
	return d
}

// known returns the stored page of url if its text may be used when the site says that the
// page did not change: the text is still stored, and there is a validator to ask with.
func (f *fetch) known(ctx context.Context, url string) (*wstk.Page, error) {
	const op = "looking up what is known"
	if f.Known == nil || f.task.Fresh {
		return nil, nil
	}
	p, err := f.Known(ctx, url)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, wstk.Wrap(wstk.Internal, op, err)
	}
	if !p.Verdict.Readable() && !unanswered[p.Verdict] || p.ETag == "" && p.LastModified == "" {
		return nil, nil
	}
	for _, h := range []wstk.Hash{p.Document, p.TextSHA256, p.SnapshotSHA256} {
		if !h.Valid() {
			return nil, nil
		}
		if has, err := f.Blobs.Has(ctx, h); err != nil {
			return nil, wstk.Wrap(wstk.Internal, op, err)
		} else if !has {
			return nil, nil
		}
	}
	return &p, nil
}

// unanswered are verdicts that say nothing about the page itself: what is stored of it, and
// its validators, stay as they are.
var unanswered = map[wstk.Verdict]bool{
	wstk.VerdictNotModified: true, wstk.VerdictRefusedAddress: true,
	wstk.VerdictRefusedPolicy: true, wstk.VerdictRefusedRobots: true,
	wstk.VerdictTimeout: true, wstk.VerdictNetwork: true, wstk.VerdictHTTPError: true,
}

// header returns the caller's headers for a request to host. A host that the caller did not
// name gets only those that reveal nothing about the caller.
func (f *fetch) header(host string) http.Header {
	if f.task.Header == nil || host == text.HostKey(f.snap.URL) {
		return f.task.Header
	}
	out := http.Header{}
	for name, values := range f.task.Header {
		switch key := http.CanonicalHeaderKey(name); key {
		case "Accept", "Accept-Language":
			out[key] = values
		}
	}
	return out
}
