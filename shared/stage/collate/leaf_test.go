package collate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"wstk/shared/stage/collate/page"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// dataPage is a page whose scripts hold these objects of JSON-LD.
func dataPage(url string, scripts ...string) *wstk.Document {
	d := laidOut(url, "# Kettle One", "paragraph A page with data.")
	d.Meta.Title = "Kettle One"
	for n, s := range scripts {
		item := wstk.DataItem{Format: "json-ld", Element: n, Value: json.RawMessage(s)}
		var v any
		if err := json.Unmarshal(item.Value, &v); err != nil {
			panic(err)
		}
		var walk func(v any, name, pointer string)
		walk = func(v any, name, pointer string) {
			switch v := v.(type) {
			case map[string]any:
				for k := range v {
					walk(v[k], strings.TrimPrefix(name+"."+k, "."), pointer+"/"+k)
				}
			case []any:
				for i := range v {
					walk(v[i], name, pointer+"/"+strconv.Itoa(i))
				}
			default:
				item.Leaves = append(item.Leaves, wstk.DataLeaf{Name: name, Element: n,
					Pointer: pointer, Literal: fmt.Sprint(v)})
			}
		}
		walk(v, "", "")
		d.Data = append(d.Data, item)
	}
	return d
}

// leafOf is the Evidence of a literal: "0/offers/price" is of the first script.
func leafOf(d *wstk.Document, at string) wstk.Evidence {
	script, pointer, _ := strings.Cut(at, "/")
	n, _ := strconv.Atoi(script)
	for _, l := range d.Data[n].Leaves {
		if l.Pointer == "/"+pointer {
			return wstk.Evidence{ID: d.URL + at, Kind: wstk.EvidenceData, Quote: l.Literal,
				Literal: l.Literal, Element: &n, Pointer: l.Pointer,
				TextSHA256: d.TextSHA256, SnapshotSHA256: d.SnapshotSHA256, URL: d.URL,
				CanonicalURL: d.URL, FetchedAt: d.FetchedAt,
				Status: wstk.StatusDirect, Link: d.URL, SectionPath: []string{}}
		}
	}
	panic("no leaf at " + at)
}

// product has a price and a currency, parts of it, and another product beside it.
const product = `{"@type":"Product","name":"Kettle One","brand":{"@type":"Brand","name":"Acme"},"description":"It boils water.",
	"offers":[{"@type":"Offer","price":"39.00","priceCurrency":"JPY"},{"@type":"Offer","price":"45.00","priceCurrency":"EUR"}],
	"negativeNotes":{"@type":"ItemList","itemListElement":[{"@type":"ListItem","name":"Boils water in one minute"}]},
	"review":{"@type":"Review","reviewBody":"The kettle exploded.","reviewRating":{"ratingValue":"1"},"author":{"name":"Bob"}},
	"aggregateRating":{"ratingValue":"4.5"},
	"isRelatedTo":[{"@type":"Product","name":"Kettle Two","offers":{"price":"89.00","priceCurrency":"EUR"}}]}`

func leafPages() *wstk.Document {
	return dataPage("https://a.example/", product,
		`{"@type":["ClaimReview"],"claimReviewed":"Vaccines cause autism.","itemReviewed":{"@type":"Claim","text":"Vaccines do it."},"reviewRating":{"alternateName":"False"}}`,
		`{"@type":"Event","name":"Choir","startDate":"2026-12-01","eventStatus":"https://schema.org/EventCancelled","location":{"name":"Town hall"}}`,
		`{"@type":"MusicEvent","name":"Band","startDate":"2026-12-02","eventStatus":"https://schema.org/EventScheduled","location":{"@type":"Place","name":"Town hall","address":{"streetAddress":"Elm Road 1"}}}`,
		`{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Is the kettle safe?","acceptedAnswer":{"@type":"Answer","text":"It is safe."},"suggestedAnswer":[{"@type":"Answer","text":"It explodes."}]}]}`,
		`{"@type":"Article","headline":"On kettles","author":{"name":"Jane"},"publisher":{"name":"Facts","founder":{"name":"Carl"}},"comment":[{"@type":"Comment","text":"They are all fakes."}]}`,
		`{"@type":"Person","name":"Anna","birthDate":"1949-01-01","spouse":{"@type":"Person","name":"Ben","birthDate":"1950-02-02"}}`,
		`{"@type":"Recipe","name":"Soup","totalTime":"PT30M","recipeYield":"4","recipeIngredient":["2 onions","1 leek"],"nutrition":{"calories":"120"}}`,
		`{"@type":"Organization","name":"Kettle Works","contactPoint":{"contactType":"billing","telephone":"1-800-1"},"offers":{"lowPrice":"5","highPrice":"9"}}`)
}

