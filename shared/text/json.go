package text

import (
	"encoding/json"
	"strings"
)

// JSONIn is the JSON in what a language model said: without the code fence or the words
// around it, without thoughts in <think> before it, and with control characters in its strings
// escaped. It returns s, trimmed, if there is no JSON in it, or more than one value.
func JSONIn(s string) string {
	s = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s), "\ufeff"))
	if thought, rest, ok := strings.Cut(s, "</think>"); ok &&
		strings.HasPrefix(thought, "<think>") {
		s = strings.TrimSpace(rest)
	}
	if json.Valid([]byte(s)) {
		return s
	}
	from := s
	if _, fenced, ok := strings.Cut(s, "```"); ok {
		from, _, _ = strings.Cut(fenced, "\n```")
	}
	start := strings.IndexAny(from, "{[")
	if start < 0 {
		return s
	}
	for _, candidate := range []string{from[start:], escapedControls(from[start:])} {
		var value json.RawMessage
		dec := json.NewDecoder(strings.NewReader(candidate))
		if dec.Decode(&value) == nil && !strings.ContainsAny(candidate[dec.InputOffset():], "{[") {
			return string(value)
		}
	}
	return s
}

// escapedControls is a JSON text with the control characters in its strings escaped.
func escapedControls(s string) string {
	var b strings.Builder
	inside, escaped := false, false
	for i := range len(s) {
		c := s[i]
		switch {
		case !inside:
			inside = c == '"'
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			inside = false
		case c < ' ':
			const hex = "0123456789abcdef"
			b.WriteString(`\u00` + string(hex[c>>4]) + string(hex[c&15]))
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}
