package collate

import (
	"strings"
	"testing"
)

// two builds a pair of pages. A side is "sentence", "section | sentence" or
// "section | field | sentence"; what follows " // " is more text of the page.
func two(a, b string) []say {
	side := func(s, url string) say {
		s, rest, _ := strings.Cut(s, " // ")
		p := strings.Split(s, " | ")
		out := say{url: url, text: p[len(p)-1], rest: rest}
		if len(p) > 1 {
			out.section = p[0]
		}
		if len(p) > 2 {
			out.field = p[1]
		}
		return out
	}
	return []say{side(a, "https://a.example/one"), side(b, "https://a.example/two")}
}

// conflicting are pairs that no reader could believe both of.
var conflicting = [][2]string{
	{"The default page size is 4096 bytes.", "The default page size is 1024 bytes."},
	{"Up to 10 databases can be attached at once.", "Up to 125 databases can be attached at once."},
	{"The entrance fee is $12.", "The entrance fee is $15."},
	{"Admission costs 8 EUR for a day.", "Admission costs 10 EUR for a day."},
	{"The office opens at 9:00.", "The office opens at 8:30."},
	{"Call us at +1 212 555 0187 for help.", "Call us at +1 212 555 0199 for help."},
	{"The company was founded in 1998.", "The company was founded in 2001."},
	{"The application deadline is 15 March 2026.", "The application deadline is 1 April 2026."},
	{"The museum has 45 employees.", "The museum has 60 employees."},
	{"The trail is 12 km long.", "The trail is 15 km long."},
	{"Delivery takes 3 days.", "Delivery takes 7 days."},
	{"The maximum file size is 25 MB.", "The maximum file size is 50 MB."},
	{"The curb weight is 1,710 kg.", "The curb weight is 2,185 kg."},
	{"The warranty lasts 24 months.", "The warranty lasts 36 months."},
	{"The session timeout is 30 minutes.", "The session timeout is 60 minutes."},
	{"The course starts on 5 May 2026.", "The course starts on 12 May 2026."},
	{"The library holds 120,000 books.", "The library holds 90,000 books."},
	{"The monthly plan costs $9.99.", "The monthly plan costs $12.99."},
	{"Discount for groups is 10%.", "Discount for groups is 15%."},
	{"The town has a population of 12,400.", "The town has a population of 18,900."},
	{"Contact | phone | 212-555-0187", "Imprint | phone | 212-555-0100"},
	{"Tickets | price | $12", "Visit | price | $15"},
	{"Facts | founded | 1998", "About us | founded | 2003"},
	{"Volunteer hours | schedule | Tuesdays at 5pm", "Calendar | schedule | Wednesdays at 6pm"},
	{"Volunteer shifts are Tuesdays at 5pm", "Volunteer shifts are Wednesdays at 6pm"},
	{"Open 24/7", "Closed Sundays"},
	{"Monday to Friday 9:00-17:00", "Monday to Friday 10:00-18:00"},
	{"Open daily 8am-4pm", "Open daily 9am-5pm"},
	{"We are open Monday-Saturday 9am to 6pm.", "We are closed on Saturdays."},
	{"Öffnungszeiten | Mo-Fr 9:00-17:00", "Öffnungszeiten | Mo-Fr 10:00-18:00"},
	{"WAL mode works over network filesystems.", "WAL mode does not work over network filesystems."},
	{"Dogs are allowed on the terrace.", "Dogs are not allowed on the terrace."},
	{"Foreign key constraints are enabled by default.", "Foreign key constraints are disabled by default."},
	{"Registration is required for the workshop.", "Registration is not required for the workshop."},
	{"The premises are accessible by wheelchair.", "The premises are not accessible by wheelchair."},
	{"The limit is at most 64 tables in a join.", "The limit is at most 100 tables in a join."},
	{"About 150 people live in the village.", "About 400 people live in the village."},
	{"The upload limit is less than 10 MB per file.", "The upload limit is 25 MB per file."},
	// found after the rules were made
	{"Our shop is open from 10am to 8pm.", "Our shop is open from 9am to 6pm."},
	{"The train leaves at 14:05.", "The train leaves at 14:20."},
	{"SQLite supports databases up to 281 TB.", "SQLite supports databases up to 140 TB."},
	{"Registration closes on May 1, 2026.", "Registration closes on May 15, 2026."},
	{"The hotel has 120 rooms.", "The hotel has 98 rooms."},
	{"Shipping is free.", "Shipping is not free."},
	{"Rooms start at €80 per night.", "Rooms start at €95 per night."},
	{"Open Sundays 11am-4pm", "Closed on Sundays"},
	{"The API allows 100 requests per minute.", "The API allows 60 requests per minute."},
	{"Support is available 24/7.", "Support is available Monday to Friday 9:00-17:00."},
	{"Der Eintritt kostet 8 Euro.", "Der Eintritt kostet 10 Euro."},
	{"Le musée ouvre à 9h.", "Le musée ouvre à 10h."},
	{"The deadline for abstracts is June 3.", "The deadline for abstracts is June 10."},
	{"Tickets cost 12 dollars.", "Tickets cost $15."},
	{"Музей открылся в 1934 году.", "Музей открылся в 1936 году."},
	{"博物馆有45个展厅。", "博物馆有50个展厅。"},
	{"The lecture starts at 7 p.m.", "The lecture starts at 8 p.m."},
	{"The service is available in Germany.", "The service is not available in Germany."},
	{"Write to hive@orm.example about the honey.", "Write to contact@orm.example about the honey."},
}

