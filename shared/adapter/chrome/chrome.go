// Package chrome renders pages in a local Chromium or Chrome, which it starts headless,
// drives over a pair of pipes, and kills with all its children. The browser has no way
// out but a gate that the caller opens for each page; names are looked up there, so that
// a page reaches nothing that an HTTP request could not. Nothing is hidden from sites:
// the browser says that it is automated, and names the product.
package chrome

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"wstk/shared/wstk"
)

// Gate is the way out that one page has: an HTTP proxy on this machine.
type Gate interface {
	Addr() string                         // host:port of the proxy
	Credentials() (user, password string) // that it asks for, by the scheme Basic
	// why the last connection for url failed, with a code of wstk.Client; nil if it did not
	Failure(url string) error
	Refused() []string // hosts that were refused, each once
	// whether the page was cut off because it asked for too much
	Full() bool
	Close() error
}

// Config says how to render. Zero fields mean the stated defaults.
type Config struct {
	Path    string               // of the browser; "" means that Find looks for it
	Gate    func() (Gate, error) // required; opens the way out of one page
	Product string               // joined to the browser's own User-Agent; "" adds nothing
	// for one page, the browser's start included; default 30 s; a context that ends earlier wins
	Timeout time.Duration
	Pages   int // rendered at once; further ones wait; default 4
	Recycle int // pages after which the browser is replaced; default 50
	// without a page after which the browser is ended, to begin anew with the next; default 2 min
	Idle time.Duration
}

// Renderer is the wstk.Renderer over a browser. One browser serves all pages, each in a
// browser context of its own, which shares nothing with the others; a page with a
// profile or a visible window gets a browser of its own.
type Renderer struct {
	cfg   Config
	slots chan struct{} // one for each page being rendered
	turn  chan struct{} // held by who starts or replaces the browser

	mu      sync.Mutex
	closed  bool
	current *browser          // nil when none runs
	running map[*browser]bool // all that must be ended
	cancel  context.CancelFunc
	life    context.Context // ends with Close
}

var _ wstk.Renderer = (*Renderer)(nil)

// browser is a process and what is known of its pages.
type browser struct {
	*process
	uses    int  // pages opened in it
	active  int  // pages being rendered
	retired bool // gets no more pages, and is ended after its last one

	mu    sync.Mutex
	pages map[*page]bool // that hear the browser's events
}

// listen has p hear the browser's events.
func (b *browser) listen(p *page) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pages[p] = true
}

func (b *browser) unlisten(p *page) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.pages, p)
}

func (b *browser) heard(method string, params json.RawMessage) {
	b.mu.Lock()
	pages := slices.Collect(maps.Keys(b.pages))
	b.mu.Unlock()
	for _, p := range pages {
		p.heardBrowser(method, params)
	}
}

// New returns a Renderer. It looks for no browser and starts none before a page is
// asked for.
func New(cfg Config) (*Renderer, error) {
	if cfg.Gate == nil || cfg.Timeout < 0 || cfg.Pages < 0 || cfg.Recycle < 0 || cfg.Idle < 0 {
		return nil, wstk.Errorf(wstk.Invalid, "setting up the browser",
			"it has no gate, or a limit is negative")
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = 30 * time.Second
	}
	if cfg.Pages == 0 {
		cfg.Pages = 4
	}
	if cfg.Recycle == 0 {
		cfg.Recycle = 50
	}
	if cfg.Idle == 0 {
		cfg.Idle = 2 * time.Minute
	}
	r := &Renderer{cfg: cfg, slots: make(chan struct{}, cfg.Pages), turn: make(chan struct{}, 1),
		running: map[*browser]bool{}}
	r.life, r.cancel = context.WithCancel(context.Background())
	return r, nil
}

// Render opens one page; see wstk.Renderer.
func (r *Renderer) Render(parent context.Context, q wstk.RenderRequest) (wstk.Rendering, error) {
	began := time.Now()
	op := "rendering " + origin(q.URL)
	if !webURL(q.URL) {
		return wstk.Rendering{},
			wstk.Errorf(wstk.RefusedPolicy, "rendering", "only http and https URLs are rendered")
	}
	if r.life.Err() != nil {
		return wstk.Rendering{}, errClosed(op)
	}
	if q.MaxBytes < 0 || q.Wait < 0 {
		return wstk.Rendering{}, wstk.Errorf(wstk.Invalid, op, "a limit is negative")
	}
	ctx, cancel := context.WithTimeout(parent, r.cfg.Timeout)
	defer cancel()
	defer context.AfterFunc(r.life, cancel)()
	out, err := r.render(ctx, q, op)
	out.Duration = time.Since(began)
	switch {
	case err == nil, parent.Err() == nil && r.life.Err() == nil && ctx.Err() == nil:
	case parent.Err() != nil:
		err = wstk.Wrap(wstk.Cancelled, op, parent.Err())
	case r.life.Err() != nil:
		err = errClosed(op)
	case wstk.CodeOf(err) == wstk.Timeout:
		err = wstk.Errorf(wstk.Timeout, op, "the page showed nothing within %s", r.cfg.Timeout).
			Try(wstk.Step{Do: wstk.DoOption, For: "allow more time",
				Options: []wstk.Option{wstk.OptTimeout.On()}})
	}
	return out, err
}

