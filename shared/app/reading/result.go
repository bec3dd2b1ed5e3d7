package reading

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
	// id of the service that fetched the page for us, and the host of its address; as the status
	// in HTTP, only that service says what the site sent
	FetchedBy  string `json:"fetched_by,omitempty"`
	FetchedVia string `json:"fetched_via,omitempty"`
	// the operator's rule that had the page asked for; absent for what every reader gets
	Access  *wstk.Permit `json:"access,omitempty"`
	HTTP    HTTPMeta     `json:"http"`
	Render  *RenderMeta  `json:"render,omitempty"` // of a browser
	Verdict wstk.Verdict `json:"verdict"`
	Reason  string       `json:"reason,omitempty"`
	// blocked, and the content is a teaser: the page breaks off behind a paywall
	Partial bool `json:"partial,omitempty"`
	Blocked bool `json:"blocked"`
	// what may be tried where the page did not come
	Steps []wstk.Step `json:"-"`
	// Steps, in the words of the door that shows them
	NextSteps []string       `json:"next_steps"`
	Body      *BodyRef       `json:"body"` // null when nothing came back
	RawHTML   *string        `json:"raw_html,omitempty"`
	Rights    wstk.Rights    `json:"rights"`   // what the site says its content may be used for
	Evidence  *EvidenceRef   `json:"evidence"` // null when nothing is kept
	Previous  *Previous      `json:"previous,omitempty"`
	Warnings  []wstk.Warning `json:"-"`
	CacheHit  bool           `json:"-"`
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
	// a browser profile was used: the page may hold what only its owner sees
	Privileged bool `json:"privileged"`
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

// ExtractResult is a page made readable. Extracted holds main
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
	// of the whole visible text, see wstk read
	TextSHA256 wstk.Hash `json:"text_sha256,omitempty"`
	// empty, as StructuredData, where the content has a limit
	Links    []wstk.Link    `json:"links"`
	Findings []wstk.Finding `json:"findings"`

	// that all of this was made of; nil when nothing could be read
	Document *wstk.Document `json:"-"`
}

// Extracted is the main content.
type Extracted struct {
	Markdown    *string   `json:"markdown"` // null when only text was wanted
	Text        *string   `json:"text"`     // null when only Markdown was wanted
	Title       *string   `json:"title"`
	Language    *string   `json:"language"`
	ContentHash wstk.Hash `json:"content_hash,omitempty"` // of Text
	// reader version and the candidate chosen
	ExtractionMethod string `json:"extraction_method"`
	// headings, sections, code and links of a page of documentation; null for others
	Doc *read.Structure `json:"doc"`
	// of the Markdown, or of the text where only that is wanted, before any limit
	TotalChars int `json:"total_chars"`
	// goes on where the limit cut; null when this is the end
	NextCursor *string `json:"next_cursor"`
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
	if name == StdinName {
		name = "standard input"
	}
	return wstk.Errorf(code, "", "%s: %s", name, reason).Try(r.Steps...)
}

// StdinName is what a page from standard input is called.
const StdinName = "stdin:"

// OrNil makes an unknown text absent rather than empty.
func OrNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// verdict is what a page is, by its words where they were looked at.
func (r *Room) verdict(req PageRequest, p Read) wstk.Verdict {
	if p.Refused != "" {
		return wstk.VerdictRefusedPolicy
	}
	if v := p.Screening.Verdict; v != "" && !req.NoDetect {
		return v
	}
	return p.Snapshot.Verdict
}

