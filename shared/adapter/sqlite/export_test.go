package sqlite

import (
	"context"
	"fmt"
)

// EagerIndex is an Index that merges after every other page, so that a few pages
// make segments of all levels.
func (db *DB) EagerIndex() *Index {
	return &Index{db, merging{fresh: 2, bytes: 1 << 20, fan: 2, most: 3}}
}

// Pragma sets something of the connection that writes and returns what it is now.
func (db *DB) Pragma(text string) (value int, err error) {
	c := <-db.writer
	defer func() { db.writer <- c }()
	err = c.QueryRowContext(context.Background(), fmt.Sprint("PRAGMA ", text)).Scan(&value)
	return value, err
}

// Exec runs a statement outside of any port.
func (db *DB) Exec(query string, args ...any) error {
	c := <-db.writer
	defer func() { db.writer <- c }()
	_, err := c.ExecContext(context.Background(), query, args...)
	return err
}
