package collate

import (
	"slices"
	"strings"

	"wstk/shared/stage/collate/page"
	"wstk/shared/stage/collate/wording"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// around is what the answer shows around its statement i.
func (k *check) around(i int) page.Answer {
	a := page.Answer{Title: k.Title, Query: k.Query,
		Words: []string{k.Statements[i].Field, k.Title}, Page: k.page}
	for j, o := range k.Statements {
		a.Words = append(a.Words, o.Statement)
		if j == i-1 {
			a.Before = o.Statement
		}
	}
	return a
}

// rowsApart names statements whose fields are columns of one table but whose words are in
// different rows: each row may be about another thing.
func (k *check) rowsApart() {
	type table struct {
		d *wstk.Document
		n int
	}
	row, first := map[table]int{}, map[table]string{}
	for _, s := range k.Statements {
		quotes, _ := k.cited(s.Evidence)
		for _, e := range page.OwnQuotes(s.Statement, quotes) {
			d, i := k.page(e), k.block(e)
			h := page.HeaderOf(d, i)
			if h < 0 || s.Field == "" || !slices.ContainsFunc(strings.Split(d.BlockText(h), "\t"),
				func(name string) bool {
					return wording.FoldField(name) == wording.FoldField(s.Field)
				}) {
				continue
			}
			t := table{d, d.Blocks[i].Table}
			switch at, ok := row[t]; {
			case !ok:
				row[t], first[t] = i, s.Field+": "+s.Statement
			case at != i:
				k.open("context", s.Field+": "+s.Statement,
					"it is in another row than “"+text.Shorten(first[t], 60)+
						"”: no program can decide whether both are about one thing")
			}
		}
	}
}

// leavesApart names statements of structured data about several things: a name and a price
// of two products, if the answer has no title; a price and a currency of two offers.
func (k *check) leavesApart() {
	type list struct {
		item   *wstk.DataItem
		within string
	}
	type said struct {
		of page.Thing
		s  wstk.Statement
	}
	entries, owners := map[list]said{}, map[*wstk.Document]said{}
	for _, s := range k.Statements {
		quotes, _ := k.cited(s.Evidence)
		for _, e := range page.OwnQuotes(s.Statement, quotes) {
			paths := k.pages.LeafPaths(e)
			if len(paths) == 0 {
				continue
			}
			other := ""
			d, now := k.pages.Of(e), said{paths[0].Owner(s.Field), s}
			if first, ok := owners[d]; !ok {
				owners[d] = now
			} else if k.Title == "" && !first.of.Same(now.of) {
				other = first.s.Statement
			}
			for _, t := range paths[0].Things {
				first, ok := entries[list{t.Item, t.Within}]
				if !ok {
					entries[list{t.Item, t.Within}] = said{t, s}
				} else if !first.of.Same(t) &&
					text.FoldCompare(first.s.Field) != text.FoldCompare(s.Field) {
					other = first.s.Statement
				}
			}
			if other != "" {
				k.open("context", strings.TrimPrefix(s.Field+": ", ": ")+s.Statement,
					"it is about another thing in the page's data than “"+text.Shorten(other, 60)+
						"”: no program can decide whether both are about one")
			}
		}
	}
}
