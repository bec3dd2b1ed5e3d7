package answer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/adapter/memory"
	"wstk/shared/stage/answer"
	"wstk/shared/stage/chunk"
	"wstk/shared/stage/extract"
	"wstk/shared/stage/index"
	"wstk/shared/stage/read"
	"wstk/shared/stage/recall"
	"wstk/shared/wstk"
)

const (
	bundledSite = "../../../testdata/sites/sqlite"
	bundledRoot = "https://sqlite.example/"
)

// bundledQuestion is a question about the bundled site, with the pages and the passages that
// answer it.
type bundledQuestion struct {
	ID, Query, Kind string
	Pages, Passages []string
}

func bundledQuestions(t *testing.T) (out []bundledQuestion) {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/eval/sqlite.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var q bundledQuestion
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatal(err)
		}
		out = append(out, q)
	}
	return out
}

// bundledPages are the pages of the bundled site by URL.
func bundledPages(t *testing.T) map[string]*wstk.Document {
	t.Helper()
	docs := map[string]*wstk.Document{}
	reader := read.Stage{}
	err := filepath.WalkDir(bundledSite, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".html") {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(bundledSite, path)
		if err != nil {
			return err
		}
		u := bundledRoot + filepath.ToSlash(rel)
		docs[u], err = reader.Do(context.Background(), read.Input{URL: u, Body: body, ContentType: "text/html",
			SnapshotSHA256: wstk.HashOf(body), FetchedAt: time.Unix(0, 0)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return docs
}

// bundledLoop answers a question from the front page on, with the product's own recall.
type bundledLoop struct {
	t      *testing.T
	docs   map[string]*wstk.Document
	index  *memory.Index
	texts  *memory.Blobs
	recall *recall.Stage
	read   map[string]bool
	links  []answer.Candidate
}

func newBundledLoop(t *testing.T, docs map[string]*wstk.Document) *bundledLoop {
	l := &bundledLoop{t: t, docs: docs, index: memory.NewIndex(), texts: memory.NewBlobs(), read: map[string]bool{}}
	l.recall = recall.New(l.index, l.texts)
	l.ingest(bundledRoot + "index.html")
	return l
}

func (l *bundledLoop) ingest(url string) {
	ctx, d := context.Background(), l.docs[url]
	l.read[url] = true
	if _, err := l.texts.Put(ctx, []byte(d.Text)); err != nil {
		l.t.Fatal(err)
	}
	stage := index.Stage{Index: l.index, Split: chunk.Split}
	if _, err := stage.Do(ctx, index.Input{Page: wstk.Page{URL: url, Site: "site_x"}, Document: d}); err != nil {
		l.t.Fatal(err)
	}
	l.links = append(l.links, answer.LinksOf(d)...)
}

// run returns the turns, and the passages that an answer would rest on.
func (l *bundledLoop) run(question string) (turns []wstk.Turn, passages []wstk.Hit) {
	a := answer.Analyser{Parts: extract.Parts}
	subs, budget, limit := a.Rules(question), answer.DefaultBudget, recall.DefaultLimit
	var tried []string
	for {
		hits := make([][]wstk.Hit, len(subs))
		for i, s := range subs {
			found, err := l.recall.Do(context.Background(), recall.Query{Text: s, Limit: limit, Kind: wstk.KindChunk})
			if err != nil {
				l.t.Fatal(err)
			}
			hits[i] = found.Hits
		}
		f := answer.Found{Question: question, SubQuestions: subs, Hits: hits, Budget: budget,
			PagesRead: len(l.read), Before: turns}
		open := answer.Open(f)
		f.Links = answer.Score(l.links, answer.Weighing{Question: question, Open: open,
			Read:     func(u string) bool { return l.read[u] },
			Excluded: func(u string) bool { return l.docs[u] == nil }})
		again, fresh := a.Again(question, subs, tried, open)
		turn := answer.Decide(answer.Situation{Signals: answer.Measure(f), Before: turns, Anew: fresh})
		turns = append(turns, turn)
		switch turn.Move {
		case wstk.MoveStop:
			return turns, answer.Merge(answer.Merging{Hits: hits, Budget: budget}).Passages
		case wstk.MoveExpandIntent:
			tried, subs = append(tried, subs...), again
		case wstk.MoveExpandRecall:
			budget, limit = 2*budget, 2*limit
		case wstk.MoveExpandBreadth:
			for _, link := range f.Links {
				if link.Chosen {
					l.ingest(link.URL)
				}
			}
		}
	}
}

// How far the loop gets on the bundled site from its front page, without a model and without the
// gaps that an extraction would name: how many of the pages that answer are read, how many of the
// passages that answer are among those that an answer rests on, and how many pages it reads.
//
//	WSTK_GOLDEN=update go test ./shared/stage/answer -run TestLoopOnTheBundledSite
func TestLoopOnTheBundledSite(t *testing.T) {
	docs := bundledPages(t)
	var b strings.Builder
	pages, allPages, passages, allPassages, read, questions := 0, 0, 0, 0, 0, 0
	for _, q := range bundledQuestions(t) {
		l := newBundledLoop(t, docs)
		turns, merged := l.run(q.Query)
		gotPages, gotPassages := 0, 0
		for _, p := range q.Pages {
			if l.read[bundledRoot+p] {
				gotPages++
			}
		}
		for _, p := range q.Passages {
			if slices.ContainsFunc(merged, func(h wstk.Hit) bool { return strings.Contains(h.Text, p) }) {
				gotPassages++
			}
		}
		var moves []string
		for _, turn := range turns {
			moves = append(moves, turn.Rule)
		}
		fmt.Fprintf(&b, "%s  %2d read  pages %d/%d  passages %d/%d  %s\n", q.ID, len(l.read), gotPages, len(q.Pages),
			gotPassages, len(q.Passages), strings.Join(moves, ", "))
		pages, allPages = pages+gotPages, allPages+len(q.Pages)
		passages, allPassages = passages+gotPassages, allPassages+len(q.Passages)
		read, questions = read+len(l.read), questions+1
	}
	fmt.Fprintf(&b, "\n%d questions on %d pages: %d of %d pages that answer were read, %d of %d passages are left, "+
		"%.1f pages were read for a question\n", questions, len(docs), pages, allPages, passages, allPassages,
		float64(read)/float64(questions))
	golden(t, "testdata/loop.txt", b.String())
}
