package wstk

import (
	"context"
	"time"
)

// URLState is where a URL of a crawl stands on its way.
type URLState string

const (
	URLWaiting URLState = "waiting" // discovered, no slot yet
	URLQueued  URLState = "queued"  // has a slot, a message is under way
	URLStored  URLState = "stored"  // fetched and read; index has not acknowledged it
	URLClosed  URLState = "closed"  // has its outcome
)

// FoundVia is how a URL was discovered.
type FoundVia string

const (
	ViaSeed      FoundVia = "seed"
	ViaLink      FoundVia = "link"
	ViaSitemap   FoundVia = "sitemap"
	ViaRedirect  FoundVia = "redirect"
	ViaCanonical FoundVia = "canonical"
	ViaRefresh   FoundVia = "refresh" // known from an earlier run
	ViaSearch    FoundVia = "search"  // a search for the crawl's question named it
	ViaTavily    FoundVia = "tavily"
	ViaFirecrawl FoundVia = "firecrawl"
	ViaGap       FoundVia = "gap" // an unread link that fits what an answer lacks
	// closed by the run that this one goes on with, which counts it
	ViaEarlier FoundVia = "earlier"
)

// ByService reports whether a service named the URL, and not the site.
func (v FoundVia) ByService() bool {
	return v == ViaSearch || v == ViaTavily || v == ViaFirecrawl
}

// FrontierURL is one discovered URL of one run.
type FrontierURL struct {
	Run       RunID     `json:"run_id"`
	URL       string    `json:"url"`  // canonical
	Host      string    `json:"host"` // scheme://host:port
	Depth     int       `json:"depth"`
	Hops      int       `json:"hops,omitempty"` // redirects on the way here
	Via       FoundVia  `json:"via"`
	FoundOn   string    `json:"found_on,omitempty"` // the page or sitemap that named it
	LastMod   time.Time `json:"lastmod,omitzero"`   // as the sitemap says
	State     URLState  `json:"state"`
	Slot      string    `json:"slot,omitempty"`
	NotBefore time.Time `json:"not_before,omitzero"`
	Attempts  int       `json:"attempts"`           // that a worker began
	Document  Hash      `json:"document,omitempty"` // while stored: what index has to acknowledge
	Outcome   Outcome   `json:"outcome"`            // open until closed
	Reason    string    `json:"reason,omitempty"`   // one clause a person can read
	Target    string    `json:"target,omitempty"`   // of redirected and duplicate_of
	FoundAt   time.Time `json:"found_at"`
	ChangedAt time.Time `json:"changed_at"`
}

// Closing ends a URL.
type Closing struct {
	Outcome Outcome `json:"outcome"` // not open
	Reason  string  `json:"reason"`  // one clause
	Target  string  `json:"target,omitempty"`
}

// Frontier keeps what a run has discovered and where each URL stands, durably: a
// process may die between any two calls. A URL's change and the run's counters
// move together or not at all. Calls about a URL that was never added are
// NotFound. All methods may be called concurrently, also by several processes.
type Frontier interface {
	// Add records newly discovered URLs, as waiting when their Outcome is open or
	// empty, else closed at once with their Outcome and Reason. A URL the run knows
	// already is left alone and not counted again. It returns how many were new. A URL
	// found by ViaEarlier needs an Outcome, else it is Invalid; the run knows it and
	// its counters leave it out.
	// An Add of many is not atomic: after a failure, add them all again.
	Add(ctx context.Context, urls ...FrontierURL) (int, error)

	// Get returns one URL of a run.
	Get(ctx context.Context, run RunID, url string) (FrontierURL, error)

	// Waiting returns waiting URLs, at most limit in all and perHost of one host:
	// those without NotBefore first, shallow ones before deep ones and in the order
	// they were found; then the postponed ones, earliest NotBefore first, also those
	// whose time has not come.
	Waiting(ctx context.Context, run RunID, limit, perHost int) ([]FrontierURL, error)

	// Queue moves a waiting URL to queued with this slot and reports whether it
	// did; a URL in any other state is left alone.
	Queue(ctx context.Context, run RunID, url string, slot Slot) (bool, error)

	// Start counts an attempt of a queued URL with this slot, because a worker begins to
	// fetch it, and reports whether it did. What waits in a queue is no attempt.
	Start(ctx context.Context, run RunID, url, slot string) (bool, error)

	// Requeue gives a queued URL whose slot is old another slot and reports whether
	// it did. With counted, the attempt is counted.
	Requeue(ctx context.Context, run RunID, url, old string, slot Slot, counted bool) (bool, error)

	// Postpone moves a queued URL with this slot back to waiting, with NotBefore
	// set to until and no slot, and reports whether it did. It is
	// how a fetch that failed for now is tried again; a late or duplicate message
	// finds another slot and does nothing.
	Postpone(ctx context.Context, run RunID, url, slot string, until time.Time) (bool, error)

	// Unqueue moves a queued or stored URL back to waiting, without slot, NotBefore
	// and Document, if its state last changed before the given time, and reports
	// whether it did. With counted, the attempt is counted. It is how a sweep
	// recovers what a dead worker held.
	Unqueue(ctx context.Context, run RunID, url string, before time.Time,
		counted bool) (bool, error)

	// Store moves a queued URL with this slot to stored, with its Document, and
	// reports whether it did; a late or duplicate message finds another slot and
	// does nothing.
	Store(ctx context.Context, run RunID, url, slot string, doc Hash) (bool, error)

	// Close gives a URL its outcome once and reports whether this call did. A
	// closed URL stays as it is. An Outcome that is open or unknown is Invalid.
	Close(ctx context.Context, run RunID, url string, c Closing) (bool, error)

	// ClaimText makes url the owner of this text in this run, unless another URL
	// is, and returns the owner. Claiming twice is the same as once.
	ClaimText(ctx context.Context, run RunID, text Hash, url string) (owner string, err error)

	// Note returns what the run keeps under key, "" when that is nothing. Notes
	// are the crawl's small memory: trap guards, pauses of a host, warnings. A key
	// is ASCII, at most 100 bytes.
	Note(ctx context.Context, run RunID, key string) (string, error)

	// Notes returns the notes whose keys begin with prefix and go on after it, by key; there
	// may be none. Some thousands of them cost one query.
	Notes(ctx context.Context, run RunID, prefix string) (map[string]string, error)

	// SetNote replaces the note under key by value ("" removes it) if it still is
	// old ("" for none), and reports whether it did, so that of two who change one
	// note at once the second reads it again. A value over 64 KiB is TooLarge.
	SetNote(ctx context.Context, run RunID, key, old, value string) (bool, error)

	// Accounting returns the run's counters. They are exact once no call is in
	// progress; a run that was never added to has zeros.
	Accounting(ctx context.Context, run RunID) (Accounting, error)

	// States counts a run's URLs by state, except for those found by ViaEarlier.
	States(ctx context.Context, run RunID) (map[URLState]int, error)

	// List returns a run's URLs in order of URL, at most limit, starting after the
	// cursor; next is "" at the end. A zero state means every state.
	List(ctx context.Context, run RunID, state URLState, cursor string,
		limit int) (urls []FrontierURL, next string, err error)

	// Remove forgets what a run has discovered: at most limit URLs, and with the last of
	// them its notes and counters. No worker may work on the run any more. more reports
	// whether something is left. An unknown run is no error.
	Remove(ctx context.Context, run RunID, limit int) (more bool, err error)
}
