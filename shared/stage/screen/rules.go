package screen

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"wstk/shared/text"
)

// rule is a pattern with words to look for first. The pattern is tried only
// within reach of one of the words, so a page without them costs one pass of the
// matcher, however many rules there are.
type rule struct {
	name   string // stable: stored with findings
	reason string // one clause a person can read
	family string // of the pattern in injection.txt or secretrules.txt; "" if it is not there
	// a family of phrases that are the keywords; "" if they are beside the pattern
	words    string
	keywords []string // ASCII in lower case; other letters in the case they have in texts
	pattern  string
	before   int  // bytes before a keyword that a match may take in
	after    int  // bytes from the keyword's start
	inner    bool // the finding is the first submatch that took part, not the whole match

	// quick is asked at each keyword, before anything costly; nil takes all.
	quick func(text string, start int) bool

	// keep has the last word on a match; nil keeps all. It sees the whole text.
	keep func(text string, start, end int) bool

	// parts are the places within a match that redaction replaces; nil is all of it.
	parts func(text string, start, end int) []text.Range
}

// Limits that keep a hostile page from costing much. They are far above what
// pages need; where one is met, the last finding of the rule says so.
const (
	maxPerRule  = 20        // findings of one rule on one page
	maxRuleScan = 512 << 10 // bytes one rule's pattern is tried on
)

// ruleset is a list of rules made ready. Its patterns are compiled when a
// keyword is first met: a program that screens nothing pays nothing.
type ruleset struct {
	rules    []rule
	matcher  func() *matcher
	compiled []func() *regexp.Regexp
	limit    *rule // tells that a rule could not be tried on all of its places; may be nil
	whole    bool  // the limits do not hold: what is not found would be printed
}

func newRuleset(rules ...rule) *ruleset {
	rs := &ruleset{rules: rules}
	lists := make([][]string, len(rules))
	for i, r := range rules {
		lists[i] = r.keywords
		rs.compiled = append(rs.compiled, sync.OnceValue(func() *regexp.Regexp {
			return regexp.MustCompile(r.pattern)
		}))
	}
	rs.matcher = sync.OnceValue(func() *matcher { return newMatcher(lists) })
	return rs
}

// match is a place where a rule holds.
type match struct {
	rule *rule
	text.Range
	more bool // a limit was met here: there may be further places
}

// find returns the matches in s, by rule and then by place.
func (rs *ruleset) find(s string) []match {
	windows := make([][]text.Range, len(rs.rules))
	scan(rs.matcher(), s, func(n, start, _ int) {
		r := &rs.rules[n]
		if r.quick != nil && !r.quick(s, start) {
			return
		}
		w := text.Range{Start: max(0, start-r.before), End: min(len(s), start+r.after)}
		if k := len(windows[n]); k > 0 && w.Start <= windows[n][k-1].End {
			last := &windows[n][k-1]
			last.End = max(last.End, w.End)
			last.Start = min(last.Start, w.Start)
		} else {
			windows[n] = append(windows[n], w)
		}
	})
	var found []match
	for n := range rs.rules {
		found = rs.apply(n, s, windows[n], found)
	}
	return found
}

// apply tries rule n on its windows. Windows do not overlap, so each byte is
// tried once.
func (rs *ruleset) apply(n int, s string, windows []text.Range, found []match) []match {
	if len(windows) == 0 {
		return found
	}
	before, scanned, done, spent := len(found), 0, 0, false
	for _, w := range windows {
		w = wholeWords(s, w)
		w.Start = max(w.Start, done)
		done = max(done, w.End)
		if w.Start >= w.End {
			continue
		}
		if !rs.whole && w.End-w.Start > maxRuleScan-scanned {
			w.End = w.Start + maxRuleScan - scanned
			spent = true
		}
		scanned += w.End - w.Start
		found = rs.within(n, s, w, found)
		if count := len(found) - before; count >= maxPerRule && !rs.whole {
			found = found[:before+maxPerRule]
			found[len(found)-1].more = true
			return found
		}
		if spent {
			break
		}
	}
	switch {
	case spent && len(found) > before:
		found[len(found)-1].more = true
	case spent && rs.limit != nil:
		found = append(found, match{rule: rs.limit, Range: windows[0], more: true})
	}
	return found
}

// within appends what rule n finds in one window.
func (rs *ruleset) within(n int, s string, w text.Range, found []match) []match {
	r, re := &rs.rules[n], rs.compiled[n]()
	for _, at := range re.FindAllStringSubmatchIndex(s[w.Start:w.End], -1) {
		k := 0
		if r.inner {
			for k = 2; k < len(at)-2 && at[k] < 0; {
				k += 2
			}
		}
		start, end := w.Start+at[k], w.Start+at[k+1]
		if !r.inner {
			start, end = trimmed(s, start, end)
		}
		if at[k] < 0 || start >= end || r.keep != nil && !r.keep(s, start, end) {
			continue
		}
		found = append(found, match{rule: r, Range: text.Range{Start: start, End: end}})
	}
	return found
}

// trimmed leaves out white space and the mark behind which a sentence began, which
// patterns take in to see that one begins.
func trimmed(s string, start, end int) (int, int) {
	for start < end && strings.IndexByte(" \t\r\n.!?:;>*({\"'-", s[start]) >= 0 &&
		!strings.HasPrefix(s[start:end], "![") {
		start++
	}
	for start < end && strings.IndexByte(" \t\r\n", s[end-1]) >= 0 {
		end--
	}
	return start, end
}

// wholeWords widens w so that it cuts no code point and, as far as words have a
// sane length, no word: an anchor like \b must not hold in the middle of one.
func wholeWords(s string, w text.Range) text.Range {
	const longest = 40
	for n := 0; w.Start > 0 &&
		(n < longest && wordByte(s[w.Start-1]) || !utf8.RuneStart(s[w.Start])); n++ {
		w.Start--
	}
	for n := 0; w.End < len(s) &&
		(n < longest && wordByte(s[w.End]) || !utf8.RuneStart(s[w.End])); n++ {
		w.End++
	}
	return w
}

func wordByte(c byte) bool {
	return 'a' <= lowerByte(c) && lowerByte(c) <= 'z' || '0' <= c && c <= '9' ||
		c == '_' || c >= utf8.RuneSelf
}