// A literal of structured data is direct where its page says it of itself, and under its name.
func TestLeavesAreDirectUnderTheirNames(t *testing.T) {
	d := leafPages()
	for _, c := range []struct {
		field, at string
		want      wstk.Support
	}{
		{"price", "0/offers/0/price", wstk.SupportDirect},
		{"rating", "0/aggregateRating/ratingValue", wstk.SupportDirect},
		{"", "0/description", wstk.SupportDirect},
		{"", "0/offers/0/price", wstk.SupportInferred},
		{"", "0/negativeNotes/itemListElement/0/name", wstk.SupportInferred},
		{"negative notes", "0/negativeNotes/itemListElement/0/name", wstk.SupportDirect},
		{"", "0/review/reviewBody", wstk.SupportInferred},
		{"review body", "0/review/reviewBody", wstk.SupportInferred},
		{"rating", "0/review/reviewRating/ratingValue", wstk.SupportInferred},
		{"claim reviewed", "1/claimReviewed", wstk.SupportInferred},
		{"text", "1/itemReviewed/text", wstk.SupportInferred},
		{"review rating", "1/reviewRating/alternateName", wstk.SupportDirect},
		{"start date", "2/startDate", wstk.SupportInferred},
		{"location", "2/location/name", wstk.SupportInferred},
		{"name", "2/name", wstk.SupportDirect},
		{"event status", "2/eventStatus", wstk.SupportDirect},
		{"start date", "3/startDate", wstk.SupportDirect},
		{"location", "3/location/name", wstk.SupportDirect},
		{"", "4/mainEntity/0/acceptedAnswer/text", wstk.SupportDirect},
		{"", "4/mainEntity/0/suggestedAnswer/0/text", wstk.SupportInferred},
		{"text", "5/comment/0/text", wstk.SupportInferred},
		{"author", "5/author/name", wstk.SupportDirect},
		{"total time", "7/totalTime", wstk.SupportDirect},
		{"recipe ingredient", "7/recipeIngredient/1", wstk.SupportDirect},
		{"calories", "7/nutrition/calories", wstk.SupportDirect},
	} {
		e := leafOf(d, c.at)
		x := collated(Input{Query: "What is it?", Pages: []*wstk.Document{d},
			Items: []Item{{Evidence: []wstk.Evidence{e},
				Claim: wstk.Claim{Field: c.field, Statement: e.Quote,
					Support: wstk.SupportDirect}}}})
		if got := x.Statements[0].Support; got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.field, c.at, got, c.want)
		}
	}
}

// A field names a literal only with the things on the way to it.
func TestLeavesAreNamedWithTheirThings(t *testing.T) {
	d := leafPages()
	for _, c := range []struct {
		field, at string
		want      bool
	}{
		{"price", "0/offers/1/price", true},
		{"currency", "0/offers/1/priceCurrency", true},
		{"brand", "0/brand/name", true},
		{"name", "0/brand/name", false},
		{"name", "0/name", true},
		{"price", "8/offers/highPrice", false},
		{"high price", "8/offers/highPrice", true},
		{"price", "0/isRelatedTo/0/offers/price", false},
		{"isRelatedTo price", "0/isRelatedTo/0/offers/price", true},
		{"notes", "0/negativeNotes/itemListElement/0/name", false},
		{"publisher", "5/publisher/name", true},
		{"publisher", "5/publisher/founder/name", false},
		{"publisher founder", "5/publisher/founder/name", true},
		{"birth date", "6/birthDate", true},
		{"birthDate", "6/spouse/birthDate", false},
		{"spouse birth date", "6/spouse/birthDate", true},
		{"address", "3/location/address/streetAddress", true},
		{"calories", "7/nutrition/calories", true},
	} {
		e := leafOf(d, c.at)
		k := &check{Claimed: Claimed{Pages: []*wstk.Document{d}}}
		if got := k.named(wstk.Statement{Field: c.field, Statement: e.Quote},
			[]wstk.Evidence{e}); got != c.want {
			t.Errorf("%s of %s: named is %v, want %v", c.field, c.at, got, c.want)
		}
	}
}

