package app

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"wstk/shared/app/crawling"
	"wstk/shared/config"
	"wstk/shared/stage/crawl"
	"wstk/shared/stage/fetch"
	"wstk/shared/stage/index"
	"wstk/shared/stage/read"
	"wstk/shared/stage/recall"
	"wstk/shared/stage/screen"
	"wstk/shared/stage/search"
	"wstk/shared/stage/summarize"
	"wstk/shared/stage/verify"
	"wstk/shared/wstk"
)

// Home is what one home brings: its ports, the stages over them, and how work gets done
// there. What both homes do with it stands in the rooms.
type Home struct {
	Config config.Config
	Log    *slog.Logger
	Now    func() time.Time

	Blobs      wstk.BlobStore
	Snapshots  wstk.SnapshotStore
	Pages      wstk.PageStore
	SiteStore  wstk.SiteStore
	Runs       wstk.RunStore
	Locks      wstk.Locker
	Frontier   wstk.Frontier
	Hosts      wstk.HostStore
	Summaries  wstk.SummaryStore
	SearchRows wstk.SearchRowStore
	Templates  wstk.TemplateStore
	Index      wstk.Index
	Queue      wstk.Queue
	Workflows  wstk.Workflows
	// what the tasks of a state machine hand on; may be lost when its run has ended
	Scratch wstk.BlobStore

	Crawl     *crawl.Stage
	Fetch     *fetch.Stage
	Read      *read.Stage
	Screen    *screen.Stage
	Summarize *summarize.Stage
	Indexing  *index.Stage
	Recalling *recall.Stage
	WebSearch *search.Stage
	Rewriting *search.Rewriter
	Verify    *verify.Stage

	// Cache keeps copies of pages and search replies, and Captures what one-page commands
	// saw, for people to look at. Both may be nil.
	Cache    wstk.Cache
	Captures wstk.CaptureStore

	// WriteArchive writes captures, loaded one by one, as a WARC file, and returns how many
	// records it has.
	WriteArchive func(ctx context.Context, path, tool string, captures []wstk.Capture,
		load func(context.Context, wstk.Capture) (wstk.Capture, error)) (int, error)

	// FindBrowser returns the path of the browser that renders pages, or Unavailable with
	// what to install; nil where none is ever used.
	FindBrowser func() (string, error)

	// SystemProfile is the folder of the profile of the browser on this machine.
	SystemProfile func() (string, error)

	// SaveBundle writes a proof bundle: a result, the blobs it names, the structures of
	// its pages, and the fetches they came by.
	SaveBundle func(ctx context.Context, path string, result []byte, blobs wstk.BlobStore, hashes,
		documents []wstk.Hash, fetches []wstk.Snapshot) error

	// StepsToOpen says what the user may do to open a host whose address was refused. nil
	// means that nothing is said.
	StepsToOpen func(host string) []wstk.Step

	// Openable reports whether only allow_private opens a host, as far as its name says. nil
	// means that it is never needed.
	Openable func(host string) bool

	// QueueDepths counts the messages that wait, by queue; nil where it is unknown.
	QueueDepths func(ctx context.Context) (map[string]int, error)

	// Hide keeps a message that this process received, by its receipt, from coming again for
	// a while; nil where a queue's own time counts.
	Hide func(ctx context.Context, queue, receipt string, d time.Duration) error

	// Dispatch is how crawls and removals are worked on, and Worker what works on crawls in
	// this process; nil where functions do.
	Dispatch crawling.Dispatcher
	Worker   crawling.Worker

	// RunNow runs a state machine and waits for its end; nil where it runs elsewhere.
	RunNow func(ctx context.Context, machine string, run wstk.RunID, input json.RawMessage) error

	// EndsLate is set where this process may end an extraction whose time is over at once; else
	// the last task of its state machine does, since not every function may.
	EndsLate bool

	// Recover takes up runs whose process died: it goes on with crawls and ends all others;
	// a server calls it when it starts. nil where the sweep does it.
	Recover func(ctx context.Context) error

	// Deliver puts the result of an upload where its sender looks for it; nil where
	// nothing is uploaded.
	Deliver func(ctx context.Context, name string, data []byte) error

	// CheckStore looks over the records and returns what is wrong with them, a sentence
	// each; nil checks nothing.
	CheckStore func(ctx context.Context) ([]string, error)

	// CanWrite reports whether the stores take what is new; nil checks nothing.
	CanWrite func(ctx context.Context) error

	// ForgetURLs drops what the ended runs of a site keep about each URL, but for the
	// newest runs; their accounting stays. nil keeps all.
	ForgetURLs func(ctx context.Context, site wstk.SiteID, keep int) error

	// CloseAll closes what Open opened.
	CloseAll func() error
}
