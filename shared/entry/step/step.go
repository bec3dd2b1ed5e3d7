// Package step words next steps. Below the doors a step is data (wstk.Step); here each
// door has a column of one table: Shell words it as a command with flags, HTTP as a method
// and a path, Tool as the call of an MCP tool, Page as a link or a sentence. Begin with verbs,
// which has a row for each thing that a step may ask for, and options, which has one for each
// option.
package step

import (
	"strings"

	"wstk/shared/wstk"
)

// All words steps, one after the other; it is never nil.
func All(steps []wstk.Step, word func(wstk.Step) string) []string {
	out := []string{}
	for _, s := range steps {
		out = append(out, word(s))
	}
	return out
}

// verb is a thing that a step may ask for, as each door words it, without what it is for.
type verb struct {
	shell func(wstk.Step) string
	// nil where only the program on a machine does it
	http func(wstk.Step) string
	tool func(wstk.Step) string                        // nil where no tool does it
	page func(s wstk.Step, command, http string) Shown // of the other doors' words
}

// verbs words each thing that a step may ask for.
var verbs = map[wstk.Do]verb{
	wstk.DoAdvise: {said, said, said, sentence},
	wstk.DoRetry: {retried("command", flagName), retried("request", fieldName),
		retried("call", fieldName), sentence},
	wstk.DoOption:       {flagsOf, fieldsOf, argumentsOf, sentence},
	wstk.DoLeaveOut:     {withoutFlags, withoutFields, withoutFields, sentence},
	wstk.DoCheck:        {checkFlags, checkFields(ofHTTP), checkFields(ofTools), sentence},
	wstk.DoAllowPrivate: {openShell, onServer(opened), onServer(opened), sentence},
	wstk.DoConfigure:    {configured, onServer(configured), onServer(configured), sentence},
	wstk.DoInstall: {installed, onServer(words("install Chromium or Chrome")),
		onServer(words("install Chromium or Chrome")), sentence},
	wstk.DoDoctor: {words("run `wstk doctor`"),
		onServer(words("run `wstk doctor`")), onServer(words("run `wstk doctor`")), sentence},

	wstk.DoIngest: {site("ingest"), crawl("POST /sites"), ingest(""), inTerminal},
	wstk.DoRefresh: {site("refresh"), crawl("POST /sites/{id}/refresh"), ingest("refresh"),
		inTerminal},
	wstk.DoStatus: {site("status"), atSite("GET", ""), ingest("status"), sitePage},
	wstk.DoCancel: {site("cancel"), atSite("DELETE", "/crawl"), nil, inTerminal},
	wstk.DoRemove: {removal, atSite("DELETE", ""), nil, inTerminal},
	wstk.DoListSites: {words("wstk site list"), words("GET /sites"),
		words("read the resource wstk://sites"),
		link("/web/sites", "see the sites")},

	wstk.DoRead: {command("read"), post("/read", `{"url": %u}`),
		call("read", `{"url": %u}`), storedPage},
	wstk.DoExtract: {onePage("extract"), post("/extractions", askOf),
		call("fetch", `{"id": %u}`), inTerminal},
	wstk.DoExtractFile: {extractFile, nil, nil, inTerminal},
	wstk.DoFetch:       {command("fetch"), nil, call("fetch", `{"id": %u}`), inTerminal},
	wstk.DoRender:      {onePage("render"), nil, nil, inTerminal},

	wstk.DoSearch: {search, post("/search-runs", `{"query": %q}`),
		call("search", `{"query": %q}`), link("/", "search the web")},
	wstk.DoAsk: {ask, post("/extractions", askOf), call("ask", askOf), inTerminal},
	wstk.DoAnswer: {answer, about(`POST /answers {"url": %u, "question": %q`, ofHTTP),
		about(`answer {"url": %u, "query": %q`, ofTools), inTerminal},
	wstk.DoListProviders: {words("wstk providers"), words(knownProviders), nil, inTerminal},
	wstk.DoListEvidence:  {words("wstk evidence list"), nil, nil, inTerminal},
	wstk.DoListModels:    {words("wstk models list"), nil, nil, inTerminal},
	wstk.DoIndexModels:   {words("wstk models index"), nil, nil, inTerminal},
	wstk.DoEvaluate:      {evaluate, nil, nil, inTerminal},
	wstk.DoVerify:        {verify, nil, nil, inTerminal},
	wstk.DoShowRun:       {showRun, runOf, runResource, answerPage},
	wstk.DoAskAgain: {askAgain, post("/extractions", `{"query": %q}`),
		call("ask", `{"query": %q}`), link("/", "ask again")},
	wstk.DoAffected: {affected, affectedOf, nil, inTerminal},
}

// purpose is what a step is for, and the option of which a higher value does more.
func purpose(s wstk.Step, named func(wstk.OptionName) string) string {
	if s.Raise == "" {
		return s.For
	}
	return strings.TrimPrefix(s.For+", ", ", ") + "more at once with a higher " + named(s.Raise)
}

// after puts what a step is for before its words.
func after(purpose, words string) string {
	if purpose == "" {
		return words
	}
	return purpose + ": " + words
}

func said(s wstk.Step) string { return s.Say }

func words(w string) func(wstk.Step) string { return func(wstk.Step) string { return w } }

// listed is "a", "a and b" or "a, b and c".
func listed(items []string) string {
	if n := len(items); n > 1 {
		return strings.Join(items[:n-1], ", ") + " and " + items[n-1]
	}
	return strings.Join(items, "")
}

// retried says that a command or a request is to be tried again, whose options are named
// as the door names them.
func retried(what string, named func(wstk.OptionName) string) func(wstk.Step) string {
	return func(s wstk.Step) string {
		var how []string
		for _, o := range s.Options {
			how = append(how, "with "+named(o.Name))
		}
		for _, n := range s.Without {
			how = append(how, "without "+named(n))
		}
		if how != nil {
			return "the same " + what + " " + listed(how)
		}
		return strings.TrimSpace("try again " + s.Say)
	}
}

// configured says which setting is given which value.
func configured(s wstk.Step) string {
	out := "set " + s.Setting
	switch {
	case s.Setting == "":
		out = "set " + s.Variable
	case s.Variable != "":
		out += " (or " + s.Variable + ")"
	}
	if s.Value != "" && s.Setting == "" {
		out += "=" + s.Value
	} else if s.Value != "" {
		out += " to " + s.Value
	}
	return strings.TrimSpace(out + " " + s.Say)
}
