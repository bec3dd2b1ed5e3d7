package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"wstk/shared/config"
	"wstk/shared/stage/read"
	"wstk/shared/stage/screen"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// FetchResult is one page as it came, with where it is kept.
type FetchResult struct {
	URL         string           `json:"url"` // canonical
	FetchedAt   time.Time        `json:"fetched_at"`
	FetchMethod wstk.FetchMethod `json:"fetch_method"`
	HTTP        HTTPMeta         `json:"http"`
	Render      *RenderMeta      `json:"render,omitempty"` // of a browser
	Verdict     wstk.Verdict     `json:"verdict"`
	Reason      string           `json:"reason,omitempty"`
	Partial     bool             `json:"partial,omitempty"` // blocked, and the content is a teaser: the page breaks off behind a paywall
	Blocked     bool             `json:"blocked"`
	NextSteps   []string         `json:"next_steps"` // what may be tried where the page did not come
	Body        *BodyRef         `json:"body"`       // null when nothing came back
	RawHTML     *string          `json:"raw_html,omitempty"`
	Rights      wstk.Rights      `json:"rights"`   // what the site says its content may be used for
	Evidence    *EvidenceRef     `json:"evidence"` // null when nothing is kept
	Previous    *Previous        `json:"previous,omitempty"`
	Warnings    []wstk.Warning   `json:"-"`
	CacheHit    bool             `json:"-"`
}

// HTTPMeta is what HTTP said.
type HTTPMeta struct {
	Status    *int              `json:"status"` // null when there was no reply
	Headers   map[string]string `json:"headers"`
	FinalURL  string            `json:"final_url"`
	Redirects []wstk.Redirect   `json:"redirects"`
}

// RenderMeta is what the browser left behind.
type RenderMeta struct {
	Screenshot *string `json:"screenshot"` // path; null when none was taken or kept
	Privileged bool    `json:"privileged"` // a browser profile was used: the page may hold what only its owner sees
}

// BodyRef says what the body is, and where it is kept as a plain file.
type BodyRef struct {
	Path        *string   `json:"path"` // null when bodies are not kept
	SHA256      wstk.Hash `json:"sha256"`
	Bytes       int64     `json:"bytes"`
	ContentType string    `json:"content_type"`
}

// EvidenceRef names the folder in which what was seen is kept.
type EvidenceRef struct {
	Dir      string `json:"dir"`
	Manifest string `json:"manifest"`
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
	Links          []wstk.Link     `json:"links"`                 // empty, as StructuredData, where the content has a limit
	Findings       []wstk.Finding  `json:"findings"`

	Document *wstk.Document `json:"-"` // that all of this was made of; nil when nothing could be read
}

// Extracted is the main content.
type Extracted struct {
	Markdown         *string         `json:"markdown"` // null when only text was wanted
	Text             *string         `json:"text"`     // null when only Markdown was wanted
	Title            *string         `json:"title"`
	Language         *string         `json:"language"`
	ContentHash      wstk.Hash       `json:"content_hash,omitempty"` // of Text
	ExtractionMethod string          `json:"extraction_method"`      // reader version and the candidate chosen
	Doc              *read.Structure `json:"doc"`                    // headings, sections, code and links of a page of documentation; null for others
	TotalChars       int             `json:"total_chars"`            // of the Markdown, or of the text where only that is wanted, before any limit
	NextCursor       *string         `json:"next_cursor"`            // goes on where the limit cut; null when this is the end
}

// Content is what was extracted, as Markdown where there is some, else as text; "" when
// nothing could be read.
func (e *Extracted) Content() string {
	switch {
	case e == nil:
		return ""
	case e.Markdown != nil:
		return *e.Markdown
	case e.Text != nil:
		return *e.Text
	}
	return ""
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
	name := r.URL
	if name == stdinName {
		name = "standard input"
	}
	return wstk.Errorf(code, "", "%s: %s", name, reason).WithNext(r.NextSteps...)
}

