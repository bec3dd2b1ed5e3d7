package answering

import (
	"context"
	"encoding/json"
	"fmt"

	"wstk/shared/stage/extract/prompted"
	"wstk/shared/stage/summarize"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// The calls of models that a run made are parts of it, from number firstCall to firstMark; the
// parts below are buckets. Each step of a run has a place, and each try of it a number. So a task
// that runs again finds the reply and pays nothing, what all calls cost is added up from one list,
// failed ones included, and a run that is removed takes them with it.
const (
	firstCall    = 1 << 20
	triesOfPlace = 32

	placeSummaries = 0 // of pages that the question names
	placeClassify  = 1
	placePartition = 2
	placeBuckets   = 3       // and one for each bucket
	placeRecall    = 1 << 13 // behind all buckets

	placeDecompose  = 1<<13 + 1<<6 // and one for each turn of an answer
	placeLoopRecall = 1<<13 + 2<<6 // and one for each turn
	placeLoopPages  = 1 << 14      // and one for each page that it reads
)

// call is one call of a model.
type call struct {
	// whose call it is, so that no other run has the same blob, which it would remove
	Run wstk.RunID `json:"run_id"`
	// of the model, the instructions, the input and the form of the reply
	Key       wstk.Hash      `json:"key"`
	Operation wstk.Operation `json:"operation"`
	wstk.ProposedBy
	Reply wstk.ModelReply `json:"reply"`
	Code  wstk.Code       `json:"code,omitempty"` // why it failed
}

// recorded is the model of a step of a run, which notes its calls in the run.
type recorded struct {
	wstk.Model
	room  *Room
	run   wstk.RunID
	place int
	grant *int // tokens that the call may take; nil for no bound
}

// errBudget says that the tokens of a question do not suffice for a call.
var errBudget = wstk.Errorf(wstk.Unprocessable, "", "the budget of tokens is used up")

// tooFew is errBudget for a call: how many tokens it needs at least.
type tooFew struct{ input, reply int }

func (e tooFew) Error() string { return errBudget.Error() }
func (e tooFew) Unwrap() error { return errBudget }

// nothingAsked is the error of a question whose tokens do not suffice for a call without which
// nothing can be answered. left is what the calls before it have left.
func nothingAsked(q Request, m wstk.ModelInfo, left int, need tooFew) error {
	spent := q.MaxTokens - left
	used := ""
	if spent > 0 {
		used = fmt.Sprintf(" %d of them are used.", spent)
	}
	most := spent + need.input + max(need.reply, leastReply)
	return wstk.Errorf(wstk.Unprocessable, "", "the budget of %s does not suffice to answer.%s "+
		"The call to %s:%s needs about %d: %d for what it reads, and at least %d for its reply",
		text.Count(q.MaxTokens, "token"), used, m.Provider, m.Model, need.input+leastReply,
		need.input, leastReply).
		Try(wstk.Step{Do: wstk.DoOption, For: "give it more tokens", Options: []wstk.Option{
			wstk.OptMaxTokens.Set((most + 999) / 1000 * 1000)}})
}

// recorded returns the models of the step at a place of a run. grant is nil for no bound.
func (a *Room) recorded(run wstk.RunID, place int, grant *int) wstk.Models {
	return func(op wstk.Operation) wstk.Model {
		if m := a.Models(op); m != nil {
			return &recorded{m, a, run, place, grant}
		}
		return nil
	}
}

// Complete returns the reply that an earlier try of the step got, or asks and notes the call.
func (m *recorded) Complete(ctx context.Context, r wstk.ModelRequest) (wstk.ModelReply, error) {
	key, err := json.Marshal([]any{m.Info(), r})
	if err != nil {
		return wstk.ModelReply{}, wstk.Wrap(wstk.Internal, "asking a model", err)
	}
	c := call{Key: wstk.HashOf(key), Operation: r.Operation,
		ProposedBy: wstk.ProposedBy{ModelInfo: m.Info(), PromptHash: wstk.HashOf([]byte(r.System))}}
	next, before, err := m.before(ctx, c.Key)
	switch {
	case err != nil:
		return wstk.ModelReply{}, err
	case before != nil:
		return before.Reply, nil
	case m.grant != nil:
		input := prompted.Input(r)
		left := *m.grant - input
		if left < leastReply {
			return wstk.ModelReply{}, tooFew{input, r.MaxTokens}
		}
		r.MaxTokens = min(r.MaxTokens, left)
	}
	reply, failed := m.Model.Complete(ctx, r)
	c.Reply = reply
	if failed != nil {
		c.Code = wstk.CodeOf(failed)
	}
	if failed == nil || reply.Usage != (wstk.Usage{}) {
		if err := m.note(context.WithoutCancel(ctx), next, c); err != nil {
			m.room.Log.Warn("a call of a model was not noted", "run", string(m.run),
				"error", err.Error())
		}
	}
	return reply, failed
}

// before returns the call with this key that succeeded, if there is one, and the number of the
// next try.
func (m *recorded) before(ctx context.Context, key wstk.Hash) (next int, _ *call, err error) {
	first := firstCall + m.place*triesOfPlace
	next = first
	all, err := m.room.callsOf(ctx, m.run)
	if err != nil {
		return next, nil, err
	}
	for n, c := range all {
		if n < first || n >= first+triesOfPlace {
			continue
		}
		if c.Key == key && c.Code == "" {
			return n, &c, nil
		}
		next = max(next, n+1)
	}
	return min(next, first+triesOfPlace-1), nil, nil
}

// costOfPages returns a context, and what models cost that are asked with it about pages that are
// read: for their summaries, which a model proposes, and their vectors, which nothing proposes.
func costOfPages(ctx context.Context) (context.Context, *call) {
	cost := &call{}
	ctx = summarize.Reporting(ctx, func(u wstk.Usage, by wstk.ProposedBy) {
		cost.Operation, cost.ProposedBy = wstk.OpSummarize, by
		cost.Reply.Usage.Add(u)
	})
	return wstk.Spending(ctx, cost.Reply.Usage.Add), cost
}

// spend notes what a place of a run cost, as one call: summaries and vectors of pages that are read,
// or the embedder and the reranker of recall, which propose nothing and have no Operation.
func (a *Room) spend(ctx context.Context, run wstk.RunID, place int, c call) {
	if c.Reply.Usage == (wstk.Usage{}) {
		return
	}
	m := &recorded{room: a, run: run, place: place}
	ctx = context.WithoutCancel(ctx)
	next, _, err := m.before(ctx, "")
	if err == nil {
		err = m.note(ctx, next, c)
	}
	if err != nil {
		a.Log.Warn("the cost of a model was not noted", "run", string(run), "error", err.Error())
	}
}

func (m *recorded) note(ctx context.Context, n int, c call) error {
	c.Run = m.run
	h, err := wstk.PutJSON(ctx, m.room.Blobs, c)
	if err != nil {
		return err
	}
	return m.room.Runs.AddPart(ctx, m.run, wstk.Part{N: n, Data: h})
}

// callsOf are the calls of models that a run made, by their numbers.
func (a *Room) callsOf(ctx context.Context, run wstk.RunID) (map[int]call, error) {
	parts, err := a.Runs.Parts(ctx, run)
	if err != nil {
		return nil, err
	}
	out := map[int]call{}
	for _, p := range parts {
		if p.N < firstCall || p.N >= firstMark {
			continue
		}
		if out[p.N], err = wstk.GetJSON[call](ctx, a.Blobs, p.Data); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// spent is what the calls of a run cost, and who proposed; nil if it made none that succeeded.
func (a *Room) spent(
	ctx context.Context, run wstk.RunID,
) (u wstk.Usage, by *wstk.Proposer, err error) {
	calls, err := a.callsOf(ctx, run)
	for _, c := range calls {
		u.Add(c.Reply.Usage)
		if c.Code != "" || c.Operation == "" {
			continue
		}
		if by == nil {
			by = &wstk.Proposer{Models: map[wstk.Operation]wstk.ProposedBy{}}
		}
		by.Models[c.Operation] = c.ProposedBy
	}
	return u, by, err
}

// bucketParts are the parts of a run that are buckets, in order.
func (a *Room) bucketParts(ctx context.Context, run wstk.RunID) ([]wstk.Part, error) {
	buckets, _, err := a.told(ctx, run)
	return buckets, err
}

// told are the parts of a run that its caller is told, in order: its buckets and its marks.
func (a *Room) told(ctx context.Context, run wstk.RunID) (buckets, marks []wstk.Part, err error) {
	parts, err := a.Runs.Parts(ctx, run)
	for _, p := range parts {
		switch {
		case p.N < firstCall:
			buckets = append(buckets, p)
		case p.N >= firstMark:
			marks = append(marks, p)
		}
	}
	return buckets, marks, err
}
