package looking

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"wstk/shared/app/reading"
	"wstk/shared/stage/read"
	"wstk/shared/stage/screen"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// FetchPage gets one page, over HTTP or in a browser. A wall, a refusal or a failure of
// the site is a result: see Problem. An error means that the request made no sense or
// that we could not do our part.
func (l *Room) FetchPage(
	ctx context.Context, req reading.PageRequest, includeBody bool,
) (reading.FetchResult, error) {
	v, err := l.visit(ctx, req)
	if err != nil {
		return reading.FetchResult{}, err
	}
	if err := l.keep(ctx, &v, v.Document); err != nil {
		return reading.FetchResult{}, err
	}
	r := l.Reading.Result(req, v)
	if includeBody && v.Body != nil {
		r.RawHTML = reading.OrNil(
			read.Decode(v.Body, v.Snapshot.ContentType, v.Snapshot.Charset, v.Snapshot.FinalURL))
	}
	return r, nil
}

// ExtractPage reads one page.
func (l *Room) ExtractPage(
	ctx context.Context, req reading.ExtractRequest,
) (reading.ExtractResult, error) {
	var v reading.Visit
	page := req.Page
	page.URL = req.Target
	method := req.Method
	if method == "" {
		method = l.Config.Method
	}
	base, err := baseURL(req)
	if err != nil {
		return reading.ExtractResult{}, err
	}
	if req.Given == nil && method == "auto" { // a browser and a service do not go by a rule
		way, err := l.way(page)
		if err != nil {
			return reading.ExtractResult{}, err
		}
		if way != nil {
			method = string(wstk.MethodHTTP)
		}
	}
	switch {
	case req.Given != nil:
		v.Read, err = l.provided(ctx, req.Given, base)
	case method == "auto":
		v, err = l.Reading.Escalate(ctx, page, l.visit)
	default:
		page.Method = wstk.FetchMethod(method)
		v, err = l.visit(ctx, page)
	}
	if err != nil {
		return reading.ExtractResult{}, err
	}
	return l.extractResult(ctx, req, page, v)
}

// extractResult makes a visited page readable.
func (l *Room) extractResult(
	ctx context.Context, req reading.ExtractRequest, page reading.PageRequest, v reading.Visit,
) (reading.ExtractResult, error) {
	out := reading.ExtractResult{StructuredData: []wstk.DataItem{}, Links: []wstk.Link{},
		Findings: v.Screening.Findings}
	if out.Findings == nil {
		out.Findings = []wstk.Finding{}
	}
	d := v.Document
	if d != nil && req.Strategy != "" && req.Strategy != read.StrategyAuto {
		in := v.Input()
		in.Strategy = req.Strategy
		var err error
		if d, err = l.Read.Do(ctx, in); err != nil {
			return out, err
		}
	}
	if v.Snapshot.Method != wstk.MethodProvided || l.Config.Origin["evidence_dir"] == "flag" {
		if err := l.keep(ctx, &v, d); err != nil {
			return out, err
		}
	}
	out.FetchResult = l.Reading.Result(page, v)
	out.CanonicalURL = out.HTTP.FinalURL
	if req.IncludeHTML && v.Body != nil {
		out.RawHTML = reading.OrNil(
			read.Decode(v.Body, v.Snapshot.ContentType, v.Snapshot.Charset, v.Snapshot.FinalURL))
	}
	if v.Unreadable != nil {
		return out, v.Unreadable
	}
	if d == nil {
		return out, nil
	}
	out.Warnings = append(out.Warnings, d.Warnings...)
	out.CanonicalURL, out.TextSHA256 = d.CanonicalURL, d.TextSHA256
	out.Language, out.SiteName, out.Author, out.Description = reading.OrNil(d.Meta.Language),
		reading.OrNil(d.Meta.SiteName), reading.OrNil(d.Meta.Author),
		reading.OrNil(d.Meta.Description)
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
			Message: "Left out because the content has a limit: " + strings.Join(left, ", ") +
				". An extract without a limit has all of it."})
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
			return wstk.Errorf(wstk.Invalid, "",
				"%q is no cursor of this page, or was made with another choice of Markdown, text or "+
					"both", req.Cursor).
				Try(wstk.Advice("ask for the same forms as the extract that gave the cursor"))
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

const (
	cursorSeparator = "~"
	cursorEnd       = "."
)

// baseURL is the request's, canonical; "" for none.
func baseURL(req reading.ExtractRequest) (string, error) {
	if req.BaseURL == "" {
		return "", nil
	}
	if text.IsURL(req.Target) {
		return "", wstk.Errorf(wstk.Invalid, "",
			"a base URL is for files and standard input; %s has an address of its own",
			text.HideUser(req.Target))
	}
	base, err := text.Canonical(req.BaseURL)
	if err != nil || text.WithoutUser(base) != base {
		return "", wstk.Errorf(wstk.Invalid, "", "the base URL %q is not an http or https address",
			text.HideUser(req.BaseURL)).
			Try(wstk.Step{Do: wstk.DoOption, For: "give the address of the page",
				Options: []wstk.Option{wstk.OptBaseURL.Set("https://example.org/docs/page.html")}})
	}
	return base, nil
}

// provided stores and reads a page that was handed in.
func (l *Room) provided(
	ctx context.Context, given func() (reading.Given, error), base string,
) (reading.Read, error) {
	page, err := given()
	if err != nil {
		return reading.Read{}, err
	}
	res, err := l.Fetch.Provided(ctx, page.Name, page.Body, page.ContentType)
	if err != nil {
		return reading.Read{}, err
	}
	res.Snapshot.Warnings = append(res.Snapshot.Warnings, page.Warnings...)
	p := reading.Read{Base: base}
	err = l.Reading.Take(ctx, "", res, &p)
	return p, err
}

// ReadPage returns what is stored of a page, or else what the cache holds of it, and what
// a reader is warned of. It never asks the site.
func (l *Room) ReadPage(
	ctx context.Context, name string,
) (reading.StoredPage, []wstk.Warning, error) {
	u, err := reading.PageName(name)
	if err != nil {
		return reading.StoredPage{}, nil, err
	}
	d, screening, err := l.Reading.Stored(ctx, u)
	if wstk.CodeOf(err) == wstk.NotFound {
		if d, screening, ok := l.seen(ctx, u); ok {
			return reading.NewStoredPage(d, screening),
				append(screen.Warnings(screening, d), d.Warnings...), nil
		}
		return reading.StoredPage{}, nil,
			wstk.Errorf(wstk.NotFound, "", "nothing is stored of %s", u).
				Try(l.Reading.ToStore(ctx, u)...)
	}
	if err != nil {
		return reading.StoredPage{}, nil, err
	}
	return reading.NewStoredPage(d, screening),
		append(screen.Warnings(screening, d), d.Warnings...), nil
}
