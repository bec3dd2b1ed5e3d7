package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"unicode"

	_ "modernc.org/sqlite"

	"wstk/shared/app"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// windows is the yardstick: plain full-text search by SQLite over windows of 120 words of the
// pages' text, each beginning 60 words after the one before.
type windows struct{ db *sql.DB }

const windowWords, windowStep = 120, 60

// newWindows makes the windows of the pages that an App holds.
func newWindows(ctx context.Context, a *app.App, name string, files pages) (*windows, error) {
	db, err := sql.Open("sqlite", "file:"+name+"?mode=memory&cache=shared")
	if err != nil {
		return nil, err
	}
	w := &windows{db}
	if err := w.fill(ctx, a, name, files); err != nil {
		db.Close()
		return nil, err
	}
	return w, nil
}

func (w *windows) fill(ctx context.Context, a *app.App, name string, files pages) error {
	w.db.SetMaxOpenConns(1)
	if _, err := w.db.ExecContext(ctx, "CREATE VIRTUAL TABLE w USING fts5(body)"); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, path := range files.paths() {
		p, err := a.Pages.Get(ctx, siteOf(name)+path)
		if wstk.CodeOf(err) == wstk.NotFound || err == nil && p.Document == "" {
			continue // a page without text, or one that says the same as another
		}
		if err != nil {
			return err
		}
		d, err := wstk.LoadDocument(ctx, a.Blobs, p.Document)
		if err != nil {
			return err
		}
		words := strings.Fields(d.Text)
		for at := 0; at == 0 || at+windowWords-windowStep < len(words); at += windowStep {
			if _, err := tx.ExecContext(ctx, "INSERT INTO w VALUES (?)",
				strings.Join(words[at:min(at+windowWords, len(words))], " ")); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

// find reports whether one of the answers stands in the best three windows.
func (w *windows) find(ctx context.Context, query string, answers []string) (bool, error) {
	var terms []string
	for _, t := range strings.FieldsFunc(text.FoldCompare(query), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	}) {
		terms = append(terms, `"`+t+`"`)
	}
	rows, err := w.db.QueryContext(ctx,
		"SELECT body FROM w WHERE w MATCH ? ORDER BY rank, rowid LIMIT 3",
		strings.Join(terms, " OR "))
	if err != nil {
		return false, fmt.Errorf("searching windows: %w", err)
	}
	defer rows.Close()
	var best []string
	for rows.Next() {
		var body string
		if err := rows.Scan(&body); err != nil {
			return false, err
		}
		best = append(best, body)
	}
	return holds(best, answers), rows.Err()
}

func (w *windows) close() { w.db.Close() }
