package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// everything notes at least one of each number.
func everything(m *Registry) {
	m.Time("fetch", time.Now(), nil)
	m.Time("fetch", time.Now(), wstk.Errorf(wstk.Network, "", "cut off"))
	m.Provider(wstk.ProviderOutcome{Provider: "brave_api", Status: wstk.ProviderOK,
		Results: 7, DurationMS: 250})
	m.Provider(wstk.ProviderOutcome{Provider: "serper", Status: wstk.ProviderFailed, DurationMS: 3000})
	m.Provider(wstk.ProviderOutcome{Provider: "tavily", Status: wstk.ProviderSkipped})
	m.Provider(wstk.ProviderOutcome{Provider: "tavily", Status: wstk.ProviderEmpty, Cached: true})
	m.Overlap(1)
	m.Overlap(3)
	m.Run(1200 * time.Millisecond)
	m.Failure(wstk.Errorf(wstk.ProvidersFailed, "", "all"))
	m.Failure(errors.New("no code"))
	m.Failure(nil)
	m.HTTP("GET", `/a"b\c`+"\n", 200, 30*time.Millisecond)
	m.HTTP("GET", "/stream", 200, -1)
	m.Depth("crawl", 4)
	m.Quotes("direct", 2)
	m.Quotes("unsupported", 0)
}

// sample is one line of a text that Prometheus reads.
type sample struct {
	name   string
	labels map[string]string
	value  float64
}

// scrape reads the text format of Prometheus as strictly as it is written down: each
// family once, with help, type, and its samples together.
func scrape(t *testing.T, text string) (kinds map[string]string, samples []sample) {
	t.Helper()
	kinds = map[string]string{}
	name := regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$`)
	label := regexp.MustCompile(`^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)`)
	seen := map[string]bool{}
	family, helped := "", ""
	if !strings.HasSuffix(text, "\n") {
		t.Error("the last line has no end")
	}
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if rest, ok := strings.CutPrefix(line, "# HELP "); ok {
			helped, _, _ = strings.Cut(rest, " ")
			continue
		}
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			var kind string
			family, kind, _ = strings.Cut(rest, " ")
			if kinds[family] != "" || helped != family {
				t.Errorf("%s stands there twice, or without help", family)
			}
			kinds[family] = kind
			continue
		}
		m := name.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("not a sample: %q", line)
		}
		s := sample{m[1], map[string]string{}, 0}
		base := m[1]
		if kinds[family] == "histogram" {
			base = regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(base, "")
		}
		if base != family {
			t.Errorf("%s stands under %s", s.name, family)
		}
		for rest := m[2]; rest != ""; {
			l := label.FindStringSubmatch(rest)
			if l == nil {
				t.Fatalf("labels of %q", line)
			}
			s.labels[l[1]] = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\"`, `"`).Replace(l[2])
			rest = rest[len(l[0]):]
		}
		var err error
		if s.value, err = strconv.ParseFloat(m[3], 64); err != nil {
			t.Errorf("%q: %v", line, err)
		}
		if key := fmt.Sprint(s.name, s.labels); seen[key] {
			t.Errorf("%s stands there twice", key)
		} else {
			seen[key] = true
		}
		samples = append(samples, s)
	}
	return kinds, samples
}

