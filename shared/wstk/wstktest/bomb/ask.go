package bomb

import (
	"fmt"
	"strings"
)

// Asked are pages that are costly to answer a question from, all of it answered by
// everything they say.
func Asked() []Bomb {
	ask := func(name, query string, f func(n int) string) Bomb {
		b := html("asked: "+name, f)
		b.Query = query
		return b
	}
	const berths = "How many berths does the harbour of Vellmar have?"
	within := func(open, format, close string) func(int) string {
		return func(n int) string { return open + count(format, n) + close }
	}
	return []Bomb{
		ask("sentences", berths,
			within("<p>", "The harbour of Vellmar has berth %d among its many berths. ", "</p>")),
		ask("paragraphs", berths,
			within("", "<p>The harbour of Vellmar has berth %d among its many berths.</p>", "")),
		ask("contradictions", berths,
			within("", "<p>The harbour of Vellmar has %d berths.</p>", "")),
		ask("denials", "Is the harbour of Vellmar open?",
			within("", "<p>The harbour of Vellmar is not open on day %d, unless it is open.</p>",
				"")),
		ask("the same sentence", berths, func(n int) string {
			return repeat("<p>The harbour of Vellmar has 40 berths.</p>", n)
		}),
		ask("one sentence", berths,
			within("<p>", "the harbour of Vellmar has %d berths, ", "</p>")),
		ask("one word", "What is a berth?", func(n int) string {
			return "<p>" + repeat("berth", n) + "</p>"
		}),
		ask("the same word", "What is a berth?", func(n int) string {
			return "<p>" + repeat("berth ", n) + "</p>"
		}),
		ask("cells", "What is the price of berth 40?",
			within("<table><tr><th>Berth<th>Price</tr>",
				"<tr><td>Berth %[1]d<td>%[1]d EUR", "</table>")),
		ask("one row", "What is the price of a berth?",
			within("<table><tr><th>Berth<th>Price</tr><tr>", "<td>%d EUR", "</table>")),
		ask("items", "List all berths of Vellmar",
			within("<h1>Berths of Vellmar</h1><ul>", "<li>b%d", "</ul>")),
		ask("list of places", "Which berths does Vellmar have?",
			within("<h1>Berths of Vellmar</h1>", "<h2>Berth %d</h2><p>Depth 4 m.</p>", "")),
		ask("dates", "When was the harbour of Vellmar rebuilt?",
			within("<p>", "The harbour of Vellmar was rebuilt on 1 May %d. ", "</p>")),
		ask("dates in numbers", "When was the harbour of Vellmar rebuilt?", func(n int) string {
			return "<p>Vellmar rebuilt: " + repeat("1.2.2003 ", n) + "</p>"
		}),
		ask("definitions", "What is a berth?",
			within("<dl>", "<dt>Berth %d<dd>A berth is a place for a ship.", "</dl>")),
		ask("headings", berths, within("",
			"<h2>How many berths does the harbour of Vellmar have?</h2><p>%d", "")),
		ask("sections", berths, func(n int) string {
			return nest("<section><h2>Berths of the harbour of Vellmar</h2><p>Vellmar has 40 "+
				"berths.</p>", "</section>", n)
		}),
		ask("links", berths, within("", "<a href=/%d>berths of the harbour of Vellmar</a> ", "")),
		ask("data", "What is the price of the berth?", func(n int) string {
			return `<h1>Berth</h1><script type="application/ld+json">[` +
				count(`{"@type":"Product","name":"Berth %[1]d","offers":{"price":"%[1]d","priceCurrency":"EUR"}},`, n) + `{}]</script><p>The price of the berth.`
		}),
		ask("phones", "What is the phone number of Vellmar?",
			within("<p>Vellmar, phone ", "+49 30 %d, ", "</p>")),
		ask("code", "How do I open a berth?", func(n int) string {
			return "<h1>Open a berth</h1><pre>" + repeat("berth open --all\n", n) + "</pre>"
		}),
		ask("quotes of people", berths, within("",
			"<blockquote>He said: “The harbour of Vellmar has %d berths.”</blockquote>", "")),
		ask("taken back", berths, func(n int) string {
			return strings.Repeat("<p>It is not true that ", n/2/22) +
				count("the harbour of Vellmar has %d berths. ", n/2)
		}),
		ask("compound", "How many berths does Vellmar have, when was it rebuilt, and what does a "+
			"berth cost?",
			within("", "<p>Vellmar has %[1]d berths, was rebuilt in 19%[1]d, and a berth costs "+
				"%[1]d EUR.</p>", "")),
		ask("many names", "Who is the harbour master of Vellmar?",
			within("<p>", "The harbour master of Vellmar is Anna Berg%d. ", "</p>")),
		ask("steps", "How do I reach the harbour of Vellmar?",
			within("<ol>", "<li>Reach the harbour of Vellmar by road %d.", "</ol>")),
		ask("abbreviations", berths, func(n int) string {
			return "<p>" + repeat(fmt.Sprintf("Dr. %s e.g. ", "Vellmar berths harbour"), n) + "</p>"
		}),
	}
}
