package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"wstk/shared/stage/screen"
	"wstk/shared/wstk"
)

// FetchRequest asks for one page.
type FetchRequest struct {
	URL      string
	Header   http.Header
	NoFollow bool
}

// FetchResult is one fetch as the door shows it: seed B's Document without what
// was extracted.
type FetchResult struct {
	URL         string           `json:"url"` // canonical
	FetchedAt   time.Time        `json:"fetched_at"`
	FetchMethod wstk.FetchMethod `json:"fetch_method"`
	HTTP        HTTPMeta         `json:"http"`
	Verdict     wstk.Verdict     `json:"verdict"`
	Reason      string           `json:"reason,omitempty"`
	Blocked     bool             `json:"blocked"`
	Body        *BodyRef         `json:"body"` // null when nothing came back
	Warnings    []wstk.Warning   `json:"-"`

	next []string // steps the fetch itself suggests
}

// HTTPMeta is what HTTP said.
type HTTPMeta struct {
	Status    *int              `json:"status"` // null when there was no reply
	Headers   map[string]string `json:"headers"`
	FinalURL  string            `json:"final_url"`
	Redirects []wstk.Redirect   `json:"redirects"`
}

// BodyRef says where a body is: in the store under its hash, and as a plain file in
// the cache.
type BodyRef struct {
	Path        string    `json:"path"`
	SHA256      wstk.Hash `json:"sha256"`
	Bytes       int64     `json:"bytes"`
	ContentType string    `json:"content_type"`
}

// ExtractResult is seed B's Document: a page made readable. Extracted holds main
// content only.
type ExtractResult struct {
	FetchResult
	Extracted      *Extracted      `json:"extracted"` // null when nothing could be read
	StructuredData []wstk.DataItem `json:"structured_data"`
	Language       *string         `json:"language"`
	CanonicalURL   string          `json:"canonical_url"`
	SiteName       *string         `json:"site_name"`
	Author         *string         `json:"author"`
	Description    *string         `json:"description"`
	PublishedAt    *time.Time      `json:"published_at"`
	ModifiedAt     *time.Time      `json:"modified_at"`
	TextSHA256     wstk.Hash       `json:"text_sha256,omitempty"` // of the whole visible text, see wstk read
	Links          []wstk.Link     `json:"links"`
	Findings       []wstk.Finding  `json:"findings"`
}

// Extracted is the main content.
type Extracted struct {
	Markdown         string    `json:"markdown"`
	Text             string    `json:"text"`
	Title            *string   `json:"title"`
	Language         *string   `json:"language"`
	ContentHash      wstk.Hash `json:"content_hash,omitempty"` // of Text
	ExtractionMethod string    `json:"extraction_method"`      // reader version and the candidate chosen
}

// Problem is the error a command about this one page ends with: nil for a page, and
// for walls, refusals and failures the verdict as a code, with what to try. Of a thin
// page only an empty body is one.
func (r FetchResult) Problem() error {
	code := r.Verdict.Code()
	if r.Verdict == wstk.VerdictThin && (r.Body == nil || r.Body.Bytes == 0) {
		code = wstk.Empty
	}
	if code == "" {
		return nil
	}
	reason := r.Reason
	if reason == "" {
		reason = string(r.Verdict)
	}
	next := r.next
	if len(next) == 0 {
		next = nextSteps(r.Verdict, r.URL)
	}
	return wstk.Errorf(code, "", "%s: %s", r.URL, reason).WithNext(next...)
}

