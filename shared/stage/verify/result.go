package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"wstk/shared/wstk"
)

// Saved is what a saved reply holds that can be checked. Only its form is checked yet.
type Saved struct {
	Evidence []Given           // every Evidence, wherever it is
	Answers  []Answer          // every Extraction, wherever it is
	Asked    []*wstk.AskResult // every reply to a question, without its extractions
	Pages    []AboutPage       // every reply to a question about a page
	Faults   []Fault           // what looks like a part of an answer but is not
	Beside   []string          // paths of words that are not part of an answer, each once
	// parts of a reply that report on the work of the program: warnings, usage, meta
	Rest []string
}

// Given is an Evidence as it was handed in.
type Given struct {
	wstk.Evidence
	Path      string
	Passage   *wstk.AskResult // the reply that shows it as a passage; nil if none does
	Malformed string          // why it is not an Evidence as this program writes it
}

// Answer is an Extraction as it was handed in.
type Answer struct {
	wstk.Extraction
	Path      string
	Malformed string // why it is not an Extraction as this program writes it
	First     int    // place of its first Evidence in Saved.Evidence; the others follow
	// the reply it is in, without extractions; nil if it is in none
	Asked *wstk.AskResult
}

// AboutPage is the reply to a question about a page, as it was handed in.
type AboutPage struct {
	wstk.AnswerResult // without its extractions
	Path              string
	From, To          int // its Answers in Saved
}

// Fault is something that is wrong with the form of a result.
type Fault struct {
	Path string
	Why  string
}

// Read takes apart a saved reply of any command. It looks everywhere: in lists of lists,
// under unknown keys, in strings that are JSON themselves. The error is Invalid if data is
// not JSON that every program reads alike, and Cancelled if ctx ends before the work does.
func Read(ctx context.Context, data []byte) (*Saved, error) {
	n, err := parse(ctx, data)
	if err != nil {
		return nil, err
	}
	r := &reader{ctx: ctx, saved: &Saved{}}
	r.walk(n, "", "", 0)
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	return r.saved, nil
}

type reader struct {
	ctx   context.Context // when it ends, the rest is not read
	saved *Saved
}

func (r *reader) over() bool { return r.ctx.Err() != nil }

func (r *reader) fault(path, format string, args ...any) {
	if path == "" {
		path = "."
	}
	r.saved.Faults = append(r.saved.Faults, Fault{path, fmt.Sprintf(format, args...)})
}

// envelope is what the command line prints around data.
type envelope struct {
	OK       bool            `json:"ok"`
	Command  string          `json:"command"`
	Version  string          `json:"version"`
	Data     json.RawMessage `json:"data"`
	Warnings []wstk.Warning  `json:"warnings"`
	Error    *struct {
		Code    wstk.Code      `json:"code"`
		Message string         `json:"message"`
		Details map[string]any `json:"details,omitempty"`
	} `json:"error"`
	Meta struct {
		DurationMS uint64 `json:"duration_ms"`
		Cache      struct {
			Hit bool `json:"hit"`
		} `json:"cache"`
		Providers []string `json:"providers"`
		// absent where no model was asked
		Usage     *wstk.Usage `json:"usage,omitempty"`
		Untrusted *bool       `json:"untrusted,omitempty"` // older versions do not say
	} `json:"meta"`
}

// answering are the commands that print answers: to a question, and to one about a page.
const (
	answering      = "ask"
	answeringAbout = "answer"
)

// versions is the form of the program's own version.
var versions = pattern(`^[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}(-rc\.[0-9]{1,3})?$`)

// around are keys of a reply beside its answers: of its run, and of a door that pages replies and
// says what they are.
var around = []string{"run", "warnings", "next_cursor", "next_steps", "content_trust"}

