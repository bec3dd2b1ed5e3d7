package answer

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"wstk/shared/prompt"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Mode is how a question is taken apart.
type Mode string

// The modes, as the setting decomposition_mode names them.
const (
	ModeNone  Mode = "none"       // not at all
	ModeRules Mode = "rule_based" // Analyser.Rules
	ModeModel Mode = "llm"        // Analyser.Request and Analyser.Parse
)

// Modes lists the modes, the default first.
func Modes() []Mode { return []Mode{ModeRules, ModeModel, ModeNone} }

// The bounds of an analysis.
const (
	maxSubQuestions = 6
	maxSubQuestion  = 300 // bytes
	replyTokens     = 600 // of a model
)

// Analyser takes questions apart. It may be used concurrently.
type Analyser struct {
	// Parts returns the questions of a compound query, each as it can be searched for:
	// extract.Parts. nil means that a query is its only part.
	Parts func(question string) []string

	Prompts prompt.Custom // in place of ours; nil means ours
}

// Rules takes a question apart by rules: into the questions that it joins (Parts), the things
// that it compares ("WAL or DELETE mode", "the difference between A and B"), and the items that it
// lists ("hours, prices and address of the museum"). At most six sub-questions come back, in the
// order of the question; a question that is none of this is its only sub-question. Where words
// join is data of seven languages; a question without a known language is read as English.
func (a Analyser) Rules(question string) []string {
	question = strings.TrimSpace(question)
	parts := []string{question}
	if a.Parts != nil {
		if split := a.Parts(question); len(split) > 0 {
			parts = split
		}
	}
	var out []string
	for _, p := range parts {
		out = append(out, apart(p)...)
	}
	return bounded(out, question)
}

// bounded are the sub-questions without empty ones and repetitions, at most six; the question
// where none is left.
func bounded(subs []string, question string) (out []string) {
	seen := map[string]bool{}
	for _, s := range subs {
		s = strings.TrimRight(strings.Join(strings.Fields(s), " "), ",;: ")
		key := text.FoldCompare(s)
		if s == "" || seen[key] || len(out) == maxSubQuestions {
			continue
		}
		seen[key] = true
		out = append(out, s)
	}
	if len(out) == 0 {
		return []string{question}
	}
	return out
}

// Again takes a question apart by rules once more, where failed names sub-questions without a
// passage that may answer. before are those of the last analysis; tried are those of all earlier
// turns. A failed one that says little alone gets the words of the question that it lacks;
// another one is halved, since two passages may each say one half. The others stay. It reports
// false where nothing new comes of it.
func (a Analyser) Again(question string, before, tried, failed []string) ([]string, bool) {
	lang := text.DetectLanguage(question)
	known := map[string]bool{}
	for _, t := range slices.Concat(before, tried) {
		known[sameWordsKey(t, lang)] = true
	}
	var out []string
	fresh := false
	for _, s := range before {
		next := []string{s}
		if slices.Contains(failed, s) {
			for _, try := range [][]string{withContext(s, question, lang), halves(s, lang)} {
				if len(try) > 0 && !slices.ContainsFunc(try, func(t string) bool {
					return known[sameWordsKey(t, lang)]
				}) {
					next, fresh = try, true
					break
				}
			}
		}
		out = append(out, next...)
	}
	out = bounded(out, question)
	return out, fresh && len(out) > 0
}

// sameWordsKey is equal for sub-questions of the same words in any order: they find the same.
func sameWordsKey(sub, lang string) string {
	w := wordsOf(sub, lang, Stats{}).tokens
	slices.Sort(w)
	return strings.Join(w, " ")
}

// content are the words of a question that are no stop words, as they are written.
func content(question, lang string) (out []string) {
	end := 0
	for _, t := range text.Tokenize(question, lang) {
		if !t.Stop && t.Start >= end { // a name and its parts are one word
			out = append(out, question[t.Start:t.End])
			end = t.End
		}
	}
	return out
}

// little is how many words say too little alone.
const little = 2