func TestPrometheus(t *testing.T) {
	var m Registry
	everything(&m)
	var text bytes.Buffer
	if err := m.Prometheus(&text); err != nil {
		t.Fatal(err)
	}
	_, samples := scrape(t, text.String())
	value := func(name string, labels ...string) float64 {
		want := map[string]string{}
		for i := 0; i < len(labels); i += 2 {
			want[labels[i]] = labels[i+1]
		}
		for _, s := range samples {
			if s.name == name && maps.Equal(s.labels, want) {
				return s.value
			}
		}
		t.Errorf("%s %v is missing\n%s", name, want, text.String())
		return math.NaN()
	}
	for _, c := range []struct {
		want   float64
		name   string
		labels []string
	}{
		{2, "wstk_stage_calls_total", []string{"stage", "fetch"}},
		{1, "wstk_stage_errors_total", []string{"stage", "fetch", "code", "network"}},
		{7, "wstk_provider_urls_total", []string{"provider", "brave_api"}},
		{1, "wstk_provider_requests_total", []string{"provider", "tavily", "status", "skipped"}},
		{0, "wstk_provider_seconds_bucket", []string{"provider", "brave_api", "le", "0.1"}},
		// the bound itself
		{1, "wstk_provider_seconds_bucket", []string{"provider", "brave_api", "le", "0.25"}},
		{1, "wstk_provider_seconds_bucket", []string{"provider", "brave_api", "le", "+Inf"}},
		{3, "wstk_provider_seconds_sum", []string{"provider", "serper"}},
		{1, "wstk_search_overlap_bucket", []string{"le", "2"}},
		{2, "wstk_search_overlap_bucket", []string{"le", "3"}},
		{4, "wstk_search_overlap_sum", nil},
		{2, "wstk_search_overlap_count", nil},
		{1, "wstk_errors_total", []string{"reason", "providers"}},
		{1, "wstk_errors_total", []string{"reason", "internal"}},
		{1, "wstk_http_requests_total", []string{"method", "GET", "route", `/a"b\c` + "\n", "status", "200"}},
		{4, "wstk_queue_depth", []string{"queue", "crawl"}},
		{2, "wstk_quotes_total", []string{"status", "direct"}},
		{1, "wstk_build_info", []string{"version", wstk.Version}},
	} {
		if got := value(c.name, c.labels...); got != c.want {
			t.Errorf("%s %v is %v, want %v", c.name, c.labels, got, c.want)
		}
	}
	for _, s := range samples {
		if strings.HasPrefix(s.name, "wstk_provider_seconds") && s.labels["provider"] == "tavily" {
			t.Errorf("the time of a provider that was not asked: %v", s)
		}
		if strings.HasPrefix(s.name, "wstk_http_seconds") && s.labels["route"] == "/stream" {
			t.Errorf("the time of a stream: %v", s)
		}
	}
}

// embedded reads lines as CloudWatch does, by its specification of the embedded metric
// format, and returns what each number's values add up to.
func readEmbedded(t *testing.T, text string) map[string]float64 {
	t.Helper()
	sums := map[string]float64{}
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if len(line) > 256<<10 {
			t.Errorf("a line of %d bytes", len(line))
		}
		var root map[string]any
		if err := json.Unmarshal([]byte(line), &root); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		var meta struct {
			Timestamp         int64
			CloudWatchMetrics []struct {
				Namespace  string
				Dimensions [][]string
				Metrics    []struct{ Name, Unit string }
			}
		}
		data, _ := json.Marshal(root["_aws"])
		if err := json.Unmarshal(data, &meta); err != nil || len(meta.CloudWatchMetrics) != 1 {
			t.Fatalf("%v: %s", err, line)
		}
		if at := time.UnixMilli(meta.Timestamp); at.Year() != 2026 {
			t.Errorf("filed under %v", at)
		}
		d := meta.CloudWatchMetrics[0]
		if d.Namespace != "wstk" || len(d.Dimensions) != 1 || len(d.Dimensions[0]) > 30 ||
			len(d.Metrics) == 0 || len(d.Metrics) > 100 {
			t.Errorf("directive %+v", d)
		}
		members := 1 + len(d.Dimensions[0]) + len(d.Metrics)
		if len(root) != members {
			t.Errorf("%d members, %d are described: %s", len(root), members, line)
		}
		for _, dim := range d.Dimensions[0] {
			if v, ok := root[dim].(string); !ok || v == "" || len(v) > 1024 {
				t.Errorf("dimension %s is %v", dim, root[dim])
			}
		}
		for _, k := range d.Metrics {
			if !slices.Contains([]string{"Seconds", "Count", "None"}, k.Unit) {
				t.Errorf("%s has the unit %q", k.Name, k.Unit)
			}
			values, ok := root[k.Name].([]any)
			if !ok {
				values = []any{root[k.Name]}
			}
			if len(values) == 0 || len(values) > 100 {
				t.Errorf("%s has %d values", k.Name, len(values))
			}
			for _, v := range values {
				n, ok := v.(float64)
				if !ok {
					t.Errorf("%s: %v is no number", k.Name, v)
				}
				sums[k.Name] += n
			}
		}
	}
	return sums
}