// walk looks at the value of a key, in an object or in lists. quoted counts the strings
// around it.
func (r *reader) walk(n *node, path, key string, quoted int) {
	if r.over() {
		return
	}
	switch n.kind {
	case '[':
		for i, v := range n.items {
			r.walk(v, fmt.Sprintf("%s[%d]", path, i), key, quoted)
		}
	case '"':
		if !r.unwrap(n, path, quoted) {
			r.beside(path)
		}
	case 't', 'n':
		if quoted > 0 || key != "" {
			r.beside(path)
		}
	case '0':
		if key == "evidence" { // [0, 1] outside of an answer
			r.fault(path, "it cites a quote, but it is in no answer")
		}
		r.beside(path)
	case '{':
		r.object(n, path, key, quoted)
	}
}

// beside notes words that are not part of an answer.
func (r *reader) beside(path string) {
	if path == "" {
		path = "."
	}
	r.saved.Beside = append(r.saved.Beside, path)
}

// unwrap reads a string that is JSON itself, such as the body of a logged request. It reports
// whether it held something to check.
func (r *reader) unwrap(n *node, path string, quoted int) bool {
	s := strings.TrimSpace(n.text)
	if quoted >= 3 || len(s) < 2 || s[0] != '{' && s[0] != '[' {
		return false
	}
	inner, err := parse(r.ctx, []byte(s))
	if err != nil {
		return false
	}
	in := reader{ctx: r.ctx, saved: &Saved{}}
	in.walk(inner, path+"(JSON)", "", quoted+1)
	if len(in.saved.Evidence)+len(in.saved.Answers)+len(in.saved.Asked)+len(in.saved.Faults) == 0 {
		return false
	}
	for i := range in.saved.Answers {
		in.saved.Answers[i].First += len(r.saved.Evidence)
	}
	for _, p := range in.saved.Pages {
		p.From, p.To = p.From+len(r.saved.Answers), p.To+len(r.saved.Answers)
		r.saved.Pages = append(r.saved.Pages, p)
	}
	r.saved.Evidence = append(r.saved.Evidence, in.saved.Evidence...)
	r.saved.Answers = append(r.saved.Answers, in.saved.Answers...)
	r.saved.Asked = append(r.saved.Asked, in.saved.Asked...)
	r.saved.Faults = append(r.saved.Faults, in.saved.Faults...)
	r.saved.Beside = append(r.saved.Beside, in.saved.Beside...)
	r.saved.Rest = append(r.saved.Rest, in.saved.Rest...)
	return true
}

func (r *reader) object(n *node, path, key string, quoted int) {
	has := r.keys(n, path)
	at := func(k string) string {
		if path == "" {
			return k
		}
		return path + "." + k
	}
	dropped := key == "unsupported" || key == "dropped"
	switch {
	case isFolder(key, has):
		r.inside(n, at, quoted)
	case has["extractions"]:
		r.reply(n, path, at, quoted)
	case isEvidence(key, has, dropped):
		r.saved.Evidence = append(r.saved.Evidence, r.given(n, path))
	case isAnswer(key, has):
		r.answer(n, path, nil)
	case has["statement"] && dropped:
		if why := form(r.ctx, n, reflect.TypeFor[wstk.Unsupported]()); why != "" {
			r.fault(path, "%s", why)
		}
		r.beside(path)
	case has["statement"]:
		r.fault(path, "it is a statement, but it is in no answer")
	case has["command"] && has["data"]:
		r.envelope(n, path, at, quoted)
	default:
		r.inside(n, at, quoted)
	}
}

// keys returns the keys of an object as a program may take them. One that only looks like a
// key of an answer is a fault.
func (r *reader) keys(n *node, path string) map[string]bool {
	has := map[string]bool{}
	for _, f := range n.fields {
		k := foldKey(f.key)
		has[k] = true
		if k != f.key && proofKeys[k] {
			r.fault(path, "it has the key %q, which can be taken for %q", f.key, k)
		}
	}
	return has
}

