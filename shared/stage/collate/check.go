package collate

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"wstk/shared/stage/collate/page"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// Claimed is an Extraction that was handed in, with what is known about how it was made.
type Claimed struct {
	wstk.Extraction
	Stands []bool // by Evidence: whether verify proved it in this run

	// Pages are the Documents to which the proven evidence was bound.
	Pages []*wstk.Document

	Setting  page.Setting  // nil reads what a page takes back once for each call
	Shingles page.Shingles // nil computes them once for each call; see ShinglesOf

	Asked    bool          // whether the question is known
	Query    string        // the question
	Strategy wstk.Strategy // how it was answered; "" if unknown
	Rules    string        // by which it was graded, see Rules; "" if it does not say
	Language string        // that the answer was asked for, BCP 47; "" means that of its quotes
	Proposed bool          // whether a model proposed its claims
	Strict   *bool         // whether assumed claims were dropped; nil if unknown
}

// Finding is the result of comparing one part of a Claimed with its quotes.
type Finding struct {
	Part  string // statement, conflict, content, source, title, grounding, …
	Words string // the words it is about
	Why   string // why the part is wrong; "" if it is not
	Open  string // why no program can decide it; "" if it was decided
}

// Check compares everything an Extraction says with its evidence: each statement and each
// side of a conflict with the quotes it cites, the sources with the pages of the quotes, the
// content with the statements, and grade, conflicts and roles with what the rules of this
// version give. Words that nothing here can prove are open findings.
//
// The only error is Cancelled, when ctx ends before the work does; then nothing is found.
func Check(ctx context.Context, c Claimed) (found []Finding, today Reviewed, err error) {
	k := &check{Claimed: c, pages: page.New(ctx, c.Pages).Keep(c.Setting, c.Shingles).
		Asked(c.Query).Into(c.Language), sound: true}
	defer k.pages.Caught("checking an answer", &err)
	k.pages.Proposed = c.Proposed
	strict := k.pages
	if k.loose() {
		k.pages = strict.Loosely()
	}
	today = review(k.pages, c.Query, c.sane())
	if !c.Asked {
		today.Missing = append(today.Missing, missingQuestion)
	}
	then := k.earlier(today)
	k.strict = strict
	k.statements(today, then)
	k.rowsApart()
	k.leavesApart()
	k.evidence()
	k.conflicts()
	k.sources()
	k.content()
	k.title()
	k.grade(today, then)
	k.rest()
	return k.found, today, nil
}

type check struct {
	Claimed
	pages  *page.Set // by the rules of the Extraction about other words
	strict *page.Set // by today's
	graded bool      // grade, conflicts and roles were compared with those of today
	sound  bool      // every index is in range, and every quote verified
	found  []Finding
}

func (k *check) add(part, words, why string) {
	k.found = append(k.found, Finding{Part: part, Words: words, Why: why})
}

func (k *check) open(part, words, why string) {
	k.found = append(k.found, Finding{Part: part, Words: words, Open: why})
}

// sane is the Extraction without indexes out of range.
func (c Claimed) sane() wstk.Extraction {
	x := c.Extraction
	x.Statements = slices.Clone(x.Statements)
	for i, s := range x.Statements {
		x.Statements[i].Evidence = slices.DeleteFunc(slices.Clone(s.Evidence), func(n int) bool {
			return n < 0 || n >= len(x.Evidence)
		})
	}
	return x
}

// cited returns the evidence that indexes name, or says why it cannot.
func (k *check) cited(indexes []int) (quotes []wstk.Evidence, why string) {
	for i, n := range indexes {
		switch {
		case n < 0 || n >= len(k.Evidence):
			k.sound = false
			return nil, "it cites a quote that is not there"
		case n >= len(k.Stands) || !k.Stands[n]:
			k.sound = false
			return nil, "it cites a quote that did not verify"
		case slices.Contains(indexes[:i], n):
			return nil, "it cites a quote twice"
		}
		quotes = append(quotes, k.Evidence[n])
	}
	return quotes, ""
}

