package crawl

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"wstk/shared/wstk"
)

const (
	maxDelay = 30 * time.Second // a longer Crawl-delay is cut to this, with a warning
	maxGap   = 60 * time.Second // the adaptive gap does not grow beyond this
	firstGap = 500 * time.Millisecond
	maxAhead = 900 * time.Second // how far ahead a slot may be: what a queue can delay
	// no queue of ours is longer; a slot further ahead is after a pause the host asked for
	maxQueue   = maxAhead + 5*time.Minute
	slowQueue  = 4           // URLs under way of a host that asked for fewer requests
	maxKept    = 100         // slots kept of one host
	retryAfter = time.Second // first back-off; each further one is four times as long
)

// pace is how a host has been answering in this run.
type pace struct {
	Level    int       `json:"l,omitempty"` // how often the gap is doubled
	Failures int       `json:"f,omitempty"` // timeouts, network errors, 429 and 503 in a row
	Blocked  bool      `json:"b,omitempty"` // the last of them was a 429 or 503
	Until    time.Time `json:"u,omitzero"`  // the host asked for no requests before
	// slots are taken up to here, so none is tried before
	Full time.Time   `json:"w,omitzero"`
	Kept []wstk.Slot `json:"k,omitempty"` // slots that are ours and in the future, earliest first
}

// answer is how a host took a request.
type answer int

const (
	answered answer = iota // any other answer
	slowDown               // 429, 503
	noAnswer               // timeout, network error
)

func paceKey(host string) string { return "pace/" + short(host) }

func readPace(note string) pace {
	var p pace
	if note != "" {
		_ = json.Unmarshal([]byte(note), &p)
	}
	return p
}

func (p pace) String() string {
	data, err := json.Marshal(p)
	if err != nil || string(data) == "{}" {
		return ""
	}
	return string(data)
}

func (s *Stage) paceOf(ctx context.Context, run wstk.RunID, host string) (pace, error) {
	note, err := s.Frontier.Note(ctx, run, paceKey(host))
	return readPace(note), err
}

// notePace notes how a host took a request: the gap doubles on 429 and 503 and
// halves on an answer.
func (s *Stage) notePace(
	ctx context.Context, run wstk.RunID, host string, a answer, until time.Time,
) (pace, error) {
	var p pace
	err := s.changeNote(ctx, run, paceKey(host), func(old string) (string, error) {
		p = readPace(old)
		switch a {
		case answered:
			p.Level, p.Failures, p.Blocked = max(0, p.Level-1), 0, false
			if !p.Until.After(s.now()) {
				p.Until = time.Time{}
			}
			if !p.Full.After(s.now()) {
				p.Full = time.Time{}
			}
		case slowDown:
			p.Level, p.Failures, p.Blocked = min(p.Level+1, 8), p.Failures+1, true
			if until.After(p.Until) {
				p.Until = until.UTC().Round(0)
			}
		case noAnswer:
			p.Failures, p.Blocked = p.Failures+1, false
		}
		return p.String(), nil
	})
	return p, err
}

// keep adds a slot that is ours and was not used.
func (p *pace) keep(slot wstk.Slot) {
	slot.At = slot.At.UTC().Round(0)
	p.Kept = append(p.Kept, slot)
	slices.SortFunc(p.Kept, func(a, b wstk.Slot) int { return a.At.Compare(b.At) })
	p.Kept = p.Kept[:min(len(p.Kept), maxKept)]
}

// gap is the least time between two requests to a host whose own delay is given.
func (p pace) gap(delay time.Duration) time.Duration {
	if p.Level == 0 || delay >= maxGap {
		return delay
	}
	return min(maxGap, max(delay, firstGap)<<p.Level)
}

// delay is the larger of the run's rate limit and the host's Crawl-delay.
func (s *Stage) delay(ctx context.Context, v view, host string) (time.Duration, error) {
	d, err := s.Robots.Check(ctx, host+"/", v.options.UserAgent, v.options.Robots)
	if err != nil {
		return 0, err
	}
	if d.Delay > maxDelay {
		if err := s.Warn(ctx, v.run,
			wstk.Warning{Code: "crawl_delay_capped", URL: host + "/robots.txt",
				Message: fmt.Sprintf("robots.txt asks for %v between requests; %v are kept.",
					d.Delay,
					maxDelay)}); err != nil {
			return 0, err
		}
		d.Delay = maxDelay
	}
	return max(v.options.RateLimit, d.Delay), nil
}

// backOff is how long to wait before another attempt, after n of them.
func backOff(n int) time.Duration { return retryAfter << (2 * min(max(n-1, 0), 5)) }
