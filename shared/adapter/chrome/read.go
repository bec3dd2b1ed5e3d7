package chrome

import (
	"context"
	"crypto/rand"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"wstk/shared/wstk"
)

// domScript is a function of the largest length, in characters, that is wanted, and of a
// name for an attribute that no page has.
//
//go:embed dom.js
var domScript string

// defaultMaxBytes is what RenderRequest.MaxBytes means when it is 0.
const defaultMaxBytes = 5 << 20

// maxHeight is how much of a long page a screenshot shows, in pixels: browsers draw
// nothing beyond 16,384.
const (
	maxHeight = 16_000
	maxWidth  = 4096
)

// world is the name of the context that scripts of ours run in: it shares the page's DOM
// and none of its variables, so that a page that bends the language does not bend us.
const world = "wstk"

// exception is what a script of ours threw.
type exception struct{ class, text string }

func (e *exception) Error() string { return e.text }

// eval runs an expression beside the page's scripts. Its value goes into result.
func (p *page) eval(ctx context.Context, expression string, result any) error {
	var made struct {
		ID int `json:"executionContextId"`
	}
	if err := p.call(ctx, p.session, "Page.createIsolatedWorld",
		map[string]any{"frameId": p.target, "worldName": world}, &made); err != nil {
		return err
	}
	var reply struct {
		Result    struct{ Value json.RawMessage }
		Exception *struct {
			Text      string
			Exception struct{ ClassName, Description string }
		} `json:"exceptionDetails"`
	}
	if err := p.call(ctx, p.session, "Runtime.evaluate",
		map[string]any{"expression": expression, "contextId": made.ID, "returnByValue": true},
		&reply); err != nil {
		return err
	}
	if x := reply.Exception; x != nil {
		return &exception{x.Exception.ClassName, x.Text + " " + x.Exception.Description}
	}
	return json.Unmarshal(reply.Result.Value, result)
}

func quote(s string) string {
	raw, _ := json.Marshal(s) // no string fails
	return string(raw)
}

// read takes the page's DOM, and its picture where that is wanted. A page whose scripts
// hold it busy gets them stopped first.
func (p *page) read(ctx context.Context, out *wstk.Rendering, settled bool) error {
	most := p.request.MaxBytes
	if most == 0 {
		most = defaultMaxBytes
	}
	var dom struct {
		URL   string
		HTML  string
		Size  int64
		Shown *wstk.Visibility
	}
	// The page cannot know the name of the attribute that elements are followed by from
	// its DOM to the text of it, where the attribute is taken out again.
	script := fmt.Sprintf("(%s)(%d, %s)", strings.TrimSuffix(strings.TrimSpace(domScript), ";"),
		most, quote("wstk-"+strings.ToLower(rand.Text())))
	for stopped := settled; ; {
		attempt, stop := ctx, context.CancelFunc(func() {})
		if end, ok := ctx.Deadline(); ok && !stopped {
			attempt, stop = context.WithTimeout(ctx, time.Until(end)/3)
		}
		err := p.eval(attempt, script, &dom)
		stop()
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			return wstk.Errorf(wstk.Timeout, p.op, "the page's scripts keep the browser busy").
				Try(wstk.Step{Do: wstk.DoOption, For: "allow more time",
					Options: []wstk.Option{wstk.OptTimeout.On()}})
		}
		var no *refusal
		switch {
		case errors.Is(err, errGone):
			return err
		case attempt.Err() != nil && !stopped:
			stopped = true
			p.post(p.session, "Emulation.setScriptExecutionDisabled", map[string]any{"value": true})
			p.post(p.session, "Runtime.terminateExecution", nil)
		case errors.As(err, &no): // the page went elsewhere under our hands
			select {
			case <-time.After(pollTime):
			case <-ctx.Done():
			}
			if err := p.first(nil); err != nil {
				return err
			}
		default:
			return wstk.Errorf(wstk.Unavailable, p.op, "the page's DOM could not be read")
		}
	}
	*out = p.known()
	switch {
	case strings.HasPrefix(dom.URL, "chrome-error:"):
		if err := p.notShown(p.lastError()); err != nil {
			return err
		}
		return nil // a reply without a body
	case !webURL(dom.URL):
		return wstk.Errorf(wstk.RefusedPolicy, p.op,
			"the page leads to a URL that is not http or https")
	case dom.Size > most || int64(len(dom.HTML)) > most:
		return wstk.Errorf(wstk.TooLarge, p.op, "the DOM is larger than the limit of %d bytes", most)
	}
	out.FinalURL, _, _ = strings.Cut(dom.URL, "#")
	out.HTML = []byte(dom.HTML)
	if out.Visibility = dom.Shown; dom.Shown != nil {
		out.Visibility.Engine = wstk.VisibilityEngine
	} else {
		out.Warnings = append(out.Warnings, p.warning("visibility_unknown", "the browser did not "+
			"report what it shows of the page; only the markup decides what is visible."))
	}
	if p.request.Screenshot {
		picture, cut, err := p.picture(ctx)
		if err != nil {
			out.Warnings = append(out.Warnings,
				p.warning("no_screenshot", "the browser took no screenshot of the page."))
		}
		if cut {
			out.Warnings = append(out.Warnings, p.warning("screenshot_cut",
				fmt.Sprintf("the page is larger than its picture, which ends after %d × %d "+
					"pixels.", maxWidth, maxHeight)))
		}
		out.Screenshot = picture
	}
	return nil
}