// statements compares each statement with its quotes.
func (k *check) statements(today, then Reviewed) {
	seen := map[[3]string]bool{} // Collate joins two that say the same under one field
	for i, s := range k.Statements {
		k.pages.Tick()
		quotes, why := k.cited(s.Evidence)
		key := [3]string{text.FoldCompare(s.Field), s.Statement, string(s.Support)}
		if why == "" {
			why = misformed(s, quotes, seen[key])
		}
		seen[key] = true
		open := ""
		if why == "" {
			why, open = k.support(i, quotes, today, then)
		}
		if why == "" {
			why = k.ofQuotes(s, quotes, today.Statements[i].Evidence)
		}
		if why != "" {
			open = ""
		}
		k.found = append(k.found,
			Finding{Part: "statement", Words: s.Statement, Why: why, Open: open})
		if why == "" {
			k.openOf(i, quotes)
		}
	}
}

// misformed says why no version of the program writes such a statement; "" if one does.
func misformed(s wstk.Statement, quotes []wstk.Evidence, twice bool) string {
	switch {
	case strings.TrimSpace(s.Statement) == "":
		return "it has no words"
	case !plainField(s.Field) || strings.TrimSpace(s.Statement) != s.Statement:
		return "there are blanks around it or its field"
	case twice:
		return "it is stated twice"
	case unseen(s.Statement, quotes) || unseen(s.Field, quotes):
		return "it has invisible characters, or characters that reverse its words"
	case s.Support != wstk.SupportDirect && s.Support != wstk.SupportInferred &&
		s.Support != wstk.SupportAssumed,
		(s.Support == wstk.SupportAssumed) != (len(quotes) == 0):
		return "its support does not fit the quotes it cites"
	}
	return ""
}

// support says why the quotes of a statement do not support it as it says, and what no
// program can decide about that.
func (k *check) support(i int, quotes []wstk.Evidence, today, then Reviewed) (why, open string) {
	s := k.Statements[i]
	if !k.pages.BindsField(s, quotes) {
		return "its quotes name another field than “" + s.Field + "”", ""
	}
	if s.Support == wstk.SupportDirect {
		switch {
		case len(s.Open) > 0 || s.Language != "":
			return "it is not direct: it is said to be borne in part, or to be a translation", ""
		case then.Statements[i].Support != wstk.SupportDirect:
			return notDirect(s, quotes), ""
		case !page.SameLetters(s.Statement, quotes):
			return "its quotes write it with other capital and small letters", ""
		case today.Statements[i].Support != wstk.SupportDirect:
			return "", "it leaves out a part of its sentence: the rules of its version call that " +
				"direct, today's rules call it inferred"
		}
		return "", ""
	}
	if k.Grounding != wstk.Inferred && k.Grounding != wstk.Conflicted {
		return "it is not direct, but the answer's grounding does not say so", ""
	}
	if s.Support == wstk.SupportAssumed && k.Strict != nil && *k.Strict {
		return "it is assumed, but the question asked for no assumed statements", ""
	}
	if why := k.ground(s, quotes, today.Statements[i]); why != "" {
		return why, ""
	}
	return "", k.undecided(s, quotes)
}

// undecided is what no program can decide about a statement that is not direct.
func (k *check) undecided(s wstk.Statement, quotes []wstk.Evidence) (open string) {
	open = "no program can decide whether it follows from its quotes"
	if !slices.ContainsFunc(quotes, func(e wstk.Evidence) bool {
		return page.Says(e.Quote, s.Statement)
	}) {
		open = "ITS WORDS ARE IN NO QUOTE; " + open
	}
	if k.strict.Ground(s, k.Title, quotes).Reworded {
		open += "; the rules of its version let a model word its quotes anew, today's rules do not"
	}
	return open
}

