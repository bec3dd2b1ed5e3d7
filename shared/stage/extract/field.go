package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// field is a property that was asked for: its name as asked, the labels
// pages use for it, the names structured data does, and the form of its value.
type field struct {
	name   string
	kind   kind
	labels []string // folded, the given name first
	data   []string // lower case; a dotted name matches a leaf's end

	exclusive map[string]string // what the name says of groups of fields, see fields.txt
	known     bool              // pages label it in known ways
	subject   string            // the query: of what the field is asked for
}

// knownFields are properties that pages label in many ways. A hint that is none
// of these is looked for by its own words.
var knownFields = []struct {
	kind         kind
	labels, data string // separated by |
}{
	{emailKind, "email|e-mail|mail|email address|e-mail address|contact email|contact " +
		"e-mail|correo|correo electrónico|courriel|эл. почта|почта|电子邮件|邮箱|メール", "email"},
	{phoneKind, "phone|telephone|tel|phone number|telephone number|call|call " +
		"us|hotline|contact number|teléfono|téléphone|telefon|telefonnummer|телефон|电话|電話",
		"telephone|phone|phonenumber"},
	{phoneKind, "fax|fax number", "faxnumber"},
	{phoneKind, "mobile|mobile phone|mobile number|cell|cell phone|mobil|handy|móvil|portable", ""},
	{phoneKind, "landline|landline number|festnetz", ""},
	{placeKind, "address|postal address|mailing address|street address|visit us|our " +
		"address|dirección|adresse|anschrift|адрес|地址|住所", "streetaddress|address"},
	{placeKind, "location|place|venue|city|where|based in|workplace|job " +
		"location|lugar|ubicación|lieu|ort|standort|место|地点",
		"location.name|addresslocality|location|joblocation|areaserved"},
	{moneyKind, "price|cost|fee|price from|unit price|list price|ticket " +
		"price|admission|charge|precio|prix|preis|цена|价格",
		"price|lowprice|pricespecification.price|offers.price"},
	{moneyKind, "salary|pay|compensation|wage|salary range|base " +
		"salary|remuneration|salario|salaire|gehalt|зарплата|薪资",
		"basesalary.value.value|basesalary.value|basesalary|estimatedsalary"},
	{dateKind, "deadline|application deadline|apply by|closing date|due date|due|closes|last " +
		"date|valid until|expires|expiry date|fecha límite|date limite|bewerbungsschluss|срок",
		"validthrough|expires|applicationdeadline|pricevaliduntil"},
	{dateKind, "date|when|day|start date|starts|event date|fecha|datum|дата|日期",
		"startdate|datepublished|date"},
	{dateKind, "end date|ends|end", "enddate"},
	{dateKind, "published|date published|publication date|posted|posted on|date posted|published " +
		"on|veröffentlicht|publié", "datepublished|dateposted|article:published_time"},
	{dateKind, "updated|last updated|modified|last modified|date modified",
		"datemodified|article:modified_time"},
	{timeKind, "opening hours|hours|business hours|office hours|opening times|hours of " +
		"operation|open|horario|horaires|heures d'ouverture|öffnungszeiten|часы работы|营业时间",
		"openinghours|openinghoursspecification.opens|opens"},
	{timeKind, "time|start time|starts at|schedule|uhrzeit|hora|heure",
		"starttime|startdate|doortime"},
	{durationKind, "duration|length of time|running time|runtime|total time|prep time|cook " +
		"time|duración|durée|dauer", "totaltime|duration|preptime|cooktime|timerequired"},
	{personKind, "author|by|written by|creator|autor|auteur|автор|作者",
		"author.name|author|creator.name|creator"},
	{personKind, "contact|contact " +
		"person|coordinator|manager|organizer|organiser|speaker|instructor|ansprechpartner",
		"contactpoint.name|organizer.name|performer.name|instructor.name"},
	{anyKind, "organization|organisation|company|employer|publisher|hiring " +
		"organization|firma|empresa",
		"hiringorganization.name|publisher.name|organizer.name|organization.name"},
	{anyKind, "brand|manufacturer|maker|marke|marca",
		"brand.name|brand|manufacturer.name|manufacturer"},
	{anyKind, "description|summary|about|beschreibung|descripción", "description|og:description"},
	{anyKind, "rating|stars|score|review score", "aggregaterating.ratingvalue|ratingvalue"},
	{anyKind, "availability|in stock|stock|verfügbarkeit", "availability|offers.availability"},
	{anyKind, "sku|product code|item number|article number|model number|isbn|mpn|gtin",
		"sku|isbn|mpn|gtin|gtin13|productid"},
	{anyKind, "employment type|job type|type of employment", "employmenttype"},
	{anyKind, "license|licence|lizenz", "license"},
	{versionKind, "version|release|latest version|current version|stable release",
		"softwareversion|version"},
	{urlKind, "url|link|website|web site|homepage|web|web page", "url|sameas"},
	{amountKind, "servings|yield|serves|portions", "recipeyield"},
	{amountKind, "calories|energy", "nutrition.calories|calories"},
}

