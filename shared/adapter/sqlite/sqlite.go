// Package sqlite keeps the records of one machine in one SQLite database: every
// port but blobs, locks and queues. It is pure Go.
//
// The database is in WAL mode: readers never wait for a writer, and a process
// that is killed at any moment leaves either all of a transaction or nothing of
// it. synchronous is NORMAL: a commit is handed to the operating system, and
// flushed to the disk at the next checkpoint. So a killed process loses nothing
// that was committed; a power cut or a crash of the operating system may lose the
// last commits, in order, but never damages the database. What it may cost is
// some pages fetched twice.
//
// Each process has one connection that writes, guarded in Go, and a few that
// read. Several processes may share a database; their writers take turns.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"wstk/shared/wstk"
)

// File is the name of the database in its directory.
const File = "wstk.db"

// applicationID marks the file as ours: "wstk" in ASCII.
const applicationID = 0x7773746b

// DB is an open database. Its methods return the ports; all of them may be used
// concurrently.
type DB struct {
	// Now gives the times of changes and leases; it may be set before first use.
	Now func() time.Time

	path    string
	pools   []*sql.DB        // what the writer and the readers come from
	writer  chan *connection // one: its holder may write
	readers chan *connection // nil stands for one that is not open yet
	closing sync.Once
	closed  chan struct{}

	freed   signals // hosts whose request has ended in this process
	vectors keptVectors
}

// readers is how many calls of one process may read at once.
const readers = 4

// Open opens the database in dir, which is made if it is missing, and brings it up to
// the newest schema. Codes: Unavailable for a directory that cannot be written,
// a full disk, or another process that holds the database for longer than 10
// seconds; Internal for a file that is damaged or no database; Conflict for a
// database of a newer version or of another program.
func Open(ctx context.Context, dir string) (*DB, error) {
	const op = "opening database"
	if err := ctx.Err(); err != nil {
		return nil, wstk.Wrap(wstk.Cancelled, op, err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unwritable(op, dir, err)
	}
	path, err := filepath.Abs(filepath.Join(dir, File))
	if err != nil {
		return nil, wstk.Wrap(wstk.Internal, op, err)
	}
	if err := writable(op, dir, path); err != nil {
		return nil, err
	}
	db := &DB{Now: time.Now, path: path, writer: make(chan *connection, 1),
		readers: make(chan *connection, readers), closed: make(chan struct{})}
	if err := db.open(ctx); err != nil {
		return nil, db.failed(op, err)
	}
	return db, nil
}

func (db *DB) open(ctx context.Context) (err error) {
	// journal_mode needs the write lock when it changes, so busy_timeout is first.
	// A checkpoint every 4,000 pages (16 MB) rather than every 1,000 writes a page
	// that changes often, such as one of counters, less often to the database.
	writing, err := db.pool("busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)",
		"wal_autocheckpoint(4000)", "journal_size_limit(67108864)", "cache_size(-16000)",
		"temp_store(MEMORY)")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			writing.Close()
		}
	}()
	w, err := connectInTurn(ctx, writing)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			w.Close()
		}
	}()
	if err := migrate(ctx, w.Conn, db.path); err != nil {
		return err
	}
	reading, err := db.pool("busy_timeout(10000)", "query_only(1)", "cache_size(-8000)",
		"temp_store(MEMORY)")
	if err != nil {
		return err
	}
	db.pools = []*sql.DB{writing, reading}
	db.writer <- w
	for range readers {
		db.readers <- nil
	}
	return nil
}

