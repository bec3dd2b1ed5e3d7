// Package metrics counts what a process does. A Registry holds the numbers; metrics.go has
// the table of all of them and a method for each kind of event. exposition.go writes them
// for Prometheus and, as lines in the log, for CloudWatch.
package metrics

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"wstk/shared/wstk"
)

// Registry holds the numbers of this process since it began. It may be used concurrently;
// the zero value is ready.
type Registry struct {
	// Out is where Flush writes; nil where the numbers are asked for instead. It is set
	// before the first use.
	Out io.Writer

	mu     sync.Mutex
	series map[string]*series // by metric and label values
}

// metric is a number with a name, which is the same wherever the number is shown.
type metric struct {
	name, help string
	kind       metricKind
	unit       string    // as CloudWatch calls it
	labels     []string  // their values are few: never an address or words of a user
	buckets    []float64 // of a histogram: upper bounds, rising
}

type metricKind string

const (
	counter   metricKind = "counter"
	gauge     metricKind = "gauge"
	histogram metricKind = "histogram"
)

var (
	inSeconds     = []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}
	inConfidences = []float64{1, 2, 3, 4, 5, 6, 7, 8}
)

// all are the metrics there are; docs/operations.md lists the same.
var all = []*metric{stageCalls, stageSeconds, stageErrors, providerRequests,
	providerSeconds, providerURLs,
	searchRunSeconds, searchOverlap, runErrors, httpRequests, httpSeconds,
	queueDepth, quotes, buildInfo}

var (
	stageCalls = &metric{"wstk_stage_calls_total", "Calls of a stage.", counter, "Count",
		[]string{"stage"}, nil}
	stageSeconds = &metric{"wstk_stage_seconds_total",
		"Time spent in a stage, summed over workers.", counter, "Seconds", []string{"stage"}, nil}
	stageErrors = &metric{"wstk_stage_errors_total", "Calls of a stage that failed, by code.",
		counter, "Count", []string{"stage", "code"}, nil}
	providerRequests = &metric{"wstk_provider_requests_total",
		"What became of search providers in searches: ok, empty, failed, skipped.", counter,
		"Count", []string{"provider", "status"}, nil}
	providerSeconds = &metric{"wstk_provider_seconds",
		"How long search providers took that were asked.", histogram, "Seconds",
		[]string{"provider"}, inSeconds}
	providerURLs = &metric{"wstk_provider_urls_total", "Results that search providers gave.",
		counter, "Count", []string{"provider"}, nil}
	searchRunSeconds = &metric{"wstk_search_run_seconds", "How long search runs took.", histogram,
		"Seconds", nil, inSeconds}
	searchOverlap = &metric{"wstk_search_overlap",
		"How many providers found a URL of a search run: its confidence.", histogram, "Count",
		nil, inConfidences}
	runErrors = &metric{"wstk_errors_total",
		"Runs that failed, by reason: model, providers, invalid, store, or the code of the error.",
		counter, "Count", []string{"reason"}, nil}
	httpRequests = &metric{"wstk_http_requests_total", "Requests that were answered.", counter,
		"Count", []string{"method", "route", "status"}, nil}
	httpSeconds = &metric{"wstk_http_seconds",
		"How long answering took; streams are not measured.", histogram, "Seconds",
		[]string{"route"}, inSeconds}
	queueDepth = &metric{"wstk_queue_depth", "Messages that wait in a queue.", gauge, "Count",
		[]string{"queue"}, nil}
	quotes = &metric{"wstk_quotes_total",
		"Quotes of extractions after they were looked for again: direct, normalized, unsupported.",
		counter, "Count", []string{"status"}, nil}
	buildInfo = &metric{"wstk_build_info", "1, for the version that runs.", gauge, "None",
		[]string{"version"}, nil}
)

// series is a metric with values of its labels.
type series struct {
	*metric
	values []string // of the labels
	total  float64  // of a counter, or of what a histogram observed; the value of a gauge
	counts []uint64 // of a histogram, by bucket; the last has no upper bound

	changed bool      // since the last flush
	flushed float64   // total at the last flush
	samples []float64 // of a histogram since the last flush, where there are flushes
}

// of returns the series of a metric with these values of its labels. The lock is held.
func (m *Registry) of(k *metric, values ...string) *series {
	for i, v := range values {
		if v == "" { // CloudWatch takes no empty one
			values[i] = "none"
		}
	}
	key := k.name + "\x00" + strings.Join(values, "\x00")
	s := m.series[key]
	if s == nil {
		if m.series == nil {
			m.series = map[string]*series{}
		}
		s = &series{metric: k, values: values}
		if k.kind == histogram {
			s.counts = make([]uint64, len(k.buckets)+1)
		}
		m.series[key] = s
	}
	return s
}

