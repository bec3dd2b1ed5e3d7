package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"wstk/shared/wstk/wstktest"
)

// vendors plays the search providers and the model for both homes.
func vendors() *wstktest.Vendors {
	return (&wstktest.Vendors{
		Serper: wstktest.VendorAnswer{URLs: []string{"https://ec.europa.eu/act.html", "https://www.politico.eu/ai/", "https://ec.europa.eu/act.html?utm_source=x"}},
		Google: wstktest.VendorAnswer{URLs: []string{"https://www.politico.eu/ai/", "https://artificial.example.eu/act"}},
		Brave:  wstktest.VendorAnswer{URLs: []string{"https://ec.europa.eu/act.html#top"}},
		Model: wstktest.VendorAnswer{
			Text: `{"keywords": ["AI regulation", "AI Act"], "boolean": "OR",
			"filters": {"sites": [".eu"], "date_after": "{LAST_WEEK_START}", "date_before": "{LAST_WEEK_END}"}}`},
	}).Start()
}

// cascade is whom both homes ask.
const cascade = "serper,google,brave"

// searchRun is what the scenario reads of a search run.
type searchRun struct {
	ID   string `json:"run_id"`
	URLs []struct {
		URL        string `json:"url"`
		Confidence int    `json:"confidence"`
	} `json:"urls"`
	Raw []json.RawMessage `json:"raw"`
}

// runs asks the same providers through the API and on one machine, and compares.
func (e *e2e) runs(ctx context.Context, home *home, v *wstktest.Vendors) error {
	const query = "latest EU AI regulation updates in the last week"
	body := map[string]any{"query": query,
		"options": map[string]any{"lang": "en", "maxResults": 10}}
	var cloud, local any
	if err := e.api.call(ctx, "POST", "/search-runs", body, &cloud, 201); err != nil {
		return err
	}
	var run, again searchRun
	if err := convert(cloud, &run); err != nil {
		return err
	}
	if err := e.api.call(ctx, "GET", "/search-runs/"+run.ID+"?raw=true", nil, &again,
		200); err != nil {
		return err
	}
	if len(run.URLs) != 3 || run.URLs[0].Confidence != 2 || len(again.URLs) != 3 ||
		len(again.Raw) != 6 {
		return fmt.Errorf("the run has %v, stored are %d rows", run.URLs, len(again.Raw))
	}
	var listed struct {
		Runs []searchRun `json:"runs"`
	}
	if err := e.api.call(ctx, "GET",
		"/search-runs?query=latest+EU+AI+regulation+updates+in+the+last+week", nil,
		&listed, 200); err != nil {
		return err
	}
	if len(listed.Runs) != 1 || listed.Runs[0].ID != run.ID {
		return fmt.Errorf("listed are %v", listed.Runs)
	}
	if err := home.json(ctx, &local, "runs", "create", query, "--language", "en", "--max-results",
		"10"); err != nil {
		return err
	}
	if a, b := settled(cloud), settled(local); a != b {
		return fmt.Errorf("the runs differ:\n--- cloud\n%s\n--- home\n%s", a, b)
	}
	e.step("  %d addresses, the first found by %d providers; the same run in both homes",
		len(run.URLs), run.URLs[0].Confidence)
	if err := e.failures(ctx, v); err != nil {
		return err
	}
	return e.pace(ctx, v)
}

// failures checks that nothing fails in silence.
func (e *e2e) failures(ctx context.Context, v *wstktest.Vendors) error {
	asked := len(v.Asked("serper"))
	v.Set("model", wstktest.VendorAnswer{
		Text: `{"keywords": ["x"], "filters": {"date_after": "{PAST_2_WEEKS}"}}`})
	if err := e.api.call(ctx, "POST", "/search-runs", map[string]any{"query": "junk of the model"},
		nil, 400); err != nil {
		return err
	}
	v.Set("model", wstktest.VendorAnswer{Status: 500})
	if err := e.api.call(ctx, "POST", "/search-runs", map[string]any{"query": "no model"},
		nil, 502); err != nil {
		return err
	}
	if len(v.Asked("serper")) != asked {
		return errors.New("a provider was asked although the rewriting failed")
	}
	v.Set("model", wstktest.VendorAnswer{Text: `{"keywords": ["tides"]}`})
	v.Set("serper", wstktest.VendorAnswer{Status: 403})
	var one struct {
		Outcomes []struct {
			Provider, Status, Code string
		} `json:"provider_outcomes"`
	}
	if err := e.api.call(ctx, "POST", "/search-runs", map[string]any{"query": "one is down"},
		&one, 201); err != nil {
		return err
	}
	if len(one.Outcomes) != 3 || one.Outcomes[0].Code != "unauthorized" ||
		one.Outcomes[1].Status != "ok" {
		return fmt.Errorf("the outcomes are %v", one.Outcomes)
	}
	v.Set("google", wstktest.VendorAnswer{Status: 400})
	v.Set("brave", wstktest.VendorAnswer{Status: 422})
	if err := e.api.call(ctx, "POST", "/search-runs", map[string]any{"query": "all are down"},
		nil, 502); err != nil {
		return err
	}
	e.step("  junk of the model 400, a failed model 502, one provider down 201, all down 502")
	return nil
}

// pace returns how much longer a run takes than its slowest provider, through the API.
func (e *e2e) pace(ctx context.Context, v *wstktest.Vendors) error {
	const runs, slowest = 20, 200 * time.Millisecond
	for _, name := range []string{"serper", "google", "brave"} {
		v.Set(name, wstktest.VendorAnswer{URLs: []string{"https://tides.example/" + name, "https://tides.example/"}, Delay: slowest})
	}
	var over []time.Duration
	for range runs {
		started := time.Now()
		if err := e.api.call(ctx, "POST", "/search-runs", map[string]any{"query": "one is down"},
			nil, 201); err != nil {
			return err
		}
		over = append(over, time.Since(started)-slowest)
	}
	slices.Sort(over)
	e.step("  beyond the slowest provider: median %d ms, 95th percentile %d ms of %d runs",
		over[runs/2].Milliseconds(), over[runs*95/100].Milliseconds(), runs)
	return nil
}

func convert(from, to any) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

// settled is a run without its id and its times.
func settled(run any) string {
	var forget func(any)
	forget = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			maps.DeleteFunc(v, func(k string, _ any) bool {
				return k == "run_id" || k == "timestamp" || k == "duration_ms"
			})
			for _, x := range v {
				forget(x)
			}
		case []any:
			for _, x := range v {
				forget(x)
			}
		}
	}
	forget(run)
	data, err := json.MarshalIndent(run, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(data)
}
