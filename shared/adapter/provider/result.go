package provider

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// row is one result as a vendor gives it. Texts may hold markup and entities.
type row struct {
	title, url, snippet string
	published           string   // in any form that date reads; "" means unknown
	score               *float64 // higher is better, 0–1
}

// Bounds of what a result carries.
const (
	maxTitle   = 500     // code points
	maxSnippet = 4000    // code points
	maxRaw     = 8 << 10 // bytes; a longer one is left out
)

// reply puts the items of a vendor's list into the form that all share. read makes a row
// of one item; an item that does not decode, has no absolute http or https address, or
// one that was there before, is left out.
func reply[T any](o Options, id string, q wstk.SearchQuery, query string, items []json.RawMessage, read func(T) row) wstk.SearchReply {
	out := wstk.SearchReply{Query: query, Results: []wstk.SearchResult{}, Tries: 1}
	seen := map[string]bool{}
	odd := 0
	for _, raw := range items {
		var item T
		if bytes.Equal(raw, []byte("null")) || json.Unmarshal(raw, &item) != nil {
			odd++
			continue
		}
		r := read(item)
		canonical, err := text.Canonical(r.url)
		if err != nil {
			odd++
			continue
		}
		if seen[canonical] || len(out.Results) == q.Limit() {
			continue
		}
		seen[canonical] = true
		res := wstk.SearchResult{
			Title: cut(plain(r.title), maxTitle), URL: r.url, Snippet: cut(plain(r.snippet), maxSnippet), PublishedAt: date(r.published, o.now()),
			SourceProvider: id, Score: fraction(r.score), Rank: len(out.Results) + 1, MatchedRules: []string{},
		}
		if strings.ContainsFunc(r.url, func(c rune) bool { return c <= ' ' || unicode.IsControl(c) || unicode.Is(unicode.Cf, c) }) {
			res.URL = canonical // who prints it is not deceived
		}
		res.ResultID = resultID(canonical, res.Title)
		if q.Raw && len(raw) <= maxRaw {
			res.Raw = raw
		}
		out.Results = append(out.Results, res)
	}
	if odd > 0 {
		out.Warnings = append(out.Warnings, wstk.Warning{Code: "results_malformed", Details: map[string]any{"provider": id, "results": odd},
			Message: fmt.Sprintf("%d entries in the reply of %s have no address of a web page; they were left out.", odd, id)})
	}
	return out
}

// resultID is the same for the same page and title in every run.
func resultID(canonical, title string) string {
	h := sha256.Sum256([]byte(canonical + "\n" + title))
	return hex.EncodeToString(h[:8])
}

func fraction(score *float64) *float64 {
	if score == nil || math.IsNaN(*score) {
		return nil
	}
	f := max(0, min(1, *score))
	return &f
}

// plain is the text of s: tags are dropped, entities decoded once, white space
// collapsed, and what is invisible or steers a terminal removed. What only looks like a
// tag, such as the type in List<String>, stays.
func plain(s string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	for hidden := false; ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		switch raw := string(z.Raw()); kind {
		case html.TextToken:
			if !hidden {
				b.WriteString(html.UnescapeString(raw))
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			a := atom.Lookup(name)
			if a == atom.Script || a == atom.Style {
				hidden = kind == html.StartTagToken
				continue
			}
			z.NextIsNotRawText() // as it would be within a textarea
			switch {
			case a == 0:
				b.WriteString(raw)
			case !inline[a]:
				b.WriteByte(' ')
			}
		}
	}
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text.Strip(strings.ToValidUTF8(b.String(), "")))
	return strings.Join(strings.Fields(clean), " ")
}

// inline are the elements between whose words no space stands.
var inline = map[atom.Atom]bool{atom.B: true, atom.Strong: true, atom.Em: true, atom.I: true, atom.Mark: true, atom.Span: true,
	atom.A: true, atom.U: true, atom.Code: true, atom.Sub: true, atom.Sup: true, atom.Small: true, atom.Wbr: true, atom.Font: true}

// forms are the ways in which vendors write a date, the exact ones first.
var forms = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.RFC1123, time.RFC1123Z, day,
	"Jan 2, 2006", "January 2, 2006", "2 Jan 2006", "2 January 2006"}

// units are the words of dates such as "3 days ago".
var units = map[string]time.Duration{
	"second": time.Second, "sec": time.Second, "minute": time.Minute, "min": time.Minute, "hour": time.Hour, "hr": time.Hour,
	"day": 24 * time.Hour, "week": 7 * 24 * time.Hour, "month": 30 * 24 * time.Hour, "year": 365 * 24 * time.Hour,
}

// date reads when a page was published; nil when it is not said in a form we know. What
// is said to be days ago is a day, not a time of day.
func date(s string, now time.Time) *time.Time {
	s = strings.TrimSpace(s)
	for _, form := range forms {
		if t, err := time.Parse(form, s); err == nil {
			if t.Year() < 1970 || t.After(now.Add(48*time.Hour)) {
				return nil // a placeholder
			}
			t = t.UTC()
			return &t
		}
	}
	var n int
	var unit string
	if _, err := fmt.Sscanf(strings.ToLower(s), "%d %s ago", &n, &unit); err != nil {
		if !strings.EqualFold(s, "yesterday") {
			return nil
		}
		n, unit = 1, "day"
	}
	step := units[strings.TrimSuffix(unit, "s")]
	if step == 0 || n < 0 || n > int(50*units["year"]/step) {
		return nil
	}
	t := now.UTC().Add(-time.Duration(n) * step)
	if step >= 24*time.Hour {
		t = t.Truncate(24 * time.Hour)
	} else {
		t = t.Truncate(time.Minute)
	}
	return &t
}