// compatible look alike and can both be true.
var compatible = [][2]string{
	// the same, said otherwise
	{"The default page size is 4096 bytes.", "The default page size is 4,096 bytes."},
	{"The trail is 12 km long.", "The trail is 12,000 m long."},
	{"The office opens at 9:00.", "The office opens at 9 am."},
	{"The session timeout is 30 minutes.", "The session timeout is half an hour."},
	{"The company was founded in 1998.", "The company was founded on 4 June 1998."},
	{"Open 24/7", "Open daily, around the clock"},
	{"Monday to Friday 9:00-17:00", "Mon-Fri 9am-5pm"},
	{"Call us at +1 212 555 0187 for help.", "Call us at (212) 555-0187 for help."},
	// limits and properties of different things
	{"The maximum number of columns is 2000.", "The maximum number of attached databases is 10."},
	{"The default page size is 4096 bytes.", "The default cache size is 2000 pages."},
	{"The maximum page size is 65536 bytes.", "The minimum page size is 512 bytes."},
	{"The default page size is 4096 bytes.", "The maximum page size is 65536 bytes."},
	{"PostgreSQL listens on port 5432.", "MySQL listens on port 3306."},
	{"The trail to the lake is 12 km long.", "The trail to the summit is 15 km long."},
	{"Adults pay $12.", "Children pay $6."},
	{"Admission for members is $5.", "Admission for nonmembers is $9."},
	{"The monthly plan costs $9.99.", "The yearly plan costs $99."},
	{"The basic plan includes 5 users.", "The premium plan includes 50 users."},
	{"The library holds 120,000 books.", "The library holds 4,000 films."},
	{"The house has 3 bedrooms.", "The house has 2 bathrooms."},
	{"The car weighs 1,710 kg.", "The car is 4,984 mm long."},
	{"The curb weight is 1,710 kg.", "The gross weight is 2,185 kg."},
	{"Room 12 seats 40 people.", "Room 14 seats 60 people."},
	{"Chapter 3 has 20 pages.", "Chapter 4 has 31 pages."},
	{"A smallint takes 2 bytes.", "A bigint takes 8 bytes."},
	{"Joe Smith joined in 2010.", "Ann Miller joined in 2015."},
	// different times, versions, conditions
	{"In 2019 revenue was $5 million.", "In 2020 revenue was $6 million."},
	{"Before version 3.12.0 the default page size was 1024 bytes.", "The default page size is 4096 bytes."},
	{"The default page size was 1024 bytes.", "The default page size is 4096 bytes."},
	{"Version 3.7 supports 10 joins.", "Version 3.8 supports 64 joins."},
	{"On Windows the limit is 260 characters.", "On Linux the limit is 4096 characters."},
	{"The limit is 260 characters.", "On Windows the limit is 32767 characters."},
	{"The fee was $10 until 2023.", "The fee is $12."},
	{"In summer the pool opens at 8:00.", "In winter the pool opens at 10:00."},
	{"The fee rises to $15 next year.", "The fee is $12."},
	{"By default the timeout is 30 seconds.", "The recommended timeout is 60 seconds."},
	{"The population was 12,400 in 2010.", "The population was 13,100 in 2020."},
	{"Windows | The limit is 260 characters.", "Linux | The limit is 4096 characters."},
	{"Version 1.2 | The limit is 10 items.", "Version 1.3 | The limit is 20 items."},
	// bounds that agree
	{"The library can be less than 750 KB in size.", "The library is 600 KB in size."},
	{"At least 10 people attended the talk.", "14 people attended the talk."},
	{"About 150 people live in the village.", "The village has 153 people who live in it."},
	{"The wait is up to 30 minutes.", "The wait is 20 minutes."},
	{"Prices start from $5 for a ticket.", "The price for a ticket is $8."},
	{"Page sizes range between 512 and 65536 bytes.", "The page size is at most 65536 bytes."},
	// examples and suppositions
	{"For example, the limit is 10 rows.", "The limit is 20 rows."},
	{"Suppose the fee is $10.", "The fee is $12."},
	{"Is the limit 10 rows?", "The limit is 20 rows."},
	// schedules that do not exclude each other
	{"Monday 9:00-17:00", "Saturday 10:00-14:00"},
	{"Closed Sundays", "Monday to Saturday 9am-6pm"},
	{"Open daily 9am-5pm", "Closed on Christmas Day"},
	{"Volunteer shifts are Tuesdays at 5pm // Volunteer shifts are Wednesdays at 6pm", "Volunteer shifts are Wednesdays at 6pm"},
	{"The café is open Monday 8:00-12:00.", "The library is open Monday 9:00-17:00."},
	{"The yoga class is on Tuesdays at 5pm", "The chess club is on Wednesdays at 6pm"},
	{"Monday to Friday 9:00-12:00 and 14:00-17:00", "Monday to Friday 9:00-12:00"},
	{"The office opens at 9:00.", "The office closes at 17:00."},
	{"Sales | phone | 212-555-0187", "Support | phone | 212-555-0100"},
	// yes and no of different things
	{"WAL mode works over local filesystems.", "WAL mode does not work over network filesystems."},
	{"Dogs are allowed on the terrace.", "Dogs are not allowed in the restaurant."},
	{"The extension is enabled by default on Linux.", "The extension is disabled by default on Windows."},
	{"Registration is required.", "Payment is not required."},
	{"Foreign keys are supported since version 3.6.", "Foreign keys were not supported before."},
	{"Returns are not accepted unless the item is damaged.", "Returns are accepted."},
	{"Cash is accepted at the desk.", "Cards are not accepted at the desk."},
	{"The data is never deleted.", "The data is stored."},
	// numbers that name
	{"See section 4 for the limits.", "See section 7 for the limits."},
	{"RFC 3339 defines the timestamp format.", "RFC 2822 defines the timestamp format."},
	{"Take bus 12 to the station.", "Take bus 15 to the station."},
	{"Step 2 installs the package.", "Step 3 installs the package."},
	// one field, different labels or items
	{"Tickets | price | Member price: $12", "Tickets | price | Guest price: $15"},
	{"Jobs | salary | Junior engineer: $60,000", "Jobs | salary | Senior designer: $90,000"},
	{"Contact | phone | Sales: 212-555-0187", "Contact | phone | Support: 212-555-0100"},
	// both on one page
	{"The fee is $10 for a day. // The fee is $15 for a day.", "The fee is $15 for a day."},
	// found after the rules were made
	{"The train to Bath leaves at 14:05.", "The train to York leaves at 14:20."},
	{"Lunch costs £8.", "Dinner costs £15."},
	{"The first edition has 320 pages.", "The second edition has 410 pages."},
	{"Each table may have 2000 columns.", "Each index may have 30 columns."},
	{"The museum opened in 1934.", "The museum closed in 1999."},
	{"The battery lasts 10 hours.", "Charging takes 2 hours."},
	{"He was born in 1950.", "He died in 2001."},
	{"Population: 12,400 (2010)", "Population: 13,100 (2020)"},
	{"The lower bound is 1.", "The upper bound is 9."},
	{"sqlite3_open() returns 0.", "sqlite3_close() returns 1."},
	{"Tax is 7% on books.", "Tax is 19% on electronics."},
	{"The box is 30 cm wide.", "The box is 20 cm high."},
	{"Berlin has 3.7 million inhabitants.", "Hamburg has 1.8 million inhabitants."},
	{"The red line runs every 5 minutes.", "The blue line runs every 10 minutes."},
	{"A day pass is $10.", "A week pass is $40."},
	{"The server listens on port 8080.", "The client listens on port 9090."},
	{"Python 2 support ended in 2020.", "Python 3.7 support ended in 2023."},
	{"The pool is 25 m long.", "The pool is 2 m deep."},
	{"The test has 40 questions.", "You need 30 correct answers."},
	{"Add 3 eggs to the dough.", "Add 200 g of sugar to the dough."},
	{"The kitchen closes at 22:00.", "The bar closes at 1:00."},
	{"Open Monday to Friday 9-17:00", "Open Saturday 10:00-14:00"},
	{"The default timeout is 30 seconds.", "The default timeout for uploads is 120 seconds."},
	{"Version 3.46.0 was released on 2024-05-23.", "Version 3.45.0 was released on 2024-01-15."},
	{"The tower is 120 m high.", "The tower was 120 m high until 1950, when it lost 10 m."},
	{"Members get 10% off.", "Everybody gets 5% off."},
	{"Free for students.", "Not free for tourists."},
	{"The limit applies per user: 5 projects.", "The limit applies per team: 50 projects."},
	{"You can attach 10 databases by default.", "You can attach 125 databases at most."},
	{"Row 1 | 20", "Row 2 | 30"},
	{"The museum is closed on Mondays.", "The museum is open Tuesday to Sunday."},
	{"Most trains do not stop here.", "Trains stop here."},
	{"It is not only fast but small.", "It is fast but small."},
	{"Windows: 260 characters", "Linux: 4096 characters"},
	{"The company earned $5 million in 2019.", "The company earned $6 million in 2020."},
	{"Page 3 of 10", "Page 4 of 10"},
	{"Last updated 3 May 2024.", "Last updated 9 June 2025."},
	{"Posted on 3 May 2024 by Ann.", "Posted on 9 June 2025 by Ann."},
	{"There are 3 comments.", "There are 12 comments."},
	{"The average house price is $300,000.", "The median house price is $280,000."},
}