// stdinName is what a page from standard input is called.
const stdinName = "stdin:"

const otherSource = "look for another source of the same facts: wstk search QUERY"

// nextSteps says what may be tried after a verdict.
func nextSteps(v wstk.Verdict, url string, method wstk.FetchMethod) []string {
	const other = otherSource
	byHand := "open the page in your own browser and save it, then: wstk extract FILE"
	switch v {
	case wstk.VerdictBlocked:
		return []string{other, "with a session of your own: wstk render --profile DIR " + url, byHand}
	case wstk.VerdictConsent:
		return []string{"answer the consent question yourself: wstk render --headful --wait 20000 --profile DIR " + url, byHand, other}
	case wstk.VerdictNeedsRender:
		if method == wstk.MethodBrowser {
			return []string{"give its scripts longer: wstk render --wait 5000 " + url, byHand}
		}
		return []string{"wstk extract --method browser " + url, "wstk render " + url, byHand}
	case wstk.VerdictThin:
		if method == wstk.MethodHTTP {
			return []string{"wstk extract --method browser " + url}
		}
		return nil
	case wstk.VerdictNotFound, wstk.VerdictGone:
		return []string{"check the address"}
	case wstk.VerdictRefusedRobots:
		return []string{"the site's robots.txt refuses this page; --robots warn asks anyway, with a warning", other}
	case wstk.VerdictRefusedAddress: // whoever refused it knows whether it can be opened
		return nil
	case wstk.VerdictRefusedPolicy:
		return []string{"check the address and its port, --allow-domain, --block-domain and --usage"}
	case wstk.VerdictTooLarge:
		return []string{"--max-bytes N, max_bytes under [fetch] in ~/.config/wstk/config.toml, or WSTK_MAX_BYTES"}
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
	// LongestRequest bounds one request however much time a command was given.
	LongestRequest = 2 * time.Minute

	// GraceTime is what a command gets beyond its limit to store that it ran out. The
	// command as a whole is done within a second after its limit.
	GraceTime = 500 * time.Millisecond
)

// FetchPage gets one page, over HTTP or in a browser. A wall, a refusal or a failure of
// the site is a result: see Problem. An error means that the request made no sense or
// that we could not do our part.
func (a *App) FetchPage(ctx context.Context, req PageRequest, includeBody bool) (FetchResult, error) {
	v, err := a.visit(ctx, req)
	if err != nil {
		return FetchResult{}, err
	}
	if err := a.keep(ctx, &v, v.Document); err != nil {
		return FetchResult{}, err
	}
	r := a.fetchResult(req, v)
	if includeBody && v.Body != nil {
		r.RawHTML = orNil(read.Decode(v.Body, v.Snapshot.ContentType, v.Snapshot.Charset, v.Snapshot.FinalURL))
	}
	return r, nil
}

// inTime gives the work on one page its time.
func (a *App) inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, pageTime(a.Config))
}

// pageTime is how long the work on one page may take.
func pageTime(c config.Config) time.Duration {
	limit := c.Timeout
	if limit == 0 {
		limit = config.OnePageTime
	}
	return limit + GraceTime
}

// onePage fetches, reads and screens one page into the stores, outside any crawl.
func (a *App) onePage(ctx context.Context, url string) (pageRead, error) {
	ctx, cancel := a.inTime(ctx)
	defer cancel()
	get := func(ctx context.Context, req PageRequest) (visit, error) {
		task, err := a.pageTask(req)
		if err != nil {
			return visit{}, err
		}
		p, err := a.fetchAndRead(ctx, task)
		return visit{pageRead: p}, err
	}
	req := PageRequest{URL: url, Render: RenderOptions{WaitFor: wstk.NetworkIdle}}
	if a.Config.Method == "auto" {
		v, err := a.escalate(ctx, req, get)
		return v.pageRead, err
	}
	if a.Config.Method == "browser" {
		req.Method = wstk.MethodBrowser
	}
	v, err := get(ctx, req)
	return v.pageRead, err
}

