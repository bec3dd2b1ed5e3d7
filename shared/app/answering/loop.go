package answering

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"wstk/shared/stage/answer"
	"wstk/shared/stage/extract"
	"wstk/shared/stage/recall"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// An answer about a page is a run of the state machine "answer" (infra/statemachines): the loop
// that finds enough pages has its tasks here, and from the ranked list on the answer is made by
// the tasks of an extraction. What the loop knows stands in Scratch; what it did is noted with the
// run as it happens, as marks.

// AnswerTask does one step of the loop: ensure, analyse, retrieve, read or merge.
func (a *Room) AnswerTask(ctx context.Context, in Extracting) (any, error) {
	switch in.Step {
	case "ensure":
		return bounded(a, a.ensure)(ctx, in)
	case "analyse":
		return bounded(a, a.analyse)(ctx, in)
	case "retrieve":
		return bounded(a, a.retrieve)(ctx, in)
	case "read":
		return bounded(a, a.readLink)(ctx, in)
	case "merge":
		return bounded(a, a.merge)(ctx, in)
	}
	return nil, wstk.Errorf(wstk.Invalid, "choosing step", "answer has no step %q", in.Step)
}

// Looping is what the tasks of the loop hand on.
type Looping struct {
	State wstk.Hash  `json:"state"` // looped
	Mark  int        `json:"mark"`  // place of the next mark
	Move  wstk.Move  `json:"move"`
	Links []string   `json:"links"` // to be read, of expand_breadth
	Read  []LinkRead `json:"read"`  // what became of them
}

// LinkRead is what became of a page that the loop wanted to read.
type LinkRead struct {
	N       int         `json:"n"`
	URL     string      `json:"url"`
	Page    string      `json:"page,omitempty"`    // its canonical address; "" where it has no text
	Outcome string      `json:"outcome,omitempty"` // a Verdict, or a code
	Asked   bool        `json:"asked,omitempty"`   // the site was asked for it, for this question
	Failed  *TaskFailed `json:"failed,omitempty"`
}

// looped is what the loop knows.
type looped struct {
	Page    string      `json:"page"`    // where it began, canonical
	Subs    []string    `json:"subs"`    // sub-questions
	Asked   []string    `json:"asked"`   // sub-questions of all turns
	Tried   []string    `json:"tried"`   // addresses
	Pages   []string    `json:"pages"`   // that were read
	Fetched int         `json:"fetched"` // pages that the site was asked for
	Budget  int         `json:"budget"`  // tokens of passages
	Turns   []wstk.Turn `json:"turns"`
	// that the site names; nil while it was not asked
	Listed   *[]answer.Candidate `json:"listed"`
	Hits     [][]keptHit         `json:"hits"` // of each sub-question, in the last turn
	Warnings []wstk.Warning      `json:"warnings"`
	Stop     wstk.Stop           `json:"stop"`
}

// keptHit is a Hit with the chunk that its JSON leaves out.
type keptHit struct {
	wstk.Hit
	Of *wstk.Chunk `json:"chunk"`
}

// hits are the passages of the last turn, of each sub-question.
func (s looped) hits() [][]wstk.Hit {
	out := make([][]wstk.Hit, len(s.Hits))
	for i, list := range s.Hits {
		for _, k := range list {
			k.Hit.Chunk = k.Of
			out[i] = append(out[i], k.Hit)
		}
	}
	return out
}

// open are the sub-questions without a passage that may answer.
func (s looped) open(q Request) []string {
	return answer.Open(answer.Found{Question: q.Query, SubQuestions: s.Subs, Hits: s.hits()})
}

func (a *Room) loadLoop(ctx context.Context, in Extracting) (looped, error) {
	if in.Loop == nil {
		return looped{}, wstk.Errorf(wstk.Invalid, "reading task", "there is no loop")
	}
	return wstk.GetJSON[looped](ctx, a.Scratch, in.Loop.State)
}

