// Command fit fits the weights by which shared/stage/read/content chooses the main content
// of pages, on labelled pages of the WCXB corpus (Murrough-Foley, CC-BY-4.0), and reports
// how good they are:
//
//	fit -corpora DIR -out shared/stage/read/content/weights.json
//
// DIR holds wcxb-dev unpacked (truth.json and html/), and may hold readability, the test
// pages of Mozilla's reader view, which are scored and never fitted on. Without -out the
// weights in use are scored and nothing is written. The same pages give the same weights.
//
// With -questions it fits the choice of answers instead, on questions about sites:
//
//	fit -questions DIR,FILE -sites DIR,DIR -cache DIR -out shared/stage/extract/choice/weights.json
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"wstk/shared/stage/read/content"
)

func main() {
	dir := flag.String("corpora", os.Getenv("WSTK_CORPORA"),
		"folder of labelled pages (default: WSTK_CORPORA)")
	out := flag.String("out", "", "file to write the weights to")
	cache := flag.String("cache", "", "file that keeps the features of the pages between runs")
	groups := flag.Int("groups", 2,
		"into how many groups the sites are split; each is tested by weights fitted on the others")
	questions := flag.String("questions", "",
		"files of questions and folders of them, with commas between: fit the choice of answers")
	sites := flag.String("sites", "", "folders of the sites that the questions are about")
	cases := flag.String("cases", "testdata/eval/agreement",
		"folder of made cases, whose pages are one more site")
	model := flag.String("model", "",
		"weights of an embedder: fit what its vectors add to the choice")
	flag.Parse()
	if *questions != "" {
		err := fitChoice(context.Background(), choosing{questions: strings.Split(*questions, ","),
			sites: strings.Split(*sites, ","), cases: *cases, cache: *cache, out: *out,
			model: *model})
		if err != nil {
			fmt.Fprintln(os.Stderr, "fit:", err)
			os.Exit(1)
		}
		return
	}
	if *dir == "" {
		fmt.Fprintln(os.Stderr, "fit: no corpora: name the folder of labelled pages with "+
			"-corpora or WSTK_CORPORA")
		os.Exit(2)
	}
	if err := run(context.Background(), *dir, *out, *cache, *groups); err != nil {
		fmt.Fprintln(os.Stderr, "fit:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir, out, cache string, groups int) error {
	if out == "" {
		return scoreInUse(ctx, dir)
	}
	all, err := labels(filepath.Join(dir, "wcxb-dev"))
	if err != nil {
		return err
	}
	wcxb := len(all)
	more, err := mozilla(dir)
	if err != nil {
		return err
	}
	all = append(all, more...)
	pages, err := load(ctx, all, cache)
	if err != nil {
		return err
	}
	for _, p := range pages[wcxb:] {
		p.Doubtful = true // scored, never fitted on
	}
	f := newFitter(pages)
	w, m := scores{}, scores{}
	for i, p := range pages {
		tested := f.testedWith(i, groups)
		s := w
		if i >= wcxb {
			s = m
		}
		s.add("blocks by themselves", p.Type, p.f1(f.predict(0, tested, i)))
		s.add("and the blocks around", p.Type, p.f1(f.predict(1, tested, i)))
		if err := s.completed(ctx, all[i], f.predict(1, tested, i)); err != nil {
			return err
		}
	}
	fmt.Printf("F1 of the main text, sites in %d groups:\n", groups)
	w.print(os.Stdout)
	fmt.Println("\nThe same of the pages of readability:")
	m.print(os.Stdout)
	return write(out, f.model())
}

// write stores weights as JSON, a tree on each line.
func write(path string, m *content.Model) error {
	var b strings.Builder
	line := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			panic(err) // numbers and strings
		}
		return string(data)
	}
	b.WriteString("{\"about\": \"made by tools/fit on the 1,497 labelled pages of the WCXB corpus " +
		"(Murrough-Foley, CC-BY-4.0)\",\n")
	b.WriteString("\"roles\": {\"" + content.RoleMain + "\": {\n\"linear\": {\n")
	names := content.FeatureNames()
	for i, n := range names {
		fmt.Fprintf(&b, "%s: %s%s\n", line(n), line(m.Linear[n]), comma(i < len(names)-1))
	}
	fmt.Fprintf(&b, "},\n\"base\": %s,\n\"trees\": [\n", line(m.Base))
	for i := range m.Trees {
		b.WriteString(line(&m.Trees[i]) + comma(i < len(m.Trees)-1) + "\n")
	}
	b.WriteString("]}}}\n")
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

func comma(more bool) string {
	if more {
		return ","
	}
	return ""
}
