package summarize

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// rules is the version of the heuristic: it changes whenever a page may get
// another summary, so that cached ones are written again.
const rules = "1"

// The bounds of a summary, and of what it is made from. A page may be megabytes; its summary
// is not.
const (
	// of the summary's text, for scripts without spaces the equal number of tokens
	maxWords     = 150
	maxLook      = 200_000 // bytes of main text
	maxSentences = 600
	maxPicked    = 6 // sentences beside the lead
	maxHeadings  = 12
	maxSignals   = 12 // phrases of one kind
	maxEntities  = 24
	maxPhrase    = 120 // code points
	maxCall      = 80  // bytes of a line or link that may be an invitation
)

// Heuristic is the engine without a model. It copies: title, description, the
// sentences the page opens with, those that hold most of its frequent words, and
// the headings. Signals are phrases of the page found by short word lists in ten
// languages, by the headings they stand under, and by values such as prices.
type Heuristic struct{}

func (Heuristic) Name() string       { return "heuristic" }
func (Heuristic) Model() string      { return "" }
func (Heuristic) PromptHash() string { return rules + "." + text.TokenizerVersion }

// Summarize fails only if ctx ends.
func (Heuristic) Summarize(
	ctx context.Context, docs []*wstk.Document,
) ([]wstk.Summary, wstk.Usage, error) {
	out := make([]wstk.Summary, len(docs))
	for i, d := range docs {
		out[i] = summarize(ctx, d)
		if err := ctx.Err(); err != nil { // a summary that was cut short is none
			return nil, wstk.Usage{}, err
		}
	}
	return out, wstk.Usage{}, nil
}

func summarize(ctx context.Context, d *wstk.Document) wstk.Summary {
	p := survey(ctx, d)
	return wstk.Summary{
		Text: p.account(),
		Signals: wstk.Signals{
			Offers:        p.offers(),
			Asks:          p.asks(),
			CallsToAction: p.calls(),
			Entities:      p.entities(),
		},
		Language: p.lang,
	}
}

// sheet holds what the rules look at: the sentences and headings of a page's main content,
// or of all of it if nothing is main.
type sheet struct {
	ctx       context.Context // when it ends, nothing more is looked at
	doc       *wstk.Document
	lang      string
	words     wording
	sentences []sentence
	headings  []heading
	weight    map[string]float64 // of each token, by how often the page uses it
}

// over reports whether the time is over: then the summary is not used.
func (p *sheet) over() bool { return p.ctx.Err() != nil }

type sentence struct {
	text    string
	start   int // byte of the Document text
	block   int
	section int
	opens   bool     // first of its block
	tokens  []string // distinct, without stop words
	length  int      // tokens with stop words
	low     string   // text in lower case
}

type heading struct {
	text  string
	level int
}

// survey reads the page once.
func survey(ctx context.Context, d *wstk.Document) *sheet {
	p := &sheet{ctx: ctx, doc: d, weight: map[string]float64{}}
	hasMain := slices.ContainsFunc(d.Blocks, func(b wstk.Block) bool { return b.Main })
	p.lang = d.Meta.Language
	if p.lang == "" {
		p.lang = text.DetectLanguage(sample(d, hasMain))
	}
	p.words = wordingOf(p.lang)
	looked := 0
	for i, b := range d.Blocks {
		if hasMain && !b.Main {
			continue
		}
		if looked >= maxLook || p.over() {
			break
		}
		s := text.Prefix(d.BlockText(i), maxLook-looked)
		looked += len(s)
		p.block(i, b, s)
	}
	for t, n := range p.weight {
		p.weight[t] = math.Sqrt(n) // the tenth use of a word says less than the second
	}
	return p
}

// block takes the text of a block.
func (p *sheet) block(i int, b wstk.Block, s string) {
	switch b.Kind {
	case wstk.BlockHeading:
		p.heading(b, s)
	case wstk.BlockCode:
	case wstk.BlockTableRow: // no sentence; but a price table's rows are offers
		if len(p.sentences) < maxSentences {
			p.add(s, b, i, text.Range{Start: 0, End: len(s)}, true)
		}
	default:
		for k, r := range text.Sentences(s, p.lang) {
			if len(p.sentences) >= maxSentences || p.over() {
				break
			}
			p.add(s, b, i, r, k == 0)
		}
	}
}

