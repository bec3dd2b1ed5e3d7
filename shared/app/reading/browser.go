package reading

import "wstk/shared/wstk"

// Browser is the browser that renders pages in a home.
type Browser interface {
	// Find returns the path of the browser, or Unavailable with what to install.
	Find() (string, error)

	// SystemProfile returns the folder of the profile that the user of this machine has in the
	// browser.
	SystemProfile() (string, error)
}

// NoBrowser is the browser of a home that renders no page.
type NoBrowser struct{}

// Find returns Unavailable.
func (NoBrowser) Find() (string, error) {
	return "", wstk.Errorf(wstk.Unavailable, "", "there is no browser here to render pages").
		Try(wstk.Advice("read the page without rendering it, or render it on a machine that " +
			"has a browser"))
}

// SystemProfile returns Unavailable.
func (b NoBrowser) SystemProfile() (string, error) { return b.Find() }
