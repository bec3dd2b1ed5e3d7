package extract

import (
	"strings"

	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// A row of a table says many things of one. Its value is that of the column which the question
// names: beside "Height" and "Weight", the weight that is asked for is not the height.

// inColumn returns those of the values of a row that stand in the columns which the question
// names, and the values of a cell that reaches down into it; vs where it names none. named is
// whether it does.
func (q *question) inColumn(p *page, u *unit, vs []value.Value) (out []value.Value, named bool) {
	if u.kind != wstk.BlockTableRow {
		return vs, false
	}
	columns := q.askedColumns(p, u)
	if columns == nil {
		return vs, false
	}
	cells := cellsOf(p.text(u), 0)
	for k := range columns {
		if block, _ := p.doc.CellAt(u.block, k); block != u.block {
			for _, v := range q.want.kind.find(p.doc.CellText(u.block, k), p.lang) {
				v.Range = text.Range{Start: u.end - u.start, End: u.end - u.start}
				out = append(out, v)
			}
			continue
		}
		for _, v := range vs {
			if k < len(cells) && cells[k].start <= v.Start && v.End <= cells[k].end {
				out = append(out, v)
			}
		}
	}
	return out, true
}

// askedColumns are the columns whose header holds most of the question beyond what the row itself
// holds; nil if no header does. A cell that has words of the question is a label, and no value.
func (q *question) askedColumns(p *page, u *unit) map[int]bool {
	if u.header < 0 || !p.doc.Blocks[u.header].IsHeader {
		return nil
	}
	heads := p.columnsUnder(u.header)
	cells := cellsOf(p.text(u), u.start)
	best := 0.0
	var out map[int]bool
	for k, held := range heads {
		if held &^= u.own; held == 0 || k < len(cells) && p.marksOf(u, cells[k]) {
			continue
		}
		switch w := q.weightOf(held); {
		case w > best:
			best, out = w, map[int]bool{k: true}
		case w == best:
			out[k] = true
		}
	}
	return out
}

// marksOf reports whether words of the question stand in a cell of a row.
func (p *page) marksOf(u *unit, cell extent) bool {
	for _, m := range p.marks[u.marks[0]:u.marks[1]] {
		if cell.start <= m.start && m.end <= cell.end {
			return true
		}
	}
	return false
}

// columnsUnder are the words of the question by column, in a header row and those right above it.
func (p *page) columnsUnder(header int) []termSet {
	if out, ok := p.columns[header]; ok {
		return out
	}
	d := p.doc
	var out []termSet
	for h := header; h >= 0 && d.Blocks[h].IsHeader &&
		d.Blocks[h].Table == d.Blocks[header].Table; h-- {
		n := 1 + strings.Count(d.BlockText(h), "\t")
		for _, s := range d.Blocks[h].Spanned {
			n = max(n, s.Column+1)
		}
		for k := range n {
			if k == len(out) {
				out = append(out, 0)
			}
			own, synonym, _ := p.scan(d.CellText(h, k), 0, p.lex, false)
			out[k] |= own | synonym
		}
	}
	if p.columns == nil {
		p.columns = map[int][]termSet{}
	}
	p.columns[header] = out
	return out
}

// ofAnotherMeasure reports whether a value measures something else than the question asks for: a
// length is no weight. A number without a unit may be anything.
func (q *question) ofAnotherMeasure(v value.Value) bool {
	if q.want.kind != amountKind || wstk.ValueType(v.Type) == wstk.ValueNumber {
		return false
	}
	asked := q.measuresAsked()
	if len(asked) == 0 || asked[v.Unit] {
		return false
	}
	if t := wstk.ValueType(v.Type); t == wstk.ValueMoney || t == wstk.ValueDuration {
		return !asked["s"]
	}
	return formWords()["measured in "+v.Unit] != nil
}

// measuresAsked are the base units of what the question asks to be measured.
func (q *question) measuresAsked() map[string]bool {
	if q.bases == nil {
		q.bases = map[string]bool{}
		asked := wordsOf(q.text[q.part.start:q.part.end])
		for family, words := range formWords() {
			unit, ok := strings.CutPrefix(family, "measured in ")
			if ok && holdsAny(asked, words) {
				q.bases[unit] = true
			}
		}
	}
	return q.bases
}
