package answer

import (
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

func quote(id, url string, section ...string) wstk.Evidence {
	return wstk.Evidence{ID: id, URL: url, SectionPath: section, FetchedAt: today}
}

// cited is an answer of two extractions over two pages.
func cited() wstk.AnswerResult {
	published := today.Add(-time.Hour)
	dated := quote("ev_3", "https://b.example/")
	dated.PublishedAt = &published
	r := wstk.AnswerResult{AskResult: wstk.AskResult{Extractions: []wstk.Extraction{
		{
			Content: "A ticket is 9 euros. [1][2] (comment)\n\nMembers pay nothing \\[9]. [3]",
			Evidence: []wstk.Evidence{quote("ev_1", "https://a.example/fees", "Visit", "Fees"),
				quote("ev_2", "https://a.example/fees", "Visit", "Fees"), dated},
			Sources: []wstk.Source{{URL: "https://b.example/", Title: "B"},
				{URL: "https://a.example/fees", Title: "Fees"}},
		},
		{Content: ""},
		{
			Content: "It opens at nine. [2][1]\n",
			Evidence: []wstk.Evidence{quote("ev_4", "https://a.example/fees", "Visit", "Hours"),
				quote("ev_1", "https://a.example/fees", "Visit", "Fees"), quote("ev_5", "https://c.example/")},
		},
	}}}
	r.Content, r.References = Cite(r.Extractions)
	return r
}

// D8: references are numbered sections, and evidence is verbatim.
func TestTwoLayersOfCitation(t *testing.T) {
	r := cited()
	want := "A ticket is 9 euros. [1] (comment)\n\nMembers pay nothing \\[9]. [2]\n\nIt opens at nine. [1][3]"
	if r.Content != want {
		t.Errorf("%q\nwant %q", r.Content, want)
	}
	for i, c := range []struct{ url, title, section, evidence string }{
		{"https://a.example/fees", "Fees", "Visit/Fees", "ev_1 ev_2"},
		{"https://b.example/", "B", "", "ev_3"},
		{"https://a.example/fees", "", "Visit/Hours", "ev_4"},
	} {
		if len(r.References) != 3 {
			t.Fatalf("%d references, want 3: evidence that no mark cites has none", len(r.References))
		}
		ref := r.References[i]
		if ref.N != i+1 || ref.URL != c.url || ref.Title != c.title || !ref.FetchedAt.Equal(today) ||
			strings.Join(ref.SectionPath, "/") != c.section || strings.Join(ref.EvidenceIDs, " ") != c.evidence ||
			ref.SectionPath == nil || (ref.PublishedAt != nil) != (i == 1) {
			t.Errorf("%+v; want %+v", ref, c)
		}
	}
	if faults := CheckCited(r); len(faults) > 0 {
		t.Errorf("an answer as it was cited has the faults %q", faults)
	}
	if content, refs := Cite(nil); content != "" || refs == nil || len(refs) != 0 {
		t.Errorf("no extraction is cited as %q, %v", content, refs)
	}
}

// A section that was fetched twice has two references: its words may differ.
func TestEachFetchIsCitedByItself(t *testing.T) {
	later := quote("ev_2", "https://a.example/", "Fees")
	later.FetchedAt = today.Add(time.Hour)
	content, refs := Cite([]wstk.Extraction{{Content: "A. [1] B. [2]",
		Evidence: []wstk.Evidence{quote("ev_1", "https://a.example/", "Fees"), later}}})
	if content != "A. [1] B. [2]" || len(refs) != 2 || !refs[1].FetchedAt.Equal(later.FetchedAt) {
		t.Errorf("%q with the references %+v", content, refs)
	}
}

// Marks of numbers that do not exist, or that no program wrote, are words.
func TestMarksWithoutEvidenceAreWords(t *testing.T) {
	content, refs := Cite([]wstk.Extraction{{Content: "A. [0][2][99999999999999999999] B. [1] [x] [[7]1] [1",
		Evidence: []wstk.Evidence{quote("ev_1", "https://a.example/")}}})
	if content != `A. \[0]\[2]\[99999999999999999999] B. [1] [x] [\[7]1] [1` || len(refs) != 1 {
		t.Errorf("%q with %d references", content, len(refs))
	}
}

// Each way to forge a citation is found.
func TestForgedCitationsAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		forge func(*wstk.AnswerResult)
		fault string
	}{
		"a mark too many": {func(r *wstk.AnswerResult) { r.Content += " And free parking. [4]" },
			"the mark [4] has no reference"},
		"a mark of nothing": {func(r *wstk.AnswerResult) { r.Content += " [0]" }, "the mark [0] has no reference"},
		"a sentence":        {func(r *wstk.AnswerResult) { r.Content += " Free parking. [1]" }, "not what the extractions say"},
		"marks exchanged": {func(r *wstk.AnswerResult) { r.Content = strings.Replace(r.Content, "[2]", "[3]", 1) },
			"not what the extractions say"},
		"no evidence":      {func(r *wstk.AnswerResult) { r.References[1].EvidenceIDs = nil }, "reference [2] has no evidence"},
		"unknown evidence": {func(r *wstk.AnswerResult) { r.References[1].EvidenceIDs = []string{"ev_9"} }, "which no extraction has"},
		"another's":        {func(r *wstk.AnswerResult) { r.References[1].EvidenceIDs = []string{"ev_1"} }, "evidence_ids"},
		"a url":            {func(r *wstk.AnswerResult) { r.References[0].URL = "https://evil.example/" }, "the url of its evidence"},
		"a title":          {func(r *wstk.AnswerResult) { r.References[0].Title = "Official" }, "the title"},
		"a section":        {func(r *wstk.AnswerResult) { r.References[0].SectionPath = []string{"Law"} }, "the section_path"},
		"a day":            {func(r *wstk.AnswerResult) { r.References[0].FetchedAt = today.Add(time.Hour) }, "the fetched_at"},
		"a publication":    {func(r *wstk.AnswerResult) { r.References[1].PublishedAt = nil }, "the published_at"},
		"a number":         {func(r *wstk.AnswerResult) { r.References[1].N = 7 }, "has the number 7"},
		"a reference too many": {func(r *wstk.AnswerResult) { r.References = append(r.References, r.References[0]) },
			"cited by no statement"},
		"a reference less": {func(r *wstk.AnswerResult) { r.References = r.References[:2] }, "has no reference to it"},
		"evidence removed": {func(r *wstk.AnswerResult) { r.Extractions[0].Evidence = r.Extractions[0].Evidence[:1] },
			"names evidence ev_2"},
	} {
		r := cited()
		c.forge(&r)
		if faults := CheckCited(r); !strings.Contains(strings.Join(faults, "\n"), c.fault) {
			t.Errorf("%s gives the faults %q, want one with %q", name, faults, c.fault)
		}
	}
}