// ensure reads the page that the question is about. A page that cannot be had is the error.
func (a *Room) ensure(ctx context.Context, q Request, in Extracting) (Extracting, error) {
	got, warnings, why, err := a.readPage(ctx, q, in.Run, 0, q.Answer.URL)
	if err != nil {
		return in, err
	}
	if got.Page == "" {
		return in, why
	}
	s := looped{Page: got.Page, Tried: []string{q.Answer.URL, got.Page}, Pages: []string{got.Page},
		Budget: q.Answer.RetrievalContextBudget, Warnings: warnings}
	if got.Asked {
		s.Fetched++
	}
	if err := a.markRead(ctx, in.Run, 0, got, 1); err != nil {
		return in, err
	}
	in.Step, in.Loop = "", &Looping{Mark: 1, Links: []string{}, Read: []LinkRead{}}
	in.Loop.State, err = wstk.PutJSON(ctx, a.Scratch, s)
	return in, err
}

// readPage makes a page askable, as the page of this place among those of the run. why says what
// the site did where there is no text.
func (a *Room) readPage(
	ctx context.Context, q Request, id wstk.RunID, place int, url string,
) (out LinkRead, warnings []wstk.Warning, why, err error) {
	out = LinkRead{URL: url}
	run, err := a.Runs.Get(ctx, id)
	if err != nil {
		return out, nil, nil, err
	}
	before, err := a.since(ctx, run, url)
	if err != nil {
		return out, nil, nil, err
	}
	asked, cost := costOfPages(ctx)
	out.Page, why, err = a.Reading.EnsureInTime(asked, url, q.Answer.Fresh && !before)
	a.spend(ctx, id, placeLoopPages+place, *cost)
	if err != nil {
		return out, nil, nil, err
	}
	out.Outcome = string(wstk.VerdictOK)
	if why != nil {
		out.Outcome = string(wstk.CodeOf(why))
		w := wstk.Warning{Code: out.Outcome, URL: url, Message: "Not used: " + why.Error() + "."}
		if out.Page != "" {
			w = wstk.Warning{Code: "stored_copy", URL: url, Message: "The page was not fetched " +
				"again (" + why.Error() + "); the stored copy was used."}
		}
		warnings = append(warnings, w)
	}
	out.Asked, err = a.since(ctx, run, url)
	return out, warnings, why, err
}

// since reports whether a page was asked for since a run began.
func (a *Room) since(ctx context.Context, run wstk.Run, url string) (bool, error) {
	p, err := a.Pages.Get(ctx, url)
	if wstk.CodeOf(err) == wstk.NotFound {
		return false, nil
	}
	return err == nil && !p.CheckedAt.Before(run.StartedAt), err
}

// readLink reads one of the links that the loop follows. What the site did is its outcome.
func (a *Room) readLink(ctx context.Context, q Request, in Extracting) (LinkRead, error) {
	got, _, _, err := a.readPage(ctx, q, in.Run, in.Loop.Mark+in.N, in.URL)
	got.N = in.N
	if err != nil {
		return got, err
	}
	return got, a.markRead(ctx, in.Run, in.Loop.Mark+in.N, got, len(in.Loop.Links))
}

// analyse takes the question apart, or, when turns have failed, takes it apart anew.
func (a *Room) analyse(ctx context.Context, q Request, in Extracting) (Extracting, error) {
	s, err := a.loadLoop(ctx, in)
	if err != nil {
		return in, err
	}
	if s.Subs, err = a.subQuestions(ctx, q, in, &s); err != nil {
		return in, err
	}
	for _, sub := range s.Subs {
		if !slices.Contains(s.Asked, sub) {
			s.Asked = append(s.Asked, sub)
		}
	}
	in.Step = ""
	in.Loop.State, err = wstk.PutJSON(ctx, a.Scratch, s)
	return in, err
}

