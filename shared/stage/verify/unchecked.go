package verify

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// UncheckedField is something in a result that was not checked.
type UncheckedField struct {
	What   string `json:"what"`
	Count  int    `json:"count"` // of quotes or statements it concerns; 0 for the whole
	Reason string `json:"reason"`

	// Also are the reasons for the other quotes or statements, if they differ; at most ten.
	Also []string `json:"also,omitempty"`

	// Always says that no file of this kind can show it. If it is false, the reason is in
	// this file, and a reader should look at it.
	Always bool `json:"always"`
}

// Unchecked gathers what was not checked, by name.
type Unchecked map[string]*UncheckedField

// Add notes that what was not checked for n quotes or statements, and why.
func (u Unchecked) Add(what string, n int, reason string) {
	const most = 10 // reasons beside the first
	if f := u[what]; f != nil {
		f.Count += n
		if reason != f.Reason && len(f.Also) < most && !slices.Contains(f.Also, reason) {
			f.Also = append(f.Also, reason)
		}
		return
	}
	u[what] = &UncheckedField{What: what, Count: n, Reason: reason, Always: always[what]}
}

// always are the names of what no file of its kind can show, however it was made.
var always = map[string]bool{
	"README.txt": true, "completeness": true, "fetch": true, "gaps": true,
	"proposer": true,
	"origin":   true, "query": true,
	"meta": true, "passages": true, "status": true, "unsupported": true,
	"urls, hints": true, "usage": true,
}

// Fields notes what binding an Evidence left open. against is what it was bound to: the
// bundle, or the store.
func (u Unchecked) Fields(b Bound, e wstk.Evidence, against string) {
	u.claims(b, e)
	if d := b.Document; against == "bundle" && d != nil && d.VisibilitySHA256 != "" {
		u.Add("visibility", 1, "only the bundle says which words of the page a browser showed; "+
			"another record would give another text")
	}
	for _, name := range b.Unchecked {
		reason, ok := openReasons[name]
		if says, reads := otherwise(name, b, e); says != reads {
			reason, ok = fmt.Sprintf("the file says %s, and this version reads %s; another "+
				"version of the reader may have read it so, but its name proves nothing", says,
				reads), true
		}
		if !ok {
			reason = "the " + against + " does not hold that reading of the page"
		}
		if name == UncheckedOlder {
			name = UncheckedReading
			if b.Anew {
				reason = readElsewhere
			}
		}
		u.Add(name, 1, reason)
	}
}

// otherwise returns what an Evidence says of one field, and what this version reads there; twice
// the same for a field that is not compared.
func otherwise(name string, b Bound, e wstk.Evidence) (says, reads string) {
	if b.Document == nil {
		return "", ""
	}
	shown := func(s string) string {
		if s == "" {
			return "nothing"
		}
		return "“" + text.Shorten(s, 100) + "”"
	}
	number := func(n *int) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(*n)
	}
	date := func(t *time.Time) string {
		if t == nil {
			return ""
		}
		return t.UTC().Format(time.DateOnly)
	}
	switch name {
	case UncheckedCanonical:
		return shown(e.CanonicalURL), shown(b.Document.CanonicalURL)
	case UncheckedPublished:
		return shown(date(e.PublishedAt)), shown(date(b.Document.Meta.PublishedAt))
	case UncheckedSection:
		return shown(strings.Join(e.SectionPath, " › ")),
			shown(strings.Join(b.Place.SectionPath, " › "))
	case UncheckedFlags:
		return shown(flagNames(e.Flags)), shown(flagNames(b.Place.Flags))
	case UncheckedPage:
		return shown(number(e.Page)), shown(number(b.Place.Page))
	case UncheckedSentence:
		return shown(e.Sentence), shown(b.Place.Sentence)
	}
	return "", ""
}

