package sqlite

import (
	"context"
	"fmt"
)

// Check reads the whole database and returns what is wrong with it, each in a
// sentence; an empty list means that it is sound. It takes seconds for a large index and
// blocks no other caller.
func (db *DB) Check(ctx context.Context) ([]string, error) {
	var wrong []string
	err := db.snapshot(ctx, "checking database", func(s session) error {
		err := s.rows(`PRAGMA integrity_check(10)`, nil, func(scan func(...any) error) error {
			var line string
			err := scan(&line)
			if line != "ok" {
				wrong = append(wrong, db.path+": "+line)
			}
			return err
		})
		if err != nil || len(wrong) > 0 {
			return err
		}
		for _, check := range []func(session) ([]string, error){checkFrontier,
			checkIndex, checkPostings} {
			found, err := check(s)
			if err != nil {
				return err
			}
			wrong = append(wrong, found...)
		}
		return nil
	})
	if isDamage(err) { // what cannot be read is what we look for
		return append(wrong, err.Error()), nil
	}
	return wrong, err
}

// checkFrontier counts the URLs of every run again, except for those that were forgotten.
func checkFrontier(s session) (wrong []string, err error) {
	err = s.rows(`
		WITH counted (run, name, n) AS (
			SELECT run, 'discovered', count(*) FROM frontier WHERE via <> 'earlier' GROUP BY run
			UNION ALL SELECT run, 'state/' || state, count(*) FROM frontier WHERE via <> 'earlier'
			GROUP BY run, state
			UNION ALL SELECT run, 'outcome/' || outcome, count(*) FROM frontier
			WHERE via <> 'earlier' GROUP BY run, outcome)
		SELECT coalesce(r.run, 'without id'), coalesce(k.name, c.name),
			coalesce(k.n, 0), coalesce(c.n, 0)
		FROM counted c FULL JOIN frontier_counts k ON k.run = c.run AND k.name = c.name
			LEFT JOIN frontier_runs r ON r.id = coalesce(k.run, c.run)
		WHERE coalesce(k.n, 0) <> coalesce(c.n, 0) AND NOT coalesce(r.forgotten, 0)`, nil,
		func(scan func(...any) error) error {
			var run, name string
			var noted, found int
			err := scan(&run, &name, &noted, &found)
			wrong = append(wrong, fmt.Sprintf("run %s: the counter %s says %d, there are %d", run,
				name, noted, found))
			return err
		})
	return wrong, err
}

// checkIndex counts what the index holds again.
func checkIndex(s session) (wrong []string, err error) {
	for name, query := range map[string]string{
		"pages": `SELECT pages, (SELECT count(*) FROM index_pages) FROM index_totals`,
		"entries": `SELECT entries, (SELECT count(*) FROM index_entries)
			FROM index_totals`,
		"chunks": `SELECT chunks, (SELECT count(*) FROM index_entries WHERE NOT summary)
			FROM index_totals`,
		"entries of pages": `SELECT entries, (SELECT coalesce(sum(entries), 0) FROM index_pages)
			FROM index_totals`,
		"tokens": `SELECT tokens, (SELECT coalesce(sum(tokens), 0) FROM index_pages)
			FROM index_totals`,
		"links": `SELECT links, (SELECT count(*) FROM index_links) FROM index_totals`,
		"pages of sites": `SELECT pages, (SELECT coalesce(sum(pages), 0) FROM index_sites)
			FROM index_totals`,
		"links to targets": `SELECT (SELECT coalesce(sum(n), 0) FROM index_inlinks),
			(SELECT count(*) FROM (SELECT DISTINCT page, target FROM index_links))`,
	} {
		var noted, found int
		if err := s.row(query, nil, &noted, &found); err != nil {
			return nil, err
		}
		if noted != found {
			wrong = append(wrong, fmt.Sprintf("index: %d %s are noted, there are %d",
				noted, name, found))
		}
	}
	return wrong, nil
}

// checkPostings reads all postings: each list is in order and stays in its segment,
// and those of living entries add up to the tokens of all pages.
func checkPostings(s session) (wrong []string, err error) {
	dead, err := deadIn(s, 0, 1<<62)
	if err != nil {
		return nil, err
	}
	tokens := uint64(0)
	list := func(where string, data []byte, base, first, after int64) error {
		r, gone, before := readPostings(data, base), walker{ranges: dead}, int64(0)
		for r.next() {
			if r.number <= before || r.number < first || r.number >= after {
				wrong = append(wrong, fmt.Sprintf("index: %s names entry %d in the wrong place",
					where, r.number))
				return nil
			}
			before = r.number
			if !gone.holds(r.number) {
				tokens += r.title + r.heading + r.body
			}
		}
		return r.err
	}
	err = s.rows(`SELECT s.id, s.first, s.after, p.data FROM index_segments s
		CROSS JOIN index_postings p ON p.segment = s.id`, nil,
		func(scan func(...any) error) error {
			var id, first, after int64
			var data []byte
			if err := scan(&id, &first, &after, &data); err != nil {
				return err
			}
			return list(fmt.Sprint("segment ", id), data, 0, first, after)
		})
	if err != nil {
		return nil, err
	}
	err = s.rows(`SELECT f.first, p.entries, f.data FROM index_fresh f
		LEFT JOIN index_pages p ON p.first = f.first AND p.entries > 0`, nil,
		func(scan func(...any) error) error {
			var first int64
			var entries *int64
			var data []byte
			if err := scan(&first, &entries, &data); err != nil {
				return err
			}
			if entries == nil {
				wrong = append(wrong, fmt.Sprintf(
					"index: entry %d waits to be merged and belongs to no page", first))
				return nil
			}
			p := inverted{data: data}
			for {
				ok, err := p.next()
				if err != nil || !ok {
					return err
				}
				if err := list(fmt.Sprint("page of entry ", first), p.postings, first, first,
					first+*entries); err != nil {
					return err
				}
			}
		})
	if err != nil {
		return nil, err
	}
	var noted uint64
	if err := s.row(`SELECT tokens FROM index_totals`, nil, &noted); err != nil {
		return nil, err
	}
	if noted != tokens {
		wrong = append(wrong, fmt.Sprintf("index: %d tokens are noted, the postings hold %d",
			noted, tokens))
	}
	return wrong, nil
}