// titleLabels name the item itself.
var titleLabels = set("title name headline")

// newField reads a hint. A hint that names the kind of its value ("contact
// email") finds values of that kind.
func newField(hint string) field {
	name := strings.TrimSpace(hint)
	label := foldLabel(name)
	f := field{name: name, labels: []string{label}, exclusive: fieldsIn(name),
		data: []string{strings.ReplaceAll(strings.ReplaceAll(label, " ", ""), "_", "")}}
	for _, k := range knownFields {
		labels := strings.Split(k.labels, "|")
		for _, l := range labels {
			if foldLabel(l) == label {
				f.kind, f.known = k.kind, true
				for _, o := range labels {
					if o != label {
						f.labels = append(f.labels, o)
					}
				}
				f.data = append(f.data, strings.Split(k.data, "|")...)
				return f
			}
		}
	}
	if w := wantOf(name); w.kind.typed() {
		f.kind = w.kind
	}
	return f
}

// foldLabel makes labels comparable: without case, underscores, outer punctuation and
// differences of space.
func foldLabel(s string) string {
	s = strings.NewReplacer("_", " ", "-", " ").Replace(s)
	s = text.FoldCompare(s)
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsPunct(r) || unicode.IsSpace(r) || unicode.IsSymbol(r)
	})
}

// matches says how well a label on a page names the field, 0–1. Its own name
// beats a synonym, the whole label a part of it.
func (f *field) matches(label string) float64 {
	if len(label) > 80 {
		return 0
	}
	label, _, _ = strings.Cut(label, "(")
	got := foldLabel(label)
	if got == "" || f.excludes(label) {
		return 0
	}
	best := 0.0
	for i, want := range f.labels {
		full, part := 1.0, 0.75
		if i > 0 {
			full, part = 0.9, 0
		}
		switch {
		case got == foldLabel(want):
			best = max(best, full)
		case i == 0 && f.kind.typed() && got == withoutKind(want):
			best = max(best, 0.9) // "Shop" before a number is the shop phone
		case part > 0:
			if share := wordShare(want, got); share >= 0.5 {
				best = max(best, part*share)
			}
		}
	}
	return best
}

// wordShare is the Jaccard similarity of two labels' words, cut to stems by a
// common beginning: "weights" and "weight" are one.
func wordShare(a, b string) float64 {
	x, y := strings.Fields(a), strings.Fields(b)
	both := 0
	for _, w := range x {
		for _, v := range y {
			if sameStem(w, v) {
				both++
				break
			}
		}
	}
	return float64(both) / float64(len(x)+len(y)-both)
}

func sameStem(a, b string) bool {
	if a == b {
		return true
	}
	n := min(len(a), len(b))
	if n < 4 || max(len(a), len(b))-n > 2 {
		return false
	}
	return a[:n] == b[:n]
}

