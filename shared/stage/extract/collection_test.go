package extract

import (
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

func titles(bs []wstk.Bucket) string {
	var out []string
	for _, b := range bs {
		out = append(out, b.Title)
	}
	return strings.Join(out, " · ")
}

// field returns the statement of the first claim under a field.
func fieldOf(claims []wstk.Claim, field string) string {
	for _, c := range claims {
		if strings.EqualFold(c.Field, field) {
			return c.Statement
		}
	}
	return ""
}

func TestCollectionsFromStructures(t *testing.T) {
	cases := []struct {
		name, query string
		page        *wstk.Document
		want        string
	}{
		{"list under a heading", "volunteer opportunities", doc("https://x.example/v", "Volunteer", `
			# Welcome
			- Home
			- About
			## Volunteer opportunities
			- Library desk: lend and return books
			- Homework club: help pupils
			- Garden team: plant and weed`), "Library desk · Homework club · Garden team"},
		{"list after its introduction", "Which storage classes are there?", doc("https://x.example/s", "Datatypes", `
			# Datatypes
			Each value has one of the following storage classes:
			- NULL. The value is a NULL value.
			- INTEGER. The value is a signed integer.
			- TEXT. The value is a text string.
			## See also
			- Affinity
			- Collation`), "NULL · INTEGER · TEXT"},
		{"rows of a table", "list all courses", doc("https://x.example/c", "Programme", `
			# Courses this autumn
			|! Course | Day | Price
			| Pottery | Monday | £64
			| Yoga | Tuesday | £50
			# Rooms
			|! Room | Seats
			| Blue room | 20
			| Red room | 30`), "Pottery · Yoga"},
		{"rows without a header", "Which locking states can a database file be in?", doc("https://x.example/l", "Locking", `
			# Locking
			A database file can be in one of these locking states:
			| UNLOCKED | No locks are held.
			| SHARED | It may be read.
			| EXCLUSIVE | It may be written.`), "UNLOCKED · SHARED · EXCLUSIVE"},
		{"sections of one level", "what services do you offer?", doc("https://x.example/o", "Our services", `
			# Our services
			## Debt advice
			We help with letters and budgets.
			## Housing
			We know the law on tenancies.
			## Legal clinic
			A solicitor is here on Thursdays.`), "Debt advice · Housing · Legal clinic"},
		{"terms with definitions", "all tokenizers", doc("https://x.example/t", "Search", `
			# Tokenizers
			= unicode61
			: Splits at spaces and punctuation.
			= ascii
			: Knows ASCII only.
			= porter
			: Stems English words.`), "unicode61 · ascii · porter"},
		{"repeated blocks that begin with a link", "find products", doc("https://x.example/p", "Products", `
			# Our products
			@ Oak table → https://x.example/p/1
			A table for six.
			£400
			@ Ash chair → https://x.example/p/2
			A light chair.
			£80
			@ Pine shelf → https://x.example/p/3
			Holds forty books.
			£60`), "Oak table · Ash chair · Pine shelf"},
		{"paragraphs of one form", "companies that use the engine", doc("https://x.example/u", "Users", `
			# Companies that use the engine
			Some of them are shown here.
			Acme uses the engine in its phones.
			Birch uses the engine in its cars.
			Cedar uses the engine on its servers.
			Delta uses the engine in its planes.`), "Acme uses the engine in its phones. · Birch uses the engine in its cars. · Cedar uses the engine on its servers. · Delta uses the engine in its planes."},
		{"only the items that fit", "engineering positions", doc("https://x.example/j", "Jobs", `
			# Open positions
			- Senior engineer, engineering: Berlin
			- Account manager, sales: Paris
			- Test lead, engineering: Berlin`), "Senior engineer, engineering · Test lead, engineering"},
		{"only the items within a bound", "items under $50", doc("https://x.example/i", "Shop", `
			# Items
			|! Item | Price
			| Lamp | $35
			| Desk | $220
			| Clock | $49
			| Rug | on request`), "Lamp · Clock · Rug"},
		{"only the items of a year", "papers from 2024", doc("https://x.example/papers", "Papers", `
			# Papers
			|! Paper | Published
			| On trees | 3 May 2023
			| On graphs | 7 June 2024
			| On sets | 1 March 2024`), "On graphs · On sets"},
		{"the last items of nested lists keep theirs", "list of rules", doc("https://x.example/r", "Rules", `
			# List of rules
			- First rule
			-- a detail
			-- another detail
			- Second rule`), "First rule · Second rule"},
	}
	for _, c := range cases {
		bs, claims, _ := askAll(t, Query{Text: c.query, Strategy: wstk.Collection}, c.page)
		if got := titles(bs); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
			continue
		}
		for i, b := range bs {
			if b.Rationale == "" || len(b.Places) == 0 {
				t.Errorf("%s: %q: rationale %q, places %v", c.name, b.Title, b.Rationale, b.Places)
			}
			if len(claims[i]) == 0 || fieldOf(claims[i], "title") != b.Title {
				t.Errorf("%s: %q: %+v; want len(claims[i]) != 0 && fieldOf(claims[i], \"title\") == b.Title", c.name, b.Title, claims[i])
			}
			for _, cl := range claims[i] {
				for _, o := range bs {
					if o.Title != b.Title && cl.Field == "" &&
						strings.HasPrefix(cl.Statement, o.Title) {
						t.Errorf("%s: %q tells of %q", c.name, b.Title, cl.Statement)
					}
				}
			}
		}
	}
}

