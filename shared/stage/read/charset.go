package read

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"wstk/shared/text"
)

// Decode returns a body as UTF-8 text, as Stage.Do reads it. charset is the one of the
// Content-Type header, "" if none.
func Decode(body []byte, contentType, charset, url string) string {
	m, err := mediaOf(contentType, charset, url, body)
	if err != nil {
		m = mediaText
	}
	return decode(body, charset, m)
}

// decode returns body as valid UTF-8 without a byte order mark, by the rules of
// the HTML standard: byte order mark, the charset of the Content-Type header,
// a meta element in the first 1,024 bytes. A body that declares nothing and is
// valid UTF-8 as a whole is UTF-8: the standard's look at the first 1,024 bytes
// takes a page with an ASCII head for windows-1252. Bytes that have no meaning
// in the encoding become U+FFFD.
func decode(body []byte, declared string, m media) string {
	declared = strings.Trim(strings.TrimSpace(declared), `"'`)
	header := ""
	if declared != "" {
		header = "text/html; charset=" + declared
	}
	if header == "" {
		switch m {
		case mediaJSON: // RFC 8259: UTF-8, and a byte order mark may tell otherwise
			header = "text/html; charset=utf-8"
		case mediaXML, mediaXHTML:
			if enc := xmlEncoding(body); enc != "" {
				header = "text/html; charset=" + enc
			} else if !utf16(body) {
				header = "text/html; charset=utf-8"
			}
		}
	}
	enc, name, certain := charset.DetermineEncoding(body, header)
	if !certain && name == "windows-1252" && utf8.Valid(body) && !declaresCharset(body) {
		name = "utf-8"
	}
	if name == "utf-8" {
		body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
		if utf8.Valid(body) {
			return string(body)
		}
		return replaceInvalid(body)
	}
	out, err := enc.NewDecoder().Bytes(body)
	if err != nil { // a decoder that stops half way must not lose the rest
		return replaceInvalid(body)
	}
	return strings.TrimPrefix(replaceInvalid(out), "\ufeff")
}

// replaceInvalid puts one U+FFFD in the place of each byte that is no UTF-8.
func replaceInvalid(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	out.Grow(len(b) + len(b)/8)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			out.WriteRune(utf8.RuneError)
		} else {
			out.Write(b[:n])
		}
		b = b[n:]
	}
	return out.String()
}

var xmlDecl = text.Pattern(`^<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)

func xmlEncoding(body []byte) string {
	head := body
	if len(head) > 1024 {
		head = head[:1024]
	}
	if m := xmlDecl().FindSubmatch(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))); m != nil {
		return string(m[1])
	}
	return ""
}

func utf16(body []byte) bool {
	return bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff"))
}

var charsetLabel = text.Pattern(`(?i)charset\s*=\s*["']?\s*([A-Za-z0-9._:-]+)`)

// declaresCharset reports whether the head of body names a charset that exists,
// so that windows-1252 was no guess.
func declaresCharset(body []byte) bool {
	head := body
	if len(head) > 1024 {
		head = head[:1024]
	}
	for _, m := range charsetLabel().FindAllSubmatch(head, -1) {
		if enc, _ := charset.Lookup(string(m[1])); enc != nil {
			return true
		}
	}
	return false
}
