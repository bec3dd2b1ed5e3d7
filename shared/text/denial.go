package text

import (
	"context"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Setting holds which words of a page the page itself denies: behind "The following is
// false:" or "Myth: …", under "Common misconceptions", in a section that says that it is
// obsolete. Crossed-out text is recognised by its style, not here.
type Setting struct {
	taken  []Range // what is denied, in order, without overlaps
	framed []Range // sentences that deny what a clause of them says
}

// Outline calls section with the title of each section, outer ones first, and block with
// each block in order: its kind (as wstk.BlockKind names them; "comment" for what a visitor
// wrote) and the number of its section, -1 for none.
type Outline func(section func(title string, parent int),
	block func(kind string, section, start, end int))

// NewSetting reads the words of a page. kind is what the page says it is (og:type, a
// schema.org type), title its title, lang its language. When ctx ends, it returns what it
// has found so far.
func NewSetting(ctx context.Context, page, title, kind, lang string, outline Outline) *Setting {
	r := settingReader{page: page, lang: lang}
	outline(r.section, r.block)
	if kind == "SatiricalArticle" || newPassage(title).is("denied title") {
		r.take(0, len(page))
	} else {
		r.read(ctx)
	}
	return &Setting{taken: merged(r.taken), framed: merged(r.framed)}
}

// Denies reports whether page[start:end] touches a sentence that denies its own words: "It
// is wrong that …". The whole sentence may be quoted, but it does not support what it denies.
func (s *Setting) Denies(start, end int) bool {
	return s != nil && touched(s.framed, start, end) >= 0
}

// TakenBack reports whether the page denies any of page[start:end]. It does so for a part of
// a sentence that denies its own words, and not for the whole of it.
func (s *Setting) TakenBack(start, end int) bool {
	if s == nil {
		return false
	}
	if i := touched(s.framed, start, end); i >= 0 &&
		(start > s.framed[i].Start || end < s.framed[i].End) {
		return true
	}
	return touched(s.taken, start, end) >= 0
}

// touched returns the first of rs that start to end touches; -1 for none.
func touched(rs []Range, start, end int) int {
	i := sort.Search(len(rs), func(i int) bool { return rs[i].End > start })
	if i < len(rs) && rs[i].Start < end {
		return i
	}
	return -1
}

func merged(rs []Range) []Range {
	sort.Slice(rs, func(i, j int) bool { return rs[i].Start < rs[j].Start })
	out := rs[:0]
	for _, r := range rs {
		if n := len(out); n > 0 && r.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, r.End)
			continue
		}
		out = append(out, r)
	}
	return out
}

type settingReader struct {
	page, lang string
	blocks     []settingBlock
	sections   []settingSection
	taken      []Range
	framed     []Range
	// how many of the first blocks of a page are taken back where they are of a section
	sofar     map[int]int
	corrected int // corrections that were looked for elsewhere
}

type settingBlock struct {
	kind       string
	section    int
	start, end int
}

type settingSection struct {
	parent int
	denied bool
	own    bool // its own title says so
	told   bool // its title is what is not so, "Myth: …": under it stands why
	topic  bool // denied unless what stands under it speaks of such texts
	errata bool // what stands under it is an error, or sets one right
	label  bool // what stands right under it is told apart by labels: "Myth: … Fact: …"
	myth   bool // a label under it tells what is not so
	within bool // labels stand in it, or in its sections
	whole  bool // denied as a whole, where others around it are told apart by labels
}

func (r *settingReader) section(title string, parent int) {
	if parent >= len(r.sections) {
		parent = -1
	}
	s := settingSection{parent: parent}
	if known(title) {
		x := newPassage(title).trimmed()
		s.told = wordAfterLabel(x)
		s.topic = !s.told && x.is("heading of fiction")
		s.errata = x.is("heading of errata")
		s.own = !s.told && !s.topic && (s.errata || deniesUnder(x) || x.is("denied title"))
	}
	s.errata = s.errata || parent >= 0 && r.sections[parent].errata
	s.denied = s.own || parent >= 0 && r.sections[parent].denied
	r.sections = append(r.sections, s)
}