func TestForgedTurnsAreFound(t *testing.T) {
	honest := func() wstk.AnswerResult {
		first := Decide(Situation{Signals: wstk.TurnSignals{UnreadLinks: 1, BestLink: 1, Gaps: 1}})
		second := Decide(Situation{Before: []wstk.Turn{first}})
		return wstk.AnswerResult{Turns: []wstk.Turn{first, second}, Stopped: StopOf(second)}
	}
	if faults := CheckTurns(honest()); len(faults) > 0 {
		t.Errorf("honest turns have the faults %q", faults)
	}
	limited := honest()
	limited.Turns = limited.Turns[:1]
	limited.Stopped = Spent{MaxPages: 3}.StopAt(LimitPages)
	if faults := CheckTurns(limited); len(faults) > 0 {
		t.Errorf("a loop that a limit ended has the faults %q", faults)
	}
	for name, c := range map[string]struct {
		forge func(*wstk.AnswerResult)
		fault string
	}{
		"a number":   {func(r *wstk.AnswerResult) { r.Turns[1].N = 3 }, "has the number 3"},
		"a rule":     {func(r *wstk.AnswerResult) { r.Turns[0].Rule = "luck" }, `names the rule "luck"`},
		"a move":     {func(r *wstk.AnswerResult) { r.Turns[0].Move = wstk.MoveExpandRecall }, `says "expand_recall"`},
		"goes on":    {func(r *wstk.AnswerResult) { slices.Reverse(r.Turns) }, "is not the last, and stops"},
		"a reason":   {func(r *wstk.AnswerResult) { r.Stopped.Reason = "All was read." }, "not that of the last turn"},
		"breaks off": {func(r *wstk.AnswerResult) { r.Turns = r.Turns[:1] }, "no limit is named"},
	} {
		r := honest()
		c.forge(&r)
		if faults := CheckTurns(r); !strings.Contains(strings.Join(faults, "\n"), c.fault) {
			t.Errorf("%s gives the faults %q, want one with %q", name, faults, c.fault)
		}
	}
}
