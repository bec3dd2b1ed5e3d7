package wstk

import "context"

// Scraped is a page as a service handed it over. We did not fetch it: only the service says
// that it came from URL.
type Scraped struct {
	URL         string // where the page was, after redirects; canonical
	Status      int    // that the site answered the service with; 0 where the service does not say
	Body        []byte // UTF-8: HTML after scripts ran, or Markdown; may be empty from status 400
	ContentType string // text/html or text/markdown
	Host        string // of the service's address, without a port
}

// Scraper has a service fetch one page, run its scripts and hand it over. It is safe for
// concurrent use and tries each call once.
type Scraper interface {
	// Info says what the service is. It sends no request.
	Info() ProviderInfo

	// Scrape asks for a page by its canonical URL. What the site answered the service, also
	// 403 or 404, is a Scraped. What the service itself answers is an error with the codes of
	// SearchProvider.Search: HTTPError also for a page below status 400 without a body. No
	// error text holds a key.
	Scrape(ctx context.Context, url string) (Scraped, error)
}