// nextSteps says what a person may try after a verdict.
func nextSteps(v wstk.Verdict, url string) []string {
	switch v {
	case wstk.VerdictBlocked:
		return []string{"open the page in your own browser and save it, then: wstk extract FILE", "look for another source of the same facts"}
	case wstk.VerdictConsent:
		return []string{"open the page in your own browser, answer the consent question, save the page, then: wstk extract FILE"}
	case wstk.VerdictNeedsRender:
		return []string{"open the page in your own browser and save it, then: wstk extract FILE"}
	case wstk.VerdictNotFound, wstk.VerdictGone:
		return []string{"check the address"}
	case wstk.VerdictRefusedRobots:
		return []string{"the site's robots.txt refuses this page; --robots warn asks anyway, with a warning"}
	case wstk.VerdictRefusedAddress:
		return []string{"for a machine of your own: --allow-private"}
	case wstk.VerdictRefusedPolicy:
		return []string{"check the address, --allow-domain and --block-domain"}
	case wstk.VerdictTooLarge:
		return []string{"raise max_bytes under [fetch] in .wstk.toml, or set WSTK_MAX_BYTES"}
	case wstk.VerdictTimeout:
		return []string{"try again, or give it longer: --timeout 120s"}
	case wstk.VerdictNetwork:
		return []string{"check the address and the connection, and try again"}
	case wstk.VerdictHTTPError:
		return []string{"try again later: the site answers with an error"}
	}
	return nil
}

// orNil makes an unknown text absent rather than empty.
func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// ParseDate reads a day (in UTC) or an RFC 3339 time.
func ParseDate(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date such as 2026-01-31", s)
}

// followRedirects is how many redirects a one-page command follows.
const followRedirects = 10

const (
	// onePageTimeout bounds a one-page command that was given no time limit.
	onePageTimeout = 60 * time.Second

	// LongestRequest bounds one request however much time a command was given.
	LongestRequest = 2 * time.Minute

	// graceTime is what a command gets beyond its limit to store that it ran out.
	graceTime = time.Second
)

// FetchPage fetches one page and stores what came. A wall, a refusal or a failure of
// the site is a result: see Problem. An error means that the request made no sense or
// that we could not do our part.
func (a *App) FetchPage(ctx context.Context, req FetchRequest) (FetchResult, error) {
	p, err := a.onePage(ctx, req)
	if err != nil {
		return FetchResult{}, err
	}
	return a.fetchResult(p)
}

// onePage fetches, reads and screens one page outside any crawl.
func (a *App) onePage(ctx context.Context, req FetchRequest) (pageRead, error) {
	limit := a.Config.Timeout
	if limit == 0 {
		limit = onePageTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit+graceTime)
	defer cancel()
	task := wstk.FetchTask{URL: strings.TrimSpace(req.URL), Follow: followRedirects, Robots: a.Config.Robots,
		MaxBytes: a.Config.MaxBytes, UserAgent: a.Config.UserAgent, Fresh: true, Header: req.Header}
	if req.NoFollow {
		task.Follow = 0
	}
	if task.Robots == "" {
		task.Robots = wstk.RobotsWarn
	}
	return a.fetchAndRead(ctx, task)
}

func (a *App) fetchResult(p pageRead) (FetchResult, error) {
	snap := p.Snapshot
	r := FetchResult{URL: snap.URL, FetchedAt: snap.FetchedAt, FetchMethod: snap.Method,
		HTTP:    HTTPMeta{Headers: snap.Headers, FinalURL: snap.FinalURL, Redirects: snap.Redirects},
		Verdict: snap.Verdict, Reason: snap.Reason, next: p.Next, Warnings: snap.Warnings}
	if snap.Status != 0 {
		r.HTTP.Status = &snap.Status
	}
	if v := p.Screening.Verdict; v != "" && snap.Verdict.Readable() {
		r.Verdict, r.Reason = v, p.Screening.Reason
	}
	if to := snap.RedirectsTo(); to != "" {
		r.Reason = fmt.Sprintf("it redirects more than %d times", p.Task.Follow)
		if p.Task.Follow == 0 { // as it was asked for
			r.Verdict, r.Reason = wstk.VerdictOK, "redirects to "+to
		}
	}
	if r.HTTP.Headers == nil {
		r.HTTP.Headers = map[string]string{}
	}
	if r.HTTP.Redirects == nil {
		r.HTTP.Redirects = []wstk.Redirect{}
	}
	r.Blocked = r.Verdict == wstk.VerdictBlocked || r.Verdict == wstk.VerdictConsent
	r.Warnings = append(r.Warnings, screen.Warnings(p.Screening, p.Document)...)
	if snap.BodySHA256 != "" {
		path, err := a.SaveBody(snap.BodySHA256, snap.ContentType, p.Body)
		if err != nil {
			return r, err
		}
		r.Body = &BodyRef{Path: path, SHA256: snap.BodySHA256, Bytes: snap.BodyBytes, ContentType: snap.ContentType}
	}
	return r, nil
}

