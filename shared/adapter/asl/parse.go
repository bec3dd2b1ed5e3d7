package asl

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"wstk/shared/wstk"
)

// block is a StartAt and its States: the machine, a Map's processor or a branch.
type block struct {
	start  string
	states map[string]*state
}

// state is one state; which fields are set depends on its kind.
type state struct {
	name, kind string
	next       string // "" is the end
	in, out    filter
	params     expr // nil: the input as it is
	selector   expr // nil: the result as it is
	result     expr // of Pass; nil: its input
	place      place
	retry      []retry
	catch      []catch

	task    Task
	timeout time.Duration // of Task; 0 is none

	branches []*block // of Parallel; one of Map
	items    filter
	item     expr // ItemSelector; nil: the item as it is
	limit    int  // items at a time; 0 is all

	choices []choice
	wait    expr // seconds

	error, cause expr // of Fail; nil: none
}

type retry struct {
	ErrorEquals     []string
	IntervalSeconds int     // before the first retry
	MaxAttempts     int     // retries
	BackoffRate     float64 // by which the interval grows
	MaxDelaySeconds int     // 0 is none
	JitterStrategy  string
}

type catch struct {
	names []string
	place place
	next  string
}

type choice struct {
	test test
	next string
}

// fieldsOf are the fields a state may have, besides Type and Comment.
var fieldsOf = map[string]string{
	"Task": "InputPath Parameters Resource TimeoutSeconds ResultSelector ResultPath " +
		"OutputPath Retry Catch Next End",
	"Map": "InputPath ItemsPath ItemSelector ItemProcessor MaxConcurrency ResultSelector " +
		"ResultPath OutputPath Retry Catch Next End",
	"Parallel": "InputPath Parameters Branches ResultSelector ResultPath OutputPath Retry Catch " +
		"Next End",
	"Pass":    "InputPath Parameters Result ResultPath OutputPath Next End",
	"Wait":    "InputPath Seconds SecondsPath OutputPath Next End",
	"Choice":  "InputPath Choices Default OutputPath",
	"Succeed": "InputPath OutputPath",
	"Fail":    "Error ErrorPath Cause CausePath",
}

// parser holds what all parts of a file share.
type parser struct {
	resources func(string) (Task, error)
	names     map[string]bool // of states: they are unique in a file
	maps      int             // Map states around
}

// Parse reads a machine. resources gives the task of a Resource, word for word as the
// file has it. What the file holds beyond the language this package knows, or what
// Step Functions itself would refuse, is Invalid, and the error names state and field.
func Parse(
	name string, data []byte, resources func(resource string) (Task, error),
) (*Machine, error) {
	p := &parser{resources: resources, names: map[string]bool{}}
	top, err := p.block(data, "Comment Version QueryLanguage TimeoutSeconds StartAt States")
	var raw struct{ TimeoutSeconds *int }
	m := &Machine{name: name, top: top}
	if err == nil {
		err = json.Unmarshal(data, &raw)
	}
	if err == nil {
		m.timeout, err = seconds(raw.TimeoutSeconds)
	}
	if err != nil {
		return nil, wstk.Errorf(wstk.Invalid, "reading state machine "+name, "%w", err)
	}
	return m, nil
}

// seconds reads TimeoutSeconds; without one it is 0.
func seconds(n *int) (time.Duration, error) {
	if n == nil {
		return 0, nil
	}
	if *n <= 0 {
		return 0, errors.New(`"TimeoutSeconds" has to be positive`)
	}
	return time.Duration(*n) * time.Second, nil
}

// strict decodes an object that may have just the allowed fields.
func strict(data []byte, allowed string, into any) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil || fields == nil {
		return errors.New("it has to be an object")
	}
	for _, f := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(strings.Fields(allowed), f) {
			return fmt.Errorf("the field %q is not supported here", f)
		}
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(data, into)
}

func (p *parser) block(data []byte, allowed string) (*block, error) {
	var raw struct {
		QueryLanguage, Version *string
		StartAt                string
		States                 map[string]json.RawMessage
	}
	if err := strict(data, allowed, &raw); err != nil {
		return nil, err
	}
	if raw.QueryLanguage != nil && *raw.QueryLanguage != "JSONPath" {
		return nil, fmt.Errorf(`"QueryLanguage": %s is not supported`, *raw.QueryLanguage)
	}
	if raw.Version != nil && *raw.Version != "1.0" {
		return nil, fmt.Errorf(`"Version": %s is not supported`, *raw.Version)
	}
	b := &block{start: raw.StartAt, states: map[string]*state{}}
	for _, name := range slices.Sorted(maps.Keys(raw.States)) {
		if p.names[name] {
			return nil, fmt.Errorf("state %q: the name is used twice", name)
		}
		p.names[name] = true
		s, err := p.state(name, raw.States[name])
		if err != nil {
			return nil, fmt.Errorf("state %q: %w", name, err)
		}
		b.states[name] = s
	}
	return b, b.connected()
}