func TestConflicts(t *testing.T) {
	if len(conflicting) < 30 || len(compatible) < 60 {
		t.Fatalf("%d and %d pairs", len(conflicting), len(compatible))
	}
	for _, p := range conflicting {
		x := collateOf("q", two(p[0], p[1])...)
		if len(x.Conflicts) != 1 || x.Grounding != "conflicted" {
			t.Errorf("%q and %q: %d conflicts, %s", p[0], p[1], len(x.Conflicts), x.Grounding)
			continue
		}
		c := x.Conflicts[0]
		if c.Topic == "" || len(c.Claims) != 2 || c.Claims[0].Norm == c.Claims[1].Norm ||
			len(c.Claims[0].Evidence) != 1 {
			t.Errorf("%q and %q: %+v; want a topic and two sides with different values and a quote each", p[0], p[1], c)
		}
		// The order of the sides changes nothing.
		if y := collateOf("q", two(p[1], p[0])...); len(y.Conflicts) != 1 {
			t.Errorf("%q and %q: no conflict the other way round", p[1], p[0])
		}
	}
	for _, p := range compatible {
		for _, pair := range [][2]string{p, {p[1], p[0]}} {
			if x := collateOf("q", two(pair[0], pair[1])...); len(x.Conflicts) != 0 {
				t.Errorf("%q and %q: %+v; want no conflict", pair[0], pair[1], x.Conflicts)
			}
		}
	}
}