func (r *settingReader) block(kind string, section, start, end int) {
	if section >= len(r.sections) {
		section = -1
	}
	r.blocks = append(r.blocks, settingBlock{kind, section, start, end})
}

func (r *settingReader) take(start, end int) {
	if start < end {
		r.taken = append(r.taken, Range{Start: start, End: end})
	}
}

// takeBlock takes back blocks from to to, of the same section as block at.
func (r *settingReader) takeBlocks(from, to, at int) {
	for i := max(from, 0); i < to && i < len(r.blocks); i++ {
		if b := &r.blocks[i]; r.under(b.section, r.blocks[at].section) && b.kind != "heading" {
			r.take(b.start, b.end)
		}
	}
}

// takeSection takes back what stands before block to in the section of block at.
func (r *settingReader) takeSection(to, at int) {
	if r.sofar == nil {
		r.sofar = map[int]int{}
	}
	of := r.blocks[at].section
	r.sofar[of] = max(r.sofar[of], to)
}

// takeSections takes back the blocks that takeSection named.
func (r *settingReader) takeSections() {
	for i := range r.blocks {
		b := &r.blocks[i]
		if len(r.sofar) > 0 && b.kind != "heading" &&
			r.around(b.section, func(s int) bool { return i < r.sofar[s] }) {
			r.take(b.start, b.end)
		}
	}
}

// under reports whether section s is section of, or within it.
func (r *settingReader) under(s, of int) bool {
	return r.around(s, func(o int) bool { return o == of })
}

// around reports whether one of the sections that s is in, itself among them, is such; -1
// is the page.
func (r *settingReader) around(s int, such func(int) bool) bool {
	const most = 16 // sections, one in the other
	for hops := 0; s >= 0 && hops < most; hops++ {
		if such(s) {
			return true
		}
		s = r.sections[s].parent
	}
	return s < 0 && such(-1)
}

// badgeBefore is how many blocks at the head of a page may hold a mark that counts for
// all of it.
const badgeBefore = 10

// settingLead is what a line takes back that announces what follows it.
type settingLead int

const (
	leadNone  settingLead = iota
	leadBlock             // the next block
	leadProse             // the next block, unless it is code or a row
	leadList              // the list, the code or the rows that follow
)

// settingState is what the blocks before leave for the next.
type settingState struct {
	lead    settingLead
	verdict int    // the column of a table that says whether the rest is so; -1 for none
	columns []bool // the columns of a table that are not so
	stands  bool   // under a heading such as "Common myths": a label told what is so
	item    bool   // that label was an item of a list
	taken   bool   // the block before was taken back
}

// read goes through the blocks.
func (r *settingReader) read(ctx context.Context) {
	r.topics()
	r.labels()
	st := settingState{verdict: -1}
	for i := range r.blocks {
		if ctx.Err() != nil {
			return
		}
		r.next(i, &st)
	}
	r.takeSections()
}

// listed are the kinds of blocks that may stand in a list.
var listed = map[string]bool{"list_item": true, "code": true, "table_row": true, "quote": true,
	"definition": true}

// next reads block i.
func (r *settingReader) next(i int, st *settingState) {
	b := &r.blocks[i]
	s := r.page[b.start:b.end]
	if b.kind == "heading" {
		*st = settingState{verdict: -1, taken: r.deniedHeading(b, s)}
		return
	}
	if b.kind != "table_row" {
		st.verdict, st.columns = -1, nil
	} else if columns := r.columns(s, i == 0 || r.blocks[i-1].kind != "table_row"); columns != nil {
		st.columns = columns
		return
	}
	switch {
	case st.columns != nil:
		r.takeCells(b, s, st.columns)
	case st.leadsTo(b.kind):
		r.takeUnlabelled(b, s, affirms)
	case r.inDenied(b) && b.kind != "caption":
		st.taken = r.underDenied(i, s, listed[b.kind], st)
	}
	st.passed(b.kind)
	r.inside(i, s, st)
}

