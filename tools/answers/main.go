// Command answers measures how good answers are: it asks the questions of
// testdata/eval/manuals over the manuals they are about, and the made cases of
// testdata/eval/agreement over their pages, and counts what is right. The program that answers
// runs in this process; the pages come from files, and no network is used.
//
//	go run ./tools/answers -half fit                  the committed sample of each manual
//	go run ./tools/answers -half fit -sites DIR       whole manuals: DIR/gnucash and so on
//	go run ./tools/answers -half fit -json new.json -compare old.json
//	go run ./tools/answers -cases -half fit           the made cases
//	go run ./tools/answers -cases -half more-odd      the later cases with odd numbers
//
// What was ingested of a manual is kept below -data and used again while the pages and the code
// that reads and indexes them stay the same.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// options are what the flags say.
type options struct {
	half, manual, sites, wording, data string
	json, compare, eval, model         string
	cases, pack, verbose               bool
	follow, sitemap                    bool
	set                                settings
}

func main() {
	var o options
	flag.StringVar(&o.half, "half", "fit", "fit, test or all; of test only sums are shown; with "+
		"-cases also more-odd and more-even")
	flag.StringVar(&o.manual, "manual", "", "only this manual")
	flag.StringVar(&o.sites, "sites", "", "folder of the whole manuals, one folder each; "+
		"without it, the committed samples are asked")
	flag.StringVar(&o.wording, "wording", "both", "near, user or both")
	flag.StringVar(&o.data, "data", ".cache/answers", "folder for what was ingested")
	flag.StringVar(&o.eval, "eval", "testdata/eval", "folder of the questions and cases")
	flag.StringVar(&o.json, "json", "", "file for all rows of the fit half")
	flag.StringVar(&o.compare, "compare", "", "file of an older run, written by -json")
	flag.BoolVar(&o.cases, "cases", false, "ask the made cases of agreement instead")
	flag.BoolVar(&o.follow, "follow", false, "ask each question at the front page of its manual, over "+
		"an empty store; needs -sites")
	flag.BoolVar(&o.sitemap, "sitemap", false, "with -follow: the site has a sitemap of all pages")
	flag.BoolVar(&o.pack, "pack", false, "write the samples of the manuals below -sites, and ask "+
		"nothing")
	flag.BoolVar(&o.verbose, "v", false, "show each question of the fit half, and its answer")
	flag.StringVar(&o.model, "model", "", "file of a model that wstk models add takes, to answer "+
		"with; make model gets one")
	flag.Var(&o.set, "set", "KEY=VALUE: a setting of the program, as in its file; may be repeated")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "answers:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if !slices.Contains([]string{"fit", "test", "all"}, o.half) &&
		!(o.cases && slices.Contains(caseHalves, o.half)) {
		return fmt.Errorf("-half is %q; it is fit, test or all, and with -cases one of %s", o.half,
			strings.Join(caseHalves, ", "))
	}
	if o.pack {
		return pack(o)
	}
	if o.follow {
		rows, err := follow(ctx, o)
		if err != nil {
			return err
		}
		return showFollowed(o, rows)
	}
	var r report
	var err error
	if o.cases {
		r.Cases, err = askCases(ctx, o)
	} else {
		r.Questions, err = askManuals(ctx, o)
	}
	if err != nil {
		return err
	}
	if o.cases {
		if o.verbose {
			fmt.Println(caseDetail(r.Cases))
		}
		fmt.Println(caseTable(r.Cases))
	} else {
		if o.verbose {
			fmt.Println(detail(r.Questions))
		}
		fmt.Print(strings.Join([]string{kinds(r.Questions), table(r.Questions),
			calibration(r.Questions), times(r.Questions)}, "\n"))
	}
	if o.compare != "" {
		old, err := readReport(o.compare)
		if err != nil {
			return err
		}
		fmt.Print(compare(old, r))
	}
	if o.json != "" {
		return r.write(o.json)
	}
	return nil
}

// wordings returns those that are asked in.
func (o options) wordings() ([]string, error) {
	switch o.wording {
	case "both":
		return []string{"near", "user"}, nil
	case "near", "user":
		return []string{o.wording}, nil
	}
	return nil, fmt.Errorf("-wording is %q; it is near, user or both", o.wording)
}

// asks reports whether a half is asked.
func (o options) asks(half string) bool { return o.half == half || o.half == "all" }

// askManuals asks the questions about each manual that the options name.
func askManuals(ctx context.Context, o options) ([]row, error) {
	wordings, err := o.wordings()
	if err != nil {
		return nil, err
	}
	code, err := codeOf(".")
	if err != nil {
		return nil, fmt.Errorf("%w; run it in the folder of the repository", err)
	}
	set, err := newSetup(ctx, o)
	if err != nil {
		return nil, err
	}
	var out []row
	for _, m := range manuals {
		if o.manual != "" && o.manual != m.Name || o.manual == "" && !o.asks(m.Half) {
			continue
		}
		rows, err := askManual(ctx, o, m, wordings, code, set)
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

func askManual(
	ctx context.Context, o options, m manual, wordings []string, code string, set setup,
) ([]row, error) {
	folder := filepath.Join(o.eval, "manuals")
	qs, err := readQuestions(filepath.Join(folder, m.Name+".jsonl"))
	if err != nil {
		return nil, err
	}
	var files pages
	kept := m.Name + "-sample"
	if o.sites != "" {
		kept = m.Name
		files, err = readFolder(filepath.Join(o.sites, m.Name), nil)
	} else {
		files, err = readSample(filepath.Join(folder, m.Name+".tar.zst"))
	}
	if err != nil {
		return nil, err
	}
	if set.shelf != "" {
		kept += "-model"
	}
	a, err := openManual(ctx, filepath.Join(o.data, kept), m.Name, files, code, set)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	w, err := newWindows(ctx, a, m.Name, files)
	if err != nil {
		return nil, err
	}
	defer w.close()
	return askAll(ctx, a, m, qs, wordings, w)
}
