package read

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Limit is how much of a text a caller can take. Zero is no limit; with both set, what
// is reached first counts.
type Limit struct {
	Chars  int // Unicode code points
	Tokens int // of a language model, as text.EstimateTokens counts them
}

// Part is a piece of a text that fits a Limit.
type Part struct {
	// what to show: of the source, with a code block closed at its end and opened again at its
	// beginning where the cut went through one
	Text   string
	Source string // the same as it stands in the source: all parts' sources in a row are the source
	Next   string // cursor for what follows, "" at the end
	Start  int    // of Source in the source, in code points
	End    int
	Total  int // code points of the source
}

// Cut returns the part of s that begins where cursor says, "" for the beginning, and
// fits limit. It ends between blocks where it can (an empty line of Markdown, a line of
// plain text), never within a table row that fits, a line of code that fits or
// a character; only a block that alone is over the limit is cut, at the end of a
// sentence, else of a word. A part is never empty but for an empty s: with a limit
// that nothing fits it holds one character.
//
// The limit holds for Text, but for the marks that close and open a code block when
// these alone are over it.
//
// A cursor is bound to s: one of another text is Conflict, one that is no cursor, or a
// negative limit, is Invalid, each with a next step.
func Cut(s string, limit Limit, cursor string) (Part, error) {
	if limit.Chars < 0 || limit.Tokens < 0 {
		return Part{}, wstk.Errorf(wstk.Invalid, "cutting the text",
			"a limit must be at least 1, or 0 for no limit")
	}
	from := 0
	if cursor != "" {
		var err error
		if from, err = openCursor(s, cursor); err != nil {
			return Part{}, err
		}
	}
	c := cutter{src: s, limit: limit, fence: fenceAt(s, 0, "", from)}
	end := c.end(from)
	p := Part{Source: s[from:end], Start: utf8.RuneCountInString(s[:from]),
		Total: utf8.RuneCountInString(s)}
	p.End = p.Start + utf8.RuneCountInString(p.Source)
	p.Text = c.shown(from, end)
	if end < len(s) {
		p.Next = newCursor(s, end)
	}
	return p, nil
}

// A cursor is a version, the first bytes of the text's hash, the offset in bytes and a
// checksum of the three, in URL-safe base64.
const cursorBytes = 1 + 8 + 8 + 4

func newCursor(s string, at int) string {
	sum := sha256.Sum256([]byte(s))
	b := append([]byte{1}, sum[:8]...)
	b = binary.BigEndian.AppendUint64(b, uint64(at))
	check := sha256.Sum256(b)
	return base64.RawURLEncoding.EncodeToString(append(b, check[:4]...))
}

func openCursor(s, cursor string) (int, error) {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil && len(b) == cursorBytes && b[0] == 1 {
		check := sha256.Sum256(b[:cursorBytes-4])
		if string(check[:4]) == string(b[cursorBytes-4:]) {
			sum := sha256.Sum256([]byte(s))
			at := binary.BigEndian.Uint64(b[9:])
			if string(sum[:8]) == string(b[1:9]) && at < uint64(len(s)) && utf8.RuneStart(s[at]) {
				return int(at), nil
			}
			return 0, wstk.Errorf(wstk.Conflict, "cutting the text", "this cursor was made for "+
				"another text: the page has changed, or it is read in another way").
				Try(wstk.Advice("read it from the beginning, without a cursor"))
		}
	}
	return 0, wstk.Errorf(wstk.Invalid, "cutting the text", "the cursor is not valid").
		Try(wstk.Advices("copy next_cursor of the previous part unchanged",
			"read from the beginning, without a cursor")...)
}

type cutter struct {
	src   string
	limit Limit
	fence string // the line that opened the code block the part begins in, "" for none
}

// codeFence is the mark that opens or closes a code block in a line, "" for none: at
// least three backticks or tildes.
func codeFence(line string) string {
	t := strings.TrimLeft(line, " ")
	if len(line)-len(t) > 12 || len(t) < 3 || t[0] != '`' && t[0] != '~' {
		return ""
	}
	n := 0
	for n < len(t) && t[n] == t[0] {
		n++
	}
	if n < 3 || t[0] == '`' && strings.Contains(t[n:], "`") {
		return ""
	}
	return t[:n]
}

// closes reports whether a line ends the code block that opening began.
func closes(line, opening string) bool {
	open, mark := codeFence(opening), codeFence(line)
	return mark != "" && mark[0] == open[0] && len(mark) >= len(open) &&
		strings.Trim(line, " \r\n"+mark[:1]) == ""
}

// fenceAt returns the line that opened the code block in which at lies, "" for none.
// The search begins at from, where opening was the open block.
func fenceAt(s string, from int, opening string, at int) string {
	for i := from; i < at; {
		line, next := lineAt(s, i)
		if next > at {
			break // the middle of a line opens and closes nothing
		}
		switch {
		case i > 0 && s[i-1] != '\n':
		case opening == "" && codeFence(line) != "":
			opening = line
		case opening != "" && closes(line, opening):
			opening = ""
		}
		i = next
	}
	return opening
}

