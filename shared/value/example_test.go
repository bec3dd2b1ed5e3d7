package value_test

import (
	"fmt"

	"wstk/shared/value"
)

// show prints what Find reads: the type, the words of the text, and the canonical form.
func show(s, lang string) {
	for _, v := range value.Find(s, lang) {
		fmt.Printf("%s  %s  =  %s\n", v.Type, v.Text, v.Norm)
	}
}

// A sentence gives its values in order, each with its place.
func ExampleFind() {
	s := "The bridge opened on 5 March 2024, is 1,280 m long and cost $35 million."
	for _, v := range value.Find(s, "en-US") {
		fmt.Printf("%-8s %2d–%2d  %s\n", v.Type, v.Start, v.End, v.Norm)
	}
	// Output:
	// date     21–33  2024-03-05
	// quantity 38–45  1280 m
	// money    60–71  35000000 USD
}

// Numbers stand in digits or in words, as the language writes them. What is a part of a
// name is no number.
func ExampleFind_numbers() {
	show("1,234.5 or twenty-one, half a million and the 5th; not x86, COVID-19 or 1.2.3", "en")
	show("1.234,5 oder zweihundertfünfzig", "de")
	show("1.3亿", "zh")
	// Output:
	// number  1,234.5  =  1234.5
	// number  twenty-one  =  21
	// number  half a million  =  500000
	// number  5th  =  5th
	// number  1.234,5  =  1234.5
	// number  zweihundertfünfzig  =  250
	// number  1.3亿  =  130000000
}

// A quantity is given in the base unit of what it measures. Gallons and dollars are those of
// the region.
func ExampleFind_units() {
	show("3,245 lbs, 6 ft 2 in, 60 mph and 68°F", "en-US")
	show("2 gallons", "en-GB")
	// Output:
	// quantity  3,245 lbs  =  1471.91 kg
	// quantity  6 ft 2 in  =  1.8796 m
	// quantity  60 mph  =  26.8224 m/s
	// quantity  68°F  =  20 °C
	// quantity  2 gallons  =  9.09218 L
}

// Money has the ISO 4217 code of its currency, or its sign or name where several countries
// share it and nothing says which is meant.
func ExampleFind_money() {
	show("US$ 1,200.50, £2bn, 3 dollars 50 cents", "en")
	show("5 Mio. Euro und CHF 20", "de")
	show("$5", "es")
	// Output:
	// money  US$ 1,200.50  =  1200.5 USD
	// money  £2bn  =  2000000000 GBP
	// money  3 dollars 50 cents  =  3.5 USD
	// money  5 Mio. Euro  =  5000000 EUR
	// money  CHF 20  =  20 CHF
	// money  $5  =  5 $
}

// Dates are written as ISO 8601 does, without what is not known; both readings are named
// where the language leaves two.
func ExampleFind_dates() {
	show("March 5, 2024; in 2019; 2010–2015; 44 BC; 05/03/2024", "en")
	show("5 de marzo de 2024", "es")
	show("2024年3月5日", "ja")
	// Output:
	// date  March 5, 2024  =  2024-03-05
	// date  2019  =  2019
	// date  2010–2015  =  2010/2015
	// date  44 BC  =  -0043
	// date  05/03/2024  =  2024-03-05|2024-05-03
	// date  5 de marzo de 2024  =  2024-03-05
	// date  2024年3月5日  =  2024-03-05
}

// Times of day, lengths of time, and addresses.
func ExampleFind_others() {
	show("at 7:30 pm CET for 1 hr 20 min", "en")
	show("Call +44 (0)20 7946 0958 or write to Jo@Example.com", "en")
	// Output:
	// time  7:30 pm CET  =  19:30 CET
	// duration  1 hr 20 min  =  PT1H20M
	// phone  +44 (0)20 7946 0958  =  +442079460958
	// email  Jo@Example.com  =  jo@example.com
}

// Same compares what two texts say: units are converted, and rounding is granted.
func ExampleSame() {
	for _, pair := range [][2]string{{"3,245 lbs", "1472 kg"}, {"3,245 lbs", "1500 kg"}, {"5 kg", "5 m"}} {
		a, b := value.Find(pair[0], "en")[0], value.Find(pair[1], "en")[0]
		same, comparable := value.Same(a, b)
		fmt.Println(pair[0], "and", pair[1], "same:", same, "comparable:", comparable)
	}
	// Output:
	// 3,245 lbs and 1472 kg same: true comparable: true
	// 3,245 lbs and 1500 kg same: false comparable: true
	// 5 kg and 5 m same: false comparable: false
}

// Month knows the names of months of several languages.
func ExampleMonth() {
	fmt.Println(value.Month("März", "de"), value.Month("marzo", "es"), int(value.Month("marzo", "en")))
	// Output: March March 0
}

// PhoneAt answers at a digit without reading the whole text.
func ExamplePhoneAt() {
	s := "Order 12345 by phone: (030) 1234567."
	p, said, ok := value.PhoneAt(s, 23)
	fmt.Println(p.Text, p.Norm, said, ok)
	// Output: (030) 1234567 0301234567 true true
}
