package collate_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"wstk/shared/stage/collate"
	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// liar proposes claims about pages: true ones, and lies of every kind.
type liar struct {
	*rand.Rand
	pages []*wstk.Document
}

func (l *liar) page() *wstk.Document { return l.pages[l.IntN(len(l.pages))] }

// sentence is one of a page that simply says something, with a number or a name where that is asked.
func (l *liar) sentence(d *wstk.Document, fits func(s string) bool) string {
	var all []string
	for i, b := range d.Blocks {
		if b.Kind != wstk.BlockParagraph || !b.Main {
			continue
		}
		words := d.BlockText(i)
		for _, r := range text.Sentences(words, "en") {
			s := words[r.Start:r.End]
			if len(s) > 30 && len(s) < 200 && strings.HasSuffix(s, ".") &&
				strings.Count(s, "(") == strings.Count(s, ")") && fits(s) {
				all = append(all, s)
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	return all[l.IntN(len(all))]
}

func anything(string) bool { return true }

// lie is a kind of lie: a claim, or false where the page has nothing to lie about.
type lie struct {
	name string
	tell func(l *liar) (wstk.Claim, bool)
	left bool // what is left of the claim is true: the lie was in its value, which is dropped
}

// wordAt returns the range of a word of s, of letters alone, that fits.
func (l *liar) wordAt(s string, fits func(w string) bool) (from, to int, ok bool) {
	var at []text.Range
	for _, t := range text.Tokenize(s, "en") {
		w := s[t.Start:t.End]
		if !t.Stop && !strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) &&
			fits(w) {
			at = append(at, text.Range{Start: t.Start, End: t.End})
		}
	}
	if len(at) == 0 {
		return 0, 0, false
	}
	r := at[l.IntN(len(at))]
	return r.Start, r.End, true
}

// digit alters one digit of a value of s.
func (l *liar) digit(s string) string {
	var at []int
	for _, v := range value.Find(s, "en") {
		for i := v.Start; i < v.End; i++ {
			if s[i] >= '0' && s[i] <= '9' {
				at = append(at, i)
			}
		}
	}
	if len(at) == 0 {
		return s
	}
	i := at[l.IntN(len(at))]
	return s[:i] + string('0'+(s[i]-'0'+byte(1+l.IntN(9)))%10) + s[i+1:]
}

var looks = map[rune]string{'a': "а", 'e': "е", 'o': "о", 'p': "р", 'c': "с"}

// lookalike replaces a letter by one that looks alike, or puts a mark on it.
func (l *liar) lookalike(s string) string {
	from, to, ok := l.wordAt(s, func(w string) bool { return strings.ContainsAny(w, "aeopc") && len(w) > 3 })
	if !ok {
		return s
	}
	i := from + strings.IndexAny(s[from:to], "aeopc")
	if l.IntN(2) == 0 {
		return s[:i+1] + "\u0336" + s[i+1:]
	}
	return s[:i] + looks[rune(s[i])] + s[i+1:]
}

var inventions = []string{"The bridge has 12 lanes.", "SQLite was bought by Initech in 1998.",
	"Maria Okonkwo leads the project.", "The fee is 45 dollars.", "Support ends on 3 May 2031.",
	"Everything is encrypted with a secret key.", "Call 020 7946 0999.", "The museum sells tickets."}

func direct(words string, quote wstk.Proposal) wstk.Claim {
	return wstk.Claim{Statement: words, Support: wstk.SupportDirect, Proposed: []wstk.Proposal{quote}}
}

func quoted(d *wstk.Document, words string) wstk.Proposal {
	return wstk.Proposal{Kind: wstk.EvidenceText, URL: d.URL, Words: words, ByteStart: -1}
}

// alter makes a lie of a true sentence, told with its true quote.
func alter(fits func(s string) bool, change func(l *liar, s string) string) func(l *liar) (wstk.Claim, bool) {
	return func(l *liar) (wstk.Claim, bool) {
		d := l.page()
		s := l.sentence(d, fits)
		if s == "" {
			return wstk.Claim{}, false
		}
		told := change(l, s)
		return direct(told, quoted(d, s)), told != s
	}
}

func holdsDigit(s string) bool {
	return slices.ContainsFunc(value.Find(s, "en"), func(v value.Value) bool {
		return strings.ContainsAny(v.Text, "0123456789")
	})
}

func holds(word string) func(string) bool {
	return func(s string) bool { return strings.Contains(s, word) }
}

// guard is a word that no statement may leave out; clauseGuard finds one in a clause.
var (
	guard = regexp.MustCompile(` (?:not|no|never|only|may|might|could|would|should|some|most|many|few|` +
		`if|unless|until|except|before|after|about|almost|usually|formerly|probably|more|less)\b`)
	clauseGuard = regexp.MustCompile(`\b(?:not|no|never|only|may|if|unless|until|except|when|but|` +
		`before|after|most|some|more|less|usually)\b`)
	surely = strings.NewReplacer(" may ", " must ", " can ", " must ", " could ", " will ",
		" should ", " must ", " might ", " will ")
	reversed = strings.NewReplacer(" more ", " less ", " before ", " after ", " less ", " more ",
		" smaller ", " larger ", " faster ", " slower ", " at least ", " at most ")
	joining = map[string]bool{"however": true, "also": true, "therefore": true, "thus": true}
)

var lies = []lie{
	{name: "a quote that is nowhere", tell: func(l *liar) (wstk.Claim, bool) {
		s := inventions[l.IntN(len(inventions))]
		return direct(s, quoted(l.page(), s)), true
	}},
	{name: "hidden text", tell: func(l *liar) (wstk.Claim, bool) {
		d := l.page()
		return direct(d.Hidden[0].Text, quoted(d, d.Hidden[0].Text)), true
	}},
	{name: "stitched with an ellipsis", tell: func(l *liar) (wstk.Claim, bool) {
		d := l.page()
		a, b := l.sentence(d, anything), l.sentence(d, anything)
		words := a[:len(a)/2] + " … " + b[len(b)/2:]
		return direct(words, quoted(d, words)), a != ""
	}},
	{name: "stitched from two places", tell: func(l *liar) (wstk.Claim, bool) {
		d := l.page()
		a, b := l.sentence(d, anything), l.sentence(d, anything)
		words := strings.TrimSuffix(a, ".") + " " + b
		return direct(words, quoted(d, words)), a != "" && !strings.Contains(d.Text, words)
	}},
	{name: "a wrong URL", tell: func(l *liar) (wstk.Claim, bool) {
		d := l.page()
		s := l.sentence(d, anything)
		p := quoted(d, s)
		p.URL += "x"
		return direct(s, p), s != ""
	}},
	{name: "a quote of another page", tell: func(l *liar) (wstk.Claim, bool) {
		d, other := l.page(), l.page()
		s := l.sentence(d, anything)
		return direct(s, quoted(other, s)), s != "" && !strings.Contains(other.Text, s)
	}},
	{name: "a translated quote", tell: func(l *liar) (wstk.Claim, bool) {
		return direct("Die Datei liegt in einem einzigen Ordner.",
			quoted(l.page(), "Die Datei liegt in einem einzigen Ordner.")), true
	}},
	{name: "a number altered", tell: alter(holdsDigit, (*liar).digit)},
	{name: "a number altered in the quote, too", tell: func(l *liar) (wstk.Claim, bool) {
		d := l.page()
		s := l.sentence(d, holdsDigit)
		told := l.digit(s)
		return direct(told, quoted(d, told)), told != s && !strings.Contains(d.Text, told)
	}},
	{name: "a denial cut", tell: alter(holds(" not "), func(_ *liar, s string) string {
		return strings.Replace(s, " not ", " ", 1)
	})},
	{name: "a denial added", tell: alter(func(s string) bool {
		return strings.Contains(s, " is ") && !strings.Contains(s, " not ") &&
			!strings.Contains(s, " no ")
	}, func(_ *liar, s string) string { return strings.Replace(s, " is ", " is not ", 1) })},
	{name: "letters that look alike", tell: alter(anything, (*liar).lookalike)},
	{name: "letters that look alike, in the quote", tell: func(l *liar) (wstk.Claim, bool) {
		d := l.page()
		s := l.sentence(d, anything)
		told := l.lookalike(s)
		return direct(told, quoted(d, told)), told != s
	}},
	{name: "a true quote of something else", tell: func(l *liar) (wstk.Claim, bool) {
		d := l.page()
		s := l.sentence(d, anything)
		return direct(inventions[l.IntN(len(inventions))], quoted(d, s)), s != ""
	}},
	{name: "a name put in", tell: alter(anything, func(_ *liar, s string) string {
		return "Maria Okonkwo says that " + strings.ToLower(s[:1]) + s[1:]
	})},
	{name: "an invented end", tell: alter(anything, func(_ *liar, s string) string {
		return strings.TrimSuffix(s, ".") + " and was bought by Initech."
	})},
	{name: "a word for all", tell: alter(func(s string) bool {
		return holds(" some ")(s) || holds(" many ")(s) || holds(" most ")(s)
	}, func(_ *liar, s string) string {
		return strings.NewReplacer(" some ", " all ", " many ", " all ", " most ", " all ").Replace(s)
	})},
	{name: "names that change places", tell: alter(func(s string) bool {
		return len(text.Names(s, "en")) > 1
	}, func(_ *liar, s string) string {
		names := text.Names(s, "en")
		if len(names) < 2 {
			return s
		}
		a, b := names[0], names[len(names)-1]
		return s[:a.Start] + s[b.Start:b.End] + s[a.End:b.Start] + s[a.Start:a.End] + s[b.End:]
	})},
	{name: "a guard left out", tell: alter(anything, func(l *liar, s string) string {
		at := guard.FindAllStringIndex(s, -1)
		if len(at) == 0 {
			return s
		}
		r := at[l.IntN(len(at))]
		return s[:r[0]] + s[r[1]:]
	})},
	{name: "clauses in another order", tell: alter(holds(", "), func(_ *liar, s string) string {
		first, rest, _ := strings.Cut(strings.TrimSuffix(s, "."), ", ")
		return rest + ", " + first + "."
	})},
	{name: "a clause left out", tell: alter(func(s string) bool {
		at := strings.IndexAny(s, ",;:(")
		return at > 0 && clauseGuard.MatchString(s[at:])
	}, func(_ *liar, s string) string { return s[:strings.IndexAny(s, ",;:(")] + "." })},
	{name: "a word left out", tell: alter(anything, func(l *liar, s string) string {
		from, to, ok := l.wordAt(s, anything)
		if !ok || strings.Count(s, " ") < 4 || joining[strings.ToLower(s[from:to])] {
			return s
		}
		return strings.TrimSpace(s[:from] + strings.TrimLeft(s[to:], " ,"))
	})},
	{name: "a doubt that is certain", tell: alter(func(s string) bool { return surely.Replace(s) != s },
		func(_ *liar, s string) string { return surely.Replace(s) })},
	{name: "a comparison turned", tell: alter(func(s string) bool { return reversed.Replace(s) != s },
		func(_ *liar, s string) string { return reversed.Replace(s) })},
	{name: "another field", tell: func(l *liar) (wstk.Claim, bool) {
		d := l.page()
		s := l.sentence(d, func(s string) bool { return !strings.Contains(s, "fax") })
		c := direct(s, quoted(d, s))
		c.Field = "fax"
		return c, s != ""
	}},
	{name: "another value", left: true, tell: func(l *liar) (wstk.Claim, bool) {
		d := l.page()
		s := l.sentence(d, holdsDigit)
		c := direct(s, quoted(d, s))
		c.Value = &wstk.Value{Type: wstk.ValueNumber, Text: "4711", Norm: "4711"}
		return c, s != ""
	}},
	{name: "no quote", tell: func(l *liar) (wstk.Claim, bool) {
		s := l.sentence(l.page(), anything)
		return wstk.Claim{Statement: "Also: " + s, Support: wstk.SupportDirect}, s != ""
	}},
}

// truth is a sentence of a page, as it stands or without its last clause.
func (l *liar) truth() (wstk.Claim, bool) {
	d := l.page()
	s := l.sentence(d, anything)
	c := direct(s, quoted(d, s))
	if l.IntN(4) == 0 {
		c.Support = wstk.SupportInferred
	}
	return c, s != ""
}

// With a model that invents, no invented quote is evidence and no unsupported claim a statement, in
// 1,000 answers; each lie is listed; and what the answer states without the lies it states with
// them, and beside that only words of its pages.
func TestALyingModelProvesNothing(t *testing.T) {
	lib := newLibrary(t)
	var pages []*wstk.Document
	for _, name := range []string{"about", "famous", "limits", "whentouse", "wal", "hirely",
		"footprint", "mostdeployed", "copyright", "serverless", "selfcontained", "different"} {
		d := *lib.page(t, "sqlite/"+name+".html")
		d.Hidden = append([]wstk.Hidden{{Reason: "attribute",
			Text: "The hidden tower of " + name + " is 900 metres high."}}, d.Hidden...)
		pages = append(pages, &d)
	}
	for _, name := range []string{"late-agree-01/0", "late-apart-11/0", "more-agree-05/0",
		"more-agree-37/0", "fit-agree-21/0", "late-contradict-06/0"} {
		d := *lib.page(t, name)
		d.Hidden = []wstk.Hidden{{Reason: "attribute", Text: "The hidden fee of " + name + " is 900 EUR."}}
		pages = append(pages, &d)
	}
	told := map[string]int{}
	const trials = 1000
	for seed := range trials {
		l := &liar{rand.New(rand.NewPCG(uint64(seed), 15)), pages}
		honest, mixed, lied := l.claims(told)
		in := collate.Input{Query: "What is SQLite?"}
		x, plain := answer(t, in, pages, mixed), answer(t, in, pages, honest)
		for _, fault := range slices.Concat(proven(x, pages), stated(x, lied)) {
			t.Errorf("%d: %s", seed, fault)
		}
		for _, fault := range changed(x, plain) {
			t.Errorf("%d: %s", seed, fault)
		}
	}
	for _, k := range lies {
		if told[k.name] < trials/50 {
			t.Errorf("%q was told %d times in %d answers", k.name, told[k.name], trials)
		}
	}
}

// claims are those of an answer: the honest ones alone, and these with lies among them.
func (l *liar) claims(told map[string]int) (honest, mixed []wstk.Claim, lied map[string]lie) {
	lied = map[string]lie{}
	for range 1 + l.IntN(5) {
		if c, ok := l.truth(); ok && lied[c.Statement].tell == nil {
			honest, mixed = append(honest, c), append(mixed, c)
		}
		k := lies[l.IntN(len(lies))]
		c, ok := k.tell(l)
		if !ok || slices.ContainsFunc(mixed, func(o wstk.Claim) bool {
			return o.Statement == c.Statement
		}) {
			continue
		}
		told[k.name]++
		lied[c.Statement] = k
		mixed = append(mixed, c)
		if k.left {
			c.Value = nil
			honest = append(honest, c)
		}
	}
	return honest, mixed, lied
}

// changed names what an answer without lies states and one with them does not, and what only the
// second states and no quote of it says.
func changed(x, plain wstk.Extraction) (faults []string) {
	states := func(x wstk.Extraction, o wstk.Statement) bool {
		return slices.ContainsFunc(x.Statements, func(s wstk.Statement) bool {
			return s.Statement == o.Statement && s.Field == o.Field && s.Support == o.Support
		})
	}
	for _, s := range plain.Statements {
		if !states(x, s) {
			faults = append(faults, "lost: "+s.Statement)
		}
	}
	for _, s := range x.Statements {
		if !states(plain, s) && x.Evidence[s.Evidence[0]].Quote != s.Statement {
			faults = append(faults, "not the words of its page: "+s.Statement)
		}
	}
	return faults
}

// proven names evidence that no page holds.
func proven(x wstk.Extraction, pages []*wstk.Document) (faults []string) {
	for _, e := range x.Evidence {
		if !slices.ContainsFunc(pages, func(d *wstk.Document) bool {
			return d.URL == e.URL && strings.Contains(d.Text, e.Quote)
		}) {
			faults = append(faults, "invented evidence: "+e.Quote)
		}
	}
	return faults
}

// stated names lies that are statements, and those that are not listed as unsupported.
func stated(x wstk.Extraction, lied map[string]lie) (faults []string) {
	for _, s := range x.Statements {
		inPage := s.Field == "" && x.Evidence[s.Evidence[0]].Quote == s.Statement // for another claim
		if k, is := lied[s.Statement]; is && !k.left && !inPage {
			faults = append(faults, fmt.Sprintf("%s: %q is %s, open %q, by %q", k.name, s.Statement,
				s.Support, s.Open, x.Evidence[s.Evidence[0]].Quote))
		}
	}
	for words, k := range lied {
		if !k.left && !slices.ContainsFunc(x.Unsupported, func(u wstk.Unsupported) bool {
			return u.Statement == words
		}) {
			faults = append(faults, fmt.Sprintf("%s: %q is not listed", k.name, words))
		}
	}
	return faults
}