// fieldFind is a place that states a field.
type fieldFind struct {
	score float64
	about float64 // share of the words of the query that stand in its block or above, 0 to 1
	claim wstk.Claim
	page  int
	at    int
}

// find looks for the field on pages and returns the best claim. Visible text comes
// first: a labelled value, a table cell, a definition, a line under a heading of
// that name; then structured data; then a sentence that names the field and holds
// a value of its kind.
func (f *field) find(pages []*page, places []wstk.Place) (wstk.Claim, bool) {
	var best fieldFind
	offer := func(x fieldFind) {
		if x.score+aboutWeight*x.about > best.score+aboutWeight*best.about {
			best = x
		}
	}
	for i, p := range pages {
		f.labelled(i, p, offer)
	}
	if best.score < 0.5 {
		for i, p := range pages {
			f.inProse(i, p, offer)
		}
	}
	if best.score < 0.5 {
		for i, p := range pages {
			f.inData(i, p, places, offer)
		}
	}
	return best.claim, best.score > 0
}

// aboutWeight is what the words of the query count: of two rows with a telephone number, the one
// that names the clinic that is asked about is taken, not the first.
const aboutWeight = 0.3

// about is the share of the words of the query that stand in the block of a unit or in the
// headings above it. Words of the field's own name do not count.
func (f *field) about(p *page, u *unit) float64 {
	own, have := map[string]bool{}, map[string]bool{}
	for _, t := range text.Tokenize(f.labels[0], p.lang) {
		own[t.Text] = true
	}
	b := p.doc.Blocks[u.block]
	around := p.doc.BlockText(u.block) + "\n" + strings.Join(p.doc.SectionPath(b.Section), "\n")
	if u.header >= 0 && u.kind == wstk.BlockDefinition {
		around += "\n" + p.doc.BlockText(u.header)
	}
	for _, t := range text.Tokenize(around, p.lang) {
		have[t.Text] = true
	}
	said, all := 0, 0
	for _, t := range text.Tokenize(f.subject, p.lang) {
		if t.Stop || own[t.Text] || kindStems[t.Text] {
			continue
		}
		all++
		if have[t.Text] {
			said++
		}
	}
	return float64(said) / float64(max(1, all))
}

// labelled offers values beside, below or under their label.
func (f *field) labelled(order int, p *page, offer func(fieldFind)) {
	for i := range p.units {
		r := labelReader{field: f, page: p, order: order, at: i, offer: offer}
		switch p.units[i].kind {
		case wstk.BlockTableRow:
			r.row()
		case wstk.BlockDefinition:
			r.definition()
		case wstk.BlockHeading:
			r.heading()
		default:
			r.line()
		}
	}
}

// labelReader looks for a field at one unit of a page: beside, below and under its label.
type labelReader struct {
	*field
	page  *page
	order int // of the page
	at    int // of the unit, in page.units
	offer func(fieldFind)
}

func (r *labelReader) unit() *unit { return &r.page.units[r.at] }

// row takes the second cell of a row whose first is the label, and the cells whose column
// the label heads.
func (r *labelReader) row() {
	p, u, d := r.page, r.unit(), r.page.doc
	cells := cellsOf(p.text(u), u.start)
	if len(cells) < 2 {
		return
	}
	quote := func(cell extent) wstk.Proposal {
		start, end := p.fit(u.start, u.end, nil, &text.Range{Start: cell.start, End: cell.end})
		return p.propose(start, end)
	}
	if m := r.matches(d.CellText(u.block, 0)); m > 0 {
		var above []wstk.Proposal
		for _, i := range p.reachingInto(u.block) {
			above = append(above, p.block(i))
		}
		r.give(m, cells[1], quote(cells[1]), above...)
	}
	if u.header < 0 {
		return
	}
	for k := 1; k < len(cells); k++ {
		if m := r.matches(d.CellText(u.header, k)); m > 0 {
			r.give(m-0.02, cells[k], quote(cells[k]), p.block(u.header))
		}
	}
}

