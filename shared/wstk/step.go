package wstk

import (
	"fmt"
	"strings"
)

// Step is something a user may try next, as data. It names no command, flag or route:
// each door words it (shared/entry/step), the shell as a command, HTTP as a method and a
// path, the page as a link or a sentence.
type Step struct {
	Do Do `json:"do"`
	// what it is good for, told before it: "to go on"; may be empty
	For string `json:"for,omitempty"`

	// URL is the address of the page or site; "" lets the reader put in one of theirs.
	// File and Query are the same for files and words, and Run for an answer.
	URL   string `json:"url,omitempty"`
	File  string `json:"file,omitempty"`
	Query string `json:"query,omitempty"`
	Run   RunID  `json:"run,omitempty"`
	// of Run; "" means an extraction
	Kind RunKind `json:"kind,omitempty"`

	// Options are what the request is given, in this order. DoLeaveOut leaves them out.
	Options []Option `json:"options,omitempty"`
	// of DoRetry: what the request is not given this time
	Without []OptionName `json:"without,omitempty"`

	// Raise names the option of which a higher value does more at once; may be empty.
	Raise OptionName `json:"raise,omitempty"`

	// Setting and Variable name one setting of the operator, by key and by variable of
	// the environment; one of them may be empty. Value is what it is set to.
	Setting  string `json:"setting,omitempty"`
	Variable string `json:"variable,omitempty"`
	Value    string `json:"value,omitempty"`

	// Say is the sentence of DoAdvise, the thing to check of DoCheck, when to try again of
	// DoRetry, what an option brings of DoOption and what a setting is set to of
	// DoConfigure. It holds no word of a door.
	Say string `json:"say,omitempty"`
}

// Do is what a step asks for. The list is closed: Dos lists it, and each door words each.
type Do string

// What a step may ask for.
const (
	DoAdvise        Do = "advise"         // what Say says: advice that no request carries out
	DoRetry         Do = "retry"          // the same request again, with Options or without some
	DoOption        Do = "set_option"     // the same request with Options
	DoLeaveOut      Do = "leave_out"      // the same request without Options
	DoCheck         Do = "check"          // look at Say and at what Options were given
	DoAllowPrivate  Do = "allow_private"  // open loopback and private addresses
	DoConfigure     Do = "configure"      // give a setting of the operator a value
	DoInstall       Do = "install"        // install a browser
	DoDoctor        Do = "doctor"         // let the program look itself over
	DoIngest        Do = "ingest"         // crawl the site at URL
	DoRefresh       Do = "refresh"        // look at the pages of the site at URL again
	DoStatus        Do = "status"         // see how the crawl of the site at URL goes
	DoCancel        Do = "cancel"         // stop the crawl of the site at URL
	DoRemove        Do = "remove"         // remove the site at URL
	DoListSites     Do = "list_sites"     // list the sites that were ingested
	DoRead          Do = "read"           // read what is stored of URL
	DoExtract       Do = "extract"        // ask the site for URL now, and read it
	DoExtractFile   Do = "extract_file"   // read a page that was saved; File "-" is standard input
	DoFetch         Do = "fetch"          // get URL as it is
	DoRender        Do = "render"         // show URL in a browser
	DoSearch        Do = "search"         // search the web for Query
	DoAsk           Do = "ask"            // ask Query of URL alone
	DoAnswer        Do = "answer"         // ask Query of URL and the pages it leads to
	DoListProviders Do = "list_providers" // see the providers, and what each needs
	DoListEvidence  Do = "list_evidence"  // list the evidence that is kept
	DoListModels    Do = "list_models"    // see the models that can be used
	DoIndexModels   Do = "index_models"   // make the vectors that stored pages lack
	DoEvaluate      Do = "evaluate"       // measure the cases of File, and keep the report
	DoVerify        Do = "verify"         // verify the bundle or result in File
	DoShowRun       Do = "show_run"       // see the answer of Run again
	DoAskAgain      Do = "ask_again"      // ask Query again, of all that is stored
	DoAffected      Do = "affected"       // see which answers a change of a page of URL touches
)

// Dos lists what a step may ask for, in the order of declaration.
func Dos() []Do {
	return []Do{DoAdvise, DoRetry, DoOption, DoLeaveOut, DoCheck, DoAllowPrivate, DoConfigure,
		DoInstall, DoDoctor, DoIngest, DoRefresh, DoStatus, DoCancel, DoRemove, DoListSites,
		DoRead, DoExtract, DoExtractFile, DoFetch, DoRender, DoSearch, DoAsk, DoAnswer, DoListProviders,
		DoListEvidence, DoListModels, DoIndexModels, DoEvaluate, DoVerify, DoShowRun,
		DoAskAgain, DoAffected}
}

// Option is an option of a request, by its name.
type Option struct {
	Name OptionName `json:"name"`
	// "" where the option is on or off, or the reader chooses the value
	Value string `json:"value,omitempty"`

	// InForce reports that the process which proposes the step works with this option
	// already: a new process needs it, a request to this one does not.
	InForce bool `json:"in_force,omitempty"`
}

// OptionName names an option of requests. The list is closed: OptionNames lists it.
type OptionName string

