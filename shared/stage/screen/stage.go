// Package screen checks a fetched page before it is used: is it the page that was asked for,
// or a wall, a consent form, an empty shell, a "not found" with status 200? And what in it
// deserves a warning: hidden text, words that address a model, strings that look like
// credentials? Rules decide, no model, so the same page always gives the same Screening. The
// Document is never changed.
//
// Begin reading at Stage.Do. The words and patterns are in text files beside the code:
// phrases.txt and walls.txt for walls, injection.txt and overrides.txt for words that address
// a model, tokens.txt, secrets.txt and secretrules.txt for credentials.
package screen

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"wstk/shared/lexicon"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Engine names the rules and their version. It changes whenever a rule does, so
// that stored screenings can be told apart.
const Engine = "rules/4"

// Stage screens pages. The zero Stage is ready; all its methods may be called
// concurrently.
type Stage struct{}

// Input is one page.
type Input struct {
	Snapshot wstk.Snapshot

	// Document is the text of the Snapshot; nil where there is none, because
	// there was no body or it could not be read.
	Document *wstk.Document

	// Body is the stored body, decoded from its transfer and content codings,
	// in its own charset. It may be nil.
	Body []byte
}

// Do screens one page. The verdict is the Snapshot's, unless that is ok and the
// page is something else than it seems, or the page tells more precisely what
// kept us out (a challenge page behind a 503 is blocked). Words that address a
// model are left out when the page is weighed, so adding such a sentence to a
// page does not change its verdict.
//
// The error is that of ctx; a malformed page is not an error.
func (Stage) Do(ctx context.Context, in Input) (wstk.Screening, error) {
	const op = "screening page"
	if err := ctx.Err(); err != nil {
		return wstk.Screening{}, wstk.Wrap(wstk.Cancelled, op, err)
	}
	s := wstk.Screening{Engine: Engine}
	doc := in.Document
	if doc == nil {
		doc = &wstk.Document{}
	}
	var injected []match
	s.Findings, injected = words(doc.Text)
	if err := ctx.Err(); err != nil {
		return wstk.Screening{}, wstk.Wrap(wstk.Cancelled, op, err)
	}
	s.Findings = append(s.Findings, hiddenFindings(doc, in.Body)...)
	if err := ctx.Err(); err != nil {
		return wstk.Screening{}, wstk.Wrap(wstk.Cancelled, op, err)
	}
	s.Verdict, s.Reason, s.Partial = verdict(in.Snapshot, doc, in.Body, injected)
	return s, nil
}

// BreaksOff reports whether a page that was fetched and read is a teaser, as Do does in
// Partial; the error is that of ctx.
func BreaksOff(ctx context.Context, in Input) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, wstk.Wrap(wstk.Cancelled, "screening page", err)
	}
	in.Snapshot.Verdict = wstk.VerdictOK
	_, _, partial := verdict(in.Snapshot, in.Document, in.Body,
		find(injections(), in.Document.Text))
	return partial, nil
}

// Words returns warnings about a text that is not a page: the title of a
// result, a snippet. Offsets count from its beginning.
func (Stage) Words(s string) []wstk.Finding {
	findings, _ := words(s)
	return findings
}

// words finds what is in a visible text, and returns the injections once more.
func words(s string) (findings []wstk.Finding, injected []match) {
	offsets := text.NewOffsets(s)
	injected = find(injections(), s)
	secrets := findSecrets(s)
	for _, m := range injected {
		f := place(wstk.FindingInjection, m, offsets)
		f.Excerpt = excerpt(without(s, m.Range, secrets))
		findings = append(findings, f)
	}
	for _, m := range secrets {
		findings = append(findings, place(wstk.FindingSecret, m, offsets))
	}
	return tidy(findings), injected
}

func injections() *ruleset { return vocab().injections() }

func newInjectionRules(l *lexicon.Lexicon) *ruleset {
	rs := newRuleset(slices.Concat(worded(l, injectionRules), overrides(),
		worded(l, otherLanguages))...)
	rs.limit = &rule{name: "scan_limit",
		reason: "has so many words typical of injections that not all of them were checked"}
	return rs
}

// find returns what the injection rules find in s, plain or disguised.
func find(rs *ruleset, s string) []match { return append(rs.find(s), disguised(rs, s)...) }

const excerptChars = 120

// place describes a match in the visible text.
func place(kind wstk.FindingKind, m match, offsets *text.Offsets) wstk.Finding {
	f := wstk.Finding{Kind: kind, Rule: m.rule.name, Reason: m.rule.reason,
		Element: -1, Span: &wstk.Span{
			CharStart: offsets.Char(m.Start), CharEnd: offsets.Char(m.End),
			ByteStart: m.Start, ByteEnd: m.End,
		}}
	if m.more {
		f.Reason += "; there may be further places, which were not looked at"
	}
	return f
}

// without returns the text of r with an ellipsis for each secret in it.
func without(s string, r text.Range, secrets []match) string {
	quote := s[r.Start:r.End]
	for _, m := range secrets {
		if start, end := max(m.Start, r.Start), min(m.End, r.End); start < end {
			quote = strings.ReplaceAll(quote, s[start:end], "…")
		}
	}
	return quote
}

// excerpt is the beginning of s on one line.
func excerpt(s string) string {
	if len(s) > 8*excerptChars { // what is cut off need not be read
		s = s[:8*excerptChars]
	}
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	n := 0
	for i := range s {
		if n++; n > excerptChars {
			return s[:i]
		}
	}
	return s
}

// tidy sorts findings by place and drops those that lie within another of the
// same kind and rule, or, for secrets, overlap one found before.
func tidy(findings []wstk.Finding) []wstk.Finding {
	slices.SortStableFunc(findings, func(a, b wstk.Finding) int {
		return cmp.Or(cmp.Compare(a.Span.ByteStart, b.Span.ByteStart),
			cmp.Compare(b.Span.ByteEnd, a.Span.ByteEnd), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Rule, b.Rule))
	})
	until := map[string]int{} // kind (and rule) → end of what was kept
	kept := findings[:0]
	for _, f := range findings {
		key := string(f.Kind)
		if f.Kind == wstk.FindingInjection {
			key += f.Rule
		}
		if f.Span.ByteEnd <= until[key] ||
			f.Kind == wstk.FindingSecret && f.Span.ByteStart < until[key] {
			continue
		}
		until[key] = f.Span.ByteEnd
		kept = append(kept, f)
	}
	return kept
}

// Addresses reports whether words speak to a model rather than to a reader, as a Finding of kind
// injection does.
func Addresses(words string) bool { return len(find(injections(), words)) > 0 }
