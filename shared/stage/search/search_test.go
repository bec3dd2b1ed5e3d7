package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"wstk/shared/wstk"
)

// fake is a provider that answers as it is told.
type fake struct {
	id       string
	aliases  []string
	disabled string // reason
	notAuto  bool
	metered  bool
	stored   bool
	urls     []string
	err      error
	takes    time.Duration
	cannot   []string
	asked    *int
}

func (f fake) Info() wstk.ProviderInfo {
	return wstk.ProviderInfo{ID: f.id, Aliases: f.aliases, Type: "search",
		Enabled: f.disabled == "", Auto: f.disabled == "" && !f.notAuto, Reason: f.disabled,
		Metered: f.metered, Stored: f.stored, EnvVars: []string{"X_KEY|X_TOKEN"}, Steps: wstk.Advices("set X_KEY")}
}

func (f fake) Compile(q wstk.SearchQuery) wstk.Compiled {
	return wstk.Compiled{Query: q.Words + " for " + f.id, Unsupported: f.cannot}
}

func (f fake) Search(ctx context.Context, q wstk.SearchQuery) (wstk.SearchReply, error) {
	if f.asked != nil {
		*f.asked++
	}
	if f.takes > 0 {
		select {
		case <-time.After(f.takes):
		case <-ctx.Done():
			return wstk.SearchReply{}, wstk.Wrap(wstk.Timeout, "asking "+f.id, ctx.Err())
		}
	}
	reply := wstk.SearchReply{Query: f.Compile(q).Query, Tries: 1}
	for i, u := range f.urls {
		reply.Results = append(reply.Results,
			wstk.SearchResult{URL: u, Rank: i + 1, SourceProvider: f.id, MatchedRules: []string{}})
	}
	return reply, f.err
}

func stage(fakes ...fake) *Stage {
	s := &Stage{}
	for _, f := range fakes {
		s.Providers = append(s.Providers, f)
	}
	return s
}

func fail(code wstk.Code) error { return wstk.Errorf(code, "asking x", "it is so") }

var (
	page    = []string{"https://a.example/1"}
	resting = &wstk.Error{Code: wstk.Blocked, Op: "asking x", Err: wstk.ErrResting, RetryAfter: time.Minute}
)

