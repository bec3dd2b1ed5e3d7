package looking

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
	"strings"
	"time"
	"unicode/utf8"

	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/stage/read"
	"wstk/shared/stage/screen"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// ParseDate reads a day (in UTC) or an RFC 3339 time.
func ParseDate(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date such as 2026-01-31", s)
}

// FetchPage gets one page, over HTTP or in a browser. A wall, a refusal or a failure of
// the site is a result: see Problem. An error means that the request made no sense or
// that we could not do our part.
func (a *Room) FetchPage(ctx context.Context, req reading.PageRequest, includeBody bool) (reading.FetchResult, error) {
	v, err := a.visit(ctx, req)
	if err != nil {
		return reading.FetchResult{}, err
	}
	if err := a.keep(ctx, &v, v.Document); err != nil {
		return reading.FetchResult{}, err
	}
	r := a.Reading.Result(req, v)
	if includeBody && v.Body != nil {
		r.RawHTML = reading.OrNil(read.Decode(v.Body, v.Snapshot.ContentType, v.Snapshot.Charset, v.Snapshot.FinalURL))
	}
	return r, nil
}

// maxProvided bounds a file or standard input given to extract, in bytes.
const maxProvided = 64 << 20

// ExtractPage reads one page.
func (a *Room) ExtractPage(ctx context.Context, req reading.ExtractRequest, stdin io.Reader) (reading.ExtractResult, error) {
	var v reading.Visit
	page := req.Page
	page.URL = req.Target
	method := req.Method
	if method == "" {
		method = a.Config.Method
	}
	base, err := baseURL(req)
	if err != nil {
		return reading.ExtractResult{}, err
	}
	switch {
	case !text.IsURL(req.Target):
		v.Read, err = a.provided(ctx, req.Target, base, stdin)
	case method == "auto":
		v, err = a.Reading.Escalate(ctx, page, a.visit)
	default:
		page.Method = wstk.FetchMethod(method)
		v, err = a.visit(ctx, page)
	}
	if err != nil {
		return reading.ExtractResult{}, err
	}
	return a.extractResult(ctx, req, page, v)
}

