package cli

import (
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"wstk/shared/text"
)

// All that a command prints passes a terminalWriter: whatever a page, a provider or a
// user's own word holds, no control sequence of theirs reaches a terminal, from any place
// that prints. What we mean ourselves, colours and the line of a progress bar, is written
// with marks that are unknown outside this process.

// marks stand for ESC and CR in what we print ourselves.
var escMark, crMark = newMark(), newMark()

func newMark() string {
	var b [48]byte
	rand.Read(b[:]) // never fails
	for i := range b {
		b[i] = 1 + b[i]%8 // no letters: nothing that redaction could take for a secret
	}
	return "\x00" + string(b[:]) + "\x00"
}

// terminalWriter writes text without control characters but newline and tab (ESC, DEL, CR,
// C1 also as UTF-8) and without those that turn text around; bytes that are no UTF-8, which
// a terminal may take for C1, become U+FFFD. Each Write has whole characters and marks.
type terminalWriter struct{ w io.Writer }

func (t terminalWriter) Write(p []byte) (int, error) {
	var out strings.Builder
	for s := string(p); s != ""; {
		switch {
		case strings.HasPrefix(s, escMark):
			out.WriteByte(0x1b)
			s = s[len(escMark):]
		case strings.HasPrefix(s, crMark):
			out.WriteByte('\r')
			s = s[len(crMark):]
		default:
			n := strings.IndexByte(s[1:], 0) + 1 // up to what may be a mark
			if n == 0 {
				n = len(s)
			}
			out.WriteString(safe(s[:n]))
			s = s[n:]
		}
	}
	if _, err := io.WriteString(t.w, out.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// safe makes text of a page harmless for a terminal: control characters but newline and tab
// become spaces, and those that turn text around are left out.
func safe(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			return ' '
		case text.TurnsAround(r):
			return -1
		}
		return r
	}, s)
}

// escaped is JSON in which what a terminal would act on is written as \uXXXX: it means the
// same. encoding/json itself escapes what is below U+0020 alone.
func escaped(data []byte) []byte {
	acts := func(r rune) bool { return r >= 0x7f && r < 0xa0 || text.TurnsAround(r) }
	if strings.IndexFunc(string(data), acts) < 0 {
		return data
	}
	out := make([]byte, 0, len(data)+64)
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if acts(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, data[:n]...)
		}
		data = data[n:]
	}
	return out
}