func errClosed(op string) error {
	return wstk.Errorf(wstk.Unavailable, op, "the renderer is closed")
}

func (r *Renderer) render(
	ctx context.Context, q wstk.RenderRequest, op string,
) (wstk.Rendering, error) {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return wstk.Rendering{}, wstk.Wrap(wstk.Timeout, op, ctx.Err())
	}
	gate, err := r.cfg.Gate()
	if err != nil {
		return wstk.Rendering{}, err
	}
	defer gate.Close()
	own := q.Profile != "" || q.Headful
	b, err := r.browser(ctx, q, gate, own)
	if err != nil {
		return wstk.Rendering{}, err
	}
	p := &page{browser: b, gate: gate, request: q, op: op, product: r.cfg.Product, own: own,
		changed: make(chan struct{}), open: map[string]bool{}}
	out, err := p.render(ctx)
	r.release(b, p.close() && !own)
	return out, err
}

// browser returns a running browser with a place for one more page.
func (r *Renderer) browser(
	ctx context.Context, q wstk.RenderRequest, gate Gate, own bool,
) (*browser, error) {
	const op = "starting the browser"
	if own {
		return r.start(ctx, launch{profile: q.Profile, headful: q.Headful, proxy: gate.Addr()})
	}
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return nil, wstk.Wrap(wstk.Timeout, op, ctx.Err())
	}
	r.mu.Lock()
	b := r.current
	if b != nil && !b.gone() && b.uses < r.cfg.Recycle && !b.retired {
		b.uses++
		b.active++
		r.mu.Unlock()
		return b, nil
	}
	r.current = nil
	idle := b != nil && b.active == 0
	if b != nil {
		b.retired = true
	}
	r.mu.Unlock()
	if idle {
		r.end(b)
	}
	b, err := r.start(ctx, launch{proxy: nowhere})
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.current = b
	return b, nil
}

// start runs a browser, with its first page counted.
func (r *Renderer) start(ctx context.Context, l launch) (*browser, error) {
	path, err := Find(r.cfg.Path)
	if err != nil {
		return nil, err
	}
	l.path = path
	p, err := start(ctx, l)
	if err != nil {
		return nil, err
	}
	b := &browser{process: p, uses: 1, active: 1, pages: map[*page]bool{}}
	p.hear("", b.heard)
	r.mu.Lock()
	closed := r.closed
	r.running[b] = true
	r.mu.Unlock()
	if closed {
		r.end(b)
		return nil, errClosed("starting the browser")
	}
	p.post("", "Target.setDiscoverTargets", map[string]any{"discover": true})
	return b, nil
}

// release gives back a page's place. A browser that is not fit for another page is
// ended after its last one.
func (r *Renderer) release(b *browser, fit bool) {
	r.mu.Lock()
	b.active--
	if !fit {
		b.retired = true
	}
	last := b.retired && b.active == 0
	if uses := b.uses; b.active == 0 && !last {
		time.AfterFunc(r.cfg.Idle, func() { r.endIdle(b, uses) })
	}
	r.mu.Unlock()
	if last {
		r.end(b)
	}
}

// endIdle ends a browser that got no page since it had uses.
func (r *Renderer) endIdle(b *browser, uses int) {
	r.mu.Lock()
	idle := b.active == 0 && b.uses == uses && r.running[b]
	if idle {
		b.retired = true
	}
	r.mu.Unlock()
	if idle {
		r.end(b)
	}
}

func (r *Renderer) end(b *browser) {
	if b.dir == "" {
		b.quit()
	} else {
		b.kill()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.running, b)
	if r.current == b {
		r.current = nil
	}
}

// Close ends every browser and returns when they, their children and their folders are
// gone.
func (r *Renderer) Close() error {
	r.cancel()
	r.mu.Lock()
	r.closed = true
	var all []*browser
	for b := range r.running {
		all = append(all, b)
	}
	r.mu.Unlock()
	for _, b := range all {
		r.end(b)
	}
	// Pages that are being rendered give their places back once they have cleaned up.
	for range cap(r.slots) {
		r.slots <- struct{}{}
	}
	for range cap(r.slots) {
		<-r.slots
	}
	return nil
}

func webURL(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
}

// origin is what errors name of a URL: no path and no query, where secrets live.
func origin(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return scheme + "://" + rest[strings.LastIndexByte(rest, '@')+1:]
}