func TestItemFields(t *testing.T) {
	page := doc("https://x.example/c", "Programme", `
		# Courses
		|! Course | Day | Price
		| Pottery | Monday | £64
		| Yoga | Tuesday | £50`)
	bs, claims, _ := askAll(t, Query{Text: "list all courses", Strategy: wstk.Collection}, page)
	if len(bs) != 2 || fieldOf(claims[1], "day") != "Tuesday" || fieldOf(claims[1], "price") != "£50" {
		t.Fatalf("%s: %+v; want len(bs) == 2 && fieldOf(claims[1], \"day\") == \"Tuesday\" && fieldOf(claims[1], \"price\") == \"£50\"", titles(bs), claims)
	}
	// Hints steer: what is asked is found or is a gap with a query.
	_, claims, gaps := askAll(t, Query{Text: "list all courses", Strategy: wstk.Collection,
		Hints: []string{"price", "teacher"}}, page)
	if fieldOf(claims[0], "price") != "£64" || fieldOf(claims[0], "day") != "" {
		t.Errorf("%+v; want fieldOf(claims[0], \"price\") == \"£64\" && fieldOf(claims[0], \"day\") == \"\"", claims[0])
	}
	if len(gaps[0]) != 1 || gaps[0][0].Field != "teacher" || gaps[0][0].Query != "teacher for Pottery" {
		t.Errorf("%+v; want len(gaps[0]) == 1 && gaps[0][0].Field == \"teacher\" && gaps[0][0].Query == \"teacher for Pottery\"", gaps[0])
	}
}

func TestItemsAreJoinedOverPages(t *testing.T) {
	one := doc("https://x.example/jobs?page=1", "Jobs, page 1", `
		# Open positions
		@@ Night nurse → https://x.example/jobs/night-nurse
		@@ Porter → https://x.example/jobs/porter
		- Night nurse
		- Porter`)
	two := doc("https://x.example/jobs?page=2", "Jobs, page 2", `
		# Open positions
		- Porter
		- Ward cook`)
	nurse := doc("https://x.example/jobs/night-nurse", "Night nurse - City Hospital", `
		# Night nurse
		You look after two wards at night.
		Salary: £32,000 per year
		Apply by 3 March 2027.`)
	s := shelve(one, two, nurse)
	bs, _, err := s.stage().Partition(t.Context(), "open positions", wstk.Collection, hits(one, two))
	if err != nil {
		t.Fatal(err)
	}
	if titles(bs) != "Night nurse · Porter · Ward cook" {
		t.Fatalf("%s; want titles(bs) == \"Night nurse · Porter · Ward cook\"", titles(bs))
	}
	if len(bs[1].Pages) != 2 {
		t.Errorf("the porter stands on %v", bs[1].Pages)
	}
	if !slices.Contains(bs[0].Pages, nurse.URL) || !strings.Contains(bs[0].Rationale, "page of its own") {
		t.Errorf("the nurse's own page is not in %v (%s)", bs[0].Pages, bs[0].Rationale)
	}
	claims, gaps, err := s.stage().Do(t.Context(),
		Query{Text: "open positions", Strategy: wstk.Collection, Hints: []string{"salary", "deadline", "phone"}}, bs[0])
	if err != nil {
		t.Fatal(err)
	}
	if fieldOf(claims, "salary") != "£32,000 per year" || !strings.Contains(fieldOf(claims, "deadline"), "3 March 2027") {
		t.Errorf("%+v; want the salary £32,000 per year and the deadline 3 March 2027", claims)
	}
	if len(gaps) != 1 || gaps[0].Field != "phone" {
		t.Errorf("%+v; want len(gaps) == 1 && gaps[0].Field == \"phone\"", gaps)
	}
	if titleClaimed := claims[0]; len(titleClaimed.Proposed) != 2 {
		t.Errorf("the title is quoted %d times, want once from each page", len(titleClaimed.Proposed))
	}
}

