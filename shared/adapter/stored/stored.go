// Package stored searches the pages stored here, so that a search works without a network:
// a wstk.SearchProvider without a vendor. What it recalls from is given to it as a function.
package stored

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Setup is the provider's row, beside those of the providers of the web.
var Setup = wstk.ProviderSetup{ID: id,
	Note: "pages that crawls and questions have stored here; needs no network"}

const id = "index"

// Pages finds what Recall finds, a page once.
type Pages struct {
	// Recall returns the passages that fit a query, best first; none where nothing is stored.
	Recall func(ctx context.Context, q Query) (Found, error)
	Now    func() time.Time
}

var _ wstk.SearchProvider = Pages{}

// Query is what to recall.
type Query struct {
	Words    string
	Language string // of Words, BCP 47; "" means guess
	Filter   wstk.Filter
	Limit    int // passages
}

// Found is what was recalled.
type Found struct {
	Hits     []wstk.Hit
	Warnings []wstk.Warning
}

const (
	// passagesPerPage is how many passages are recalled for each page wanted, since
	// several of the best are of one page.
	passagesPerPage = 5

	maxSnippet = 300 // code points
)

// Info says that nothing is needed.
func (p Pages) Info() wstk.ProviderInfo {
	return wstk.ProviderInfo{ID: id, Type: "search", Enabled: true, Auto: true, Stored: true,
		EnvVars: []string{}}
}

// Compile says that where a searcher is makes no difference here, and that no page is
// known as one for adults.
func (p Pages) Compile(q wstk.SearchQuery) wstk.Compiled {
	c := wstk.Compiled{Query: q.Words}
	if country, _, _ := strings.Cut(q.Region, "-"); country != "" && country != "wt" {
		c.Unsupported = append(c.Unsupported, "region "+q.Region)
	}
	if q.SafeSearch == wstk.SafeSearchOn {
		c.Unsupported = append(c.Unsupported, "safe search on")
	}
	return c
}

// Search recalls passages. A page's date is when it was published, or else fetched.
func (p Pages) Search(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
	reply := wstk.SearchReply{Query: q.Words, Results: []wstk.SearchResult{}, Tries: 1}
	found, err := p.Recall(ctx,
		Query{Words: q.Words, Language: q.Language, Limit: passagesPerPage * q.Limit(),
			Filter: wstk.Filter{IncludeSites: hosts(q.Sites), ExcludeSites: hosts(q.Exclude)}})
	if err != nil {
		return wstk.SearchReply{}, wstk.Wrap(wstk.Unavailable, "asking "+id, err)
	}
	reply.Warnings = found.Warnings
	from, to := p.days(q)
	worst, best := spread(found.Hits)
	seen := map[string]bool{}
	for _, h := range found.Hits {
		day := h.FetchedAt
		if h.PublishedAt != nil {
			day = *h.PublishedAt
		}
		if seen[h.CanonicalURL] || day.Before(from) || !day.Before(to) ||
			len(reply.Results) == q.Limit() {
			continue
		}
		seen[h.CanonicalURL] = true
		score := 1.0
		if best > worst {
			score = (h.Score - worst) / (best - worst)
		}
		r := wstk.SearchResult{Title: h.Title, URL: h.URL, Snippet: opening(h.Text),
			PublishedAt: h.PublishedAt, SourceProvider: id,
			Score: &score, Rank: len(reply.Results) + 1, MatchedRules: []string{}}
		sum := sha256.Sum256([]byte(h.CanonicalURL + "\n" + h.Title))
		r.ResultID = hex.EncodeToString(sum[:8])
		if q.Raw {
			r.Raw, _ = json.Marshal(struct { // texts and numbers always encode
				Section   []string   `json:"section_path"`
				Why       string     `json:"why"`
				Link      string     `json:"link"`
				FetchedAt time.Time  `json:"fetched_at"`
				Legs      []wstk.Leg `json:"legs"`
			}{h.SectionPath, h.Why, h.Link, h.FetchedAt, h.Legs})
		}
		reply.Results = append(reply.Results, r)
	}
	return reply, nil
}

// days is the time in which q wants pages to be from, its end exclusive.
func (p Pages) days(q wstk.SearchQuery) (from, to time.Time) {
	now := p.Now()
	from, to = q.After, now.Add(24*time.Hour)
	if !q.Before.IsZero() {
		to = q.Before.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	}
	switch q.TimeRange {
	case wstk.LastDay:
		from = now.AddDate(0, 0, -1)
	case wstk.LastWeek:
		from = now.AddDate(0, 0, -7)
	case wstk.LastMonth:
		from = now.AddDate(0, -1, 0)
	case wstk.LastYear:
		from = now.AddDate(-1, 0, 0)
	}
	return from, to
}

// hosts are domains without the dot in front, which rules of sites do not have.
func hosts(domains []string) (out []string) {
	for _, d := range domains {
		out = append(out, strings.TrimPrefix(d, "."))
	}
	return out
}

// spread is the range of the hits' scores.
func spread(hits []wstk.Hit) (worst, best float64) {
	for i, h := range hits {
		if i == 0 || h.Score < worst {
			worst = h.Score
		}
		if i == 0 || h.Score > best {
			best = h.Score
		}
	}
	return worst, best
}

// opening is the beginning of a passage, on one line.
func opening(passage string) string {
	return text.Shorten(strings.Join(strings.Fields(passage), " "), maxSnippet)
}
