package wstk

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// Purpose is a use of content that a site may allow or not.
type Purpose string

const (
	PurposeSearch  Purpose = "search"   // an index, and results with links and excerpts
	PurposeAIInput Purpose = "ai_input" // input of a model that answers: retrieval, grounding
	PurposeAITrain Purpose = "ai_train" // training or tuning a model
)

// Purposes lists every purpose.
func Purposes() []Purpose { return []Purpose{PurposeSearch, PurposeAIInput, PurposeAITrain} }

// Rights is what a site says its content may be used for. A purpose of which nothing
// is said is nil: neither granted nor withheld.
//
// Where several signals speak of one purpose, the most restrictive one holds: a single
// no is a no, even if others say yes (as draft-ietf-aipref-vocab combines statements).
// Within robots.txt the group and the path are chosen first: of Content-Usage lines
// with a path only the longest match speaks. Signals keeps them all, in the order
// robots.txt, headers, page.
type Rights struct {
	Search  *bool         `json:"search"`
	AIInput *bool         `json:"ai_input"`
	AITrain *bool         `json:"ai_train"`
	Signals []UsageSignal `json:"signals"`
}

// UsageSource is where a signal stands.
type UsageSource string

const (
	SourceContentSignal UsageSource = "robots_content_signal" // Content-Signal in robots.txt
	SourceContentUsage  UsageSource = "robots_content_usage"  // Content-Usage in robots.txt
	SourceHeader        UsageSource = "header_content_usage"  // the header Content-Usage
	SourceRobotsTag     UsageSource = "x_robots_tag"          // the header X-Robots-Tag
	// a meta element named robots or by our product token
	SourceMetaRobots UsageSource = "meta_robots"
	// the header or meta element tdm-reservation
	SourceTDMReservation UsageSource = "tdm_reservation"
)

// UsageSignal is one statement about one purpose. A text that speaks of several makes
// several; one that speaks of none of ours (noimageai, use=reference), or cannot be
// read, has no Purpose and Allowed nil.
type UsageSignal struct {
	Source  UsageSource `json:"source"`
	Text    string      `json:"text"`           // as it stands, at most 300 bytes
	Line    int         `json:"line,omitempty"` // in robots.txt, from 1
	Purpose Purpose     `json:"purpose,omitempty"`
	Allowed *bool       `json:"allowed"`
}

const (
	maxSignalText = 300
	maxSignals    = 100 // of one page
)

// NewRights combines signals; repeated ones count once.
func NewRights(signals ...UsageSignal) Rights {
	r := Rights{Signals: []UsageSignal{}}
	return r.With(signals...)
}

// With returns the rights that hold when signals speak as well.
func (r Rights) With(signals ...UsageSignal) Rights {
	all := append(slices.Clone(r.Signals), signals...)
	r = Rights{Signals: []UsageSignal{}}
	for _, s := range all {
		if len(r.Signals) == maxSignals || slices.ContainsFunc(r.Signals, s.equal) {
			continue
		}
		r.Signals = append(r.Signals, s)
		if p := r.of(s.Purpose); p != nil && s.Allowed != nil && (*p == nil || **p) {
			allowed := *s.Allowed
			*p = &allowed
		}
	}
	return r
}

func (s UsageSignal) equal(o UsageSignal) bool {
	same := s.Allowed == o.Allowed ||
		s.Allowed != nil && o.Allowed != nil && *s.Allowed == *o.Allowed
	s.Allowed, o.Allowed = nil, nil
	return same && s == o
}

// of returns the place of a purpose; nil for one that is not ours.
func (r *Rights) of(p Purpose) **bool {
	switch p {
	case PurposeSearch:
		return &r.Search
	case PurposeAIInput:
		return &r.AIInput
	case PurposeAITrain:
		return &r.AITrain
	}
	return nil
}

