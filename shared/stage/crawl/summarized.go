package crawl

import (
	"context"
	"encoding/json"
	"slices"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// summarizedKey is the note of what the summaries and vectors of a run cost, and of the pages
// without a summary.
const summarizedKey = "summarized"

// maxWithout is how many pages without a summary are counted.
const maxWithout = 200

type summarized struct {
	Usage   wstk.Usage `json:"usage"`
	Without []string   `json:"without"` // hashes of URLs, each once
}

// Summarized notes what models cost that made summaries or vectors of pages of a run, and which
// pages have no summary, since the model failed on them. These are in the index by their text
// alone, and the run ends as partial.
func (s *Stage) Summarized(
	ctx context.Context, run wstk.RunID, cost wstk.Usage, without ...string,
) error {
	if cost == (wstk.Usage{}) && len(without) == 0 {
		return nil
	}
	return s.changeNote(ctx, run, summarizedKey, func(old string) (string, error) {
		n := readSummarized(old)
		n.Usage.Add(cost)
		for _, u := range without {
			h := string(wstk.HashOf([]byte(u)))[:16]
			if len(n.Without) < maxWithout && !slices.Contains(n.Without, h) {
				n.Without = append(n.Without, h)
			}
		}
		out, err := json.Marshal(n)
		return string(out), err
	})
}

func readSummarized(note string) (n summarized) {
	if json.Unmarshal([]byte(note), &n) != nil { // a note that cannot be read is none
		return summarized{}
	}
	return n
}

// withSummaries adds to the end of a run what its summaries and vectors cost, and which pages lack a
// summary.
func (s *Stage) withSummaries(ctx context.Context, run wstk.RunID, end *wstk.Run) error {
	note, err := s.Frontier.Note(ctx, run, summarizedKey)
	if err != nil {
		return err
	}
	n := readSummarized(note)
	end.Usage.Add(n.Usage)
	if len(n.Without) == 0 {
		return nil
	}
	if end.State == wstk.RunComplete {
		end.State = wstk.RunPartial
	}
	end.Reasons = append(end.Reasons, text.Count(len(n.Without), "page")+
		" found by the text alone: the model failed to summarize")
	return nil
}
