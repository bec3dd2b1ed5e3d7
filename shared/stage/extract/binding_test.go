package extract

import (
	"testing"

	"wstk/shared/lexicon"
)

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
	defer func(was map[string][2]string) { exclusiveWords = was }(exclusiveWords)
	exclusiveWords = exclusiveOf(lexicon.Parse(fieldsFile).Without("exclusive"))
	if f := newField("mobile"); f.excludes("Fax") {
		t.Error("without its data a field still excludes another")
	}
}
