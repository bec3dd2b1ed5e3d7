package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// labelled offers values beside, below or under their label.
func (f *field) labelled(p *page, offer func(fieldFind)) {
	f.about = namingsOf(f.subject+" "+p.doc.Meta.Title, p.lang)
	for i := range p.units {
		r := labelReader{field: f, page: p, at: i, offer: offer}
		switch p.units[i].kind {
		case wstk.BlockTableRow:
			r.row()
		case wstk.BlockDefinition:
			r.definition()
		case wstk.BlockHeading:
			r.heading()
		case wstk.BlockCode:
		default:
			r.lines()
		}
	}
}

// labelReader looks for a field at one unit of a page: beside, below and under its label.
type labelReader struct {
	*field
	page  *page
	at    int // of the unit, in page.units
	offer func(fieldFind)
}

func (r *labelReader) unit() *unit { return &r.page.units[r.at] }

// labelledValue is a value with what binds it.
type labelledValue struct {
	extent
	label  string
	around []string // what else says what the value is: the cells of its row, the headings above
	quote  wstk.Proposal
	more   []wstk.Proposal
	less   float64 // what its place takes from its score
	column bool    // the label is that of a column: the row says of what the value is
}

// row takes the cell beside the label, the cells whose column the label heads, and the first
// cell of a row where another cell is the label.
func (r *labelReader) row() {
	p, u, d := r.page, r.unit(), r.page.doc
	cells := cellsOf(p.text(u), u.start)
	if len(cells) < 2 {
		return
	}
	head := d.CellText(u.block, 0)
	quote := func(cell extent) wstk.Proposal {
		start, end := p.fit(u.start, u.end, nil, &text.Range{Start: cell.start, End: cell.end})
		return p.propose(start, end)
	}
	var reaching []wstk.Proposal
	for _, i := range p.reachingInto(u.block) {
		reaching = append(reaching, p.block(i))
	}
	for k := 1; k < len(cells); k++ {
		column := ""
		more := reaching
		if u.header >= 0 {
			column = d.CellText(u.header, k)
			more = append(more, p.block(u.header))
		} else if k > 1 {
			break
		}
		x := labelledValue{extent: cells[k], label: head, around: []string{column, head},
			quote: quote(cells[k]),
			more:  more, less: 0.02 * float64(k-1)}
		if u.header >= 0 && len(cells) > 2 && !r.heads(column) {
			x.less += 0.3
		}
		r.give(x)
		if column != "" {
			r.give(labelledValue{extent: cells[k], label: column, around: []string{p.text(u)},
				quote: quote(cells[k]), more: more, less: 0.02, column: true})
		}
	}
	r.named(cells, quote)
}

// rowThings are the words of the first cells of a table.
func (p *page) rowThings(table int) map[string]bool {
	o := p.outlined()
	if o.tables[table] == nil {
		o.tables[table] = map[string]bool{}
		for i, b := range p.doc.Blocks {
			if b.Table == table && b.Kind == wstk.BlockTableRow && !b.IsHeader {
				p.tokens(p.doc.CellText(i, 0), o.tables[table])
			}
		}
	}
	return o.tables[table]
}

// heads reports whether a column is of what is asked about, or of values.
func (r *labelReader) heads(column string) bool {
	for _, n := range namingsOf(column, r.page.lang) {
		if n.word == "value" || n.among(namingsOf(r.subject, r.page.lang)) || n.among(r.words) {
			return true
		}
	}
	return false
}

// named takes the first cell of a row, a name, where another cell is what the hint asks for:
// "Mara Ilves | Head of research".
func (r *labelReader) named(cells []extent, quote func(extent) wstk.Proposal) {
	if len(r.kinds) > 0 && r.kinds[0] != personKind || r.unit().header < 0 {
		return
	}
	p, u, d := r.page, r.unit(), r.page.doc
	first := foldLabel(d.CellText(u.header, 0))
	if first != "name" && first != "person" && first != "who" {
		return
	}
	for k := 1; k < len(cells); k++ {
		r.give(labelledValue{extent: cells[0], label: d.CellText(u.block, k),
			quote:  quote(cells[0]),
			around: []string{p.text(u)}, more: []wstk.Proposal{p.block(u.header)}})
	}
}