// withContext is a sub-question of few words with the words of the question that it lacks.
func withContext(sub, question, lang string) []string {
	own := content(sub, lang)
	if len(own) == 0 || len(own) > little {
		return nil
	}
	has := tokensOf(sub, lang)
	var lacks []string
	for _, w := range content(question, lang) {
		if !slices.ContainsFunc(text.Tokenize(w, lang), func(t text.Token) bool { return has[t.Text] }) {
			lacks = append(lacks, w)
		}
	}
	if len(lacks) == 0 {
		return nil
	}
	return []string{strings.Join(slices.Concat(own, lacks), " ")}
}

// halves are the first and the second half of a sub-question's words.
func halves(sub, lang string) []string {
	w := content(sub, lang)
	if len(w) < 2*little {
		return nil
	}
	return []string{strings.Join(w[:len(w)/2], " "), strings.Join(w[len(w)/2:], " ")}
}

//go:embed prompts/decompose.1.txt
var decomposeText string

// Prompt is what a model is told that takes questions apart.
var Prompt = prompt.Prompt{Operation: wstk.OpDecompose, Version: "1", Text: decomposeText}

var decomposeSchema = json.RawMessage(`{"type":"object","additionalProperties":false,
"required":["sub_questions"],"properties":{"sub_questions":{"type":"array","items":{"type":"string"}}}}`)

// Request is what to ask a model so that it takes a question apart; failed are the sub-questions
// of the last analysis without an answer, none at first. No word of a page is in it. Errors are
// those of prompt.Custom.
func (a Analyser) Request(question string, failed []string) (wstk.ModelRequest, error) {
	p, err := a.Prompts.Or(Prompt)
	if err != nil {
		return wstk.ModelRequest{}, err
	}
	user, err := json.Marshal(struct {
		Question string   `json:"question"`
		Failed   []string `json:"not_found,omitempty"`
	}{question, failed})
	if err != nil {
		return wstk.ModelRequest{}, wstk.Wrap(wstk.Internal, "taking the question apart", err)
	}
	return wstk.ModelRequest{Operation: wstk.OpDecompose, System: p.Text, User: string(user),
		Name: "sub_questions", Schema: decomposeSchema, MaxTokens: replyTokens}, nil
}

// Parse reads the reply of a model. A sub-question counts only if it has words of the question,
// or of the parts that failed, and no others but small ones and those that ask: a model does not
// decide what is looked for. The others are left out, with a warning.
//
// It is ModelFailed if the reply is not the JSON that was asked for, or has no sub-question that
// counts.
func (a Analyser) Parse(
	reply, question string, failed []string,
) (subs []string, warnings []wstk.Warning, err error) {
	const op = "taking the question apart"
	var r struct {
		SubQuestions []string `json:"sub_questions"`
	}
	if err := json.Unmarshal([]byte(text.JSONIn(reply)), &r); err != nil {
		return nil, nil, wstk.Errorf(wstk.ModelFailed, op,
			"the reply is not the JSON that was asked for: %w", err)
	}
	lang := text.DetectLanguage(question)
	allowed := tokensOf(strings.Join(append([]string{question}, failed...), "\n"), lang)
	left := 0
	for _, s := range r.SubQuestions {
		if len(s) > maxSubQuestion || len(subs) == maxSubQuestions || !from(s, lang, allowed) {
			left++
			continue
		}
		subs = append(subs, s)
	}
	if len(subs) == 0 {
		return nil, nil, wstk.Errorf(wstk.ModelFailed, op,
			"none of the model's %s is made of words of the question",
			text.Count(len(r.SubQuestions), "sub-question"))
	}
	if left > 0 {
		warnings = append(warnings, wstk.Warning{Code: "sub_questions_left_out",
			Details: map[string]int{"sub_questions": left},
			Message: fmt.Sprintf("%s of the model have other words than the question, or are too many; "+
				"they were left out.", text.Count(left, "sub-question"))})
	}
	return bounded(subs, question), warnings, nil
}

// from reports whether a sub-question has a word of a set, and no other that says something.
func from(sub, lang string, allowed map[string]bool) bool {
	any := false
	asks := asking()
	for _, t := range text.Tokenize(sub, lang) {
		switch {
		case t.Stop, asks[t.Text]:
		case allowed[t.Text]:
			any = true
		default:
			return false
		}
	}
	return any
}