// deniedHeading takes back a heading that denies itself or stands under one that denies
// what follows, and reports whether it did.
func (r *settingReader) deniedHeading(b *settingBlock, s string) bool {
	x := newPassage(s)
	denied := known(s) && (denies(x) || x.is("denied title"))
	if !denied && r.inDenied(b) {
		in := &r.sections[b.section]
		denied = !in.own && !in.myth
	}
	if denied {
		r.take(b.start, b.end)
	}
	return denied
}

// inDenied reports whether a block stands in a section that is denied.
func (r *settingReader) inDenied(b *settingBlock) bool {
	return b.section >= 0 && r.sections[b.section].denied
}

// leadsTo reports whether the line before a block of this kind takes it back.
func (st *settingState) leadsTo(kind string) bool {
	switch st.lead {
	case leadBlock:
		return true
	case leadProse:
		return kind != "code" && kind != "table_row"
	case leadList:
		return listed[kind]
	}
	return false
}

// passed notes that a block of this kind stands behind the line that led to it.
func (st *settingState) passed(kind string) {
	if st.lead == leadBlock && listed[kind] {
		st.lead = leadList
	} else if !listed[kind] || st.lead == leadProse {
		st.lead = leadNone
	}
}

// inside reads what a block itself takes back.
func (r *settingReader) inside(i int, s string, st *settingState) {
	b := &r.blocks[i]
	switch {
	case b.kind == "table_row":
		st.verdict = r.row(b, s, st.verdict)
	case b.kind == "code":
		r.code(b, s)
	case !known(s):
	case b.kind == "term":
		if newPassage(s).is("myth cell") && !valueWord(s) {
			st.lead = leadList
		}
	case b.kind == "caption" && newPassage(s).is("denied caption"):
		r.captioned(i)
	default:
		if lead := r.prose(i, s); lead != leadNone {
			st.lead = lead
		}
	}
}

// captioned takes back the block that a caption speaks of.
func (r *settingReader) captioned(i int) {
	of := i - 1
	if i+1 < len(r.blocks) && r.blocks[i+1].kind == "quote" &&
		(i == 0 || r.blocks[of].kind != "quote") {
		of = i + 1
	}
	r.takeBlocks(of, of+1, i)
}

// underDenied takes back block i, which stands under a heading such as "Common myths",
// and reports whether it did. What a label tells to be so stands, with what follows it up
// to the next heading: "Myth: … Fact: …".
func (r *settingReader) underDenied(i int, s string, listed bool, st *settingState) bool {
	b, x := &r.blocks[i], newPassage(s).trimmed()
	if r.sections[b.section].errata && x.is("sets right") {
		return false
	}
	switch {
	case factual(x) || st.taken && affirms(x):
		st.stands, st.item = true, b.kind == "list_item"
	case wordAfterLabel(x):
		st.stands = false
	case st.stands && r.beforeFact(i):
		st.stands = false
	}
	if st.stands && (!st.item || !listed || factual(x)) {
		return false
	}
	r.takeUnlabelled(b, s, factual)
	return true
}

// beforeFact reports whether the block behind block i is one that a label tells to be so:
// then block i, without a label, is what it sets right.
func (r *settingReader) beforeFact(i int) bool {
	if i+1 >= len(r.blocks) || r.blocks[i+1].kind == "heading" ||
		factual(newPassage(r.page[r.blocks[i].start:r.blocks[i].end])) {
		return false
	}
	return factual(newPassage(r.page[r.blocks[i+1].start:r.blocks[i+1].end]))
}

// takeUnlabelled takes back a block up to a sentence that says that it is so.
func (r *settingReader) takeUnlabelled(b *settingBlock, s string, so func(passage) bool) {
	if so(newPassage(s)) {
		return
	}
	end := len(s)
	for _, sr := range Sentences(s, r.lang) {
		if sr.Start > 0 && factual(newPassage(s[sr.Start:sr.End])) {
			end = sr.Start
			break
		}
	}
	r.take(b.start, b.start+end)
}

