package extract

import (
	"slices"
	"testing"

	"wstk/shared/wstk"
)

// portsTable has a cell that reaches over two rows, one over three rows, and one over two columns.
func portsTable() *wstk.Document {
	d := doc("https://x.example/", "Ports", `# Ports
|! Machine | Ports |  | Owner
|!  | first | last | 
| north | 10 | 19 | Ada
|  | 20 | 29 | Bea
|  | 40 | 49
| south | 30 | 39 | Cem`)
	d.Blocks[1].Spanned = []wstk.Spanned{{Column: 2, Block: 1, From: 1}}
	d.Blocks[2].Spanned = []wstk.Spanned{{Column: 0, Block: 1, From: 0},
		{Column: 3, Block: 1, From: 3}}
	d.Blocks[4].Spanned = []wstk.Spanned{{Column: 0, Block: 3, From: 0}}
	d.Blocks[5].Spanned = []wstk.Spanned{{Column: 0, Block: 3, From: 0},
		{Column: 3, Block: 4, From: 3}}
	return d
}

// A row whose name is in a row above answers with that row, and is a part of that item.
func TestRowsThatACellReachesInto(t *testing.T) {
	d := portsTable()
	buckets, _, _ := askAll(t, Query{Text: "List the machines with their ports"}, d)
	var titles []string
	for _, b := range buckets {
		titles = append(titles, b.Title)
	}
	if !slices.Equal(titles, []string{"north", "south"}) {
		t.Errorf("items %q", titles)
	}
	q := newQuestion("Which owner has the ports 20 to 29 of north?", whole("Which owner has the ports 20 to 29 of north?"), "en")
	p := newPage(d, q, nil, allowed)
	u := unitOf(t, p, "\t20")
	if got := p.reachingInto(u.block); !slices.Equal(got, []int{3}) {
		t.Errorf("rows %v reach into it", got)
	}
	a := answer{candidate: candidate{page: p, unit: u}}
	if c := q.claim(&a); !slices.ContainsFunc(c.Proposed, func(w wstk.Proposal) bool {
		return w.Words == "north\t10\t19\tAda"
	}) {
		t.Errorf("%+v is without its name", c.Proposed)
	}
	fields, _ := findFields([]*page{p}, wstk.Bucket{Pages: []string{d.URL}}, "north", []string{"owner"}, allowed)
	if len(fields) != 1 || fields[0].Statement != "Ada" {
		t.Errorf("%+v", fields)
	}
}
