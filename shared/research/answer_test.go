package research_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wstk/shared/app/local"
	"wstk/shared/research"
	"wstk/shared/wstk"
)

// asked is an answer about the first page of the site of the examples.
func asked(t *testing.T) (*research.Research, string, wstk.AnswerResult) {
	t.Helper()
	r, site := opened(t, research.Options{})
	var turns []wstk.Turn
	answer, err := r.AnswerTurns(t.Context(), site+"/", "How long does the warranty of the P-9 pump last?",
		func(t wstk.Turn) { turns = append(turns, t) })
	if err != nil || !answer.HasAnswer() || len(answer.References) == 0 || answer.URL != site+"/" {
		t.Fatalf("%+v, %v", answer, err)
	}
	same := slices.EqualFunc(turns, answer.Turns, func(a, b wstk.Turn) bool {
		return a.N == b.N && a.Rule == b.Rule && a.Move == b.Move
	})
	if !same || len(turns) == 0 {
		t.Errorf("it tells of the turns %+v, and did %+v", turns, answer.Turns)
	}
	return r, site, answer
}

// D8: an answer about a page is checked with its citations and turns, and gets no bundle where one of
// them was changed. The bundle of a true one is checked likewise.
func TestAnAnswerAboutAPageIsCheckedWhole(t *testing.T) {
	r, _, answer := asked(t)
	rep, err := r.Verify(t.Context(), answer)
	if err != nil || rep.Verified == 0 || len(rep.Problems()) != 0 {
		t.Fatalf("%+v, %v", rep, err)
	}
	path := filepath.Join(t.TempDir(), "proof.zip")
	if err := r.WriteBundle(t.Context(), path, answer); err != nil {
		t.Fatal(err)
	}
	b, err := local.OpenBundle(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if reply := string(b.Reply()); !strings.Contains(reply, `"references"`) || !strings.Contains(reply, `"turns"`) {
		t.Errorf("the bundle holds %s", reply)
	}
	for name, forge := range map[string]func(*wstk.AnswerResult){
		"content":      func(a *wstk.AnswerResult) { a.Content = "It lasts for ever. [1]" },
		"reference":    func(a *wstk.AnswerResult) { a.References[0].Title = "The law" },
		"no reference": func(a *wstk.AnswerResult) { a.References = nil },
		"turn":         func(a *wstk.AnswerResult) { a.Turns[0].Rule = "because" },
		"stop":         func(a *wstk.AnswerResult) { a.Stopped.Reason = "All was read." },
		"quote":        func(a *wstk.AnswerResult) { a.Extractions[0].Evidence[0].Quote = "It lasts for ever." },
	} {
		data, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		var forged wstk.AnswerResult
		if err := json.Unmarshal(data, &forged); err != nil {
			t.Fatal(err)
		}
		forge(&forged)
		for _, result := range []research.Result{forged, &forged} {
			rep, err := r.Verify(t.Context(), result)
			if err != nil || len(rep.Problems()) == 0 {
				t.Errorf("a forged %s verifies: %+v, %v", name, rep, err)
			}
			path := filepath.Join(t.TempDir(), "proof.zip")
			err = r.WriteBundle(t.Context(), path, result)
			if _, missing := os.Stat(path); wstk.CodeOf(err) != wstk.Conflict || missing == nil {
				t.Errorf("a forged %s gets a bundle: %v, %v", name, err, missing)
			}
		}
	}
	if _, err := r.Verify(t.Context(), nil); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("of nothing: %v", err)
	}
}

// An honest no is no error, and says how to read on. Limits of the caller hold.
func TestAnswersOfAPageMayBeNo(t *testing.T) {
	r, site := opened(t, research.Options{})
	answer, err := r.Answer(t.Context(), site+"/", "Who painted the ceiling of the chapel?")
	no := research.Unanswered(answer)
	var typed *research.NoAnswer
	if err != nil || answer.Content != "" || !errors.As(no, &typed) || wstk.CodeOf(no) != wstk.Empty {
		t.Fatalf("%+v, %v, %v", answer, err, no)
	}
	if len(typed.Gaps) == 0 || !slices.ContainsFunc(research.Steps(no), func(s wstk.Step) bool {
		return s.Do == wstk.DoRead && s.URL == site+"/"
	}) {
		t.Errorf("gaps %v, steps %v", typed.Gaps, research.Steps(no))
	}
	fresh, err := research.Open(t.Context(), research.Options{Settings: onLoopback})
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	answer, err = fresh.Answer(t.Context(), site+"/", "How long does the warranty last?",
		func(q *wstk.AnswerQuery) { q.MaxPages = 1 })
	steps := research.Steps(research.Unanswered(answer))
	if err != nil || answer.HasAnswer() || answer.PagesRead != 1 || answer.Stopped.Rule != "max_pages" ||
		len(steps) == 0 || steps[0].Do != wstk.DoAnswer || steps[0].Options[0] != wstk.OptMaxPages.Set(2) {
		t.Errorf("%+v, %v, %v", answer, err, steps)
	}
}

// What the page itself lacks is an error, and so is a context that has ended.
func TestAnswersOfAPageThatCannotBeHad(t *testing.T) {
	r, site := opened(t, research.Options{})
	for url, code := range map[string]wstk.Code{site + "/none": wstk.NotFound, "no address": wstk.Invalid} {
		answer, err := r.Answer(t.Context(), url, "How long does the warranty last?")
		if wstk.CodeOf(err) != code || answer.HasAnswer() {
			t.Errorf("%s: %+v, %v", url, answer, err)
		}
	}
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if _, err := r.Answer(ctx, site+"/", "How long does the warranty last?"); wstk.CodeOf(err) != wstk.Cancelled {
		t.Errorf("of a context that has ended: %v", err)
	}
}
