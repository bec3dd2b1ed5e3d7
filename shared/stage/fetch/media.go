package fetch

import (
	"bytes"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"wstk/shared/text"
)

// sniffed is how many bytes of a body are looked at.
const sniffed = 1024

// mediaType returns the media type of a body, lower case and without parameters,
// and the charset its Content-Type declares. A missing, malformed or meaningless
// type is guessed from the body; XML that is a page is XHTML; a textual type on a
// binary body is corrected, and differs is true. In all other cases the site's own type
// counts.
func mediaType(declared string, body []byte) (media, charset string, differs bool) {
	media, params, err := mime.ParseMediaType(declared)
	if err != nil {
		// Often only a parameter is malformed: "text/html; charset=utf-8; =".
		media, _, _ = strings.Cut(declared, ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	charset = strings.ToLower(strings.TrimSpace(params["charset"]))
	if err != nil && charset == "" {
		charset = looseCharset(declared)
	}
	if !wellFormed(media) {
		media = ""
	}
	if len(body) == 0 {
		return media, charset, false
	}
	switch media {
	case "", "application/octet-stream", "application/unknown", "binary/octet-stream",
		"unknown/unknown", "*/*":
		return sniff(body), charset, false
	}
	if textual(media) && binary(body, charset) {
		if is := sniff(body); !textual(is) {
			return is, "", true
		}
	}
	if media == "text/xml" || media == "application/xml" {
		media = xmlType(media, body)
	}
	return media, charset, false
}

// looseCharset finds a charset in a Content-Type that does not parse.
func looseCharset(declared string) string {
	_, rest, ok := strings.Cut(strings.ToLower(declared), "charset=")
	if !ok {
		return ""
	}
	rest = strings.Trim(rest, `"' `)
	if i := strings.IndexAny(rest, ";,\"' \t"); i >= 0 {
		rest = rest[:i]
	}
	return text.Prefix(rest, 40)
}

func wellFormed(media string) bool {
	kind, sub, ok := strings.Cut(media, "/")
	return ok && kind != "" && sub != "" && len(media) <= 100 &&
		!strings.ContainsAny(media, " \t\"'<>,;=")
}

// textual reports whether a media type is read as text.
func textual(media string) bool {
	if strings.HasPrefix(media, "text/") || strings.HasSuffix(media, "+xml") ||
		strings.HasSuffix(media, "+json") {
		return true
	}
	switch media {
	case "application/json", "application/xml", "application/javascript", "application/xhtml",
		"application/x-javascript", "application/ld+json":
		return true
	}
	return false
}

// binary reports whether a body that is called text is none: it has a zero byte near the
// beginning, in a charset that is not full of them, or it is a PDF, which may have none
// there.
func binary(body []byte, charset string) bool {
	if bytes.HasPrefix(body, []byte("%PDF-")) {
		return true
	}
	if strings.HasPrefix(charset, "utf-16") || strings.HasPrefix(charset, "utf-32") ||
		strings.HasPrefix(charset, "ucs-") || wide(body) {
		return false
	}
	return bytes.IndexByte(body[:min(len(body), sniffed)], 0) >= 0
}

// wide reports whether a body begins with the mark of UTF-16 or UTF-32, or looks
// like mark-less UTF-16 markup.
func wide(body []byte) bool {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff", "\x00\x00\xfe\xff", "<\x00", "\x00<"} {
		if bytes.HasPrefix(body, []byte(mark)) {
			return true
		}
	}
	return false
}

// sniff guesses a media type by the WHATWG rules. They take some texts for old
// image formats ("BMW …" begins like a bitmap), so what has no zero byte and is
// UTF-8 is text.
func sniff(body []byte) string {
	media, _, _ := strings.Cut(http.DetectContentType(narrow(body)), ";")
	if media == "text/xml" {
		return xmlType(media, body)
	}
	if textual(media) || media == "application/pdf" {
		return media
	}
	head := body[:min(len(body), sniffed)]
	if wide(body) {
		return "text/plain"
	}
	if bytes.IndexByte(head, 0) < 0 && validStart(head, len(body) > len(head)) &&
		!strings.HasPrefix(media, "application/x-") && media != "application/postscript" {
		return "text/plain"
	}
	return media
}

// xmlType is media, or XHTML's own type for a body that is a page.
func xmlType(media string, body []byte) string {
	if text.IsXHTML(string(narrow(body))) {
		return "application/xhtml+xml"
	}
	return media
}

// narrow returns a body in a wide charset with its ASCII characters as in UTF-8; any other
// body is returned as it is.
func narrow(body []byte) []byte {
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(body, []byte(mark)) {
			return bytes.ReplaceAll(body[len(mark):], []byte{0}, nil)
		}
	}
	return body
}

// validStart reports whether head is UTF-8; when it was cut, its last character may
// be incomplete.
func validStart(head []byte, cut bool) bool {
	for i := 0; cut && i < utf8.UTFMax && len(head) > 0 && !utf8.Valid(head); i++ {
		head = head[:len(head)-1]
	}
	return utf8.Valid(head)
}