// ground says why the quotes of a statement do not bear it, or not as it says.
func (k *check) ground(s wstk.Statement, quotes []wstk.Evidence, today wstk.Statement) string {
	if s.Support == wstk.SupportInferred {
		g := k.pages.Ground(s, k.Title, quotes)
		switch {
		case len(g.Missing) > 0:
			return "its quotes do not bear it: they do not say “" +
				text.Shorten(strings.Join(g.Missing, "”, “"), 120) + "”"
		case g.Reworded:
			return "it words its quotes anew, and not as one of their sentences does: no program can " +
				"show that it says the same"
		}
	}
	switch {
	case !slices.Equal(s.Open, today.Open) && len(today.Open) == 0:
		return "it names words as not borne by its quotes that are"
	case !slices.Equal(s.Open, today.Open):
		return "it does not say that its quotes do not bear “" +
			text.Shorten(strings.Join(today.Open, "”, “"), 120) + "”"
	case s.Language != today.Language && today.Language == "":
		return "it is no translation of its quotes into the language that was asked for"
	case s.Language != today.Language:
		return "it does not say that it is a translation of its quotes, in " + today.Language
	}
	return ""
}

// ofQuotes says why the value, the field or the quotes of a statement do not belong to it;
// kept are the quotes that today's rules keep.
func (k *check) ofQuotes(s wstk.Statement, quotes []wstk.Evidence, kept []int) string {
	if s.Value != nil {
		if why := k.value(s, quotes); why != "" {
			return why
		}
		if !measures(*s.Value) {
			k.open("value", s.Value.Text, "that these words are a "+string(s.Value.Type)+
				" is how the program reads the quote")
		}
		if s.Support == wstk.SupportDirect && !text.HoldsWhole(s.Statement, s.Value.Text) {
			return "its value is from another part of the quote"
		}
	}
	if why := k.table(s, quotes); why != "" {
		return why
	}
	return k.citations(s, kept)
}

// openOf names what no program can decide about a statement without a fault.
func (k *check) openOf(i int, quotes []wstk.Evidence) {
	s := k.Statements[i]
	if s.Field != "" && !k.named(s, quotes) && !k.titles(s) {
		k.open("field", s.Field+": "+s.Statement,
			"nothing beside its words gives them this name: that they are its "+s.Field+
				" is how the program reads the page")
	}
	if s.Support == wstk.SupportDirect {
		for _, words := range k.pages.LeftOut(s, quotes, k.around(i)) {
			k.open("context", s.Statement, words)
		}
	}
	if s.Value != nil && page.DeniesValue(s.Statement, s.Value.Text) {
		k.open("value", s.Statement, "its sentence may deny "+s.Value.Text)
	}
	if other := k.rival(s, quotes); other != "" {
		k.open("value", strings.TrimPrefix(s.Field+": ", ": ")+s.Statement,
			"its sentence holds "+other+
				" too: which of them is meant is how the program reads the page")
	}
}

// citations says why a statement may not cite a quote: today's rules leave it out, or it leads
// to other words. It names quotes of a direct statement that may not say it.
func (k *check) citations(s wstk.Statement, kept []int) string {
	var quotes []wstk.Evidence
	for _, n := range s.Evidence {
		quotes = append(quotes, k.Evidence[n])
	}
	say := k.pages.Saying(s.Statement, quotes)
	_, against := k.pages.Cited(s.Statement, quotes)
	for i, e := range quotes {
		left := s.Support != wstk.SupportAssumed && !slices.Contains(kept, s.Evidence[i])
		switch {
		case s.Support == wstk.SupportDirect && k.pages.LeadsElsewhere(e, s.Statement, say):
			return "it cites a line or a term that stands over other words of its page: " +
				text.Shorten(e.Quote, 60)
		case left && (k.Rules == Rules || !slices.Contains(earlierRules, k.Rules) &&
			slices.ContainsFunc(against, func(o wstk.Evidence) bool { return o.ID == e.ID })):
			return "it cites a quote that says the opposite, or nothing about it: " +
				text.Shorten(e.Quote, 60)
		case left:
			k.open("citation", e.Quote,
				"today's rules do not cite it for “"+text.Shorten(s.Statement, 60)+"”")
		case s.Support == wstk.SupportDirect && !k.pages.Bears(e, s, k.Title, say):
			k.open("citation", e.Quote, "it does not say “"+text.Shorten(s.Statement, 60)+
				"” in these words and in whole sentences; no program can decide whether it "+
				"supports it")
		}
	}
	return ""
}