func TestStructuredDataItems(t *testing.T) {
	d := doc("https://x.example/events", "What's on", "# What's on\nSee below.")
	leaf := func(el int, name, pointer, literal string) wstk.DataLeaf {
		return wstk.DataLeaf{Name: name, Element: el, Pointer: pointer, Literal: literal}
	}
	d.Data = []wstk.DataItem{
		{Format: "json-ld", Type: "Event", Element: 5,
			Leaves: []wstk.DataLeaf{leaf(5, "@type", "/@type", "Event"), leaf(5, "name", "/name", "Choir night"), leaf(5, "startDate", "/startDate", "2026-05-03T19:30"), leaf(5, "location.name", "/location/name", "Town hall")}},
		{Format: "json-ld", Type: "Event", Element: 6,
			Leaves: []wstk.DataLeaf{leaf(6, "@type", "/@type", "Event"), leaf(6, "name", "/name", "Book fair"), leaf(6, "startDate", "/startDate", "2026-06-10")}},
		{Format: "json-ld", Type: "BreadcrumbList", Element: 7, Leaves: []wstk.DataLeaf{leaf(7, "itemListElement.name", "/itemListElement/0/name", "Home"), leaf(7, "itemListElement.name", "/itemListElement/1/name", "Events")}},
	}
	bs, claims, _ := askAll(t, Query{Text: "events", Strategy: wstk.Collection, Hints: []string{"date", "location"}}, d)
	if titles(bs) != "Choir night · Book fair" {
		t.Fatalf("%s; want titles(bs) == \"Choir night · Book fair\"", titles(bs))
	}
	if fieldOf(claims[0], "date") != "2026-05-03T19:30" ||
		fieldOf(claims[0], "location") != "Town hall" || fieldOf(claims[1], "date") != "2026-06-10" || fieldOf(claims[1], "location") != "" {
		t.Errorf("%+v; want the dates of both events, and the location of the first alone", claims)
	}
	// A list inside one script.
	d.Data = []wstk.DataItem{{Format: "json-ld", Type: "ItemList", Element: 5, Leaves: []wstk.DataLeaf{
		leaf(5, "itemListElement.name", "/itemListElement/0/name", "First event"), leaf(5, "itemListElement.url", "/itemListElement/0/url", "/e/1"),
		leaf(5, "itemListElement.name", "/itemListElement/1/name", "Second event")}}}
	bs, _, _ = askAll(t, Query{Text: "events", Strategy: wstk.Collection}, d)
	if titles(bs) != "First event · Second event" {
		t.Errorf("%s; want titles(bs) == \"First event · Second event\"", titles(bs))
	}
}

func TestNoStructureIsOneBucket(t *testing.T) {
	d := doc("https://x.example/", "About", "# About\nThe club was founded in 1920. Its members meet on Mondays.")
	bs, claims, _ := askAll(t, Query{Text: "list of members", Strategy: wstk.Collection}, d)
	if len(bs) != 1 || bs[0].Title != "" || len(bs[0].Places) != 0 || bs[0].Rationale == "" {
		t.Fatalf("%+v; want len(bs) == 1 && bs[0].Title == \"\" && len(bs[0].Places) == 0 && bs[0].Rationale != \"\"", bs)
	}
	_ = claims
	bs, _, err := shelve().stage().Partition(t.Context(), "anything", wstk.Collection, nil)
	if err != nil || len(bs) != 0 {
		t.Errorf("without hits: %v, %v", bs, err)
	}
}