// What came of each provider, and of the search as a whole.
func TestAuto(t *testing.T) {
	for _, c := range []struct {
		name     string
		fakes    []fake
		provider string
		code     wstk.Code
		outcomes string
	}{
		{"the first that gives results", []fake{{id: "a", urls: page}, {id: "b", urls: page}}, "a", "", "a ok"},
		{"one that is not enabled is passed over", []fake{{id: "a", disabled: "no key"}, {id: "b", urls: page}}, "b", "", "a skipped, b ok"},
		{"one that fails is noted", []fake{{id: "a", err: fail(wstk.RateLimited)}, {id: "b", urls: page}}, "b", "", "a failed rate_limited, b ok"},
		{"one that rests is noted", []fake{{id: "a", err: resting}, {id: "b", urls: page}}, "b", "", "a skipped blocked, b ok"},
		{"after nothing, what is free", []fake{{id: "a"}, {id: "b", urls: page}}, "b", "", "a empty, b ok"},
		{"after nothing, not what costs", []fake{{id: "a"}, {id: "b", metered: true, urls: page}, {id: "c", urls: page}}, "c", "", "a empty, b skipped, c ok"},
		{"nothing", []fake{{id: "a"}, {id: "b"}}, "", wstk.Empty, "a empty, b empty"},
		{"nothing, and one failed", []fake{{id: "a", err: fail(wstk.Timeout)}, {id: "b"}}, "", wstk.Empty, "a failed timeout, b empty"},
		{"all failed", []fake{{id: "a", err: fail(wstk.Timeout)},
			{id: "b", err: fail(wstk.Unauthorized)}}, "", wstk.ProvidersFailed, "a failed timeout, b failed unauthorized"},
		{"all rest", []fake{{id: "a", err: resting}}, "", wstk.ProvidersFailed, "a skipped blocked"},
		{"all refuse the query", []fake{{id: "a", err: fail(wstk.Invalid)},
			{id: "b", err: fail(wstk.Invalid)}}, "", wstk.Invalid, "a failed invalid, b failed invalid"},
		{"stored pages, without a network", []fake{{id: "a", err: fail(wstk.Network)}, {id: "index", stored: true, urls: page}}, "index", "", "a failed network, index ok"},
		{"no stored page is no proof", []fake{{id: "a", err: fail(wstk.Network)}, {id: "index", stored: true}}, "", wstk.ProvidersFailed, "a failed network, index empty"},
		{"no stored page while others rest", []fake{{id: "a", err: resting}, {id: "index", stored: true}}, "", wstk.ProvidersFailed, "a skipped blocked, index empty"},
		{"stored pages are all there is", []fake{{id: "a", disabled: "no key"}, {id: "index", stored: true}}, "", wstk.Empty, "a skipped, index empty"},
		{"stored pages do not stand for the web", []fake{{id: "a"}, {id: "index", stored: true, urls: page}}, "", wstk.Empty, "a empty, index skipped"},
		{"none is enabled", []fake{{id: "a", disabled: "no key"}}, "", wstk.Invalid, "a skipped"},
	} {
		ids := []string{}
		for _, f := range c.fakes {
			ids = append(ids, f.id)
		}
		res, err := stage(c.fakes...).
			Do(t.Context(), Request{Query: wstk.SearchQuery{Words: "tide"}, Order: ids})
		if got := told(res.Outcomes); got != c.outcomes || wstk.CodeOf(err) != c.code ||
			res.Provider != c.provider {
			t.Errorf("%s: %q gave %q, %v", c.name, got, res.Provider, err)
		}
		if (len(res.Results) > 0) != (err == nil) || res.Results == nil {
			t.Errorf("%s: results %v, error %v", c.name, res.Results, err)
		}
		warned := 0
		for _, o := range res.Outcomes {
			if o.Code == "" {
				continue
			}
			if !slices.ContainsFunc(res.Warnings, func(w wstk.Warning) bool {
				return w.Code == "provider_failed" && strings.HasPrefix(w.Message, o.Provider)
			}) {
				t.Errorf("%s: there is no warning of %s", c.name, o.Provider)
			}
			warned++
			if c.code == wstk.ProvidersFailed &&
				!strings.Contains(err.Error(), o.Provider+": "+string(o.Code)) {
				t.Errorf("%s: the error does not say what became of %s: %v", c.name, o.Provider, err)
			}
		}
		if c.provider == "index" && warned > 0 && res.Warnings[len(res.Warnings)-1].Code != "stored_pages_only" {
			t.Errorf("%s: the results pass for those of the web", c.name)
		}
	}
}

func told(outcomes []wstk.ProviderOutcome) string {
	var words []string
	for _, o := range outcomes {
		words = append(words, strings.TrimSpace(fmt.Sprint(o.Provider, " ", o.Status, " ", o.Code)))
	}
	return strings.Join(words, ", ")
}

func TestOrder(t *testing.T) {
	builtIn := stage(fake{id: "brave_api", aliases: []string{"brave"}}, fake{id: "firecrawl_endpoint", notAuto: true},
		fake{id: "tavily", disabled: "no key"}, fake{id: "ddgs", aliases: []string{"duckduckgo"}}, fake{id: "index"})
	for _, c := range []struct {
		req  Request
		want string
	}{
		{Request{}, "brave_api ddgs index"},
		{Request{Provider: Auto}, "brave_api ddgs index"},
		{Request{Order: []string{"index", "ddgs", "index"}}, "index ddgs"},
		// who names it has chosen it
		{Request{Order: []string{"firecrawl_endpoint", "tavily"}}, "firecrawl_endpoint"},
		{Request{Order: []string{"brave", "duckduckgo", "brave_api"}}, "brave_api ddgs"},
		{Request{Provider: "firecrawl_endpoint", Order: []string{"ddgs"}}, "firecrawl_endpoint"},
	} {
		ids, err := builtIn.Select(c.req)
		if got := strings.Join(ids, " "); got != c.want || err != nil {
			t.Errorf("%+v: asks %q, %v", c.req, got, err)
		}
	}
	for name, req := range map[string]Request{"unknown": {Provider: "bing"},
		"unknown in the order": {Order: []string{"ddgs", "bing"}}, "not enabled": {Provider: "tavily"}} {
		_, err := builtIn.Do(t.Context(), req)
		if wstk.CodeOf(err) != wstk.Invalid || len(wstk.StepsOf(err)) == 0 {
			t.Errorf("%s: %v, next %v", name, err, wstk.StepsOf(err))
		}
	}
}