// connected checks that every transition leads to a state and every state is reached.
func (b *block) connected() error {
	if b.states[b.start] == nil {
		return fmt.Errorf("there is no state %q to start at", b.start)
	}
	reached := map[string]bool{b.start: true}
	for todo := []string{b.start}; len(todo) > 0; todo = todo[1:] {
		for _, next := range b.states[todo[0]].successors() {
			if b.states[next] == nil {
				return fmt.Errorf("state %q: there is no state %q to go to", todo[0], next)
			}
			if !reached[next] {
				reached[next] = true
				todo = append(todo, next)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.states)) {
		if !reached[name] {
			return fmt.Errorf("state %q: nothing leads to it", name)
		}
	}
	return nil
}

func (s *state) successors() (out []string) {
	if s.next != "" {
		out = append(out, s.next)
	}
	for _, c := range s.catch {
		out = append(out, c.next)
	}
	for _, c := range s.choices {
		out = append(out, c.next)
	}
	return out
}

// stateFields are the fields of all kinds of states.
type stateFields struct {
	Type                                   string
	Next, Default                          string
	End                                    bool
	InputPath, OutputPath, ResultPath      json.RawMessage
	Parameters, ResultSelector, Result     json.RawMessage
	Retry, Catch, Choices, Branches        []json.RawMessage
	Resource                               string
	TimeoutSeconds, MaxConcurrency         *int
	ItemsPath, ItemSelector, ItemProcessor json.RawMessage
	Seconds                                *int
	SecondsPath                            *string
	Error, ErrorPath, Cause, CausePath     *string
}

func (p *parser) state(name string, data []byte) (*state, error) {
	var kind struct{ Type string }
	if err := json.Unmarshal(data, &kind); err != nil {
		return nil, err
	}
	allowed, ok := fieldsOf[kind.Type]
	if !ok {
		return nil, fmt.Errorf(`"Type": %q is not supported`, kind.Type)
	}
	var raw stateFields
	if err := strict(data, "Type Comment "+allowed, &raw); err != nil {
		return nil, err
	}
	s := &state{name: name, kind: raw.Type, next: raw.Next}
	if strings.Contains(allowed, " End") && (raw.Next == "") != raw.End {
		return nil, errors.New(`it needs either "Next" or "End": true`)
	}
	read := func(field string, parse func() error) error {
		if err := parse(); err != nil {
			return fmt.Errorf("%q: %w", field, err)
		}
		return nil
	}
	err := errors.Join(
		read("InputPath", func() (err error) { s.in, err = p.filter(raw.InputPath); return }),
		read("OutputPath", func() (err error) { s.out, err = p.filter(raw.OutputPath); return }),
		read("ResultPath", func() (err error) { s.place, err = p.place(raw.ResultPath); return }),
		read("Parameters", func() (err error) {
			s.params, err = p.template(raw.Parameters)
			return
		}),
		read("ResultSelector", func() (err error) {
			s.selector, err = p.template(raw.ResultSelector)
			return
		}),
		read("Retry", func() (err error) { s.retry, err = parseRetry(raw.Retry); return }),
		read("Catch", func() (err error) { s.catch, err = p.catches(raw.Catch); return }),
	)
	if err != nil {
		return nil, err
	}
	switch s.kind {
	case "Task":
		err = p.taskState(s, raw)
	case "Map":
		err = p.mapState(s, raw)
	case "Parallel":
		if len(raw.Branches) == 0 {
			return nil, errors.New(`"Branches" is missing`)
		}
		for _, data := range raw.Branches {
			b, err := p.block(data, "Comment StartAt States")
			if err != nil {
				return nil, err
			}
			s.branches = append(s.branches, b)
		}
	case "Pass":
		if raw.Result != nil {
			if raw.Parameters != nil {
				return nil, errors.New(`it needs either "Parameters" or "Result"`)
			}
			v, err := decode(raw.Result)
			if err != nil {
				return nil, err
			}
			s.result = constant(v)
		}
	case "Wait":
		err = p.waitState(s, raw)
	case "Choice":
		err = p.choiceState(s, raw)
	case "Fail":
		s.error, err = p.word("Error", raw.Error, raw.ErrorPath)
		if err == nil {
			s.cause, err = p.word("Cause", raw.Cause, raw.CausePath)
		}
	}
	return s, err
}

func (p *parser) taskState(s *state, raw stateFields) (err error) {
	if raw.Resource == "" {
		return errors.New(`"Resource" is missing`)
	}
	if s.task, err = p.resources(raw.Resource); err != nil {
		return fmt.Errorf(`"Resource": %w`, err)
	}
	s.timeout, err = seconds(raw.TimeoutSeconds)
	return err
}

func (p *parser) mapState(s *state, raw stateFields) (err error) {
	if s.items, err = p.filter(raw.ItemsPath); err != nil {
		return fmt.Errorf(`"ItemsPath": %w`, err)
	}
	if s.items.null {
		return errors.New(`"ItemsPath" cannot be null`)
	}
	if raw.MaxConcurrency != nil {
		if s.limit = *raw.MaxConcurrency; s.limit < 0 {
			return errors.New(`"MaxConcurrency" is negative`)
		}
	}
	p.maps++
	defer func() { p.maps-- }()
	if s.item, err = p.template(raw.ItemSelector); err != nil {
		return fmt.Errorf(`"ItemSelector": %w`, err)
	}
	var config struct{ ProcessorConfig json.RawMessage }
	if err := json.Unmarshal(raw.ItemProcessor, &config); err != nil {
		return errors.New(`"ItemProcessor" is missing`)
	}
	if config.ProcessorConfig != nil {
		var mode struct{ Mode string }
		if err := strict(config.ProcessorConfig, "Mode", &mode); err != nil {
			return fmt.Errorf(`"ProcessorConfig": %w`, err)
		}
		if mode.Mode != "INLINE" {
			return fmt.Errorf(`"Mode": %q is not supported`, mode.Mode)
		}
	}
	b, err := p.block(raw.ItemProcessor, "Comment ProcessorConfig StartAt States")
	s.branches = []*block{b}
	return err
}

func (p *parser) waitState(s *state, raw stateFields) (err error) {
	switch {
	case (raw.Seconds == nil) == (raw.SecondsPath == nil):
		return errors.New(`it needs either "Seconds" or "SecondsPath"`)
	case raw.Seconds != nil:
		if *raw.Seconds < 0 {
			return errors.New(`"Seconds" is negative`)
		}
		s.wait = constant(number(*raw.Seconds))
		return nil
	}
	if _, err = p.path(*raw.SecondsPath); err == nil {
		s.wait, err = p.expr(*raw.SecondsPath)
	}
	return err
}

func (p *parser) choiceState(s *state, raw stateFields) error {
	if len(raw.Choices) == 0 {
		return errors.New(`"Choices" is missing`)
	}
	s.next = raw.Default
	for _, data := range raw.Choices {
		var next struct{ Next string }
		if err := json.Unmarshal(data, &next); err != nil {
			return err
		}
		t, err := p.test(data, "Next Comment")
		if err != nil {
			return fmt.Errorf(`"Choices": %w`, err)
		}
		s.choices = append(s.choices, choice{t, next.Next})
	}
	return nil
}

// word parses Error and Cause of a Fail state, given or at a path.
func (p *parser) word(field string, given, at *string) (expr, error) {
	switch {
	case given != nil && at != nil:
		return nil, fmt.Errorf("%q is there twice, as a value and as a path", field)
	case given != nil:
		return constant(*given), nil
	case at != nil:
		e, err := p.expr(*at)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", field+"Path", err)
		}
		return e, nil
	}
	return nil, nil
}

