package value

import "testing"

func TestSame(t *testing.T) {
	for _, c := range []struct {
		lang, a, b       string
		same, comparable bool
	}{
		{"en", "3,245 lbs", "1472 kg", true, true},
		{"en", "3,245 lbs", "1500 kg", false, true},
		{"en", "1472 kg", "1473 kg", false, true},
		{"en", "1471.9 kg", "1472 kg", true, true},
		{"en", "2.5 L", "2494 cc", true, true},
		{"en", "200 hp", "149 kW", true, true},
		{"en", "30 mpg", "7.8 L/100km", true, true},
		{"en", "60 mph", "97 km/h", true, true},
		{"en", "68 °F", "20 °C", true, true},
		{"en", "70 °F", "20 °C", false, true},
		{"en", "5 kg", "5 m", false, false},
		{"en", "www.orm.example", "https://orm.example/", true, true},
		{"en", "www.orm.example", "https://orm.example/a", false, true},
		{"en", "5 kg", "5", false, false},
		{"en", "1.2 million", "1,234,567", true, true},
		{"en", "1.3 million", "1,234,567", false, true},
		{"en", "2 million", "1.5 million", false, true},
		{"en", "3.14", "3.1416", true, true},
		{"en", "3.15", "3.1416", false, true},
		{"en", "12", "twelve", true, true},
		{"en", "5th", "fifth", true, true},
		{"en", "5th", "6th", false, true},
		{"en", "5th", "5", false, false},
		{"en", "$5 million", "5,000,000 dollars", true, true},
		{"en", "$5", "€5", false, false},
		{"en", "$19.99", "$20", true, true}, // $20 is stated in whole dollars
		{"en", "$19.40", "$20", false, true},
		{"en", "1 hr 20 min", "PT1H20M", true, true},
		{"en", "80 minutes", "PT1H20M", true, true},
		{"en", "12 months", "1 year", true, true},
		{"en", "365 days", "1 year", true, true},
		{"en", "400 days", "1 year", false, true},
		{"en", "5 March 2024", "2024-03-05", true, true},
		{"en", "March 2024", "2024-03-05", true, true},
		{"en", "March 2024", "2024-04-05", false, true},
		{"en", "in 2024", "2024-03-05", true, true},
		{"en", "March 5", "2024-03-05", true, true},
		{"en", "March 6", "2024-03-05", false, true},
		{"en", "March 5", "in 2024", false, false},
		{"en", "05/03/2024", "2024-03-05", false, false}, // may be either
		{"en", "05/03/2024", "05/03/2024", false, false},
		{"en", "05/03/2024", "2023-01-01", false, true},
		{"en", "2010–2015", "2010-2015", true, true},
		{"en", "7 pm", "19:00", true, true},
		{"en", "7 pm", "19:30", false, true},
		{"en", "7:30", "19:30", false, false},
		{"en", "7:30", "8:15 pm", false, true},
		{"en", "19:00", "19:00:20", true, true},
		{"en", "9 am EST", "14:00 UTC", true, true},
		{"en", "9 am EST", "9 am PST", false, true},
		{"en", "9 am EST", "9 am IST", false, false},
		{"en", "+1 555-123-4567", "(555) 123-4567", true, true},
		{"en", "+44 20 7946 0958", "020 7946 0958", true, true},
		{"en", "+44 20 7946 0958", "+1 555-123-4567", false, true},
		{"en", "555-123-4567 ext. 1", "555-123-4567 ext. 2", false, true},
		{"en", "A@example.com", "a@EXAMPLE.com", true, true},
		{"en", "http://example.com/?utm_source=x", "http://example.com", true, true},
		{"en", "http://example.com/a", "http://example.com/b", false, true},
	} {
		as, bs := Find(c.a, c.lang), Find(c.b, c.lang)
		if len(as) != 1 || len(bs) != 1 {
			t.Errorf("%q holds %s and %q holds %s, want one value each", c.a, showValues(as),
				c.b, showValues(bs))
			continue
		}
		// What is stored of a value must be enough.
		bare := func(v Value) Value {
			return Value{Type: v.Type, Text: v.Text, Number: v.Number, Unit: v.Unit, Norm: v.Norm}
		}
		if same, ok := Same(bare(as[0]), bare(bs[0])); same != c.same || ok != c.comparable {
			t.Errorf("%q (%s) and %q (%s): same %v, comparable %v, want %v, %v", c.a,
				as[0].Norm, c.b, bs[0].Norm, same, ok, c.same, c.comparable)
		}
	}
	if same, ok := Same(Value{Type: "person", Text: "Ada  Lovelace"}, Value{Type: "person", Text: "ADA LOVELACE"}); !same || !ok {
		t.Error("a name in other letters and spaces is not the same, want same")
	}
	if _, ok := Same(Value{Type: "place", Text: "Paris"}, Value{Type: "place", Text: "France"}); ok {
		t.Error("two different words are comparable, want not comparable: both may be true")
	}
}