// retrieve ranks passages for each sub-question, says how good they are, and decides the next
// move. A turn that was noted is not done again.
func (a *Room) retrieve(ctx context.Context, q Request, in Extracting) (Extracting, error) {
	s, err := a.loadLoop(ctx, in)
	if err != nil {
		return in, err
	}
	place := in.Loop.Mark + len(in.Loop.Links)
	if next, err := a.turnAt(ctx, in.Run, place); err != nil || next != nil {
		in.Step, in.Loop = "", next
		return in, err
	}
	if err := a.takeRead(ctx, in, &s); err != nil {
		return in, err
	}
	done, err := a.turns.take(ctx, in.Run)
	if err != nil {
		return in, err
	}
	defer done()
	if err := a.recallLoop(ctx, q, in, &s); err != nil {
		return in, err
	}
	next, err := a.decide(ctx, q, in, &s)
	if err != nil {
		return in, err
	}
	next.Mark = place + 1
	if next.State, err = wstk.PutJSON(ctx, a.Scratch, s); err != nil {
		return in, err
	}
	in.Step, in.Loop = "", &next
	return in, a.markTurn(ctx, in.Run, place, s, next)
}

// takeRead takes up what became of the links of the turn before.
func (a *Room) takeRead(ctx context.Context, in Extracting, s *looped) error {
	for _, r := range in.Loop.Read {
		if r.Failed != nil {
			r.Outcome = r.Failed.Error
			if err := a.markRead(ctx, in.Run, in.Loop.Mark+r.N, r, len(in.Loop.Links)); err != nil {
				return err
			}
			s.Warnings = append(s.Warnings, wstk.Warning{Code: "part_failed", URL: r.URL,
				Message: "The page was not read: " + causeMessage(r.Failed.Cause) + "."})
		}
		s.Tried = append(s.Tried, r.URL)
		if r.Page != "" && !slices.Contains(s.Pages, r.Page) {
			s.Tried, s.Pages = append(s.Tried, r.Page), append(s.Pages, r.Page)
		}
		if r.Asked {
			s.Fetched++
		}
	}
	return nil
}

// corpus is the filter of all pages that an answer may come from: those of the server of the page.
func corpus(page string) wstk.Filter {
	return wstk.Filter{IncludeSites: []string{text.HostKey(page)}}
}

// passageTokens is what a passage has about; hitsLeast and hitsMost bound what is recalled.
const (
	passageTokens = 150
	hitsLeast     = 10
	hitsMost      = 200
)

// recallLoop recalls each sub-question within the corpus.
func (a *Room) recallLoop(ctx context.Context, q Request, in Extracting, s *looped) error {
	limit := min(max(s.Budget/passageTokens, hitsLeast), hitsMost)
	late, err := a.Reading.Late(ctx, s.Pages)
	if err != nil {
		return err
	}
	results := make([]recall.Result, len(s.Subs))
	group, groupCtx := errgroup.WithContext(ctx)
	for i, sub := range s.Subs {
		group.Go(func() (err error) {
			results[i], err = a.Recalling.Do(groupCtx, recall.Query{Text: sub,
				Filter: corpus(s.Page), Limit: limit, Kind: wstk.KindChunk, Late: late})
			return err
		})
	}
	err = group.Wait()
	var usage wstk.Usage
	s.Hits = make([][]keptHit, len(s.Subs))
	for i, r := range results {
		usage.Add(r.Usage)
		for _, h := range r.Hits {
			s.Hits[i] = append(s.Hits[i], keptHit{h, h.Chunk})
		}
		for _, w := range r.Warnings {
			if !slices.ContainsFunc(s.Warnings, func(o wstk.Warning) bool {
				return o.Code == w.Code && o.URL == w.URL
			}) {
				s.Warnings = append(s.Warnings, w)
			}
		}
	}
	a.spend(ctx, in.Run, placeLoopRecall+len(s.Turns), call{Reply: wstk.ModelReply{Usage: usage}})
	return err
}