func TestNextStepsOfFailures(t *testing.T) {
	_, err := stage(fake{id: "a", err: fail(wstk.Unauthorized)}).Do(t.Context(), Request{Provider: "a"})
	if got := wstk.StepsOf(err); fmt.Sprint(got) != "[check the value of X_KEY]" {
		t.Errorf("next steps are %v", got)
	}
	_, err = stage(fake{id: "a", err: fail(wstk.Timeout)}).Do(t.Context(), Request{Provider: "a"})
	if got := wstk.StepsOf(err); len(got) != 1 || got[0].Do != wstk.DoListProviders {
		t.Errorf("next steps are %v", got)
	}
}

func TestUnreachableIsPassedOver(t *testing.T) {
	asked := 0
	s := stage(fake{id: "a", urls: page, asked: &asked}, fake{id: "b", urls: page})
	s.Reachable = func(_ context.Context, id string) error {
		if id == "a" {
			return fail(wstk.Network)
		}
		return nil
	}
	res, err := s.Do(t.Context(), Request{Order: []string{"a", "b"}})
	if told(res.Outcomes) != "a skipped network, b ok" || asked != 0 || err != nil {
		t.Errorf("%s, asked %d times, %v", told(res.Outcomes), asked, err)
	}
	if res, _ := s.Do(t.Context(), Request{Provider: "a"}); told(res.Outcomes) != "a ok" {
		t.Errorf("named, it is probed first: %s", told(res.Outcomes))
	}
}