// wantsBrowser tells whether a page that was read without scripts may hold more with them.
func wantsBrowser(v wstk.Verdict) bool {
	return v == wstk.VerdictNeedsRender || v == wstk.VerdictThin
}

// verdict is what a page is, by its words where they were looked at.
func (a *App) verdict(req PageRequest, p pageRead) wstk.Verdict {
	if p.Refused != "" {
		return wstk.VerdictRefusedPolicy
	}
	if v := p.Screening.Verdict; v != "" && !req.NoDetect {
		return v
	}
	return p.Snapshot.Verdict
}

func (a *App) fetchResult(req PageRequest, v visit) FetchResult {
	snap := v.Snapshot
	r := FetchResult{URL: snap.URL, FetchedAt: snap.FetchedAt, FetchMethod: snap.Method,
		HTTP:    HTTPMeta{Headers: snap.Headers, FinalURL: snap.FinalURL, Redirects: snap.Redirects},
		Verdict: a.verdict(req, v.pageRead), Reason: snap.Reason, Partial: v.partial(), Warnings: snap.Warnings,
		Rights: v.Rights(v.Document), CacheHit: v.Hit, Previous: v.Previous}
	if snap.Status != 0 {
		r.HTTP.Status = &snap.Status
	}
	switch {
	case v.Refused != "":
		r.Reason = v.Refused
	case r.Verdict == v.Screening.Verdict && !req.NoDetect: // the words say more than the status
		r.Reason = v.Screening.Reason
	}
	if to := snap.RedirectsTo(); to != "" {
		r.Reason = fmt.Sprintf("it redirects more than %d times", v.Task.Follow)
		if v.Task.Follow == 0 { // as it was asked for
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
	if r.NextSteps = v.Next; len(r.NextSteps) == 0 {
		r.NextSteps = nextSteps(r.Verdict, r.URL, snap.Method)
		if r.Verdict == wstk.VerdictHTTPError && snap.Status >= 300 && snap.Status < 400 {
			r.NextSteps = []string{"check the address: the site sends whoever asks for it on without end, or nowhere", otherSource}
		}
		if !strings.HasPrefix(r.URL, "http") { // nobody can ask for a file that was handed in
			r.NextSteps = slices.DeleteFunc(r.NextSteps, func(step string) bool { return strings.HasSuffix(step, " "+r.URL) })
		}
	}
	if r.NextSteps == nil {
		r.NextSteps = []string{}
	}
	for i, step := range r.NextSteps { // or the step would not work
		if strings.HasSuffix(step, " "+r.URL) {
			r.NextSteps[i] = step + a.opening(r.URL)
		}
	}
	if !req.NoDetect {
		r.Warnings = append(r.Warnings, screen.Warnings(v.Screening, v.Document)...)
	}
	if w, refused := r.Rights.Warning(snap.URL, wstk.PurposeAIInput); refused && v.Task.Usage == wstk.UsageWarn && r.Verdict.Readable() {
		r.Warnings = append(r.Warnings, w)
	}
	if d := text.Under(text.HostOf(snap.FinalURL), a.Config.Sensitive); d != "" {
		r.Warnings = append(r.Warnings, wstk.Warning{Code: "sensitive_domain", URL: r.URL,
			Message: d + " is on the list of sensitive sites: have the user agree before anything is done there or with what it says."})
	}
	if names := screen.SecretURL(snap.URL); len(names) > 0 {
		r.Warnings = append(r.Warnings, wstk.Warning{Code: "secret_url",
			Message: "The address seems to carry a secret: " + strings.Join(names, ", ") + "." + a.hiding()})
	}
	if snap.BodySHA256 != "" {
		r.Body = &BodyRef{SHA256: snap.BodySHA256, Bytes: snap.BodyBytes, ContentType: snap.ContentType}
	}
	if snap.Method == wstk.MethodBrowser {
		r.Render = &RenderMeta{Privileged: req.Render.Profile != ""}
	}
	if c := v.Capture; c != nil {
		r.Evidence = &EvidenceRef{Dir: c.Dir, Manifest: filepath.Join(c.Dir, "manifest.json")}
		if f, ok := c.File(wstk.RoleBody); ok {
			r.Body.Path = orNil(filepath.Join(c.Dir, f.Name))
		}
		if f, ok := c.File(wstk.RoleScreenshot); ok {
			r.Render.Screenshot = orNil(filepath.Join(c.Dir, f.Name))
		}
	}
	if v.Screenshot != nil && r.Render.Screenshot == nil {
		r.Warnings = append(r.Warnings, wstk.Warning{Code: "screenshot_not_kept", URL: r.URL,
			Message: "The screenshot was taken and is kept nowhere, as the settings say; --evidence-dir DIR keeps it."})
	}
	return r
}

// hiding says how an address is kept from the disk and from the eye, as far as it is not.
func (a *App) hiding() string {
	var how []string
	if !a.Config.Cache.Off && a.Config.Cache.Store == config.StoreFull {
		how = append(how, "--no-cache keeps it off the disk")
	}
	if !a.Config.Redact {
		how = append(how, "--redact hides it in what is printed")
	}
	if how == nil {
		return ""
	}
	return " " + strings.Join(how, "; ") + "."
}

// maxProvided bounds a file or standard input given to extract, in bytes.
const maxProvided = 64 << 20

// ExtractRequest asks for one page made readable.
type ExtractRequest struct {
	Page        PageRequest // of a URL
	Target      string      // a URL, a file, or "-" for standard input
	BaseURL     string      // of a file or standard input: the web address that its links are relative to; "" is none
	Method      string      // http, browser, auto; "" means the operator's
	Strategy    string      // auto, readability, docs; "" means auto
	Form        Form
	Limit       read.Limit // of each form
	Cursor      string     // next_cursor of an earlier extract of the same page
	IncludeHTML bool
}

// Form is which renderings of the main content are wanted.
type Form string

const (
	FormBoth     Form = "both"
	FormMarkdown Form = "markdown"
	FormText     Form = "text"
)

// ExtractPage reads one page.
func (a *App) ExtractPage(ctx context.Context, req ExtractRequest, stdin io.Reader) (ExtractResult, error) {
	var v visit
	page := req.Page
	page.URL = req.Target
	method := req.Method
	if method == "" {
		method = a.Config.Method
	}
	base, err := baseURL(req)
	if err != nil {
		return ExtractResult{}, err
	}
	switch {
	case !text.IsURL(req.Target):
		v.pageRead, err = a.provided(ctx, req.Target, base, stdin)
	case method == "auto":
		v, err = a.escalate(ctx, page, a.visit)
	default:
		page.Method = wstk.FetchMethod(method)
		v, err = a.visit(ctx, page)
	}
	if err != nil {
		return ExtractResult{}, err
	}
	return a.extractResult(ctx, req, page, v)
}

// extractResult makes the Document of seed B of a visit.
func (a *App) extractResult(ctx context.Context, req ExtractRequest, page PageRequest, v visit) (ExtractResult, error) {
	out := ExtractResult{StructuredData: []wstk.DataItem{}, Links: []wstk.Link{}, Findings: v.Screening.Findings}
	if out.Findings == nil {
		out.Findings = []wstk.Finding{}
	}
	d := v.Document
	if d != nil && req.Strategy != "" && req.Strategy != read.StrategyAuto {
		in := v.input()
		in.Strategy = req.Strategy
		var err error
		if d, err = a.Read.Do(ctx, in); err != nil {
			return out, err
		}
	}
	if v.Snapshot.Method != wstk.MethodProvided || a.Config.Origin["evidence_dir"] == "flag" {
		if err := a.keep(ctx, &v, d); err != nil {
			return out, err
		}
	}
	out.FetchResult = a.fetchResult(page, v)
	out.CanonicalURL = out.HTTP.FinalURL
	if req.IncludeHTML && v.Body != nil {
		out.RawHTML = orNil(read.Decode(v.Body, v.Snapshot.ContentType, v.Snapshot.Charset, v.Snapshot.FinalURL))
	}
	if v.Unreadable != nil {
		return out, v.Unreadable
	}
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
	out.Document = d
	main := d.MainText()
	out.Extracted = &Extracted{Title: orNil(d.Meta.Title), Language: out.Language,
		ContentHash: wstk.HashOf([]byte(main)), ExtractionMethod: d.Reader + " " + d.Choice.Name}
	if d.Choice.Strategy == read.StrategyDocs {
		out.Extracted.Doc = read.Doc(d)
	}
	if err := cut(out.Extracted, d.Markdown, main, req); err != nil {
		out.Extracted = nil
		return out, err
	}
	leaveOut(&out, req)
	return out, nil
}

// leaveOut leaves out the lists that stand beside content with a limit, since they can be a
// hundred times as long as it, and says so. Findings stay, being warnings, and so does the
// structure of documentation where it was asked for.
func leaveOut(r *ExtractResult, req ExtractRequest) {
	if req.Limit == (read.Limit{}) {
		return
	}
	var left []string
	if n := len(r.Links); n > 0 {
		left = append(left, fmt.Sprintf("links (%d)", n))
	}
	if n := len(r.StructuredData); n > 0 {
		left = append(left, fmt.Sprintf("structured data (%d)", n))
	}
	r.Links, r.StructuredData = []wstk.Link{}, []wstk.DataItem{}
	if r.Extracted.Doc != nil && req.Strategy != read.StrategyDocs {
		r.Extracted.Doc = nil
		left = append(left, "doc")
	}
	if len(left) > 0 {
		r.Warnings = append(r.Warnings, wstk.Warning{Code: "left_out", URL: r.URL,
			Message: "Left out because the content has a limit: " + strings.Join(left, ", ") + ". An extract without a limit has all of it."})
	}
}

// cut fills in the forms that are wanted, as far as the limit goes. The cursor for the
// rest is that of the one form, or those of both, parted by cursorSeparator; a form that
// has come to its end has cursorEnd.
func cut(e *Extracted, markdown, text string, req ExtractRequest) error {
	forms := []struct {
		source string
		to     **string
	}{{markdown, &e.Markdown}, {text, &e.Text}}
	switch req.Form {
	case FormMarkdown:
		forms = forms[:1]
	case FormText:
		forms = forms[1:]
	}
	cursors := make([]string, len(forms))
	if req.Cursor != "" {
		if cursors = strings.Split(req.Cursor, cursorSeparator); len(cursors) != len(forms) {
			return wstk.Errorf(wstk.Invalid, "", "the cursor belongs to another choice of --markdown, --text and --both").
				WithNext("give the flags of the extract that it came from")
		}
	}
	next, more := make([]string, len(forms)), false
	for i, f := range forms {
		part := read.Part{}
		if next[i] = cursorEnd; cursors[i] != cursorEnd {
			var err error
			if part, err = read.Cut(f.source, req.Limit, cursors[i]); err != nil {
				return err
			}
			if part.Next != "" {
				next[i], more = part.Next, true
			}
		}
		*f.to = &part.Text
	}
	if e.TotalChars = utf8.RuneCountInString(markdown); req.Form == FormText {
		e.TotalChars = utf8.RuneCountInString(text)
	}
	if more {
		e.NextCursor = orNil(strings.Join(next, cursorSeparator))
	}
	return nil
}

// maxManifest bounds the manifest of a capture, in bytes.
const maxManifest = 1 << 20

const (
	cursorSeparator = "~"
	cursorEnd       = "."
)

// captured finds what the manifest beside a file of evidence says of the page, when it
// names this file and its hash. ours reports whether both lie in this operator's evidence:
// elsewhere anybody may have written the manifest, and it decides nothing.
func (a *App) captured(path string, data []byte) (snap wstk.Snapshot, found, ours bool) {
	snap, found = manifestOf(path, data)
	return snap, found, found && within(path, a.Config.Evidence())
}

// within reports whether a file lies below a folder, wherever links lead.
func within(path, folder string) bool {
	path, err := filepath.Abs(path)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return false
	}
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return false
	}
	inside, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(inside)
}

