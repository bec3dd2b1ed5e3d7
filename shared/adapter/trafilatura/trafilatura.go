// Package trafilatura finds the main content of a page with go-trafilatura.
package trafilatura

import (
	"errors"
	"net/url"

	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"
)

// errNothing is returned where the library found no content.
var errNothing = errors.New("no content found")

// Find returns a copy of the part of the page that holds its content. The page
// at root is not changed. It keeps no state and may be called concurrently.
//
// Of the library's modes this is the plain one: its fallbacks are other
// libraries, which are asked elsewhere or not at all, and dates and comments
// are read elsewhere.
func Find(root *html.Node, pageURL string) (*html.Node, error) {
	u, err := url.Parse(pageURL)
	if err != nil || u.Host == "" {
		u = &url.URL{Scheme: "http", Host: "localhost", Path: "/"}
	}
	r, err := trafilatura.ExtractDocument(root, trafilatura.Options{
		OriginalURL:     u,
		ExcludeComments: true,
		HtmlDateMode:    trafilatura.Disabled,
	})
	if err != nil {
		return nil, err
	}
	if r.ContentNode == nil {
		return nil, errNothing
	}
	return r.ContentNode, nil
}