// topics finds the headings such as "Satire" under which nothing speaks of satire: what
// stands there is it.
func (r *settingReader) topics() {
	var itself []int // sections that speak of it
	for i := range r.blocks {
		b := &r.blocks[i]
		if b.section < 0 || b.kind == "heading" || !r.onTopic(b.section) {
			continue
		}
		if newPassage(r.page[b.start:b.end]).is("about fiction") {
			itself = append(itself, b.section)
		}
	}
	for _, k := range itself {
		r.around(k, func(s int) bool {
			if s >= 0 {
				r.sections[s].topic = false
			}
			return false
		})
	}
	for i := range r.sections {
		s := &r.sections[i]
		s.own = s.own || s.topic
		s.denied = s.own || s.parent >= 0 && r.sections[s.parent].denied
	}
}

// labels lets stand what under a heading such as "Common myths" stands apart from what is
// told apart there by labels, "Myth: … Fact: …": what leads to it, and sections of
// another matter.
func (r *settingReader) labels() {
	r.findLabels()
	beside := r.labelledParents()
	root := r.outermostDenied()
	for i := range r.sections {
		s := &r.sections[i]
		if !s.denied || !r.sections[root[i]].within {
			continue
		}
		s.whole = !s.within &&
			(s.own || beside[s.parent] || s.parent >= 0 && r.sections[s.parent].whole)
		s.denied = s.whole || s.label && !s.told
	}
}

// findLabels notes the denied sections right under whose title labels stand.
func (r *settingReader) findLabels() {
	for i := range r.blocks {
		b := &r.blocks[i]
		if b.section < 0 || !r.sections[b.section].denied || b.kind == "heading" {
			continue
		}
		x, s := newPassage(Prefix(r.page[b.start:b.end], 120)), &r.sections[b.section]
		s.myth = s.myth || wordAfterLabel(x)
		s.label = s.label || s.myth || factual(x)
	}
}

// labelledParents notes the sections within which labels stand, and returns those one of
// whose parts says what is so right under its title.
func (r *settingReader) labelledParents() (beside map[int]bool) {
	beside = map[int]bool{}
	for i := range r.sections {
		s := &r.sections[i]
		if !s.denied || !s.label && !s.told {
			continue
		}
		if s.label && !s.myth && !s.own && !s.told {
			beside[s.parent] = true
		}
		r.around(i, func(k int) bool {
			if k >= 0 {
				r.sections[k].within = true
			}
			return k >= 0 && !r.sections[k].denied
		})
	}
	return beside
}

// outermostDenied returns for each section the outermost one around it that is denied; for
// one that is not denied, itself.
func (r *settingReader) outermostDenied() []int {
	root := make([]int, len(r.sections))
	for i, s := range r.sections {
		root[i] = i
		if s.parent >= 0 && s.denied && r.sections[s.parent].denied {
			root[i] = root[s.parent]
		}
	}
	return root
}

// onTopic reports whether a section is within one of a topic.
func (r *settingReader) onTopic(s int) bool {
	return r.around(s, func(o int) bool { return o >= 0 && r.sections[o].topic })
}

// row reads a row of a table, and returns the column that holds verdicts.
func (r *settingReader) row(b *settingBlock, s string, verdict int) int {
	const most = 40 // bytes of a verdict
	cells, row := strings.Split(s, "\t"), newPassage(s)
	if verdict < 0 {
		for k, c := range cells {
			if row.part(c).trimmed().is("verdict column") {
				return k
			}
		}
		if first := row.part(cells[0]); len(cells) > 1 && known(cells[0]) &&
			strings.Count(cells[1], " ") > 1 &&
			(bareLabel(first.trimmed()) || first.is("myth cell")) {
			r.take(b.start, b.end)
		}
		return -1
	}
	if verdict < len(cells) && len(cells[verdict]) <= most &&
		row.part(cells[verdict]).trimmed().is("false verdict") {
		r.take(b.start, b.end)
	}
	return verdict
}

// remark is a line of code that is nothing but a remark.
var remark = Pattern(`^\s*(?://+|#+|--|;+|/\*+|<!--|%+|")\s*(.*\S)\s*$`)