// definition takes the first sentence after a term that is the label.
func (r *labelReader) definition() {
	p, u := r.page, r.unit()
	if u.header < 0 || !u.first {
		return
	}
	if m := r.matches(p.doc.BlockText(u.header)); m > 0 {
		r.give(m, extent{u.start, u.end}, (&candidate{page: p, unit: u}).proposal(),
			p.block(u.header))
	}
}

// heading takes the two units under a heading that is the label.
func (r *labelReader) heading() {
	p, u := r.page, r.unit()
	m := r.matches(p.text(u))
	if m == 0 {
		return
	}
	for k := r.at + 1; k < len(p.units) && k <= r.at+2; k++ {
		v := &p.units[k]
		if v.kind == wstk.BlockHeading || v.section != u.section {
			break
		}
		r.give(m-0.05-0.05*float64(k-r.at-1), extent{v.start, v.end},
			(&candidate{page: p, unit: v}).proposal())
	}
}

// line takes what follows the label in one line.
func (r *labelReader) line() {
	p, u := r.page, r.unit()
	label, from, ok := splitLabel(p.text(u))
	if !ok {
		return
	}
	if m := r.matches(label); m > 0 {
		start, end := p.fit(u.start, u.end, nil,
			&text.Range{Start: u.start, End: u.start + from + 1})
		r.give(m, extent{u.start + from, end}, p.propose(start, end))
	}
}

// give offers a value with its quotes. score is how well its label names the field.
func (r *labelReader) give(score float64, at extent, quote wstk.Proposal, more ...wstk.Proposal) {
	value := strings.TrimSpace(r.page.doc.Text[at.start:at.end])
	if value == "" || score < 0.4 {
		return
	}
	c := wstk.Claim{Field: r.name, Statement: clip(value), Support: wstk.SupportDirect,
		Proposed: append([]wstk.Proposal{quote}, more...)}
	c.Value = r.value(value, r.page.lang)
	if c.Value != nil && (r.kind == emailKind || r.kind == phoneKind || r.kind == urlKind) {
		c.Statement = c.Value.Text // of a line of contacts, the one that was asked for
	}
	switch {
	case r.kind.typed() && c.Value != nil:
		score += 0.05
	case r.kind == emailKind || r.kind == phoneKind || r.kind == moneyKind || r.kind == dateKind:
		score -= 0.35 // a label without what it promises
	}
	if !strings.Contains(quote.Words, c.Statement) { // the quote was cut elsewhere
		return
	}
	r.offer(fieldFind{score - r.demerit(), r.about(r.page, r.unit()), c, r.order, at.start})
}