func TestHints(t *testing.T) {
	page := doc("https://x.example/", "Elm Street Centre", `
		# Elm Street Centre
		A house for everybody.
		Phone: +44 20 7946 0123
		| Founded | 1987
		| Staff | 14 people
		## Address
		14 Elm Street, Northfield NF2 4QX
		= Director
		: Priya Raman
		Write to hello@centre.example if you want to help.
		|! Year | Visitors | Grants
		| 2024 | 31,000 | £40,000`)
	page.Data = []wstk.DataItem{{Format: "json-ld", Type: "Organization", Element: 3, Leaves: []wstk.DataLeaf{
		{Name: "telephone", Element: 3, Pointer: "/telephone", Literal: "+442079460999"},
		{Name: "priceRange", Element: 3, Pointer: "/priceRange", Literal: "££"},
		{Name: "openingHours", Element: 3, Pointer: "/openingHours", Literal: "Mo-Fr 09:00-18:00"}}}}
	for hint, want := range map[string]string{
		"phone":             "+44 20 7946 0123", // visible text before data
		"founded":           "1987",
		"staff":             "14 people",
		"address":           "14 Elm Street, Northfield NF2 4QX",
		"director":          "Priya Raman",
		"contact email":     "hello@centre.example",
		"E-Mail":            "hello@centre.example",
		"visitors":          "31,000",
		"opening hours":     "Mo-Fr 09:00-18:00", // data where the text has none
		"opening_hours":     "Mo-Fr 09:00-18:00",
		"fax":               "",
		"number of parking": "",
		"patron saint":      "",
	} {
		claims, gaps, err := shelve(page).stage().
			Do(t.Context(), Query{Text: "details of the Elm Street Centre", Strategy: wstk.Collection, Hints: []string{hint}},
				wstk.Bucket{Title: "Elm Street Centre", Pages: []string{page.URL}})
		if err != nil {
			t.Fatal(err)
		}
		checkClaims(t, shelve(page), Query{}, claims)
		if got := fieldOf(claims, hint); got != want {
			t.Errorf("%s: %q, want %q", hint, got, want)
		}
		if (want == "") != (len(gaps) == 1 && gaps[0].Field == hint &&
			strings.Contains(gaps[0].Query, "Elm Street Centre")) {
			t.Errorf("%s: gaps are %+v, want one for a missing field that searches for Elm Street Centre", hint, gaps)
		}
	}
}

func TestNarrative(t *testing.T) {
	wal := doc("https://x.example/wal", "Write-ahead logging", `
		# Write-ahead logging
		A write-ahead log is a file to which changes are appended before they reach the database.
		Readers and writers do not block each other with a write-ahead log.
		The log has to be on the same machine as the database.
		## Checkpoints
		A checkpoint moves the changes of the write-ahead log into the database.
		Checkpoints run by themselves when the log has a thousand pages.`)
	faq := doc("https://x.example/faq", "Questions", `
		# Questions
		What is write-ahead logging good for?
		Write-ahead logging makes most writes faster, since they are sequential.
		Readers and writers do not block each other with a write-ahead log.
		Our office has a new coffee machine.`)
	_, claims, _ := askAll(t, Query{Text: "Describe write-ahead logging"}, faq, wal)
	got := claims[0]
	if len(got) < 4 || len(got) > maxSentences {
		t.Fatalf("%d sentences: %+v", len(got), got)
	}
	if !strings.Contains(got[0].Statement, "is a file to which") {
		t.Errorf("%q leads, want what it is", got[0].Statement)
	}
	pages, said := map[string]bool{}, map[string]bool{}
	for _, c := range got {
		pages[c.Proposed[0].URL] = true
		if said[c.Statement] {
			t.Errorf("%q is claimed twice, want each statement once", c.Statement)
		}
		said[c.Statement] = true
		if strings.Contains(c.Statement, "coffee") || strings.HasSuffix(c.Statement, "?") {
			t.Errorf("%q is not about it", c.Statement)
		}
	}
	if len(pages) != 2 {
		t.Errorf("from %d pages, want both", len(pages))
	}
	if _, claims, gaps := askAll(t, Query{Text: "describe the migration of arctic terns"}, faq,
		wal); len(claims[0]) != 0 || len(gaps[0]) != 1 {
		t.Errorf("an account of nothing: %+v", claims[0])
	}
	// The site itself: the openings of its pages.
	_, claims, _ = askAll(t, Query{Text: "What does this organization do?"}, home, volunteer)
	if len(claims[0]) == 0 || !strings.Contains(claims[0][0].Statement, "offers courses, advice and a library") {
		t.Errorf("%+v; want len(claims[0]) != 0 && strings.Contains(claims[0][0].Statement, \"offers courses, advice and a library\")", claims[0])
	}
}

