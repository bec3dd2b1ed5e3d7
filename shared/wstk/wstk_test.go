package wstk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRunIDsSortByTime(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var ids []string
	for i := range 500 {
		id := NewRunID(start.Add(time.Duration(i)*time.Millisecond), nil)
		if !id.Valid() {
			t.Fatalf("%s is not valid", id)
		}
		ids = append(ids, string(id))
	}
	if !slices.IsSorted(ids) {
		t.Fatal("ids of successive milliseconds do not sort")
	}
}

func TestRunIDIsAsDocumented(t *testing.T) {
	id := NewRunID(time.UnixMilli(0), bytes.NewReader(make([]byte, 10)))
	if want := RunID("run_" + strings.Repeat("0", 26)); id != want {
		t.Errorf("got %s, want %s", id, want)
	}
	for _, bad := range []RunID{"", "run_", "124", "run_" + RunID(strings.Repeat("0", 25)),
		"run_" + RunID(strings.Repeat("U", 26))} {
		if bad.Valid() {
			t.Errorf("%q is valid", bad)
		}
	}
}

func TestAccountingJSON(t *testing.T) {
	a := Accounting{Discovered: 3, By: map[Outcome]int{OutcomeFetched: 2, OutcomeNotFound: 1}}
	data, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]int
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if len(m) != 1+len(Outcomes()) {
		t.Errorf("%d keys in %s, want discovered and one for each of %d outcomes", len(m), data, len(Outcomes()))
	}
	var back Accounting
	if err := json.Unmarshal(data, &back); err != nil ||
		back.Of(OutcomeFetched) != 2 || !back.Balanced() {
		t.Errorf("read back %+v, %v", back, err)
	}
	back.By[OutcomeTrap]++
	if back.Balanced() {
		t.Error("outcomes that exceed what was discovered are balanced")
	}
}

func TestEveryVerdictHasAnOutcomeAndACode(t *testing.T) {
	for _, v := range Verdicts() {
		if !slices.Contains(Outcomes(), v.Outcome()) || v.Outcome() == OutcomeOpen {
			t.Errorf("%s ends as %q", v, v.Outcome())
		}
		if c := v.Code(); c != "" && !slices.Contains(Codes(), c) {
			t.Errorf("%s has the unknown code %q", v, c)
		}
	}
}

func TestCodeOf(t *testing.T) {
	deep := fmt.Errorf("outer: %w", Wrap(Internal, "reading", Errorf(NotFound, "opening", "no such page")))
	for _, c := range []struct {
		err  error
		want Code
	}{
		{nil, ""},
		{errors.New("x"), Internal},
		{context.Canceled, Cancelled},
		{fmt.Errorf("w: %w", context.DeadlineExceeded), Timeout},
		{deep, NotFound},
		{Wrap(Unavailable, "writing", errors.New("disk")), Unavailable},
	} {
		if got := CodeOf(c.err); got != c.want {
			t.Errorf("CodeOf(%v) = %q, want %q", c.err, got, c.want)
		}
	}
	if Wrap(Internal, "op", nil) != nil {
		t.Error("wrapping nothing gives something")
	}
	next := StepsOf(fmt.Errorf("w: %w", Errorf(Invalid, "op", "x").Try(Advice("do this"), Advice("or that"))))
	if fmt.Sprint(next) != "[do this or that]" {
		t.Errorf("next steps %v", next)
	}
}

// Whatever an error is wrapped in, its code, its steps and its pause are found.
func TestErrorsAreReadThroughWhatWrapsThem(t *testing.T) {
	pause := Errorf(RateLimited, "searching", "too many").Try(Advice("wait"))
	pause.RetryAfter = time.Minute
	key := Errorf(Invalid, "reading the key", "it is empty").Try(Advice("set a key"))
	for name, err := range map[string]error{
		"joined":            errors.Join(errors.New("plain"), pause, key),
		"joined and nested": fmt.Errorf("w: %w", errors.Join(errors.Join(nil, pause), key)),
		"two verbs":         fmt.Errorf("%w, and %w", pause, key),
		"wrapped":           Wrap(Internal, "asking", errors.Join(pause, key)),
	} {
		if got := CodeOf(err); got != RateLimited {
			t.Errorf("%s: code %q, want that of the first error, %q", name, got, RateLimited)
		}
		if got := fmt.Sprint(StepsOf(err)); got != "[wait set a key]" {
			t.Errorf("%s: steps %s, want those of both errors, in order", name, got)
		}
		if got := RetryAfterOf(err); got != time.Minute {
			t.Errorf("%s: pause %v, want %v", name, got, time.Minute)
		}
	}
}

// Wrap gives a code only to an error that carries none.
func TestWrapKeepsACarriedCode(t *testing.T) {
	for _, c := range []struct {
		err  error
		want Code
	}{
		{Errorf(Internal, "reading", "the file is damaged"), Internal},
		{fmt.Errorf("w: %w", Errorf(Internal, "reading", "the file is damaged")), Internal},
		{Errorf(Gone, "reading", "it was removed"), Gone},
		{context.DeadlineExceeded, Timeout},
		{errors.New("plain"), Unavailable},
	} {
		if got := CodeOf(Wrap(Unavailable, "opening", c.err)); got != c.want {
			t.Errorf("Wrap(Unavailable, %v) has the code %q, want %q", c.err, got, c.want)
		}
	}
}