// extractResult makes the Document of seed B of a visit.
func (a *Room) extractResult(ctx context.Context, req reading.ExtractRequest, page reading.PageRequest, v reading.Visit) (reading.ExtractResult, error) {
	out := reading.ExtractResult{StructuredData: []wstk.DataItem{}, Links: []wstk.Link{}, Findings: v.Screening.Findings}
	if out.Findings == nil {
		out.Findings = []wstk.Finding{}
	}
	d := v.Document
	if d != nil && req.Strategy != "" && req.Strategy != read.StrategyAuto {
		in := v.Input()
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
	out.FetchResult = a.Reading.Result(page, v)
	out.CanonicalURL = out.HTTP.FinalURL
	if req.IncludeHTML && v.Body != nil {
		out.RawHTML = reading.OrNil(read.Decode(v.Body, v.Snapshot.ContentType, v.Snapshot.Charset, v.Snapshot.FinalURL))
	}
	if v.Unreadable != nil {
		return out, v.Unreadable
	}
	if d == nil {
		return out, nil
	}
	out.Warnings = append(out.Warnings, d.Warnings...)
	out.CanonicalURL, out.TextSHA256 = d.CanonicalURL, d.TextSHA256
	out.Language, out.SiteName, out.Author, out.Description = reading.OrNil(d.Meta.Language), reading.OrNil(d.Meta.SiteName), reading.OrNil(d.Meta.Author), reading.OrNil(d.Meta.Description)
	out.PublishedAt, out.ModifiedAt = d.Meta.PublishedAt, d.Meta.ModifiedAt
	if d.Data != nil {
		out.StructuredData = d.Data
	}
	if d.Links != nil {
		out.Links = d.Links
	}
	out.Document = d
	main := d.MainText()
	out.Extracted = &reading.Extracted{Title: reading.OrNil(d.Meta.Title), Language: out.Language,
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
func leaveOut(r *reading.ExtractResult, req reading.ExtractRequest) {
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
// rest is that of the one form, or those of both, separated by cursorSeparator; a form that
// has come to its end has cursorEnd.
func cut(e *reading.Extracted, markdown, text string, req reading.ExtractRequest) error {
	forms := []struct {
		source string
		to     **string
	}{{markdown, &e.Markdown}, {text, &e.Text}}
	switch req.Form {
	case reading.FormMarkdown:
		forms = forms[:1]
	case reading.FormText:
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
	if e.TotalChars = utf8.RuneCountInString(markdown); req.Form == reading.FormText {
		e.TotalChars = utf8.RuneCountInString(text)
	}
	if more {
		e.NextCursor = reading.OrNil(strings.Join(next, cursorSeparator))
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
func (a *Room) captured(path string, data []byte) (snap wstk.Snapshot, found, ours bool) {
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
		Command string               `json:"command"`
		OK      *bool                `json:"ok"`
		Data    *reading.FetchResult `json:"data"`
		reading.FetchResult
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
		// No other file: the result may be another user's words.
		if kept, err := os.ReadFile(*doc.Body.Path); err == nil && wstk.HashOf(kept) == doc.Body.SHA256 {
			if _, ok := manifestOf(*doc.Body.Path, kept); ok {
				body = kept
			}
		}
	}
	return doc.HTTP.FinalURL, body, true
}

// baseURL is the request's, canonical; "" for none.
func baseURL(req reading.ExtractRequest) (string, error) {
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
func (a *Room) provided(ctx context.Context, target, base string, stdin io.Reader) (reading.Read, error) {
	in, name := stdin, reading.StdinName
	if target != "-" {
		f, err := os.Open(target)
		if err != nil {
			shown := text.HideUser(target)
			if target == "" {
				return reading.Read{}, wstk.Errorf(wstk.Invalid, "", "the name of the page is empty").WithNext("wstk extract URL", "wstk extract FILE", "wstk extract - < FILE")
			}
			e := wstk.Errorf(wstk.Invalid, "", "there is no file %q: %w", shown, errors.Unwrap(err))
			if strings.Contains(target, ".") && !strings.ContainsAny(target[:1], "/.~") {
				e = e.WithNext("for a web address write the scheme too: wstk extract https://" + shown)
			}
			return reading.Read{}, e
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return reading.Read{}, wstk.Errorf(wstk.Invalid, "", "%q is a folder, and one page is read at a time", text.HideUser(target)).
				WithNext("name a file in it: wstk extract FILE")
		}
		abs, err := filepath.Abs(target)
		if err != nil {
			return reading.Read{}, wstk.Wrap(wstk.Invalid, "opening the file", err)
		}
		in, name = f, (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}).String()
	}
	body, err := io.ReadAll(io.LimitReader(in, maxProvided+1))
	if err != nil {
		return reading.Read{}, wstk.Wrap(wstk.Invalid, "reading "+target, err)
	}
	if len(body) > maxProvided {
		return reading.Read{}, wstk.Errorf(wstk.TooLarge, "reading "+target, "it is over %d bytes", maxProvided)
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
			return reading.Read{}, wstk.Errorf(wstk.Invalid, "reading "+target, "it is a result of wstk that holds no page, nor the path of one").
				WithNext("wstk fetch URL --json --include-body", "wstk extract URL")
		}
		warnings = append(warnings, wstk.Warning{Code: "saved_result", URL: url, Message: "Read from a saved result; that it is this page is what the result says."})
		name, body, contentType = url, saved, "" // found out from the body
	}
	res, err := a.Fetch.Provided(ctx, name, body, contentType)
	if err != nil {
		return reading.Read{}, err
	}
	res.Snapshot.Warnings = append(res.Snapshot.Warnings, warnings...)
	p := reading.Read{Base: base}
	err = a.Reading.Take(ctx, "", res, &p)
	return p, err
}

// ReadPage returns what is stored of a page, or else what the cache holds of it, and what
// a reader is warned of. It never asks the site.
func (a *Room) ReadPage(ctx context.Context, name string) (reading.StoredPage, []wstk.Warning, error) {
	u, err := reading.PageName(name)
	if err != nil {
		return reading.StoredPage{}, nil, err
	}
	d, screening, err := a.Reading.Stored(ctx, u)
	if wstk.CodeOf(err) == wstk.NotFound {
		if d, screening, ok := a.seen(ctx, u); ok {
			return reading.NewStoredPage(d, screening), append(screen.Warnings(screening, d), d.Warnings...), nil
		}
		return reading.StoredPage{}, nil, wstk.Errorf(wstk.NotFound, "", "nothing is stored of %s", u).
			WithNext(a.Reading.ToStore(ctx, u)...)
	}
	if err != nil {
		return reading.StoredPage{}, nil, err
	}
	return reading.NewStoredPage(d, screening), append(screen.Warnings(screening, d), d.Warnings...), nil
}
