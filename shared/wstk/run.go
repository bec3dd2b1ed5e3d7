package wstk

import (
	"context"
	"slices"
	"time"
)

// RunKind is what a run does.
type RunKind string

const (
	RunIngest     RunKind = "ingest"
	RunRefresh    RunKind = "refresh"
	RunExtraction RunKind = "extraction"
	RunSearch     RunKind = "search"
	RunAnswer     RunKind = "answer"
	RunResolution RunKind = "resolution"
	RunRemoval    RunKind = "removal" // of a site; Result is what was removed
	RunRequest    RunKind = "request" // a request that may come again; Result is its reply
	RunSession    RunKind = "session" // a session of the web page that was ended before its time
)

// CitingKinds are the kinds of runs that cite evidence.
func CitingKinds() []RunKind { return []RunKind{RunExtraction, RunAnswer} }

// Cites reports whether runs of this kind cite evidence.
func (k RunKind) Cites() bool { return slices.Contains(CitingKinds(), k) }

// RunState is where a run stands. All but running are terminal, and every run
// reaches one of them.
type RunState string

const (
	RunRunning   RunState = "running"
	RunComplete  RunState = "complete"
	RunPartial   RunState = "partial" // ended with something missing; Reasons say what
	RunFailed    RunState = "failed"
	RunCancelled RunState = "cancelled"

	// RunInterrupted is shown of a running crawl whose process has died: it does nothing
	// until it is continued. It is never stored, and it is not an end.
	RunInterrupted RunState = "interrupted"
)

// Terminal reports whether s is an end.
func (s RunState) Terminal() bool { return s != RunRunning && s != RunInterrupted }

// Run is one piece of work with a beginning and an end.
type Run struct {
	// made within a minute of StartedAt, except for kind request
	ID    RunID    `json:"id"`
	Kind  RunKind  `json:"kind"`
	State RunState `json:"state"`
	// name of the token it was begun with; "" means DefaultOwner
	Owner   string        `json:"owner,omitempty"`
	Site    SiteID        `json:"site_id,omitempty"`
	Query   string        `json:"query,omitempty"`
	Options *CrawlOptions `json:"options,omitempty"`
	// JSON blob of what was asked, where options do not say it
	Request Hash `json:"request,omitempty"`
	// the ended crawl whose rest this one takes
	Continues RunID    `json:"continues,omitempty"`
	Reasons   []string `json:"reasons,omitempty"` // why partial, failed or cancelled
	Result    Hash     `json:"result,omitempty"`  // JSON blob
	// of a run of kind search, which has ended when it is stored
	Search    *SearchRun `json:"search,omitempty"`
	Cancel    bool       `json:"cancel_requested,omitempty"`
	StartedAt time.Time  `json:"started_at"`
	UpdatedAt time.Time  `json:"updated_at"`
	EndedAt   time.Time  `json:"ended_at,omitzero"`
	// from when on everything this run stored can be found
	SearchableAt time.Time `json:"searchable_at,omitzero"`
	Usage        Usage     `json:"usage"`
}

// DefaultOwner owns a run that names no owner: it is the operator.
const DefaultOwner = "owner"

// OwnedBy is the name of whose run it is.
func (r Run) OwnedBy() string {
	if r.Owner == "" {
		return DefaultOwner
	}
	return r.Owner
}

