package fetch

import (
	"net/http"
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// kept are the response headers that are stored, because a later stage or a reader
// of the proof may need them.
var kept = []string{"Age", "Cache-Control", "Cf-Mitigated", "Content-Disposition",
	"Content-Language", "Content-Location",
	"Content-Type", "Content-Usage", "Date", "Etag", "Expires", "Last-Modified", "Link", "Refresh",
	"Retry-After", "Server", "Tdm-Policy",
	"Tdm-Reservation", "Vary", "X-Amzn-Waf-Action", "X-Robots-Tag", "X-Sucuri-Block",
	"X-Vercel-Mitigated"}

const (
	maxValue     = 1000 // bytes of a stored header value
	maxValidator = 1000 // a longer ETag or Last-Modified is not kept: cut, it would be another
)

// keep copies headers and body of a reply.
func (f *fetch) keep(resp wstk.Response) {
	f.keepHeaders(resp)
	f.body = resp.Body
	if f.body == nil {
		f.body = []byte{} // an empty reply is a reply
	}
	declared := resp.Header.Get("Content-Type")
	media, charset, differs := mediaType(declared, f.body)
	f.snap.ContentType, f.snap.Charset = media, charset
	if differs {
		f.warn("content_type_mismatch",
			"the site says that the body is "+text.Shorten(declared, 100)+", but it is "+media+".")
	}
}

func (f *fetch) keepHeaders(resp wstk.Response) {
	f.snap.Headers = headers(resp.Header)
	f.snap.ETag, f.snap.LastModified = validator(resp.Header.Get("Etag")),
		validator(resp.Header.Get("Last-Modified"))
	f.snap.ContentType, f.snap.Charset = "", ""
}

func validator(s string) string {
	if len(s) > maxValidator {
		return ""
	}
	return s
}

// headers returns what is kept of h: names in lower case, repeated lines joined,
// values cut and without secrets.
func headers(h http.Header) map[string]string {
	out := map[string]string{}
	for _, name := range kept {
		if values := h.Values(name); len(values) > 0 {
			out[strings.ToLower(name)] = text.Prefix(
				scrub(strings.ToValidUTF8(strings.Join(values, ", "), "\uFFFD")), maxValue)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// secretNames are parameters whose values are credentials; so are those that end
// in one of secretEnds.
var (
	secretNames = []string{"auth", "authorization", "api_key", "api-key", "apikey", "access_key",
		"accesskey", "key", "sig", "jwt", "code", "pwd", "passwd",
		"sid", "session", "sessionid", "session_id", "jsessionid", "phpsessid", "x-amz-credential",
		"x-goog-credential", "awsaccesskeyid"}
	secretEnds = []string{"token", "secret", "password", "passphrase", "signature"}
)

// scrub removes credentials from URLs inside a header value: what is before an @ in the
// host part, and the values of parameters that are named like secrets.
func scrub(s string) string {
	s = dropUsers(s)
	var b strings.Builder
	for {
		// A parameter begins after ? & or ; and its value ends at one of these or
		// where the URL does.
		i := strings.IndexAny(s, "?&;")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i+1])
		s = s[i+1:]
		eq := strings.IndexAny(s, "=?&;#<>\"' ,")
		if eq < 0 || s[eq] != '=' || !secretName(s[:eq]) {
			continue
		}
		b.WriteString(s[:eq+1])
		b.WriteString("[removed]")
		s = s[eq+1:]
		if end := strings.IndexAny(s, "&;#<>\"' ,"); end >= 0 {
			s = s[end:]
		} else {
			s = ""
		}
	}
}

func secretName(name string) bool {
	name = strings.ToLower(name)
	return slices.Contains(secretNames, name) ||
		slices.ContainsFunc(secretEnds, func(end string) bool {
			return strings.HasSuffix(name, end)
		})
}

// dropUsers removes user names and passwords from every URL in s.
func dropUsers(s string) string {
	var b strings.Builder
	for {
		i := strings.Index(s, "//")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i+2])
		s = s[i+2:]
		end := strings.IndexAny(s, "/?#<>\"' ,;")
		if end < 0 {
			end = len(s)
		}
		if at := strings.LastIndexByte(s[:end], '@'); at >= 0 {
			s = s[at+1:]
		}
	}
}
