package metrics

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"wstk/shared/wstk"
)

// Prometheus writes all numbers in the text format of Prometheus, version 0.0.4.
func (m *Registry) Prometheus(w io.Writer) error {
	m.set(buildInfo, 1, wstk.Version)
	m.mu.Lock()
	for _, k := range all {
		if len(k.labels) == 0 { // it is known, and 0, before the first
			m.of(k)
		}
	}
	list := m.sorted()
	var b bytes.Buffer
	for _, k := range all {
		b.WriteString("# HELP " + k.name + " " + k.help + "\n# TYPE " + k.name + " " +
			string(k.kind) + "\n")
		for _, s := range list {
			if s.metric == k {
				s.prometheus(&b)
			}
		}
	}
	m.mu.Unlock()
	_, err := w.Write(b.Bytes())
	return err
}

// sorted are the series in an order that stays. The lock is held.
func (m *Registry) sorted() []*series {
	return slices.SortedFunc(maps.Values(m.series), func(a, b *series) int {
		return cmp.Or(cmp.Compare(a.name, b.name), slices.Compare(a.values, b.values))
	})
}

var escaped = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func (s *series) prometheus(b *bytes.Buffer) {
	line := func(name string, value string, more ...string) {
		b.WriteString(name)
		pairs := slices.Clone(more)
		for i, l := range s.labels {
			pairs = append(pairs, l+`="`+escaped.Replace(s.values[i])+`"`)
		}
		if len(pairs) > 0 {
			b.WriteString("{" + strings.Join(pairs, ",") + "}")
		}
		b.WriteString(" " + value + "\n")
	}
	total := strconv.FormatFloat(s.total, 'g', -1, 64)
	if s.kind != histogram {
		line(s.name, total)
		return
	}
	n := uint64(0)
	for i, c := range s.counts {
		n += c
		bound := "+Inf"
		if i < len(s.buckets) {
			bound = strconv.FormatFloat(s.buckets[i], 'g', -1, 64)
		}
		line(s.name+"_bucket", strconv.FormatUint(n, 10), `le="`+bound+`"`)
	}
	line(s.name+"_sum", total)
	line(s.name+"_count", strconv.FormatUint(n, 10))
}

// namespace is that of our numbers in CloudWatch.
const namespace = "wstk"

// mostSamples is how many values of one number CloudWatch takes in one line.
const mostSamples = 100

// Flush writes what changed since the last flush to Out in CloudWatch's embedded metric
// format: a line of JSON for each set of label values, counters as what was added. Where
// Out is nil it does nothing. now is the time the numbers are filed under.
func (m *Registry) Flush(now time.Time) error {
	if m.Out == nil {
		return nil
	}
	m.mu.Lock()
	if s := m.of(buildInfo, wstk.Version); s.total == 0 {
		s.total, s.changed = 1, true
	}
	var lines bytes.Buffer
	list := m.sorted()
	for len(list) > 0 {
		s := list[0]
		same := func(o *series) bool {
			return slices.Equal(o.labels, s.labels) && slices.Equal(o.values, s.values)
		}
		var group []*series
		for _, o := range list {
			if same(o) && o.changed {
				group = append(group, o)
			}
		}
		list = slices.DeleteFunc(list, same)
		for len(group) > 0 {
			lines.Write(embedded(group, now))
			group = slices.DeleteFunc(group, func(o *series) bool { return len(o.samples) == 0 })
		}
	}
	m.mu.Unlock()
	_, err := m.Out.Write(lines.Bytes())
	return wstk.Wrap(wstk.Internal, "writing metrics", err)
}

// embedded is one line of numbers with the same labels; what of a histogram does not fit
// stays for the next.
func embedded(group []*series, now time.Time) []byte {
	type definition struct {
		Name string
		Unit string
	}
	type directive struct {
		Namespace  string
		Dimensions [][]string
		Metrics    []definition
	}
	d := directive{Namespace: namespace,
		Dimensions: [][]string{append([]string{}, group[0].labels...)}}
	line := map[string]any{}
	for i, l := range group[0].labels {
		line[l] = group[0].values[i]
	}
	for _, s := range group {
		d.Metrics = append(d.Metrics, definition{s.name, s.unit})
		switch s.kind {
		case histogram:
			n := min(len(s.samples), mostSamples)
			line[s.name] = slices.Clone(s.samples[:n])
			s.samples = slices.Delete(s.samples, 0, n)
		case counter:
			line[s.name] = s.total - s.flushed
		default:
			line[s.name] = s.total
		}
		s.flushed, s.changed = s.total, false
	}
	line["_aws"] = map[string]any{"Timestamp": now.UnixMilli(), "CloudWatchMetrics": []directive{d}}
	data, _ := json.Marshal(line) // texts and finite numbers
	return append(data, '\n')
}
