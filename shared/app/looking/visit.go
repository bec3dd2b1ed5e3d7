package looking

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/stage/fetch"
	"wstk/shared/stage/screen"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// visitFormat is the version of what the cache holds of a visit.
const visitFormat = "visit/1 "

// visit gets one page: from the cache, where it holds a copy that is young enough, or
// from the site. What came is kept in the cache and as evidence, as far as the settings
// allow: nothing of a visit with a browser profile, or by a rule of access.
func (l *Room) visit(ctx context.Context, req reading.PageRequest) (v reading.Visit, err error) {
	defer func(began time.Time) {
		l.Log.DebugContext(ctx, "page", "url", screen.Redact(text.HideUser(req.URL)), "method",
			v.Snapshot.Method, "verdict", v.Snapshot.Verdict, "status", v.Snapshot.Status,
			"bytes", v.Snapshot.BodyBytes, "cached", v.Hit, "ms", time.Since(began).
				Milliseconds(), "error", err)
	}(time.Now())
	if req.Render.Profile != "" && l.Config.Policy == config.PolicyStrict {
		return reading.Visit{}, wstk.Errorf(wstk.RefusedPolicy, "",
			"the policy strict uses no browser profile").
			Try(wstk.Step{Do: wstk.DoOption,
				Options: []wstk.Option{wstk.OptPolicy.Set(config.PolicyStandard)}})
	}
	ctx, cancel := l.Reading.InTime(ctx)
	defer cancel()
	task, err := l.task(req)
	if err != nil {
		return reading.Visit{}, err
	}
	key, cached := l.visitKey(task), l.Cache != nil && !l.Config.Cache.Off && !personal(task)
	if cached {
		if old, ok := l.cachedVisit(ctx, key); ok {
			if !l.Config.Cache.Fresh && l.serves(old, req) {
				old.Task, old.Hit = task, true
				err := l.Reading.Take(ctx, "", fetch.Result{Snapshot: old.Snapshot, Body: old.Body,
					Visibility: old.Visibility}, &old.Read)
				return old, err
			}
			v.Previous = &reading.Previous{FetchedAt: old.Snapshot.FetchedAt,
				Verdict: old.Snapshot.Verdict, BodySHA256: old.Snapshot.BodySHA256}
		}
	}
	if v.Read, err = l.ask(ctx, task); err != nil {
		return v, err
	}
	snap := v.Snapshot
	if v.Previous != nil {
		v.Previous.Changed = snap.BodySHA256 != v.Previous.BodySHA256
	}
	if snap.ScreenshotSHA256 != "" {
		if v.Screenshot, err = l.Blobs.Get(ctx, snap.ScreenshotSHA256); err != nil {
			return v, err
		}
	}
	if v.Refused != "" { // by the page's own words: the rest must not be used
		v.Body, v.Visibility, v.Screenshot = nil, nil, nil
		return v, nil
	}
	if cached && lasting(snap.Verdict) {
		err = l.cacheVisit(ctx, key, v)
	}
	return v, err
}

// personal reports whether what comes may be meant for the user of this machine alone.
func personal(task wstk.FetchTask) bool { return task.Render.Profile != "" || task.Way != nil }

// lasting verdicts are worth keeping: the same question has the same answer for a while.
func lasting(v wstk.Verdict) bool {
	return v.Readable() || v == wstk.VerdictNotFound || v == wstk.VerdictGone
}

// busyPauseFirst is how long a page that did not come is left alone before the second
// try; it doubles with each.
const busyPauseFirst = time.Second

// ask fetches, reads and screens, as often as the settings allow while the site does not
// answer or answers with an error.
func (l *Room) ask(ctx context.Context, task wstk.FetchTask) (reading.Read, error) {
	pause := busyPauseFirst
	for try := 1; ; try++ {
		p, err := l.Reading.FetchAndRead(ctx, task)
		again := err == nil && try < l.Config.Tries &&
			(p.Snapshot.Verdict == wstk.VerdictNetwork ||
				p.Snapshot.Verdict == wstk.VerdictTimeout ||
				p.Snapshot.Verdict == wstk.VerdictHTTPError && p.Snapshot.Status >= 500)
		end, bounded := ctx.Deadline()
		if !again || bounded && time.Until(end) < 2*pause {
			return p, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return p, err
		}
		pause *= 2
	}
}

// visitKey names a visit in the cache: whatever may change what comes back is part of it.
// It is a hash, since an address may carry a secret.
func (l *Room) visitKey(task wstk.FetchTask) string {
	u := task.URL
	if canonical, err := text.Canonical(u); err == nil {
		u = canonical
	}
	data, err := json.Marshal(struct {
		URL       string
		Private   bool
		Proxy     string
		Method    wstk.FetchMethod
		Header    http.Header
		Follow    int
		Robots    wstk.RobotsPolicy
		Usage     wstk.UsagePolicy
		UserAgent string
		Wait      time.Duration
		WaitFor   string
		Language  string
	}{u, l.Config.AllowPrivate, l.Config.Proxy, task.Method, task.Header, task.Follow, task.Robots,
		task.Usage, task.UserAgent, task.Render.Wait, task.Render.WaitFor,
		task.Render.AcceptLanguage})
	if err != nil {
		panic("a visit's key cannot be written: " + err.Error()) // it holds texts and numbers
	}
	return visitFormat + string(wstk.HashOf(data))
}