// code takes back the lines under a remark that says they are wrong, up to the next
// remark.
func (r *settingReader) code(b *settingBlock, s string) {
	wrong, at := false, b.start
	for line := range strings.SplitAfterSeq(s, "\n") {
		if m := remark().FindStringSubmatch(line); m != nil {
			wrong = newPassage(m[1]).is("wrong code")
		} else if wrong {
			r.take(at, at+len(line))
		}
		at += len(line)
	}
}

// prose reads the sentences of block i, and returns what its last one takes back of what
// follows.
func (r *settingReader) prose(i int, s string) (next settingLead) {
	b := &r.blocks[i]
	own := b.kind == "comment" // visitors take back their own words alone
	if len(s) <= 60 && newPassage(s).is("numbered label") {
		r.take(b.start, b.end)
		if own {
			return leadNone
		}
		return leadBlock
	}
	ranges := r.sentences(s)
	rest := false // a sentence before took back what follows
	for k, sr := range ranges {
		at := settingSentence{block: i, nth: k, start: b.start + sr.Start, end: b.start + sr.End,
			last: k == len(ranges)-1, own: own}
		at.before = Range{Start: b.start, End: b.start}
		if k > 0 {
			at.before = Range{Start: b.start + ranges[k-1].Start, End: b.start + ranges[k-1].End}
		}
		words := s[sr.Start:sr.End]
		if rest && !affirms(newPassage(words)) {
			r.take(at.start, at.end)
		}
		if !known(words) {
			continue
		}
		lead, all := r.sentence(at, words)
		rest = rest || all
		if all && at.last && !own {
			next = lead
		}
	}
	return next
}

// sentences are the sentences of a block. "Anm. d. Red.:" is none by itself.
func (r *settingReader) sentences(s string) []Range {
	ranges := Sentences(s, r.lang)
	end := newPassage(Prefix(s, 60)).opening("notice")
	for len(ranges) > 1 && ranges[0].End < end {
		ranges[1].Start = ranges[0].Start
		ranges = ranges[1:]
	}
	return ranges
}

// sentence reads a sentence, and returns what it takes back of what follows it; all reports
// whether the rest of its block is.
func (r *settingReader) sentence(at settingSentence, words string) (lead settingLead, all bool) {
	x := newPassage(words)
	framed := false
	switch {
	case wordAfterLabel(x):
		r.take(at.start, at.end)
	case denies(x):
		framed = true
		r.framed = append(r.framed, Range{Start: at.start, End: at.end})
		r.takeCorrected(at, x)
	}
	if at.nth == 0 {
		at.mark, words = footnote(words)
	}
	said := withoutNotice(x.part(words))
	if lead = r.ahead(at, said); lead == leadNone {
		r.back(at, said, framed)
		return leadNone, false
	}
	r.take(at.start, at.end)
	return lead, !saysItself(said.words) || said.is("filler")
}

// mostCorrected is how many corrections of a page are looked for elsewhere on it.
const mostCorrected = 8

// takeCorrected takes back what a correction says that an earlier version of the page said, where
// the page still says it: "An earlier version of this page said that the hall opens at nine."
func (r *settingReader) takeCorrected(at settingSentence, x passage) {
	const least = 16 // bytes of a statement
	if at.own || r.corrected == mostCorrected || !x.is("earlier version") {
		return
	}
	_, was, ok := strings.Cut(x.words, " that ")
	was = strings.TrimRight(was, " .!;:)”\"'")
	_, size := utf8.DecodeRuneInString(was)
	if !ok || len(was) < least {
		return
	}
	r.corrected++
	rest := was[size:] // its first letter is a capital one elsewhere
	for from := 0; ; {
		i := strings.Index(r.page[from:], rest)
		if i < 0 {
			return
		}
		start, end := from+i-size, from+i+len(rest)
		if from = end; start >= 0 && (end <= at.start || start >= at.end) &&
			strings.EqualFold(r.page[start:end], was) && ends(r.page[end:]) {
			r.take(start, end)
		}
	}
}

// ends reports whether no word goes on at the beginning of s.
func ends(s string) bool {
	c, size := utf8.DecodeRuneInString(s)
	if next, _ := utf8.DecodeRuneInString(s[size:]); strings.ContainsRune(".,:", c) {
		return !unicode.IsDigit(next)
	}
	return !unicode.IsLetter(c) && !unicode.IsNumber(c)
}

