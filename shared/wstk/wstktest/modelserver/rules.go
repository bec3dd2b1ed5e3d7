package modelserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// rule is one entry of a script: whom it is for, and what is answered.
type rule struct {
	Model  string `json:"model"`  // the whole name; "" for any
	Name   string `json:"name"`   // of what is wanted; "" for any
	System string `json:"system"` // words of the instructions
	User   string `json:"user"`   // words of the message
	Times  int    `json:"times"`  // then the rule is used up; 0 for never

	// Reply is the text; what is not a JSON string is sent as JSON.
	Reply      json.RawMessage `json:"reply"`
	Fault      Fault           `json:"fault"`
	Refuse     []string        `json:"refuse"`
	Status     int             `json:"status"`
	RetryAfter string          `json:"retry_after"`
	DelayMS    int             `json:"delay_ms"`
}

// Rules reads a script: a JSON array of rules, each with any of model, name, system and user
// (what the request must have), times, reply, fault, refuse, status, retry_after and
// delay_ms. The first rule that fits answers; where none fits, the status is 400.
func Rules(script []byte) (func(Request) Reply, error) {
	var rules []rule
	dec := json.NewDecoder(bytes.NewReader(script))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&rules); err != nil {
		return nil, err
	}
	for i, r := range rules {
		if r.Fault != "" && !slices.Contains(Faults(), r.Fault) {
			return nil, fmt.Errorf("rule %d: there is no fault %q", i+1, r.Fault)
		}
	}
	var mu sync.Mutex
	used := make([]int, len(rules))
	return func(in Request) Reply {
		mu.Lock()
		defer mu.Unlock()
		for i, r := range rules {
			if !r.fits(in) || r.Times > 0 && used[i] >= r.Times {
				continue
			}
			used[i]++
			return r.reply()
		}
		return Reply{Status: 400}
	}, nil
}

func (r rule) fits(in Request) bool {
	return (r.Model == "" || r.Model == in.Model) && (r.Name == "" || r.Name == in.Name) &&
		strings.Contains(in.System, r.System) && strings.Contains(in.User, r.User)
}

func (r rule) reply() Reply {
	out := Reply{Fault: r.Fault, Refuse: r.Refuse, Status: r.Status, RetryAfter: r.RetryAfter,
		Delay: time.Duration(r.DelayMS) * time.Millisecond}
	if json.Unmarshal(r.Reply, &out.Text) != nil {
		var b bytes.Buffer
		if json.Compact(&b, r.Reply) == nil {
			out.Text = b.String()
		}
	}
	return out
}
