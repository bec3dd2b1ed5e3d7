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

// Find returns a copy of the part of the page that holds its content, without
// comments. The page at root is not changed. It keeps no state and may be called
// concurrently.
func Find(root *html.Node, pageURL string) (*html.Node, error) {
	return find(root, pageURL, trafilatura.Options{})
}

func find(root *html.Node, pageURL string, opts trafilatura.Options) (*html.Node, error) {
	u, err := url.Parse(pageURL)
	if err != nil || u.Host == "" {
		u = &url.URL{Scheme: "http", Host: "localhost", Path: "/"}
	}
	opts.OriginalURL = u
	opts.HtmlDateMode = trafilatura.Disabled
	r, err := trafilatura.ExtractDocument(root, opts)
	if err != nil {
		return nil, err
	}
	if r.ContentNode == nil {
		return nil, errNothing
	}
	return r.ContentNode, nil
}
