package collate

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"wstk/shared/wstk"
)

// Law 1: whatever Collate says of an answer can be computed again from the reply as it
// was saved and the Documents its quotes stand in.
func TestReviewSaysWhatCollateSaid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := draw(t)
		x := collated(in)
		data, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		var saved wstk.Extraction
		if err := json.Unmarshal(data, &saved); err != nil {
			t.Fatal(err)
		}
		docs := append([]*wstk.Document{document(say{url: "https://other.example/", text: "Another page."})}, in.Pages...)
		slices.Reverse(docs)
		r := reviewed(in.Query, saved, docs)
		want := Reviewed{Grade: x.Grounding, Counted: x.Counted, Statements: x.Statements,
			Conflicts: x.Conflicts, Sources: x.Sources}
		if !reflect.DeepEqual(r, want) {
			t.Fatalf("review says\n%+v, collate said\n%+v", r, want)
		}
	})
}

// What a forger writes beside the evidence changes nothing of what is computed.
func TestReviewReadsNoVerdict(t *testing.T) {
	in := inputOf(
		say{url: "https://a.example/1", text: "The entrance fee is $12."},
		say{url: "https://b.example/2", text: "The entrance fee is $15."})
	x := collated(in)
	want := reviewed(in.Query, x, in.Pages)
	if want.Grade != wstk.Conflicted || len(want.Conflicts) != 1 || want.Missing != nil {
		t.Fatalf("%+v; want want.Grade == wstk.Conflicted && len(want.Conflicts) == 1 && want.Missing == nil", want)
	}
	x.Grounding, x.Counted, x.Content = wstk.Verified, "9 sites", "The fee is free [1]."
	x.Conflicts, x.Sources = nil, []wstk.Source{{URL: "https://c.example/", Role: wstk.Primary}}
	if got := reviewed(in.Query, x, in.Pages); !reflect.DeepEqual(got, want) {
		t.Errorf("a forged verdict gives\n%+v, want\n%+v", got, want)
	}

	x.Statements[0].Statement = "The fee is waived."
	n := 99.0
	x.Statements[1].Value = &wstk.Value{Type: wstk.ValueMoney, Text: "$15", Number: &n, Unit: "USD", Norm: "99 USD"}
	got := reviewed(in.Query, x, in.Pages)
	if got.Statements[0].Support != wstk.SupportAssumed || got.Statements[1].Value != nil {
		t.Errorf("a forged statement and value stand: %+v", got.Statements)
	}
}

// What is needed and was not given is named, and nothing panics on indexes that lead
// nowhere.
func TestReviewNamesWhatIsMissing(t *testing.T) {
	in := inputOf(
		say{url: "https://a.example/1", text: "The entrance fee is $12."},
		say{url: "https://b.example/2", text: "The hall opened in 1920."})
	x := collated(in)
	if got := reviewed(in.Query, x, in.Pages[:1]).Missing; !slices.Equal(got, []string{"the Document of https://b.example/2"}) {
		t.Errorf("without a page: %q", got)
	}
	reread := *in.Pages[1] // a later version of the page, whose text is another one
	reread.TextSHA256 = wstk.HashOf([]byte("something else"))
	if got := reviewed(in.Query, x, []*wstk.Document{in.Pages[0], &reread}).Missing; len(got) != 1 {
		t.Errorf("with a later version of a page: %q", got)
	}
	x.Statements[0].Evidence = []int{-1, 7, 0, 0}
	x.Statements[1].Evidence = nil
	r := reviewed(in.Query, x, in.Pages)
	if !slices.Equal(r.Missing, []string{"a quote that a statement cites"}) {
		t.Errorf("indexes that lead nowhere: %q", r.Missing)
	}
	if !slices.Equal(r.Statements[0].Evidence, []int{0}) ||
		r.Statements[1].Support != wstk.SupportAssumed || r.Grade != wstk.Inferred {
		t.Errorf("%+v; want indexes out of range left out, and the grade inferred", r)
	}
	if r := reviewed("", wstk.Extraction{}, nil); r.Grade != wstk.SingleSource ||
		r.Sources == nil || r.Conflicts == nil || r.Statements == nil {
		t.Errorf("of nothing: %+v", r)
	}
}