// What speaks for a thing and what against it stand in two lists, one behind the
// other, and belong to one account.
func TestAnAccountTakesListsThatFollowEachOther(t *testing.T) {
	d := doc("https://x.example/log", "Change logs", `
		# Change logs
		There are advantages and disadvantages to using change logs instead of copies. The advantages are:
		- Readers do not wait for writers.
		- Fewer writes are needed.
		But there are also disadvantages:
		- All readers have to be on one machine.
		- The file may grow.
		More about files:
		- They have names.`)
	_, claims, _ := askAll(t, Query{Text: "What are the advantages and disadvantages of change logs?", Strategy: wstk.Narrative}, d)
	var said []string
	for _, c := range claims[0] {
		said = append(said, c.Statement)
	}
	got := strings.Join(said, "|")
	for _, want := range []string{"Fewer writes are needed.", "But there are also disadvantages:|All readers have to be on one machine.|The file may grow."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if strings.Contains(got, "They have names") {
		t.Errorf("a list about another thing: %q", got)
	}
}

// Sections are a list of what a query names only if their titles, or the one above them, say
// so: what a chapter is divided into answers no other question.
func TestSectionsAreAListOfWhatTheyAreCalled(t *testing.T) {
	d := doc("https://x.example/keys", "Keys", `# Keys of the safe
A key opens the safe. The key formats of the safe are described elsewhere.
## Storing a key
Put the key and the formats of the safe in a drawer.
## Losing a key
Call us about the key and the formats of the safe.
## Back-up formats
The safe key comes in these.
### Paper format
On paper.
### Digital format
On a disk.`)
	buckets, _, _ := askAll(t, Query{Text: "List the formats of the safe key"}, d)
	var got []string
	for _, b := range buckets {
		got = append(got, b.Title)
	}
	if want := "Paper format|Digital format"; strings.Join(got, "|") != want {
		t.Errorf("the items are %q, want %q", got, want)
	}
	buckets, _, _ = askAll(t, Query{Text: "List the colours of the safe key"}, d)
	if len(buckets) != 1 || buckets[0].Title != "" {
		t.Errorf("colours are %+v, want none", buckets)
	}
}

// A row or an item that leads to another page is none.
func TestNavigationIsNoItem(t *testing.T) {
	d := doc("https://x.example/modes", "Modes", `# Modes
The pump has the following modes:
- fast
- slow
- « previous | next »`)
	buckets, _, _ := askAll(t, Query{Text: "List all modes of the pump"}, d)
	if len(buckets) != 2 {
		t.Errorf("%d items, want fast and slow", len(buckets))
	}
}

// A heading that says the noun among other things makes no list of the sections under it, and
// pages are a list of what their folder or their titles say, not of any word that they hold.
func TestAWordInPassingMakesNoList(t *testing.T) {
	chapters := doc("https://x.example/inside", "Inside", `# Data structures and file formats
The safe keeps a key export in its drawer.
## Drawer
Holds the key.
## Cache
Holds what the key opened.
## Index
Holds all.`)
	buckets, _, _ := askAll(t, Query{Text: "Which formats does the key export of the safe offer?"}, chapters)
	if len(buckets) != 1 || buckets[0].Title != "" {
		t.Errorf("chapters are items: %+v", buckets)
	}
	page := func(name, words string) *wstk.Document {
		return doc("https://x.example/safe-manual/"+name, "The safe: "+name, "# "+name+"\n"+words)
	}
	buckets, _, _ = askAll(t, Query{Text: "Which levels of the safe are there?"},
		page("alarms", "Alarms have levels, which the safe counts for you."),
		page("doors", "Doors have levels, which the safe counts for you."),
		page("keys", "Keys have levels, which the safe counts for you."))
	if len(buckets) != 1 || buckets[0].Title != "" {
		t.Errorf("pages are items: %+v", buckets)
	}
}