// definition takes the first sentence after a term that is the label, or a labelled line about
// the term.
func (r *labelReader) definition() {
	p, u := r.page, r.unit()
	if _, _, ok := splitLabel(p.text(u)); ok || u.header < 0 {
		r.lines()
		return
	}
	if !u.first {
		return
	}
	r.give(labelledValue{extent: extent{u.start, u.end}, label: p.doc.BlockText(u.header),
		quote: (&candidate{page: p, unit: u}).proposal(), more: []wstk.Proposal{p.block(u.header)}})
}

// heading takes the two units under a heading that is the label.
func (r *labelReader) heading() {
	p, u := r.page, r.unit()
	for k := r.at + 1; k < len(p.units) && k <= r.at+2; k++ {
		v := &p.units[k]
		if v.kind == wstk.BlockHeading || v.section != u.section || v.kind == wstk.BlockTableRow {
			break
		}
		if _, _, label := splitLabel(p.text(v)); label {
			break
		}
		if t := p.text(v); len(r.kinds) > 0 && finished(t) && !strings.HasSuffix(t, ":") &&
			len(strings.Fields(t)) > longestPhrase {
			continue // a sentence speaks for itself
		}
		r.give(labelledValue{extent: extent{v.start, v.end}, label: p.text(u),
			quote: (&candidate{page: p, unit: v}).proposal(), less: 0.05 + 0.05*float64(k-r.at-1)})
	}
}

// lines takes what follows a label in each part of a line: "Tel.: … | Fax: …", "Adults €6", and,
// where a line is a value alone, the line above it as its label.
func (r *labelReader) lines() {
	p, u := r.page, r.unit()
	s := p.text(u)
	lead := p.lineAbove(u).Words
	r.addressed(lead)
	for _, c := range partsOfLine(s) {
		part := s[c.start:c.end]
		x := labelledValue{around: []string{lead}}
		if u.header >= 0 && u.kind == wstk.BlockDefinition {
			x.around = append(x.around, p.doc.BlockText(u.header))
			x.more = []wstk.Proposal{p.block(u.header)}
		}
		if label, from, ok := splitLabel(part); ok {
			x.label, x.extent = label, extent{u.start + c.start + from, u.start + c.end}
		} else if label, v, ok := r.bare(part); ok {
			x.label, x.extent = label,
				extent{u.start + c.start + v.start, u.start + c.start + v.end}
			x.less = 0.05
			if len(namingsOf(x.label, p.lang)) == 0 && lead != "" {
				x.label, x.less = lead, 0.1
			} else if above := p.above(u); len(namingsOf(x.label, p.lang)) == 0 && len(above) > 0 {
				x.label, x.less = above[len(above)-1], 0.15
			}
		} else {
			continue
		}
		if past(part) {
			continue
		}
		start, end := p.fit(u.start, u.end, nil, &text.Range{Start: x.start, End: x.end})
		x.quote = p.propose(start, end)
		if x.label == lead && lead != "" {
			x.more = []wstk.Proposal{p.lineAbove(u)}
		}
		r.give(x)
	}
}

// addressed takes the lines below the name of what is asked about, if a place is asked for:
// "Harbour Archive / Mill Lane 2 / Loden".
func (r *labelReader) addressed(lead string) {
	p, u := r.page, r.unit()
	if lead == "" || !slices.Contains(r.kinds, placeKind) || !u.first ||
		!anyAmong(namingsOf(lead, p.lang), namingsOf(r.subject, p.lang)) {
		return
	}
	b := p.doc.Blocks[u.block]
	lines := p.doc.Text[min(b.ByteStart+len(lead)+1, b.ByteEnd):b.ByteEnd]
	if !addressLines(lines) || !r.plainAddress() {
		return
	}
	about, ok := r.concerns(p, u, []string{p.doc.BlockText(u.block)}, nil)
	if !ok {
		return
	}
	quote := p.propose(b.ByteStart, b.ByteEnd)
	r.offer(fieldFind{score: 0.6 - r.demerit(), about: about, page: p, unit: u,
		claim: wstk.Claim{Field: r.name, Statement: clip(strings.TrimSpace(lines)),
			Support: wstk.SupportDirect, Proposed: []wstk.Proposal{quote}}})
}

