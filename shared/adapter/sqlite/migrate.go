package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"wstk/shared/wstk"
)

// The migrations, in order of their number. One that was released is never
// edited; a change of the schema is another file.
//
//go:embed migrations/*.sql
var migrations embed.FS

// Schema is the version of the newest schema: the number of migrations.
func Schema() int {
	names, _ := fs.Glob(migrations, "migrations/*.sql") // the pattern is well-formed
	return len(names)
}

// migrate brings the database up to the newest schema, in one transaction: a
// process that dies in the middle leaves the old one.
func migrate(ctx context.Context, c *sql.Conn, path string) (err error) {
	const op = "opening database"
	version, err := schemaOf(ctx, c, path)
	if err != nil || version == Schema() {
		return err
	}
	if _, err := c.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_, _ = c.ExecContext(context.Background(), `ROLLBACK`)
		}
	}()
	// another process may have done it by now
	if version, err = schemaOf(ctx, c, path); err != nil {
		return err
	}
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	if version == 0 {
		_, err = c.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d;
			CREATE TABLE schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL,
			applied_at TEXT NOT NULL)`, applicationID))
		if err != nil {
			return err
		}
	}
	for i, name := range names[version:] {
		n := version + i + 1
		if !strings.HasPrefix(name, fmt.Sprintf("migrations/%04d_", n)) {
			return wstk.Errorf(wstk.Internal, op, "migration %d is missing, %s is in its place",
				n, name)
		}
		text, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := c.ExecContext(ctx, string(text)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if _, err := c.ExecContext(ctx,
			`INSERT INTO schema_version VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%SZ'))`, n,
			name); err != nil {
			return err
		}
	}
	_, err = c.ExecContext(ctx, `COMMIT`)
	return err
}

// schemaOf returns the version of the database: 0 for a new one.
func schemaOf(ctx context.Context, c *sql.Conn, path string) (int, error) {
	const op = "opening database"
	var id, tables int
	// In one statement, so that both are from before or after another process made them.
	err := c.QueryRowContext(ctx,
		`SELECT application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id`).
		Scan(&id, &tables)
	if err != nil {
		return 0, err
	}
	if tables == 0 {
		return 0, nil
	}
	if id != applicationID {
		return 0, wstk.Errorf(wstk.Conflict, op, "%s is the database of another program", path).
			Try(wstk.Advice("choose another data directory"))
	}
	var version int
	err = c.QueryRowContext(ctx, `SELECT version FROM schema_version ORDER BY version DESC`).
		Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, damaged(op, path, errors.New("it has no schema version"))
	}
	if err != nil {
		return 0, err
	}
	if version > Schema() {
		return 0, wstk.Errorf(wstk.Conflict, op,
			"%s has schema %d, this program knows schemas up to %d", path, version, Schema()).
			Try(wstk.Advices("use the newer version that wrote it",
				"choose another data directory")...)
	}
	return version, nil
}