func (m *Registry) add(k *metric, n float64, values ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.of(k, values...)
	s.total += n
	s.changed = true
}

func (m *Registry) set(k *metric, n float64, values ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.of(k, values...)
	s.total, s.changed = n, true
}

func (m *Registry) observe(k *metric, x float64, values ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.of(k, values...)
	i, _ := slices.BinarySearch(k.buckets, x) // a bound belongs to its bucket
	s.counts[i]++
	s.total += x
	s.changed = true
	if m.Out != nil {
		s.samples = append(s.samples, x)
	}
}

// Time notes one call of a stage that began at started and ended now.
func (m *Registry) Time(stage string, started time.Time, err error) {
	m.add(stageCalls, 1, stage)
	m.add(stageSeconds, time.Since(started).Seconds(), stage)
	if err != nil {
		m.add(stageErrors, 1, stage, string(wstk.CodeOf(err)))
	}
}

// Provider notes what became of a search provider in one search. Its time counts where
// it was asked.
func (m *Registry) Provider(o wstk.ProviderOutcome) {
	m.add(providerRequests, 1, o.Provider, string(o.Status))
	m.add(providerURLs, float64(o.Results), o.Provider)
	if o.Status != wstk.ProviderSkipped && !o.Cached {
		m.observe(providerSeconds, float64(o.DurationMS)/1000, o.Provider)
	}
}

// Overlap notes one merged URL of a search run, which so many providers found.
func (m *Registry) Overlap(confidence int) { m.observe(searchOverlap, float64(confidence)) }

// Run notes how long a search run took that was stored.
func (m *Registry) Run(d time.Duration) { m.observe(searchRunSeconds, d.Seconds()) }

// Failure notes that a run failed; nil notes nothing.
func (m *Registry) Failure(err error) {
	if err != nil {
		m.add(runErrors, 1, reason(wstk.CodeOf(err)))
	}
}

// reason is what a failed run is counted under.
func reason(c wstk.Code) string {
	switch c {
	case wstk.ModelFailed:
		return "model"
	case wstk.ProvidersFailed:
		return "providers"
	case wstk.Unavailable:
		return "store"
	}
	return string(c)
}

// Quotes notes so many quotes of an extraction: direct, normalized or unsupported.
func (m *Registry) Quotes(status string, n int) {
	if n > 0 {
		m.add(quotes, float64(n), status)
	}
}

// knownMethods are the methods that are counted by name; another might be anybody's words.
var knownMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

// HTTP notes a request that was answered. pattern is the one of its http.ServeMux, of which
// the path becomes the route: "GET /web/runs/{id}" is "/web/runs/{id}", and what matched no
// address, "" or "/", is other. d below 0 is not measured: a stream lasts as long as its
// reader likes.
func (m *Registry) HTTP(method, pattern string, status int, d time.Duration) {
	if !slices.Contains(knownMethods, method) {
		method = "other"
	}
	// of a method that is not among those of an address, there is no space
	route := pattern[strings.Index(pattern, " ")+1:]
	switch route {
	case "", "/":
		route = "other"
	case "/{$}":
		route = "/"
	}
	m.add(httpRequests, 1, method, route, strconv.Itoa(status))
	if d >= 0 {
		m.observe(httpSeconds, d.Seconds(), route)
	}
}

// Depth notes how many messages wait in a queue.
func (m *Registry) Depth(queue string, waiting int) { m.set(queueDepth, float64(waiting), queue) }

// Stat is the work of one stage. Seconds are summed over workers, so that they can
// exceed the time that passed.
type Stat struct {
	Calls   int               `json:"calls"`
	Seconds float64           `json:"seconds"`
	Errors  map[wstk.Code]int `json:"errors,omitempty"`
}

// Stats returns what the stages did, by stage.
func (m *Registry) Stats() map[string]Stat {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string]Stat{}
	for _, s := range m.series {
		if s.metric != stageCalls && s.metric != stageSeconds && s.metric != stageErrors {
			continue
		}
		stat := out[s.values[0]]
		switch s.metric {
		case stageCalls:
			stat.Calls = int(s.total)
		case stageSeconds:
			stat.Seconds = s.total
		case stageErrors:
			if stat.Errors == nil {
				stat.Errors = map[wstk.Code]int{}
			}
			stat.Errors[wstk.Code(s.values[1])] = int(s.total)
		}
		out[s.values[0]] = stat
	}
	return out
}
