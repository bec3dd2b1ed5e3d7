package extract

import (
	"fmt"
	"strings"
	"testing"

	"wstk/shared/lexicon"
	"wstk/shared/wstk"
)

// hinted are pages, what is asked about them, and what a careful reader fills in for each hint;
// "" where no page binds a value.
var hinted = []struct {
	query, page string
	want        map[string]string
}{
	{"How do I reach the Marlow ferry?", "# Marlow ferry\nYou can reach our service desk on " +
		"01632 960410 between eight and six.\n\nWe have no fax any more.",
		map[string]string{"phone": "01632 960410", "fax": "", "mobile": ""}},
	{"What does the Tarn Museum cost?", "# Tarn Museum\nAdmission is 12 euros for adults and 5 " +
		"euros for children.\n\nThe audio guide costs 3 euros.",
		map[string]string{"adult price": "12 euros", "child price": "5 euros",
			"family price": ""}},
	{"the Rook trailer", "# Rook trailer\n| Curb weight | 310 kg\n| Gross weight | 750 kg\n" +
		"| Battery | 12 Ah",
		map[string]string{"curb weight": "310 kg", "gross weight": "750 kg", "weight": "",
			"battery capacity": "12 Ah"}},
	{"phone of the Saltmarsh branch", "# Branches\n- Corran branch, phone 01632 960531\n" +
		"- Ellerby branch, phone 01632 960532", map[string]string{"phone": ""}},
	{"weight of the Tern 4", "# Tern\n|! Model | Weight\n| Tern 3 | 45 kg\n| Tern 4 | 55 kg",
		map[string]string{"weight": "55 kg"}},
	{"weight of the Tern 5", "# Tern\n|! Model | Weight\n| Tern 3 | 45 kg\n| Tern 4 | 55 kg",
		map[string]string{"weight": ""}},
	{"the XL rucksack", "# Rucksacks\n|!  | S | XL\n| Volume | 30 l | 65 l\n| Weight | 1 kg | 2 kg",
		map[string]string{"volume": "65 l", "weight": "2 kg"}},
	{"staff of Corvane Labs", "# Staff of Corvane Labs\n|! Name | Role | E-mail\n" +
		"| Mara Ilves | Head of research | mi@corvane.example\n" +
		"| Tom Ack | Head of sales | ta@corvane.example",
		map[string]string{"head of research": "Mara Ilves", "head of personnel": "",
			"e-mail of the head of sales": "ta@corvane.example"}},
	{"Varley Books", "# Varley Books\nFormerly: phone 01632 960601\n\nNow: phone 01632 960602\n\n" +
		"Fax: none", map[string]string{"phone": "01632 960602", "fax": ""}},
	{"the Wren pump", "# Pumps compared\n## Finch floor pump\nWarranty: 5 years",
		map[string]string{"warranty": ""}},
	{"data protection at Brightwater", "# Privacy at Brightwater\nOur data protection officer is " +
		"Nils Okafor. Write to him at privacy@brightwater.example.",
		map[string]string{"data protection e-mail": "privacy@brightwater.example",
			"data protection officer": "Nils Okafor"}},
	{"Stride Scooters", "# Imprint\nStride Scooters Ltd\nUnit 11, Old Gasworks\n\nDOI: 10.5/x",
		map[string]string{"DOI": "10.5/x"}},
	{"What is the price of the Orla 5 stove?", "# Orla 5 stove\n## Similar\nOrla 4: price 300 euros",
		map[string]string{"price": ""}},
	{"Loden office phone", "# Offices\n## Loden\nTelephone: 01632 960266",
		map[string]string{"Loden office phone": "01632 960266", "Hessle office phone": ""}},
	{"Penny's Pharmacy", "# Penny's Pharmacy, Millbrook\nTelephone: 01632 960771\n\n" +
		"Formerly the fax was 01632 960772.\n\nLicence: unknown",
		map[string]string{"Millbrook branch phone": "01632 960771", "fax": "", "licence": ""}},
	{"weight and pressure", "# The P-9 pump\nThe maximum pressure of the P-9 is 9 bar. The weight " +
		"of the P-9 is 7.5 kg without the hose.",
		map[string]string{"weight": "7.5 kg", "pressure": "9 bar"}},
	{"Tidewater", "# Tidewater\nGeneral questions: info@tidewater.example",
		map[string]string{"email": "info@tidewater.example", "billing e-mail": ""}},
}

// filled is what the hints of the pages above get.
func filled() string {
	var b strings.Builder
	for i, c := range hinted {
		d := doc("https://a.example/p", "", c.page)
		q := newQuestion(c.query, whole(c.query), "en")
		p := newPage(d, q, nil, allowed)
		for hint, want := range c.want {
			got := ""
			claims, _ := findFields([]*page{p}, wstk.Bucket{Pages: []string{d.URL}}, c.query,
				[]string{hint}, allowed)
			for _, x := range claims {
				got = x.Statement
			}
			if got != want {
				fmt.Fprintf(&b, "%d %q: %s is %q, want %q\n", i, c.query, hint, got, want)
			}
		}
	}
	return b.String()
}

// A hint is filled only with what the page binds to it and to what is asked about.
func TestHintsAreOfWhatIsAsked(t *testing.T) {
	if faults := filled(); faults != "" {
		t.Error(faults)
	}
}

// Every family of words about fields is needed by a page above.
func TestWordsOfFieldsAreNeeded(t *testing.T) {
	defer func(was func() *fieldLists) { fieldWords = was }(fieldWords)
	words := lexicon.Parse(fieldsFile)
	for _, f := range words.Families() {
		if f.Name == "data" {
			continue // TestHints needs it
		}
		lists := fieldListsOf(words.Without(f.Name).And(lexicon.Attributes()))
		fieldWords = func() *fieldLists { return lists }
		if filled() == "" {
			t.Errorf("without its words [%s] nothing changes", f.Name)
		}
	}
}
