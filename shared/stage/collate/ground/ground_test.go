package ground

import (
	"slices"
	"strings"
	"testing"
)

// Each claim beside the words of one source; what the source does not bear of it. " | " parts off
// what stands over the source.
func TestBorne(t *testing.T) {
	for _, c := range []struct{ claim, source, missing, open string }{
		{"The bridge has 12 lanes.", "The bridge opened in 1931.", "12 lanes", ""},
		{"The bridge opened in 1932.", "The bridge opened in 1931.", "1932", ""},
		{"The bridge was opened in 1931.", "The bridge opened in 1931.", "", ""},
		{"The famous bridge opened in 1931.", "The bridge opened in 1931.", "", "famous"},
		{"The famous bridge opened in 1931.", "The small bridge opened in 1931.", "famous", ""},
		{"The bridge was blown up in 1931.", "The bridge opened in 1931.", "blown", ""},
		{"The bridge opened in 1931.", "The bridge did not open in 1931.", "The bridge opened in 1931.", ""},
		{"The bridge did not open in 1931.", "The bridge opened in 1931.", "not", ""},
		{"The drug is unsafe.", "The drug is not safe.", "", ""},
		{"The drug is unsafe.", "The drug is safe.", "The drug is unsafe.", ""},
		{"The drug helps.", "The drug may help.", "The drug helps.", ""},
		{"All birds fly.", "Birds fly.", "All", ""},
		{"Birds fly.", "Most birds fly.", "Birds fly.", ""},
		{"Carthage beat Rome.", "Rome beat Carthage.", "Rome", ""},
		{"Carthage was beaten by Rome.", "Rome beat Carthage.", "beaten", ""},
		{"Git was created by Torvalds.", "Torvalds created Git.", "", ""},
		{"Adults pay $8.", "Adults pay $12, children pay $8.", "$8", ""},
		{"Children pay $8.", "Adults pay $12, children pay $8.", "", ""},
		{"The fee is $5.", "The fee is $38, and $5 of it goes to the lifeboat.", "$5", ""},
		{"The bridge has 12 arches.", "The bridge has 4 lanes and 12 arches.", "", ""},
		{"The bridge has 12 lanes.", "The bridge has 4 lanes and 12 arches.", "12 lanes", ""},
		{"The bridge has 1931 lanes.", "The bridge of four lanes opened in 1931.", "1931 lanes", ""},
		{"The tower is 0.3 km high.", "The tower is 300 m high.", "", ""},
		{"The tower is 340 m high.", "The tower is 0.3 km high.", "340 m high", ""},
		{"The limit is 5.", "The limit is at most 5.", "5", ""},
		{"The tower is 168 m high.", "It is 168 m high. | The tower", "", ""},
		{"The tower is 168 m high.", "The mast is 168 m high. | The tower", "tower", ""},
		{"The S-4 has a fine mesh of 0.8 mm.", "It is not made for salt water, and its mesh is 0.8 mm wide. | S-4", "", "fine"},
		{"The tower is 168 m high.", "The mast is old, and its top is 168 m high. | The tower", "tower", ""},
		{"The old bridge is open.", "Dogs are welcome. | The old bridge is open", "The old bridge is open.", ""},
		{"The tоwer is 168 m high.", "The tower is 168 m high.", "tоwer", ""},
		{"The tower is 168 m hi̶gh.", "The tower is 168 m high.", "hi̶gh", ""},
		{"The VFS supports \"version 8\" memory.", "The VFS supports \"version 2\" memory. | 8. Memory", "8", ""},
		{"Ana Berg runs it.", "Ana Ruiz and Tom Berg run it.", "Ana Berg", ""},
		{"The former mayor resigned.", "The mayor resigned.", "former", ""},
		{"The bridge was allegedly opened in 1931.", "The bridge opened in 1931.", "allegedly", ""},
		{"Release 3.5 is out.", "Release 3.51 is out.", "3.5", ""},
		{"Tindra needs Python 3.10.", "Tindra needs Python 3.1.", "3.10", ""},
	} {
		words, above, _ := strings.Cut(c.source, " | ")
		got := Borne(c.claim, []Source{{Words: words, Lang: "en", Above: []string{above}}})
		if !slices.Equal(got.Missing, fields(c.missing)) ||
			!slices.Equal(got.Open, fields(c.open)) {
			t.Errorf("%q by %q: missing %q, open %q; want %q, %q", c.claim, c.source, got.Missing,
				got.Open, c.missing, c.open)
		}
	}
}