// decide adds the turn, and returns what is to be done next. What the site itself lists is asked
// for only when the pages read so far do not suffice.
func (a *Room) decide(
	ctx context.Context, q Request, in Extracting, s *looped,
) (next Looping, err error) {
	spent, err := a.loopSpent(ctx, q, in, *s)
	if err != nil {
		return next, err
	}
	found := answer.Found{Question: q.Query, SubQuestions: s.Subs, Hits: s.hits(),
		Budget: s.Budget, PagesRead: s.Fetched, Before: s.Turns}
	if err := a.judge(ctx, q, &found); err != nil {
		return next, err
	}
	turn, err := a.weigh(ctx, q, *s, found)
	if err != nil {
		return next, err
	}
	if _, over := spent.Over(wstk.MoveExpandBreadth); s.Listed == nil && !over &&
		(turn.Move != wstk.MoveStop || turn.Rule == "exhausted") {
		if err := a.list(ctx, s); err != nil {
			return next, err
		}
		if turn, err = a.weigh(ctx, q, *s, found); err != nil {
			return next, err
		}
	}
	next = Looping{Move: turn.Move, Links: []string{}, Read: []LinkRead{}}
	limit, over := spent.Over(turn.Move)
	switch {
	case over:
		next.Move, s.Stop = wstk.MoveStop, spent.StopAt(limit)
		if limit == answer.LimitTime {
			s.Stop.Reason = "To read on would leave too little of the time for the answer."
		}
	case turn.Move == wstk.MoveStop:
		s.Stop = answer.StopOf(turn)
	case turn.Move == wstk.MoveExpandRecall:
		s.Budget *= 2
	case turn.Move == wstk.MoveExpandBreadth:
		next.Links = chosen(turn.Links, spent)
	}
	if len(next.Links) == 0 {
		turn.Links = nil
	}
	s.Turns = append(s.Turns, turn)
	return next, nil
}

// chosen are the links to read, as many as there is room for; the others are not chosen any more.
func chosen(links []wstk.ScoredLink, spent answer.Spent) []string {
	out := []string{}
	for i := range links {
		if spent.MaxPages > 0 && len(out) >= spent.MaxPages-spent.Pages {
			links[i].Chosen = false
		}
		if links[i].Chosen {
			out = append(out, links[i].URL)
		}
	}
	return out
}

// weigh measures what the turn retrieved, and applies the rules.
func (a *Room) weigh(
	ctx context.Context, q Request, s looped, found answer.Found,
) (wstk.Turn, error) {
	links, err := a.unread(ctx, q, s)
	if err != nil {
		return wstk.Turn{}, err
	}
	found.Links = links
	signals := answer.Measure(found)
	turn := answer.Decide(answer.Situation{Signals: signals, Before: s.Turns,
		Limits: q.Answer.AnswerLimits, Anew: a.mayAskAnew(q, s, signals)})
	turn.Links = links
	return turn, nil
}

// triedBuckets is how many buckets are tried in each turn.
const triedBuckets = 3

// believed is the belief from which a sentence of an extraction is quoted alone.
const believed = 0.6