// maxProvided bounds a file or standard input given to extract, in bytes.
const maxProvided = 64 << 20

// ExtractPage reads one page: a URL, a file, or standard input for "-".
func (a *App) ExtractPage(ctx context.Context, target string, stdin io.Reader) (ExtractResult, error) {
	var p pageRead
	var err error
	if isURL(target) {
		p, err = a.onePage(ctx, FetchRequest{URL: target})
	} else {
		p, err = a.provided(ctx, target, stdin)
	}
	if err != nil {
		return ExtractResult{}, err
	}
	out := ExtractResult{StructuredData: []wstk.DataItem{}, Links: []wstk.Link{}, Findings: p.Screening.Findings}
	if out.FetchResult, err = a.fetchResult(p); err != nil {
		return out, err
	}
	if out.Findings == nil {
		out.Findings = []wstk.Finding{}
	}
	out.CanonicalURL = out.HTTP.FinalURL
	if p.Unreadable != nil {
		return out, p.Unreadable
	}
	d := p.Document
	if d == nil {
		return out, nil
	}
	out.Warnings = append(out.Warnings, d.Warnings...)
	out.CanonicalURL, out.TextSHA256 = d.CanonicalURL, d.TextSHA256
	out.Language, out.SiteName, out.Author, out.Description = orNil(d.Meta.Language), orNil(d.Meta.SiteName), orNil(d.Meta.Author), orNil(d.Meta.Description)
	out.PublishedAt, out.ModifiedAt = d.Meta.PublishedAt, d.Meta.ModifiedAt
	if d.Data != nil {
		out.StructuredData = d.Data
	}
	if d.Links != nil {
		out.Links = d.Links
	}
	main := d.MainText()
	out.Extracted = &Extracted{Markdown: d.Markdown, Text: main, Title: orNil(d.Meta.Title), Language: out.Language,
		ContentHash: wstk.HashOf([]byte(main)), ExtractionMethod: d.Reader + " " + d.Choice.Name}
	return out, nil
}

func isURL(s string) bool {
	scheme, _, ok := strings.Cut(s, "://")
	return ok && scheme != "" && !strings.ContainsAny(scheme, "/\\ .")
}

// provided stores and reads a body that was handed in.
func (a *App) provided(ctx context.Context, target string, stdin io.Reader) (pageRead, error) {
	in, name := stdin, "stdin:"
	if target != "-" {
		f, err := os.Open(target)
		if err != nil {
			shown := withoutUser(target)
			e := wstk.Errorf(wstk.Invalid, "", "there is no file %q: %w", shown, errors.Unwrap(err))
			if strings.Contains(target, ".") {
				e = e.WithNext("for a web address write the scheme too: wstk extract https://" + shown)
			}
			return pageRead{}, e
		}
		defer f.Close()
		abs, err := filepath.Abs(target)
		if err != nil {
			return pageRead{}, wstk.Wrap(wstk.Invalid, "opening the file", err)
		}
		in, name = f, (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}).String()
	}
	body, err := io.ReadAll(io.LimitReader(in, maxProvided+1))
	if err != nil {
		return pageRead{}, wstk.Wrap(wstk.Invalid, "reading "+target, err)
	}
	if len(body) > maxProvided {
		return pageRead{}, wstk.Errorf(wstk.TooLarge, "reading "+target, "it is over %d bytes", maxProvided)
	}
	res, err := a.Fetch.Provided(ctx, name, body, mime.TypeByExtension(filepath.Ext(target)))
	if err != nil {
		return pageRead{}, err
	}
	var p pageRead
	err = a.take(ctx, "", res, &p)
	return p, err
}