// isFolder reports whether an object is what commands like fetch call evidence: the folder
// in which they keep what they saw.
func isFolder(key string, has map[string]bool) bool {
	return key == "evidence" && has["dir"] && !has["quote"] && !has["kind"] && !has["literal"]
}

// isEvidence reports whether an object under a key can be taken for an Evidence.
func isEvidence(key string, has map[string]bool, dropped bool) bool {
	return key == "evidence" || has["quote"] && (!dropped || has["kind"]) ||
		has["kind"] && has["literal"] && !has["name"]
}

// isAnswer reports whether an object under a key can be taken for an Extraction.
func isAnswer(key string, has map[string]bool) bool {
	marks := 0
	for _, k := range []string{"content", "statements", "evidence", "grounding"} {
		if has[k] {
			marks++
		}
	}
	return key == "extractions" || marks >= 2 || has["grounding"] && !has["recall_at_k"] ||
		has["statements"] && !has["checks"]
}

// envelope reads what the command line prints.
func (r *reader) envelope(n *node, path string, at func(string) string, quoted int) {
	if why := form(r.ctx, n, reflect.TypeFor[envelope](), "data"); why != "" {
		r.fault(path, "it is not a reply of a command: %s", why)
	}
	ok, failed := n.get("ok"), n.get("error")
	if ok != nil && failed != nil && (string(ok.raw) == "true") != (failed.kind == 'n') {
		r.fault(at("ok"), "it contradicts the error beside it")
	}
	if v := n.get("version"); v != nil && !versions.MatchString(v.text) {
		r.fault(at("version"), "it is not a version of the program")
	}
	if c, data := n.get("command"), n.get("data"); c != nil && c.text != answeringOf(data) {
		if data != nil && data.get("extractions") != nil {
			r.fault(at("command"), "it is not the command that answers")
		}
		r.beside(at("command"))
	}
	r.rest("meta")
	for _, f := range n.fields {
		switch f.key {
		case "ok", "command", "version":
		case "data":
			r.walk(f.at, at(f.key), f.key, quoted)
		default:
			if f.at.kind != 'n' {
				r.around(f, at, quoted)
			}
		}
	}
}

// answeringOf is the command that prints such data.
func answeringOf(data *node) string {
	if data != nil && aboutPage(data) {
		return answeringAbout
	}
	return answering
}

// aboutPage reports whether a reply is one to a question about a page.
func aboutPage(reply *node) bool {
	return reply.get("turns") != nil || reply.get("references") != nil
}

// inside looks into each field.
func (r *reader) inside(n *node, at func(string) string, quoted int) {
	for _, f := range n.fields {
		if (f.at.kind == '{' || f.at.kind == '[') && len(f.at.fields)+len(f.at.items) == 0 {
			r.beside(at(f.key)) // its key may say enough
		}
		r.walk(f.at, at(f.key), foldKey(f.key), quoted)
	}
}

// around looks into a field whose words are the program's own; they are named once.
func (r *reader) around(f field, at func(string) string, quoted int) {
	before := len(r.saved.Beside)
	r.walk(f.at, at(f.key), foldKey(f.key), quoted)
	if len(r.saved.Beside) > before {
		r.saved.Beside = r.saved.Beside[:before]
		r.rest(f.key)
	}
}

func (r *reader) rest(what string) {
	if !slices.Contains(r.saved.Rest, what) {
		r.saved.Rest = append(r.saved.Rest, what)
	}
}

// longestQuery is in bytes, and longer than any question the program accepts: a longer one
// would take as long to check as a page.
const longestQuery = 64 << 10

