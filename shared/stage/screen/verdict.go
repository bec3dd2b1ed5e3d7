package screen

import (
	"strings"

	"wstk/shared/wstk"
)

// verdict tells what a page is. The questions are asked from the surest to the
// least sure, and all but the first only of pages with little to read: a wall has
// next to nothing else on it, an article about walls has. partial tells a page that breaks
// off from a wall: what it shows is its own.
func verdict(
	snap wstk.Snapshot, doc *wstk.Document, body []byte, injected []match,
) (v wstk.Verdict, reason string, partial bool) {
	switch snap.Verdict {
	case wstk.VerdictOK, wstk.VerdictThin, "":
	case wstk.VerdictBlocked, wstk.VerdictHTTPError:
		// The page may say more than its status.
		p := newPage(snap, doc, body, injected)
		if reason := p.botWall(snap); reason != "" {
			return wstk.VerdictBlocked, reason, false
		}
		return snap.Verdict, snap.Reason, false
	default:
		return snap.Verdict, snap.Reason, false
	}
	p := newPage(snap, doc, body, injected)
	if reason := p.consent(snap); reason != "" {
		return wstk.VerdictConsent, reason, false
	}
	if p.own > maxNotice {
		return wstk.VerdictOK, "", false
	}
	if reason := p.botWall(snap); reason != "" {
		return wstk.VerdictBlocked, reason, false
	}
	if reason := p.notFound(); reason != "" {
		return wstk.VerdictNotFound, reason, false
	}
	if reason := p.serverError(); reason != "" {
		return wstk.VerdictHTTPError, reason, false
	}
	if reason := p.loginWall(snap); reason != "" {
		return wstk.VerdictBlocked, reason, false
	}
	if reason := p.paywall(); reason != "" {
		return wstk.VerdictBlocked, reason, true
	}
	if reason := p.shell(); reason != "" {
		return wstk.VerdictNeedsRender, reason, false
	}
	if reason := p.onlyLogin(snap); reason != "" {
		return wstk.VerdictBlocked, reason, false
	}
	if reason := p.thin(); reason != "" {
		return wstk.VerdictThin, reason, false
	}
	return wstk.VerdictOK, "", false
}

// markup reads the tags, once.
func (p *page) markup() *markup {
	if p.facts == nil {
		p.facts = &markup{}
		if p.html {
			p.facts = readMarkup(p.body)
		}
	}
	return p.facts
}

// thinPage is the size below which a page has next to no text.
const thinPage = 40

func (p *page) thin() string {
	switch {
	case p.size == 0:
		return "the page has no text"
	case p.html && p.size < thinPage:
		return "the page has almost no text"
	}
	return ""
}

// first is the first phrase of list that s has, "" for none.
func first(s string, list []string) string {
	for _, phrase := range list {
		if strings.Contains(s, phrase) {
			return phrase
		}
	}
	return ""
}

// saying is what pages of a kind say: a family of phrases that they are known to say, and a
// pattern for what others would say, which is tried on a text that has one of a family of
// stems. All is in lower case.
type saying struct{ phrases, stems, pattern string }

// in is what s says of it, "" for nothing.
func (y saying) in(s string) string {
	if phrase := first(s, phrases(y.phrases)); phrase != "" || first(s, phrases(y.stems)) == "" {
		return phrase
	}
	return pattern(y.pattern).FindString(s)
}

// segments cuts a title at the marks between its parts, the site's name and the
// page's: "Page not found | Example".
func segments(title string) []string {
	return strings.FieldsFunc(strings.NewReplacer(" - ", "|", " · ", "|", " :: ", "|", " : ", "|",
		": ", "|", " • ", "|", " » ", "|", " « ", "|", " > ", "|", " / ", "|", ", ", "|").
		Replace(title), func(c rune) bool { return c == '|' || c == '｜' || c == '_' })
}

// titled tells which part of the title, or the heading as a whole, is one of the
// names or, if short, has the pattern; rather one that is not vague; "" for none.
// Full stops, exclamation marks and ellipses do not count. The pattern is a family of
// patterns.txt, or "" for none.
func (p *page) titled(names, vague, others string) string {
	const short = 90
	found := ""
	for _, s := range append(segments(p.title), p.heading, p.title) {
		s = bare(s)
		if !among(names, s) && (others == "" || s == "" || len(s) > short ||
			!pattern(others).MatchString(s)) {
			continue
		}
		if found == "" || among(vague, found) {
			found = s
		}
	}
	return found
}

func bare(s string) string { return strings.Trim(s, " .!?…:;,-–—\"'()[]*#") }
