package sqlite

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"wstk/shared/wstk"
)

// FuzzPostings: what is appended is read back, and whatever else stands in the
// database is an error or some postings, never a crash.
func FuzzPostings(f *testing.F) {
	f.Add([]byte{1, 2, 3}, uint64(1), uint64(2), uint64(0), uint64(300))
	f.Add([]byte{0xff}, uint64(1)<<40, uint64(0), uint64(7), uint64(1)<<30)
	f.Fuzz(func(t *testing.T, raw []byte, number, body, title, length uint64) {
		number, body, title, length = number%(1<<60)+1, body%(1<<40), title%(1<<40), length%(1<<40)
		want := []posting{
			{number: int64(number), body: body, length: length},
			{number: int64(number) + 1, body: body, title: title, heading: body,
				length: length, summary: true},
			{number: int64(number) + 1000, heading: title + 1, length: 1},
		}
		var data []byte
		before := int64(0)
		for i := range want {
			data = appendPosting(data, &want[i], before)
			before = want[i].number
		}
		var got []posting
		r := reading{data: data}
		for r.next() {
			got = append(got, r.posting)
		}
		if r.err != nil || !slices.Equal(got, want) {
			t.Fatalf("wrote %+v, read %+v, %v", want, got, r.err)
		}
		for n, r := 0, (reading{data: raw}); r.next(); n++ {
			if n > len(raw) {
				t.Fatalf("%d postings in %d bytes", n, len(raw))
			}
		}
		for n, p := 0, (inverted{data: raw}); ; n++ {
			ok, err := p.next()
			if err != nil && !errors.Is(err, errPostings) {
				t.Fatal(err)
			}
			if err != nil || !ok {
				break
			}
			if n > len(raw) {
				t.Fatalf("%d tokens in %d bytes", n, len(raw))
			}
		}
	})
}

func TestInvertedPage(t *testing.T) {
	data := invert([]wstk.Entry{
		{Kind: wstk.KindChunk, Title: []string{"a"}, Heading: []string{"b", "a"}, Body: []string{"c", "a", "a", ""}},
		{Kind: wstk.KindChunk},
		{Kind: wstk.KindSummary, Body: []string{"b", "\x00", "中文"}},
	})
	got := map[string]string{}
	p := inverted{data: data}
	var tokens []string
	for {
		ok, err := p.next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		tokens = append(tokens, string(p.token))
		for r := readPostings(p.postings, 100); r.next(); {
			got[string(p.token)] += fmt.Sprintf("%d:%d/%d/%d of %d %v ", r.number, r.title,
				r.heading, r.body, r.length, r.summary)
		}
	}
	want := map[string]string{
		"a": "100:1/1/2 of 6 false ", "b": "100:0/1/0 of 6 false 102:0/0/1 of 3 true ", "c": "100:0/0/1 of 6 false ",
		"\x00": "102:0/0/1 of 3 true ", "中文": "102:0/0/1 of 3 true ",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || !slices.IsSorted(tokens) {
		t.Errorf("got %q\nwant %q\nin order %q", got, want, tokens)
	}
	found := map[int][]byte{}
	p = inverted{data: data}
	err := p.find([][]byte{[]byte("a"), []byte("aa"), []byte("c"), []byte("x"), []byte("中文")},
		func(i int, postings []byte) { found[i] = postings })
	if err != nil || len(found) != 3 || found[0] == nil || found[2] == nil || found[4] == nil {
		t.Errorf("found %v, %v", found, err)
	}
}
