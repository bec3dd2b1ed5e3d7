package rest

import (
	"net/http"
	"net/url"

	"wstk/shared/app/answering"
	"wstk/shared/config"
	"wstk/shared/entry/check"
	"wstk/shared/entry/shape"
	"wstk/shared/wstk"
)

// answerKind is a kind of runs that answer a question, and the path of its runs.
type answerKind struct {
	kind wstk.RunKind
	path string
}

var (
	extractions = answerKind{wstk.RunExtraction, "/extractions/"}
	answers     = answerKind{wstk.RunAnswer, "/answers/"}
)

// begun is the reply for a run that has begun.
func (k answerKind) begun(run wstk.Run) reply {
	return reply{status: http.StatusAccepted, location: k.path + string(run.ID), body: running{run}}
}

// id is the run that the path of a request names, and the parameters of the request.
func (k answerKind) id(r *http.Request, names ...string) (wstk.RunID, url.Values, error) {
	q, err := parameters(r, names...)
	if err != nil {
		return "", q, err
	}
	id := wstk.RunID(r.PathValue("id"))
	if !id.Valid() {
		return id, q, k.none(id)
	}
	return id, q, nil
}

func (k answerKind) none(id wstk.RunID) error {
	return wstk.Errorf(wstk.NotFound, "", "there is no %s %q", k.kind, string(id))
}

// cancelled is a run that is to end, or that has ended and is removed.
type cancelled struct {
	Run     wstk.Run           `json:"run"`
	Removed *answering.Removed `json:"removed,omitempty"`
}

// cancel asks runs of a kind to stop, 202, or, when they have ended, removes them, 200.
func (h *handler) cancel(k answerKind) work {
	return func(r *http.Request) (reply, error) {
		id, _, err := k.id(r)
		if err != nil {
			return reply{}, err
		}
		run, err := h.app.Reading.Run(r.Context(), id)
		if err == nil && run.Kind != k.kind {
			err = k.none(id)
		}
		if err != nil {
			return reply{}, err
		}
		if run.State.Terminal() {
			removed, err := h.app.Answering.RemoveRun(r.Context(), id)
			return reply{body: cancelled{run, &removed}}, err
		}
		// one that ends just now stays, for it to be seen
		run, err = h.app.Answering.Cancel(r.Context(), id)
		return reply{status: http.StatusAccepted, body: cancelled{Run: run}}, err
	}
}

// forModels is what a question may say about the models that answer it.
type forModels struct {
	OutputLanguage *string `json:"output_language"`
	MaxTokens      *int    `json:"max_tokens"`
}

func (f forModels) wanted() (language string, tokens int, err error) {
	if f.OutputLanguage != nil {
		language = *f.OutputLanguage
		if err := check.Words("output_language", language, check.MaxQuery); err != nil {
			return "", 0, err
		}
	}
	if f.MaxTokens != nil {
		tokens = *f.MaxTokens
		err = check.InRange("max_tokens", tokens, 1, check.MaxTokens)
	}
	return language, tokens, err
}

func (h *handler) beginAnswer(r *http.Request) (reply, error) {
	var in struct {
		URL      string `json:"url"`
		Question string `json:"question"`
		Fresh    bool   `json:"fresh"`
		Strict   *bool  `json:"strict"`

		MaxExpansionDepth      *int `json:"max_expansion_depth"`
		RetrievalContextBudget *int `json:"retrieval_context_budget"`
		PagesPerTurn           *int `json:"pages_per_turn"`
		MaxPages               *int `json:"max_pages"`
		forModels
	}
	if err := decode(r, &in, false); err != nil {
		return reply{}, err
	}
	q := wstk.AnswerQuery{URL: in.URL, Question: in.Question, Fresh: in.Fresh,
		Strict: in.Strict == nil || *in.Strict}
	err := check.Words("url", in.URL, check.MaxURL)
	if err == nil {
		err = check.Asked("question", in.Question)
	}
	if err == nil {
		q.OutputLanguage, q.MaxTokens, err = in.forModels.wanted()
	}
	for _, n := range []struct {
		name        string
		value, into *int
		least, most int
	}{
		{"max_expansion_depth", in.MaxExpansionDepth, nil, 0, config.MaxExpansionDepth},
		{"retrieval_context_budget", in.RetrievalContextBudget, &q.RetrievalContextBudget,
			config.MinContextBudget, config.MaxContextBudget},
		{"pages_per_turn", in.PagesPerTurn, &q.PagesPerTurn, 1, config.MaxPagesPerTurn},
		{"max_pages", in.MaxPages, &q.MaxPages, 1, config.MaxAnswerPages},
	} {
		if err != nil || n.value == nil {
			continue
		}
		err = check.InRange(n.name, *n.value, n.least, n.most)
		if n.into != nil {
			*n.into = *n.value
		}
	}
	q.MaxExpansionDepth = in.MaxExpansionDepth // 0 is one, too
	if err != nil {
		return reply{}, err
	}
	run, err := h.app.Answering.StartAnswer(r.Context(), q)
	return answers.begun(run), err
}

// answered is a run with its answer, or with what there is of it so far.
type answered struct {
	answering.AnswerRun
	Warnings []wstk.Warning `json:"warnings"`
}

// searchResults is a run with what its answer cites, as blocks of content.
type searchResults struct {
	Run     wstk.Run             `json:"run"`
	Results []shape.SearchResult `json:"search_results"`
}

func (h *handler) answer(r *http.Request) (reply, error) {
	id, q, err := answers.id(r, "as")
	if q.Has("as") && q.Get("as") != "search_results" {
		err = invalid("as must be search_results")
	}
	if err != nil {
		return reply{}, err
	}
	x, err := h.app.Answering.Answer(r.Context(), id)
	if q.Has("as") {
		return reply{body: searchResults{x.Run, shape.SearchResults(x.AnswerResult)}}, err
	}
	return reply{body: answered{x, told(x.Warnings)}}, err
}