func TestEmbeddedMetrics(t *testing.T) {
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	var out bytes.Buffer
	m := Registry{Out: &out}
	flush := func() map[string]float64 {
		t.Helper()
		out.Reset()
		if err := m.Flush(now); err != nil {
			t.Fatal(err)
		}
		if out.Len() == 0 {
			return nil
		}
		return readEmbedded(t, out.String())
	}
	everything(&m)
	got := flush()
	for name, want := range map[string]float64{"wstk_stage_calls_total": 2, "wstk_search_overlap": 4, "wstk_provider_seconds": 3.25,
		"wstk_queue_depth": 4, "wstk_build_info": 1, "wstk_errors_total": 2} {
		if got[name] != want {
			t.Errorf("%s is %v, want %v", name, got[name], want)
		}
	}
	if got := flush(); got != nil {
		t.Errorf("nothing changed, and it says %v", got)
	}
	m.Time("fetch", time.Now(), nil) // a counter tells what was added
	for range 250 {
		m.Overlap(2)
	}
	if got := flush(); got["wstk_stage_calls_total"] != 1 || got["wstk_search_overlap"] != 500 || len(got) != 3 {
		t.Errorf("%v", got)
	}
	var silent Registry
	everything(&silent)
	if err := silent.Flush(now); err != nil {
		t.Error(err)
	}
	for _, s := range silent.series {
		if s.samples != nil {
			t.Errorf("%s keeps samples that are never taken", s.name)
		}
	}
}

// The numbers have the same names for Prometheus, for CloudWatch and for people.
func TestMetricNames(t *testing.T) {
	doc, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented, known []string
	for _, row := range regexp.MustCompile("(?m)^\\| `(wstk_[a-z_]+)(?:\\{([a-z, ]+)\\})?` \\((\\w+)\\) \\|").FindAllStringSubmatch(string(doc), -1) {
		documented = append(documented, row[1]+" "+row[2]+" "+row[3])
	}
	for _, k := range all {
		known = append(known, k.name+" "+strings.Join(k.labels, ", ")+" "+string(k.kind))
	}
	slices.Sort(documented)
	slices.Sort(known)
	if !slices.Equal(documented, known) {
		t.Errorf("docs/operations.md lists\n%s\nthere are\n%s", strings.Join(documented, "\n"), strings.Join(known, "\n"))
	}

	var text, lines bytes.Buffer
	m := Registry{Out: &lines}
	everything(&m)
	if err := errors.Join(m.Prometheus(&text),
		m.Flush(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))); err != nil {
		t.Fatal(err)
	}
	kinds, samples := scrape(t, text.String())
	prometheus, cloudwatch := slices.Sorted(maps.Keys(kinds)),
		slices.Sorted(maps.Keys(readEmbedded(t, lines.String())))
	if !slices.Equal(prometheus, cloudwatch) || len(prometheus) != len(all) {
		t.Errorf("Prometheus is told\n%v\nCloudWatch\n%v", prometheus, cloudwatch)
	}
	for _, k := range all {
		if !slices.ContainsFunc(samples, func(s sample) bool {
			return strings.HasPrefix(s.name, k.name)
		}) {
			t.Errorf("%s was never noted", k.name)
		}
	}
}

func TestMetricsTogether(t *testing.T) {
	var m Registry
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				m.Time("read", time.Now(), nil)
				m.Prometheus(&bytes.Buffer{})
			}
		})
	}
	wg.Wait()
	if s := m.Stats()["read"]; s.Calls != 800 || s.Errors != nil {
		t.Errorf("%+v", s)
	}
}