// plainField reports whether a field is written in one line, without blanks around it.
func plainField(field string) bool {
	return strings.TrimSpace(field) == field && !strings.ContainsAny(field, "\n\r\t")
}

// titles reports whether a statement is a title by the place of its first quote: the name
// in structured data, a heading, a term, the first cell of a row, or the title of the page.
func (k *check) titles(s wstk.Statement) bool {
	if s.Field != page.TitleField || len(s.Evidence) == 0 || s.Evidence[0] < 0 ||
		s.Evidence[0] >= len(k.Evidence) {
		return false
	}
	e := k.Evidence[s.Evidence[0]]
	d := k.page(e)
	if d == nil {
		return false
	}
	words := text.FoldCompare(s.Statement)
	if words == text.FoldCompare(d.Meta.Title) {
		return true
	}
	span, ok := e.Span()
	if !ok {
		return slices.ContainsFunc(d.Data, func(item wstk.DataItem) bool {
			return slices.ContainsFunc(item.LeavesOf(e), func(l wstk.DataLeaf) bool {
				return page.Naming[l.Name[strings.LastIndexByte(l.Name, '.')+1:]]
			})
		})
	}
	i := d.BlockAt(span.ByteStart)
	if i < 0 {
		return false
	}
	block := d.BlockText(i)
	switch d.Blocks[i].Kind {
	case wstk.BlockHeading, wstk.BlockTerm:
		return text.FoldCompare(block) == words
	case wstk.BlockTableRow:
		first, _, _ := strings.Cut(block, "\t")
		return text.FoldCompare(first) == words
	}
	return false
}

// measures reports whether a value has a form that code reads by itself.
func measures(v wstk.Value) bool {
	return v.Type != wstk.ValueText && v.Type != wstk.ValuePerson && v.Type != wstk.ValuePlace
}

// earlier is the review of an Extraction by the earlier rules that made it, else by today's.
func (k *check) earlier(today Reviewed) Reviewed {
	if !slices.Contains(earlierRules, k.Rules) {
		return today
	}
	p := *k.pages
	p.Parts = true
	return review(&p, k.Query, k.sane())
}

// loose reports whether rules made an Extraction that let a model word its quotes anew.
func (k *check) loose() bool { return slices.Contains(looseRules, k.Rules) }

// notDirect says why a statement is not direct.
func notDirect(s wstk.Statement, quotes []wstk.Evidence) string {
	if slices.ContainsFunc(quotes, func(e wstk.Evidence) bool {
		return page.Says(e.Quote, s.Statement)
	}) {
		return "it is a part of a sentence, or its page takes it back: such a statement is inferred"
	}
	return "no quote it cites says it"
}

// unseen reports whether words hold characters that the text of a page never has, such as
// zero-width characters, tags and marks of direction. Words that a quote holds may have them.
func unseen(words string, quotes []wstk.Evidence) bool {
	return strings.ContainsFunc(words, text.Dropped) &&
		!slices.ContainsFunc(quotes, func(e wstk.Evidence) bool {
			return strings.Contains(e.Quote, words)
		})
}

// table says why a row and a header that a statement cites are not of one table, or why a
// cell is not in the column that the statement names.
func (k *check) table(s wstk.Statement, quotes []wstk.Evidence) string {
	if len(quotes) < 2 {
		return ""
	}
	if why := k.header(quotes[0], quotes[1]); why != "" {
		return why
	}
	return k.inColumn(s, quotes)
}

// header says why the second of two quotes, a row, is not the header of the first, a row
// with as many cells; "" where they are not such rows.
func (k *check) header(of, header wstk.Evidence) string {
	row, above := k.row(of), k.row(header)
	cells := strings.Count(of.Quote, "\t")
	if row == nil || above == nil || cells == 0 || of.URL != header.URL ||
		cells != strings.Count(header.Quote, "\t") {
		return ""
	}
	d := k.page(of)
	switch at := page.HeaderOf(d, k.block(of)); {
	case at < 0 || above != &d.Blocks[at]:
		return "the header it cites is not that of its row"
	case k.column(of) != k.column(header):
		return "the header cells it cites are not above the row cells it cites"
	}
	return ""
}