// serves reports whether a cached visit is what a request of today would get: it holds what
// is wanted, within today's cap, of hosts that today's lists let through.
func (l *Room) serves(old reading.Visit, req reading.PageRequest) bool {
	snap := old.Snapshot
	return old.Body != nil && snap.BodyBytes <= l.Config.MaxBytes && !req.Render.Headful &&
		(!req.Render.Screenshot || old.Screenshot != nil) &&
		(l.Fetch.Admit == nil ||
			l.Fetch.Admit(snap.URL) == nil && l.Fetch.Admit(snap.FinalURL) == nil)
}

// cachedVisit reads what the cache holds; its body is nil where only metadata was kept.
func (l *Room) cachedVisit(ctx context.Context, key string) (v reading.Visit, ok bool) {
	e, err := l.Cache.Get(ctx, key)
	if err != nil || len(e.Value) < 12 || l.Now().Sub(e.StoredAt) >= l.Config.Cache.TTL {
		return v, false
	}
	head, body, shot := binary.BigEndian.Uint32(e.Value), binary.BigEndian.Uint32(e.Value[4:]),
		binary.BigEndian.Uint32(e.Value[8:])
	rest := e.Value[12:]
	if uint64(len(rest)) < uint64(head)+uint64(body)+uint64(shot) ||
		json.Unmarshal(rest[:head], &v.Snapshot) != nil {
		return reading.Visit{}, false
	}
	if v.Snapshot.BodySHA256 != "" && body > 0 {
		v.Body = rest[head : head+body]
	}
	if shot > 0 {
		v.Screenshot = rest[head+body : head+body+shot]
	}
	// What is left is what the browser showed, whole or not at all.
	if left := rest[head+body+shot:]; len(left) > 0 {
		v.Visibility = left
	}
	if want := v.Snapshot.VisibilitySHA256; v.Visibility != nil &&
		wstk.HashOf(v.Visibility) != want || v.Visibility == nil && v.Body != nil && want != "" {
		return reading.Visit{}, false
	}
	return v, true
}

// seen reads a page from the cache, as a one-page command with no settings of its own got
// it, and stores nothing.
func (l *Room) seen(
	ctx context.Context, url string,
) (d *wstk.Document, found wstk.Screening, ok bool) {
	if l.Cache == nil || l.Config.Cache.Off {
		return nil, found, false
	}
	task, err := l.Reading.Task(reading.PageRequest{URL: url})
	if err != nil {
		return nil, found, false
	}
	v, ok := l.cachedVisit(ctx, l.visitKey(task))
	if !ok || v.Body == nil || !v.Snapshot.Verdict.Readable() {
		return nil, found, false
	}
	if d, err = l.Read.Do(ctx, reading.ReadInput(v.Snapshot, v.Body, v.Visibility)); err != nil {
		return nil, found, false
	}
	found, err = l.Screen.Do(ctx, screen.Input{Snapshot: v.Snapshot, Document: d, Body: v.Body})
	return d, found, err == nil && (found.Verdict.Readable() || found.Partial)
}

// missingAge is how long it is kept that a page is not there.
const missingAge = time.Hour

// cacheVisit keeps a visit: three lengths, the snapshot as JSON, body, screenshot, and
// what a browser showed. A
// cache that cannot be written is a warning, for nothing is lost.
func (l *Room) cacheVisit(ctx context.Context, key string, v reading.Visit) error {
	snap, body, shot, shown := v.Snapshot, v.Body, v.Screenshot, v.Visibility
	if l.Config.Cache.Store == config.StoreMetadata { // enough to tell a change from
		snap = wstk.Snapshot{FetchedAt: snap.FetchedAt, Verdict: snap.Verdict,
			BodySHA256: snap.BodySHA256}
		body, shot, shown = nil, nil, nil
	}
	head, err := json.Marshal(snap)
	if err != nil {
		return wstk.Wrap(wstk.Internal, "writing to the cache", err)
	}
	value := make([]byte, 12, 12+len(head)+len(body)+len(shot)+len(shown))
	for i, n := range []int{len(head), len(body), len(shot)} {
		binary.BigEndian.PutUint32(value[4*i:], uint32(n))
	}
	value = append(append(append(append(value, head...), body...), shot...), shown...)
	ttl := l.Config.Cache.TTL
	if !v.Snapshot.Verdict.Readable() { // a page that is not there may be there tomorrow
		ttl = min(ttl, missingAge)
	}
	if err := l.Cache.Put(ctx, key, value, ttl); err != nil {
		l.Log.WarnContext(ctx, "not kept in the cache", "error", err)
	}
	return nil
}