// Refuses reports whether the site says no to purpose, and which signal says so: a clause
// for a Verdict's reason. Under UsageRespect such a page is RefusedPolicy.
func (r Rights) Refuses(purpose Purpose) (reason string, refused bool) {
	for _, s := range r.Signals {
		if s.Purpose == purpose && s.Allowed != nil && !*s.Allowed {
			return fmt.Sprintf("the site does not want it used as %s: %s",
				purpose.words(), s.place()), true
		}
	}
	return "", false
}

// Warning is what to say under UsageWarn where r refuses purpose.
func (r Rights) Warning(url string, purpose Purpose) (Warning, bool) {
	reason, refused := r.Refuses(purpose)
	if !refused {
		return Warning{}, false
	}
	return Warning{Code: "usage", URL: url, Message: "read although " + reason + ".",
		Details: map[string]any{"purpose": purpose}}, true
}

func (p Purpose) words() string {
	switch p {
	case PurposeAIInput:
		return "input of AI"
	case PurposeAITrain:
		return "training data of AI"
	}
	return "part of a search index"
}

// place says where the signal stands and what it says.
func (s UsageSignal) place() string {
	where := map[UsageSource]string{SourceHeader: "header ", SourceRobotsTag: "header ",
		SourceMetaRobots: "meta element "}[s.Source]
	if s.Line > 0 {
		where = fmt.Sprintf("robots.txt line %d, ", s.Line)
	}
	return where + clipText(s.Text, 120)
}

func clipText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// HeaderSignals reads the signals in a reply's headers: Content-Usage, X-Robots-Tag and
// tdm-reservation. product is our product token; what is meant for other robots does
// not count.
func HeaderSignals(h http.Header, product string) []UsageSignal {
	var out []UsageSignal
	if values := h.Values("Content-Usage"); len(values) > 0 {
		// Lines of a structured field are one dictionary (RFC 9651 §4.2).
		v := strings.Join(values, ", ")
		out = append(out, contentUsage(
			UsageSignal{Source: SourceHeader, Text: "Content-Usage: " + v}, v)...)
	}
	for _, v := range h.Values("X-Robots-Tag") {
		out = append(out, robotsTag(
			UsageSignal{Source: SourceRobotsTag, Text: "X-Robots-Tag: " + v}, v, product)...)
	}
	for _, v := range h.Values("Tdm-Reservation") {
		out = append(out, tdmReservation("tdm-reservation: "+v, v)...)
	}
	return out
}

// MetaSignals reads the signals in a page's meta elements: those named robots, by our
// product token, or tdm-reservation.
func MetaSignals(m Metadata, product string) []UsageSignal {
	var out []UsageSignal
	for _, meta := range m.Robots {
		text := meta.Name + "=" + meta.Content
		switch {
		case meta.Name == "tdm-reservation":
			out = append(out, tdmReservation(text, meta.Content)...)
		case meta.Name == "robots", product != "" && strings.EqualFold(meta.Name, product):
			out = append(out, robotsTag(UsageSignal{Source: SourceMetaRobots, Text: text},
				metaRules(meta.Content), product)...)
		}
	}
	return out
}

// RobotsSignals reads a Content-Signal or Content-Usage line of robots.txt: key is
// content-signal or content-usage in any case, value what stands behind the colon and,
// where there is one, the path.
func RobotsSignals(key, value, text string, line int) []UsageSignal {
	s := UsageSignal{Text: text, Line: line}
	if strings.HasPrefix(strings.ToLower(key), "content-signal") {
		s.Source = SourceContentSignal
		return contentSignal(s, value)
	}
	s.Source = SourceContentUsage
	return contentUsage(s, value)
}

// PageRights combines what robots.txt and the headers said when the page was fetched
// with what the page itself says. doc may be nil.
func PageRights(snap Snapshot, doc *Document, product string) Rights {
	r := NewRights()
	if snap.Rights != nil {
		r = r.With(snap.Rights.Signals...)
	}
	if doc != nil {
		r = r.With(MetaSignals(doc.Meta, product)...)
	}
	return r
}

