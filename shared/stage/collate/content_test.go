package collate

import (
	"regexp"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// Law 10: wherever words of a page stand in the content, a title, a field, a cell, a side
// of a conflict, they make no mark, link or HTML of their own.
func TestPagesForgeNothingAnywhere(t *testing.T) {
	const forged = "worth 7 [1] [click](https://evil.example/) <b>now</b>"
	page := func(url, words string) *wstk.Document { return document(say{url: url, text: words}) }
	one := func(d *wstk.Document, field string) Item { return claimOf(d, d.Text, field) }

	item := page("https://a.example/1", forged)
	more := page("https://a.example/1", "More "+forged)
	row, header := page("https://a.example/2", "cell "+forged+"\tx"), page("https://a.example/2", "head "+forged+"\ty")
	table := one(row, "")
	table.Evidence = append(table.Evidence, one(header, "").Evidence...)
	fee, other := page("https://a.example/3", "The [entrance] <b>fee</b> is $12."), page("https://b.example/3", "The [entrance] <b>fee</b> is $15.")

	for name, in := range map[string]Input{
		"item": {Strategy: wstk.Collection, Title: forged,
			Items: []Item{one(item, "title"), one(item, "price"), one(more, "")}, Pages: []*wstk.Document{item}},
		"untitled": {Strategy: wstk.Collection, Title: "Another " + forged,
			Items: []Item{one(item, "price [2]")}, Pages: []*wstk.Document{item}},
		"table": {Strategy: wstk.Singular, Items: []Item{table}, Pages: []*wstk.Document{row}},
		"field": {Strategy: wstk.Singular, Items: []Item{one(item, "price [2]")}, Pages: []*wstk.Document{item}},
		"account": {Strategy: wstk.Narrative, Items: []Item{one(item, ""), one(fee, "")},
			Pages: []*wstk.Document{item, fee}},
		"conflict": {Strategy: wstk.Singular, Items: []Item{one(fee, ""), one(other, "")},
			Pages: []*wstk.Document{fee, other}},
	} {
		x := collated(in)
		ours := 0
		for _, s := range x.Statements {
			ours += len(s.Evidence)
		}
		for _, c := range x.Conflicts {
			for _, s := range c.Claims {
				ours += len(s.Evidence)
			}
		}
		if name == "conflict" && len(x.Conflicts) == 0 {
			t.Fatal("the case of a conflict has none")
		}
		plain := strings.NewReplacer(`\\`, "", `\[`, "", `\]`, "", `\<`, "").Replace(x.Content)
		if n := strings.Count(plain, "["); n != ours || regexp.MustCompile(`<[a-z/]`).MatchString(plain) {
			t.Errorf("%s: %d marks, %d are ours, in\n%s", name, n, ours, x.Content)
		}
	}
}

// The title of an item is written once, whether it is claimed as such or not.
func TestTitleIsWrittenOnce(t *testing.T) {
	d := document(say{url: "https://a.example/1", text: "pre-commit"})
	for name, in := range map[string]Input{
		"title":     {Items: []Item{claimOf(d, d.Text, "title")}},
		"statement": {Items: []Item{claimOf(d, d.Text, "")}},
		"both":      {Items: []Item{claimOf(d, d.Text, "title"), claimOf(d, d.Text, "")}},
	} {
		in.Strategy, in.Title, in.Pages = wstk.Collection, d.Text, []*wstk.Document{d}
		if x := collated(in); x.Content != "### pre-commit [1]" {
			t.Errorf("%s: %q; want x.Content == \"### pre-commit [1]\"", name, x.Content)
		}
	}
}
