package local

import (
	"errors"

	"wstk/shared/adapter/chrome"
	"wstk/shared/adapter/safehttp"
	"wstk/shared/app"
	"wstk/shared/app/reading"
)

// render gives an App the browser of this machine. It is looked for, and started, when
// the first page is rendered, and ends with the App. Each page has a gate of its own,
// which holds the operator's lists for whatever the page loads.
func render(a *app.App, client *safehttp.Client) error {
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
		return err
	}
	a.Fetch.Renderer = renderer
	a.FindBrowser = func() (string, error) { return chrome.Find(c.Browser) }
	a.SystemProfile = func() (string, error) {
		path, err := chrome.Find(c.Browser)
		if err != nil {
			return "", err
		}
		return chrome.SystemProfile(path)
	}
	rest := a.CloseAll
	a.CloseAll = func() error {
		err := renderer.Close()
		if rest == nil {
			return err
		}
		return errors.Join(err, rest())
	}
	return nil
}
