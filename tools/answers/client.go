package main

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"path"
	"strings"

	"wstk/shared/wstk"
)

// client gives pages that are held in memory, as if sites had sent them. Nothing else can be
// reached through it.
type client map[string][]byte // by URL

// newClient returns a client of one site, with a sitemap that names all its pages.
func newClient(root string, files pages) client {
	c := client{}
	var sitemap strings.Builder
	sitemap.WriteString(`<?xml version="1.0"?>` +
		`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for _, name := range files.paths() {
		c[root+name] = files[name]
		fmt.Fprintf(&sitemap, "<url><loc>%s</loc></url>", html.EscapeString(root+name))
	}
	sitemap.WriteString("</urlset>")
	c[root+"sitemap.xml"] = []byte(sitemap.String())
	c[root+"robots.txt"] = []byte("User-agent: *\nAllow: /\n")
	return c
}

// Do implements wstk.Client.
func (c client) Do(_ context.Context, r wstk.Request) (wstk.Response, error) {
	out := wstk.Response{Status: http.StatusOK, Header: http.Header{}, Remote: "192.0.2.1:443"}
	body, ok := c[r.URL]
	if !ok {
		out.Status = http.StatusNotFound
		return out, nil
	}
	kind := "text/html"
	switch path.Ext(r.URL) {
	case ".xml":
		kind = "application/xml"
	case ".txt":
		kind = "text/plain"
	}
	out.Header.Set("Content-Type", kind)
	out.Body = body
	return out, nil
}
