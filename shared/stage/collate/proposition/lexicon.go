package proposition

import (
	_ "embed"
	"strconv"
	"strings"

	"wstk/shared/lexicon"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/wstk"
)

//go:embed attributes.txt
var attributesFile string

// attribute is what a phrase names, and the kind of its value.
type attribute struct{ name, kind string }

var (
	// attributes are those that each phrase may name.
	attributes   map[string][]attribute
	kindOf       map[string]string // of the values of attributes, by their names
	neutral      map[string]bool   // words that say nothing of which thing is meant
	classes      map[string]string
	classNames   map[string]bool
	asking       map[string]bool   // words of questions that say nothing
	asks         map[string]string // what a word of a question asks for
	affirms      map[string]string // yes and no
	versions     map[string]bool   // a question with them is for a version
	adding       []string          // begin a clause that adds another thing
	beside       map[string]bool   // place one thing beside another
	timely       map[string]bool   // days, which schedules compare
	related      map[string]string // stems of words by a mark of their group
	placing      map[string]bool   // point to a place that the title names
	stress       map[string]bool   // limit nothing, though they look so
	silent       map[string]bool   // say nothing of the subject beside other words
	tenses       map[string]bool   // set a thing in another time, where it has no maker or date
	fillers      map[string]bool   // articles and the like, which say nothing by themselves
	persons      map[string]bool   // we, your: who speaks or is spoken to
	pays         map[string]bool   // say what one does with a sum of money
	joins        map[string]bool   // and
	pointsBack   map[string]bool   // to what was said before
	longest      map[string]int    // words of the longest phrase that begins with a word
	prepositions map[string]bool   // turn who does what
	wantedBy     map[string]string // what phrases of a question want, see wantedValue
	unitsOf      map[string]string // of measures, by the name of the attribute
	changes      map[string]bool   // make the number beside them another one
	light        map[string]bool   // verbs of a question that say little
	doubts       map[string]bool   // say that something is wrong, or only said
	being        map[string]bool   // verbs behind which an answer stands
	ordinary     map[string]bool   // make an attribute no other one
	gratis       map[string]bool   // say that something costs nothing
	lacking      map[string]bool   // verbs that deny
	narrows      map[string]bool   // say for whom a price is
	frames       map[string]bool   // tie a value to its thing, and say nothing else
	restricts    map[string]bool   // make what was said before them hold for less, or not at all
	// prepositions of what goes with an event and does not change it
	circumstances map[string]bool
	pasts         map[string]bool // verbs of a question for what was
	between       map[string]bool // or: the two answers that a question offers
	relatives     map[string]bool // begin a clause about what was said
	finite        map[string]bool // verbs and pronouns that show a clause of its own
	partitives    map[string]bool // speak of some of what was counted
	follows       map[string]bool // begin a clause that goes on to something else
	opensClause   map[string]bool // begin a clause, with a sign before them or without
	fractions     map[string]float64
	times         map[string]float64 // how often a fraction is meant
	// generalStems are those of words that name attributes or say nothing: they name no thing
	generalStems map[string]bool
)

// typesOf are the types of value that the kinds of attribute have which are read by form.
var typesOf = map[string][]wstk.ValueType{
	"measure":  {wstk.ValueQuantity, wstk.ValueNumber},
	"count":    {wstk.ValueNumber, wstk.ValueQuantity},
	"money":    {wstk.ValueMoney},
	"percent":  {wstk.ValueQuantity},
	"time":     {wstk.ValueTime},
	"date":     {wstk.ValueDate, wstk.ValueNumber},
	"duration": {wstk.ValueDuration},
	"phone":    {wstk.ValuePhone},
	"email":    {wstk.ValueEmail},
	"url":      {wstk.ValueURL},
}

func init() { read(wordLists()) }

// wordLists are the phrases of attributes.txt, and the attributes that other stages read too.
func wordLists() *lexicon.Lexicon { return lexicon.Parse(attributesFile).And(lexicon.Attributes()) }

// read takes the words from a lexicon.
func read(l *lexicon.Lexicon) {
	attributes, neutral, classes = map[string][]attribute{}, l.Set("neutral"), map[string]string{}
	generalStems = map[string]bool{}
	for w := range neutral {
		generalStems[wording.Stem(w, "en")] = true
	}
	kindOf, longest = map[string]string{}, map[string]int{}
	for e := range l.Entries("attributes") {
		if len(e) != 4 {
			continue
		}
		attributes[e[3]] = append(attributes[e[3]], attribute{e[1], e[2]})
		kindOf[e[1]] = e[2]
		of := strings.Fields(e[3])
		longest[of[0]] = max(longest[of[0]], len(of))
		if len(of) > 2 { // of a longer phrase each word may be in a name
			continue
		}
		for _, w := range of {
			generalStems[wording.Stem(w, "en")] = true
		}
	}
	changes = l.Set("changes")
	doubts, light = l.Set("doubts"), l.Set("light")
	being, ordinary, gratis = l.Set("being"), l.Set("ordinary"), l.Set("gratis")
	lacking, narrows = l.Set("lacking"), l.Set("narrows")
	wantedBy, unitsOf = second(l, "wants"), second(l, "units")
	fractions, times = numbers(l, "fractions"), numbers(l, "times")
	related = map[string]string{}
	for e := range l.Entries("related") {
		mark := "≈" + e[1]
		related[wording.Stem(e[1], e.Lang())] = mark
		related[wording.Stem(e.Phrase(), e.Lang())] = mark
	}
	classNames, asks, affirms = map[string]bool{}, map[string]string{}, map[string]string{}
	placing = l.Set("placing")
	for _, f := range l.Families() {
		for _, e := range f.Entries {
			kind, of, _ := strings.Cut(f.Name, " ")
			switch kind {
			case "class":
				classes[e.Phrase()], classNames[of] = of, true
			case "asks":
				asks[e.Phrase()] = of
			case "says":
				affirms[e.Phrase()] = of
			}
		}
	}
	versions, timely = l.Set("versions"), l.Set("timely")
	asking, beside, stress = l.Set("asking"), l.Set("beside"), l.Set("stress")
	silent, tenses, prepositions = l.Set("silent"), l.Set("tenses"), l.Set("prepositions")
	adding = l.Phrases("adding")
	fillers, joins = l.Set("empty"), l.Set("joins")
	persons, pays = l.Set("persons"), l.Set("pays")
	frames, restricts, opensClause = l.Set("frames"), l.Set("restricts"), l.Set("opens clause")
	relatives, finite, partitives = l.Set("relatives"), l.Set("finite"), l.Set("partitives")
	follows, between = l.Set("follows"), l.Set("or")
	circumstances, pasts = l.Set("circumstances"), l.Set("pasts")
	pointsBack = l.Set("points back")
}

// second maps the phrases of a family to the second fields of its entries.
func second(l *lexicon.Lexicon, family string) map[string]string {
	out := map[string]string{}
	for e := range l.Entries(family) {
		if len(e) == 3 {
			out[e.Phrase()] = e[1]
		}
	}
	return out
}

// numbers is second for fields that are numbers.
func numbers(l *lexicon.Lexicon, family string) map[string]float64 {
	out := map[string]float64{}
	for phrase, n := range second(l, family) {
		out[phrase], _ = strconv.ParseFloat(n, 64)
	}
	return out
}