func manifestOf(path string, data []byte) (wstk.Snapshot, bool) {
	if path == "-" {
		return wstk.Snapshot{}, false
	}
	text, err := config.ReadRegular(filepath.Join(filepath.Dir(path), "manifest.json"), maxManifest)
	if err != nil {
		return wstk.Snapshot{}, false
	}
	var m wstk.CaptureManifest
	if json.Unmarshal(text, &m) != nil || !strings.HasPrefix(m.Format, "wstk-evidence/") {
		return wstk.Snapshot{}, false
	}
	for _, f := range m.Files {
		if f.Role == wstk.RoleBody && f.Name == filepath.Base(path) && f.SHA256 == wstk.HashOf(data) {
			return m.Snapshot, true
		}
	}
	return wstk.Snapshot{}, false
}

// savedDocument finds the page in what fetch or render printed with --json, or in the data
// of that: the body it holds, or else the one it names. The body is nil where there is
// none, as in the result of a fetch that failed.
func savedDocument(data []byte) (url string, body []byte, recognised bool) {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return "", nil, false
	}
	var saved struct {
		Command string       `json:"command"`
		OK      *bool        `json:"ok"`
		Data    *FetchResult `json:"data"`
		FetchResult
	}
	if json.Unmarshal(data, &saved) != nil {
		return "", nil, false
	}
	doc := saved.FetchResult
	if saved.Data != nil {
		doc = *saved.Data
	}
	if doc.URL == "" || doc.FetchMethod == "" {
		return "", nil, saved.OK != nil && saved.Command != ""
	}
	switch {
	case doc.RawHTML != nil:
		body = []byte(*doc.RawHTML)
	case doc.Body != nil && doc.Body.Path != nil:
		// No other file: the result may be somebody else's words.
		if kept, err := os.ReadFile(*doc.Body.Path); err == nil && wstk.HashOf(kept) == doc.Body.SHA256 {
			if _, ok := manifestOf(*doc.Body.Path, kept); ok {
				body = kept
			}
		}
	}
	return doc.HTTP.FinalURL, body, true
}

