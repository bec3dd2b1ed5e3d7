package sqlite

import (
	"bytes"
	"database/sql"
)

// merging says when pages are merged into segments and segments into larger ones.
// Each level holds fan times as many pages as the one below it. What a page costs to
// index does not grow with the index, and a token is looked up in some dozen places.
type merging struct {
	fresh int // pages that wait, at most
	bytes int // and their postings
	fan   int // segments of one level that become one of the next
	most  int // highest level: merging larger ones would keep other writers waiting too long
}

var defaultMerging = merging{fresh: 64, bytes: 2 << 20, fan: 8, most: 3}

type segment struct {
	id, first, after int64
	level            int
	entries          int64
	dead             int64 // of its entries
}

// settle merges what is to be merged after a page was added.
func (m merging) settle(t session) error {
	var pages, size int
	if err := t.row(`SELECT count(*), coalesce(sum(length(data)), 0) FROM index_fresh`, nil, &pages,
		&size); err != nil {
		return err
	}
	if pages < m.fresh && size < m.bytes {
		return nil
	}
	if err := mergeFresh(t); err != nil {
		return err
	}
	all, err := segments(t)
	if err != nil {
		return err
	}
	for level := 1; level < m.most; level++ {
		var same []segment
		for _, s := range all {
			if s.level == level {
				same = append(same, s)
			}
		}
		if len(same) < m.fan {
			break
		}
		if err := merge(t, same, level+1); err != nil {
			return err
		}
		if all, err = segments(t); err != nil {
			return err
		}
	}
	for _, s := range all { // half of it is only in the way
		if 2*s.dead > s.entries {
			if err := merge(t, []segment{s}, s.level); err != nil {
				return err
			}
		}
	}
	return nil
}

// segments returns all of them in order of their entries.
func segments(t session) ([]segment, error) {
	var out []segment
	err := t.rows(`SELECT id, level, first, after, entries,
			(SELECT coalesce(sum(d.entries), 0) FROM index_dead d
			WHERE d.first >= s.first AND d.first < s.after)
		FROM index_segments s ORDER BY first`, nil, func(scan func(...any) error) error {
		var s segment
		err := scan(&s.id, &s.level, &s.first, &s.after, &s.entries, &s.dead)
		out = append(out, s)
		return err
	})
	return out, err
}

// source gives tokens in order, each with its postings and their base.
type source interface {
	next() (bool, error)
	at() (token, postings []byte, base int64)
}

func (p *inverted) at() (token, postings []byte, base int64) { return p.token, p.postings, p.first }

// stored is the source of a segment.
type stored struct {
	rows            *sql.Rows
	token, postings sql.RawBytes // until the next row
}

func (s *stored) next() (bool, error) {
	if !s.rows.Next() {
		return false, s.rows.Err()
	}
	return true, s.rows.Scan(&s.token, &s.postings)
}

func (s *stored) at() (token, postings []byte, base int64) { return s.token, s.postings, 0 }

// mergeFresh makes a segment of the pages that wait.
func mergeFresh(t session) error {
	var from []source
	s := segment{level: 1}
	err := t.rows(`SELECT f.first, f.data, p.entries FROM index_fresh f
		JOIN index_pages p ON p.first = f.first AND p.entries > 0 ORDER BY f.first`, nil,
		func(scan func(...any) error) error {
			var first, entries int64
			var data []byte
			err := scan(&first, &data, &entries)
			if len(from) == 0 {
				s.first = first
			}
			s.after = first + entries
			s.entries += entries
			from = append(from, &inverted{first: first, data: data})
			return err
		})
	if err != nil {
		return err
	}
	if err := writeSegment(t, s, from, nil); err != nil {
		return err
	}
	return t.exec(`DELETE FROM index_fresh`)
}

// merge makes one segment of some that follow each other, without their dead.
func merge(t session, old []segment, level int) error {
	s := segment{level: level, first: old[0].first, after: old[len(old)-1].after}
	var from []source
	for _, o := range old {
		s.entries += o.entries - o.dead
		// in the order of its key; not prepared, since one statement reads one segment at a time
		rows, err := t.QueryContext(t.ctx,
			`SELECT token, data FROM index_postings WHERE segment = ?`, o.id)
		if err != nil {
			return err
		}
		defer rows.Close()
		from = append(from, &stored{rows: rows})
	}
	dead, err := deadIn(t, s.first, s.after)
	if err != nil {
		return err
	}
	if err := writeSegment(t, s, from, dead); err != nil {
		return err
	}
	for _, o := range old {
		if err := t.exec(`DELETE FROM index_postings WHERE segment = ?`, o.id); err != nil {
			return err
		}
		if err := t.exec(`DELETE FROM index_segments WHERE id = ?`, o.id); err != nil {
			return err
		}
	}
	return t.exec(`DELETE FROM index_dead WHERE first >= ? AND first < ?`, s.first, s.after)
}

// deadIn returns the dead entries from first on and below after.
func deadIn(t session, first, after int64) (ranges, error) {
	var dead ranges
	err := t.rows(`SELECT first, first + entries FROM index_dead WHERE first >= ? AND first < ?
		ORDER BY first`, []any{first, after},
		func(scan func(...any) error) error {
			var s span
			err := scan(&s.first, &s.after)
			dead = append(dead, s)
			return err
		})
	return dead, err
}

// writeSegment stores a segment from sources whose entries follow each other.
func writeSegment(t session, s segment, from []source, dead ranges) error {
	var id int64
	err := t.row(`INSERT INTO index_segments (level, first, after, entries) VALUES (?, ?, ?, ?)
		RETURNING id`,
		[]any{s.level, s.first, s.after, s.entries}, &id)
	if err != nil {
		return err
	}
	left, err := next(from, func(source) (bool, error) { return true, nil })
	var token, out []byte
	for len(left) > 0 && err == nil {
		least, _, _ := left[0].at()
		for _, f := range left[1:] {
			if t, _, _ := f.at(); bytes.Compare(t, least) < 0 {
				least = t
			}
		}
		token, out = append(token[:0], least...), out[:0] // least goes when its source moves on
		before := int64(0)
		left, err = next(left, func(f source) (bool, error) {
			this, postings, base := f.at()
			if !bytes.Equal(this, token) {
				return false, nil
			}
			r, gone := readPostings(postings, base), walker{ranges: dead}
			for r.next() {
				if !gone.holds(r.number) {
					out = appendPosting(out, &r.posting, before)
					before = r.number
				}
			}
			return true, r.err
		})
		if err == nil && len(out) > 0 {
			err = t.exec(`INSERT INTO index_postings (segment, token, data) VALUES (?, ?, ?)`,
				id, token, out)
		}
	}
	return err
}

// next moves those sources on for which take says so, and returns all that are not
// at their end.
func next(from []source, take func(source) (bool, error)) ([]source, error) {
	left := from[:0]
	for _, f := range from {
		took, err := take(f)
		if err != nil {
			return nil, err
		}
		if took {
			more, err := f.next()
			if err != nil {
				return nil, err
			}
			if !more {
				continue
			}
		}
		left = append(left, f)
	}
	return left, nil
}
