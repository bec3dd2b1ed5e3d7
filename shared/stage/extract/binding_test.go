package extract

import (
	"slices"
	"testing"

	"wstk/shared/wstk"
)

// Of several things on a page, a field is of the one that the query names.
func TestFieldsAreOfWhatIsAskedAbout(t *testing.T) {
	page := doc("https://a.example/clinics", "Clinics", "# Clinics\n"+
		"## Halden clinic\nPhone: 01632 960111\n\nAddress: Mill Lane 2\n"+
		"## Pellar clinic\nPhone: 01632 960222\n\nAddress: High Street 9")
	hints := []string{"phone", "address"}
	for query, want := range map[string][2]string{
		"Contact of the Halden clinic": {"01632 960111", "Mill Lane 2"},
		"Contact of the Pellar clinic": {"01632 960222", "High Street 9"},
	} {
		_, claims, _ := askAll(t, Query{Text: query, Hints: hints}, page)
		for i, hint := range hints {
			if !slices.ContainsFunc(claims[0], func(c wstk.Claim) bool {
				return c.Field == hint && c.Statement == want[i]
			}) {
				t.Errorf("%s: %s is not %q in %+v", query, hint, want[i], claims[0])
			}
		}
	}
}

// A field takes its value only from words that bind it, and never that of a field which
// excludes it.
func TestFieldsAreBound(t *testing.T) {
	page := doc("https://a.example/contact", "Contact", "# Contact\n"+
		"General questions: info@a.example\n\nOffice: 0141 496 0277\n\nFax: 0141 496 0278")
	for hint, want := range map[string]string{
		"billing e-mail": "", "mobile phone": "", "office phone": "0141 496 0277",
		"fax": "0141 496 0278", "email": "info@a.example",
	} {
		_, claims, _ := askAll(t, Query{Text: "contact", Hints: []string{hint}}, page)
		got := ""
		for _, c := range claims[0] {
			if c.Field == hint {
				got = c.Statement
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", hint, got, want)
		}
	}
}

// A call of a function and the form of a date are no date.
func TestFormsAreNoDates(t *testing.T) {
	for cell, want := range map[string]string{
		"strftime('%Y-%m-%d', ...)": "", "to_char(now(), 'DD')": "", "%d.%m.%Y": "",
		"3 May 2021": "3 May 2021", "the first Friday(s) of spring": "the first Friday(s) of spring",
	} {
		page := doc("https://a.example/pump", "Pump", "# Pump\nDate: "+cell+"\n\nPower: 3 kW")
		_, claims, _ := askAll(t, Query{Text: "date of the pump", Hints: []string{"date"}}, page)
		got := ""
		for _, c := range claims[0] {
			if c.Field == "date" {
				got = c.Statement
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", cell, got, want)
		}
	}
}
