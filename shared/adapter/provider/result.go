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

	"wstk/shared/adapter/webapi"
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
	maxTitle   = 500      // code points
	maxSnippet = 4000     // code points
	maxRaw     = 32 << 10 // bytes; a longer one is left out
	maxRows    = 2 * wstk.MostResults
)

// reply puts the items of a vendor's list into the form that all share. read makes a row
// of one item; an item that does not decode, has no absolute http or https address, or
// one that was there before, is left out.
func reply[T any](
	o Options, id string, q wstk.SearchQuery, query string,
	items []json.RawMessage, read func(T) row,
) wstk.SearchReply {
	out := wstk.SearchReply{Query: query, Results: []wstk.SearchResult{}, Tries: 1}
	seen := map[string]bool{}
	odd, long := 0, 0
	for _, raw := range items {
		raw = o.WithoutKeyJSON(raw)
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
		title, snippet := webapi.Plain(r.title), webapi.Plain(r.snippet)
		res := wstk.SearchResult{
			Title: text.Shorten(title, maxTitle), URL: r.url,
			Snippet: text.Shorten(snippet, maxSnippet), PublishedAt: date(r.published, o.Clock()),
			SourceProvider: id, Score: fraction(r.score), Rank: len(out.Results) + 1,
			MatchedRules: []string{},
		}
		if strings.ContainsFunc(r.url, func(c rune) bool {
			return c <= ' ' || unicode.IsControl(c) || unicode.Is(unicode.Cf, c)
		}) {
			res.URL = canonical // who prints it is not deceived
		}
		res.ResultID = resultID(canonical, res.Title)
		if raw = bytes.ToValidUTF8(raw, []byte("\uFFFD")); q.Raw && len(raw) <= maxRaw {
			res.Raw = raw
		}
		if res.Title != title || res.Snippet != snippet || q.Raw && res.Raw == nil {
			long++
		}
		if len(out.Rows) < maxRows {
			out.Rows = append(out.Rows, res)
			out.Rows[len(out.Rows)-1].Rank = len(out.Rows)
		}
		if !seen[canonical] && len(out.Results) < q.Limit() {
			seen[canonical] = true
			out.Results = append(out.Results, res)
		}
	}
	if len(out.Rows) == len(out.Results) {
		out.Rows = nil
	}
	if odd > 0 {
		out.Warnings = append(out.Warnings, wstk.Warning{Code: "results_malformed",
			Details: map[string]any{"provider": id, "results": odd},
			Message: fmt.Sprintf("%s in the reply of %s without the address of a web page: left out.",
				entries(odd), id)})
	}
	if long > 0 {
		out.Warnings = append(out.Warnings, wstk.Warning{Code: "results_shortened",
			Details: map[string]any{"provider": id, "results": long},
			Message: fmt.Sprintf("%s in the reply of %s longer than is kept: a title has up to "+
				"%d characters, a snippet %d, and what was said of one %d KiB.", entries(long), id,
				maxTitle, maxSnippet, maxRaw>>10)})
	}
	return out
}

// entries is so many entries in words.
func entries(n int) string {
	if n == 1 {
		return "One entry"
	}
	return fmt.Sprintf("%d entries", n)
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

// forms are the ways in which vendors write a date, the exact ones first.
var forms = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.RFC1123,
	time.RFC1123Z, day,
	"Jan 2, 2006", "January 2, 2006", "2 Jan 2006", "2 January 2006"}

// units are the words of dates such as "3 days ago".
var units = map[string]time.Duration{
	"second": time.Second, "sec": time.Second, "minute": time.Minute, "min": time.Minute,
	"hour": time.Hour, "hr": time.Hour,
	"day": 24 * time.Hour, "week": 7 * 24 * time.Hour, "month": 30 * 24 * time.Hour,
	"year": 365 * 24 * time.Hour,
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
