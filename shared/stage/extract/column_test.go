package extract

import (
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// valueFor is the value that a unit has for a question; "" without one.
func valueFor(t *testing.T, d *wstk.Document, question, unit string) string {
	t.Helper()
	q := newQuestion(question, whole(question), "en")
	p := newPage(d, q, nil, allowed)
	weigh(q, []*page{p})
	if v := q.valueIn(p, unitOf(t, p, unit)); v != nil {
		return v.Text
	}
	return ""
}

// stoves has a header of two rows, of which cells of the first reach into the second.
func stoves() *wstk.Document {
	d := doc("https://x.example/", "Stoves", `# Stoves
|! Stove | Size |  | Weight
|!  | Height | Width | 
| Orla 4 | 60 cm | 40 cm | 55 kg
| Orla 5 | 70 cm | 45 cm | 72 kg
| Orla 6 | 80 cm | 50 cm`)
	d.Blocks[1].Spanned = []wstk.Spanned{{Column: 2, Block: 1, From: 1}}
	d.Blocks[2].Spanned = []wstk.Spanned{{Column: 0, Block: 1, From: 0},
		{Column: 3, Block: 1, From: 3}}
	d.Blocks[5].Spanned = []wstk.Spanned{{Column: 3, Block: 4, From: 3}}
	return d
}

// The value of a row is that of the column which the question names, also where a cell of a row
// above reaches into it, or where the columns are the things and the rows what is said of them.
func TestTheValueOfARowStandsInTheColumnThatIsNamed(t *testing.T) {
	turned := doc("https://x.example/", "Stoves", "# Stoves\n|!  | Orla 4 | Orla 5\n| Height | 60 cm | 61 cm\n| Weight | 55 kg | 72 kg")
	boats := doc("https://x.example/", "Boats", "# Boats\n|! Boat | Crew | Guests | Built\n| Wren | 12 | 40 | 1931\n| Kite | 9 |  | 1950")
	for _, c := range []struct {
		d                    *wstk.Document
		question, unit, want string
	}{
		{stoves(), "What is the weight of the Orla 5 stove?", "Orla 5", "72 kg"},
		{stoves(), "What is the width of the Orla 5 stove?", "Orla 5", "45 cm"},
		{stoves(), "What is the weight of the Orla 6 stove?", "Orla 6", "72 kg"},
		{turned, "What is the weight of the Orla 5 stove?", "Weight", "72 kg"},
		{turned, "What is the weight of the Orla 4 stove?", "Weight", "55 kg"},
		{boats, "How many guests fit on the Wren?", "Wren", "40"},
		{boats, "How many guests fit on the Kite?", "Kite", ""},
		{boats, "When was the Kite built?", "Kite", "1950"},
	} {
		if got := valueFor(t, c.d, c.question, c.unit); got != c.want {
			t.Errorf("%s: %q, want %q", c.question, got, c.want)
		}
	}
}

// A value in a unit of another measure is not what is asked for, however near it stands.
func TestAValueIsOfTheMeasureThatIsAsked(t *testing.T) {
	for _, c := range []struct{ question, says, want string }{
		{"What is the weight of the Orla stove?", "The Orla stove, 70 cm high, has a weight of 72 kg.", "72 kg"},
		{"How tall is the Orla stove?", "The Orla stove weighs 72 kg and is 70 cm tall.", "70 cm"},
		{"How fast is the Corvin express?", "The Corvin express, 200 m long, reaches 160 km/h.", "160 km/h"},
		{"How long does the Corvin express take?", "The Corvin express, 200 m long, takes three hours.", "200 m"},
		{"What is the weight of the Orla stove?", "The Orla stove is 70 cm high.", ""},
		{"What is the maximum length of a name?", "A name has a maximum length of 64 bytes.", "64 bytes"},
		{"How many legs has a spider?", "A spider has eight feet.", "eight"},
		{"How many grains are in the silo?", "The silo holds 3 × 10 9 grains.", "3 × 10 9"},
		{"How many people live there?", "Some 1.5 · 10 6 people live there.", "1.5 · 10 6"},
	} {
		if got := valueFor(t, doc("https://x.example/", "Page", c.says), c.question, c.says[:3]); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.question, c.says, got, c.want)
		}
	}
}

// A number is stated as a value only where a reader of the quote reads it as one.
func TestAValueIsStatedAsItIsRead(t *testing.T) {
	for says, want := range map[string]bool{
		"The Vesper silo holds 400 grains.": false,
		"A spider has eight feet.":          false,
		"The Vesper silo has 4 doors.":      true,
	} {
		question := "How many " + strings.TrimSuffix(says[strings.LastIndexByte(says, ' ')+1:], ".") + " are there?"
		q := newQuestion(question, whole(question), "en")
		p := newPage(doc("https://x.example/", "Page", says), q, nil, allowed)
		weigh(q, []*page{p})
		u := unitOf(t, p, says[:3])
		c := q.claim(&answer{candidate: candidate{page: p, unit: u, value: q.valueIn(p, u)}})
		if (c.Value != nil) != want {
			t.Errorf("%s: value %+v", says, c.Value)
		}
	}
}