// addressLines reports whether lines may be those of an address.
func addressLines(lines string) bool {
	const lineCount, longest = 4, 120
	return strings.Count(lines, "\n") < lineCount && digit(lines) && len(lines) <= longest &&
		!strings.ContainsAny(lines, "@:") && !finished(lines)
}

// plainAddress reports whether the hint asks for the address and not for one of several.
func (f *field) plainAddress() bool {
	return !slices.ContainsFunc(f.words, func(n naming) bool {
		return !slices.Contains(n.fields, "address") && !slices.Contains(n.fields, "location") &&
			!softAddress[n.word]
	})
}

// softAddress are the words of a hint that do not make an address another one.
var softAddress = set("postal mailing company office street full registered visitor")

// bare splits a short part of a line into a value and the few words that label it: "Serves 6",
// "01632 960904 (office)".
func (r *labelReader) bare(part string) (label string, at extent, ok bool) {
	const most = 6
	v, _ := r.read(part, r.page.lang)
	if v == nil {
		return "", extent{}, false
	}
	label = part[:v.Start] + " " + part[v.End:]
	if plain := parentheses().ReplaceAllString(label, " "); strings.TrimSpace(plain) != "" {
		label = plain
	}
	if len(strings.Fields(label)) > most || r.page.denies(label) ||
		strings.ContainsAny(label, "?") {
		return "", extent{}, false
	}
	if strings.Trim(label, " .,:;()") == "" {
		label = ""
	}
	return label, extent{v.Start, v.End}, true
}

var parentheses = text.Pattern(`\([^()]*\)`)

// partsOfLine are the parts of a line between bars, dots and lines.
func partsOfLine(s string) (out []extent) {
	start := 0
	add := func(end int) {
		if strings.TrimSpace(s[start:end]) != "" {
			t := s[start:end]
			from := start + len(t) - len(strings.TrimLeftFunc(t, unicode.IsSpace))
			out = append(out, extent{from, start + len(strings.TrimRightFunc(t, unicode.IsSpace))})
		}
	}
	for i, c := range s {
		next, _ := utf8.DecodeRuneInString(s[i+utf8.RuneLen(c):])
		if inParentheses(s, i) {
			continue
		}
		if c == '|' || c == '·' || c == '\n' || c == ';' || c == '•' ||
			c == ',' && unicode.IsSpace(next) && labelFollows(s[i+1:]) {
			add(i)
			start = i + utf8.RuneLen(c)
		}
	}
	add(len(s))
	return out
}

// labelFollows reports whether words begin with the name of a field, so that a comma before them
// ends the value of another.
func labelFollows(s string) bool {
	w := wordsOf(text.Prefix(s, 40))
	for len(w) > 0 && (w[0].text == "but" || w[0].text == "and" || determiners[w[0].text]) {
		w = w[1:]
	}
	for n := min(3, len(w)); n > 0; n-- {
		if fieldWords().phrases[phraseAt(w, 0, n)] != nil {
			return true
		}
	}
	return false
}

// lineAbove quotes the first line of a block over the values of a unit: "Box office" over a number.
func (p *page) lineAbove(u *unit) wstk.Proposal {
	const longest = 60
	b := p.doc.Blocks[u.block]
	line, _, more := strings.Cut(p.doc.BlockText(u.block), "\n")
	if !more || len(line) > longest || b.ByteStart+len(line) > u.end && u.start == b.ByteStart &&
		!strings.Contains(p.text(u), "\n") || digit(line) || strings.Contains(line, "@") {
		return wstk.Proposal{}
	}
	return p.propose(b.ByteStart, b.ByteStart+len(line))
}