// ReadPage returns what is stored of a page, and what a reader should beware of. It
// never asks the site.
func (a *App) ReadPage(ctx context.Context, name string) (*wstk.Document, []wstk.Warning, error) {
	u, err := pageName(name)
	if err != nil {
		return nil, nil, err
	}
	d, screening, err := a.stored(ctx, u)
	if wstk.CodeOf(err) == wstk.NotFound {
		return nil, nil, wstk.Errorf(wstk.NotFound, "", "nothing is stored of %s", u).
			WithNext("wstk site ingest "+u, "wstk extract "+u)
	}
	if err != nil {
		return nil, nil, err
	}
	return d, append(screen.Warnings(screening, d), d.Warnings...), nil
}

// pageName is what a page is stored under: its address, or the name of what was handed
// in.
func pageName(name string) (string, error) {
	for _, scheme := range []string{"file:", "stdin:", "s3:"} {
		if strings.HasPrefix(name, scheme) {
			return name, nil
		}
	}
	return address(name)
}

// ensureAll makes sure that each URL is stored and indexed, fetching those that are
// not, and returns their canonical forms. A page that cannot be had is a warning; when
// none can, that is the error.
func (a *App) ensureAll(ctx context.Context, urls []string) (pages []string, warnings []wstk.Warning, err error) {
	var problem error
	for _, raw := range urls {
		u, err := pageName(raw)
		if err != nil {
			return nil, nil, err
		}
		page, why, err := a.ensure(ctx, u)
		switch {
		case err != nil:
			return nil, nil, err
		case why != nil:
			problem = why
			warnings = append(warnings, wstk.Warning{Code: string(wstk.CodeOf(why)), Message: "Not used: " + why.Error() + ".", URL: u})
		default:
			pages = append(pages, page)
		}
	}
	if len(pages) == 0 && problem != nil {
		return nil, warnings, problem
	}
	return pages, warnings, nil
}

// ensure makes one page askable. why tells what the site did where it is not.
func (a *App) ensure(ctx context.Context, u string) (page string, why, err error) {
	p, err := a.Pages.Get(ctx, u)
	if err == nil && p.Document == "" && p.DuplicateOf != "" {
		p, err = a.Pages.Get(ctx, p.DuplicateOf)
	}
	if err != nil && wstk.CodeOf(err) != wstk.NotFound {
		return "", nil, err
	}
	if err != nil || p.Document == "" {
		got, err := a.onePage(ctx, FetchRequest{URL: u})
		if err != nil {
			return "", nil, err
		}
		if got.Document == nil {
			if got.Unreadable != nil {
				return "", got.Unreadable, nil
			}
			r, err := a.fetchResult(got)
			if err == nil {
				err = r.Problem()
			}
			if err == nil {
				err = wstk.Errorf(wstk.Empty, "", "%s has no text", u)
			}
			return "", err, nil
		}
		if p, err = a.Pages.Get(ctx, got.Document.URL); err != nil {
			return "", nil, err
		}
	}
	if !p.IndexedAt.IsZero() {
		return p.URL, nil, nil
	}
	doc, err := wstk.LoadDocument(ctx, a.Blobs, p.Document)
	if err != nil {
		return "", nil, err
	}
	sums, err := a.Summarize.Do(ctx, doc)
	if err != nil {
		return "", nil, err
	}
	key := sums[0].Key()
	return p.URL, nil, a.indexPage(ctx, PageTask{Site: p.Site, URL: p.URL, Document: p.Document, Summary: &key})
}
