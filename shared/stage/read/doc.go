// Package read makes Documents of stored bodies: the page's whole visible text in
// blocks with offsets, what of it is main content, Markdown, links, metadata and
// structured data. The same bytes give the same Document.
package read