// inColumn says why a statement whose field names a column of a header that it cites is not
// in that column.
func (k *check) inColumn(s wstk.Statement, quotes []wstk.Evidence) string {
	column, known := wording.FoldField(s.Field), false
	if column == "" {
		return ""
	}
	for _, e := range page.OwnQuotes(s.Statement, quotes) {
		d := k.page(e)
		h := page.HeaderOf(d, k.block(e))
		if h < 0 || !slices.ContainsFunc(quotes, func(q wstk.Evidence) bool {
			return k.row(q) == &d.Blocks[h]
		}) {
			continue
		}
		names := strings.Split(d.BlockText(h), "\t")
		for _, x := range page.PlacesOf(d, e, s.Statement) {
			if !strings.Contains(s.Statement, "\t") && x.Column < len(names) &&
				wording.FoldField(names[x.Column]) == column {
				return ""
			}
		}
		known = known || slices.ContainsFunc(names, func(name string) bool {
			return wording.FoldField(name) == column
		})
	}
	if known {
		return "its words are not in the column it names"
	}
	return ""
}

// block is the index of the block in which a quote begins; -1 for other quotes.
func (k *check) block(e wstk.Evidence) int { return page.BlockOf(k.page(e), e) }

// column is the column of a row in which a quote begins, from 0.
func (k *check) column(e wstk.Evidence) int {
	if at := page.PlacesOf(k.page(e), e, e.Quote); len(at) > 0 {
		return at[0].Column
	}
	return -1
}

// row is the row of a table in which a quote begins; nil for other quotes.
func (k *check) row(e wstk.Evidence) *wstk.Block {
	if i := k.block(e); i >= 0 && k.page(e).Blocks[i].Kind == wstk.BlockTableRow {
		return &k.page(e).Blocks[i]
	}
	return nil
}

// value says why the value of a statement is not what one of its quotes holds.
func (k *check) value(s wstk.Statement, quotes []wstk.Evidence) string {
	v := *s.Value
	plain := false // a quote holds it as words that are read as no other value
	for _, e := range quotes {
		if v.Text == "" || !strings.Contains(e.Quote, v.Text) ||
			s.Support == wstk.SupportDirect && !page.Says(e.Quote, s.Statement) {
			continue
		}
		same, other := k.readAs(v, e)
		if same {
			return ""
		}
		plain = plain || !other && k.ofForm(v, e)
	}
	if plain && isItsWords(v) {
		return ""
	}
	return "its quotes do not hold its value"
}

// isItsWords reports whether the form of a value is its words: a name, a version.
func isItsWords(v wstk.Value) bool {
	version := strings.TrimLeft(strings.ToLower(v.Text), "v")
	return !measures(v) && v.Number == nil && v.Unit == "" && v.Time == nil &&
		(v.Norm == text.FoldCompare(v.Text) || v.Norm == version)
}

// readAs reports whether the words of a value are read in a quote as that value, and whether
// they are read there as another one.
func (k *check) readAs(v wstk.Value, e wstk.Evidence) (same, other bool) {
	for _, lang := range k.languages(e) {
		for _, r := range value.Find(e.Quote, lang) {
			if r.Text != v.Text {
				continue
			}
			is := wstk.Value{Type: wstk.ValueType(r.Type), Text: r.Text, Number: r.Number,
				Unit: r.Unit, Time: r.Time, Norm: r.Norm}
			if sameValue(is, v) {
				return true, false
			}
			other = true
		}
	}
	return false, other
}

// ofForm reports whether a quote holds the words of a value whole, as a name if they are said
// to be a person or a place.
func (k *check) ofForm(v wstk.Value, e wstk.Evidence) bool {
	if v.Type == wstk.ValuePerson || v.Type == wstk.ValuePlace {
		for _, lang := range k.languages(e) {
			for _, r := range text.Names(e.Quote, lang) {
				if e.Quote[r.Start:r.End] == v.Text {
					return true
				}
			}
		}
		return false
	}
	return text.HoldsWhole(e.Quote, v.Text)
}

