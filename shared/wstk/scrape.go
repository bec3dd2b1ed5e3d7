package wstk

import "context"

// Scraped is a page as a service handed it over. We did not fetch it: only the service says
// that it came from URL.
type Scraped struct {
	URL         string // where the page was, after redirects; canonical
	Body        []byte // HTML after scripts ran, or Markdown; never empty
	ContentType string // text/html or text/markdown
}

// Scraper has a service fetch one page, run its scripts and hand it over. It is safe for
// concurrent use and tries each call once.
type Scraper interface {
	// Info says what the service is. It sends no request.
	Info() ProviderInfo

	// Scrape asks for a page by its canonical URL. Where the service says that the site
	// answered 404 or 410, the error is NotFound, and HTTPError for other statuses from 400
	// and for a reply without a body. Other errors carry the codes of SearchProvider.Search.
	// No error text holds a key.
	Scrape(ctx context.Context, url string) (Scraped, error)
}
