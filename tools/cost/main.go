// Command cost computes what the stack costs on AWS: it multiplies counted calls by a table
// of prices and prints Markdown for docs/operations.md.
//
//	cost [-counts FILE] [-prices FILE]
//	cost count -site DIR -questions FILE [-o FILE]
//
// The second counts the calls: it drives the functions' handlers over the services of
// tools/emulator, through a proxy that counts what passes, and writes FILE.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Prices is the price table. A unit is a name that Counts uses.
type Prices struct {
	Date     string
	Region   string
	Note     string
	PerUnit  []Price `json:"per_unit"`
	PerMonth []Price `json:"per_month"` // of what stays stored
	Idle     []struct {
		What        string
		Number, USD float64
	}
	Models []ModelPrice // of some models of Bedrock, as examples

	// Prompts is what models read and write at most: the limits of shared/stage/summarize and
	// shared/stage/extract/prompted say so, it is not counted.
	Prompts []Prompts
}

// ModelPrice is what a million tokens of a model cost.
type ModelPrice struct {
	Model         string
	Input, Output float64
}

// Price is what one unit costs.
type Price struct {
	Service, Unit, Why string
	USD                float64
}

// Counts is what was counted.
type Counts struct {
	What      string `json:"what"` // was counted, and where
	Pages     Count  `json:"pages"`
	Questions Count  `json:"questions"`
	Searches  Count  `json:"searches"` // search runs, each of them read once

	// Used is what each function did to what, by word, in the course of it: the tests in
	// infra hold its permissions against it.
	Used map[string][]string `json:"used"`
}

// Prompts are calls of a model, with their tokens.
type Prompts struct {
	What                 string
	Calls, Input, Output int
}

// Count is how many of each unit N pages, questions or search runs took.
type Count struct {
	N     int                `json:"n"`
	Units map[string]float64 `json:"units"`
}

func main() {
	args := os.Args[1:]
	var err error
	if len(args) > 0 && args[0] == "count" {
		err = countMain(args[1:])
	} else {
		err = table(args, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

func table(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("cost", flag.ExitOnError)
	counts := flags.String("counts", "tools/cost/counts.json", "what was counted")
	prices := flags.String("prices", "tools/cost/prices.json", "price table")
	flags.Parse(args)
	c, err := read[Counts](*counts)
	if err != nil {
		return err
	}
	p, err := read[Prices](*prices)
	if err != nil {
		return err
	}
	text, err := markdown(c, p)
	if err != nil {
		return err
	}
	_, err = io.WriteString(out, text)
	return err
}

func read[T any](file string) (v T, err error) {
	f, err := os.Open(file)
	if err != nil {
		return v, err
	}
	defer f.Close()
	d := json.NewDecoder(f)
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		return v, fmt.Errorf("%s: %w", file, err)
	}
	return v, nil
}

// cost is what n of what was counted cost, by service.
func cost(c Count, prices []Price, n int) map[string]float64 {
	out := map[string]float64{}
	for _, p := range prices {
		out[p.Service] += c.Units[p.Unit] / float64(c.N) * float64(n) * p.USD
	}
	return out
}

// markdown is the whole answer. A unit that has no price is an error: it would be left
// out in silence.
func markdown(c Counts, p Prices) (string, error) {
	priced := map[string]bool{}
	var services []string
	for _, price := range slices.Concat(p.PerUnit, p.PerMonth) {
		priced[price.Unit] = true
		if !slices.Contains(services, price.Service) {
			services = append(services, price.Service)
		}
	}
	for _, count := range []Count{c.Pages, c.Questions, c.Searches} {
		if count.N <= 0 {
			return "", errors.New("nothing was counted")
		}
		for unit := range count.Units {
			if !priced[unit] {
				return "", fmt.Errorf("%s has no price", unit)
			}
		}
	}
	columns := []map[string]float64{cost(c.Pages, p.PerUnit, 1000),
		cost(c.Pages, p.PerUnit, 1_000_000),
		cost(c.Pages, p.PerMonth, 1_000_000), cost(c.Questions, p.PerUnit, 1000),
		cost(c.Searches, p.PerUnit, 1000)}
	var b strings.Builder
	fmt.Fprintf(&b, "Prices of %s in %s. %s Counted: %s\n\n", p.Date, p.Region, p.Note, c.What)
	b.WriteString("| service | 1,000 pages | 1,000,000 pages | keeping these for a month | 1,000 " +
		"questions | 1,000 search runs |\n|---|---:|---:|---:|---:|---:|\n")
	sums := make([]float64, len(columns))
	for _, s := range services {
		fmt.Fprintf(&b, "| %s |", s)
		for i, column := range columns {
			sums[i] += column[s]
			fmt.Fprintf(&b, " %s |", usd(column[s]))
		}
		b.WriteString("\n")
	}
	b.WriteString("| **together** |")
	for _, sum := range sums {
		fmt.Fprintf(&b, " **%s** |", usd(sum))
	}
	b.WriteString("\n\n| idle, a month | USD |\n|---|---:|\n")
	for _, i := range p.Idle {
		fmt.Fprintf(&b, "| %s | %s |\n", i.What, usd(i.Number*i.USD))
	}
	models(&b, p.Prompts, p.Models)
	return b.String(), nil
}

// models writes what prompts cost at most.
func models(b *strings.Builder, prompts []Prompts, prices []ModelPrice) {
	b.WriteString("\n| models, at most | calls | million tokens in | out |")
	for _, m := range prices {
		fmt.Fprintf(b, " %s, %s and %s USD a million |", m.Model, usd(m.Input), usd(m.Output))
	}
	b.WriteString("\n|---|---:|---:|---:|" + strings.Repeat("---:|", len(prices)) + "\n")
	for _, p := range prompts {
		in, out := float64(p.Input)/1e6, float64(p.Output)/1e6
		fmt.Fprintf(b, "| %s | %d | %.4g | %.4g |", p.What, p.Calls, in, out)
		for _, m := range prices {
			fmt.Fprintf(b, " %s |", usd(in*m.Input+out*m.Output))
		}
		b.WriteString("\n")
	}
}

// usd writes dollars with as many digits as tell something.
func usd(v float64) string {
	switch {
	case v == 0:
		return "–"
	case v < 0.0001:
		return "<0.0001"
	case v < 0.01:
		return fmt.Sprintf("%.4f", v)
	case v < 100:
		return fmt.Sprintf("%.2f", v)
	}
	s := fmt.Sprintf("%.0f", v)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
