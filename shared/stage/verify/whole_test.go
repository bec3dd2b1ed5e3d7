package verify

import (
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

// cutKinds are texts and quotes of which an end cuts a number, a word or a denial. The
// quote stands between the braces.
var cutKinds = []string{
	// groups of digits
	"It cost 12 {500 dollars}.", "It cost 12\u00a0{500 dollars}.", "It cost 12\u2009{500 dollars}.", "It cost 12\u202f{500 dollars}.", "It cost 12\u2007{500 dollars}.",
	"It cost {12} 500 dollars.", "It cost 1 {234 567 dollars}.", "It cost {1 234} 567 dollars.", "It cost 12,{500 dollars}.", "It cost 12.{500 Euro}.", "It cost 12'{500 francs}.", "It cost 12’{500 francs}.", "It cost 12_{500}.",
	"It cost 12·{5 dollars}.", "It cost 12٬{500}.", "It cost {12},500 dollars.",
	// signs
	"It fell by −{12 percent}.", "It fell by -{12 percent}.", "It rose by +{12 percent}.", "It is ±{12 percent} off.", "It is ± {12 percent} off.", "It fell by − {12 percent}.", "It fell by –{12 percent}.", "It fell by －{12}.", "It is -${12} now.", "It is −{$12} now.", "It was minus {12 degrees}.", "温度是负{十二}度。",
	// fractions
	"Add 1⁄{2 gram} of salt.", "Add 1/{2 gram} of salt.", "Add 1∕{2 gram} of salt.", "Add {1}/2 gram of salt.", "Add {1}⁄2 gram of salt.", "Add {1} 1/2 gram.", "Add {1} ½ gram.", "Add {1}½ gram.", "It took {5} and a half hours.", "Add .{5 gram} of salt.",
	// powers and products
	"It weighs 10^{5 tons}.", "It weighs {10}^5 tons.", "It weighs {10}⁵ tons.", "It weighs {10}⁻⁵ tons.", "It weighs 10**{5 tons}.", "It weighs {10}**5 tons.", "It weighs 1.5e{5 tons}.", "It weighs 1e-{5 tons}.", "It weighs {1}e-5 tons.", "It weighs 3 × {10 tons}.", "It weighs {3} × 10^5 tons.", "A board of 3 x {4 m}.", "A board of {3} x 4 m.", "A board of 2x{4 m}.", "It is √{2 long}.",
	// bounds
	"It is <{5 tons}.", "It is < {5 tons}.", "It is ≤ {5 tons}.", "It is >{5 tons}.", "It is > {5 tons}.", "It is ≥{5 tons}.", "It is ~{5 tons}.", "It is ≈ {5 tons}.", "It holds {5}+ tons.", "It is {5} ± 1 tons.", "It is ≠ {5}.",
	// numbers that name
	"Take bus #{5 north}.", "See § {5 below}.", "See № {5 below}.", "The COVID-{19 wave}.", "Version 1.{2.3 is out}.", "Version {1.2}.3 is out.", "Version v{1.2 is out}.", "Release {1.2}-beta is out.",
	// times and dates
	"It opens at 12:{30 daily}.", "It opens at {12}:30 daily.", "On 2024-05-{01 it} opened.", "On {2024}-05-01 it opened.", "On 01/{05/2024 it} opened.", "On 1.{5.2024 it} opened.", "It opened on {5} May 2024.", "It opened on May {5, 2024}.",
	// ranges
	"It weighs 5–{10 kg}.", "It weighs {5}–10 kg.", "It weighs 5-{10 kg}.", "It weighs {5}-10 kg.", "It weighs 5 – {10 kg}.", "It weighs {5} – 10 kg.", "It weighs 5 to {10 kg}.", "It weighs {5} to 10 kg.", "It weighs {5 kg} to 10 kg.", "It weighs between 5 and {10 kg}.", "It weighs 5~{10 kg}.", "Es wiegt 5 bis {10 kg}.", "It lasts {5 kg}–10 kg.", "It is 5…{10 kg}.",
	// scales, units, currencies
	"It cost {$1.5} million.", "It cost {$1.5} billion.", "It cost {$1.5}k.", "It cost {$1.5} k.", "It rose {1.5}%.", "It rose {1.5} %.", "It rose {1.5}‰.", "It rose {1.5} percent.", "It is {5 k}m long.", "It is {5} km long.", "It drives {120 km}/h.", "It is {5 km}² large.", "It cost A{$10}.", "It cost US{$10}.", "It cost ${10}.", "It cost € {10}.", "It cost {10} €.", "It cost {10} EUR.", "Es kostet {5} Mio. Euro.", "Es kostet {5} Milliarden.", "Стоит {5} млн рублей.", "He is {6}' tall.", "He is {6}′ tall.", "It is {5}″ wide.", "It is {5}\" wide.", "It is {20}°C warm.", "It is {20} °C warm.", "It took {2 hours} 30 minutes.", "It cost {$5} per day.",
	// other digits
	"الحد ١٠{٠ صفحة}.", "الحد {١٠}٠ صفحة.", "सीमा १{०० पृष्ठ}।", "सीमा {१०}० पृष्ठ।", "限制是１{００页}。", "限制是{１０}０页。", "Louis XI{V reigned}.", "Louis Ⅹ{Ⅰ reigned}.", "有二{十二人}。", "有{三}百人。", "有三{百人}。", "有{5}万人。", "有5{万人}。", "百分之{十二}。", "第{十二}章。", "인구는 {5}만 명이다.",
	// numbers in words
	"It cost five {hundred dollars}.", "It cost {five} hundred dollars.", "It cost one hundred {and five dollars}.", "It cost {one hundred} and five dollars.", "It cost twenty-{five dollars}.", "It cost twenty {five dollars}.", "It cost 5 {million dollars}.", "Cela coûte cinq {cents euros}.", "Cuesta cinco {mil euros}.", "Стоит пять {тысяч рублей}.",
	// denials and parts of words
	"The drug does{n't work}.", "The drug is not {safe for adults}.", "{The drug is} not safe.", "The paint is non-{toxic}.", "The film is un-{cut}.", "It is no longer {available here}.", "It is no {longer available}.", "{It is} no longer available.", "It can't {fly far}.", "{It does}n't fly.", "They wo{n't come}.", "It is {well}-known here.", "It is un{safe}.", "It is well-{known here}.", "It don'{t matter}.", "{The dog}'s owner.", "un\u00ad{safe} here", "dis\u00ad{able it}", "می\u200c{خواهم}", "👨\u200d{👩} here", "It is never {safe}.", "Ce n'est pas {sûr}.", "Es ist nicht {sicher}.", "It comes without {water inside}.",
}

// controls stand whole.
var controls = []string{
	"{The limit is 12 500 dollars.}", "{It fell by −12 percent.} Then it rose.", "First. {It costs 500 dollars.} Then.", "In 2019 {500 people came}.", "He left in 2019. {500 people came.}", "It is 5. {March was cold.}", "It costs {12 500 dollars} now.", "It costs {12\u00a0500 dollars} now.", "It fell by {−12 percent} today.", "Add {1⁄2 gram} of salt.", "Add {1/2 gram} of salt.", "Add {1 1/2 gram} of salt.", "It weighs {10^5 tons} now.", "It weighs {10⁵ tons} now.", "It is {<5 tons} now.", "It is {≤ 5 tons} now.", "It is {~5 tons} now.",
	"Take {bus #5} north.", "{Version 1.2.3} is out.", "It opens at {12:30} daily.", "On {2024-05-01} it opened.", "On {01/05/2024} it opened.", "It opened on {5 May 2024}.", "It weighs {5–10 kg} now.", "It weighs {5 to 10 kg} now.", "It cost {$1.5 million} then.", "It rose {1.5%} then.", "It is {5 km} long.", "It drives {120 km/h} fast.", "It cost {A$10} then.", "He is {6'} tall, they say.", "It is {20 °C} warm.", "The limit is {140} terabytes.",
	"الحد الأقصى هو {١٠٠ صفحة}.", "सीमा {१०० पृष्ठ} है।", "限制是{１００页}。", "有{二十二人}。", "有{45个展厅}。", "数据库的{最大大小}为140TB", "人口は{5万人}です。", "인구는 {5만 명}이다.", "Louis {XIV} reigned.",
	"It cost {five hundred dollars} then.", "It cost {one hundred and five dollars} then.", "One {two} three.", "The drug {is not safe} at all.", "The {non-toxic} paint.", "It {doesn't work} here.", "It is {no longer available}.", "It is {well-known} here.", "L'{eau potable} est rare.",
	"Name\t{12 500}\t7", "{12}\t500", "12\t{500}", "Pottery\t{8 weeks}\t£64", "Pottery\t8 weeks\t{£64}", "{12}\n500", "- {5 items} are here", "• {5 items} are here", "1. {500 dollars are due.}", "> {5 items} are here", "# {5 items}", "(see {5 items} there)", "[{5}] is a mark", "“{It costs 5}” he said.", "He said \"{It is 5}\" then.", "It is big, {5 tons}, and old.", "It holds 5, {10 and 20}.", "limit={2000}", "{PRAGMA cache_size = -2000;}", "Run {wstk ask --limit 5} here.", "Use {--cache} now.", "See {https://example.org/a?b=5} there.", "Mail {a.b@example.org} now.", "About 5,000 {people¹} came.", "It is big.¹ {It is old.}", "word—{12 people} came", "It was cheap, {not free}.", "The limit is {64 tables}, not 65.", "C++ {11 brought it}.", "The year {2024} was warm.", "a/b and {either/or} here", "Chapter {5: Numbers} here", "یک {می\u200cخواهم} اینجا", "It has two {legs}.", "Home · {5 min read} · Ann",
}

// Law 1: a quote never cuts what it stands in: a sign, a group, a power, a bound, a range,
// a unit, a denial. What stands whole is found.
func TestQuotesStandWhole(t *testing.T) {
	if len(cutKinds) < 150 || len(controls) < 80 {
		t.Fatalf("%d kinds, %d controls", len(cutKinds), len(controls))
	}
	for _, c := range cutKinds {
		s, quote, at := marked(c)
		if stands(s, at, at+len(quote)) {
			t.Errorf("%s: %q is taken for whole, want it refused", c, quote)
		}
		if span, _, ok := (&Haystack{Text: s}).Find(quote, at); ok && span.ByteStart == at {
			t.Errorf("%s: %q is found", c, quote)
		}
	}
	for _, c := range controls {
		s, quote, at := marked(c)
		span, status, ok := (&Haystack{Text: s}).Find(quote, at)
		if !ok || span.ByteStart != at || status != wstk.StatusDirect {
			t.Errorf("%s: %q is not found", c, quote)
		}
	}
}

func marked(s string) (text, quote string, at int) {
	at = strings.Index(s, "{")
	end := strings.LastIndex(s, "}")
	return s[:at] + s[at+1:end] + s[end+1:], s[at+1 : end], at
}

// A text of nothing but cut numbers costs little.
func TestCutNumbersAreCheap(t *testing.T) {
	s := strings.Repeat("−5 kg ", 500_000)
	start := time.Now()
	for _, near := range []int{-1, len(s) - 10} {
		if _, _, ok := (&Haystack{Text: s}).Find("5 kg", near); ok {
			t.Error("a cut number is found")
		}
	}
	if d := time.Since(start); d > 15*time.Second {
		t.Errorf("it took %s", d)
	}
}
