package content

import (
	"math"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/net/html"

	"wstk/shared/stage/read/dom"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// row collects the features of one block.
type row struct {
	names  *[]string // filled if not nil
	values []float64
}

func (r *row) add(name string, v float64) {
	if r.names != nil {
		*r.names = append(*r.names, name)
	}
	r.values = append(r.values, v)
}

func (r *row) flag(name string, b bool) { r.add(name, number(b)) }

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// FeatureNames names the features of a block, in the order in which Features gives them.
var FeatureNames = sync.OnceValue(func() []string {
	var names []string
	body := &html.Node{Type: html.ElementNode, Data: "body"}
	p := &Page{Tree: &dom.Tree{Root: body, Els: []dom.Element{{Node: body, Parent: -1, End: 1}}},
		Text: []byte("a"), Blocks: []Block{{End: 1}}}
	s := p.sight()
	s.fill(0, &row{names: &names})
	return names
})

// Features returns the features of each block and the groups it is in.
func Features(p *Page) ([][]float64, []Kin) {
	s := p.sight()
	out := make([][]float64, 0, len(p.Blocks))
	s.each(func(_ int, values []float64) { out = append(out, append([]float64(nil), values...)) })
	return out, s.kin
}

// sight is a page with what is counted once for all of its blocks.
type sight struct {
	*Page
	total    float64
	kind     Kind
	title    int // the block, -1 for none
	named    map[string]bool
	places   []place
	kin      []Kin
	looks    []*look
	hashes   []uint64 // of the blocks' texts
	copies   map[uint64]int
	prices   float64 // share of blocks
	controls float64 // share of blocks
	parts    []uint8 // see elsewhereParts
	hasMain  bool
	links    []float64 // see linkRuns
}

func (p *Page) sight() *sight {
	s := &sight{Page: p, total: float64(len(p.Text)) + 1, kind: p.Kind(), title: p.title(),
		places: p.places(), kin: p.kinOf(),
		hashes: make([]uint64, len(p.Blocks)), copies: map[uint64]int{}, parts: p.elsewhereParts(),
		links: p.linkRuns(), named: map[string]bool{}}
	s.hasMain = p.hasMain(s.places)
	prices, controls := 0, 0
	for i := range p.Blocks {
		p.Stop.Tick()
		t := p.blockText(i)
		s.hashes[i] = hashOf(t)
		s.copies[s.hashes[i]]++
		if price(t) {
			prices++
		}
		if p.Blocks[i].Control {
			controls++
		}
	}
	n := float64(max(len(p.Blocks), 1))
	s.prices, s.controls = float64(prices)/n, float64(controls)/n
	s.looks = s.looksOf()
	words(p.Says.Title, func(w string) {
		if len(w) > 3 {
			s.named[strings.ToLower(w)] = true
		}
	})
	return s
}

func hashOf(t string) uint64 {
	hash := uint64(14695981039346656037)
	for k := range len(t) {
		hash = (hash ^ uint64(t[k])) * 1099511628211
	}
	return hash
}

// price reports whether a short text names a price.
func price(t string) bool { return len(t) < 60 && strings.ContainsAny(t, "$€£¥₹") }

// each calls do with the features of each block in turn; values are only good until do
// returns.
func (s *sight) each(do func(i int, values []float64)) {
	r := row{values: make([]float64, 0, 256)}
	for i := range s.Blocks {
		s.Stop.Tick()
		r.values = r.values[:0]
		s.fill(i, &r)
		do(i, r.values)
	}
}

// fill adds the features of block i. Their names are part of the weights: after a change
// run make fit.
func (s *sight) fill(i int, r *row) {
	t := s.blockText(i)
	r.add("constant", 1)
	s.size(i, r)
	s.position(i, r)
	s.kindOf(i, r)
	s.around(i, r)
	s.above(i, r)
	s.wording(i, t, r)
	s.style(t, r)
	s.likeness(i, r)
	s.page(i, r)
}

// size adds how long the block and its neighbours are, and how much of them is links.
func (s *sight) size(i int, r *row) {
	r.add("length", s.length(i))
	r.add("link density", s.density(i))
	r.add("long", max(0, s.length(i)-5))
	r.add("linked long", s.density(i)*s.length(i))
	for d := 1; d <= 3; d++ {
		k := string(rune('0' + d))
		r.add("length before "+k, s.length(i-d))
		r.add("density before "+k, s.density(i-d))
		r.add("length after "+k, s.length(i+d))
		r.add("density after "+k, s.density(i+d))
	}
	r.add("link run", s.links[i])
}

// length is on a logarithmic scale, 0 beyond the ends of the page.
func (s *sight) length(i int) float64 {
	if i < 0 || i >= len(s.Blocks) {
		return 0
	}
	return math.Log1p(float64(s.Blocks[i].bytes()))
}

// density is the part of a block that is links, 1 beyond the ends of the page.
func (s *sight) density(i int) float64 {
	if i < 0 || i >= len(s.Blocks) {
		return 1
	}
	return float64(s.Blocks[i].LinkBytes) / float64(s.Blocks[i].bytes())
}

// position adds where the block stands on the page and with regard to its title.
func (s *sight) position(i int, r *row) {
	at := float64(s.Blocks[i].Start) / s.total
	r.add("position", at)
	r.add("position squared", at*at)
	r.flag("first blocks", i < 3)
	titled := s.title >= 0
	r.flag("before title", titled && i < s.title)
	r.flag("is title", i == s.title)
	r.flag("just after title", titled && i > s.title && i <= s.title+3)
	r.flag("no title", !titled)
	far := 0.0
	if titled {
		far = float64(i-s.title) / float64(len(s.Blocks))
	}
	r.add("distance from title", far)
}

var blockKinds = []wstk.BlockKind{wstk.BlockHeading, wstk.BlockParagraph, wstk.BlockListItem,
	wstk.BlockTableRow, wstk.BlockCode,
	wstk.BlockQuote, wstk.BlockTerm, wstk.BlockDefinition, wstk.BlockCaption, wstk.BlockOther}

// kindOf adds the kind of the block.
func (s *sight) kindOf(i int, r *row) {
	b := &s.Blocks[i]
	for _, k := range blockKinds {
		r.flag("is "+string(k), b.Kind == k)
	}
	level := 0.0
	if b.Kind == wstk.BlockHeading {
		level = float64(b.Level)
	}
	r.add("heading level", level)
	r.flag("control", b.Control)
	r.flag("heading over other pages", s.parts[i] == elsewhereHeading)
	r.flag("under such a heading", s.parts[i] == elsewhereUnder)
}

// around adds the cues and landmarks of the elements around the block.
func (s *sight) around(i int, r *row) {
	at := &s.places[s.Blocks[i].Owner]
	for c, name := range cueNames {
		r.flag("cue "+name, at.cues&(1<<c) != 0)
	}
	for k, name := range landmarkNames {
		r.flag("in "+name, at.landmarks&(1<<k) != 0)
	}
	r.flag("main exists elsewhere", at.landmarks&inMain == 0 && s.hasMain)
	r.add("depth", math.Log1p(float64(s.Els[s.Blocks[i].Owner].Depth)))
}

// above adds how the five elements above the block read.
func (s *sight) above(i int, r *row) {
	e := s.Blocks[i].Owner
	for up := range 5 {
		k := string(rune('0' + up))
		q := &s.places[e]
		r.add("share up "+k, float64(q.text)/s.total)
		r.add("density up "+k, float64(q.link)/float64(max(q.text, 1)))
		r.add("prose up "+k, float64(q.prose)/s.total)
		r.add("prose part up "+k, float64(q.prose)/float64(max(q.text, 1)))
		if s.Els[e].Parent >= 0 {
			e = s.Els[e].Parent
		}
	}
}

// wording adds what the block says.
func (s *sight) wording(i int, t string, r *row) {
	last := t[len(t)-1]
	short := len(t) < 80
	r.flag("ends a sentence", endsSentence(t))
	r.flag("ends with colon", last == ':')
	r.flag("asks", last == '?' || strings.HasSuffix(t, "？") || strings.HasSuffix(t, "؟"))
	r.flag("copyright", strings.Contains(t, "©") || strings.Contains(t, "All rights reserved"))
	r.add("digits", float64(digits(t))/float64(len(t)))
	r.flag("price", price(t))
	r.flag("operates the page", operates(t))
	r.flag("date line", short && dateLike(t))
	r.flag("by line", short && beginsWith(strings.ToLower(t), bylines))
	r.flag("copy", s.copies[s.hashes[i]] > 1)
}

// maxStyled is how many bytes of a block are looked at for its style.
const maxStyled = 2000

// style adds how the block is written.
func (s *sight) style(t string, r *row) {
	t = text.Prefix(t, maxStyled)
	n, capital, little, named, letters := 0.0, 0.0, 0.0, 0.0, 0.0
	words(t, func(w string) {
		n++
		letters += float64(len(w))
		low := strings.ToLower(w)
		if low != w {
			capital++
		}
		if text.IsStopWord(low) {
			little++
		}
		if len(w) > 3 && s.named[low] {
			named++
		}
	})
	each := max(n, 1)
	size := float64(len(t))
	r.add("words", math.Log1p(n))
	r.add("capitals", capital/each)
	r.add("little words", little/each)
	r.add("words of title", named/each)
	r.add("letters of a word", letters/each)
	r.add("commas", float64(strings.Count(t, ",")+3*strings.Count(t, "，")+
		3*strings.Count(t, "、"))/size)
	r.add("marks of code", float64(marksOfCode(t))/size)
	r.add("bars", float64(strings.Count(t, "|")+strings.Count(t, "»")+strings.Count(t, "›")+
		strings.Count(t, "·")+strings.Count(t, "•"))/size)
}

// likeness adds what is known of the elements and blocks that look like this one.
func (s *sight) likeness(i int, r *row) {
	same, share, each, density := s.repeated(s.Blocks[i].Owner)
	r.add("alike", math.Log1p(same))
	r.add("alike share", share)
	r.add("alike length", math.Log1p(each))
	r.add("alike density", density)
	l := s.looks[i]
	r.add("look size", math.Log1p(l.size))
	r.add("look variety", l.variety/l.size)
	r.add("look length", math.Log1p(l.text/l.size))
	r.add("look density", l.link/l.text)
	r.add("look share", l.text/s.total)
	prose := s.Blocks[i].prose()
	for _, k := range []struct {
		name string
		is   bool
	}{{"article", s.kind.Article}, {"product", s.kind.Product}, {"list", s.kind.List},
		{"forum", s.kind.Forum}} {
		r.flag("page "+k.name, k.is)
		r.flag("prose on "+k.name, k.is && prose)
		r.flag("linked on "+k.name, k.is && s.density(i) > 0.5)
		r.add("alike on "+k.name, number(k.is)*share)
	}
}

// page adds what all blocks of the page have in common.
func (s *sight) page(_ int, r *row) {
	r.add("page length", math.Log1p(s.total))
	r.add("page blocks", math.Log1p(float64(len(s.Blocks))))
	r.add("page density", float64(s.places[0].link)/s.total)
	r.add("page prose", float64(s.places[0].prose)/s.total)
	r.add("page prices", s.prices)
	r.add("page controls", s.controls)
}

// repeated finds the largest group of alike elements around an element: how many they
// are, which share of the page they hold, the length and link density of the one that
// the element is in.
func (s *sight) repeated(owner int32) (n, share, each, density float64) {
	for e, up := owner, 0; e >= 0 && up < 10; e, up = s.Els[e].Parent, up+1 {
		q := &s.places[e]
		if q.same >= 3 && float64(q.sameText)/s.total > share {
			n, share = float64(q.same), float64(q.sameText)/s.total
			each, density = float64(q.text), float64(q.link)/float64(max(q.text, 1))
		}
	}
	return
}

// linkRuns returns for each block how many blocks in a row around it are links and little
// else, on a logarithmic scale.
func (p *Page) linkRuns() []float64 {
	out := make([]float64, len(p.Blocks))
	for i := 0; i < len(p.Blocks); {
		j := i
		for j < len(p.Blocks) && p.Blocks[j].LinkBytes*2 > p.Blocks[j].bytes() {
			j++
		}
		for k := i; k < j; k++ {
			out[k] = math.Log1p(float64(j - i))
		}
		i = max(j, i+1)
	}
	return out
}

// look is what is known of all blocks that look like one.
type look struct {
	size    float64 // how many they are
	variety float64 // how many different texts they have
	text    float64 // bytes of it
	link    float64 // of which in links
}

// looksOf returns for each block the look it has: names of products differ from card to
// card, buttons do not.
func (s *sight) looksOf() []*look {
	group := map[int32]*look{}
	type text struct {
		group int32
		hash  uint64
	}
	seen := map[text]bool{}
	out := make([]*look, len(s.Blocks))
	for i := range s.Blocks {
		g := s.kin[i][0]
		l := group[g]
		if l == nil {
			l = &look{}
			group[g] = l
		}
		l.size++
		l.text += float64(s.Blocks[i].bytes())
		l.link += float64(s.Blocks[i].LinkBytes)
		if k := (text{g, s.hashes[i]}); !seen[k] {
			seen[k] = true
			l.variety++
		}
		out[i] = l
	}
	return out
}

// words calls do with each run of letters, digits and apostrophes in t.
func words(t string, do func(w string)) {
	start := -1
	for i, c := range t {
		switch in := unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.IsMark(c) || c == '\''; {
		case in && start < 0:
			start = i
		case !in && start >= 0:
			do(t[start:i])
			start = -1
		}
	}
	if start >= 0 {
		do(t[start:])
	}
}

// marksOfCode counts the characters that code has more of than prose.
func marksOfCode(t string) int {
	n := 0
	for i := range len(t) {
		if strings.IndexByte("{}[]()<>=;_#$\\/*&", t[i]) >= 0 {
			n++
		}
	}
	return n
}
