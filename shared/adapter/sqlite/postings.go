package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"wstk/shared/wstk"
)

// The index is an inverted one: for each token, its postings, that is which
// entries hold it, how often in which field, and how long each entry is. All that BM25
// wants stands in the postings, so that a search reads one row for each token and
// segment, and nothing for each entry.
//
// FTS5, which SQLite brings, was built and measured first. It looks up the length of
// each matching entry in a table, and it cannot weight terms, so that two weights
// are two searches. At 100,000 entries it took five times as long for four terms of
// one weight, and twelve times as long for eight of two.
//
// A posting is three unsigned varints, or five:
//
//	number of the entry, less that of the posting before (the first one: less
//	  the base, which is the page's first number in a page, and 0 in a segment)
//	count in the body << 1, | 1 if the title or the heading hold the token
//	  count in the title     only then
//	  count in the heading   only then
//	length of the entry in tokens << 1, | 1 for a summary
//
// They are in order of number. Entries of pages that are no more stay until their
// segment is merged; until then index_dead tells which they are.

type posting struct {
	number               int64
	title, heading, body uint64
	length               uint64
	summary              bool
}

// frequency is how often the token stands in the entry, weighted by field.
func (p *posting) frequency() float64 {
	return wstk.TitleWeight*float64(p.title) + wstk.HeadingWeight*float64(p.heading) +
		wstk.BodyWeight*float64(p.body)
}

// appendPosting encodes p, which follows the entry before.
func appendPosting(data []byte, p *posting, before int64) []byte {
	data = binary.AppendUvarint(data, uint64(p.number-before))
	if p.title == 0 && p.heading == 0 {
		data = binary.AppendUvarint(data, p.body<<1)
	} else {
		data = binary.AppendUvarint(data, p.body<<1|1)
		data = binary.AppendUvarint(data, p.title)
		data = binary.AppendUvarint(data, p.heading)
	}
	length := p.length << 1
	if p.summary {
		length |= 1
	}
	return binary.AppendUvarint(data, length)
}

var errPostings = errors.New("postings of the index are damaged")

// reading goes through postings.
type reading struct {
	data []byte
	at   int
	posting
	err error
}

func readPostings(data []byte, base int64) reading {
	return reading{data: data, posting: posting{number: base}}
}

// next reads the next posting and reports whether there was one.
func (r *reading) next() bool {
	if r.at >= len(r.data) {
		return false
	}
	r.number += int64(r.varint())
	body := r.varint()
	r.body, r.title, r.heading = body>>1, 0, 0
	if body&1 == 1 {
		r.title, r.heading = r.varint(), r.varint()
	}
	length := r.varint()
	r.length, r.summary = length>>1, length&1 == 1
	return r.err == nil
}

func (r *reading) varint() uint64 {
	if r.at < len(r.data) && r.data[r.at] < 0x80 { // nearly all of them
		r.at++
		return uint64(r.data[r.at-1])
	}
	v, n := binary.Uvarint(r.data[min(r.at, len(r.data)):])
	if n <= 0 {
		r.err = errPostings
		return 0
	}
	r.at += n
	return v
}

// ranges are the numbers of some pages' entries, in order.
type ranges []span

type span struct{ first, after int64 }

// walker reports for ascending numbers whether they are in ranges.
type walker struct {
	ranges
	at int
}

func (w *walker) holds(number int64) bool {
	for w.at < len(w.ranges) && w.ranges[w.at].after <= number {
		w.at++
	}
	return w.at < len(w.ranges) && w.ranges[w.at].first <= number
}

// invert makes the postings of a page, whose entries are numbered from 0 as long as
// its first number is not known: for each token in order its length, the token, the
// length of its postings, the postings.
func invert(entries []wstk.Entry) []byte {
	lists := map[string][]posting{}
	for i := range entries {
		e := &entries[i]
		p := posting{number: int64(i), length: uint64(length(*e)),
			summary: e.Kind == wstk.KindSummary}
		for field, tokens := range [][]string{e.Title, e.Heading, e.Body} {
			for _, t := range tokens {
				if t == "" {
					continue
				}
				list := lists[t]
				if n := len(list); n == 0 || list[n-1].number != p.number {
					list = append(list, p)
					lists[t] = list
				}
				switch p := &list[len(list)-1]; field {
				case 0:
					p.title++
				case 1:
					p.heading++
				case 2:
					p.body++
				}
			}
		}
	}
	// entries without a token make no data, which is not NULL
	data, postings := []byte{}, []byte(nil)
	for _, token := range slices.Sorted(maps.Keys(lists)) {
		postings = postings[:0]
		before := int64(0)
		for i := range lists[token] {
			p := &lists[token][i]
			postings = appendPosting(postings, p, before)
			before = p.number
		}
		data = binary.AppendUvarint(data, uint64(len(token)))
		data = append(data, token...)
		data = binary.AppendUvarint(data, uint64(len(postings)))
		data = append(data, postings...)
	}
	return data
}

// length is the number of tokens of an entry.
func length(e wstk.Entry) int {
	n := 0
	for _, tokens := range [][]string{e.Title, e.Heading, e.Body} {
		for _, t := range tokens {
			if t != "" {
				n++
			}
		}
	}
	return n
}

// inverted goes through what invert made.
type inverted struct {
	first           int64 // number of the page's first entry
	data            []byte
	pos             int
	token, postings []byte
}

func (p *inverted) next() (bool, error) {
	if p.pos >= len(p.data) {
		return false, nil
	}
	var err error
	if p.token, err = p.part(); err == nil {
		p.postings, err = p.part()
	}
	return err == nil, err
}

func (p *inverted) part() ([]byte, error) {
	size, n := binary.Uvarint(p.data[p.pos:])
	if n <= 0 || size > uint64(len(p.data)-p.pos-n) {
		return nil, errPostings
	}
	from := p.pos + n
	p.pos = from + int(size)
	return p.data[from:p.pos], nil
}

// find calls found with the postings of those of the tokens, which are in order,
// that the page has.
func (p *inverted) find(tokens [][]byte, found func(i int, postings []byte)) error {
	for i := 0; i < len(tokens); {
		ok, err := p.next()
		if err != nil || !ok {
			return err
		}
		for i < len(tokens) && bytes.Compare(tokens[i], p.token) < 0 {
			i++
		}
		if i < len(tokens) && bytes.Equal(tokens[i], p.token) {
			found(i, p.postings)
		}
	}
	return nil
}