// The options that steps name.
const (
	OptAccept       OptionName = "accept"        // media types to ask for
	OptAllowDomains OptionName = "allow_domains" // domains that may be asked
	OptAllowPrivate OptionName = "allow_private" // on or off: open private addresses
	OptBaseURL      OptionName = "base_url"      // what links of a file are relative to
	OptBlockDomains OptionName = "block_domains" // domains that are never asked
	OptBudget       OptionName = "budget"        // time and tokens of a pipeline
	OptCrawler      OptionName = "crawler"       // how the pages of a site are found
	OptDataDir      OptionName = "data_dir"      // folder of what is stored
	OptEvidenceDir  OptionName = "evidence_dir"  // folder of what was seen
	OptExclude      OptionName = "exclude"       // paths that are not of the site
	OptFresh        OptionName = "fresh"         // on or off: take nothing from the cache
	OptHeader       OptionName = "header"        // an extra header
	OptHeadful      OptionName = "headful"       // on or off: show the window of the browser
	OptInclude      OptionName = "include"       // paths that are of the site
	OptIncludeBody  OptionName = "include_body"  // on or off: the body, in the JSON
	OptJSON         OptionName = "json"          // on or off: reply with JSON
	OptLimit        OptionName = "limit"         // how much is returned
	OptMaxBytes     OptionName = "max_bytes"     // size of a body, in bytes
	OptMaxDepth     OptionName = "max_depth"     // links from the root
	OptMaxPages     OptionName = "max_pages"     // pages of a crawl
	OptMaxTokens    OptionName = "max_tokens"    // tokens of models for one answer
	OptMethod       OptionName = "method"        // how pages are read: http, browser, remote, auto
	OptPlan         OptionName = "plan"          // on or off: say what would be read
	OptPolicy       OptionName = "policy"        // bundle of defaults
	OptProfile      OptionName = "profile"       // folder of a browser's profile
	OptProvider     OptionName = "provider"      // id of a search provider
	OptQuery        OptionName = "query"         // what the pages of a crawl should answer
	OptRateLimitMS  OptionName = "rate_limit_ms" // milliseconds between requests to a host
	OptRender       OptionName = "render"        // on or off: a crawl renders pages that need it
	OptRobots       OptionName = "robots"        // what robots.txt counts
	OptTimeout      OptionName = "timeout"       // time limit of all of it
	OptUsage        OptionName = "usage"         // what a site's wish on use counts
	OptUserAgent    OptionName = "user_agent"    // what we call ourselves
	OptWait         OptionName = "wait"          // milliseconds after a page has loaded
	OptWithRuns     OptionName = "with_runs"     // on or off: also the answers that cite a site
)

// OptionNames lists the options that steps name, in the order of declaration.
func OptionNames() []OptionName {
	return []OptionName{OptAccept, OptAllowDomains, OptAllowPrivate, OptBaseURL, OptBlockDomains,
		OptBudget, OptCrawler, OptDataDir, OptEvidenceDir, OptExclude, OptFresh, OptHeader, OptHeadful,
		OptInclude, OptIncludeBody, OptJSON, OptLimit, OptMaxBytes, OptMaxDepth, OptMaxPages,
		OptMaxTokens, OptMethod, OptPlan, OptPolicy, OptProfile, OptProvider, OptQuery, OptRateLimitMS,
		OptRender, OptRobots,
		OptTimeout, OptUsage, OptUserAgent, OptWait, OptWithRuns}
}

// ToGoOn is the For of a step that goes on with work that was stopped.
const ToGoOn = "to go on"

// Advice returns a step that says sentence, which holds no word of a door.
func Advice(sentence string) Step { return Step{Do: DoAdvise, Say: sentence} }

// Advices returns a step for each sentence.
func Advices(sentences ...string) []Step {
	var steps []Step
	for _, s := range sentences {
		steps = append(steps, Advice(s))
	}
	return steps
}

// Retry returns a step that does the same once more: at once, or as when says, "later".
func Retry(when string) Step { return Step{Do: DoRetry, Say: when} }

// Set returns the option with a value.
func (n OptionName) Set(value any) Option { return Option{Name: n, Value: fmt.Sprint(value)} }

// On returns the option without a value: it is on, or the reader chooses the value.
func (n OptionName) On() Option { return Option{Name: n} }

// String is the step for logs and tests, in the words of no door:
// "to go on: ingest https://example.org/ max_pages=10".
func (s Step) String() string {
	words := []string{string(s.Do)}
	if s.Do == DoAdvise {
		words = nil
	}
	add := func(more ...string) {
		for _, w := range more {
			if w != "" {
				words = append(words, w)
			}
		}
	}
	add(s.URL, s.File, s.Query, string(s.Run), s.Setting, s.Variable)
	if s.Value != "" {
		add("= " + s.Value)
	}
	for _, o := range s.Options {
		word := string(o.Name)
		if o.Value != "" {
			word += "=" + o.Value
		}
		add(word)
	}
	for _, n := range s.Without {
		add("without " + string(n))
	}
	if s.Raise != "" {
		add("higher " + string(s.Raise))
	}
	add(s.Say)
	if s.For != "" {
		return s.For + ": " + strings.Join(words, " ")
	}
	return strings.Join(words, " ")
}