func (p *sheet) heading(b wstk.Block, s string) {
	if h := strings.TrimSpace(s); h != "" {
		p.headings = append(p.headings, heading{h, b.Level})
	}
	for _, t := range text.Tokenize(s, p.lang) {
		if !t.Stop {
			p.weight[t.Text] += 2 // what is worth a heading is what the page is about
		}
	}
}

func (p *sheet) add(s string, b wstk.Block, block int, r text.Range, opens bool) {
	x := sentence{text: s[r.Start:r.End], low: lower(s[r.Start:r.End]),
		start: b.ByteStart + r.Start, block: block, section: b.Section, opens: opens}
	seen := map[string]bool{}
	for _, t := range text.Tokenize(x.text, p.lang) {
		x.length++
		if t.Stop || seen[t.Text] {
			continue
		}
		seen[t.Text] = true
		x.tokens = append(x.tokens, t.Text)
		p.weight[t.Text]++
	}
	p.sentences = append(p.sentences, x)
}

// sample is enough of the page to tell its language.
func sample(d *wstk.Document, mainOnly bool) string {
	var b strings.Builder
	for i, x := range d.Blocks {
		if b.Len() > 4000 {
			break
		}
		if x.Kind == wstk.BlockCode || mainOnly && !x.Main {
			continue
		}
		s := d.BlockText(i)
		b.WriteString(text.Prefix(s, 4000))
		b.WriteByte('\n')
	}
	return b.String()
}

// account is the summary's text: title, description, lead, key sentences in page
// order, headings; each thing once, maxWords in all.
func (p *sheet) account() string {
	var parts []string
	left := maxWords
	said := map[string]bool{}
	say := func(s string, most int) {
		s = strings.Join(strings.Fields(s), " ")
		folded := text.FoldCompare(s)
		if s == "" || left <= 0 || said[folded] {
			return
		}
		said[folded] = true
		s, n := firstWords(s, min(left, most), p.lang)
		left -= n
		parts = append(parts, s)
	}
	say(p.doc.Meta.Title, 30)
	say(p.doc.Meta.Description, 50)

	// Headings come last and are promised their room first: they name every topic
	// of a long page in few words.
	reserve := 0
	var topics []string
	for _, h := range p.headings {
		if len(topics) == maxHeadings || h.level > 3 && len(topics) > 3 {
			continue
		}
		if f := text.FoldCompare(h.text); !said[f] {
			said[f] = true
			t, n := firstWords(strings.Join(strings.Fields(h.text), " "), 12, p.lang)
			if reserve += n; reserve > 45 {
				break
			}
			topics = append(topics, t)
		}
	}
	left -= min(reserve, 45)
	for _, s := range p.key() {
		say(s.text, 40)
	}
	if len(topics) > 0 {
		parts = append(parts, strings.Join(topics, " · "))
	}
	return strings.Join(parts, "\n")
}

// key returns the lead sentence and the maxPicked sentences that hold most of
// what the page says often, in page order. A word counts once: what a picked
// sentence has said is worth little in the next.
func (p *sheet) key() []sentence {
	if len(p.sentences) == 0 {
		return nil
	}
	lead := max(0, slices.IndexFunc(p.sentences, func(s sentence) bool { return s.length >= 6 }))
	weight := maps.Clone(p.weight)
	var picked []int
	taken := map[int]bool{}
	for next := lead; next >= 0; next = p.best(taken, weight) {
		picked = append(picked, next)
		taken[next] = true
		for _, t := range p.sentences[next].tokens {
			weight[t] *= 0.3
		}
		if len(picked) > maxPicked || p.over() {
			break
		}
	}
	slices.Sort(picked)
	out := make([]sentence, len(picked))
	for i, k := range picked {
		out[i] = p.sentences[k]
	}
	return out
}