func TestIDsDoNotCollideByConcatenation(t *testing.T) {
	if TextEvidenceID("a", Span{ByteStart: 1, ByteEnd: 23}, "u") == TextEvidenceID("a",
		Span{ByteStart: 12, ByteEnd: 3}, "u") {
		t.Error("two spans share an id")
	}
	if ChunkID("ab", "c", Span{}) == ChunkID("a", "bc", Span{}) {
		t.Error("two chunks share an id")
	}
}

func TestSectionPathSurvivesMalformedParents(t *testing.T) {
	d := &Document{Sections: []Section{{Title: "a", Parent: 1}, {Title: "b", Parent: 0}}}
	if got := d.SectionPath(1); !slices.Equal(got, []string{"a", "b"}) && len(got) > 2 {
		t.Errorf("got %v", got)
	}
	if d.SectionPath(-1) != nil || d.SectionPath(7) != nil {
		t.Error("a section that does not exist has a path")
	}
}

func TestSiteIDs(t *testing.T) {
	for id, want := range map[SiteID]bool{SiteIDOf("https://a.example/"): true, "site_0123456789abcdef": true, "": false, "site_": false, "abc": false,
		"site_0123456789abcdeF": false, "site_0123456789abcde": false, "site_0123456789abcdef0": false, "run_0123456789abcdef": false} {
		if id.Valid() != want {
			t.Errorf("%q: want %v", id, want)
		}
	}
}

// Options are written in units that speak alone, and read as earlier versions wrote them, too.
func TestCrawlOptionsInJSON(t *testing.T) {
	want := DefaultCrawlOptions()
	want.Include = []string{"/docs/**"}
	written, err := json.Marshal(struct {
		Options *CrawlOptions `json:"options"`
	}{&want})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{`"rate_limit_ms":500,`, `"stale_after_s":604800}`, `"max_pages":500,`} {
		if !bytes.Contains(written, []byte(name)) {
			t.Errorf("%s is not in %s", name, written)
		}
	}
	for _, name := range []string{"rate_limit\":", "stale_age", "RateLimit", "StaleAge"} {
		if bytes.Contains(written, []byte(name)) {
			t.Errorf("%s is in %s", name, written)
		}
	}
	for _, data := range []string{string(written),
		`{"options": {"max_pages": 500, "max_depth": 10, "rate_limit": 500000000, "include": ["/docs/**"], "robots": "respect", "stale_age": 604800000000000}}`,
		`{"options": {"max_pages": 500, "max_depth": 10, "rate_limit_ms": 500, "include": ["/docs/**"], "robots": "respect", "stale_after_s": 604800}}`} {
		var got struct {
			Options CrawlOptions `json:"options"`
		}
		if err := json.Unmarshal([]byte(data), &got); err != nil ||
			fmt.Sprintf("%+v", got.Options) != fmt.Sprintf("%+v", want) {
			t.Errorf("%s is %+v, want %+v, %v", data, got.Options, want, err)
		}
	}
	fine := CrawlOptions{RateLimit: 1500 * time.Microsecond}
	data, _ := json.Marshal(fine)
	// never faster
	if err := json.Unmarshal(data, &fine); err != nil || fine.RateLimit != 2*time.Millisecond {
		t.Errorf("%s is %v, %v", data, fine.RateLimit, err)
	}
	if err := json.Unmarshal([]byte(`{"rate_limit_ms": "fast"}`), &fine); err == nil {
		t.Error("a word is a time")
	}
}

// People are told what a grade counts, never a bare grade.
func TestGroundedSaysWhatWasCounted(t *testing.T) {
	for want, x := range map[string]Extraction{
		"2 sites agree":                    {Grounding: Verified, Counted: "2 sites"},
		"1 site says so, on 3 pages":       {Grounding: SingleSource, Counted: "1 site, 3 pages"},
		"2 sites disagree":                 {Grounding: Conflicted, Counted: "2 sites"},
		"inferred from 1 site":             {Grounding: Inferred, Counted: "1 site"},
		"verified, sites not counted":      {Grounding: Verified},
		"single source, sites not counted": {Grounding: SingleSource},
	} {
		if got := x.Grounded(); got != want {
			t.Errorf("%s %q: %q, want %q", x.Grounding, x.Counted, got, want)
		}
	}
}

// What a caller may not send is his mistake: Invalid, and never his value in the message.
func TestHeadersACallerMaySend(t *testing.T) {
	for _, name := range []string{"Authorization", "cookie", "HOST", "Connection", "Te", "User-Agent", "Range", "Proxy-X", "Sec-Fetch-Mode",
		"X-Forwarded-For", "Metadata-Flavor", "", "bad header", "A\r\nB", "X(1)", "Größe"} {
		if err := CheckHeader(name, "hunter2"); CodeOf(err) != Invalid || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v; want CodeOf(err) == Invalid && !strings.Contains(err.Error(), \"hunter2\")", name, err)
		}
	}
	for _, value := range []string{"a\r\nX: b", "a\x00", "a\x7f", strings.Repeat("a", 8<<10+1)} {
		if err := CheckHeader("X-A", value); CodeOf(err) != Invalid {
			t.Errorf("%q: %v, want %v", value, err, Invalid)
		}
	}
	for _, name := range []string{"Accept", "accept-language", "X-Note", "Referer", "x_y!#$%&'*+-.^`|~9", "Dnt"} {
		if err := CheckHeader(name, "grüße\tan alle"); err != nil {
			t.Errorf("%q: %v; want err == nil", name, err)
		}
	}
}