// RunStore keeps runs. All methods may be called concurrently.
type RunStore interface {
	// Create stores a new run; an id that exists is Conflict.
	Create(ctx context.Context, r Run) error

	// Get returns the run or NotFound.
	Get(ctx context.Context, id RunID) (Run, error)

	// End moves a running run to a terminal state once, and reports whether this
	// call did it. A run that has ended is left as it is. An unknown id is
	// NotFound. The state must be terminal, else Invalid. Result and SearchableAt
	// are taken from end; its other fields, except for State, Reasons, EndedAt and
	// Usage, are ignored.
	End(ctx context.Context, id RunID, end Run) (bool, error)

	// RequestCancel sets the run's cancel flag; on an ended run it does nothing.
	// An unknown id is NotFound.
	RequestCancel(ctx context.Context, id RunID) error

	// Touch sets UpdatedAt of a running run to at, unless it is later already; on an ended
	// run it does nothing. It is how a long run shows that it is worked on. An unknown id
	// is NotFound.
	Touch(ctx context.Context, id RunID, at time.Time) error

	// AddPart notes a finished piece of a run's result. The first under a number
	// stays; a piece that comes twice is noted once. A run that has ended takes no
	// more: what its pieces are stands from then on. An unknown id is NotFound, a
	// piece without data or with a negative number Invalid.
	AddPart(ctx context.Context, id RunID, p Part) error

	// Parts returns the pieces noted so far in order of their numbers; a run
	// without any, or an unknown one, has none.
	Parts(ctx context.Context, id RunID) ([]Part, error)

	// Remove forgets an ended run and its parts; a running one is Conflict. A run that is
	// not there is no error: removing twice is the same as once.
	Remove(ctx context.Context, id RunID) error

	// List returns runs that match, newest first, at most limit, starting after
	// the cursor (a run id); next is "" at the end.
	List(ctx context.Context, f RunFilter, cursor string, limit int) (runs []Run,
		next string, err error)
}

// Check returns Invalid if r cannot be stored, with the reason.
func (r Run) Check(op string) error {
	if r.ID == "" || r.State == "" {
		return Errorf(Invalid, op, "a run needs an id and a state")
	}
	return nil
}

// CheckEnd returns Invalid if a run cannot end as end says, with the reason.
func (end Run) CheckEnd(op string) error {
	switch end.State {
	case RunComplete, RunPartial, RunFailed, RunCancelled:
		return nil
	}
	return Errorf(Invalid, op, "a run cannot end in the state %q", end.State)
}

// Finish takes from end what RunStore's End takes.
func (r *Run) Finish(end Run) {
	r.State, r.Reasons, r.EndedAt, r.Usage = end.State, end.Reasons, end.EndedAt, end.Usage
	r.Result, r.SearchableAt, r.UpdatedAt = end.Result, end.SearchableAt, end.EndedAt
}

// Touch moves UpdatedAt to at, never back.
func (r *Run) Touch(at time.Time) {
	if at.After(r.UpdatedAt) {
		r.UpdatedAt = at
	}
}

// Part is a finished piece of a run's work: the extraction of one bucket, for a client that looks
// at the run before it has ended; or a call of a model.
type Part struct {
	N    int  `json:"n"`    // its place, from 0
	Data Hash `json:"data"` // JSON blob
}

// Check returns Invalid if p cannot be noted, with the reason.
func (p Part) Check(op string) error {
	if p.N < 0 || p.Data == "" {
		return Errorf(Invalid, op, "a part needs data and a number from 0")
	}
	return nil
}

// RunFilter narrows a list of runs; zero fields match everything.
type RunFilter struct {
	Kind  RunKind
	State RunState
	Site  SiteID
	Owner string    // whose run it is, as OwnedBy says
	Query string    // exact
	From  time.Time // StartedAt at or after
	To    time.Time // StartedAt before
}

// IDs bounds the ids of the runs that f lets pass by their time: from is the first that is
// possible, to the first that is too late; "" is no bound. Runs of kind request are not
// bound by it, since their ids hold no time.
func (f RunFilter) IDs() (from, to RunID) {
	const apart = time.Minute // what Run.ID may differ from StartedAt, either way
	if !f.From.IsZero() {
		from = firstRunID(f.From.Add(-apart))
	}
	if !f.To.IsZero() {
		to = firstRunID(f.To.Add(apart + time.Millisecond))
	}
	return from, to
}

// Match reports whether the filter lets r pass.
func (f RunFilter) Match(r Run) bool {
	return (f.Kind == "" || f.Kind == r.Kind) &&
		(f.State == "" || f.State == r.State) &&
		(f.Site == "" || f.Site == r.Site) &&
		(f.Owner == "" || f.Owner == r.OwnedBy()) &&
		(f.Query == "" || f.Query == r.Query) &&
		(f.From.IsZero() || !r.StartedAt.Before(f.From)) &&
		(f.To.IsZero() || r.StartedAt.Before(f.To))
}