// languages are those in which a quote may be read.
func (k *check) languages(e wstk.Evidence) []string {
	for _, d := range k.Pages {
		if d.URL == e.URL && d.TextSHA256 == e.TextSHA256 {
			return []string{d.Meta.Language}
		}
	}
	return []string{"", "en", "de", "fr", "es"}
}

func sameValue(a, b wstk.Value) bool {
	if !wstk.SameTime(a.Time, b.Time) {
		return false
	}
	a.Time, b.Time = nil, nil
	return reflect.DeepEqual(a, b)
}

// evidence checks that each quote is listed once, and cited.
func (k *check) evidence() {
	used := map[int]bool{}
	for _, s := range k.Statements {
		for _, n := range s.Evidence {
			used[n] = true
		}
	}
	seen := map[string]bool{}
	for n, e := range k.Evidence {
		switch {
		case n >= len(k.Stands) || !k.Stands[n]: // this was reported already
		case seen[e.ID]:
			k.add("evidence", e.Quote, "it is listed twice")
		case !used[n]:
			k.add("evidence", e.Quote, "no statement cites it")
		}
		seen[e.ID] = true
	}
}

func (k *check) conflicts() {
	for _, t := range k.Conflicts {
		k.pages.Tick()
		if len(t.Claims) < 2 {
			k.add("conflict", t.Topic, "it has one side")
		}
		for _, side := range t.Claims {
			quotes, why := k.cited(side.Evidence)
			if why == "" {
				why = "no quote it cites says it"
				for _, e := range quotes {
					if e.Quote == side.Statement && e.URL == side.SourceURL {
						why = ""
					}
				}
			}
			k.add("conflict", side.Statement, why)
		}
	}
}

// sources compares the list of pages with the evidence.
func (k *check) sources() {
	listed := map[string]bool{}
	for _, s := range k.Sources {
		k.pages.Tick()
		why := "it is listed twice"
		if !listed[s.URL] {
			why = k.source(s)
		}
		listed[s.URL] = true
		k.add("source", s.URL, why)
	}
	for _, e := range k.Evidence {
		if !listed[e.URL] {
			listed[e.URL] = true
			k.add("source", e.URL, "it is quoted, but not listed")
		}
	}
}

// source says why a source is not as the quotes of its page say; "" if it is.
func (k *check) source(s wstk.Source) string {
	n := slices.IndexFunc(k.Evidence, func(e wstk.Evidence) bool { return e.URL == s.URL })
	if n < 0 {
		return "no quote is of this page"
	}
	of := k.Evidence[n]
	switch {
	case !s.FetchedAt.Equal(of.FetchedAt):
		return "it names another time of fetching than its quotes"
	case !wstk.SameTime(s.PublishedAt, of.PublishedAt):
		return "it names another date of publication than its quotes"
	case k.mixed(of):
		return "its quotes come from several fetches"
	case s.CopyOf != "" && (s.CopyOf == s.URL ||
		!slices.ContainsFunc(k.Sources, func(o wstk.Source) bool { return o.URL == s.CopyOf })):
		return "it says that it is a copy of a page that is not listed"
	case s.Role != wstk.Primary && s.Role != wstk.Supporting && s.Role != wstk.Corroborating:
		return "its role is unknown"
	case len(s.Metadata) > 0:
		return "it has metadata, but no version of the program writes any"
	}
	d := k.page(of)
	if d == nil {
		k.open("title", s.Title, "the page of this source is not available")
	} else if s.Title != d.Meta.Title {
		return "its title is not that of its page"
	}
	return ""
}

// mixed reports whether the quotes of one page come from several fetches.
func (k *check) mixed(e wstk.Evidence) bool {
	return slices.ContainsFunc(k.Evidence, func(o wstk.Evidence) bool {
		return o.URL == e.URL && (o.SnapshotSHA256 != e.SnapshotSHA256 ||
			!o.FetchedAt.Equal(e.FetchedAt) || o.TextSHA256 != e.TextSHA256)
	})
}