// settingSentence is a sentence of a block.
type settingSentence struct {
	block, nth int
	start, end int
	before     Range  // the sentence before it in its block, empty for none
	last       bool   // it is the last of its block
	own        bool   // it speaks of its own block alone
	mark       string // of the note that it opens
}

// ahead is what a sentence takes back of what stands behind it.
func (r *settingReader) ahead(at settingSentence, said passage) settingLead {
	b := &r.blocks[at.block]
	if b.kind == "list_item" && !introduces(said.words) { // an item of a menu announces nothing
		return leadNone
	}
	if r.isBadge(at, said) {
		return leadNone
	}
	if deniesNext(said) || said.is("filler") ||
		at.nth == 0 && at.last && r.overFacts(at.block, said) {
		return leadBlock
	}
	switch doubts, supposes := announcesDoubt(said); {
	case doubts:
		return leadBlock
	case supposes:
		return leadProse
	}
	return leadNone
}

// isBadge reports whether a sentence near the head of a page is a mark that counts for all of it.
func (r *settingReader) isBadge(at settingSentence, said passage) bool {
	return at.nth == 0 && at.last && !at.own && at.block < badgeBefore &&
		said.trimmed().is("badge") && r.besideHeading(at.block)
}

// back takes back what stands before a sentence, or around it, of which it says that it
// is not so. framed is whether the sentence takes back its own words.
func (r *settingReader) back(at settingSentence, said passage, framed bool) {
	b := &r.blocks[at.block]
	switch {
	case r.isBadge(at, said):
		r.take(0, len(r.page))
	case said.is("denies the page"):
		r.takePage(at)
	case said.is("denies the section"):
		r.takeAround(at, b.end, len(r.blocks))
	case said.is("denies its block") && !(at.nth == 0 && at.last):
		r.take(b.start, b.end)
	case said.is("denies the text above"):
		r.takeAround(at, at.end, at.block)
	case deniesBefore(said, framed):
		r.take(at.start, at.end)
		r.takeBefore(at)
	case said.is("correction") && !said.is("earlier version"):
		r.takeBefore(at)
	case said.is("false answer"):
		r.takeWithBefore(at, 1)
	case said.is("verdict line"):
		r.takeWithBefore(at, 3)
	}
}

// deniesBefore reports whether a sentence says of the one before it that it is not so.
func deniesBefore(said passage, framed bool) bool {
	return said.is("denies the sentence before") || said.is("denies its block") ||
		!framed && refutes(said.words)
}

// takePage takes back a sentence that denies its page, and the page if the sentence opens a
// short block.
func (r *settingReader) takePage(at settingSentence) {
	const longest = 400 // bytes
	r.take(at.start, at.end)
	b := &r.blocks[at.block]
	if !at.own && at.nth == 0 && b.end-b.start <= longest {
		r.take(0, len(r.page))
	}
}

// takeAround takes back the block of a sentence up to end, and what stands before block to
// in its section.
func (r *settingReader) takeAround(at settingSentence, end, to int) {
	r.take(r.blocks[at.block].start, end)
	if !at.own {
		r.takeSection(to, at.block)
	}
}

// takeWithBefore takes back the block of a sentence up to its end and, if the sentence opens
// the block, the blocks before it, at most so many.
func (r *settingReader) takeWithBefore(at settingSentence, blocks int) {
	r.take(r.blocks[at.block].start, at.end)
	if at.nth == 0 && !at.own {
		r.takeBlocks(at.block-blocks, at.block, at.block)
	}
}

// takeBefore takes back the sentence before another, or the block before; for a note the
// sentence that bears its mark.
func (r *settingReader) takeBefore(at settingSentence) {
	if at.nth > 0 {
		r.take(at.before.Start, at.before.End)
		return
	}
	if at.own || at.block == 0 {
		return
	}
	if at.mark != "" {
		if of, ok := r.noted(at.block, at.mark); ok {
			r.take(of.Start, of.End)
			return
		}
	}
	r.takeBlocks(at.block-1, at.block, at.block)
}

