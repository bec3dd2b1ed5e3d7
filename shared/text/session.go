package text

import "strings"

// sessions are query parameters in which servers keep who is visiting when there is no
// cookie. They never choose what is shown.
var sessions = WordSet(`phpsessid jsessionid cfid cftoken aspxautodetectcookiesupport`)

// loosely are names that some sites use for content: they count as a session only where
// the value is long and random.
var loosely = WordSet(`sid sessionid session_id sessid`)

// isSession reports whether a query parameter names a visit and not a page.
func isSession(name, value string) bool {
	if value == "" || len(name) > 40 {
		return false
	}
	name = strings.ToLower(name)
	return sessions[name] || strings.HasPrefix(name, "aspsessionid") ||
		loosely[name] && randomToken(value)
}

// randomToken reports whether s is one word of at least 20 letters and digits, with both.
func randomToken(s string) bool {
	digits, letters := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			letters++
		default:
			return false
		}
	}
	return len(s) >= 20 && digits >= 4 && letters >= 2
}

// dropSessions removes from a path what names a visit: ;jsessionid=… at the end of a
// segment, and segments such as (S(abc…)).
func dropSessions(path string) string {
	if !strings.ContainsAny(path, ";(") {
		return path
	}
	parts := strings.Split(path, "/")
	kept := parts[:0]
	for i, p := range parts {
		if i > 0 && cookieless(p) {
			if i == len(parts)-1 {
				kept = append(kept, "")
			}
			continue
		}
		fields := strings.Split(p, ";")
		out := fields[:1]
		for _, f := range fields[1:] {
			if name, value, ok := strings.Cut(f, "="); !ok || value == "" ||
				!sessions[strings.ToLower(name)] {
				out = append(out, f)
			}
		}
		kept = append(kept, strings.Join(out, ";"))
	}
	return strings.Join(kept, "/")
}

// cookieless reports whether a segment of a path is the session of an ASP.NET site:
// (S(…)), and A, F or X in place of S or beside it.
func cookieless(s string) bool {
	s, opens := strings.CutPrefix(s, "(")
	s, closes := strings.CutSuffix(s, ")")
	if !opens || !closes || len(s) < 3 {
		return false
	}
	for s != "" {
		end := strings.IndexByte(s, ')')
		if end < 3 || s[1] != '(' || strings.IndexByte("SAFX", s[0]) < 0 {
			return false
		}
		s = s[end+1:]
	}
	return true
}
