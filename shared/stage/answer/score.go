package answer

import (
	"cmp"
	_ "embed"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"wstk/shared/lexicon"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Candidate is a page that may be read next. LinksOf and LLMsText make candidates; an address of a
// sitemap is one with URL, From and Modified.
type Candidate struct {
	URL      string
	Anchor   string     // words of the link
	From     string     // the page, sitemap or hub that names it
	Title    string     // of the page, where it is known
	Around   string     // what stands beside the link, and over it
	Modified *time.Time // as a sitemap says; nil is unknown
}

// Weighing is what candidates are weighed by.
type Weighing struct {
	Question string // its words count most where no passage holds them: see Open
	// sub-questions without a passage that may answer; their words count, and those of Question
	// where there are none
	Open  []string
	Stats Stats // of the corpus; zero weighs all words alike

	// Read reports whether a canonical URL was read before, for this question or ever. nil means
	// that none was.
	Read func(url string) bool
	// Excluded reports whether a canonical URL must not be read: it is of another site, or no
	// page. nil means that all may be.
	Excluded func(url string) bool
	// Preferred reports whether an operator names a canonical URL as one to read. nil means none.
	Preferred func(url string) bool
	// Addresses reports whether words speak to a model rather than to a reader. Such words gain
	// nothing. nil means that none do.
	Addresses func(words string) bool

	Now time.Time // of the recency; zero means that no page is recent
	Top int       // how many are chosen; 0 means DefaultPagesPerTurn
}

// The weights of the five signals; they add up to 1.
const (
	weightPath   = 0.20
	weightText   = 0.35
	weightTitle  = 0.20
	weightRecent = 0.05 // a weak signal: most sitemaps name the day of their own making
	weightNear   = 0.20
)

// The bounds of Score.
const (
	DefaultPagesPerTurn = 5
	maxCandidates       = 5000
	maxLinks            = 50 // that are returned
	maxRead             = 1000
	longAnchor          = 12 // words: longer ones are no name of a page, and count less
	hubPath             = 0.3
	preferredNear       = 0.5
)

// halfRecent is the age at which a page is half as recent as one of today.
const halfRecent = 365 * 24 * time.Hour

// Score weighs candidates and chooses the best Top. Each of the five signals is from 0 to 1, and the
// score is their weighted sum:
//
//	path     0.20  share of the words that the path holds; at least 0.3 for a hub (docs, faq …), and
//	               0 for what is beside the point on every site (login, tags …)
//	text     0.35  share that the anchor holds, the less, the more of it is other words than twelve
//	title    0.20  share that the title holds, where it is known
//	recent   0.05  1 / (1 + age in years) by the date of a sitemap; 0 for none and for the future
//	context  0.20  share that the words beside the link hold, halved, and a half for a preferred
//	               page; all of it where no page is preferred
//
// A share is of the words of the open sub-questions, weighted by rarity. Each canonical URL comes
// once, with the best of its candidates. What was read and what is excluded is left out, and so are
// pages beside the point that do not name what is asked. At most
// 5,000 candidates are looked at and 50 links returned, best first, equal ones by URL; those that
// are chosen are among them. Of one folder of a site at most three fifths of Top are chosen while
// others are left, and of links with the same words but
// for numbers one, so that a flood of links to pages of one
// kind does not fill a turn.
func Score(cs []Candidate, w Weighing) []wstk.ScoredLink {
	s := newScorer(w)
	best := map[string]wstk.ScoredLink{}
	for _, c := range cs[:min(maxCandidates, len(cs))] {
		u, err := text.Canonical(c.URL)
		if err != nil || w.Read != nil && w.Read(u) || w.Excluded != nil && w.Excluded(u) {
			continue
		}
		l := s.link(u, c)
		if l.Text == 0 && s.isAside(u) {
			continue
		}
		if o, ok := best[u]; !ok || l.Score > o.Score {
			best[u] = l
		}
	}
	links := make([]wstk.ScoredLink, 0, len(best))
	for _, l := range best {
		links = append(links, l)
	}
	slices.SortFunc(links, func(a, b wstk.ScoredLink) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.URL, b.URL))
	})
	top := w.Top
	if top <= 0 {
		top = DefaultPagesPerTurn
	}
	choose(links, min(top, maxLinks))
	return shown(links)
}

type scorer struct {
	Weighing
	lang  string
	asked words
}

func newScorer(w Weighing) scorer {
	open := strings.Join(w.Open, "\n")
	if strings.TrimSpace(open) == "" {
		open = w.Question
	}
	lang := text.DetectLanguage(w.Question)
	return scorer{w, lang, wordsOf(open, lang, w.Stats)}
}

