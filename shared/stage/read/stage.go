package read

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"wstk/shared/stage/read/deadline"
	"wstk/shared/stage/read/dom"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Reader names this reader and its version: a Document that another version
// made may have other offsets. It changes whenever a body may be read otherwise than
// before, and so do the names of the readers of other types: verify reads bodies again
// and holds what the same version made to be the same.
const Reader = "html/10"

// Headers are the names of those that Input.Headers are read for, in lower case.
var Headers = []string{"content-language", "link", "x-robots-tag"}

// Stage reads bodies. It keeps no state: one Stage may be used concurrently.
type Stage struct{}

// Input is a stored body with what is known about it.
type Input struct {
	URL string // canonical
	// what links are relative to; "" is URL. Of no web address, relative links stay as they stand
	Base string
	Body []byte // as stored
	// the stored wstk.Visibility of Body; nil where no browser was asked
	Visibility []byte
	// media type, parameters allowed; "" is found out from the body
	ContentType string
	Charset     string // as declared by the Content-Type header; "" if none
	// of the reply, names in any case; Link, Content-Language and X-Robots-Tag are read
	Headers        map[string]string
	SnapshotSHA256 wstk.Hash // of Body
	FetchedAt      time.Time
	Strategy       string // one of Strategies, "" for auto; only pages of HTML have a choice
}

func (in *Input) base() string {
	if in.Base == "" {
		return in.URL
	}
	return in.Base
}

// Do reads a body. The same Input gives the same Document, byte for byte. The
// only errors are UnsupportedMediaType, for a body that is not text or of a type
// that is not read, Invalid for a strategy that does not exist, and Cancelled.
//
// Whatever the body is, its reading takes time and memory in proportion to its size, and
// ends within a second of ctx. Of a body that is built to be worse the beginning is read,
// or it is read by simpler means; warnings say which.
func (s *Stage) Do(ctx context.Context, in Input) (d *wstk.Document, err error) {
	stop := deadline.New(ctx)
	defer stop.Caught(&err)
	if err := ctx.Err(); err != nil {
		return nil, wstk.Wrap(wstk.Cancelled, "reading page", err)
	}
	if in.Strategy != "" && !slices.Contains(Strategies, in.Strategy) {
		return nil, wstk.Errorf(wstk.Invalid, "reading page", "there is no strategy %q; %s are",
			in.Strategy, strings.Join(Strategies, ", "))
	}
	m, src, err := source(&in)
	if err != nil {
		return nil, err
	}
	if m == mediaPDF {
		d, err := readPDF(ctx, in)
		if err != nil {
			return nil, err
		}
		return finish(d, in, m), nil
	}
	switch m {
	case mediaHTML, mediaXHTML:
		d = s.readHTML(stop, in, src, lowerHeaders(in))
	case mediaMarkdown:
		d = readMarkdown(stop, in.base(), src)
	case mediaJSON:
		d = readJSON(stop, in.URL, src)
	case mediaXML:
		d = readXML(stop, in.base(), src)
	default:
		d = readPlain(stop, in.URL, src)
	}
	if n := strings.Count(src, "\ufffd") - bytes.Count(in.Body, []byte("\ufffd")); n > 0 {
		d.Warnings = append(d.Warnings, wstk.Warning{Code: "undecodable", URL: in.URL,
			Message: fmt.Sprintf("%d bytes mean nothing in the charset of the page and were "+
				"replaced; the page may name the wrong one.", n)})
	}
	return finish(d, in, m), nil
}

// source decides how a body is read, and decodes it unless it is a PDF. It sets in.Charset
// where only the content type names it.
func source(in *Input) (m media, src string, err error) {
	if in.Charset == "" {
		if _, params, ok := strings.Cut(in.ContentType, ";"); ok {
			in.Charset = parameter(params, "charset")
		}
	}
	if m, err = mediaOf(in.ContentType, in.Charset, in.URL, in.Body); err != nil || m == mediaPDF {
		return m, "", err
	}
	src = decode(in.Body, in.Charset, m)
	if m == mediaXML && text.IsXHTML(src) {
		m = mediaXHTML // whatever it is called, what a browser hides is not to be read
	}
	return m, src, nil
}

func lowerHeaders(in Input) map[string]string {
	headers := make(map[string]string, len(in.Headers))
	for k, v := range in.Headers {
		headers[strings.ToLower(k)] = v
	}
	return headers
}

// finish sets what every Document has.
func finish(d *wstk.Document, in Input, m media) *wstk.Document {
	d.URL = in.URL
	d.SnapshotSHA256 = in.SnapshotSHA256
	d.TextSHA256 = wstk.HashOf([]byte(d.Text))
	d.FetchedAt = in.FetchedAt
	if m != mediaHTML && m != mediaXHTML {
		flagSections(d)
		f, headers := facts{}, lowerHeaders(in)
		d.CanonicalURL = f.canonicalURL(&page{url: in.URL, base: in.base()}, headers)
		f.robots(&d.Meta, headers)
		if l := languageTag(headers["content-language"]); l != "" {
			d.Meta.Language = l
		}
	}
	// Empty lists rather than null: readers of the JSON need not tell them apart.
	if d.Blocks == nil {
		d.Blocks = []wstk.Block{}
	}
	if d.Sections == nil {
		d.Sections = []wstk.Section{}
	}
	if d.Links == nil {
		d.Links = []wstk.Link{}
	}
	if d.Data == nil {
		d.Data = []wstk.DataItem{}
	}
	return d
}

func parameter(params, key string) string {
	for p := range strings.SplitSeq(params, ";") {
		if k, v, ok := strings.Cut(p, "="); ok && strings.EqualFold(strings.TrimSpace(k), key) {
			return strings.Trim(strings.TrimSpace(v), `"'`)
		}
	}
	return ""
}

func (s *Stage) readHTML(
	stop *deadline.Stop, in Input, src string, headers map[string]string,
) *wstk.Document {
	xml := xmlPage(in.Body)
	t := dom.Parse(stop, src, xml)
	p, browser := readShown(t, &in)
	p.base = in.base()
	f := gather(t)
	meta := f.metadata(p, headers)
	p.flagLabels(f)
	choice := p.chooseMain(in.Strategy, f)
	d := &wstk.Document{
		CanonicalURL: f.canonicalURL(p, headers),
		Sections:     p.sections,
		Meta:         meta,
		Hidden:       p.hidden,
		Choice:       choice,
		Reader:       Reader,
	}
	if browser != nil {
		d.VisibilitySHA256 = browser.hash
	} else {
		d.StylesNotRead = p.unread
	}
	d.Text = string(p.text)
	d.Blocks = make([]wstk.Block, len(p.blocks))
	for i := range p.blocks {
		d.Blocks[i] = p.blocks[i].Block
	}
	if !p.forum {
		flagSections(d)
	}
	d.Flagged = p.flagged
	d.Links = p.links(f)
	d.Markdown = p.markdown(f)
	d.Data = p.structuredData(f.resolveBase(in.base()))
	if (in.Charset != "" || xml) && len(d.Data) > 0 && decode(in.Body, "", mediaHTML) != src {
		// A check of a literal has the body and not the header: what the
		// body alone does not prove is no evidence.
		d.Data = nil
		p.warn("data_needs_header", "only the reply's header or the XML declaration names the "+
			"page's charset; its structured data was left out")
	}
	for _, b := range t.Bounds() {
		p.warn("reading_bounded", b)
	}
	if t.Lenient {
		p.warn("lenient_parse", "the page is nested too deeply, or built to overload a parser; "+
			"it was read by a simpler one")
	}
	d.Warnings = p.warnings
	return d
}
