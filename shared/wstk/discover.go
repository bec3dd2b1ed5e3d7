package wstk

import "context"

// Crawler is how a crawl finds the pages of a site. Each follows links, robots.txt and
// sitemaps; all but the first ask a service for addresses before that.
type Crawler string

const (
	CrawlerHTTP      Crawler = "http"      // asks no service
	CrawlerInformed  Crawler = "informed"  // searches the web for the question, on the site's host
	CrawlerTavily    Crawler = "tavily"    // asks Tavily for a search and a map of the site
	CrawlerFirecrawl Crawler = "firecrawl" // asks an endpoint for a map; it also renders pages
)

// Crawlers lists the crawlers, CrawlerHTTP first.
func Crawlers() []Crawler {
	return []Crawler{CrawlerHTTP, CrawlerInformed, CrawlerTavily, CrawlerFirecrawl}
}

// Via is how URLs were discovered that this crawler's service named; "" for CrawlerHTTP.
func (c Crawler) Via() FoundVia {
	switch c {
	case CrawlerInformed:
		return ViaSearch
	case CrawlerTavily:
		return ViaTavily
	case CrawlerFirecrawl:
		return ViaFirecrawl
	}
	return ""
}

// DiscoverQuery asks a Discoverer for pages of a site.
type DiscoverQuery struct {
	Root     string // canonical URL of the site's root
	Question string // what the pages should answer; "" means any page
	Max      int    // addresses wanted at most, in all batches together; at least 1
	Depth    int    // links from the root, at most; a service may know no such bound
}

// Discovery is one batch of addresses.
type Discovery struct {
	// URLs are canonical, http or https, without a user name, each once, best first. The
	// service may name pages of other sites: the crawl decides what is in scope.
	URLs []string

	// Next is the cursor of the next batch; "" at the end.
	Next     string
	Warnings []Warning
}

// Discoverer has a service name pages of a site, which links may not lead to. It is safe for
// concurrent use, keeps no state between calls, and sends one request in each call.
type Discoverer interface {
	// Info says what the service is. It sends no request.
	Info() ProviderInfo

	// Discover returns the batch at cursor: "" is the first, then Discovery.Next. A batch
	// may be empty, and every chain of batches ends. A service that knows no page is a
	// success. Errors carry the codes of SearchProvider.Search; an unknown cursor, and no
	// question where one is needed, is Invalid. No error text holds a key.
	Discover(ctx context.Context, q DiscoverQuery, cursor string) (Discovery, error)
}