func (p *page) lastError() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.netError
}

// picture is the whole page as PNG, but for what lies beyond the largest size.
func (p *page) picture(ctx context.Context) (png []byte, cut bool, err error) {
	var layout struct {
		Content struct{ Width, Height float64 } `json:"cssContentSize"`
	}
	if err := p.call(ctx, p.session, "Page.getLayoutMetrics", nil, &layout); err != nil {
		return nil, false, err
	}
	w, h := layout.Content.Width, layout.Content.Height
	cut = w > maxWidth || h > maxHeight
	var shot struct{ Data []byte }
	err = p.call(ctx, p.session, "Page.captureScreenshot",
		map[string]any{"format": "png", "captureBeyondViewport": true,
			"clip": map[string]any{"x": 0, "y": 0, "width": max(min(w, maxWidth), 1),
				"height": max(min(h, maxHeight), 1), "scale": 1}}, &shot)
	return shot.Data, cut && err == nil, err
}

// readable reports whether a browser shows a document of this media type as text.
func readable(media string) bool {
	media, _, _ = strings.Cut(strings.ToLower(media), ";")
	switch media = strings.TrimSpace(media); {
	case media == "", strings.HasPrefix(media, "text/"), strings.HasSuffix(media, "+xml"),
		strings.HasSuffix(media, "+json"):
		return media != "image/svg+xml"
	}
	switch media {
	case "application/xml", "application/json", "application/javascript",
		"application/x-javascript":
		return true
	}
	return false
}

func (p *page) unsupported(media string) error {
	what := "this is a download"
	if media != "" {
		what = "this is " + media
	}
	return wstk.Errorf(wstk.UnsupportedMediaType, p.op,
		"%s, which a browser does not show as a page", what).
		Try(wstk.Step{Do: wstk.DoExtract, For: "read it without a browser", URL: p.request.URL})
}

// shown are headers as they are kept: without what holds a session or a credential.
func shown(headers map[string]string) map[string]string {
	out := make(map[string]string, len(headers))
	for name, value := range headers {
		name = strings.ToLower(name)
		secret := false
		for _, word := range []string{"cookie", "auth", "token", "secret", "session", "password",
			"api-key", "apikey"} {
			secret = secret || strings.Contains(name, word)
		}
		if !secret {
			out[name] = strings.ReplaceAll(value, "\n", ", ") // lines of the same name
		}
	}
	return out
}
