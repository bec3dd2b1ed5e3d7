package page

import "testing"

func TestADeniedValueIsTold(t *testing.T) {
	for sentence, want := range map[string]bool{
		"The ticket costs 15 EUR, not 12 EUR as last year.":         true,
		"The ticket no longer costs 12 EUR.":                        true,
		"The ticket costs 12 EUR, not 15 EUR.":                      false,
		"It does not support joins of tables that cost over 12 EUR": false,
	} {
		if got := DeniesValue(sentence, "12 EUR"); got != want {
			t.Errorf("%s: DeniesValue is %t, want %t", sentence, got, want)
		}
	}
}