func (k *check) page(e wstk.Evidence) *wstk.Document {
	for _, d := range k.Pages {
		if d.URL == e.URL && d.SnapshotSHA256 == e.SnapshotSHA256 &&
			d.FetchedAt.Equal(e.FetchedAt) {
			return d
		}
	}
	return nil
}

func (k *check) content() {
	if !k.sound {
		k.open("content", k.Content, "its quotes did not verify")
		return
	}
	why := "its words are not those that its statements make, as this version writes them"
	for _, s := range []wstk.Strategy{wstk.Singular, wstk.Collection, wstk.Narrative} {
		if (k.Strategy == "" || k.Strategy == s) &&
			(Content(s, k.Extraction) == k.Content ||
				k.Rules != Rules && content(s, k.Extraction, true) == k.Content) {
			why = ""
		}
	}
	k.add("content", k.Content, why)
}

// title compares the title of an item with its own quotes and pages.
func (k *check) title() {
	if k.Title == "" {
		return
	}
	if unseen(k.Title, k.Evidence) {
		k.add("title", k.Title, "it has invisible characters, or characters that reverse its words")
		return
	}
	words := text.FoldCompare(k.Title)
	at := ""
	for _, d := range k.Pages {
		at += "\n" + d.Meta.Title + "\n" + d.Text
		for _, item := range d.Data {
			for _, l := range item.Leaves {
				at += "\n" + l.Literal
			}
		}
	}
	for _, s := range k.Statements {
		if k.titles(s) && text.FoldCompare(s.Statement) == words { // and the statement was checked
			if fact := k.ofTitle(s); fact != "" {
				k.open("title", k.Title, "“"+text.Shorten(fact, 60)+"” is in another row, "+
					"section or item: no program can decide whether it is about this")
			}
			return
		}
	}
	missing := slices.ContainsFunc(k.Evidence,
		func(e wstk.Evidence) bool { return k.page(e) == nil })
	switch {
	case strings.Contains(text.FoldCompare(at), words):
		k.open("title", k.Title,
			"it is on its pages; no program can decide whether it names what the quotes are about")
	case missing:
		k.open("title", k.Title, "not all pages are available")
	default:
		k.add("title", k.Title, "none of its pages holds it")
	}
}

var rank = map[wstk.Grade]int{wstk.Conflicted: 1, wstk.Inferred: 2,
	wstk.SingleSource: 3, wstk.Verified: 4}

// grade compares grade, conflicts and roles with the rules. Some things hold by the rules
// of every version; the rest is compared where the Extraction says that it was made by
// these rules and all they need is here.
func (k *check) grade(today, then Reviewed) {
	claimed := withCount(string(k.Grounding), ", ", k.Counted, "")
	if why := k.neverGiven(); why != "" {
		k.add("grounding", claimed, why)
		return
	}
	if why := k.ungradable(today); why != "" {
		k.open("grounding", claimed, why)
		return
	}
	by := "today's rules say " + withCount(string(today.Grade), " (", today.Counted, ")")
	foreign := k.foreign()
	switch more := k.overclaims(today, then); {
	case more != "":
		k.add("grounding", claimed, more+": "+by)
	case foreign != "":
		k.open("grounding", claimed, foreign+"; "+by)
	case k.Grounding != today.Grade:
		k.open("grounding", claimed, "it claims less than its quotes give: "+by)
	case k.Counted != today.Counted:
		k.open("grounding", claimed, "it does not say what was counted: "+by)
	default:
		k.add("grounding", claimed, "")
	}
	k.graded = foreign == ""
	if k.graded {
		k.sameConflicts(today)
	}
	k.sameRoles(today)
}

// withCount writes a grade with what it counted, if it says so, between two marks.
func withCount(grade, open, counted, end string) string {
	if counted == "" {
		return grade
	}
	return grade + open + counted + end
}

