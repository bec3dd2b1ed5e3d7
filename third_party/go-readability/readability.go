// Package readability stands in for github.com/go-shiori/go-readability, which
// go-trafilatura runs as a fallback. This product calls go-trafilatura without
// fallbacks and uses a maintained fork of the same library by itself (see
// shared/adapter/readability), so only the names that go-trafilatura mentions
// are kept.
package readability

import (
	"errors"
	"net/url"

	"golang.org/x/net/html"
)

// Article is what was found; here never anything.
type Article struct {
	Node *html.Node
}

// ErrNotBuilt is what FromDocument returns.
var ErrNotBuilt = errors.New("this fallback is not part of this build")

// FromDocument finds nothing and returns ErrNotBuilt.
func FromDocument(*html.Node, *url.URL) (Article, error) { return Article{}, ErrNotBuilt }
