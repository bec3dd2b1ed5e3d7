package crawl

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/xml"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// The bounds of one sitemap file are those of sitemaps.org.
const (
	maxSitemapURLs  = 50_000
	maxSitemapBytes = 50 << 20 // decompressed

	maxSitemapDepth = 32      // of nested elements; real files have 3
	maxSitemapLoc   = 8 << 10 // bytes of one address
)

// SitemapEntry is one address of a sitemap, as written there.
type SitemapEntry struct {
	Loc     string
	LastMod time.Time // zero when absent or unreadable
}

// SitemapInfo says what a sitemap file was.
type SitemapInfo struct {
	Index     bool // its entries are sitemaps
	Text      bool // a list of addresses, one a line
	Entries   int  // how many were handed out
	Truncated bool // over 50,000 entries or 50 MiB: the rest is unknown
	Broken    bool // the XML or gzip breaks off or is malformed; what is before counts
}

// ParseSitemap reads a sitemap, a sitemap index or a text sitemap, also gzipped. It calls
// page with each entry, or file if the entries are sitemaps; a function that returns false
// ends the reading. A file that is no sitemap, such as a web page, is Unprocessable.
//
// It reads hostile files safely: memory does not grow with nesting, entities are never
// expanded, the decompressed size is bounded, and a broken end does not undo what came
// before. If ctx ends, the error is Cancelled.
func ParseSitemap(
	ctx context.Context, body []byte, page, file func(SitemapEntry) bool,
) (SitemapInfo, error) {
	var info SitemapInfo
	limited := &io.LimitedReader{R: bytes.NewReader(body), N: maxSitemapBytes}
	if bytes.HasPrefix(body, []byte{0x1F, 0x8B}) {
		z, err := gzip.NewReader(limited.R)
		if err != nil {
			return info, wstk.Errorf(wstk.Unprocessable, "reading sitemap", "broken gzip: %w", err)
		}
		limited.R = z
	}
	limited.R = endingReader{ctx, limited.R}
	// With a byte order mark, UTF-16 becomes UTF-8; without one, bytes stay as they are.
	r := transform.NewReader(limited, unicode.BOMOverride(transform.Nop))
	buffered := make([]byte, 512)
	n, err := io.ReadFull(r, buffered)
	if n == 0 {
		if err == io.EOF {
			return info, wstk.Errorf(wstk.Unprocessable, "reading sitemap", "empty file")
		}
		return info, wstk.Errorf(wstk.Unprocessable, "reading sitemap", "%w", err)
	}
	head := buffered[:n]
	whole := io.MultiReader(bytes.NewReader(head), r)
	if bytes.HasPrefix(bytes.TrimLeft(head, asciiSpace), []byte("<")) {
		err = parseXMLSitemap(whole, &info, page, file)
	} else {
		err = parseTextSitemap(whole, &info, page)
	}
	if ctx.Err() != nil {
		return info, wstk.Wrap(wstk.Cancelled, "reading sitemap", ctx.Err())
	}
	if limited.N <= 0 {
		info.Truncated = true
	}
	return info, err
}

// endingReader reads until its context ends.
type endingReader struct {
	ctx context.Context
	r   io.Reader
}

func (e endingReader) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.r.Read(p)
}

// xmlSitemap reads raw tokens: the decoder then keeps no stack of open elements, so a
// million nested ones cost nothing, and we keep a short one of our own.
type xmlSitemap struct {
	info       *SitemapInfo
	page, file func(SitemapEntry) bool
	path       []string // names of open elements
	known      bool     // the root said that this is a sitemap
	entry      SitemapEntry
	words      strings.Builder // of the innermost element
}

func parseXMLSitemap(r io.Reader, info *SitemapInfo, page, file func(SitemapEntry) bool) error {
	d := xml.NewDecoder(r)
	d.Strict = false
	d.CharsetReader = func(label string, input io.Reader) (io.Reader, error) {
		if strings.HasPrefix(strings.ToLower(label), "utf-16") {
			return input, nil // the byte order mark has said so already
		}
		return charset.NewReaderLabel(label, input)
	}
	x := &xmlSitemap{info: info, page: page, file: file}
	for {
		token, err := d.RawToken()
		if err != nil {
			if !x.known {
				return wstk.Errorf(wstk.Unprocessable, "reading sitemap", "no sitemap in this file")
			}
			info.Broken = info.Broken || err != io.EOF || len(x.path) > 0
			return nil
		}
		more := true
		switch t := token.(type) {
		case xml.StartElement:
			more, err = x.start(strings.ToLower(t.Name.Local))
		case xml.CharData:
			if len(x.path) == 3 && x.words.Len()+len(t) <= maxSitemapLoc {
				x.words.Write(t)
			}
		case xml.EndElement:
			more = x.end(strings.ToLower(t.Name.Local))
		}
		if err != nil || !more {
			return err
		}
	}
}

