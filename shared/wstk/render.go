package wstk

import (
	"context"
	"time"
)

// RenderRequest asks a browser for one page.
type RenderRequest struct {
	URL            string        // absolute http or https, in the form text.Canonical gives
	Wait           time.Duration // to wait after the page has loaded, before its DOM is read
	WaitFor        string        // a CSS selector that must be there first, or NetworkIdle; "" waits for the load event
	Screenshot     bool          // of the whole page
	Headful        bool          // show the window: a person may help
	Profile        string        // folder of a browser profile to use; "" means a fresh one that is deleted
	UserAgent      string        // "" means the browser's own
	AcceptLanguage string        // "" means the browser's own
	MaxBytes       int64         // cap on the DOM as HTML; 0 means 5 MiB
}

// NetworkIdle as RenderRequest.WaitFor waits until no request was open for half a
// second.
const NetworkIdle = "network-idle"

// Rendering is a page as a browser shows it after its scripts ran.
type Rendering struct {
	FinalURL   string
	Status     int               // of the main document's last reply; 0 when there was none
	Headers    map[string]string // of that reply, names in lower case, cookies removed
	Redirects  []Redirect
	HTML       []byte // the DOM, serialised as UTF-8
	Screenshot []byte // PNG
	Duration   time.Duration
	Refused    []string  // hosts that subresources asked for and the gate refused, each once
	Warnings   []Warning // a selector that never came, a dialog that was closed
}

// Renderer shows pages in a browser on this machine. Every byte the browser asks for
// passes the same gate as those of Client. Its errors carry the codes of Client, and
// Unavailable when there is no browser (with what to install as the next step). It may be
// used concurrently, and leaves no process and no folder behind when it is closed.
type Renderer interface {
	// Render opens one page in a window of its own. A status such as 403 or 404 is a
	// Rendering, not an error.
	Render(ctx context.Context, r RenderRequest) (Rendering, error)

	// Close ends the browser, if one was started.
	Close() error
}
