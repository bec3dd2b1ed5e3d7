package text

import (
	"context"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Setting knows which words of a page the page itself takes back: "The following is
// false:", "Myth: …", what stands under "Common misconceptions", or in a section that
// says that it is obsolete. What crossed-out text is, a reader sees by its style; this
// is what a reader knows from the words around.
type Setting struct {
	taken  []Range // in order, apart
	framed []Range // sentences that take back what a clause of them says
}

// Outline tells the blocks of a page in order, by their kind (as wstk.BlockKind names
// them; "comment" for what a visitor wrote) and the section they stand in, -1 for none,
// and the titles of sections, each after the one above it.
type Outline func(section func(title string, parent int), block func(kind string, section, start, end int))

// NewSetting reads the words of a page. kind is what the page says it is (og:type, a
// schema.org type), title its title, lang its language. When ctx ends it comes back at
// once, with what it has; what that misses is not told.
func NewSetting(ctx context.Context, page, title, kind, lang string, outline Outline) *Setting {
	r := settingReader{page: page, lang: lang}
	outline(r.section, r.block)
	if kind == "SatiricalArticle" || deniedTitle.matches(newPassage(title)) {
		r.take(0, len(page))
	} else {
		r.read(ctx)
	}
	return &Setting{taken: merged(r.taken), framed: merged(r.framed)}
}

// Denies reports whether page[start:end] touches a sentence that takes back its own
// words: "It is wrong that …". Quoted whole it says so itself; it is still no answer to
// what it denies.
func (s *Setting) Denies(start, end int) bool { return s != nil && touched(s.framed, start, end) >= 0 }

// TakenBack reports whether the page takes back any of page[start:end], also where these
// are only a part of a sentence that denies them.
func (s *Setting) TakenBack(start, end int) bool {
	if s == nil {
		return false
	}
	if i := touched(s.framed, start, end); i >= 0 && (start > s.framed[i].Start || end < s.framed[i].End) {
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
	columns    []int // of the table that is read: those whose head says that they hold what is not so
	inTable    bool
	sofar      map[int]int // how many of the first blocks of a page are taken back where they are of a section
}

type settingBlock struct {
	kind       string
	section    int
	start, end int
}

type settingSection struct {
	parent   int
	denied   bool
	labelled bool
}

func (r *settingReader) section(title string, parent int) {
	if parent >= len(r.sections) {
		parent = -1
	}
	denied := parent >= 0 && r.sections[parent].denied
	if !denied && known(title) {
		x := newPassage(title).trimmed()
		denied = deniesUnder(x) || deniedTitle.matches(x)
	}
	r.sections = append(r.sections, settingSection{parent: parent, denied: denied})
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
		if len(r.sofar) > 0 && b.kind != "heading" && r.around(b.section, func(s int) bool { return i < r.sofar[s] }) {
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

// read goes through the blocks. lead is set while a line before takes back what stands
// here.
func (r *settingReader) read(ctx context.Context) {
	r.labelled()
	const (
		none = iota
		one  // the next block
		list // the list, the code or the rows that follow
	)
	lead := none
	verdict := -1 // the column of a table that says whether the rest is so
	for i := range r.blocks {
		if ctx.Err() != nil {
			return
		}
		b := &r.blocks[i]
		s := r.page[b.start:b.end]
		denied := b.section >= 0 && r.sections[b.section].denied
		listed := b.kind == "list_item" || b.kind == "code" || b.kind == "table_row" || b.kind == "quote" || b.kind == "definition"
		if b.kind != "table_row" {
			verdict, r.columns, r.inTable = -1, nil, false
		}
		switch {
		case b.kind == "heading":
			lead = none
			x := newPassage(s)
			if known(s) && (denies(x) || deniedTitle.matches(x)) || denied && !deniesUnder(x) {
				r.take(b.start, b.end)
			}
			continue
		case lead == one || lead == list && listed, denied:
			if !affirms(newPassage(s)) {
				r.take(b.start, b.end)
			}
			if lead == one && listed {
				lead = list
			} else if !listed {
				lead = none
			}
		default:
			lead = none
		}
		if b.kind == "table_row" {
			verdict = r.row(b, s, verdict)
			continue
		}
		if b.kind == "code" {
			r.code(b, s)
			continue
		}
		if !known(s) {
			continue
		}
		if b.kind == "term" {
			if mythCell.matches(newPassage(s)) && !valueWord(s) {
				lead = list
			}
			continue
		}
		if r.prose(i, s) {
			lead = one
		}
	}
	r.takeSections()
}

// labelled lets stand what stands under a heading such as "Common myths" where labels
// tell what is so from what is not: "Myth: … Fact: …".
func (r *settingReader) labelled() {
	for i := range r.blocks {
		b := &r.blocks[i]
		if b.section < 0 || !r.sections[b.section].denied {
			continue
		}
		x := newPassage(Prefix(r.page[b.start:b.end], 120))
		if affirms(x) || wordAfterLabel(x) && b.kind == "heading" {
			for k := b.section; k >= 0 && r.sections[k].denied; k = r.sections[k].parent {
				r.sections[k].labelled = true
			}
		}
	}
	for i := range r.sections {
		s := &r.sections[i]
		if s.parent >= 0 && r.sections[s.parent].labelled {
			s.labelled = true
		}
		s.denied = s.denied && !s.labelled
	}
}

// row reads a row of a table, and returns the column that holds verdicts.
func (r *settingReader) row(b *settingBlock, s string, verdict int) int {
	const most = 40 // bytes of a verdict
	cells, row := strings.Split(s, "\t"), newPassage(s)
	r.column(b, cells, row)
	if verdict < 0 {
		for k, c := range cells {
			if verdictHead.matches(row.part(c).trimmed()) {
				return k
			}
		}
		if first := row.part(cells[0]); len(cells) > 1 && known(cells[0]) && strings.Count(cells[1], " ") > 1 && (bareLabel(first.trimmed()) || mythCell.matches(first)) {
			r.take(b.start, b.end)
		}
		return -1
	}
	if verdict < len(cells) && len(cells[verdict]) <= most && falseVerdict.matches(row.part(cells[verdict]).trimmed()) {
		r.take(b.start, b.end)
	}
	return verdict
}

// column takes back the sentences of a row that stand in a column of what is not so.
func (r *settingReader) column(b *settingBlock, cells []string, row passage) {
	const fewest = 2 // blanks of a sentence
	at := b.start
	for k, c := range cells {
		if !r.inTable && falseColumn.matches(row.part(c).trimmed()) {
			r.columns = append(r.columns, k)
		} else if slices.Contains(r.columns, k) && strings.Count(c, " ") >= fewest {
			r.take(at, at+len(c))
		}
		at += len(c) + 1
	}
	r.inTable = true
}

// code takes back the lines under a remark that says they are wrong, up to the next
// remark.
func (r *settingReader) code(b *settingBlock, s string) {
	wrong, at := false, b.start
	for line := range strings.SplitAfterSeq(s, "\n") {
		if m := remark().FindStringSubmatch(line); m != nil {
			wrong = wrongCode.matches(newPassage(m[1]))
		} else if wrong {
			r.take(at, at+len(line))
		}
		at += len(line)
	}
}

// prose reads the sentences of block i, and reports whether its last one takes back
// what follows.
func (r *settingReader) prose(i int, s string) (next bool) {
	b := &r.blocks[i]
	own := b.kind == "comment" // a visitor takes back words of his own, and no other's
	ranges := Sentences(s, r.lang)
	rest := false
	for k, sr := range ranges {
		words := s[sr.Start:sr.End]
		start, end := b.start+sr.Start, b.start+sr.End
		before := Range{Start: b.start, End: b.start}
		if k > 0 {
			before = Range{Start: b.start + ranges[k-1].Start, End: b.start + ranges[k-1].End}
		}
		if rest && !affirms(newPassage(words)) {
			r.take(start, end)
		}
		if !known(words) {
			continue
		}
		sentence := newPassage(words)
		last := k == len(ranges)-1
		switch {
		case wordAfterLabel(sentence):
			r.take(start, end)
		case denies(sentence):
			r.framed = append(r.framed, Range{Start: start, End: end})
		}
		said := withoutNotice(sentence)
		switch {
		case k == 0 && last && !own && i < badgeBefore && badge.matches(said.trimmed()) && r.besideHeading(i):
			r.take(0, len(r.page))
		case deniesNext(said) && (introduces(said.words) || b.kind != "list_item"): // an item of a menu announces nothing
			r.take(start, end)
			if !saysItself(said.words) {
				rest, next = true, last && !own
			}
		case ofPage.matches(said):
			r.take(start, end)
			if !own && k == 0 && len(s) <= 400 {
				r.take(0, len(r.page))
			}
		case ofSection.matches(said):
			r.take(b.start, b.end)
			if !own {
				r.takeSection(len(r.blocks), i)
			}
		case ofBlock.matches(said) && len(ranges) > 1:
			r.take(b.start, b.end)
		case ofAbove.matches(said):
			r.take(b.start, end)
			if !own {
				r.takeSection(i, i)
			}
		case ofBefore.matches(said) || ofBlock.matches(said):
			r.take(start, end)
			if k > 0 {
				r.take(before.Start, before.End)
			} else if !own && i > 0 {
				r.takeBlocks(i-1, i, i)
			}
		case corrects.matches(said) && !earlier.matches(said):
			if k > 0 {
				r.take(before.Start, before.End)
			} else if !own && i > 0 {
				r.takeBlocks(i-1, i, i)
			}
		case verdictLine.matches(said):
			r.take(b.start, end)
			if k == 0 && !own {
				r.takeBlocks(i-3, i, i)
			}
		}
	}
	return next
}

// besideHeading reports whether a heading stands right before or behind block i.
func (r *settingReader) besideHeading(i int) bool {
	return i > 0 && r.blocks[i-1].kind == "heading" || i+1 < len(r.blocks) && r.blocks[i+1].kind == "heading"
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

// known reports whether s holds a word that taking back needs: what is looked for at
// all. Most text holds none.
func known(s string) bool {
	words := denialWords()
	start := -1
	for i := 0; i <= len(s); i++ {
		var c byte
		if i < len(s) {
			c = s[i]
		}
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 && i-start <= 48 {
			w := s[start:i]
			if words[strings.ToLower(w)] {
				return true
			}
			if w[0] >= 0xE0 { // scripts without spaces, typographic apostrophes
				for _, part := range denialParts {
					if strings.Contains(w, part) {
						return true
					}
				}
			}
		} else if start >= 0 {
			for _, part := range denialParts {
				if strings.Contains(s[start:i], part) {
					return true
				}
			}
		}
		start = -1
	}
	return false
}

// withoutNotice drops what opens a notice: "Disclaimer:", "Editor's note –".
func withoutNotice(x passage) passage {
	if end := notice.opening(x); end >= 0 && end < len(x.words) {
		return x.part(x.words[end:])
	}
	return x
}

// denies reports whether a sentence takes back its own words.
func denies(x passage) bool {
	x = x.trimmed()
	return wordAfterLabel(x) || matchesAny(x, ownFrames)
}

// wordAfterLabel reports whether a sentence opens with a label that takes it back.
func wordAfterLabel(x passage) bool {
	for _, e := range []*expression{labelled, labelledStrict} {
		if end := e.opening(x); end >= 0 && strings.IndexFunc(x.words[end:], unicode.IsLetter) >= 0 {
			return true
		}
	}
	return false
}

// bareLabel reports whether a line is such a label and nothing else.
func bareLabel(x passage) bool {
	return alone.matches(x) || aloneStrict.matches(x)
}

// deniesNext reports whether a sentence takes back what stands behind it.
func deniesNext(x passage) bool {
	const longest = 240
	x = x.trimmed()
	if len(x.words) > longest {
		return false
	}
	return bareLabel(x) || matchesAny(x, leadFrames) || introduces(x.words) && (matchesAny(x, colonFrames) || under(x))
}

// deniesUnder reports whether a heading takes back what stands under it.
func deniesUnder(x passage) bool {
	const longest = 140
	x = x.trimmed()
	return len(x.words) <= longest && !bothSides.matches(x) && (under(x) || matchesAny(x, leadFrames) || bareLabel(x))
}

func under(x passage) bool {
	return matchesAny(x, underFrames) && !bothSides.matches(x)
}

// introduces reports whether a sentence announces what follows.
func introduces(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, " \n\t*_"))
	return r == ':' || r == '：'
}

// affirms reports whether a sentence says of itself that it is so, among others that
// are not: "Fact: …".
func affirms(x passage) bool { return affirmed.matches(x.trimmed()) }

func matchesAny(x passage, es []*expression) bool {
	for _, e := range es {
		if e.matches(x) {
			return true
		}
	}
	return false
}

// denialPatterns makes a list of expressions. In them a name in angle brackets stands for
// a part of denialTerms.
func denialPatterns(list ...string) []*expression {
	out := make([]*expression, len(list))
	for i, s := range list {
		out[i] = denialPattern(s)
	}
	return out
}

func denialPattern(s string) *expression { return newExpression(expandTerms(s)) }

func expandTerms(s string) string {
	for range 3 {
		for name, term := range denialTerms {
			s = strings.ReplaceAll(s, "<"+name+">", term)
		}
	}
	return s
}