// keep puts what was seen into the evidence folder, and into v where. A folder that was
// given with this very command is used whatever else is switched off; others only where
// bodies are kept. d is what the page was read as; nil where it was not.
func (l *Room) keep(ctx context.Context, v *reading.Visit, d *wstk.Document) error {
	c := l.Config
	explicit := c.Origin["evidence_dir"] == "flag"
	switch {
	case l.Captures == nil, v.Body == nil:
		return nil
	case !explicit && (c.Cache.Off || c.Cache.Store == config.StoreMetadata ||
		personal(v.Task)):
		return nil
	}
	snap := v.Snapshot
	if c.Redact {
		var err error
		if snap, err = redacted(snap); err != nil {
			return err
		}
	}
	in := wstk.Capture{Manifest: wstk.CaptureManifest{Tool: "wstk " + wstk.Version, Snapshot: snap,
		Partial: v.Partial(), CapturedAt: snap.FetchedAt,
		Files: []wstk.CaptureFile{
			{Role: wstk.RoleBody, ContentType: snap.ContentType, Data: v.Body}}}}
	if d != nil {
		in.Manifest.TextSHA256, in.Manifest.Reader = d.TextSHA256, d.Reader+" "+d.Choice.Name
		in.Manifest.Files = append(in.Manifest.Files,
			wstk.CaptureFile{Role: wstk.RoleMarkdown, ContentType: "text/markdown",
				Data: []byte(d.Markdown)})
	}
	if v.Visibility != nil {
		in.Manifest.Files = append(in.Manifest.Files,
			wstk.CaptureFile{Role: wstk.RoleVisibility, ContentType: "application/json",
				Data: v.Visibility})
	}
	if v.Screenshot != nil {
		in.Manifest.Files = append(in.Manifest.Files,
			wstk.CaptureFile{Role: wstk.RoleScreenshot, ContentType: "image/png",
				Data: v.Screenshot})
	}
	out, err := l.Captures.Put(ctx, in)
	switch {
	case err == nil:
		v.Capture = &out
		return nil
	case explicit || ctx.Err() != nil:
		return err
	}
	v.Snapshot.Warnings = append(v.Snapshot.Warnings,
		wstk.Warning{Code: "evidence_not_kept",
			Message: "No evidence was kept: " + err.Error() + ".", URL: snap.URL})
	return nil
}

// redacted is a snapshot as a manifest may show it.
func redacted(snap wstk.Snapshot) (out wstk.Snapshot, err error) {
	data, err := json.Marshal(snap)
	if err == nil {
		data, _, err = screen.RedactJSON(data)
	}
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	return out, wstk.Wrap(wstk.Internal, "keeping evidence", err)
}

// maxHeadersFile bounds the JSON of headers handed in, in bytes.
const maxHeadersFile = 64 << 10

// ParseHeaders reads headers from a JSON object of texts.
func ParseHeaders(data []byte) (http.Header, error) {
	if len(data) > maxHeadersFile {
		return nil, wstk.Errorf(wstk.TooLarge, "", "the headers are over %d bytes", maxHeadersFile)
	}
	var m map[string]string
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(&m); err != nil || m == nil {
		// The error of the decoder may repeat a value.
		return nil, wstk.Errorf(wstk.Invalid, "",
			"the headers are not a JSON object with text values").
			Try(wstk.Advice(`write them as {"Accept-Language": "de"}`))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, wstk.Errorf(wstk.Invalid, "",
			"there is text after the JSON object of headers")
	}
	h := http.Header{}
	for name, value := range m {
		if err := AddHeader(h, name, value); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// credentials are the headers that a profile of a browser is for.
var credentials = map[string]bool{"Authorization": true, "Cookie": true, "Set-Cookie": true,
	"Proxy-Authorization": true}

// AddHeader adds one header of the user's. Its error has the code Invalid: the header
// carries credentials, is the client's own, or is malformed.
func AddHeader(h http.Header, name, value string) error {
	name, value = http.CanonicalHeaderKey(strings.TrimSpace(name)), strings.TrimSpace(value)
	switch {
	case name == "":
		return wstk.Errorf(wstk.Invalid, "", "a header has no name").
			Try(wstk.Advice("write it as 'Name: value'"))
	case credentials[name]:
		return wstk.Errorf(wstk.Invalid, "", "the header %s carries credentials and is not sent",
			name).
			Try(wstk.Step{Do: wstk.DoRender, For: "for a page behind a login",
				Options: []wstk.Option{wstk.OptProfile.On()}})
	case name == "User-Agent":
		return wstk.Errorf(wstk.Invalid, "", "the header User-Agent may not be set").
			Try(wstk.Step{Do: wstk.DoOption, Options: []wstk.Option{wstk.OptUserAgent.On()}})
	}
	if err := wstk.CheckHeader(name, value); err != nil {
		return wstk.Errorf(wstk.Invalid, "", "%w", err).
			Try(wstk.Advice("leave the header out; nothing was fetched"))
	}
	h.Add(name, value)
	return nil
}
