package read

import (
	"bytes"
	"encoding/json"
	"net/url"
	"path"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// media is a kind of body that can be read.
type media string

const (
	mediaHTML     media = "html"
	mediaXHTML    media = "xhtml"
	mediaText     media = "text"
	mediaMarkdown media = "markdown"
	mediaJSON     media = "json"
	mediaXML      media = "xml"
	mediaPDF      media = "pdf"
)

// mediaOf decides how to read a body: by its declared type, and where none is
// declared by its first bytes. XML may still turn out to be a page, see Stage.Do. A body that is no
// text, whatever its headers say, is UnsupportedMediaType; the error names the type.
func mediaOf(contentType, charset, rawURL string, body []byte) (media, error) {
	t := strings.ToLower(strings.TrimSpace(contentType))
	t, _, _ = strings.Cut(t, ";")
	t = strings.TrimSpace(t)
	if isPDF(body) { // whatever it is called: nothing else begins so
		return mediaPDF, nil
	}
	var m media
	switch {
	case t == "text/html":
		m = mediaHTML
	case t == "application/xhtml+xml":
		m = mediaXHTML
	case t == "text/markdown", t == "text/x-markdown":
		m = mediaMarkdown
	case t == "text/plain":
		m = mediaText
		if markdownName(rawURL) { // code hosts serve raw Markdown as plain text
			m = mediaMarkdown
		}
	case t == "application/json", t == "text/json", strings.HasSuffix(t, "+json"):
		m = mediaJSON
	case t == "application/xml", t == "text/xml",
		strings.HasSuffix(t, "+xml") && !strings.HasPrefix(t, "image/"):
		m = mediaXML
	case t == "", t == "application/octet-stream", t == "unknown/unknown",
		t == "application/unknown", t == "*/*":
		m = sniff(rawURL, body)
	case strings.HasPrefix(t, "text/"), textTypes[t]:
		m = mediaText // tables, scripts, style sheets, mail: as they stand
	default:
		return "", unsupported(t)
	}
	if kind := binaryKind(body); kind != "" &&
		!strings.HasPrefix(strings.ToLower(charset), "utf-16") {
		if t != "" {
			kind += " declared as " + t
		}
		return "", unsupported(kind)
	}
	return m, nil
}

// textTypes are types of plain text that are not called text.
var textTypes = map[string]bool{
	"application/javascript": true, "application/x-javascript": true,
	"application/ecmascript": true, "application/typescript": true,
	"application/x-sh": true, "application/x-tex": true, "application/x-latex": true,
	"application/x-yaml": true, "application/yaml": true,
	"application/toml": true, "application/sql": true, "application/x-ndjson": true,
	"application/jsonl": true, "application/graphql": true,
	"message/rfc822": true,
}

// isPDF tells a PDF by its first bytes; something may stand before its header.
func isPDF(body []byte) bool {
	i := bytes.Index(body[:min(len(body), 1024)], []byte("%PDF-"))
	return i == 0 || i > 0 && hasControl(body)
}

func unsupported(kind string) error {
	return wstk.Errorf(wstk.UnsupportedMediaType, "reading page",
		"a body of type %s is not read; HTML, PDF, plain text, Markdown, JSON, XML and feeds are",
		kind).
		Try(wstk.Step{Do: wstk.DoExtractFile, For: "convert it to PDF, HTML or plain text, then"})
}

func markdownName(rawURL string) bool {
	p := rawURL
	if u, err := url.Parse(rawURL); err == nil {
		p = u.Path
	}
	switch strings.ToLower(path.Ext(p)) {
	case ".md", ".markdown", ".mdown":
		return true
	}
	return false
}

// sniff names the kind of a body that came without a useful type.
func sniff(rawURL string, body []byte) media {
	head := bytes.TrimLeft(narrow(body), " \t\r\n\f")
	if len(head) > 1024 {
		head = head[:1024]
	}
	low := bytes.ToLower(head)
	if bytes.HasPrefix(low, []byte("<?xml")) {
		if text.IsXHTML(string(narrow(body))) {
			return mediaXHTML
		}
		return mediaXML
	}
	for _, p := range []string{"<!doctype html", "<html", "<head", "<body", "<title", "<script",
		"<meta", "<!--", "<div", "<p>", "<h1", "<table"} {
		if bytes.HasPrefix(low, []byte(p)) {
			return mediaHTML
		}
	}
	if len(head) > 0 && (head[0] == '{' || head[0] == '[') &&
		json.Valid(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))) {
		return mediaJSON
	}
	if markdownName(rawURL) {
		return mediaMarkdown
	}
	return mediaText
}

// Kind names the reader of a body by its address and its first bytes alone, whatever it
// was sent as: html, xml, json, markdown, text, pdf.
func Kind(rawURL string, body []byte) string {
	if isPDF(body) {
		return string(mediaPDF)
	}
	if m := sniff(rawURL, body); m != mediaXHTML {
		return string(m)
	}
	return string(mediaHTML)
}

// narrow is body without its byte order mark; of UTF-16 it is what its ASCII
// characters would be in UTF-8.
func narrow(body []byte) []byte {
	if utf16(body) {
		return bytes.ReplaceAll(body[2:], []byte{0}, nil)
	}
	return bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
}

// signatures are first bytes of common formats that are no text.
var signatures = []struct{ magic, kind string }{
	{"\x89PNG\r\n", "image/png"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
	{"\xff\xd8\xff", "image/jpeg"},
	{"PK\x03\x04", "application/zip"},
	{"\x1f\x8b\x08", "application/gzip"},
	{"\x28\xb5\x2f\xfd", "application/zstd"},
	{"BZh", "application/x-bzip2"},
	{"\xfd7zXZ\x00", "application/x-xz"},
	{"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"},
	{"\x7fELF", "application/x-executable"},
	{"\x00asm", "application/wasm"},
	{"wOFF", "font/woff"},
	{"wOF2", "font/woff2"},
	{"SQLite format 3\x00", "application/vnd.sqlite3"},
	{"OggS", "application/ogg"},
	{"ID3", "audio/mpeg"},
}

// binaryKind names what body is when it is no text, "" when it is text. A
// body counts as binary by a signature, or when more than one byte in a hundred
// of its first 4,096 is a control character that no text has. UTF-16 and UTF-32
// with a byte order mark are text.
func binaryKind(body []byte) string {
	for _, s := range signatures {
		if bytes.HasPrefix(body, []byte(s.magic)) {
			// Three letters are also how a sentence may begin.
			if len(s.magic) <= 3 && !hasControl(body) {
				continue
			}
			return s.kind
		}
	}
	if bytes.HasPrefix(body, []byte("RIFF")) && len(body) >= 12 && hasControl(body) {
		return "a RIFF container"
	}
	if len(body) >= 12 && string(body[4:8]) == "ftyp" && hasControl(body) {
		return "video/mp4"
	}
	for _, bom := range []string{"\xff\xfe", "\xfe\xff", "\x00\x00\xfe\xff"} {
		if bytes.HasPrefix(body, []byte(bom)) {
			return ""
		}
	}
	if hasControl(body) {
		return "unknown binary data"
	}
	return ""
}

func hasControl(body []byte) bool {
	head := body
	if len(head) > 4096 {
		head = head[:4096]
	}
	n := 0
	for _, c := range head {
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1b && c != '\b' ||
			c == 0x7f {
			n++
		}
	}
	return n*100 > len(head)
}

// xmlPage tells by its first bytes whether a page is XHTML written as XML, in
// which elements may close themselves.
func xmlPage(body []byte) bool { return sniff("", body) == mediaXHTML }