func flagNames(flags []wstk.Flag) string {
	names := make([]string, len(flags))
	for i, f := range flags {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}

// claims notes what an Evidence says that its place on the page does not show.
func (u Unchecked) claims(b Bound, e wstk.Evidence) {
	if e.Kind == wstk.EvidenceText {
		u.Add("status", 1, "the text holds the quote; whether it was first proposed in exactly "+
			"these words is not stored")
	}
	if e.CanonicalURL != e.URL && !slices.Contains(b.Unchecked, UncheckedCanonical) {
		u.Add(UncheckedCanonical, 1, "the page calls itself "+e.CanonicalURL+
			"; that is its own claim, and the pages were fetched from their url")
	}
	if sentence := b.Place.Sentence; sentence != "" && sentence != e.Sentence {
		u.Add("sentence", 1, fmt.Sprintf(
			"“%s” is a part of a sentence, and an older version did not say so: “%s”",
			text.Shorten(e.Quote, 60), text.Shorten(sentence, 200)))
	}
	if is := b.Place.Partial; is != e.Partial {
		says := "breaks off behind a paywall, but the file does not say so"
		if !is {
			says = "is said to break off, but this version sees a whole page"
		}
		u.Add(UncheckedPartial, 1,
			fmt.Sprintf("the page of “%s” %s", text.Shorten(e.Quote, 60), says))
	}
}

// openReasons say why a field that binding left open was not checked. Of other fields the
// reason is that their reading of the page is missing.
var openReasons = map[string]string{
	UncheckedOlder: "another version of the reader made the text; this version reads the page " +
		"differently, but finds these words on it",
	UncheckedType: "THE PAGE WAS READ AS ANOTHER TYPE THAN IT IS: its bytes are HTML, but the " +
		"record of its fetch names another type; its text may hold words that no reader of the " +
		"page sees",
	UncheckedReply: "the record of its fetch says that the site did not answer with a page, but " +
		"with an error or a wall",
	UncheckedFinalURL: "the bundle holds no record of the fetch: an older version wrote it, or " +
		"the record was removed",
	UncheckedURL: "NOTHING IN THE BUNDLE BINDS THE WORDS TO THIS ADDRESS: it holds no structure " +
		"of the page; an older version wrote it, or the structure was removed",
}

// readElsewhere is the reason of UncheckedOlder where the text was not made again.
const readElsewhere = "THE TEXT WAS NOT READ AGAIN: this version reads another text from the " +
	"snapshot, but finds these words elsewhere in it"

// Whole notes what a check of a result as a whole always leaves open.
func (u Unchecked) Whole(against string, saved *Saved) {
	if len(saved.Evidence) == 0 && len(saved.Answers) == 0 && len(saved.Asked) == 0 {
		return
	}
	if against == "bundle" {
		u.Add("origin", 0, "the bundle shows that its parts fit together, not that these "+
			"addresses sent these bytes; check with them, or with the store that wrote it")
		u.Add("fetch", 0, "only the bundle says when the bytes came, as which type and charset, "+
			"and by which redirects")
		u.Add("README.txt", 0, "its words are not checked")
	}
	u.Add("completeness", 0, "a file cannot show whether a source that says otherwise or an item "+
		"of a list was left out, or whether the order of a list was changed")
	for _, asked := range saved.Asked {
		if n := sameTitles(saved.Answers, asked); n > 0 {
			u.Add("answers", n, "they have no titles: it was not checked whether they are about "+
				"one thing and disagree on it")
		}
		u.Add("query", 0, "only the file says that this was the question. Grade and conflicts "+
			"hold for this question alone, and nothing shows that the statements answer it")
		u.Add("urls, hints", 0, "only the file says which pages and fields were asked for, and "+
			"how strictly")
		u.Add("gaps", 0, "quotes cannot show what was asked for and not found")
		if !answers(saved, asked) {
			u.Add("strategy", 0, "no answer in the file shows how the question was understood")
			u.Add("grade", 0, "there is no answer that was graded by these rules")
		}
		if asked.Answered == nil {
			u.Add("answered", 0, "the file does not say whether it answers the question")
		}
		if n := len(asked.Passages); n > 0 {
			u.Add("passages", n,
				"they stand on their pages, but nothing shows how near they are to the question")
		}
	}
	for _, part := range saved.Rest {
		u.Add(part, 0, "quotes cannot show what the program says about its own work")
	}
	if n := len(saved.Beside); n > 0 {
		const most = 5
		named := strings.Join(saved.Beside[:min(n, most)], ", ")
		if n > most {
			named += fmt.Sprintf(" and %d more", n-most)
		}
		u.Add("words outside of answers", n,
			"they are not part of an answer, and were not compared with anything: "+named)
	}
}

// answers reports whether a reply has an answer.
func answers(saved *Saved, asked *wstk.AskResult) bool {
	return slices.ContainsFunc(saved.Answers, func(a Answer) bool { return a.Asked == asked })
}

// sameTitles counts the answers to a question without a title of their own.
func sameTitles(answers []Answer, asked *wstk.AskResult) (n int) {
	var titles []string
	for _, a := range answers {
		if a.Asked == asked {
			titles = append(titles, text.FoldCompare(a.Title))
		}
	}
	if len(titles) < 2 {
		return 0
	}
	slices.Sort(titles)
	for i, t := range titles {
		if t == "" || i > 0 && t == titles[i-1] {
			n++
		}
	}
	return n
}

// List returns what was noted, sorted by name: first what is this file's own, then what no
// file of its kind can show.
func (u Unchecked) List() []UncheckedField {
	out := []UncheckedField{}
	for _, name := range slices.Sorted(maps.Keys(u)) {
		out = append(out, *u[name])
	}
	slices.SortStableFunc(out, func(a, b UncheckedField) int {
		switch {
		case a.Always == b.Always:
			return 0
		case a.Always:
			return 1
		}
		return -1
	})
	return out
}
