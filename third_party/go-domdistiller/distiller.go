// Package distiller stands in for github.com/markusmobius/go-domdistiller, which
// go-trafilatura runs as a fallback. This product calls go-trafilatura without
// fallbacks, so only the names that go-trafilatura mentions are kept; the
// original's patterns would cost every process start 6 ms.
package distiller

import (
	"errors"
	"net/url"

	"golang.org/x/net/html"
)

// Options has the fields that go-trafilatura sets. None has an effect.
type Options struct {
	OriginalURL    *url.URL
	SkipPagination bool
}

// Result is what was found; here never anything.
type Result struct {
	Node *html.Node
}

// ErrNotBuilt is what Apply returns.
var ErrNotBuilt = errors.New("this fallback is not part of this build")

// Apply finds nothing and returns ErrNotBuilt.
func Apply(*html.Node, *Options) (*Result, error) { return nil, ErrNotBuilt }