// Result returns what a visit came to, as the commands about one page report it.
func (r *Room) Result(req PageRequest, v Visit) FetchResult {
	snap := v.Snapshot
	out := FetchResult{URL: snap.URL, FetchedAt: snap.FetchedAt, FetchMethod: snap.Method,
		FetchedBy: snap.FetchedBy, FetchedVia: snap.FetchedVia, Access: snap.Access,
		HTTP: HTTPMeta{Headers: snap.Headers, FinalURL: snap.FinalURL,
			Redirects: snap.Redirects},
		Verdict: r.verdict(req, v.Read), Reason: snap.Reason, Partial: v.Partial(),
		Warnings: snap.Warnings,
		Rights:   v.Rights(v.Document), CacheHit: v.Hit, Previous: v.Previous}
	if snap.Status != 0 {
		out.HTTP.Status = &snap.Status
	}
	switch {
	case v.Refused != "":
		out.Reason = v.Refused
	case out.Verdict == v.Screening.Verdict && !req.NoDetect: // the words say more than the status
		out.Reason = v.Screening.Reason
	}
	if to := snap.RedirectsTo(); to != "" {
		out.Reason = fmt.Sprintf("it redirects more than %d times", v.Task.Follow)
		if v.Task.Follow == 0 { // as it was asked for
			out.Verdict, out.Reason = wstk.VerdictOK, "redirects to "+to
		}
	}
	if out.HTTP.Headers == nil {
		out.HTTP.Headers = map[string]string{}
	}
	if out.HTTP.Redirects == nil {
		out.HTTP.Redirects = []wstk.Redirect{}
	}
	out.Blocked = out.Verdict == wstk.VerdictBlocked || out.Verdict == wstk.VerdictConsent
	out.Steps = r.stepsOf(out, v)
	if snap.BodySHA256 != "" {
		out.Body = &BodyRef{SHA256: snap.BodySHA256, Bytes: snap.BodyBytes,
			ContentType: snap.ContentType}
	}
	if snap.Method == wstk.MethodBrowser {
		out.Render = &RenderMeta{Privileged: req.Render.Profile != ""}
	}
	out.refer(v.Capture)
	out.Warnings = append(out.Warnings, r.warningsOf(req, v, out)...)
	return out
}

// stepsOf returns what may be tried after a visit.
func (r *Room) stepsOf(out FetchResult, v Visit) []wstk.Step {
	steps := v.Steps
	if len(steps) == 0 {
		steps = StepsAfter(out.Verdict, out.URL, out.FetchMethod)
		steps = append(steps, r.byService(out)...)
		if status := v.Snapshot.Status; out.Verdict == wstk.VerdictHTTPError &&
			status >= 300 && status < 400 {
			steps = []wstk.Step{wstk.Advice(
				"check the address: the site redirects it forever, or to no address"), otherSource}
		}
		if out.Access != nil { // rules are for requests over HTTP alone
			steps = slices.DeleteFunc(steps, func(s wstk.Step) bool {
				return slices.ContainsFunc(s.Options, func(o wstk.Option) bool {
					return o.Name == wstk.OptMethod
				})
			})
		}
		if !strings.HasPrefix(out.URL, "http") { // a file that was handed in has no site to ask
			steps = slices.DeleteFunc(steps, func(s wstk.Step) bool { return s.URL == out.URL })
		}
	}
	for i, s := range steps { // or the step would not work
		if s.URL == out.URL {
			steps[i].Options = append(slices.Clip(s.Options), r.Opening(out.URL)...)
		}
	}
	return steps
}

// byService is the step to have a service fetch a page that needs its scripts; none where no
// service is set up or where it did.
func (r *Room) byService(out FetchResult) []wstk.Step {
	if !wantsBrowser(out.Verdict) || out.FetchMethod == wstk.MethodRemote || !r.serviceReady() {
		return nil
	}
	return []wstk.Step{{Do: wstk.DoExtract, For: "have " + r.Fetch.Scraper.Info().ID + " fetch it",
		URL: out.URL, Options: []wstk.Option{wstk.OptMethod.Set(wstk.MethodRemote)}}}
}

// refer names the files of a capture; nil means that none was kept.
func (f *FetchResult) refer(c *wstk.Capture) {
	if c == nil {
		return
	}
	f.Evidence = &EvidenceRef{Dir: c.Dir, Manifest: filepath.Join(c.Dir, "manifest.json")}
	if file, ok := c.File(wstk.RoleBody); ok {
		f.Body.Path = OrNil(filepath.Join(c.Dir, file.Name))
	}
	if file, ok := c.File(wstk.RoleScreenshot); ok {
		f.Render.Screenshot = OrNil(filepath.Join(c.Dir, file.Name))
	}
}