// baseURL is the request's, canonical; "" for none.
func baseURL(req ExtractRequest) (string, error) {
	if req.BaseURL == "" {
		return "", nil
	}
	if text.IsURL(req.Target) {
		return "", wstk.Errorf(wstk.Invalid, "", "--base-url is for files and standard input; %s has an address of its own", text.HideUser(req.Target))
	}
	base, err := text.Canonical(req.BaseURL)
	if err != nil || text.WithoutUser(base) != base {
		return "", wstk.Errorf(wstk.Invalid, "", "--base-url %q is no http or https address", text.HideUser(req.BaseURL)).
			WithNext("give the address of the page, such as --base-url https://example.org/docs/page.html")
	}
	return base, nil
}

// provided stores and reads a body that was handed in.
func (a *App) provided(ctx context.Context, target, base string, stdin io.Reader) (pageRead, error) {
	in, name := stdin, stdinName
	if target != "-" {
		f, err := os.Open(target)
		if err != nil {
			shown := text.HideUser(target)
			if target == "" {
				return pageRead{}, wstk.Errorf(wstk.Invalid, "", "the name of the page is empty").WithNext("wstk extract URL", "wstk extract FILE", "wstk extract - < FILE")
			}
			e := wstk.Errorf(wstk.Invalid, "", "there is no file %q: %w", shown, errors.Unwrap(err))
			if strings.Contains(target, ".") && !strings.ContainsAny(target[:1], "/.~") {
				e = e.WithNext("for a web address write the scheme too: wstk extract https://" + shown)
			}
			return pageRead{}, e
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return pageRead{}, wstk.Errorf(wstk.Invalid, "", "%q is a folder, and one page is read at a time", text.HideUser(target)).
				WithNext("name a file in it: wstk extract FILE")
		}
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
	// The table of endings says utf-8 of every text, which it cannot know.
	contentType, _, _ := strings.Cut(mime.TypeByExtension(filepath.Ext(target)), ";")
	var warnings []wstk.Warning
	snap, found, ours := a.captured(target, body)
	if found && !ours {
		warnings = append(warnings, wstk.Warning{Code: "foreign_manifest", URL: name,
			Message: "The manifest beside the file says that it is " + snap.FinalURL + "; its folder is not your evidence folder, so the page has the name of the file. If the folder is yours, name it: --evidence-dir."})
	}
	if ours { // what it says of itself is the page's, however it looks
		name, contentType = snap.FinalURL, snap.ContentType
		if snap.Charset != "" {
			contentType += "; charset=" + snap.Charset
		}
	} else if url, saved, recognised := savedDocument(body); recognised {
		if saved == nil {
			return pageRead{}, wstk.Errorf(wstk.Invalid, "reading "+target, "it is a result of wstk that holds no page, nor the path of one").
				WithNext("wstk fetch URL --json --include-body", "wstk extract URL")
		}
		warnings = append(warnings, wstk.Warning{Code: "saved_result", URL: url, Message: "Read from a saved result; that it is this page is what the result says."})
		name, body, contentType = url, saved, "" // found out from the body
	}
	res, err := a.Fetch.Provided(ctx, name, body, contentType)
	if err != nil {
		return pageRead{}, err
	}
	res.Snapshot.Warnings = append(res.Snapshot.Warnings, warnings...)
	p := pageRead{base: base}
	err = a.take(ctx, "", res, &p)
	return p, err
}

// ReadPage returns what is stored of a page, or else what the cache holds of it, and what
// a reader should beware of. It never asks the site.
func (a *App) ReadPage(ctx context.Context, name string) (StoredPage, []wstk.Warning, error) {
	u, err := pageName(name)
	if err != nil {
		return StoredPage{}, nil, err
	}
	d, screening, err := a.stored(ctx, u)
	if wstk.CodeOf(err) == wstk.NotFound {
		if d, screening, ok := a.seen(ctx, u); ok {
			return newStoredPage(d, screening), append(screen.Warnings(screening, d), d.Warnings...), nil
		}
		return StoredPage{}, nil, wstk.Errorf(wstk.NotFound, "", "nothing is stored of %s", u).
			WithNext(a.toStore(ctx, u)...)
	}
	if err != nil {
		return StoredPage{}, nil, err
	}
	return newStoredPage(d, screening), append(screen.Warnings(screening, d), d.Warnings...), nil
}

// toStore are the commands that may bring a page that is not stored: a refresh of the site
// it belongs to, else an ingest of the page itself.
func (a *App) toStore(ctx context.Context, u string) []string {
	if !strings.HasPrefix(u, "http") {
		return nil
	}
	crawl := "wstk site ingest " + shellWord(u)
	if s, err := a.FindSite(ctx, u); err == nil && strings.HasPrefix(u, siteFolder(s.Root)) {
		crawl = "wstk site refresh " + shellWord(s.Root)
	}
	return []string{crawl + a.opening(u), "wstk extract " + shellWord(u) + a.opening(u)}
}

// StoredPage is a page as it is stored.
type StoredPage struct {
	*wstk.Document
	Verdict wstk.Verdict `json:"verdict,omitempty"` // blocked where Partial is set
	Partial bool         `json:"partial,omitempty"` // the text is a teaser: the page breaks off behind a paywall
}

func newStoredPage(d *wstk.Document, s wstk.Screening) StoredPage {
	if !s.Partial {
		return StoredPage{Document: d}
	}
	return StoredPage{Document: d, Verdict: s.Verdict, Partial: true}
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
// not, and returns their canonical forms. A page that cannot be had, or not in its time, is
// a warning; when none can, that is the error.
func (a *App) ensureAll(ctx context.Context, urls []string) (pages []string, warnings []wstk.Warning, err error) {
	var problem error
	until, bound := ctx.Deadline()
	if bound = bound && len(urls) > 1; bound {
		until = until.Add(-time.Until(until) / 4) // the answer takes some, too
	}
	for i, raw := range urls {
		u, err := pageName(raw)
		if err != nil {
			return nil, nil, err
		}
		limit := pageTime(a.Config)
		if bound {
			limit = min(limit, share(time.Until(until), len(urls)-1-i))
		}
		page, why, err := a.ensureWithin(ctx, u, limit)
		switch {
		case err != nil:
			return nil, nil, err
		case why != nil && page != "":
			pages = append(pages, page)
			warnings = append(warnings, wstk.Warning{Code: "stored_copy", Message: "Used as it was stored before: " + why.Error() + ".", URL: u})
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

// share is how much of the time that is left a page may take, while others wait for theirs:
// half of it, so that however many are slow each has some, and what a quick one leaves is
// for the others.
func share(left time.Duration, waiting int) time.Duration {
	if waiting > 0 {
		left /= 2
	}
	return max(left, 2*time.Second)
}

// ensureWithin is ensure for a page that may take so long. why is Timeout where it took
// longer and ctx goes on.
func (a *App) ensureWithin(ctx context.Context, u string, limit time.Duration) (page string, why, err error) {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	page, why, err = a.ensure(timed, u)
	if err == nil || timed.Err() == nil || ctx.Err() != nil {
		return page, why, err
	}
	why = wstk.Errorf(wstk.Timeout, "", "%s was not fetched and read within the %s it had; ask about it alone, or from fewer pages at once",
		u, limit.Round(time.Second))
	if p, err := a.stateOf(ctx, u); err == nil && !p.IndexedAt.IsZero() {
		return p.URL, why, nil
	}
	return "", why, nil
}

// ensure makes one page askable. why tells what the site did where it is not; with a page
// it tells why the copy that was stored before is used although a fresh one was wanted.
func (a *App) ensure(ctx context.Context, u string) (page string, why, err error) {
	p, err := a.Pages.Get(ctx, u)
	if err == nil && p.Document == "" && p.DuplicateOf != "" {
		p, err = a.Pages.Get(ctx, p.DuplicateOf)
	}
	if err != nil && wstk.CodeOf(err) != wstk.NotFound {
		return "", nil, err
	}
	held := err == nil && p.Document != ""
	if !held || a.Config.Cache.Fresh {
		got, err := a.onePage(ctx, u)
		if err != nil {
			return "", nil, err
		}
		if why = a.noText(got); why == nil {
			p, err = a.Pages.Get(ctx, got.Document.URL)
		}
		if err != nil || why != nil && !held {
			return "", why, err
		}
	}
	if !p.IndexedAt.IsZero() {
		return p.URL, why, nil
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
	return p.URL, why, a.indexPage(ctx, PageTask{Site: p.Site, URL: p.URL, Document: p.Document, Summary: &key})
}

// noText says why a page that was fetched has no text; nil when it has some.
func (a *App) noText(p pageRead) error {
	if p.Document != nil {
		return nil
	}
	if p.Unreadable != nil {
		return p.Unreadable
	}
	if why := a.fetchResult(PageRequest{}, visit{pageRead: p}).Problem(); why != nil {
		return why
	}
	return wstk.Errorf(wstk.Empty, "", "%s has no text", p.Snapshot.URL)
}