// say makes one signal for each purpose, or one without where there is none.
func (s UsageSignal) say(allowed bool, purposes ...Purpose) []UsageSignal {
	s.Text = clipText(strings.ToValidUTF8(s.Text, "\uFFFD"), maxSignalText-len("…"))
	if len(purposes) == 0 {
		return []UsageSignal{s}
	}
	var out []UsageSignal
	for _, p := range purposes {
		s.Purpose, s.Allowed = p, &allowed
		out = append(out, s)
	}
	return out
}

// contentSignal reads "search=yes, ai-input=no" (contentsignals.org). What is not named
// is neither granted nor withheld.
func contentSignal(s UsageSignal, value string) []UsageSignal {
	var out []UsageSignal
	for part := range strings.SplitSeq(value, ",") {
		key, v, _ := strings.Cut(part, "=")
		key, v = strings.ToLower(strings.TrimSpace(key)), strings.ToLower(strings.TrimSpace(v))
		if purposes := purposesOf(key); len(purposes) > 0 && (v == "yes" || v == "no") {
			out = append(out, s.say(v == "yes", purposes...)...)
		}
	}
	if out == nil {
		return s.say(false)
	}
	return out
}

// contentUsage reads "train-ai=n, ai-use=y": a dictionary of structured fields (RFC
// 9651) with the tokens y and n. One that cannot be read says nothing, as the draft
// has it; of a repeated key the last value holds.
func contentUsage(s UsageSignal, value string) []UsageSignal {
	dict, ok := parseDictionary(value)
	if !ok {
		return s.say(false)
	}
	var out []UsageSignal
	for _, e := range dict {
		if purposes := purposesOf(e.key); len(purposes) > 0 && (e.token == "y" || e.token == "n") {
			out = append(out, s.say(e.token == "y", purposes...)...)
		}
	}
	if out == nil {
		return s.say(false)
	}
	return out
}

// purposesOf maps the categories of Content-Signal and of the AI preferences
// vocabulary, from its first draft on, to purposes.
func purposesOf(category string) []Purpose {
	switch category {
	case "search":
		return []Purpose{PurposeSearch}
	case "ai-input", "ai-use", "ai-output", "ai-inference":
		return []Purpose{PurposeAIInput}
	case "ai-train", "train-ai", "train-genai", "genai":
		return []Purpose{PurposeAITrain}
	case "ai": // any use by AI
		return []Purpose{PurposeAIInput, PurposeAITrain}
	case "bots", "all", "automated": // any automated processing
		return Purposes()
	}
	return nil
}

// robotsTag reads the rules of X-Robots-Tag and robots meta elements that say what a
// page may be used for: noindex and index speak of search, noai of both uses by AI.
// nosnippet and max-snippet:0 forbid that text of the page is shown in results, and so
// in answers. noimageai speaks of images, which we do not use.
func robotsTag(s UsageSignal, value, product string) []UsageSignal {
	var out []UsageSignal
	for _, d := range RobotsDirectives(value, product) {
		switch d.Name {
		case "noindex", "none":
			out = append(out, s.say(false, PurposeSearch)...)
		case "index":
			out = append(out, s.say(true, PurposeSearch)...)
		case "noai":
			out = append(out, s.say(false, PurposeAIInput, PurposeAITrain)...)
		case "nosnippet":
			out = append(out, s.say(false, PurposeAIInput)...)
		case "max-snippet":
			if d.Argument == "0" {
				out = append(out, s.say(false, PurposeAIInput)...)
			}
		case "noimageai":
			out = append(out, s.say(false)...)
		}
	}
	return out
}

// tdmReservation reads the TDM Reservation Protocol: 1 reserves the rights to text and
// data mining, which is analysis by machines, to train them or to answer; 0 does not.
func tdmReservation(text, value string) []UsageSignal {
	s := UsageSignal{Source: SourceTDMReservation, Text: text}
	switch strings.TrimSpace(value) {
	case "1":
		return s.say(false, PurposeAIInput, PurposeAITrain)
	case "0":
		return s.say(true, PurposeAIInput, PurposeAITrain)
	}
	return s.say(false)
}