// connectInTurn connects, also while other processes make the same new database: to
// change it to WAL a reader becomes a writer, and there SQLite does not wait, since
// two of them would wait for each other.
func connectInTurn(ctx context.Context, p *sql.DB) (*connection, error) {
	for end := time.Now().Add(busyTime); ; {
		c, err := connect(ctx, p)
		if !isBusy(err) || time.Now().After(end) {
			return c, err
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// busyTime is how long a call waits for other processes; busy_timeout says it again.
const busyTime = 10 * time.Second

func (db *DB) pool(pragmas ...string) (*sql.DB, error) {
	u := url.URL{Scheme: "file", Path: db.path, RawQuery: url.Values{"_pragma": pragmas}.Encode()}
	return sql.Open("sqlite", u.String())
}

// Close closes the database once the calls in progress have returned. Later calls
// are Unavailable; closing again does nothing.
func (db *DB) Close() error {
	var errs []error
	db.closing.Do(func() {
		for range readers {
			if c := <-db.readers; c != nil {
				errs = append(errs, c.Close())
			}
		}
		c := <-db.writer
		errs = append(errs, c.Close())
		for _, p := range db.pools {
			errs = append(errs, p.Close())
		}
		close(db.closed)
	})
	return wstk.Wrap(wstk.Internal, "closing database", errors.Join(errs...))
}

// Path is the file of the database.
func (db *DB) Path() string { return db.path }

// connection is a connection to the database with its prepared statements. One
// call at a time uses it.
//
// They are kept here rather than in database/sql's pool: a statement of the pool
// that is used in a transaction may want a second connection to be prepared on, and
// as many transactions as there are connections would wait for one another forever.
type connection struct {
	*sql.Conn
	prepared map[string]*sql.Stmt // by their text
}

func connect(ctx context.Context, pool *sql.DB) (*connection, error) {
	c, err := pool.Conn(ctx)
	return &connection{c, map[string]*sql.Stmt{}}, err
}

// Close closes the statements too. One that was left open would keep SQLite from
// closing, and so from writing the log (-wal) back into the database.
func (c *connection) Close() error {
	var errs []error
	for _, s := range c.prepared {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, c.Conn.Close())...)
}

func (c *connection) prepare(query string) (*sql.Stmt, error) {
	if s := c.prepared[query]; s != nil {
		return s, nil
	}
	s, err := c.PrepareContext(context.Background(), query)
	if err == nil {
		c.prepared[query] = s
	}
	return s, err
}

// session is a call's use of a connection: a write transaction, a read
// transaction, or single statements that read.
type session struct {
	*connection
	ctx context.Context // ends statements
}

func (s session) exec(query string, args ...any) error {
	_, err := s.change(query, args...)
	return err
}

// change is exec that tells how many rows changed.
func (s session) change(query string, args ...any) (int64, error) {
	stmt, err := s.prepare(query)
	if err != nil {
		return 0, err
	}
	r, err := stmt.ExecContext(s.ctx, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// row reads one row; without one it returns sql.ErrNoRows.
func (s session) row(query string, args []any, into ...any) error {
	stmt, err := s.prepare(query)
	if err != nil {
		return err
	}
	return stmt.QueryRowContext(s.ctx, args...).Scan(into...)
}

// rows calls each for every row. each must not use the same statement.
func (s session) rows(query string, args []any, each func(scan func(...any) error) error) error {
	stmt, err := s.prepare(query)
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(s.ctx, args...)
	return eachRow(rows, err, each)
}

// rowsOnce is rows for a query whose text depends on what is asked: it is not
// kept prepared, since there is no end of them.
func (s session) rowsOnce(
	query string, args []any, each func(scan func(...any) error) error,
) error {
	rows, err := s.QueryContext(s.ctx, query, args...)
	return eachRow(rows, err, each)
}

func eachRow(rows *sql.Rows, err error, each func(scan func(...any) error) error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// take waits for a connection. The caller puts it back.
func (db *DB) take(ctx context.Context, op string, from chan *connection) (*connection, error) {
	if err := ctx.Err(); err != nil {
		return nil, wstk.Wrap(wstk.Cancelled, op, err)
	}
	select {
	case c := <-from:
		return c, nil
	case <-ctx.Done():
		return nil, wstk.Wrap(wstk.Cancelled, op, ctx.Err())
	case <-db.closed:
		return nil, wstk.Errorf(wstk.Unavailable, op, "%s is closed", db.path)
	}
}

// write runs f in a transaction: all of what it does is stored, or nothing.
// Waiting for a turn ends with the context; once begun, a transaction is short
// and runs to its end, so that no statement is interrupted half way.
func (db *DB) write(ctx context.Context, op string, f func(session) error) error {
	c, err := db.take(ctx, op, db.writer)
	if err != nil {
		return err
	}
	defer func() { db.writer <- c }()

	// IMMEDIATE takes the write lock of all processes now: a transaction that read
	// first and asked for the lock later could be refused in the middle.
	s := session{c, context.WithoutCancel(ctx)}
	err = session{c, ctx}.exec(`BEGIN IMMEDIATE`)
	if err == nil {
		err = f(s)
	}
	if err == nil {
		err = s.exec(`COMMIT`)
	}
	if err != nil {
		// After some errors, a full disk among them, SQLite has undone everything and
		// says that there is no transaction; and BEGIN may have worked just when the
		// context ended.
		_ = s.exec(`ROLLBACK`)
	}
	return db.failed(op, err)
}

// read runs f, whose statements each see the newest state.
func (db *DB) read(ctx context.Context, op string, f func(session) error) error {
	c, err := db.take(ctx, op, db.readers)
	if err != nil {
		return err
	}
	defer func() { db.readers <- c }()
	if c == nil {
		fresh, err := connect(ctx, db.pools[1])
		if err != nil {
			return db.failed(op, err)
		}
		c = fresh
	}
	return db.failed(op, f(session{c, ctx}))
}

// snapshot runs f on one state of the database, whatever is written meanwhile.
func (db *DB) snapshot(ctx context.Context, op string, f func(session) error) error {
	return db.read(ctx, op, func(s session) error {
		end := session{s.connection, context.WithoutCancel(ctx)}
		defer func() { _ = end.exec(`ROLLBACK`) }() // it has read only
		if err := s.exec(`BEGIN`); err != nil {
			return err
		}
		return f(s)
	})
}

// nanos and timeOf turn times into numbers and back; the zero time is 0.
func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	switch y := t.UTC().Year(); { // what does not fit is at the end it lies beyond
	case y > 2261:
		return math.MaxInt64
	case y < 1678:
		return math.MinInt64
	}
	return t.UnixNano()
}

func timeOf(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// signals wakes those who wait for a name in this process.
type signals struct {
	mu sync.Mutex
	m  map[string]chan struct{}
}

// of returns a channel that is closed at the next wake of name.
func (s *signals) of(name string) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m == nil {
		s.m = map[string]chan struct{}{}
	}
	c := s.m[name]
	if c == nil {
		c = make(chan struct{})
		s.m[name] = c
	}
	return c
}

func (s *signals) wake(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.m[name]; c != nil {
		close(c)
		delete(s.m, name)
	}
}
