package web

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"wstk/shared/app/answering"
	"wstk/shared/entry/said"
	"wstk/shared/wstk"
)

// waitForRun is after how many seconds the page of a run that goes on, or of a server that
// begins, is asked for again.
const waitForRun = 2

func (h *handler) beginExtraction(r *http.Request) (view, error) {
	q, err := asked(r)
	if err != nil {
		return view{}, err
	}
	run, err := h.app.Answering.StartExtraction(r.Context(), wstk.AskQuery{Query: q, Strict: true})
	return view{to: "/web/extractions/" + string(run.ID)}, err
}

func (h *handler) extraction(r *http.Request) (view, error) {
	id, err := runOf(r)
	if err != nil {
		return view{}, err
	}
	x, err := h.app.Answering.Extraction(r.Context(), id)
	if err != nil {
		return view{}, err
	}
	shown := newAnswer(x)
	if err := h.compare(r.Context(), &shown); err != nil {
		return view{}, err
	}
	v := view{page: "extraction", section: "answers", title: x.Query, data: shown}
	if !x.Run.State.Terminal() {
		v.refresh = waitForRun
	}
	return v, nil
}

// compare says of each quote what became of it on its page since.
func (h *handler) compare(ctx context.Context, shown *answer) error {
	for n, it := range shown.Items {
		found, err := h.app.Answering.Relocate(ctx, it.Evidence)
		if err != nil {
			return err
		}
		for i, r := range found {
			it.Quotes[i].Relocation = r
			shown.Items[n].Changed = shown.Items[n].Changed || r.Touched()
		}
		shown.Changed = shown.Changed || shown.Items[n].Changed
	}
	return nil
}

// runOf is the run that an address names.
func runOf(r *http.Request) (wstk.RunID, error) {
	id := wstk.RunID(r.PathValue("id"))
	if !id.Valid() {
		return id, wstk.Errorf(wstk.NotFound, "", "there is no such run")
	}
	return id, nil
}

// answer is an extraction as its page shows it.
type answer struct {
	answering.ExtractionRun
	Warnings   []wstk.Warning
	Items      []item
	Unanswered bool // it ended, and what is stored has no answer
	Nearest    []nearby
	Changed    bool // a page says something else now than a quote of it
}

// item is one Extraction of an answer, whose anchors begin with its number.
type item struct {
	wstk.Extraction
	N          int // from 1
	Several    bool
	Heading    string // the title of the item, "" if its statements begin with it
	Paragraphs []paragraph
	Quotes     []quote
	Conflicts  []conflict
	Changed    bool // a page says something else now than a quote of it
}

// paragraph is what is said, and the numbers of the quotes that say so.
type paragraph struct {
	said.Paragraph
	Words   string
	Refs    []ref
	Flags   []wstk.Flag // of its quotes, each once
	Partial bool        // the page of a quote breaks off
}

// ref leads to a quote below.
type ref struct {
	Item, N int    // from 1
	ID      string // of the quote
}

// nearby is a passage near a question without an answer.
type nearby struct {
	quote
	Why string
}

// quote is an Evidence with its number.
type quote struct {
	wstk.Evidence
	Item, N    int
	Relocation wstk.Relocation // what became of it on its page since
}

type conflict struct {
	Topic string
	Sides []side
}

type side struct {
	wstk.ConflictingClaim
	Refs []ref
}

func newAnswer(x answering.ExtractionRun) answer {
	ended := x.Run.State == wstk.RunComplete || x.Run.State == wstk.RunPartial
	out := answer{ExtractionRun: x, Warnings: x.Warnings,
		Unanswered: ended && !x.HasAnswer()}
	for n, p := range x.Passages {
		out.Nearest = append(out.Nearest, nearby{quote{Evidence: p.Evidence, N: n + 1}, p.Why})
	}
	for i, e := range x.Extractions {
		it := item{Extraction: e, N: i + 1, Several: len(x.Extractions) > 1}
		refs := func(list []int) (out []ref) {
			for _, n := range list {
				if n >= 0 && n < len(e.Evidence) {
					out = append(out, ref{it.N, n + 1, e.Evidence[n].ID})
				}
			}
			return out
		}
		paragraphs := said.Paragraphs(e)
		for _, s := range paragraphs {
			if s.Title && len(paragraphs) > 1 && it.Several {
				it.Heading = s.Lines[0]
				continue
			}
			it.Paragraphs = append(it.Paragraphs,
				newParagraph(s, refs(s.Quotes), e.Evidence))
		}
		for n, q := range e.Evidence {
			it.Quotes = append(it.Quotes, quote{Evidence: q, Item: it.N, N: n + 1})
		}
		for _, c := range e.Conflicts {
			topic := conflict{Topic: c.Topic}
			for _, claim := range c.Claims {
				topic.Sides = append(topic.Sides, side{claim, refs(claim.Evidence)})
			}
			it.Conflicts = append(it.Conflicts, topic)
		}
		out.Items = append(out.Items, it)
	}
	return out
}

func newParagraph(s said.Paragraph, refs []ref, quotes []wstk.Evidence) paragraph {
	out := paragraph{Paragraph: s, Words: strings.Join(s.Lines, "\n"), Refs: refs}
	for _, r := range refs {
		e := quotes[r.N-1]
		out.Partial = out.Partial || e.Partial
		for _, f := range e.Flags {
			if !slices.Contains(out.Flags, f) {
				out.Flags = append(out.Flags, f)
			}
		}
	}
	return out
}