// reply reads the reply to a question: its answers, and what was asked.
func (r *reader) reply(n *node, path string, at func(string) string, quoted int) {
	asked := r.asked(n, r.replyFields(n, path, at, quoted), path, at)
	list := n.get("extractions")
	if list == nil || list.kind != '[' {
		r.fault(at("extractions"), "it is not a list")
		return
	}
	first := len(r.saved.Answers)
	for i, v := range list.items {
		if r.over() {
			break
		}
		here := fmt.Sprintf("%s[%d]", at("extractions"), i)
		if v.kind == '{' {
			r.answer(v, here, asked)
		} else {
			r.fault(here, "it is not an answer")
		}
	}
	if n := len(list.items); n > 1 &&
		(asked.Strategy == wstk.Singular || asked.Strategy == wstk.Narrative) {
		r.fault(at("extractions"),
			"a %s question has one answer, but there are %d, and nothing says where they disagree",
			asked.Strategy, n)
	}
	if aboutPage(n) {
		r.about(n, path, first)
	}
	r.repeated(r.saved.Answers[first:])
	r.answered(n, asked, r.saved.Answers[first:], at)
	r.passages(n.get("passages"), asked, at("passages"))
}

// about reads what a reply to a question about a page says besides.
func (r *reader) about(n *node, path string, first int) {
	p := AboutPage{Path: path, From: first, To: len(r.saved.Answers)}
	bare := map[string]json.RawMessage{}
	for _, f := range n.fields {
		if f.key != "extractions" {
			bare[f.key] = f.at.raw
		}
	}
	if err := remarshal(bare, &p.AnswerResult); err != nil {
		r.fault(path, "it is malformed: %v", err)
		return
	}
	r.saved.Pages = append(r.saved.Pages, p)
	for _, part := range []string{"url", "sub_questions", "turns", "pages_read"} {
		r.rest(part)
	}
}

// answered holds what a reply says about having an answer against its answers.
func (r *reader) answered(
	n *node, asked *wstk.AskResult, answers []Answer, at func(string) string,
) {
	has := slices.ContainsFunc(answers, func(a Answer) bool { return len(a.Statements) > 0 })
	if asked.Answered != nil && *asked.Answered != has {
		r.fault(at("answered"), "the statements beside it say otherwise")
	}
	if n.get("passages") != nil && (has || asked.Answered == nil) {
		r.fault(at("passages"), "passages stand only in a reply that says it has no answer")
	}
}

// passages reads what a reply shows in place of an answer.
func (r *reader) passages(list *node, asked *wstk.AskResult, path string) {
	if list == nil {
		return
	}
	if n := len(list.items); n > wstk.MaxPassages {
		r.fault(path, "there are %d passages, and a reply shows at most %d", n, wstk.MaxPassages)
	}
	seen := map[string]bool{}
	for i, v := range list.items {
		at := v.get("evidence")
		if r.over() || at == nil {
			continue
		}
		g := r.given(at, fmt.Sprintf("%s[%d].evidence", path, i))
		g.Passage = asked
		if seen[g.ID] {
			r.fault(g.Path, "this passage is there twice")
		}
		seen[g.ID] = true
		r.saved.Evidence = append(r.saved.Evidence, g)
	}
}

// replyFields checks the fields of a reply beside its answers, and returns those that say
// what was asked.
func (r *reader) replyFields(
	n *node, path string, at func(string) string, quoted int,
) map[string]json.RawMessage {
	known, always := keysOf(reflect.TypeFor[wstk.AskResult]())
	if aboutPage(n) {
		known, always = keysOf(reflect.TypeFor[wstk.AnswerResult]())
	}
	for _, k := range always {
		if n.get(k) == nil {
			r.fault(path, "it lacks %q", k)
		}
	}
	bare := map[string]json.RawMessage{}
	for _, f := range n.fields {
		switch {
		case f.key == "extractions":
		case slices.Contains(around, f.key):
			r.around(f, at, quoted)
			r.rest(f.key)
		case known[f.key] == nil:
			r.fault(path, "it has a key that no reply has: %q", f.key)
		default:
			if why := form(r.ctx, f.at, known[f.key]); why != "" {
				r.fault(at(f.key), "%s", why)
			}
			bare[f.key] = f.at.raw
		}
	}
	return bare
}

