package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"wstk/shared/app/searching"
	"wstk/shared/config"
	"wstk/shared/stage/evaluate"
	"wstk/shared/wstk"
)

// contenders are the models and prompts that eval compares.
type contenders struct {
	models, prompts, prices []string
	settings                []config.Flag // that the other flags set
}

// byRules is the name of answers without a model, and builtIn that of our prompts.
const byRules, builtIn = "rules", "built-in"

func (k *contenders) add(f *pflag.FlagSet) {
	f.StringArrayVar(&k.models, "model", nil, "PROVIDER:NAME of a model that answers questions, "+
		"or rules (repeatable; default: as wstk ask would answer)")
	if err := f.SetAnnotation("model", noSetting, []string{"eval"}); err != nil {
		panic(err) // the flag was defined a line ago
	}
	f.StringArrayVar(&k.prompts, "prompts", nil, "folder with prompts in classify.txt, "+
		"partition.txt or extract.txt, or built-in (repeatable)")
	f.StringArrayVar(&k.prices, "price", nil,
		"MODEL=IN,OUT: what a model costs, in USD for a million tokens it reads and writes "+
			"(repeatable)")
}

// contender is one model with one set of prompts.
type contender struct {
	model, prompts string
	config         config.Config
}

// each returns every model with every set of prompts. Rules have no prompts, so they are once.
func (k contenders) each(load func(...config.Flag) (config.Config, error)) ([]contender, error) {
	models, folders := k.models, k.prompts
	if len(models) == 0 {
		models = []string{""}
	}
	if len(folders) == 0 {
		folders = []string{""}
	}
	var out []contender
	for _, m := range models {
		for i, folder := range folders {
			if m == byRules && i > 0 {
				continue
			}
			c, err := k.one(m, folder, load)
			if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
	}
	return out, nil
}

func (k contenders) one(
	model, folder string, load func(...config.Flag) (config.Config, error),
) (contender, error) {
	flags := k.settings
	if model != "" && model != byRules {
		flags = append(flags[:len(flags):len(flags)],
			config.Flag{Name: "model", Key: "model.model", Value: model})
	}
	cfg, err := load(flags...)
	if err != nil {
		return contender{}, err
	}
	c := contender{model: model, config: cfg}
	own := map[wstk.Operation]config.ModelOptions{}
	for op, o := range cfg.Models { // a model that is named does every operation
		if model != "" {
			o = config.ModelOptions{PromptFile: o.PromptFile}
		}
		own[op] = o
	}
	switch {
	case model == byRules:
		c.config.Model = config.ModelOptions{}
	case model == "":
		if c.model = byRules; cfg.ModelFor(wstk.OpExtract).Model != "" {
			o := cfg.ModelFor(wstk.OpExtract)
			c.model = o.Provider + ":" + o.Model
		}
	}
	c.config.Models = own
	if folder == "" || c.model == byRules {
		return c, nil
	}
	c.prompts = folder
	return c, prompted(own, folder)
}

// prompted sets the prompts of a folder in place of the configured ones.
func prompted(models map[wstk.Operation]config.ModelOptions, folder string) error {
	found := 0
	for _, op := range []wstk.Operation{wstk.OpClassify, wstk.OpPartition, wstk.OpExtract} {
		o := models[op]
		o.PromptFile = ""
		if folder != builtIn {
			path, err := filepath.Abs(filepath.Join(folder, string(op)+".txt"))
			if err != nil {
				return wstk.Errorf(wstk.Invalid, "", "--prompts: %w", err)
			}
			if _, err := os.Stat(path); err == nil {
				o.PromptFile, found = path, found+1
			}
		}
		models[op] = o
	}
	if folder != builtIn && found == 0 {
		return wstk.Errorf(wstk.Invalid, "", "--prompts: the folder %s holds no prompt", folder).
			Try(wstk.Advice("write classify.txt, partition.txt or extract.txt there, or name built-in"))
	}
	return nil
}

// price is that of a model, nil if none is given.
func (k contenders) price(model string) (*evaluate.Price, error) {
	for _, p := range k.prices {
		at := strings.LastIndex(p, "=")
		if at < 0 {
			return nil, badPrice(p)
		}
		in, out, _ := strings.Cut(p[at+1:], ",")
		reads, err := strconv.ParseFloat(in, 64)
		writes, wrong := strconv.ParseFloat(out, 64)
		if err != nil || wrong != nil || !(reads >= 0 && writes >= 0) {
			return nil, badPrice(p)
		}
		if p[:at] == model {
			return &evaluate.Price{Input: reads, Output: writes}, nil
		}
	}
	return nil, nil
}

func badPrice(p string) error {
	return wstk.Errorf(wstk.Invalid, "", "--price %q is not MODEL=IN,OUT", p).
		Try(wstk.Advice("write USD for a million tokens, such as --price openai:gpt-4.1-mini=0.4,1.6"))
}

// evalAnswers asks each contender the questions of a suite; nil if it has none.
func (c *command) evalAnswers(
	ctx context.Context, k contenders, req searching.EvaluateRequest, line *statusLine,
) (*evaluate.Answers, error) {
	var questions []evaluate.Case
	for _, q := range req.Cases {
		if q.Asks() {
			questions = append(questions, q)
		}
	}
	if len(questions) == 0 {
		return nil, nil
	}
	all, err := k.each(func(flags ...config.Flag) (config.Config, error) {
		return c.env.Settings.Load(c.env.Getenv, c.env.Dir, flags...)
	})
	if err != nil {
		return nil, err
	}
	var reports []evaluate.AnswerReport
	for n, one := range all {
		price, err := k.price(one.model)
		if err != nil {
			return nil, err
		}
		cases, err := c.askAll(ctx, one.config, questions, func(done int) {
			line.show("%d/%d", n*len(questions)+done, len(all)*len(questions))
		})
		if err != nil {
			return nil, err
		}
		reports = append(reports, evaluate.ReportAnswers(one.model, one.prompts, price, cases))
	}
	var before []evaluate.AnswerReport
	if req.Before != nil && req.Before.Answers != nil {
		before = req.Before.Answers.Models
	}
	answers := evaluate.CompareAnswers(reports, before)
	return &answers, nil
}

// askAll asks the questions one after another, over the data directory.
func (c *command) askAll(
	ctx context.Context, cfg config.Config, questions []evaluate.Case, asked func(int),
) (out []evaluate.AnswerCase, err error) {
	a, err := c.env.Open(ctx, cfg, c.logger(cfg))
	if err != nil {
		return nil, err
	}
	defer a.Close()
	for i, q := range questions {
		one, err := a.Answering.Golden(ctx, q)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
		asked(i + 1)
	}
	return out, nil
}

// answersUsage is what all models of an evaluation cost.
func answersUsage(answers *evaluate.Answers) (u wstk.Usage) {
	if answers != nil {
		for _, r := range answers.Models {
			u.Add(r.Usage)
		}
	}
	return u
}

func answerRows(r evaluate.AnswerReport) []evaluationRow {
	return []evaluationRow{{"right", r.Right, true}, {"first_right", r.First, true},
		{"honest_no", r.HonestNo, true}, {"quotes_verified", r.Verified, true},
		{"unsupported_per_question", r.Unsupported, false},
		{"latency_ms_median", r.LatencyMS, false}}
}

// totals are sums over all questions: as sure as can be, so both ends of their interval are
// themselves.
func totals(r evaluate.AnswerReport) (names []string, values []float64) {
	add := func(name string, v float64) { names, values = append(names, name), append(values, v) }
	add("errors", float64(r.Errors))
	add("calls", float64(r.Usage.Calls))
	add("input_tokens", float64(r.Usage.InputTokens))
	add("output_tokens", float64(r.Usage.OutputTokens))
	if r.CostUSD != nil {
		add("cost_usd", *r.CostUSD)
	}
	return names, values
}

func plainAnswers(w io.Writer, answers *evaluate.Answers) {
	if answers == nil {
		return
	}
	for _, r := range answers.Models {
		names, values := totals(r)
		for i, v := range values {
			fmt.Fprintf(w, "%s\t%s\t%[3]v\t%[3]v\t%[3]v\t%d\n", r.Name(), names[i],
				strconv.FormatFloat(v, 'f', -1, 64), len(r.Cases))
		}
		for _, row := range answerRows(r) {
			plainRow(w, r.Name(), row)
		}
	}
}

func humanAnswers(p *printer, answers *evaluate.Answers) {
	if answers == nil {
		return
	}
	for _, r := range answers.Models {
		p.line()
		p.line(fmt.Sprintf("%s  %d questions", p.bold(oneLine(r.Name(), 120)), len(r.Cases)))
		humanRows(p, answerRows(r))
		names, values := totals(r)
		for i, v := range values {
			p.linef("  %-24s %7.6g", strings.ReplaceAll(names[i], "_", " "), v)
		}
		for _, q := range r.Cases {
			for _, u := range q.Score.Unsupported {
				p.linef("  %s %s: %s", p.yellow("not supported:"), q.ID, oneLine(u, 100))
			}
		}
	}
	for _, v := range answers.Versus {
		humanDifference(p, v.Provider+" against "+v.Against, v.Difference)
	}
	for _, d := range answers.Changes {
		humanDifference(p, d.Provider+" since the earlier run", d)
	}
}
