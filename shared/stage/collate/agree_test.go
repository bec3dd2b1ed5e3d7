package collate

import (
	"slices"
	"strings"
	"testing"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// pairs are sentences of two pages. A side is a sentence; "[…]" in front names its address
// where that matters, "{…}" is what is quoted of it, " // " parts off more text of the page.
var agreeing = [][2]string{
	{"The drug is safe for adults.", "The drug is safe for adults."},
	{"The drug is safe for adults.", "The drug is safe for adults"},
	{"The centre was founded in 1987.", "The centre was founded in 1987."},
	{"The limit of a join is 64 tables.", "64 tables is the limit of a join."},
	{"The limit of a join is 64 tables.", "The limit of a join is 64 tables!"},
	{"The default page size is 4096 bytes.", "The default page size is 4,096 bytes."},
	{"The trail to the lake is 12 km long.", "The trail to the lake is 12,000 m long."},
	{"The maximum page size of SQLite is 65536 bytes.", "SQLite's maximum page size is 65536 bytes."},
	{"A table can hold at most 2000 columns.", "A table can hold up to 2000 columns."},
	{"A table can hold at most 2000 columns.", "The table can hold no more than 2000 columns."},
	{"The museum was opened on 4 June 1998.", "The museum was opened on June 4, 1998."},
	{"The entrance fee for students is $12.", "The entrance fee for students is 12 dollars."},
	{"WAL mode does not work over network filesystems.", "WAL mode doesn't work over network filesystems."},
	{"Dogs cannot enter the park.", "Dogs can't enter the park."},
	{"Water boils at 100 °C at sea level.", "Water boils at 100 °C at sea level."},
	{"Foreign keys are disabled by default.", "Foreign keys are disabled by default."},
	{"Der Eintritt kostet 8 Euro.", "Der Eintritt kostet 8 €."},
	{"Le musée ouvre à 9h le lundi.", "Le musée ouvre à 9h le lundi."},
	{"Музей открылся в 1934 году.", "Музей открылся в 1934 году."},
	{"博物馆有45个展厅。", "博物馆有45个展厅。"},
	{"Η είσοδος είναι δωρεάν τη Δευτέρα.", "Η είσοδος είναι δωρεάν τη Δευτέρα."},
	{"El límite es de 64 tablas por consulta.", "El límite es de 64 tablas por consulta."},
	{"The hall opened in 1920. It burnt down twice.", "The hall opened in 1920."},
	{"The speed limit of the town's bridge is 30 km/h.", "The speed limit of the town's bridge is 30 km/h!"},
	{"In 1990, the hall of Lyon burnt down: all fled.", "In 1990, the hall of Lyon burnt down: all fled."},
	{"The tower’s height is 300 m.", "The tower's height is 300 m."},
	{"The tower's height is 300 m.", "The height of the tower is 300 m."},
	{"The lamp of the tower needs 5 MHz.", "The lamp of the tower needs 5,000 kHz."},
	{"The price of bread fell – twice.", "The price of bread fell — twice."},
	{"[https://ann.github.io/x] The limit of a join is 64 tables.", "[https://bob.github.io/x] The limit of a join is 64 tables."},
	{"[https://www.a.co.uk/x] The limit of a join is 64 tables.", "[https://www.b.co.uk/x] The limit of a join is 64 tables."},
	{"[http://192.0.2.7/x] The limit of a join is 64 tables.", "[http://192.0.2.8/x] The limit of a join is 64 tables."},
	{"[s3://bucket/inbox/a.html] The limit of a join is 64 tables.", "[file:///home/b.html] The limit of a join is 64 tables."},
}

var separate = [][2]string{
	// they contradict each other
	{"The drug is safe for adults.", "The drug is unsafe for adults."},
	{"The drug is safe for adults.", "The drug is not safe for adults."},
	{"The drug is safe for adults.", "The drug isn't safe for adults."},
	{"The drug is safe for adults.", "The drug is never safe for adults."},
	{"The drug is toxic to children.", "The drug is non-toxic to children."},
	{"The drug is toxic to children.", "The drug is nontoxic to children."},
	{"The bridge is visible from the town.", "The bridge is invisible from the town."},
	{"The engineers agree on the plan.", "The engineers disagree on the plan."},
	{"The move was legal in 1990.", "The move was illegal in 1990."},
	{"The move is possible today.", "The move is impossible today."},
	{"The parts are regular in shape.", "The parts are irregular in shape."},
	{"Foreign keys are enabled by default.", "Foreign keys are disabled by default."},
	{"The shop is open on Sunday mornings.", "The shop is closed on Sunday mornings."},
	{"The price of bread rose in May.", "The price of bread fell in May."},
	{"All birds can fly south.", "No birds can fly south."},
	{"All rooms have a bath.", "Some rooms have a bath."},
	{"All rooms have a bath.", "Most rooms have a bath."},
	{"You must register before the course.", "You may register before the course."},
	{"Registration with a passport works.", "Registration without a passport works."},
	{"The switch turns on the light.", "The switch turns off the light."},
	{"The rule holds for all tables.", "The rule holds against all tables."},
	{"No dogs are allowed in the park.", "No, dogs are allowed in the park."},
	// another value, or one that is bounded otherwise
	{"The limit of a join is 64 tables.", "The limit of a join is 65 tables."},
	{"The limit of a join is 64 tables.", "The limit of a join is -64 tables."},
	{"The limit of a join is 64 tables.", "The limit of a join is at least 64 tables."},
	{"A table can hold at most 2000 columns.", "A table can hold at least 2000 columns."},
	{"A table can hold at most 2000 columns.", "A table can hold less than 2000 columns."},
	{"A table can hold over 2000 columns.", "A table can hold not over 2000 columns."},
	{"The tower is about 300 m high.", "The tower is 300 m high."},
	{"The tower is nearly 300 m high.", "The tower is about 300 m high."},
	{"The tower is 300 m high.", "The tower is 300 ft high."},
	{"The tower is 300 m high.", "The tower is 301 m high."},
	{"The fee for students is $12.", "The fee for students is €12."},
	{"The fee for students is $12.", "The fee for students is $12.50."},
	{"The museum was opened on 4 June 1998.", "The museum was opened in 1998."},
	{"The museum was opened on 4 June 1998.", "The museum was opened on 6 April 1998."},
	{"Python 3.1 supports the new syntax.", "Python 3.10 supports the new syntax."},
	{"Release 3.1 added window functions.", "Release 3.10 added window functions."},
	{"The sample holds 10⁵ cells of yeast.", "The sample holds 10 cells of yeast."},
	{"The mix holds 2 grams of salt.", "The mix holds ½ grams of salt."},
	{"The share of women is 12%.", "The share of women is 12‰."},
	{"The train leaves at 7:30 for Rome.", "The train leaves at 19:30 for Rome."},
	{"Ticket prices range from 5 to 10 euros.", "Ticket prices range from 10 to 5 euros."},
	{"The ratio of salt to sand is 2 to 3.", "The ratio of salt to sand is 3 to 2."},
	// another subject, time or role with an equal number
	{"The limit of a join is 64 tables.", "The limit of a view is 64 tables."},
	{"The limit of a join is 64 tables.", "The limit of a join is 64 columns."},
	{"The trail to the lake is 12 km long.", "The trail to the summit is 12 km long."},
	{"Adults pay $12 for a day.", "Children pay $12 for a day."},
	{"Alice owes Bob 5 dollars.", "Bob owes Alice 5 dollars."},
	{"Rome beat Carthage in the war.", "Carthage beat Rome in the war."},
	{"The train from Lyon to Paris takes 2 hours.", "The train to Lyon from Paris takes 2 hours."},
	{"Lyon is in France.", "France is in Lyon."},
	{"Lyon is larger than Paris.", "Paris is larger than Lyon."},
	{"The hall was opened before the war.", "The hall was opened after the war."},
	{"The fee is $12 for students.", "The fee was $12 for students."},
	{"Toys made in China are cheap.", "Toys made for China are cheap."},
	{"The hall opened in 1920.", "The old hall opened in 1920."},
	{"The hall opened in 1920.", "The town hall opened in 1920."},
	{"The height of the tower is 300 m.", "The height of the tower's base is 300 m."},
	{"The university has 45 labs in town.", "The universe has 45 labs in town."},
	{"C compiles to machine code here.", "C++ compiles to machine code here."},
	{"In 2019 revenue was 5 million dollars.", "In 2020 revenue was 5 million dollars."},
	{"On Windows the limit is 260 characters.", "The limit is 260 characters."},
	// a small word or a mark makes the sense
	{"Paul's friend died on Monday.", "Paul, a friend, died on Monday."},
	{"The mother of Anna was arrested in Rome.", "The mother, Anna, was arrested in Rome."},
	{"The mother of Anna was arrested in Rome.", "The mother Anna was arrested in Rome."},
	{"The defendant is an accomplice.", "The defendant has an accomplice."},
	{"There is a bank of Rome.", "A bank of Rome is there."},
	{"Entry: adults 5 EUR, children free.", "Free entry: adults, children 5 EUR."},
	{"Woman: without her, man is nothing.", "Woman, without her man, is nothing."},
	{"Woman: without her; man is nothing.", "Woman – without her man – is nothing."},
	{"Banned in Rome: dogs; allowed: cats.", "Banned in Rome: dogs, allowed cats."},
	{"Eat grandma before noon.", "Eat, grandma, before noon."},
	{"The suspect killed the guards in Rome.", "The suspect killed the guard in Rome."},
	{"The news in Rome is good.", "The new in Rome is good."},
	{"Few of the patients in Rome survived.", "A few of the patients in Rome survived."},
	{"The visa for US citizens is free.", "The visa for us citizens is free."},
	{"The temperature in the store is –5 °C.", "The temperature in the store is 5 °C."},
	{"The limit of the tower's owner is 5 m.", "The owner's limit of the tower is 5 m."},
	{"Children of Rome pay 5 EUR.", "Rome's children pay 5 EUR."},
	{"Dogs that are free are 5 EUR.", "5 EUR are dogs that are free."},
	{"No dogs; cats: 5 EUR.", "Dogs: 5 EUR; cats: no."},
	{"The lamp of the tower needs 5 mΩ.", "The lamp of the tower needs 5 MΩ."},
	{"The lamp of the tower needs 5 mHz.", "The lamp of the tower needs 5 MHz."},
	{"The lamp of the tower needs 5 mPa.", "The lamp of the tower needs 5 MPa."},
	{"The lamp of the tower needs 5 mJ.", "The lamp of the tower needs 5 MJ."},
	{"The lamp of the tower needs 5 pF.", "The lamp of the tower needs 5 PF."},
	{"The lamp of the tower is 5 mΩ.", "5 MΩ is the lamp of the tower."},
	{"Aid to WHO patients is free.", "Aid to who patients is free."},
	{"Polish workers in Rome shine.", "polish workers in Rome shine."},
	{"All Polish workers in Rome shine.", "All polish workers in Rome shine."},
	// of the day, or the place, only their page can tell
	{"The concert of the choir is today at 8 pm.", "The concert of the choir is today at 8 pm."},
	{"The choir now has 45 singers.", "The choir now has 45 singers."},
	{"Sales of bread rose last year.", "Sales of bread rose last year."},
	{"Sales of bread rose this year.", "Sales of bread rose this year."},
	{"The exam of the choir is on 03/04/2025.", "The exam of the choir is on 03/04/2025."},
	{"Das Konzert des Chors ist heute um 8 Uhr.", "Das Konzert des Chors ist heute um 8 Uhr."},
	{"博物馆今天有45个展厅。", "博物馆今天有45个展厅。"},
	// they talk past each other
	{"A table can have 2000 columns.", "The GRANT command has two basic variants."},
	{"64", "The castle is 64 feet high."},
	{"The castle is 64 feet high.", "64"},
	{"The museum has 45 rooms.", "45 people died in the storm."},
	{"Yes.", "Yes."},
	{"Open daily", "Contact us"},
	{"1987", "1987"},
	// words that only their page can explain
	{"It opened in 1920 in Lyon.", "It opened in 1920 in Lyon."},
	{"This limit is 64 tables.", "This limit is 64 tables."},
	{"Our office opens at 9:00 on Monday.", "Our office opens at 9:00 on Monday."},
	{"They have 45 rooms in Lyon.", "They have 45 rooms in Lyon."},
	{"Is the drug safe for adults?", "Is the drug safe for adults?"},
	{"Τα εμβόλια προκαλούν αυτισμό;", "Τα εμβόλια προκαλούν αυτισμό;"},
	{"Դեղը անվտանգ է մեծահասակների համար՞", "Դեղը անվտանգ է մեծահասակների համար՞"},
	{"መድኃኒቱ ለአዋቂዎች ደህና ነው፧", "መድኃኒቱ ለአዋቂዎች ደህና ነው፧"},
	// a part of a sentence that takes it back, or is only supposed
	{"The drug is safe for adults.", "It is not true that {the drug is safe for adults}."},
	{"The drug is safe for adults.", "If taken daily, {the drug is safe for adults}."},
	{"The drug is safe for adults.", "For example, {the drug is safe for adults}."},
	{"The drug is safe for adults.", "{The drug is safe for adults.} That is false."},
	{"The drug is safe for adults. This is a myth.", "The drug is safe for adults. // It costs nothing."},
	{"The drug is safe for adults.", "“{The drug is safe for adults}”, he lied."},
	{"The drug is “safe” for adults.", "The drug is safe for adults."},
	// one source
	{"[https://a.example/1] The limit of a join is 64 tables.", "[https://a.example/2] The limit of a join is 64 tables."},
	{"[https://docs.a.example/1] The limit of a join is 64 tables.", "[https://www.a.example/2] The limit of a join is 64 tables."},
	{"[https://a.co.uk/1] The limit of a join is 64 tables.", "[http://m.a.co.uk:8080/2] The limit of a join is 64 tables."},
	{"[https://ann.github.io/x] The limit of a join is 64 tables.", "[https://ann.github.io/y] The limit of a join is 64 tables."},
	{"[http://192.0.2.7/x] The limit of a join is 64 tables.", "[http://192.0.2.7:81/y] The limit of a join is 64 tables."},
	{"[http://127.0.0.1:81/x] The limit of a join is 64 tables.", "[http://localhost:82/y] The limit of a join is 64 tables."},
	{"[http://[::1]:81/x] The limit of a join is 64 tables.", "[http://127.0.0.2/y] The limit of a join is 64 tables."},
	{"[http://wiki/x] The limit of a join is 64 tables.", "[http://wiki:82/y] The limit of a join is 64 tables."},
	{"[file:///home/a.html] The limit of a join is 64 tables.", "[file:///tmp/b.html] The limit of a join is 64 tables."},
	{"[s3://bucket/inbox/a] The limit of a join is 64 tables.", "[s3://bucket/inbox/b] The limit of a join is 64 tables."},
	{"The hall opened in 1920. // " + mirrored, "The hall opened in 1920. // " + mirrored},
	{"The hall opened in 1920. // " + mirrored, "The hall opened in 1920. // Home Contact About " + mirrored},
	// other languages
	{"Das Mittel ist sicher für Kinder.", "Das Mittel ist unsicher für Kinder."},
	{"Das Mittel ist sicher für Kinder.", "Das Mittel ist nicht sicher für Kinder."},
	{"Der Hund beißt den Mann.", "Den Hund beißt der Mann."},
	{"Le produit est légal en France.", "Le produit n'est pas légal en France."},
	{"El producto es seguro para niños.", "El producto no es seguro para niños."},
	{"Препарат безопасен для детей.", "Препарат небезопасен для детей."},
	{"Препарат безопасен для детей.", "Препарат не безопасен для детей."},
	{"这种药对儿童是安全的。", "这种药对儿童是不安全的。"},
	{"博物馆有45个展厅。", "博物馆没有45个展厅。"},
	{"この薬は子供に安全です。", "この薬は子供に安全ではありません。"},
	{"The drug is safe for adults.", "Das Mittel ist sicher für Erwachsene."},
}

var mirrored = func() string {
	towns := strings.Fields("Arn Bree Corl Dunn Esk Fell Gorm Hale Inch Jarl Kell Lorn Mull Nairn Oban")
	var b strings.Builder
	for i, a := range towns {
		b.WriteString("Weavers of " + a + " met those of " + towns[(i*7+3)%len(towns)] + " to trade wool for " + towns[(i*4+1)%len(towns)] + ". ")
	}
	return strings.TrimSpace(b.String())
}()

// told makes an Input of a pair: apart is one claim for each side, else one claim that
// cites both.
func told(p [2]string, joined bool) Input {
	in := Input{Query: "q", Strategy: wstk.Singular, Strict: true}
	for i, side := range p {
		s := say{url: []string{"https://a.example/one", "https://b.example/two"}[i], text: side}
		if strings.HasPrefix(side, "[http") || strings.HasPrefix(side, "[s3") || strings.HasPrefix(side, "[file") {
			at := strings.Index(side, "] ")
			s.url, s.text = side[1:at], side[at+2:]
		}
		s.text, s.rest, _ = strings.Cut(s.text, " // ")
		quote := s.text
		if i, j := strings.Index(quote, "{"), strings.Index(quote, "}"); i >= 0 {
			quote = quote[i+1 : j]
			s.text = strings.NewReplacer("{", "", "}", "").Replace(s.text)
		}
		if s.rest == "" {
			s.rest = strings.Repeat([]string{"Ships sail. ", "Looms turn. "}[i], 20+i)
		}
		d := document(s)
		d.Meta.Language = languageOf(s.text)
		in.Pages = append(in.Pages, d)
		in.Items = append(in.Items, claimOf(d, quote, ""))
	}
	if joined {
		in.Items[0].Claim.Proposed =
			append(in.Items[0].Claim.Proposed, in.Items[1].Claim.Proposed...)
		in.Items[0].Evidence = append(in.Items[0].Evidence, in.Items[1].Evidence...)
		in.Items = in.Items[:1]
	}
	return in
}

func languageOf(s string) string {
	for words, lang := range map[string]string{"Der ": "de", "Das ": "de", "Den ": "de", "Le ": "fr", "El ": "es", "М": "ru", "П": "ru", "博": "zh", "这": "zh", "こ": "ja"} {
		if strings.HasPrefix(s, words) {
			return lang
		}
	}
	return "en"
}

// Law 3: verified means that two sites say the statement, and nothing less.
func TestVerifiedMeansThatTwoSitesAgree(t *testing.T) {
	if n := len(agreeing) + len(separate); n < 120 {
		t.Fatalf("the tables have %d pairs, want at least 120", n)
	}
	each := func(pairs [][2]string, check func(name string, x wstk.Extraction)) {
		for _, p := range pairs {
			for _, turned := range []bool{false, true} {
				for _, joined := range []bool{false, true} {
					q := p
					if turned {
						q[0], q[1] = q[1], q[0]
					}
					check(text.Shorten(q[0], 90)+" | "+text.Shorten(q[1], 90), collated(told(q, joined)))
				}
			}
		}
	}
	each(agreeing, func(name string, x wstk.Extraction) {
		if strings.Contains(name, "twice. |") {
			return // the first of two sentences says less than both
		}
		if x.Grounding != wstk.Verified || !strings.HasPrefix(x.Counted, "2 s") {
			t.Errorf("%s: %s, %s; want x.Grounding == wstk.Verified && strings.HasPrefix(x.Counted, \"2 s\")", name, x.Grounding, x.Counted)
		}
	})
	each(separate, func(name string, x wstk.Extraction) {
		if x.Grounding == wstk.Verified ||
			strings.HasPrefix(x.Counted, "2") && x.Grounding != wstk.Conflicted {
			t.Errorf("%s: %s, %s; want x.Grounding != wstk.Verified && (!strings.HasPrefix(x.Counted, \"2\") || x.Grounding == wstk.Conflicted)", name, x.Grounding, x.Counted)
		}
	})
}

// A number is read in the language of its own page.
func TestEachPageIsReadInItsLanguage(t *testing.T) {
	const words = "Linz: 1.500 USD."
	for lang, want := range map[string]wstk.Grade{"en": wstk.Verified, "de": wstk.SingleSource} {
		in := told([2]string{words, words}, true)
		in.Pages[1].Meta.Language = lang
		if x := collated(in); x.Grounding != want {
			t.Errorf("en and %s: %s, %s", lang, x.Grounding, x.Counted)
		}
	}
}

// Law 3: a page that passes on what others say is no second site.
func TestASecondSiteSpeaksForItself(t *testing.T) {
	const words = "The tower of Rome is 135 metres tall."
	first := func() *wstk.Document {
		return document(say{url: "https://a.example/1", section: "The tower", text: words, rest: "Look at it from the hill."})
	}
	page := func(lead, next string) *wstk.Document {
		d := document(say{url: "https://b.example/2", section: "The tower", text: lead, rest: words + "\n" + next})
		d.Meta.Title = "The tower"
		return d
	}
	kind := func(d *wstk.Document, k wstk.BlockKind) *wstk.Document {
		d.Blocks[2].Kind = k
		return d
	}
	flagged := page("Hello to you all here.", "Good bye.")
	flagged.Blocks[2].Flags = []wstk.Flag{wstk.FlagComment}
	old := page("Hello to you all here.", "Good bye.")
	old.Sections[0].Title = "In 1950"
	dated := page("Hello to you all here.", "Good bye.")
	dated.Sections[0].Title, dated.Meta.Title = "Towers of 2022", "Towers of 2022"
	linked := page("Hello to you all here.", "Read this too.")
	linked.Links = []wstk.Link{{URL: "https://www.a.example/1", Element: linked.Blocks[2].Element}}
	wire := document(say{url: "https://a.example/1", text: "They sold the port. " + words + " A firm bought it.", rest: "More at noon."})
	copied := document(say{url: "https://b.example/2", text: "They sold the port. " + words + " A firm bought it.", rest: strings.Repeat("Our paper tells of the weather. ", 30)})
	for _, c := range []struct {
		name string
		a, b *wstk.Document
		want wstk.Grade
	}{
		{"a page", first(), page("Hello to you all here.", "Good bye."), wstk.Verified},
		{"an item of a list", first(), kind(page("Hello to you all here.", "Good bye."), wstk.BlockListItem), wstk.Verified},
		{"a site of another name", first(), page("Hello to you all here.", "Source: aa.example and a.examples."), wstk.Verified},
		{"one sentence before it", wire,
			document(say{url: "https://b.example/2", text: "They sold the port. " + words + " It was cheap.", rest: strings.Repeat("Our paper tells of the weather. ", 30)}), wstk.Verified},
		{"a comment", first(), flagged, wstk.SingleSource},
		{"a quotation", first(), kind(page("Hello to you all here.", "Good bye."), wstk.BlockQuote), wstk.SingleSource},
		{"a heading", first(), kind(page("Hello to you all here.", "Good bye."), wstk.BlockHeading), wstk.SingleSource},
		{"a cell", first(), kind(page("Claim of guests", "Good bye."), wstk.BlockTableRow), wstk.SingleSource},
		{"a line that leads to it", first(), kind(page("Guess which number is right:", "Good bye."), wstk.BlockListItem), wstk.SingleSource},
		{"a year in its heading", first(), old, wstk.SingleSource},
		{"a year in its title", first(), dated, wstk.Verified},
		{"the name of the first site", first(), page("Hello to you all here.", "Source: a.example, copied in May."), wstk.SingleSource},
		{"a link to the first site", first(), linked, wstk.SingleSource},
		{"the sentences around it", wire, copied, wstk.SingleSource},
	} {
		in := Input{Query: "q", Strategy: wstk.Singular, Pages: []*wstk.Document{c.a, c.b},
			Items: []Item{claimOf(c.a, words, "")}}
		other := claimOf(c.b, words, "")
		in.Items[0].Claim.Proposed = append(in.Items[0].Claim.Proposed, other.Claim.Proposed...)
		in.Items[0].Evidence = append(in.Items[0].Evidence, other.Evidence...)
		if x := collated(in); x.Grounding != c.want {
			t.Errorf("%s: %s, %s, want %v", c.name, x.Grounding, x.Counted, c.want)
		}
	}
}

// One sentence on two sites is no agreement where it stands under a heading that restricts it.
func TestAHeadingKeepsTwoSitesApart(t *testing.T) {
	for heading, want := range map[string]wstk.Grade{
		"": wstk.Verified, "The limits of a join": wstk.Verified, "Version 2": wstk.SingleSource,
		"Before the merger": wstk.SingleSource, "Common mistakes": wstk.SingleSource,
	} {
		in := joined("The limit of a join is 64 tables.", "https://a.example/1", "https://b.example/1")
		in.Query = "What is the limit of a join?"
		if d := in.Pages[1]; heading != "" {
			d.Sections = []wstk.Section{{Title: "Joins", Level: 1, Parent: -1},
				{Title: heading, Level: 2, Parent: 0}}
			for i := range d.Blocks {
				d.Blocks[i].Section = 1
			}
		}
		if x := collated(in); x.Grounding != want {
			t.Errorf("%q: %s, want %s", heading, x.Grounding, want)
		}
	}
}

// One sentence on two sites is no agreement where the sentence beside it restricts or corrects it.
func TestASentenceBesideKeepsTwoSitesApart(t *testing.T) {
	const words = "The ticket of the hall costs £8."
	for rest, want := range map[string]wstk.Grade{
		"Bread is sold at the gate.": wstk.Verified, "In truth it is more.": wstk.SingleSource,
		"Add VAT of 20 %.": wstk.SingleSource, "Prices are per person.": wstk.SingleSource,
	} {
		in := joined(words, "https://a.example/1", "https://b.example/1")
		d := document(say{url: "https://b.example/1", text: words, rest: rest})
		in.Pages[1] = d
		in.Items[0].Evidence[1] = claimOf(d, words, "").Evidence[0]
		if x := collated(in); x.Grounding != want {
			t.Errorf("%q: %s, want %s", rest, x.Grounding, want)
		}
	}
}

func TestCountedSaysWhatTheGradeCounts(t *testing.T) {
	const words = "The limit of a join is 64 tables."
	for want, urls := range map[string][]string{
		"1 site":            {"https://a.example/1"},
		"1 site, 3 pages":   {"https://a.example/1", "https://a.example/2", "https://docs.a.example/3"},
		"2 sites":           {"https://a.example/1", "https://b.example/1"},
		"2 sites, 3 pages":  {"https://a.example/1", "https://b.example/1", "https://a.example/2"},
		"2 sources":         {"https://a.example/1", "file:///tmp/1"},
		"1 source, 2 pages": {"file:///tmp/1", "file:///home/2"},
	} {
		x := collated(joined(words, urls...))
		if x.Counted != want || (x.Grounding == wstk.Verified) != strings.HasPrefix(want, "2") {
			t.Errorf("%v: %s, %q, want %q", urls, x.Grounding, x.Counted, want)
		}
	}
	if x := collateOf("q"); x.Counted != "no source" {
		t.Errorf("an answer without pages counts %q, want no source", x.Counted)
	}
	// A page that names another site's address as its own speaks for that site.
	in := joined(words, "https://a.example/1", "https://b.example/1")
	in.Pages[1].CanonicalURL, in.Items[0].Evidence[1].CanonicalURL = "https://a.example/other", "https://a.example/other"
	if x := collated(in); x.Grounding != wstk.SingleSource || x.Counted != "1 site, 2 pages" {
		t.Errorf("a page that names another site: %s, %s", x.Grounding, x.Counted)
	}
	// A page that was not given may be a copy of the other.
	in = joined(words, "https://a.example/1", "https://b.example/1")
	in.Pages = in.Pages[:1]
	if x := collated(in); x.Grounding != wstk.SingleSource {
		t.Errorf("without its page: %s, %s", x.Grounding, x.Counted)
	}
}

// What is counted tells where two sites agree on the first statement alone.
func TestCountedIsOfEveryStatement(t *testing.T) {
	const one, other = "The limit of a join is 64 tables.", "The limit of a row is 2000 columns."
	for _, c := range []struct{ second, counted, grounded string }{
		{"https://b.example/1", "2 sites", "2 sites agree"},
		{"", "2 sites on its first statement", "2 sites agree on its first statement"},
	} {
		in := joined(one, "https://a.example/1", "https://b.example/1")
		a := document(say{url: "https://a.example/1", text: one, rest: other})
		b := document(say{url: "https://b.example/1", text: one, rest: other + "\nIt is a guide for those who build reports from many tables."})
		in.Pages = []*wstk.Document{a, b}
		it := claimOf(a, other, "")
		if c.second != "" {
			it.Evidence = append(it.Evidence, claimOf(b, other, "").Evidence...)
		}
		in.Items = []Item{claimOf(a, one, ""), it}
		in.Items[0].Evidence = append(in.Items[0].Evidence, claimOf(b, one, "").Evidence...)
		x := collated(in)
		if x.Grounding != wstk.Verified || x.Counted != c.counted || x.Grounded() != c.grounded {
			t.Errorf("%s, %q, %q, want %q", x.Grounding, x.Counted, x.Grounded(), c.counted)
		}
	}
}

// What archives and proxies show is of the site whose page it is.
func TestArchivesSpeakForTheirPages(t *testing.T) {
	for url, want := range map[string]string{
		"https://web.archive.org/web/2015/http://www.one.example/p.html": "one.example",
		"https://r.jina.example/https://one.example/p":                   "one.example",
		"https://www-one--two-example.translate.goog/p":                  "one-two.example",
		"https://one-example.cdn.ampproject.org/c/s/p":                   "one.example",
		"https://one.example/p":                                          "",
	} {
		got := voices(wstk.Evidence{URL: url})
		if want == "" && len(got) != 1 || want != "" && !slices.Contains(got, want) {
			t.Errorf("%s: %v; want (want != \"\" || len(got) == 1) && (want == \"\" || slices.Contains(got, want))", url, got)
		}
	}
}
