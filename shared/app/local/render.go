package local

import (
	"wstk/shared/adapter/chrome"
	"wstk/shared/adapter/safehttp"
	"wstk/shared/app"
	"wstk/shared/app/reading"
)

// render gives an App the browser of this machine. It is looked for, and started, when
// the first page is rendered. The caller closes the renderer. Each page has a gate of its own,
// which holds the operator's lists for whatever the page loads.
func render(a *app.App, client *safehttp.Client) (*chrome.Renderer, error) {
	c := a.Config
	cfg := chrome.Config{Path: c.Browser, Product: a.Fetch.UserAgent,
		Gate: func() (chrome.Gate, error) {
			return client.OpenGate(safehttp.GateOptions{Admit: a.Fetch.Admit})
		}}
	if c.Timeout > 0 {
		cfg.Timeout = min(c.Timeout, reading.LongestRequest)
	}
	renderer, err := chrome.New(cfg)
	if err != nil {
		return nil, err
	}
	a.Fetch.Renderer, a.Browser = renderer, browser{c.Browser}
	return renderer, nil
}

// browser is the one that the user configured, or the one that this machine has.
type browser struct{ configured string }

func (b browser) Find() (string, error) { return chrome.Find(b.configured) }

func (b browser) SystemProfile() (string, error) {
	path, err := b.Find()
	if err != nil {
		return "", err
	}
	return chrome.SystemProfile(path)
}
