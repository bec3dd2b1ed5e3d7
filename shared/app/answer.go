package app

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"wstk/shared/stage/collate"
	"wstk/shared/wstk"
)

// CheckedWords is the check of words of a reply that are no quote themselves.
type CheckedWords struct {
	Part   string `json:"part"` // statement, conflict or content
	Words  string `json:"words"`
	OK     *bool  `json:"ok"`               // null for a statement that is said to follow from its quotes: no code can tell
	Reason string `json:"reason,omitempty"` // why it does not stand
}

func checked(part, words, why string) CheckedWords {
	ok := why == ""
	return CheckedWords{Part: part, Words: words, OK: &ok, Reason: why}
}

// checkAnswers checks every Extraction in a JSON document, wherever it stands: objects
// in a list named extractions, and objects with two of its keys, whatever else they
// lack. Whether its quotes stand is left to verify.
func checkAnswers(data []byte) []CheckedWords {
	var v any
	if json.Unmarshal(data, &v) != nil {
		return nil
	}
	out := []CheckedWords{}
	var walk func(v any, listed bool)
	walk = func(v any, listed bool) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(x, listed)
			}
		case map[string]any:
			marks := 0
			for k := range v {
				switch strings.ToLower(k) {
				case "content", "statements", "evidence", "grounding":
					marks++
				}
			}
			if listed || marks >= 2 {
				out = append(out, checkAnswer(v)...)
				return
			}
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(v[k], strings.EqualFold(k, "extractions"))
			}
		}
	}
	walk(v, false)
	return out
}

// checkAnswer holds each direct statement against the quotes it cites, each side of a
// conflict against its quote, and the content against what its statements make.
func checkAnswer(m map[string]any) (out []CheckedWords) {
	var x wstk.Extraction
	raw, err := json.Marshal(m)
	if err == nil {
		err = json.Unmarshal(raw, &x)
	}
	if err != nil {
		return []CheckedWords{checked("content", "", "the answer is malformed: "+err.Error())}
	}
	sound := true // every index is in range, so that the content can be made again
	for _, s := range x.Statements {
		quotes, ok := cited(x, s.Evidence)
		sound = sound && ok
		switch {
		case !ok:
			out = append(out, checked("statement", s.Statement, "it cites a quote that is not there"))
		case s.Support == wstk.SupportDirect:
			why := "no quote it cites says it"
			for _, e := range quotes {
				if collate.Says(e.Quote, s.Statement) {
					why = ""
				}
			}
			out = append(out, checked("statement", s.Statement, why))
		case s.Support == wstk.SupportInferred && len(quotes) > 0, s.Support == wstk.SupportAssumed && len(quotes) == 0:
			why := ""
			if x.Grounding != wstk.Inferred && x.Grounding != wstk.Conflicted {
				why = "it is not direct, and the answer's grounding does not say so"
			}
			if why != "" {
				out = append(out, checked("statement", s.Statement, why))
			} else {
				out = append(out, CheckedWords{Part: "statement", Words: s.Statement})
			}
		default:
			out = append(out, checked("statement", s.Statement, "its support does not fit the quotes it cites"))
		}
	}
	for _, topic := range x.Conflicts {
		for _, side := range topic.Claims {
			quotes, ok := cited(x, side.Evidence)
			sound = sound && ok
			why := "no quote it cites says it"
			for _, e := range quotes {
				if e.Quote == side.Statement && e.URL == side.SourceURL {
					why = ""
				}
			}
			out = append(out, checked("conflict", side.Statement, why))
		}
	}
	why := "its words are not those that its statements make, as this version writes them"
	if sound {
		for _, s := range []wstk.Strategy{wstk.Singular, wstk.Collection, wstk.Narrative} {
			if collate.Content(s, x) == x.Content {
				why = ""
			}
		}
	}
	return append(out, checked("content", x.Content, why))
}

// cited returns the evidence that indexes name, and whether all of it is there.
func cited(x wstk.Extraction, indexes []int) ([]wstk.Evidence, bool) {
	var out []wstk.Evidence
	for _, n := range indexes {
		if n < 0 || n >= len(x.Evidence) {
			return nil, false
		}
		out = append(out, x.Evidence[n])
	}
	return out, true
}
