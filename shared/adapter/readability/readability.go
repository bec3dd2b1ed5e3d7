// Package readability finds the main content of a page with go-readability, a
// port of the reader view of Firefox.
package readability

import (
	"errors"
	"net/url"

	"codeberg.org/readeck/go-readability"
	"golang.org/x/net/html"
)

// errNothing is returned where the library found no article.
var errNothing = errors.New("no article found")

// Find returns a copy of the part of the page that reads as an article. The page
// at root is not changed. It keeps no state and may be called concurrently.
func Find(root *html.Node, pageURL string) (*html.Node, error) {
	u, err := url.Parse(pageURL)
	if err != nil || u.Host == "" {
		u = &url.URL{Scheme: "http", Host: "localhost", Path: "/"}
	}
	p := readability.NewParser()
	p.DisableJSONLD = true // the reader reads it by itself
	a, err := p.ParseDocument(root, u)
	if err != nil {
		return nil, err
	}
	if a.Node == nil {
		return nil, errNothing
	}
	return a.Node, nil
}