// asked reads what a reply says beside its answers: the question, how it was answered, the
// run. bare are those fields.
func (r *reader) asked(
	n *node, bare map[string]json.RawMessage, path string, at func(string) string,
) *wstk.AskResult {
	asked := &wstk.AskResult{}
	if err := remarshal(bare, asked); err != nil {
		r.fault(path, "it is malformed: %v", err)
	}
	if len(asked.Query) > longestQuery {
		r.fault(at("query"), "it is longer than any question: %d bytes", len(asked.Query))
		asked.Query = ""
	}
	r.saved.Asked = append(r.saved.Asked, asked)
	if run := n.get("run"); run != nil && run.kind == '{' {
		if q := run.get("query"); q != nil && q.text != asked.Query {
			r.fault(at("run"), "its query differs from that of the reply")
		}
	}
	if asked.Query == "" && n.get("query") != nil {
		r.fault(at("query"), "it is empty")
	}
	if n.get("usage") != nil {
		r.rest("usage")
	}
	if n.get("proposer") != nil {
		r.rest("proposer")
	}
	return asked
}

// repeated names answers that are there twice.
func (r *reader) repeated(answers []Answer) {
	seen := map[string]bool{}
	for _, a := range answers {
		if a.Malformed != "" || r.over() {
			continue
		}
		written, err := json.Marshal(a.Extraction)
		if err != nil || seen[string(written)] {
			r.fault(a.Path, "this answer is there twice")
		}
		seen[string(written)] = true
	}
}

// answer reads an Extraction. Each Evidence is read by itself, so that a malformed quote does
// not make the rest malformed.
func (r *reader) answer(n *node, path string, asked *wstk.AskResult) {
	a := Answer{Path: path, First: len(r.saved.Evidence), Asked: asked}
	a.Malformed = form(r.ctx, n, reflect.TypeFor[wstk.Extraction](), "evidence")
	bare := map[string]json.RawMessage{}
	for _, f := range n.fields {
		if f.key != "evidence" {
			bare[f.key] = f.at.raw
		}
	}
	if a.Malformed == "" {
		if err := remarshal(bare, &a.Extraction); err != nil {
			a.Malformed = "it is malformed: " + err.Error()
		}
	}
	list := n.get("evidence")
	switch {
	case list == nil:
	case list.kind != '[':
		a.Malformed = "its evidence is not a list"
	default:
		for i, v := range list.items {
			if r.over() {
				return
			}
			g := r.given(v, fmt.Sprintf("%s.evidence[%d]", path, i))
			r.saved.Evidence = append(r.saved.Evidence, g)
			a.Extraction.Evidence = append(a.Extraction.Evidence, g.Evidence)
		}
	}
	r.saved.Answers = append(r.saved.Answers, a)
}

func remarshal(bare map[string]json.RawMessage, v any) error {
	raw, err := json.Marshal(bare)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, v)
}

func (r *reader) given(n *node, path string) (g Given) {
	g.Path = path
	if n.kind != '{' {
		g.Malformed = "it is not an object"
		return g
	}
	if why := form(r.ctx, n, reflect.TypeFor[wstk.Evidence]()); why != "" {
		g.Malformed = "it is malformed: " + why
	} else if err := json.Unmarshal(n.raw, &g.Evidence); err != nil {
		g.Malformed = "it is malformed: " + err.Error()
	}
	if g.Malformed != "" { // a report shows what it says beside the fault
		g.Evidence = wstk.Evidence{}
		for k, v := range map[string]*string{"id": &g.ID, "quote": &g.Quote, "url": &g.URL} {
			if at := n.get(k); at != nil {
				*v = at.text
			}
		}
	}
	return g
}

// proofKeys are the keys by which a part of an answer is recognised.
var proofKeys = map[string]bool{"extractions": true, "statements": true, "statement": true,
	"evidence": true, "quote": true, "literal": true,
	"content": true, "grounding": true, "support": true, "sources": true, "conflicts": true,
	"unsupported": true, "data": true}
