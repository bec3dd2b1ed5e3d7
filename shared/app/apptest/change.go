package apptest

import "wstk/shared/app"

// Change replaces parts of what the home of an App brings. It must not be called while the App
// works.
func Change(a *app.App, change func(h *app.Home)) {
	change(&a.Home)
	a.Compose()
}