// lineAt returns the line that begins at i, without its end, and where the next begins.
func lineAt(s string, i int) (line string, next int) {
	if k := strings.IndexByte(s[i:], '\n'); k >= 0 {
		return s[i : i+k], i + k + 1
	}
	return s[i:], len(s)
}

// shown is the part with its code blocks whole.
func (c *cutter) shown(from, end int) string {
	body := c.src[from:end]
	if c.fence != "" {
		if line, _ := lineAt(c.src, from); closes(line, c.fence) &&
			strings.TrimSpace(body) == strings.TrimSpace(line) {
			return "" // only the end of the block is left
		}
		body = c.fence + "\n" + body
	}
	if opening := fenceAt(c.src, from, c.fence, end); opening != "" && end < len(c.src) {
		body = strings.TrimSuffix(body, "\n") + "\n" + indentOf(opening) + codeFence(opening)
	}
	return body
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " "))] }

func (c *cutter) fits(from, end int) bool {
	s := c.shown(from, end)
	return (c.limit.Chars == 0 || utf8.RuneCountInString(s) <= c.limit.Chars) &&
		(c.limit.Tokens == 0 || text.EstimateTokens(s) <= c.limit.Tokens)
}

// end finds where the part ends: at the last block end that fits, else the last line,
// else sentence, word or character.
func (c *cutter) end(from int) int {
	if c.limit == (Limit{}) || c.fits(from, len(c.src)) {
		return len(c.src)
	}
	// No part is longer than this: a token is at most 16 bytes by the estimate, a
	// code point four.
	window := len(c.src)
	if c.limit.Chars > 0 && c.limit.Chars < (len(c.src)-from)/4 {
		window = from + 4*c.limit.Chars
	}
	if c.limit.Tokens > 0 && c.limit.Tokens < (len(c.src)-from)/64 {
		window = min(window, from+64*(c.limit.Tokens+1))
	}
	for window < len(c.src) && !utf8.RuneStart(c.src[window]) {
		window++
	}
	blocks, rows := c.ends(from, window)
	if e := c.last(from, blocks); e > from {
		return e
	}
	if e := c.last(from, rows); e > from {
		return e
	}
	line, row := lineAt(c.src, from)
	if codeFence(line) != "" && (from == 0 || c.src[from-1] == '\n') {
		return row // half a mark would open or close nothing
	}
	row = min(row, window)
	var sentences, words, chars []int
	for i, r := range c.src[from:row] {
		at := from + i
		if at == from {
			continue
		}
		chars = append(chars, at)
		before, _ := utf8.DecodeLastRuneInString(c.src[:at])
		switch {
		case !unicode.IsSpace(r) && unicode.IsSpace(before):
			words = append(words, at)
			if t := strings.TrimRightFunc(c.src[from:at], unicode.IsSpace); strings.HasSuffix(t,
				".") || strings.HasSuffix(t, "!") || strings.HasSuffix(t, "?") {
				sentences = append(sentences, at)
			}
		case strings.ContainsRune("。！？", before):
			sentences = append(sentences, at)
		// no part begins with a mark of the letter before
		case unicode.Is(unicode.M, r) || r == '\u200d' || before == '\u200d':
			chars = chars[:len(chars)-1]
		}
	}
	for _, at := range [][]int{sentences, words, chars} {
		if e := c.last(from, at); e > from {
			return e
		}
	}
	_, n := utf8.DecodeRuneInString(c.src[from:])
	if len(chars) > 0 {
		return chars[0]
	}
	return from + n
}

// last returns the last of the ends that fits, from where none does. What is shown
// grows with its end but for the few bytes that close a code block, so the search by
// halves looks a little further.
func (c *cutter) last(from int, ends []int) int {
	lo, hi := 0, len(ends)
	for lo < hi {
		mid := (lo + hi) / 2
		if c.fits(from, ends[mid]) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	for i := min(len(ends), lo+3) - 1; i >= 0 && i >= lo-3; i-- {
		if c.fits(from, ends[i]) {
			return ends[i]
		}
	}
	return from
}

// ends returns where blocks end and where lines end, up to window. A block ends at an
// empty line outside code, before a heading, and around a code block; in text without
// empty lines every line is a block. Within a table every row is a line.
func (c *cutter) ends(from, window int) (blocks, rows []int) {
	opening := c.fence
	plain := !strings.Contains(c.src, "\n\n")
	for i := from; i < window; {
		line, next := lineAt(c.src, i)
		if next > window || next >= len(c.src) {
			break
		}
		mark := codeFence(line)
		ended := false
		switch {
		case opening == "" && mark != "" && (i == 0 || c.src[i-1] == '\n'):
			opening = line
			i = next
			continue // the line that opens a block is not its end
		case opening != "" && closes(line, opening):
			opening, ended = "", true
		}
		if opening == "" {
			following, _ := lineAt(c.src, next)
			if ended || plain || strings.TrimSpace(line) == "" &&
				strings.TrimSpace(following) != "" || strings.HasPrefix(following, "#") {
				blocks = append(blocks, next)
			}
		}
		rows = append(rows, next)
		i = next
	}
	return blocks, rows
}