// start opens an element and reports whether to read on.
func (x *xmlSitemap) start(name string) (more bool, err error) {
	if len(x.path) == 0 {
		if more, err = x.root(name); err != nil || !more {
			return false, err
		}
	}
	if len(x.path) == maxSitemapDepth {
		x.info.Broken = true
		return false, nil
	}
	x.path = append(x.path, name)
	x.words.Reset()
	if isSitemapEntry(x.path) {
		x.entry = SitemapEntry{}
	}
	return true, nil
}

// root opens the outermost element, which says what the file is.
func (x *xmlSitemap) root(name string) (more bool, err error) {
	switch {
	case name == "sitemapindex":
		x.info.Index = true
	case name == "urlset":
	case x.known: // an element after the end
		x.info.Broken = true
		return false, nil
	default:
		return false, wstk.Errorf(wstk.Unprocessable, "reading sitemap",
			"its root element is <%s>, so it is not a sitemap", text.Shorten(name, 40))
	}
	x.known = true
	return true, nil
}

// end closes an element and reports whether to read on.
func (x *xmlSitemap) end(name string) (more bool) {
	n := len(x.path)
	if n == 0 || x.path[n-1] != name {
		x.info.Broken = true // an end without its beginning; what is open goes on
		return true
	}
	x.field(name)
	if isSitemapEntry(x.path) && x.entry.Loc != "" && !x.yield() {
		return false
	}
	x.path = x.path[:n-1]
	return true
}

// field takes a field of an entry: only one right under <url> or <sitemap>. image:loc and
// the like are deeper.
func (x *xmlSitemap) field(name string) {
	if len(x.path) != 3 || !isSitemapEntry(x.path[:2]) {
		return
	}
	switch name {
	case "loc":
		x.entry.Loc = strings.TrimSpace(x.words.String())
	case "lastmod":
		x.entry.LastMod, _ = parseLastMod(x.words.String())
	}
}

// yield hands the entry over and reports whether to read on.
func (x *xmlSitemap) yield() (more bool) {
	if x.info.Entries == maxSitemapURLs {
		x.info.Truncated = true
		return false
	}
	x.info.Entries++
	if x.info.Index {
		return x.file(x.entry)
	}
	return x.page(x.entry)
}

// isSitemapEntry reports whether path leads to one entry.
func isSitemapEntry(path []string) bool {
	return len(path) == 2 && (path[0] == "urlset" && path[1] == "url" ||
		path[0] == "sitemapindex" && path[1] == "sitemap")
}

// parseTextSitemap reads one address a line. If the first line is none, the file is no
// sitemap.
func parseTextSitemap(r io.Reader, info *SitemapInfo, yield func(SitemapEntry) bool) error {
	info.Text = true
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<10)
	lines.Split(splitLines)
	for lines.Scan() {
		loc := strings.Trim(lines.Text(), asciiSpace)
		if loc == "" {
			continue
		}
		if len(loc) > maxSitemapLoc || !utf8.ValidString(loc) || !strings.Contains(loc, "://") {
			if info.Entries == 0 {
				return wstk.Errorf(wstk.Unprocessable, "reading sitemap", "no sitemap in this file")
			}
			continue
		}
		if info.Entries == maxSitemapURLs {
			info.Truncated = true
			return nil
		}
		info.Entries++
		if !yield(SitemapEntry{Loc: loc}) {
			return nil
		}
	}
	info.Broken = lines.Err() != nil
	if info.Entries == 0 {
		return wstk.Errorf(wstk.Unprocessable, "reading sitemap", "no sitemap in this file")
	}
	return nil
}

// splitLines is a bufio.SplitFunc for lines that end in LF, CR or CRLF; empty
// lines may come twice.
func splitLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexAny(data, "\r\n"); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// lastModForms are the forms of W3C's note on date and time, and others that sites write.
var lastModForms = []string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006",
	"2006-01-02T15:04:05.999999999Z0700", "2006-01-02T15:04:05.999999999", "2006-01-02T15:04",
	"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05 Z0700", "2006-01-02 15:04:05 MST",
	"2006-01-02 15:04:05", "2006-01-02 15:04",
	time.RFC1123, time.RFC1123Z, "2006/01/02",
}

// parseLastMod reads a date; without a zone it is UTC.
func parseLastMod(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	for _, form := range lastModForms {
		if t, err := time.Parse(form, s); err == nil {
			return t.UTC(), t.Year() > 1970
		}
	}
	return time.Time{}, false
}