func TestOutcomes(t *testing.T) {
	clock := time.Date(2026, 3, 7, 12, 0, 0, 0, time.UTC)
	s := stage(fake{id: "a", err: &wstk.Error{Code: wstk.RateLimited, Op: "asking a",
		Err: errors.New("it answered 429"), RetryAfter: 90 * time.Second}},
		fake{id: "b", urls: page, cannot: []string{"region us-en"}})
	s.Now = func() time.Time { clock = clock.Add(10 * time.Millisecond); return clock }
	res, err := s.Do(t.Context(), Request{Query: wstk.SearchQuery{Words: "tide"}, Order: []string{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	a, b := res.Outcomes[0], res.Outcomes[1]
	if a.Message != "it answered 429" || a.RetryAt == nil || a.RetryAt.Sub(clock).
		Round(time.Second) != 90*time.Second || a.DurationMS != 10 || a.Tries != 1 {
		t.Errorf("got %+v", a)
	}
	if b.Results != 1 || b.Query != "tide for b" || res.Query != b.Query || !slices.Equal(b.Notes, []string{"region us-en"}) {
		t.Errorf("got %+v", b)
	}
	if w := res.Warnings[len(res.Warnings)-1]; w.Code != "query_unsupported" || w.Message != "b does not know these parts of the query, so they were left out: region us-en." {
		t.Errorf("got %+v", w)
	}
}

func TestListsOfDomains(t *testing.T) {
	urls := []string{"https://a.example/1", "https://sub.a.example/2", "https://nota.example/3", "https://b.example:8443/4", "https://blocked.a.example/5",
		"https://xn--mnchen-3ya.example/6", "https://c.eu/7", "https://blocked.a.example./%zz"}
	for _, c := range []struct {
		name    string
		req     Request
		kept    string
		rules   string
		dropped string
	}{
		{"no list", Request{}, "1 2 3 4 5 6 7 %zz", "", ""},
		{"sites", Request{Query: wstk.SearchQuery{Sites: []string{"a.example", ".eu"}}}, "1 2 5 7 %zz", "site:a.example", "3 not of the sites asked for"},
		{"block", Request{Block: []string{"blocked.a.example"}}, "1 2 3 4 6 7", "", "2 on the block list"},
		{"exclude", Request{Query: wstk.SearchQuery{Exclude: []string{"b.example"}}}, "1 2 3 5 6 7 %zz", "", "1 of a site not wanted"},
		{"allow", Request{Allow: []string{"a.example", "xn--mnchen-3ya.example"}, Block: []string{"blocked.a.example"}, Prefer: []string{"a.example"}}, "1 2 6",
			"allow_domain preferred_domain", "3 not on the allow list, 2 on the block list"},
	} {
		c.req.Order = []string{"a"}
		res, err := stage(fake{id: "a", urls: urls}).Do(t.Context(), c.req)
		if err != nil {
			t.Fatal(err)
		}
		var kept []string
		for _, r := range res.Results {
			kept = append(kept, r.URL[strings.LastIndexByte(r.URL, '/')+1:])
		}
		message := ""
		for _, w := range res.Warnings {
			message = strings.TrimSuffix(strings.TrimPrefix(w.Message, "Results of a were left out: "), ".")
		}
		if strings.Join(kept, " ") != c.kept || message != c.dropped ||
			strings.Join(res.Results[0].MatchedRules, " ") != c.rules ||
			res.Outcomes[0].Results != len(kept) {
			t.Errorf("%s: kept %v, rules %v, warned %q", c.name, kept, res.Results[0].MatchedRules, message)
		}
	}
	res, err := stage(fake{id: "a", urls: urls[:1]}).
		Do(t.Context(), Request{Block: []string{"example"}, Order: []string{"a"}})
	if wstk.CodeOf(err) != wstk.Empty || told(res.Outcomes) != "a empty" ||
		!strings.Contains(res.Outcomes[0].Message, "1 on the block list") {
		t.Errorf("all left out: %+v, %v", res.Outcomes, err)
	}
}

// One that hangs leaves time for the others, and the caller's own end is the end.
func TestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res, err := stage(fake{id: "a", takes: time.Hour}, fake{id: "b", urls: page}).
			Do(t.Context(), Request{Order: []string{"a", "b"}})
		if told(res.Outcomes) != "a failed timeout, b ok" || res.Outcomes[0].DurationMS != 10_000 || err != nil {
			t.Errorf("%s, %v", told(res.Outcomes), err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		res, err := stage(fake{id: "a", takes: time.Hour}, fake{id: "b", urls: page}).
			Do(ctx, Request{Order: []string{"a", "b"}})
		// each has its share
		if told(res.Outcomes) != "a failed timeout, b ok" || res.Outcomes[0].DurationMS != 1_500 || err != nil {
			t.Errorf("%s, %v", told(res.Outcomes), err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		asked := 0
		_, err := stage(fake{id: "a", takes: time.Hour}, fake{id: "b", urls: page, asked: &asked}).
			Do(ctx, Request{Order: []string{"a", "b"}})
		if wstk.CodeOf(err) != wstk.Cancelled || asked != 0 {
			t.Errorf("asked %d times, %v", asked, err)
		}
	})
}

func TestFanOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := stage(fake{id: "slow", takes: 3 * time.Second,
			urls: []string{"https://a.example/1", "https://b.example/2"}}, fake{id: "down", err: fail(wstk.Unavailable)},
			fake{id: "hangs", takes: time.Hour}, fake{id: "off", disabled: "no key"},
			fake{id: "fast", urls: page, metered: true}, fake{id: "index", stored: true})
		begin := time.Now()
		answers, err := s.FanOut(t.Context(),
			Request{Query: wstk.SearchQuery{Words: "tide"}, Block: []string{"b.example"},
				Order: []string{"hangs", "slow", "down", "off", "fast", "index"}})
		if err != nil || time.Since(begin) != 4*time.Second {
			t.Errorf("took %s: %v", time.Since(begin), err)
		}
		var outcomes []wstk.ProviderOutcome
		for _, a := range answers {
			outcomes = append(outcomes, a.Outcome)
		}
		if got := told(outcomes); got != "hangs failed timeout, slow ok, down failed unavailable, off skipped, fast ok, index empty" {
			t.Error(got)
		}
		if a := answers[1]; len(a.Rows) != 2 || len(a.Results) != 1 || a.Rows[1].URL != "https://b.example/2" {
			t.Errorf("got %+v", a)
		}
	})
	long := wstk.SearchQuery{Words: strings.Repeat("ä", MaxQuery)}
	asked := 0
	answers, err := stage(fake{id: "a", asked: &asked}, fake{id: "b", disabled: "no key"}).
		FanOut(t.Context(), Request{Query: long, Order: []string{"a", "b"}})
	if wstk.CodeOf(err) != wstk.Invalid || asked != 0 ||
		answers[0].Outcome.Status != wstk.ProviderSkipped ||
		!strings.HasPrefix(answers[0].Outcome.Message, "query_too_long") {
		t.Errorf("got %+v, %v", answers[0].Outcome, err)
	}
	for name, c := range map[string]struct {
		fakes []fake
		code  wstk.Code
	}{
		"all failed": {[]fake{{id: "a", err: fail(wstk.Timeout)},
			{id: "b", err: fail(wstk.Unauthorized)}}, wstk.ProvidersFailed},
		"one has none": {[]fake{{id: "a", err: fail(wstk.Timeout)}, {id: "b"}}, ""},
		"none":         {[]fake{{id: "a"}, {id: "b"}}, ""},
		// says nothing about the web
		"stored alone": {[]fake{{id: "a", err: fail(wstk.Timeout)},
			{id: "b", stored: true}}, wstk.ProvidersFailed},
		"only stored":            {[]fake{{id: "a", disabled: "no key"}, {id: "b", stored: true}}, ""},
		"no provider is enabled": {[]fake{{id: "a", disabled: "no key"}, {id: "b", disabled: "no key"}}, wstk.Invalid},
		// what vendors refuse may be ours to mend
		"all refuse it": {[]fake{{id: "a", err: fail(wstk.Invalid)},
			{id: "b", err: fail(wstk.Invalid)}}, wstk.ProvidersFailed},
		"no known word": {[]fake{{id: "a", stored: true, err: fail(wstk.Invalid)}, {id: "b", disabled: "no key"}}, wstk.Invalid},
	} {
		if _, err := stage(c.fakes...).
			FanOut(t.Context(), Request{Order: []string{"a", "b"}}); wstk.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A counter of failures can distinguish a provider that took too long from a caller whose time
// was over.
func TestTheCauseTellsWhoseTimeIsOver(t *testing.T) {
	for _, c := range []struct {
		name  string
		own   time.Duration
		cause error
	}{
		{"of the provider", time.Hour, wstk.ErrProviderTime},
		{"of the caller", time.Second, context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			var cause error
			slow := hung{fake{id: "a"}, &cause}
			s := &Stage{Providers: []wstk.SearchProvider{slow, fake{id: "b"}}}
			for name, ask := range map[string]func(context.Context) error{
				"Do": func(ctx context.Context) error {
					_, err := s.Do(ctx, Request{Order: []string{"a", "b"}})
					return err
				},
				"FanOut": func(ctx context.Context) error {
					_, err := s.FanOut(ctx, Request{Order: []string{"a"}})
					return err
				},
			} {
				ctx, stop := context.WithTimeout(t.Context(), c.own)
				ask(ctx)
				stop()
				if cause != c.cause {
					t.Errorf("%s, the time %s: the cause is %v", name, c.name, cause)
				}
			}
		})
	}
}

// hung answers when its time is over, and says why it was.
type hung struct {
	fake
	cause *error
}

func (h hung) Search(ctx context.Context, _ wstk.SearchQuery) (wstk.SearchReply, error) {
	<-ctx.Done()
	*h.cause = context.Cause(ctx)
	return wstk.SearchReply{}, wstk.Wrap(wstk.Timeout, "asking "+h.id, ctx.Err())
}