func parseRetry(list []json.RawMessage) (out []retry, err error) {
	for i, data := range list {
		r := retry{IntervalSeconds: 1, MaxAttempts: 3, BackoffRate: 2}
		if err := strict(data, "Comment ErrorEquals IntervalSeconds MaxAttempts BackoffRate "+
			"MaxDelaySeconds JitterStrategy", &r); err != nil {
			return nil, err
		}
		switch {
		case r.IntervalSeconds < 1, r.MaxAttempts < 0, r.BackoffRate < 1, r.MaxDelaySeconds < 0:
			return nil, errors.New("a number is out of range")
		case r.JitterStrategy != "" && r.JitterStrategy != "FULL" && r.JitterStrategy != "NONE":
			return nil, fmt.Errorf(`"JitterStrategy": %q is not supported`, r.JitterStrategy)
		}
		if err := checkNames(r.ErrorEquals, i == len(list)-1); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func (p *parser) catches(list []json.RawMessage) (out []catch, err error) {
	for i, data := range list {
		var raw struct {
			ErrorEquals []string
			ResultPath  json.RawMessage
			Next        string
		}
		if err := strict(data, "Comment ErrorEquals ResultPath Next", &raw); err != nil {
			return nil, err
		}
		if err := checkNames(raw.ErrorEquals, i == len(list)-1); err != nil {
			return nil, err
		}
		at, err := p.place(raw.ResultPath)
		if err != nil {
			return nil, fmt.Errorf(`"ResultPath": %w`, err)
		}
		out = append(out, catch{raw.ErrorEquals, at, raw.Next})
	}
	return out, nil
}

// checkNames refuses lists of error names that Step Functions refuses, or that
// promise what never happens.
func checkNames(names []string, last bool) error {
	switch {
	case len(names) == 0:
		return errors.New(`"ErrorEquals" is empty`)
	case slices.Contains(names, statesAll) && (len(names) > 1 || !last):
		return fmt.Errorf("%s has to stand alone, and last", statesAll)
	case slices.Contains(names, runtimeFailed):
		return fmt.Errorf("%s is never retried and never caught", runtimeFailed)
	}
	return nil
}
