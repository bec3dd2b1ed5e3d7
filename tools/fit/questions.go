package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/crawling"
	"wstk/shared/app/local"
	"wstk/shared/stage/extract"
	"wstk/shared/stage/extract/choice"
	"wstk/shared/wstk"
)

// question is a line of testdata/eval/manuals, in one of its wordings.
type question struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	Near     string   `json:"near"`
	Query    string   `json:"query"` // the same, of the bundled site
	User     string   `json:"user"`
	Short    string   `json:"short"` // a few words, as typed into a search box; may be ""
	Typed    string   `json:"typed"` // asks for a value of a kind; may be ""
	About    string   `json:"about"` // id of the made case whose pages it asks about
	Pages    []string `json:"pages"`
	Passages []string `json:"passages"`
	Answer   []string `json:"answer"`

	around []string // the pages of its made case
}

// asked is a question in one wording, with what may answer it.
type asked struct {
	Site, ID, Kind, Wording, Text string
	Strategy                      string
	Part                          int
	Candidates                    []answerRow
	Spans                         []choice.Span // what may be quoted
	Quoted                        []bool        // which of these answer

	scores       []float64 // of the candidates
	ranked       []int     // the candidates, best first
	signs        []float64 // see choice.Signs
	best         bool      // the quote that is believed most answers
	known, quote float64   // beliefs, as log odds
}

type answerRow struct {
	Row   choice.Row
	Text  string
	URL   string
	Right bool
}

func readQuestions(path string) ([]question, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []question
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, q)
	}
	return out, lines.Err()
}

// openSite opens the store of a site, and ingests it first if the store is new.
func openSite(ctx context.Context, s site, o choosing) (*app.App, string, error) {
	data := filepath.Join(o.cache, s.name)
	if err := linkModel(o.model, data); err != nil {
		return nil, "", err
	}
	c, err := local.Settings().Load(func(string) string { return "" }, data)
	if err != nil {
		return nil, "", err
	}
	c.Crawl.MaxPages = 5000
	c.Robots = wstk.RobotsIgnore // they are files on this machine
	c.DataDir, c.CacheDir, c.AllowPrivate = data, filepath.Join(data, "cache"), true
	rootFile := filepath.Join(data, "root")
	root, readErr := os.ReadFile(rootFile)
	a, err := local.Open(ctx, c, slog.New(slog.DiscardHandler))
	if err != nil || readErr == nil {
		return a, string(root), err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	server := &http.Server{Handler: withSitemap(s)}
	go server.Serve(l)
	defer server.Close()
	url := "http://" + l.Addr().String() + "/"
	res, err := a.Crawling.Ingest(ctx, crawling.IngestRequest{URL: url})
	if err != nil {
		return nil, "", err
	}
	fmt.Fprintln(os.Stderr, s.name, "pages", res.Pages)
	return a, url, os.WriteFile(rootFile, []byte(url), 0o644)
}

// linkModel adds a model to a data folder.
func linkModel(model, data string) error {
	if model == "" {
		return nil
	}
	model, err := filepath.Abs(model)
	if err != nil {
		return err
	}
	dir := filepath.Join(data, "models")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	err = os.Symlink(model, filepath.Join(dir, filepath.Base(model)))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// site is what questions are about.
type site struct {
	name    string
	pages   []string // paths
	handler http.Handler
}

// folderSite is a folder of HTML files.
func folderSite(dir string) (site, error) {
	s := site{name: filepath.Base(dir), handler: http.FileServer(http.Dir(dir))}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".html") {
			var rel string
			rel, err = filepath.Rel(dir, path)
			s.pages = append(s.pages, filepath.ToSlash(rel))
		}
		return err
	})
	return s, err
}

// withSitemap serves a site with a sitemap of its pages.
func withSitemap(s site) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprintf(w, "User-agent: *\nSitemap: http://%s/sitemap.xml\n", r.Host)
			return
		case "/sitemap.xml":
		default:
			s.handler.ServeHTTP(w, r)
			return
		}
		var b strings.Builder
		b.WriteString(`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
		for _, p := range s.pages {
			fmt.Fprintf(&b, "<url><loc>http://%s/%s</loc></url>", r.Host, p)
		}
		b.WriteString("</urlset>")
		w.Header().Set("Content-Type", "application/xml")
		fmt.Fprint(w, b.String())
	})
}

// askAll collects what may answer the questions of a site.
func askAll(
	ctx context.Context, a *app.App, root, site string, qs []question,
) ([]asked, error) {
	stage := &extract.Stage{Document: func(ctx context.Context, u string) (*wstk.Document, error) {
		p, err := a.Reading.StateOf(ctx, u)
		if err != nil {
			return nil, err
		}
		d, _, err := a.Reading.ReadState(ctx, p)
		return d, err
	}, Meaning: a.Answering.Meaning}
	var out []asked
	for _, q := range qs {
		for _, w := range [][2]string{{"near", q.Near + q.Query}, {"user", q.User},
			{"short", q.Short},
			{"typed", q.Typed}, {"alone", q.alone()}} {
			if w[1] == "" {
				continue
			}
			find := func(query string) ([]wstk.Hit, error) {
				found, err := a.Answering.Recall(ctx, answering.RecallRequest{Query: query})
				if w[0] == "alone" {
					return q.onlyAround(root, found.Hits), err
				}
				return found.Hits, err
			}
			hits, err := find(w[1])
			if err != nil {
				return nil, err
			}
			b := wstk.Bucket{Hits: hits}
			for _, h := range hits {
				if !slices.Contains(b.Pages, h.URL) {
					b.Pages = append(b.Pages, h.URL)
				}
			}
			query := extract.Query{Text: w[1]}
			for _, p := range extract.Parts(w[1]) {
				h, err := find(p)
				if err != nil {
					return nil, err
				}
				query.PartHits = append(query.PartHits, h)
			}
			parts, err := stage.Candidates(ctx, query, b)
			if err != nil {
				return nil, err
			}
			strategy, _ := extract.Classify(w[1])
			for i, posed := range parts {
				x := asked{Site: site, ID: q.ID, Kind: q.Kind, Wording: w[0], Text: w[1], Part: i,
					Strategy: string(strategy), Spans: posed.Spans}
				for _, c := range posed.Candidates {
					x.Candidates = append(x.Candidates, answerRow{Row: c.Row, Text: c.Text,
						URL: c.URL, Right: q.right(strings.TrimPrefix(c.URL, root), c.Text)})
				}
				for _, c := range posed.Quotes {
					x.Quoted = append(x.Quoted,
						q.right(strings.TrimPrefix(c.URL, root), c.Text))
				}
				out = append(out, x)
			}
		}
	}
	return out, nil
}

// alone is the question if it is of a made case: it is also asked as if the pages of that were all
// there are.
func (q *question) alone() string {
	if len(q.around) == 0 {
		return ""
	}
	return q.Typed
}

// onlyAround keeps the hits on the pages of a made case, ranked anew.
func (q *question) onlyAround(root string, hits []wstk.Hit) (out []wstk.Hit) {
	for _, h := range hits {
		if slices.Contains(q.around, strings.TrimPrefix(h.URL, root)) {
			h.Rank = len(out) + 1
			out = append(out, h)
		}
	}
	return out
}

// right reports whether a unit of a page answers.
func (q *question) right(page, text string) bool {
	if !slices.Contains(q.Pages, page) {
		return false
	}
	text = strings.Join(strings.Fields(text), " ")
	for _, s := range q.Answer {
		if strings.Contains(text, strings.Join(strings.Fields(s), " ")) {
			return true
		}
	}
	return false
}