// What an answer takes from several things of structured data is named, and so is what it
// does not say of which thing it is.
func TestLeavesOfSeveralThingsAreNamed(t *testing.T) {
	d := leafPages()
	for _, c := range []struct{ query, title, leaves, want string }{
		{"What does Kettle One cost in JPY?", "", "price=0/offers/0/price", ""},
		// in what, it does not say
		{"What does Kettle One cost?", "", "price=0/offers/0/price", "context"},
		{"What is the telephone of Kettle Works?", "", "telephone=8/contactPoint/telephone", "context"},
		{"What is the billing telephone of Kettle Works?", "", "telephone=8/contactPoint/telephone", ""},
		{"What does Kettle One cost?", "", "price=0/offers/0/price currency=0/offers/0/priceCurrency brand=0/brand/name", ""},
		{"What does Kettle One cost?", "", "price=0/offers/0/price currency=0/offers/1/priceCurrency", "context"},
		{"What does Kettle One cost?", "", "price=0/isRelatedTo/0/offers/price", "context field"},
		{"What does Kettle Two cost?", "", "name=0/isRelatedTo/0/name price=0/offers/0/price", "context field"},
		{"What do Kettle One and Kettle Two cost?", "", "name=0/isRelatedTo/0/name price=0/offers/0/price", "context field"},
		{"When was Anna born?", "", "name=6/name birthDate=6/birthDate", ""},
		{"When was Anna born?", "", "name=6/name birthDate=6/spouse/birthDate", "context field"},
		{"List kettles with prices", "Kettle One", "title=0/name price=0/offers/0/price currency=0/offers/0/priceCurrency", ""},
		{"List kettles with prices", "Kettle One", "title=0/name price=0/isRelatedTo/0/offers/price", "context field title"},
		{"List kettles with prices", "Kettle One", "title=0/name price=0/offers/0/price priceCurrency=0/isRelatedTo/0/offers/priceCurrency", "context field title"},
		{"List kettles with prices", "Kettle Two", "title=0/isRelatedTo/0/name price=0/offers/0/price", "context title"},
		{"Is the kettle safe?", "", "=4/mainEntity/0/acceptedAnswer/text", ""},
		{"What do opponents say?", "", "=4/mainEntity/0/acceptedAnswer/text", "context"},
		{"How do I make soup?", "Soup", "title=7/name ingredient=7/recipeIngredient/0 ingredient=7/recipeIngredient/1 calories=7/nutrition/calories", ""},
		{"List events", "Band", "title=3/name date=3/startDate location=3/location/name", ""},
	} {
		in := Input{Query: c.query, Title: c.title, Pages: []*wstk.Document{d}}
		for _, f := range strings.Fields(c.leaves) {
			field, at, _ := strings.Cut(f, "=")
			e := leafOf(d, at)
			in.Items = append(in.Items,
				Item{Claim: wstk.Claim{Field: field, Statement: e.Quote,
					Support: wstk.SupportDirect}, Evidence: []wstk.Evidence{e}})
		}
		x := collated(in)
		found, _, err := Check(context.Background(),
			Claimed{Extraction: x, Stands: slices.Repeat([]bool{true}, len(x.Evidence)),
				Pages: in.Pages,
				Asked: true, Query: c.query, Strategy: in.Strategy, Rules: Rules})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			if f.Open != "" && slices.Contains([]string{"context", "field", "title"}, f.Part) {
				got = append(got, f.Part)
			}
		}
		slices.Sort(got)
		if s := strings.Join(slices.Compact(got), " "); s != c.want {
			t.Errorf("%s %q: %q, want %q: %+v", c.leaves, c.query, s, c.want, found)
		}
	}
}

// In microdata a value is found by its words; where several things have the same, each may be
// meant.
func TestLeavesOfMicrodata(t *testing.T) {
	d := dataPage("https://a.example/")
	n := func(i int) *int { return &i }
	d.Data = []wstk.DataItem{{Format: "microdata", Element: 3, Value: json.RawMessage(`{"@type":"Product","name":"One","offers":{"price":"39.00"},
		"review":[{"@type":"Review","reviewBody":"Fine."}],"isSimilarTo":[{"name":"Two","offers":{"price":"89.00"}}]}`),
		Leaves: []wstk.DataLeaf{{Name: "name", Element: 4, Pointer: "/#text", Literal: "One"},
			{Name: "offers.price", Element: 5, Pointer: "/@content", Literal: "39.00"},
			{Name: "review.reviewBody", Element: 6, Pointer: "/#text", Literal: "Fine."}, {Name: "isSimilarTo.name", Element: 7, Pointer: "/#text", Literal: "Two"},
			{Name: "isSimilarTo.offers.price", Element: 8, Pointer: "/#text", Literal: " 89.00 "}}}}
	leaf := func(i int) wstk.Evidence {
		l := d.Data[0].Leaves[i]
		return wstk.Evidence{Kind: wstk.EvidenceData, Element: n(l.Element), Pointer: l.Pointer,
			Quote: l.Literal, Literal: l.Literal, URL: d.URL,
			TextSHA256: d.TextSHA256, SnapshotSHA256: d.SnapshotSHA256}
	}
	p := page.New(context.Background(), []*wstk.Document{d})
	name, price, review, other, othersPrice := leaf(0), leaf(1), leaf(2), leaf(3), leaf(4)
	for _, c := range []struct {
		title, fact wstk.Evidence
		want        bool
	}{{name, price, true}, {name, othersPrice, false}, {other, othersPrice, true},
		{other, price, false}} {
		if got := p.OneThing(c.title, c.fact, "price"); got != c.want {
			t.Errorf("%s and %s: OneThing is %v, want %v", c.title.Quote, c.fact.Quote, got, c.want)
		}
	}
	if !p.Claimed(review) || p.Claimed(price) {
		t.Error("a review is said by the page, or a price is not")
	}
	if k := (&check{Claimed: Claimed{Pages: []*wstk.Document{d}}, pages: p}); k.together(name,
		evidence(d, "A page with data."), "price") {
		t.Error("data and a text are together")
	}
	if text.FoldCompare(p.NameOf(othersPrice, "price")) != "two" {
		t.Error(p.NameOf(othersPrice, "price"))
	}
}
