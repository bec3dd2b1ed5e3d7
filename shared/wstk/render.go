package wstk

import (
	"context"
	"time"
)

// RenderRequest asks a browser for one page.
type RenderRequest struct {
	URL  string        // absolute http or https, in the form text.Canonical gives
	Wait time.Duration // to wait after the page has settled, before its DOM is read
	// a CSS selector that must be there first, or NetworkIdle; "" waits for the load event and a
	// moment of quiet
	WaitFor    string
	Screenshot bool // of the whole page
	Headful    bool // show the window: a person may help
	// folder of a browser profile to use; "" means a fresh one that is deleted
	Profile        string
	UserAgent      string // "" means the browser's own, with the product's name at its end
	AcceptLanguage string // "" means the browser's own
	MaxBytes       int64  // cap on the DOM as HTML; 0 means 5 MiB

	// Admit is asked before each document that the window goes to: the page itself, what
	// it redirects to, and where its scripts lead. An error refuses that document and is
	// what Render returns. nil admits all.
	Admit func(ctx context.Context, url string) error
}

// NetworkIdle as RenderRequest.WaitFor waits until no request was open for half a
// second.
const NetworkIdle = "network-idle"

// Rendering is a page as a browser shows it after its scripts ran.
type Rendering struct {
	FinalURL  string
	Status    int               // of the main document's last reply; 0 when there was none
	Headers   map[string]string // of that reply, names in lower case, cookies removed
	Redirects []Redirect        // a script that led elsewhere counts with the status of its page
	HTML      []byte            // the DOM, serialised as UTF-8; empty when the reply had no body
	// what of HTML the browser showed, without the body's hash; nil when it could not be asked
	Visibility *Visibility
	Screenshot []byte // PNG
	Duration   time.Duration
	Refused    []string  // hosts that subresources asked for and the gate refused, each once
	Warnings   []Warning // a selector that never came, a dialog that was closed
}

// Renderer shows pages in a browser on this machine. Every byte the browser asks for
// passes the same gate as those of Client. It is safe for concurrent use, and leaves no
// process and no folder behind when it is closed.
type Renderer interface {
	// Render opens one page in a window of its own. A status such as 403 or 404 is a
	// Rendering, not an error. The DOM is what a reader sees: open shadow roots stand
	// where they are shown, and noscript elements, which are not, are left out.
	//
	// When time runs out (that of ctx, or the renderer's own) before a page has settled,
	// what is there is returned, with the warning not_settled; and a selector that never
	// came is the warning selector_missing.
	//
	// Errors carry the codes of Client, and: Timeout when nothing was there to return,
	// Invalid for a selector that is none, UnsupportedMediaType for what a browser would
	// download or show in a viewer, Conflict for a profile that is in use, Unavailable
	// when there is no browser (with what to install as the next step) or it broke. With
	// an error of Admit, Redirects and FinalURL tell how the window came there.
	Render(ctx context.Context, r RenderRequest) (Rendering, error)

	// Close ends the browser, if one was started. Pages that are being rendered end with
	// Unavailable, and so do later calls.
	Close() error
}