// demerit is what speaks against the place of a unit: it is outside the main content, or on
// a later page.
func (r *labelReader) demerit() float64 {
	demerit := 0.0
	if !r.page.doc.Blocks[r.unit().block].Main {
		demerit = 0.1
	}
	return demerit + 0.002*float64(min(r.order, 10))
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
			if strings.Count(label, " ") > 5 || strings.ContainsAny(label, ".!?;") ||
				strings.Count(label, "(") != strings.Count(label, ")") {
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

// value reads the field's value in s. A field without a form takes the first
// value there is, if the text is little more than it.
func (f *field) value(s, lang string) *wstk.Value {
	if f.kind.typed() {
		if vs := f.kind.find(s, lang); len(vs) > 0 {
			return valueOf(vs[0])
		}
		return nil
	}
	for _, v := range value.Find(s, lang) {
		if 2*(v.End-v.Start) >= len(s) {
			return valueOf(v)
		}
	}
	return nil
}

// inProse offers sentences that name the field and hold a value of its kind. A plain e-mail
// address or telephone number needs no name, and a price no more than a line of its own.
func (f *field) inProse(order int, p *page, offer func(fieldFind)) {
	if !f.kind.typed() {
		return
	}
	for i := range p.units {
		u := &p.units[i]
		if u.kind == wstk.BlockCode {
			continue
		}
		s := p.text(u)
		vs := f.kind.find(s, p.lang)
		if len(vs) == 0 {
			continue
		}
		score, v := 0.0, vs[0]
		said := s
		if len(vs) > 1 {
			v, said = f.bound(s, vs, p.lang)
		}
		switch named := f.binds(said, p.lang); {
		case named && f.kind != personKind && f.kind != placeKind:
			score = 0.5
		case f.excludes(said) || !f.known:
			continue
		case f.kind == emailKind, f.kind == phoneKind && len(f.exclusive) == 0:
			score = 0.45 // its form shows what it is
		case f.kind == moneyKind && 2*len(v.Text) >= len(s):
			score = 0.3
		default:
			continue
		}
		if !p.doc.Blocks[u.block].Main {
			score -= 0.05
		}
		c := candidate{page: p, unit: u, value: &v}
		quote := c.proposal()
		if !strings.Contains(quote.Words, v.Text) {
			continue
		}
		offer(fieldFind{score - 0.002*float64(min(order, 10)) - 0.0001*float64(min(i, 100)),
			f.about(p, u), wstk.Claim{Field: f.name, Statement: v.Text, Support: wstk.SupportDirect,
				Proposed: []wstk.Proposal{quote}, Value: valueOf(v)},
			order, u.start})
	}
}

// inData offers a literal of structured data.
func (f *field) inData(order int, p *page, places []wstk.Place, offer func(fieldFind)) {
	for _, it := range p.doc.Data {
		for _, l := range it.Leaves {
			if l.Literal == "" || len(l.Literal) > 4*maxQuote || !within(places, p.doc.URL, it, l) {
				continue
			}
			name := strings.ToLower(l.Name)
			for k, want := range f.data {
				if want == "" || name != want && !strings.HasSuffix(name, "."+want) {
					continue
				}
				score := 0.45 - 0.01*float64(k) - 0.02*float64(
					strings.Count(name, ".")) - 0.002*float64(min(order, 10))
				offer(fieldFind{score, 0, wstk.Claim{Field: f.name, Statement: l.Literal,
					Support: wstk.SupportDirect,
					Proposed: []wstk.Proposal{{Kind: wstk.EvidenceData, URL: p.doc.URL,
						Words: l.Literal, ByteStart: -1, Element: l.Element, Pointer: l.Pointer}},
					Value: f.value(l.Literal, p.lang)}, order, 0})
				break
			}
		}
	}
}

// within reports whether a leaf of item it belongs to one of places; where no place
// names structured data of that page, every leaf does.
func within(places []wstk.Place, url string, it wstk.DataItem, l wstk.DataLeaf) bool {
	listed := false
	for _, pl := range places {
		if pl.URL != url || pl.Span != nil {
			continue
		}
		listed = true
		if pl.Element == it.Element && (pl.Pointer == "" || l.Pointer == pl.Pointer ||
			strings.HasPrefix(l.Pointer, pl.Pointer+"/")) {
			return true
		}
	}
	return !listed
}

// clip shortens the words of a long cell or field to at most maxQuote code points: to the
// sentences that fit whole, else to the words that do, else to the letters.
func clip(s string) string {
	if utf8.RuneCountInString(s) <= maxQuote {
		return s
	}
	most, n := len(s), 0
	for i := range s {
		if n == maxQuote {
			most = i
			break
		}
		n++
	}
	whole := 0
	for _, r := range text.Sentences(s, "") {
		if r.End > most {
			break
		}
		whole = r.End
	}
	if whole > 0 {
		return s[:whole]
	}
	if i := strings.LastIndexFunc(s[:most+1], unicode.IsSpace); i > 0 {
		most = i
	}
	return strings.TrimSpace(s[:most])
}
