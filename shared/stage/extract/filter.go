package extract

import (
	"slices"
	"strconv"
	"strings"

	"wstk/shared/text"
	"wstk/shared/value"
	"wstk/shared/wstk"
)

// filter drops items that lack what narrows the query down: a word that only some items have
// ("engineering positions"), a bound on price or year.
func (q *question) filter(gs []group) []item {
	var items []item
	var strong, weak termSet
	for k := range gs {
		g := &gs[k]
		for i := range g.items {
			g.items[i].group = g
		}
		items = append(items, g.items...)
		strong |= g.strong
		weak |= g.weak
	}
	var narrowing termSet
	for i := range q.terms {
		n := 0
		for _, it := range items {
			if it.own.has(i) {
				n++
			}
		}
		if n > 0 && n < len(items) && !strong.has(i) && !weak.has(i) {
			narrowing |= 1 << uint(i)
		}
	}
	bounds := boundsOf(q.text)
	kept := items[:0:0]
	for _, it := range items {
		if narrowing != 0 && it.own&narrowing == 0 {
			continue
		}
		if bounds.allows(&it) {
			kept = append(kept, it)
		}
	}
	return kept
}

// bounds are the limits that the numbers of a query set.
type bounds struct {
	priceMax, priceMin *float64
	yearMin, yearMax   *int
}

var (
	priceBound = text.Pattern(
		`(?i)\b(under|below|less than|cheaper than|up to|at most|max(?:imum)?|over|above|more than|at least|` +
			`from)\s+(?:[$€£¥]\s?(\d[\d,.]*)|` +
			`(\d[\d,.]*)\s?(?:[$€£¥]|usd|eur|gbp|dollars|euros))`)
	yearBound = text.Pattern(`(?i)\b(from|in|of|since|after|before|until)\s+((?:19|20)\d\d)\b`)
)

func boundsOf(query string) bounds {
	var b bounds
	if m := priceBound().FindStringSubmatch(query); m != nil {
		n, err := strconv.ParseFloat(strings.TrimRight(strings.ReplaceAll(m[2]+m[3], ",", ""), "."),
			64)
		if err == nil {
			switch strings.ToLower(m[1]) {
			case "over", "above", "more than", "at least", "from":
				b.priceMin = &n
			default:
				b.priceMax = &n
			}
		}
	}
	if m := yearBound().FindStringSubmatch(query); m != nil {
		y, _ := strconv.Atoi(m[2])
		switch strings.ToLower(m[1]) {
		case "since":
			b.yearMin = &y
		case "after":
			y++
			b.yearMin = &y
		case "before":
			y--
			b.yearMax = &y
		case "until":
			b.yearMax = &y
		default:
			b.yearMin, b.yearMax = &y, &y
		}
	}
	return b
}

// allows reports whether an item's own numbers are within the bounds. An item without
// numbers is kept: unknown is not outside.
func (b bounds) allows(it *item) bool {
	if b == (bounds{}) || it.data != nil || it.span.end <= it.span.start {
		return true
	}
	const readable = 4000
	s := it.page.doc.Text[it.span.start:min(it.span.end, it.span.start+readable)]
	var prices, years []bool // whether each is within the bounds
	for _, v := range value.Find(s, it.page.lang) {
		switch {
		case v.Type == string(wstk.ValueMoney) && v.Number != nil:
			prices = append(prices, b.holdsPrice(*v.Number))
		case v.Type == string(wstk.ValueDate) && v.Time != nil:
			years = append(years, b.holdsYear(v.Time.Year()))
		case isYear(v):
			years = append(years, b.holdsYear(int(*v.Number)))
		}
	}
	return (len(prices) == 0 || slices.Contains(prices, true)) &&
		(len(years) == 0 || slices.Contains(years, true))
}

func (b bounds) holdsPrice(p float64) bool {
	return (b.priceMin == nil || p >= *b.priceMin) && (b.priceMax == nil || p <= *b.priceMax)
}

func (b bounds) holdsYear(y int) bool {
	return (b.yearMin == nil || y >= *b.yearMin) && (b.yearMax == nil || y <= *b.yearMax)
}