// best returns the sentence with most of the weight that is not taken, -1 if none has any.
func (p *sheet) best(taken map[int]bool, weight map[string]float64) int {
	best, bestScore := -1, 0.0
	for i, s := range p.sentences {
		if taken[i] || s.length < 4 || s.length > 60 {
			continue
		}
		score := 0.0
		for _, t := range s.tokens {
			score += weight[t]
		}
		score /= math.Sqrt(float64(s.length) + 4) // else the longest always wins
		score *= 1 + 0.5/(1+float64(i)/10)        // pages say early what they are about
		if s.opens {
			score *= 1.1
		}
		if score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}

// firstWords cuts s after at most n words and returns it with their number.
// Where there are no spaces, tokens are counted instead.
func firstWords(s string, n int, lang string) (string, int) {
	words := 0
	end := len(s)
	for _, t := range text.Tokenize(s, lang) {
		if words == n {
			end = t.Start
			break
		}
		words++
	}
	return strings.TrimSpace(s[:end]), words
}

// collect gathers phrases without repeats, up to a number.
type collect struct {
	max  int
	out  []string
	seen map[string]bool
}

func (c *collect) add(s string) {
	s = strings.TrimSpace(s)
	if s == "" || len(c.out) >= c.max {
		return
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	if f := text.FoldCompare(s); !c.seen[f] {
		c.seen[f] = true
		c.out = append(c.out, s)
	}
}

// list is never nil: a page without offers has an empty list of them.
func (c *collect) list() []string {
	if c.out == nil {
		return []string{}
	}
	return c.out
}

// offers are sentences with a word of offering, rows and items with a price, and
// what is listed under a heading such as Services.
func (p *sheet) offers() []string {
	c := collect{max: maxSignals}
	for _, s := range p.sentences {
		if p.over() {
			break
		}
		if at, ok := p.words.offer.find(s.low); ok {
			c.add(clip(s.text, at))
			continue
		}
		if hasPrice(s.text, p.lang) {
			c.add(clip(s.text, 0))
			continue
		}
		k := p.doc.Blocks[s.block].Kind
		if s.opens && (k == wstk.BlockListItem || k == wstk.BlockTerm) &&
			p.under(s.section, p.words.offering) {
			c.add(clip(s.text, 0))
		}
	}
	return c.list()
}

// asks are sentences that want something of the reader.
func (p *sheet) asks() []string {
	c := collect{max: maxSignals}
	for _, s := range p.sentences {
		if at, ok := p.words.ask.find(s.low); ok {
			c.add(clip(s.text, at))
		}
	}
	return c.list()
}

// calls are short links and lines that begin with an invitation: Sign up,
// Contact us. They are searched for on the whole page, since they are often in its header or
// footer.
func (p *sheet) calls() []string {
	c := collect{max: maxSignals}
	try := func(s string) {
		s = strings.TrimSpace(s)
		if s == "" || len(s) > maxCall || strings.Count(s, " ") > 7 {
			return
		}
		if at, ok := p.words.call.find(lower(s)); ok && at == 0 && strings.Contains(p.doc.Text, s) {
			c.add(s)
		}
	}
	for i, b := range p.doc.Blocks {
		if p.over() {
			break
		}
		if n := b.ByteEnd - b.ByteStart; b.Kind != wstk.BlockCode &&
			b.Kind != wstk.BlockTableRow && n <= maxCall {
			try(p.doc.BlockText(i))
		}
	}
	for _, l := range p.doc.Links {
		if p.over() {
			break
		}
		try(l.Text)
	}
	return c.list()
}

// entities are the names the page uses most, the contact details on it,
// and, on technical pages, the identifiers it uses most.
func (p *sheet) entities() []string {
	names, idents := tally{}, tally{}
	contacts := p.contacts()
	for _, s := range p.sentences {
		if p.over() {
			break
		}
		for _, r := range text.Names(s.text, p.lang) {
			if n := s.text[r.Start:r.End]; utf8.RuneCountInString(n) <= 60 {
				names.note(n, s.start+r.Start)
			}
		}
		for _, id := range identifiers(s.text) {
			idents.note(id, s.start)
		}
	}
	c := collect{max: maxEntities}
	for _, s := range slices.Concat(contacts, names.most(1, 16), idents.most(2, 8)) {
		c.add(s)
	}
	return c.list()
}

// contacts are the addresses and telephone numbers of the page. They are often in a footer,
// so all of it is read.
func (p *sheet) contacts() []string {
	c := collect{max: 8}
	looked := 0
	for i, b := range p.doc.Blocks {
		if looked >= maxLook || p.over() {
			break
		}
		s := text.Prefix(p.doc.BlockText(i), maxLook-looked)
		looked += len(s)
		if b.Kind == wstk.BlockCode || !mayReach(s) {
			continue
		}
		for _, v := range value.Find(s, p.lang) {
			if v.Type == string(wstk.ValueEmail) || v.Type == string(wstk.ValuePhone) {
				c.add(s[v.Start:v.End])
			}
		}
	}
	return c.out
}

// tally counts words and notes where each is first.
type tally map[string]*counted

type counted struct {
	text  string
	n     int
	first int
}

func (t tally) note(s string, at int) {
	if c := t[s]; c != nil {
		c.n++
	} else {
		t[s] = &counted{s, 1, at}
	}
}

// most returns the words counted at least so often, most frequent first, up to a number.
func (t tally) most(least, limit int) []string {
	var list []*counted
	for _, c := range t {
		if c.n >= least {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *counted) int {
		return cmp.Or(b.n-a.n, a.first-b.first, strings.Compare(a.text, b.text))
	})
	var out []string
	for _, c := range list[:min(limit, len(list))] {
		out = append(out, c.text)
	}
	return out
}

// identifiers returns the words of s that only a program would write: with an
// underscore, or a capital after a small letter.
func identifiers(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(s, func(r rune) bool {
		return !(unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
	}) {
		w = strings.Trim(w, "_")
		inner := strings.Contains(w, "_")
		for i := 1; i < len(w) && !inner; i++ {
			inner = w[i-1] >= 'a' && w[i-1] <= 'z' && w[i] >= 'A' && w[i] <= 'Z'
		}
		if inner && len(w) <= 60 {
			out = append(out, w)
		}
	}
	return out
}

// under reports whether section i or one above it has a title that holds one of
// the phrases.
func (p *sheet) under(i int, ps phrases) bool {
	for _, title := range p.doc.SectionPath(i) {
		if _, ok := ps.find(lower(title)); ok {
			return true
		}
	}
	return false
}

// hasPrice reports whether s names an amount of money. Searching for values is expensive, so
// it is done only if s holds a sign or a name of a currency.
func hasPrice(s, lang string) bool {
	sign := strings.ContainsFunc(s, func(r rune) bool {
		return r == '$' || r > 127 && unicode.Is(unicode.Sc, r)
	})
	for i := 0; i < len(currencies) && !sign; i++ {
		sign = strings.Contains(s, currencies[i])
	}
	if !sign {
		return false
	}
	for _, v := range value.Find(s, lang) {
		if v.Type == string(wstk.ValueMoney) {
			return true
		}
	}
	return false
}

var currencies = []string{"EUR", "USD", "GBP", "CHF", "JPY", "SEK", "NOK", "DKK", "PLN",
	"CZK", "RUB", "CNY",
	"uro", "ollar", "ounds", "zł", "Kč", "руб", "元", "円"}

// mayReach reports whether s can hold an e-mail address or a telephone number.
func mayReach(s string) bool {
	digits := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '@':
			return true
		case c >= '0' && c <= '9':
			if digits++; digits == 6 {
				return true
			}
		case c >= 'a' && c <= 'z': // letters separate one number from the next
			digits = 0
		}
	}
	return false
}

// clip returns at most maxPhrase code points of s around byte at: a part of s, word for
// word, cut between clauses if there are any, and between words otherwise.
func clip(s string, at int) string {
	if utf8.RuneCountInString(s) <= maxPhrase {
		return s
	}
	start := 0
	for i, r := range s[:at] {
		switch r {
		case ',', ';', ':', '(', '–', '—', '，', '；', '：', '。', '、':
			start = i + utf8.RuneLen(r)
		}
	}
	end, n, space := start, 0, -1
	for i, r := range s[start:] {
		if n++; n > maxPhrase {
			break
		}
		end = start + i + utf8.RuneLen(r)
		if unicode.IsSpace(r) {
			space = start + i
		}
	}
	if n > maxPhrase && space > at {
		end = space
	}
	return strings.TrimFunc(s[start:end], func(r rune) bool {
		return unicode.IsSpace(r) || r == ',' || r == ';'
	})
}