// besideHeading reports whether a heading stands right before or behind block i.
func (r *settingReader) besideHeading(i int) bool {
	return i > 0 && r.blocks[i-1].kind == "heading" ||
		i+1 < len(r.blocks) && r.blocks[i+1].kind == "heading"
}

// saysItself reports whether a line that announces what follows says it itself: behind a colon.
func saysItself(s string) bool {
	i := strings.LastIndexAny(s, ":：")
	return i >= 0 && strings.Count(strings.TrimSpace(s[i+1:]), " ") > 1
}

// valueWord reports whether a defined term may be a value: false, as programs write it.
func valueWord(s string) bool {
	s = strings.TrimSpace(s)
	return s == "false" || s == "False" || s == "FALSE" || s == "wrong"
}

// known reports whether s holds a word or a sign without which no text denies anything.
// Most texts hold none.
func known(s string) bool {
	for start := 0; start < len(s); start++ {
		end := start
		for end < len(s) && inRun(s[end]) {
			end++
		}
		if end > start && mayDeny(s[start:end]) {
			return true
		}
		start = end
	}
	return false
}

// inRun reports whether a byte of UTF-8 is an ASCII letter or belongs to another character
// than those of ASCII.
func inRun(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 }

// mayDeny reports whether a run of letters is one of the needed words or holds one of the
// needed parts. These are looked for in long runs and in scripts without spaces alone.
func mayDeny(run string) bool {
	const longestWord = 48 // bytes
	if len(run) <= longestWord {
		if amongWords("needed words", strings.ToLower(run)) {
			return true
		}
		if run[0] < 0xE0 {
			return false
		}
	}
	return slices.ContainsFunc(denials().parts,
		func(part string) bool { return strings.Contains(run, part) })
}

// withoutNotice drops what opens a notice: "Disclaimer:", "Editor's note –".
func withoutNotice(x passage) passage {
	if end := x.opening("notice"); end >= 0 && end < len(x.words) {
		return x.part(x.words[end:])
	}
	return x
}

// denies reports whether a sentence takes back its own words.
func denies(x passage) bool {
	x = x.trimmed()
	return wordAfterLabel(x) || x.is("denies itself")
}

// wordAfterLabel reports whether a sentence opens with a label that takes it back.
func wordAfterLabel(x passage) bool {
	for _, family := range []string{"label before", "cased label before"} {
		if end := x.opening(family); end >= 0 &&
			strings.IndexFunc(x.words[end:], unicode.IsLetter) >= 0 {
			return true
		}
	}
	return false
}

// bareLabel reports whether a line is such a label and nothing else.
func bareLabel(x passage) bool {
	return x.is("label alone") || x.is("cased label alone") || x.is("numbered label")
}

// deniesNext reports whether a sentence takes back what stands behind it.
func deniesNext(x passage) bool {
	const longest = 240
	x = x.trimmed()
	if len(x.words) > longest {
		return false
	}
	return bareLabel(x) || x.is("denies what follows") ||
		introduces(x.words) && (x.is("denies behind a colon") || under(x))
}

// deniesUnder reports whether a heading takes back what stands under it.
func deniesUnder(x passage) bool {
	const longest = 140
	x = x.trimmed()
	return len(x.words) <= longest &&
		(bareLabel(x) || !x.is("heading of both sides") &&
			(under(x) || x.is("denies what follows")))
}

func under(x passage) bool {
	return x.is("heading of myths") && !x.is("heading of both sides")
}

// introduces reports whether a sentence announces what follows.
func introduces(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, " \n\t*_"))
	return r == ':' || r == '：'
}

// affirms reports whether a sentence says of itself that it is so, among others that
// are not: "Fact: …".
func affirms(x passage) bool { return x.trimmed().is("affirms") }

// factual reports whether a sentence says so in a label: "Fact: …", or "Facts" and nothing else.
func factual(x passage) bool {
	x = x.trimmed()
	end := x.opening("affirms")
	if end > 0 && strings.ContainsAny(x.words[:end], ":：—–") {
		return true
	}
	return len(x.words) <= 40 && x.is("fact label")
}
