package answering

import (
	"context"
	"fmt"
	"slices"

	"wstk/shared/stage/collate"
	"wstk/shared/stage/extract"
	"wstk/shared/stage/verify"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

func checked(part, words, why string) CheckedWords {
	ok := why == ""
	return CheckedWords{Part: part, Words: words, OK: &ok, Reason: why}
}

// held is what became of all evidence of a result, by its place.
type held struct {
	stands, anew []bool
	pages        []*wstk.Document
	kept         pages[*wstk.Document]
}

// notReadAgain says of a quote or a statement that the text it names was not made again.
const notReadAgain = "NOT READ AGAIN: this version reads another text from the stored page, but " +
	"finds the words there"

// answer holds an answer against its quotes. The only error is Cancelled: then the answer
// was not checked, and the report says nothing of it.
func (r *VerifyReport) answer(
	ctx context.Context, a verify.Answer, h *held, left verify.Unchecked,
) error {
	if a.Malformed != "" {
		r.Statements = append(r.Statements, checked("form", a.Path, a.Malformed))
		return nil
	}
	end := a.First + len(a.Extraction.Evidence)
	c := collate.Claimed{Extraction: a.Extraction, Stands: h.stands[a.First:end]}
	c.Setting = func(ctx context.Context, d *wstk.Document) *text.Setting {
		return h.kept.setting(ctx, d, d)
	}
	c.Shingles = func(ctx context.Context, d *wstk.Document) text.Shingles {
		return h.kept.shinglesOf(ctx, d, d)
	}
	for _, d := range h.pages[a.First:end] {
		if d != nil && !slices.Contains(c.Pages, d) {
			c.Pages = append(c.Pages, d)
		}
	}
	anew := map[string]bool{} // statements that rest on a text which was not read again
	for _, s := range a.Extraction.Statements {
		for _, n := range s.Evidence {
			if n >= 0 && a.First+n < end && h.anew[a.First+n] {
				anew[s.Statement] = true
			}
		}
	}
	if a.Asked != nil {
		c.Asked, c.Query, c.Strategy, c.Rules, c.Strict = a.Asked.Query != "", a.Asked.Query,
			a.Asked.Strategy, a.Asked.Rules, a.Asked.Strict
		c.Language = a.Asked.OutputLanguage
		if by := a.Asked.Proposer; by != nil {
			_, c.Proposed = by.Models[wstk.OpExtract]
		}
	}
	found, today, err := collate.Check(ctx, c)
	if err != nil {
		return err
	}
	now, _ := extract.Classify(c.Query)
	found = append(append(found, collate.CutStatements(c)...), ofStrategy(a.Asked, c, now)...)
	grade := CheckedGrade{Claimed: a.Grounding, Today: today.Grade, Counted: today.Counted}
	if len(today.Missing) > 0 {
		grade.Today, grade.Counted = "", ""
	}
	for _, f := range found {
		item := checked(f.Part, f.Words, f.Why)
		if f.Open != "" {
			item.OK, item.Reason = nil, f.Open
		}
		if f.Part == "statement" && f.Why == "" && anew[f.Words] {
			item.OK, item.Reason = nil, notReadAgain
			left.Add("statements", 1, notReadAgain)
			if f.Open == "" {
				r.Statements = append(r.Statements, item)
				continue
			}
		}
		switch {
		case f.Part == "grounding":
			grade.OK, grade.Reason = item.OK, item.Reason
			if item.OK != nil {
				r.Statements = append(r.Statements, item)
			} else {
				left.Add("grade", 1, "the file says "+text.Shorten(f.Words, 60)+"; "+f.Open)
			}
		case f.Open == "":
			r.Statements = append(r.Statements, item)
		case f.Part == "statement":
			r.Statements = append(r.Statements, item)
			left.Add("inferred or assumed statements", 1, f.Open)
		case f.Words == "":
			left.Add(f.Part, 0, f.Open)
		default:
			left.Add(f.Part, 1, fmt.Sprintf("“%s”: %s", text.Shorten(f.Words, 60), f.Open))
		}
	}
	r.Grades = append(r.Grades, grade)
	return nil
}

// ofStrategy compares the strategy with today's rules. One that a model is said to have chosen,
// where the rules are unsure, is not checked.
func ofStrategy(asked *wstk.AskResult, c collate.Claimed, today wstk.Strategy) []collate.Finding {
	found := collate.OfStrategy(c, today)
	if asked == nil || asked.Proposer == nil || extract.Sure(asked.Query) {
		return found
	}
	if by, ok := asked.Proposer.Models[wstk.OpClassify]; ok {
		for i, f := range found {
			if f.Why != "" {
				found[i].Why, found[i].Open = "", "the model "+text.Shorten(by.Model, 60)+
					" chose it, and the rules of this version are unsure"
			}
		}
	}
	return found
}
