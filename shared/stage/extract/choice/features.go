// Package choice decides which of the candidates for an answer comes first, and how likely
// that one answers.
//
// A candidate is described by a Row of features. A linear model, fitted by tools/fit on
// questions with known answers, orders the candidates of a question; a second one turns the
// row of the first candidate, and how far it stands out, into the probability that it
// answers. The weights of both are data: weights.json.
//
// Begin with the list of features in this file; extract computes them.
package choice

// Feature is a place in a Row.
type Feature int

// The features of a candidate. Shares are of the weight of the question's words, 0 to 1;
// each word counts at the nearest place that holds it.
const (
	Own        Feature = iota // share in the unit itself
	Synonym                   // share of which the unit holds a synonym
	Header                    // share in its header row, its term, or what introduces it
	Led                       // share in the code, list or table that it introduces
	Near                      // share in the title of its own section
	Far                       // share in the titles above
	Title                     // share in the title of its page
	Before                    // share in the sentence before
	Around                    // share in the rest of its paragraph or definition
	Body                      // share elsewhere in its section
	Named                     // share that the kind of its value says by its form
	Missing                   // share at none of these places
	Passage                   // share in its passage and the headings above
	WithBefore                // share in it and the sentence before
	WithAfter                 // share in it and the sentence after
	Window                    // share in it and the two units before and after it
	Heaviest                  // the rarest word of the question is in the unit
	Firm                      // the rarest word is in the unit or its headings
	Coverage                  // all shares, each by the credit of its place
	Inside                    // share in the unit, of what its page does not grant
	Headed                    // what its term, its row's header or the kind of its value add
	Words                     // how many different words of the question it holds, of four

	OwnBest      // Own beside the largest of the candidates
	CoverageBest // Coverage beside the largest of the candidates
	PassageBest  // Passage beside the largest of the candidates
	// how it stands in its passage, by Coverage, times Score
	PassageBestUnit
	WindowBest // Window beside the largest of the candidates

	Density  // share of its words that are the question's
	Tight    // how close together these are
	Adjacent // share of neighbouring words of the question that are neighbours in it

	Value   // it holds a value of the wanted kind
	Close   // how close that value is to words of the question
	Counted // the value counts what is to be counted
	Lacking // it holds none, though the kind has a form; 2 where only a value answers

	Opens   // it opens a section or definition, by the share that its title holds
	Defines // it says what a thing is, where that is asked
	Suits   // it gives a reason, says what to do, or decides, where that is asked
	Label   // its first cell or label is what is asked for
	Lead    // it opens a page about what is asked

	Frame        // it is outside the main content
	IsHeading    // it is a heading
	IsCode       // it is a line of code
	IsRow        // it is a row of a table
	IsItem       // it is an item of a list
	IsDefinition // it is part of a definition
	Leads        // it leads to code, a list or a table
	First        // it is the first sentence of its paragraph
	Paired       // it goes on from the sentence before, and is quoted with it
	Long         // how much longer it is than a sentence should be
	Short        // it has two words or fewer, and no value
	Length       // logarithm of its words

	Rank     // how high recall ranked its passage: 1 over the root of the rank
	Score    // recall's score of its passage beside the best
	Top      // its passage is the first, by how far it stands out from the next
	PageRank // how high recall ranked a passage of its page

	Unnamed   // a name or number of the question is nowhere on its page
	Elsewhere // a name or number of the question is not in it or right around it
	Unrelated // it names what is asked about, and says nothing of what is asked
	Asked     // share in it or its headings of the words that are no names
	Unmarked  // it lacks the mark that all values of the wanted kind bear

	Instructs  // it says what to do
	Reason     // it gives a reason
	Token      // it has a name, option or path as programs write them, which the question lacks
	TokenAsked // the same, if the question asks for one
	Default    // it says what is so by default, and the question asks for that
	Repeats    // it holds much of the question and little else
	Refers     // it begins with a word that refers back
	RefersTo   // the same, by the share of the question in the sentence before

	Caption  // it is the caption of a figure or table
	Example  // it shows an example
	History  // it tells what once was, or what changed
	Negation // it says that something is not so

	// These are of the question, alike in all candidates: only belief looks at them.

	Typed     // a value is asked for
	Telling   // values of the wanted kind say by their form what they are
	Terms     // how many words it has, of twelve
	Uncounted // a count is asked for, and the value does not count the thing

	// Cosines with the question, of what is shown of it and of its passage; 0 where no model
	// compared them. The weights of the words do not have them: see Vectors.
	Alike
	AlikePassage
	Uncovered // beside them: share of the question that the words of no candidate cover

	Count // how many features there are
)

// names are those of weights.json, and say in words what a feature means.
var names = [Count]string{
	Own: "words in it", Synonym: "synonyms in it", Header: "words in its header or term",
	Led:  "words in what it leads to",
	Near: "words in its heading", Far: "words in headings above",
	Title: "words in the page's title", Before: "words in the sentence before",
	Around: "words in its paragraph", Body: "words in its section",
	Named: "words its value stands for", Missing: "words missing",
	Passage: "words in its passage", WithBefore: "words in it and before",
	WithAfter: "words in it and after", Window: "words nearby",
	Heaviest: "the rarest word in it", Firm: "the rarest word in it or its headings",
	Coverage: "words covered", Inside: "words beyond its title", Headed: "headed by words",
	Words: "different words", OwnBest: "most words in it", CoverageBest: "most words covered",
	PassageBest: "most words in its passage", PassageBestUnit: "best of its passage",
	WindowBest: "most words nearby", Density: "density of words", Tight: "words close together",
	Adjacent: "words side by side", Value: "a value of the kind",
	Close: "a value close to the words", Counted: "a count of the thing",
	Lacking: "no value of the kind", Opens: "opens its section", Defines: "defines",
	Suits: "form of an answer", Label: "labelled so", Lead: "opens the page",
	Frame: "outside the main text", IsHeading: "heading", IsCode: "code", IsRow: "table row",
	IsItem: "list item", IsDefinition: "definition", Leads: "leads to more",
	First: "opens its paragraph", Paired: "goes on from the one before", Long: "too long",
	Short: "too short", Length: "length",
	Rank: "rank of its passage", Score: "score of its passage", Top: "first passage by far",
	PageRank: "rank of its page", Unnamed: "a name is missing from the page",
	Elsewhere: "a name is elsewhere", Unrelated: "only names it", Asked: "words that are no names",
	Unmarked: "no mark of the kind", Instructs: "says what to do",
	Reason: "gives a reason", Token: "a new name or option",
	TokenAsked: "a name or option, as asked", Default: "a default, as asked",
	Repeats: "repeats the question", Refers: "refers back", RefersTo: "refers back to words",
	Typed: "asks for a value", Telling: "asks for a value of a telling form",
	Terms: "words of the question", Uncounted: "no count of the thing",
	Caption: "caption", Example: "example", History: "history", Negation: "negation",
	Alike: "like the question", AlikePassage: "passage like the question",
	Uncovered: "words that none covers",
}

// Row is the features of one candidate.
type Row [Count]float64

// Names returns the names of the features of words in the order of a Row, those before Alike.
func Names() []string { return append([]string(nil), names[:Alike]...) }