// give offers a value with its quotes, if its label binds it and it is of what is asked about.
func (r *labelReader) give(x labelledValue) {
	p, u := r.page, r.unit()
	words := strings.TrimSpace(p.doc.Text[x.start:x.end])
	v, k := r.readLabelled(words, p.lang)
	if p.nothing(words) || len(x.label) > 80 || isQuestion(words) ||
		v == nil && (r.strict() || r.isForm(words)) {
		return
	}
	score, ofItself := r.bindsTo(x, v, k)
	if score == 0 || r.turned(x) {
		return
	}
	var rivals map[string]bool
	if x.column {
		rivals = p.rowThings(p.doc.Blocks[u.block].Table)
	}
	about, ok := r.concerns(p, u, append(x.around, x.label, p.text(u)), rivals)
	if !ok && !ofItself {
		return
	}
	c := wstk.Claim{Field: r.name, Statement: clip(words), Support: wstk.SupportDirect,
		Proposed: append([]wstk.Proposal{x.quote}, x.more...), Value: r.value(words, p.lang)}
	switch {
	case v == nil && len(r.kinds) > 0:
		score -= 0.3 // a label without what it promises
	case k.written():
		c.Statement = v.Text // of a line of contacts, the one that was asked for
	}
	if !strings.Contains(x.quote.Words, c.Statement) { // the quote was cut elsewhere
		return
	}
	r.offer(fieldFind{score: score - x.less - r.demerit(), about: about, claim: c, page: p, unit: u})
}

// bindsTo is how surely a label and what surrounds it bind a value to the field, 0 to 1, and
// whether the hint itself says of what it asks.
func (r *labelReader) bindsTo(x labelledValue, v *value.Value, k kind) (score float64, itself bool) {
	p := r.page
	headings := p.above(r.unit())
	unit := ""
	if v != nil {
		unit = v.Unit
	}
	var around []naming
	for _, s := range append(append([]string{p.doc.Meta.Title}, headings...), x.around...) {
		around = append(around, namingsOf(s, p.lang)...)
	}
	b := r.bind(namingsOf(x.label, p.lang), around, k, unit)
	score = b.score(r.field)
	if score == 0 && foldLabel(x.label) == r.label {
		score = 1
	}
	if b.supplied > 0 && r.excludes(strings.Join(headings, " ")) ||
		r.excludes(strings.Join(append(x.around, x.label), " ")) {
		return 0, false
	}
	return score, b.supplied > 0 && r.ofHeading(headings)
}

// turned reports whether a label or a heading says that what follows is not so, or is so no more.
func (r *labelReader) turned(x labelledValue) bool {
	p := r.page
	return past(x.label) || past(strings.Join(p.above(r.unit()), " ")) || p.denies(x.label) ||
		p.roleOf(r.unit()).has(roleExample|roleNavigation|roleHistory)
}

// ofHeading reports whether a heading has words of a hint that name no field.
func (f *field) ofHeading(headings []string) bool {
	for _, h := range headings {
		for _, n := range namingsOf(h, "en") {
			if n.fields == nil && !n.soft && n.among(f.words) {
				return true
			}
		}
	}
	return false
}

// demerit is what speaks against the place of a unit: it is outside the main content, or on
// a later page.
func (r *labelReader) demerit() float64 {
	demerit := 0.0
	if !r.page.doc.Blocks[r.unit().block].Main {
		demerit = 0.1
	}
	return demerit + 0.002*float64(min(r.page.order, 10))
}

// splitLabel splits "Label: value".
func splitLabel(s string) (label string, from int, ok bool) {
	const longest = 48
	head := s
	if len(head) > longest {
		head = head[:longest]
	}
	for i, r := range head {
		if r == ':' || r == '：' {
			n := utf8.RuneLen(r)
			if i+n >= len(s) {
				return "", 0, false
			}
			next, _ := utf8.DecodeRuneInString(s[i+n:])
			if r == ':' && !unicode.IsSpace(next) {
				return "", 0, false // 10:30, https://
			}
			label = s[:i]
			if strings.Count(label, " ") > 5 || strings.ContainsAny(strings.TrimRight(label, "."),
				".!?;") || strings.Count(label, "(") != strings.Count(label, ")") {
				return "", 0, false
			}
			from = i + n
			for from < len(s) && (s[from] == ' ' || s[from] == '\n') {
				from++
			}
			return label, from, from < len(s)
		}
	}
	return "", 0, false
}

// cellsOf returns the ranges of the cells of a row, which begins at byte at.
func cellsOf(row string, at int) []extent {
	var out []extent
	start := 0
	for i := 0; i <= len(row); i++ {
		if i == len(row) || row[i] == '\t' {
			out = append(out, extent{at + start, at + i})
			start = i + 1
		}
	}
	return out
}