// link weighs a candidate.
func (s scorer) link(u string, c Candidate) wstk.ScoredLink {
	l := wstk.ScoredLink{URL: u, Anchor: text.Shorten(c.Anchor, 200), From: c.From,
		Path: s.path(u), Text: s.anchor(c.Anchor), Title: s.share(c.Title), Recent: s.recent(c.Modified)}
	l.Near = s.share(c.Around)
	if s.Preferred != nil {
		l.Near *= 1 - preferredNear
		if s.Preferred(u) {
			l.Near += preferredNear
		}
	}
	l.Score = weightPath*l.Path + weightText*l.Text + weightTitle*l.Title + weightRecent*l.Recent +
		weightNear*l.Near
	return l
}

// share is the share of the asked words in a text; 0 for one that speaks to a model.
func (s scorer) share(words string) float64 {
	words = text.Prefix(words, maxRead)
	if words == "" || s.Addresses != nil && s.Addresses(words) {
		return 0
	}
	return s.asked.in(tokensOf(words, s.lang))
}

func (s scorer) anchor(words string) float64 {
	share := s.share(words)
	if n := len(strings.Fields(words)); n > longAnchor {
		share *= longAnchor / float64(n)
	}
	return share
}

//go:embed paths.txt
var pathFile string

var paths = sync.OnceValue(func() *lexicon.Lexicon { return lexicon.Parse(pathFile) })

var (
	hubs  = sync.OnceValue(func() map[string]bool { return paths().Set("hubs") })
	aside = sync.OnceValue(func() map[string]bool { return paths().Set("beside the point") })
)

// path is the share of the asked words in the path and the query of a URL.
func (s scorer) path(u string) float64 {
	parts, words := pathOf(u)
	least := 0.0
	for _, part := range parts {
		if aside()[part] {
			return 0
		}
		if hubs()[part] {
			least = hubPath
		}
	}
	return max(least, s.share(words))
}

// isAside reports whether a page says nothing about the subject of its site, and its address
// nothing about what is asked.
func (s scorer) isAside(u string) bool {
	parts, words := pathOf(u)
	return slices.ContainsFunc(parts, func(part string) bool { return aside()[part] }) && s.share(words) == 0
}

// pathOf returns the parts of a URL's path, in small letters and without the last one's ending,
// and the words of its path and query.
func pathOf(u string) (parts []string, words string) {
	p, err := url.Parse(u)
	if err != nil {
		return nil, ""
	}
	plain := strings.TrimSuffix(p.Path, path.Ext(p.Path))
	query, err := url.QueryUnescape(p.RawQuery)
	if err != nil {
		query = ""
	}
	signs := strings.NewReplacer("/", "\n", "-", " ", "_", " ", "=", " ", "&", "\n")
	return strings.Split(strings.ToLower(plain), "/"), signs.Replace(plain + "\n" + query)
}

func (s scorer) recent(t *time.Time) float64 {
	if t == nil || s.Now.IsZero() || t.After(s.Now) {
		return 0
	}
	return 1 / (1 + float64(s.Now.Sub(*t))/float64(halfRecent))
}

// choose marks the links to read: first those that neither crowd a folder nor repeat the words of
// a better one, then the best of the others. Links without a score are read only where none has one.
func choose(links []wstk.ScoredLink, top int) {
	folders, said := map[string]int{}, map[string]bool{}
	most := max(1, 3*top/5)
	n := 0
	take := func(all bool) {
		for i := range links {
			l := &links[i]
			folder, words := folderOf(l.URL), wordsOfAnchor(l.Anchor)
			if n == top || l.Chosen || l.Score == 0 && links[0].Score > 0 {
				continue
			}
			if !all && (folders[folder] == most || words != "" && said[words]) {
				continue
			}
			l.Chosen = true
			folders[folder]++
			said[words] = true
			n++
		}
	}
	take(false)
	take(true)
}

// wordsOfAnchor are the words of a link without numbers: "Offer 1" and "Offer 2" are one kind.
func wordsOfAnchor(anchor string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, text.FoldCompare(anchor)))
}

// folderOf is a URL without what follows the last slash of its path.
func folderOf(u string) string {
	u, _, _ = strings.Cut(u, "?")
	return u[:strings.LastIndexByte(u, '/')+1]
}

// shown are the chosen links and the best others, at most maxLinks.
func shown(links []wstk.ScoredLink) []wstk.ScoredLink {
	chosen := 0
	for _, l := range links {
		if l.Chosen {
			chosen++
		}
	}
	others := maxLinks - chosen
	out := make([]wstk.ScoredLink, 0, min(maxLinks, len(links)))
	for _, l := range links {
		if !l.Chosen {
			if others == 0 {
				continue
			}
			others--
		}
		out = append(out, l)
	}
	return out
}