// neverGiven says why the rules of no version give this grade to such an Extraction.
func (k *check) neverGiven() string {
	sites := map[string]bool{}
	for _, s := range k.Sources {
		if s.CopyOf == "" {
			sites[s.URL] = true
		}
	}
	switch {
	case rank[k.Grounding] == 0:
		return "it is not a grade"
	case (k.Grounding == wstk.Conflicted) != (len(k.Conflicts) > 0):
		return "it does not fit the conflicts that are listed"
	case rank[k.Grounding] > rank[wstk.Inferred] &&
		slices.ContainsFunc(k.Statements, func(s wstk.Statement) bool {
			return s.Support != wstk.SupportDirect
		}):
		return "not all statements are direct"
	case k.Grounding == wstk.Verified && len(sites) < 2:
		return "only one page is quoted"
	}
	return ""
}

// ungradable says what the rules lack to give a grade; "" where they have all.
func (k *check) ungradable(today Reviewed) string {
	if !k.sound {
		return "not every quote verified"
	}
	if slices.ContainsFunc(today.Missing, func(what string) bool {
		return what != missingQuestion
	}) {
		return "it was not checked, because this is missing: " + strings.Join(today.Missing, ", ")
	}
	return ""
}

// overclaims says what a grade claims beyond what the rules give; "" for nothing.
func (k *check) overclaims(today, then Reviewed) string {
	switch {
	case rank[k.Grounding] > rank[then.Grade]:
		return "it claims more than its quotes give"
	case k.Counted != today.Counted && k.Counted != "" &&
		(k.Rules == Rules || k.Counted+wstk.OnFirst != today.Counted):
		return "its count differs from that of its quotes"
	}
	return ""
}

// missingQuestion is what is missing if the question is unknown.
const missingQuestion = "the question"

// foreign says why grade, conflicts and roles may come from other rules, "" if today's rules
// gave them. Other rules may claim less than today's give, but not more.
func (k *check) foreign() string {
	switch {
	case !k.Asked:
		return "the result does not say what was asked"
	case k.Rules == "":
		return "the result does not say by which rules it was given: an older version wrote it, " +
			"or the rules were removed"
	case k.Rules != Rules:
		return "it was given by other rules (" + text.Shorten(k.Rules, 20) + ")"
	}
	return ""
}

func (k *check) sameConflicts(today Reviewed) {
	for _, t := range today.Conflicts {
		if !slices.ContainsFunc(k.Conflicts, func(o wstk.TopicConflict) bool {
			return reflect.DeepEqual(o, t)
		}) {
			k.add("conflict", t.Topic,
				"its quotes disagree on this, but the conflict is left out or altered")
		}
	}
	for _, t := range k.Conflicts {
		if !slices.ContainsFunc(today.Conflicts, func(o wstk.TopicConflict) bool {
			return reflect.DeepEqual(o, t)
		}) {
			k.add("conflict", t.Topic, "its quotes do not disagree on this")
		}
	}
}

// sameRoles compares roles, copies and the order of sources with what today's rules give.
func (k *check) sameRoles(today Reviewed) {
	better := map[wstk.Role]int{wstk.Corroborating: 1, wstk.Supporting: 2, wstk.Primary: 3}
	for i, t := range today.Sources {
		for j, s := range k.Sources {
			switch {
			case s.URL != t.URL:
			case better[s.Role] > better[t.Role]:
				k.add("source", s.URL, fmt.Sprintf(
					"it says that its role is %s, but its quotes give %s", s.Role, t.Role))
			case t.CopyOf != "" && s.CopyOf != t.CopyOf:
				k.add("source", s.URL, "it does not say that it is a copy of "+t.CopyOf)
			case s.Role != t.Role || s.CopyOf != t.CopyOf:
				k.open("sources", s.URL, "it claims a lesser role than its quotes give")
			case i != j && k.graded:
				k.add("source", s.URL, "its place in the list differs from what its quotes give")
			}
		}
	}
}

// rest names what nothing here can prove.
func (k *check) rest() {
	if !k.graded {
		k.open("sources", "", "which page is a copy of which, and their roles, were not compared "+
			"with today's rules")
		k.open("conflicts", "", "what they are about, and whether one was left out, was not "+
			"compared with today's rules")
	}
	k.open("gaps", "", "quotes cannot show what was asked for and not found")
	k.open("unsupported", "", "quotes cannot show words that were not found")
}