func fields(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

func TestTranslated(t *testing.T) {
	source := []Source{{Words: "The Eiffel Tower is 300 m high and not painted.", Lang: "en"}}
	for claim, lang := range map[string]string{
		"Der Turm ist 300 m hoch und nicht gestrichen.":   "de",
		"The tower is dangerous and it is not painted.":   "", // no translation, whatever was asked
		"La tour est haute de 300 m et n'est pas peinte.": "", // another language than was asked
	} {
		if got := Language(claim, "de-AT", source); got != lang {
			t.Errorf("%q is a translation into %q, want %q", claim, got, lang)
		}
	}
	if got := Language("Der Turm ist 300 m hoch.", "", source); got != "" {
		t.Errorf("a translation that was not asked for: %q", got)
	}
	for claim, missing := range map[string]string{
		"Der Turm ist 300 m hoch und nicht gestrichen.":         "",
		"Der Turm ist 301 m hoch und nicht gestrichen.":         "301 m hoch",
		"Der Turm ist 300 m hoch und gestrichen.":               "Der Turm ist 300 m hoch und gestrichen.",
		"Der Big Ben ist 300 m hoch und nicht gestrichen.":      "Big Ben",
		"Der Eiffel Tower ist 300 m hoch und nicht gestrichen.": "",
	} {
		if got := Translated(claim, "de", source, false); !slices.Equal(got.Missing, fields(missing)) {
			t.Errorf("%q: missing %q, want %q", claim, got.Missing, missing)
		}
	}
}

// Of days, of words that limit and of words that oppose, a translation has those of its quote.
func TestTranslatedSense(t *testing.T) {
	for _, c := range []struct{ source, claim, missing string }{
		{"The market is open from Monday to Friday.", "Der Markt ist von Montag bis Freitag geöffnet.", ""},
		{"The market is open from Monday to Friday.", "Der Markt ist von Montag bis Samstag geöffnet.", "Samstag"},
		{"The market is open on Mondays.", "Der Markt ist geöffnet.", "Der Markt ist geöffnet."},
		{"Traders may leave.", "Die Händler dürfen gehen.", ""},
		{"Traders may leave.", "Die Händler müssen gehen.", "müssen"},
		{"Traders leave.", "Alle Händler gehen.", "Alle"},
		{"Most traders leave.", "Die Händler gehen.", "Die Händler gehen."},
		{"The lake is larger.", "Der See ist kleiner.", "kleiner"},
		{"The loser gets the crib.", "Der Gewinner bekommt die Crib.", "Gewinner"},
		{"Ana Ruiz met Tom Berg.", "Ana Ruiz traf Tom Berg.", ""},
		{"Ana Ruiz met Tom Berg.", "Tom Berg traf Ana Ruiz.",
			"Tom Berg traf Ana Ruiz."},
	} {
		source := []Source{{Words: c.source, Lang: "en"}}
		if got := Translated(c.claim, "de", source, false); !slices.Equal(got.Missing,
			fields(c.missing)) {
			t.Errorf("%q of %q: missing %q, want %q", c.claim, c.source, got.Missing, c.missing)
		}
		if got := Translated(c.claim, "de", source, true); len(got.Missing) > 0 {
			t.Errorf("%q of %q: missing %q by older rules", c.claim, c.source, got.Missing)
		}
	}
}

// A value of a row is under the name of its own column.
func TestColumns(t *testing.T) {
	source := []Source{{Words: "Adult\t7 euros\t8 euros", Lang: "en",
		Columns: []string{"Ticket", "2023", "2024"}, Above: []string{"Prices"}}}
	staff := []Source{{Words: "Mara Linden\tDirector\t555-0101\t2011", Lang: "en",
		Columns: []string{"Name", "Role", "Phone", "Since"}}}
	for _, c := range []struct {
		claim  string
		source []Source
		borne  bool
	}{
		{"In 2024 an adult ticket costs 8 euros.", source, true},
		{"An adult ticket cost 7 euros in 2023.", source, true},
		{"In 2024 an adult ticket costs 7 euros.", source, false},
		{"An adult ticket was 8 euros in 2023.", source, false},
		{"Mara Linden has been director since 2011.", staff, true},
	} {
		if got := Borne(c.claim, c.source); (len(got.Missing) == 0) != c.borne {
			t.Errorf("%q: missing %q, want it borne: %t", c.claim, got.Missing, c.borne)
		}
	}
}
