package retry_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/adapter/retry"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// letters embeds and reranks by the letters of the first 50 words, after some failures.
type letters struct{ failures *[]error }

const wordsRead = 50

func (letters) Info() wstk.EmbedderInfo {
	return wstk.EmbedderInfo{Provider: "made", Name: "letters", Dimension: 2, MaxTokens: wordsRead}
}

func (l letters) fail(ctx context.Context) error {
	if ctx.Err() != nil {
		return wstk.Wrap(wstk.Cancelled, "embedding", ctx.Err())
	}
	if l.failures == nil || len(*l.failures) == 0 {
		return nil
	}
	err := (*l.failures)[0]
	*l.failures = (*l.failures)[1:]
	return err
}

// begin returns the words of s that are read, and whether there are more.
func begin(s string) (string, bool) {
	words := strings.Fields(s)
	return strings.Join(words[:min(len(words), wordsRead)], " "), len(words) > wordsRead
}

func (l letters) Embed(
	ctx context.Context, _ wstk.EmbedPurpose, texts ...string,
) (wstk.EmbedReply, error) {
	var out wstk.EmbedReply
	if len(texts) == 0 {
		return out, nil
	}
	out.Usage.Calls = 1
	for _, s := range texts {
		short, cut := begin(s)
		v := []float32{.6, .8}
		if len(short)%2 == 0 {
			v = []float32{.8, .6}
		}
		out.Embeddings = append(out.Embeddings, wstk.Embedding{Vector: v, Cut: cut})
	}
	return out, l.fail(ctx)
}

type scoring struct{ letters }

func (scoring) Info() wstk.RerankerInfo {
	return wstk.RerankerInfo{Provider: "made", Name: "letters", MaxTokens: wordsRead}
}

func (l scoring) Rerank(
	ctx context.Context, _ string, texts ...string,
) (wstk.RerankReply, error) {
	var out wstk.RerankReply
	if len(texts) == 0 {
		return out, nil
	}
	out.Usage.Calls = 1
	for _, s := range texts {
		short, _ := begin(s)
		out.Scores = append(out.Scores, float64(len(short)))
	}
	return out, l.fail(ctx)
}

var still = retry.Pause{Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}

func TestEmbedder(t *testing.T) {
	wstktest.Embedder(t, func(*testing.T) wstk.Embedder {
		return retry.Embedder{Embedder: letters{}, Pause: still}
	})
}

func TestReranker(t *testing.T) {
	wstktest.Reranker(t, func(*testing.T) wstk.Reranker {
		return retry.Reranker{Reranker: scoring{}, Pause: still}
	})
}

func TestServicesOfMeaningAreAskedAgain(t *testing.T) {
	for _, c := range []struct {
		failures []error
		calls    int
		code     wstk.Code
	}{
		{nil, 1, ""},
		{[]error{fail(wstk.Unavailable, 0), fail(wstk.RateLimited, 0)}, 3, ""},
		{[]error{fail(wstk.ModelFailed, 0)}, 1, wstk.ModelFailed},
		{[]error{fail(wstk.Network, 0), fail(wstk.Network, 0), fail(wstk.Network, 0)}, 3,
			wstk.Network},
	} {
		failures := slices.Clone(c.failures)
		e := retry.Embedder{Embedder: letters{&failures}, Pause: still}
		made, err := e.Embed(t.Context(), wstk.EmbedQuery, "boat")
		if wstk.CodeOf(err) != c.code || made.Usage.Calls != c.calls {
			t.Errorf("%v: %v after %d calls", c.failures, err, made.Usage.Calls)
		}
		failures = slices.Clone(c.failures)
		r := retry.Reranker{Reranker: scoring{letters{&failures}}, Pause: still}
		said, err := r.Rerank(t.Context(), "ship", "boat")
		if wstk.CodeOf(err) != c.code || said.Usage.Calls != c.calls {
			t.Errorf("%v: %v after %d calls", c.failures, err, said.Usage.Calls)
		}
	}
}