// warningsOf returns what a reader of a visited page should know of it, beside what its fetch
// said.
func (r *Room) warningsOf(req PageRequest, v Visit, out FetchResult) (list []wstk.Warning) {
	snap := v.Snapshot
	if !req.NoDetect {
		list = append(list, screen.Warnings(v.Screening, v.Document)...)
	}
	if w, refused := out.Rights.Warning(snap.URL, wstk.PurposeAIInput); refused &&
		v.Task.Usage == wstk.UsageWarn && out.Verdict.Readable() {
		list = append(list, w)
	}
	if d := text.Under(text.HostOf(snap.FinalURL), r.Config.Sensitive); d != "" {
		list = append(list, wstk.Warning{Code: "sensitive_domain", URL: out.URL,
			Message: d + " is on the list of sensitive sites: ask the user before you act on " +
				"this site or use what it says."})
	}
	if by := snap.Access; by != nil {
		list = append(list, permitWarning(*by, snap.URL))
	}
	if names := screen.SecretURL(snap.URL); len(names) > 0 {
		list = append(list, wstk.Warning{Code: "secret_url",
			Message: "The address seems to carry a secret: " +
				strings.Join(names, ", ") + "." + r.hiding()})
	}
	if v.Screenshot != nil && out.Render.Screenshot == nil {
		list = append(list, wstk.Warning{Code: "screenshot_not_kept", URL: out.URL,
			Message: "The screenshot was taken and not stored: the settings keep no evidence. " +
				"Set evidence_dir to store it."})
	}
	return list
}

// permitWarning says what a page is that a rule of the operator's had asked for.
func permitWarning(by wstk.Permit, url string) wstk.Warning {
	said := ""
	if by.Kind == wstk.AccessAPI {
		said = "An API gave this for " + by.Page + " (rule " + by.Rule + "): only the API says " +
			"that it is the same page, and quotes of it are of the API's address."
	}
	if by.Private {
		said += " A credential of yours was sent (rule " + by.Rule + "): the page may be meant for " +
			"you alone."
	}
	return wstk.Warning{Code: "access", URL: url, Message: strings.TrimSpace(said) +
		" It is kept in neither cache nor evidence, unless you name a folder for evidence."}
}

// hiding says how an address is kept from the disk and from the eye, as far as it is not.
func (r *Room) hiding() string {
	var how []string
	if !r.Config.Cache.Off && r.Config.Cache.Store == config.StoreFull {
		how = append(how, "cache.off keeps it off the disk")
	}
	if !r.Config.Redact {
		how = append(how, "redact hides it in what is printed")
	}
	if how == nil {
		return ""
	}
	return " " + strings.Join(how, "; ") + "."
}

// ExtractRequest asks for one page made readable.
type ExtractRequest struct {
	Page   PageRequest // of a URL
	Target string      // a URL, or the name of what Given gives
	// of a file or standard input: the web address that its links are relative to; "" is none
	BaseURL     string
	Method      string // http, browser, remote, auto; "" means the operator's
	Strategy    string // auto, readability, docs; "" means auto
	Form        Form
	Limit       read.Limit // of each form
	Cursor      string     // next_cursor of an earlier extract of the same page
	IncludeHTML bool

	// Given gives a page that is handed in, as from a file; nil where Target is a URL.
	Given func() (Given, error)
}

// Given is a page that was handed in.
type Given struct {
	// what it is stored under: file:///…, stdin:, or the address that it was kept from
	Name        string
	Body        []byte
	ContentType string // "" is found out from the body
	Warnings    []wstk.Warning
}

// Form is which renderings of the main content are wanted.
type Form string

const (
	FormBoth     Form = "both"
	FormMarkdown Form = "markdown"
	FormText     Form = "text"
)