// judge says what the rules of an extraction make of the passages of a turn. A page of links may
// hold all words of a question and answer nothing; and a sentence may answer in other words. Of
// a question with several parts, other pages may answer one better. Where a model extracts, rules
// are not asked.
func (a *Room) judge(ctx context.Context, q Request, found *answer.Found) error {
	if a.byModel(wstk.OpExtract) {
		return nil
	}
	hits := answer.Merge(answer.Merging{Hits: found.Hits, Budget: found.Budget}).Passages
	docs := a.newDocs()
	sure := 0 // leading statements of a bucket that are believed
	stage := &extract.Stage{Document: docs.get, Setting: docs.setting, Meaning: a.Meaning,
		Explain: func(_ context.Context, c extract.Chosen) {
			if c.Belief >= believed {
				sure++
			}
		}}
	strategy, _ := extract.Classify(q.Query)
	buckets, _, err := stage.Partition(ctx, q.Query, strategy, hits)
	if err != nil {
		return err
	}
	claims, gaps := 0, 0
	query := extract.Query{Text: q.Query, Strategy: strategy, Avoid: docs.avoid(ctx)}
	for _, b := range buckets[:min(triedBuckets, len(buckets))] {
		sure = 0
		made, missing, err := stage.Do(ctx, query, b)
		if err != nil {
			return err
		}
		claims, gaps = claims+len(made), gaps+len(missing)
		if sure > 0 && len(extract.Parts(q.Query)) < 2 {
			// the page it begins with may list links in the words of the question
			found.Answered = found.Answered || len(missing) == 0 || len(found.Before) > 0
		}
	}
	if claims == 0 {
		gaps = max(1, gaps)
	}
	found.Gaps = max(0, gaps-len(answer.Open(*found)))
	return nil
}

// loopShare is the part of the time of a question that the loop may take: what is left is for the
// answer.
const loopShare = 0.7

// loopSpent is what the question has used so far.
func (a *Room) loopSpent(
	ctx context.Context, q Request, in Extracting, s looped,
) (out answer.Spent, err error) {
	run, err := a.Runs.Get(ctx, in.Run)
	if err != nil {
		return out, err
	}
	used, _, err := a.spent(ctx, in.Run)
	limit := time.Duration(q.LimitMS) * time.Millisecond
	return answer.Spent{Pages: s.Fetched, MaxPages: q.Answer.MaxPages,
		Tokens: used.InputTokens + used.OutputTokens, MaxTokens: q.MaxTokens,
		Time: a.Now().Sub(run.StartedAt), MaxTime: time.Duration(loopShare * float64(limit))}, err
}

// merge chooses the passages that the answer may rest on, and makes of them what the task recall
// makes for an extraction.
func (a *Room) merge(ctx context.Context, q Request, in Extracting) (Extracting, error) {
	s, err := a.loadLoop(ctx, in)
	if err != nil {
		return in, err
	}
	if in.Strategy, err = a.classify(ctx, q, in.Run); err != nil {
		return in, err
	}
	done, err := a.turns.take(ctx, in.Run)
	if err != nil {
		return in, err
	}
	defer done()
	found := s.hits()
	near, err := a.Recalling.Near(ctx, answer.Beside(found))
	if err != nil {
		return in, err
	}
	beside := map[string]wstk.Hit{}
	for _, h := range near {
		beside[h.ID] = h
	}
	hits := answer.Merge(answer.Merging{Hits: found, Budget: s.Budget, Near: beside}).Passages
	kept := recalled{Hits: hits, Warnings: s.Warnings, Mark: in.Loop.Mark + 1}
	if parts := extract.Parts(q.Query); slices.Equal(parts, s.Subs) && len(parts) > 1 {
		kept.Parts = partsOf(found, hits)
	}
	in.Hits = len(hits)
	if in.Recalled, err = wstk.PutJSON(ctx, a.Scratch, kept); err != nil {
		return in, err
	}
	n := pagesOf(hits)
	err = a.mark(ctx, in.Run, in.Loop.Mark, part{Progress: &Progress{Stage: StagePartition,
		Pages: n, PagesOf: &n}})
	in.Step, in.Loop = "", nil
	return in, err
}

// partsOf keeps of the hits of each sub-question those that were merged.
func partsOf(parts [][]wstk.Hit, merged []wstk.Hit) [][]wstk.Hit {
	out := make([][]wstk.Hit, len(parts))
	for i, hits := range parts {
		for _, h := range hits {
			if slices.ContainsFunc(merged, func(m wstk.Hit) bool { return m.ID == h.ID }) {
				out[i] = append(out[i], h)
			}
		}
	}
	return out
}
