package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/wstk"
)

// followRow is what became of one question that was asked at the front page of a site, as wstk
// answer does, over a store that held nothing.
type followRow struct {
	row
	Stop   string   `json:"stop"`  // the rule or the limit that ended the loop
	Moves  []string `json:"moves"` // the rule of each turn
	Read   int      `json:"read"`  // pages that the site was asked for
	Found  bool     `json:"found"` // a page that answers was among them
	Cited  []string `json:"cited"` // pages, without the site
	Quotes int      `json:"quotes"`
	False  int      `json:"false"` // of these, not in the text they name, or of no reference
	TurnMS []float64
	Turns  []wstk.Turn `json:"turns"`
}

// follow asks the questions about each manual, and about each site of testdata/eval/follow.
func follow(ctx context.Context, o options) ([]followRow, error) {
	wordings, err := o.wordings()
	if err != nil {
		return nil, err
	}
	var out []followRow
	for _, m := range slices.Concat(manuals, followed) {
		if o.manual != "" && o.manual != m.Name || o.manual == "" && !o.asks(m.Half) {
			continue
		}
		rows, err := followManual(ctx, o, m, wordings)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		out = append(out, rows...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no manual fits -half %s -manual %q", o.half, o.manual)
	}
	return out, nil
}

func followManual(
	ctx context.Context, o options, m manual, wordings []string,
) ([]followRow, error) {
	qs, err := readQuestions(filepath.Join(o.eval, m.folder(), m.Name+".jsonl"))
	if err != nil {
		return nil, err
	}
	files, err := readFolder(filepath.Join(o.sites, m.Name), nil)
	if err != nil {
		return nil, fmt.Errorf("%w; name the folder of whole manuals with -sites", err)
	}
	c := newClient(siteOf(m.Name), files)
	if !o.sitemap {
		delete(c, siteOf(m.Name)+"sitemap.xml")
	}
	rows := make([]followRow, len(qs)*len(wordings))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, q := range qs {
		for j, wording := range wordings {
			group.Go(func() error {
				r, err := followOne(ctx, o, m, c, q, q.in(wording))
				if err != nil {
					return fmt.Errorf("%s (%s): %w", q.ID, wording, err)
				}
				r.Manual, r.Half, r.Wording = m.Name, m.Half, wording
				rows[i*len(wordings)+j] = r
				return nil
			})
		}
	}
	return rows, group.Wait()
}

// followOne asks one question over a store of its own.
func followOne(
	ctx context.Context, o options, m manual, c client, q question, words string,
) (followRow, error) {
	r := followRow{row: row{ID: q.ID, Kind: q.Kind, Query: words, Said: []string{}}}
	dir, err := os.MkdirTemp("", "follow-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	a, err := openApp(ctx, dir, c, setup{set: o.set})
	if err != nil {
		return r, err
	}
	defer a.Close()
	last := time.Now()
	x, err := a.Answering.FollowAnswer(ctx, wstk.AnswerQuery{URL: siteOf(m.Name) + m.front(),
		Question: words, Strict: true}, answering.Following{Tell: func(e answering.Event) {
		if e.Kind == answering.TurnKind {
			r.TurnMS = append(r.TurnMS, milliseconds(last))
			last = time.Now()
		}
	}})
	if err != nil {
		return r, err
	}
	got, err := replyOf(x.AskResult)
	if err != nil {
		return r, err
	}
	r.score(q, got)
	r.grown(x.AnswerResult, siteOf(m.Name), m.front(), q.Pages)
	return r, r.cite(ctx, a, x.AnswerResult)
}

// grown notes how the loop came to its pages.
func (r *followRow) grown(x wstk.AnswerResult, root, front string, pages []string) {
	r.Stop, r.Read, r.Turns = x.Stopped.Rule, x.PagesRead, x.Turns
	read := []string{front}
	for _, t := range x.Turns {
		r.Moves = append(r.Moves, t.Rule)
		for _, l := range t.Links {
			if l.Chosen && l.Outcome == string(wstk.VerdictOK) {
				read = append(read, strings.TrimPrefix(l.URL, root))
			}
		}
	}
	r.Found = slices.ContainsFunc(pages, func(p string) bool { return slices.Contains(read, p) })
	for _, ref := range x.References {
		if u := strings.TrimPrefix(ref.URL, root); !slices.Contains(r.Cited, u) {
			r.Cited = append(r.Cited, u)
		}
	}
}

// cite checks the citations of an answer with the bytes of the store alone.
func (r *followRow) cite(ctx context.Context, a *app.App, x wstk.AnswerResult) error {
	for _, e := range x.Extractions {
		for _, v := range e.Evidence {
			at, ok := v.Span()
			if !ok {
				continue // a value of structured data, which has no place in the text
			}
			r.Quotes++
			data, err := a.Blobs.Get(ctx, v.TextSHA256)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(data)
			listed := slices.ContainsFunc(x.References, func(f wstk.Reference) bool {
				return f.URL == v.URL && slices.Contains(f.EvidenceIDs, v.ID)
			})
			if hex.EncodeToString(sum[:]) != string(v.TextSHA256) ||
				string(data[at.ByteStart:at.ByteEnd]) != v.Quote || !listed {
				r.False++
			}
		}
	}
	return nil
}

// followTable writes what rows add up to as Markdown, for each manual and wording.
func followTable(rows []followRow) string {
	var b strings.Builder
	b.WriteString("| half | manual | wording | n | right | answered, wrong | page read | pages read | " +
		"honest no | pages read, none | turns | quotes false |\n|" + strings.Repeat("---|", 12) + "\n")
	type sum struct {
		tally
		found, read, noneRead, turns, all, quotes, bad int
	}
	sums := map[string]*sum{}
	var names []string
	add := func(name string, r followRow) {
		s := sums[name]
		if s == nil {
			s = &sum{}
			sums[name] = s
			names = append(names, name)
		}
		s.add(r.row)
		s.all, s.turns, s.quotes, s.bad = s.all+1, s.turns+len(r.Turns), s.quotes+r.Quotes, s.bad+r.False
		switch {
		case r.Kind == none:
			s.noneRead += r.Read
		default:
			s.read += r.Read
			if r.Found {
				s.found++
			}
		}
	}
	for _, r := range rows {
		add(fmt.Sprintf("| %s | %s | %s |", r.Half, r.Manual, r.Wording), r)
		add(fmt.Sprintf("| %s | ~all | %s |", r.Half, r.Wording), r)
	}
	slices.Sort(names)
	for _, name := range names {
		s := sums[name]
		fmt.Fprintf(&b, "%s %d | %s | %d | %s | %s | %s | %s | %s | %d of %d |\n", name, s.n,
			share(s.right, s.n), s.answered-s.right, share(s.found, s.n), mean(s.read, s.n),
			share(s.honest, s.nones), mean(s.noneRead, s.nones), mean(s.turns, s.all), s.bad, s.quotes)
	}
	return b.String() + "\n" + stops(rows) + "\n" + turnTimes(rows)
}

// stops writes which rule ended how many loops, and how many of these answer rightly.
func stops(rows []followRow) string {
	n, right, read := map[string]int{}, map[string]int{}, map[string]int{}
	var names []string
	for _, r := range rows {
		if n[r.Stop] == 0 {
			names = append(names, r.Stop)
		}
		n[r.Stop]++
		read[r.Stop] += r.Read
		if r.Right {
			right[r.Stop]++
		}
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("| ended by | loops | right | pages read |\n|---|---|---|---|\n")
	for _, s := range names {
		fmt.Fprintf(&b, "| %s | %d | %d | %s |\n", s, n[s], right[s], mean(read[s], n[s]))
	}
	return b.String()
}

func turnTimes(rows []followRow) string {
	var all []float64
	for _, r := range rows {
		all = append(all, r.TurnMS...)
	}
	slices.Sort(all)
	if len(all) == 0 {
		return ""
	}
	at := func(p int) float64 { return all[min(len(all)-1, len(all)*p/100)] }
	return fmt.Sprintf("| in process | n | p50 ms | p95 ms |\n|---|---|---|---|\n| turn | %d | %.0f | %.0f |\n",
		len(all), at(50), at(95))
}

// followDetail writes each row of the fit half: wrong ones first.
func followDetail(rows []followRow) string {
	var b strings.Builder
	for _, right := range []bool{false, true} {
		for _, r := range rows {
			if r.Half != "fit" || r.Right != right {
				continue
			}
			found := ""
			if r.Found {
				found = ", page read"
			}
			fmt.Fprintf(&b, "%s: %s %s (%s%s) %s\n    %d read: %s\n", verdict(r.row), r.ID, r.Wording, r.Kind,
				found, r.Query, r.Read, strings.Join(r.Moves, ", "))
			for _, s := range r.Said {
				fmt.Fprintf(&b, "    %s\n", strings.Join(strings.Fields(s), " "))
			}
		}
	}
	return b.String()
}

// showFollowed prints what the options ask for, and compares with an older run.
func showFollowed(o options, rows []followRow) error {
	if o.verbose {
		fmt.Println(followDetail(rows))
	}
	fmt.Print(followTable(rows))
	r := report{Followed: rows}
	if o.compare != "" {
		old, err := readReport(o.compare)
		if err != nil {
			return err
		}
		fmt.Print(compareFollowed(old.Followed, rows))
	}
	if o.json != "" {
		return r.write(o.json)
	}
	return nil
}

// compareFollowed lists what was won and lost since an older run.
func compareFollowed(old, now []followRow) string {
	var b strings.Builder
	was := map[string]followRow{}
	for _, r := range old {
		was[r.key()] = r
	}
	for _, what := range []struct {
		name string
		of   func(followRow) bool
	}{
		{"right", func(r followRow) bool { return r.Right }},
		{"page read", func(r followRow) bool { return r.Found }},
	} {
		var won, lost []string
		for _, r := range now {
			o, ok := was[r.key()]
			switch {
			case !ok || what.of(r) == what.of(o):
			case what.of(r):
				won = append(won, r.ID+" "+r.Wording)
			default:
				lost = append(lost, r.ID+" "+r.Wording)
			}
		}
		wonLost(&b, what.name, won, lost)
	}
	return b.String()
}
