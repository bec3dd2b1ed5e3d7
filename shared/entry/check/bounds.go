package check

import (
	"strconv"
	"strings"

	"wstk/shared/config"
	"wstk/shared/wstk"
)

const (
	maxPages = 1_000_000
	maxDepth = 1000
	maxRest  = 3_600_000 // ms between two requests to a host
	maxGlob  = 500       // code points
)

// Bounds are what a crawl may be told; what is not given is the operator's default, or
// on a refresh the site's own.
type Bounds struct {
	MaxPages    *int      `json:"max_pages"`
	MaxDepth    *int      `json:"max_depth"`
	RateLimitMS *int      `json:"rate_limit_ms"`
	Include     *[]string `json:"include"`
	Exclude     *[]string `json:"exclude"`
	Robots      *string   `json:"robots"`
	Render      *bool     `json:"render"`
}

// Config is c with the bounds given.
func (b Bounds) Config(c config.Config) (config.Config, error) {
	values := map[string]string{}
	for _, n := range []struct {
		name, key   string
		value       *int
		least, most int
	}{
		{"max_pages", "crawl.max_pages", b.MaxPages, 1, maxPages},
		{"max_depth", "crawl.max_depth", b.MaxDepth, 0, maxDepth},
		{"rate_limit_ms", "crawl.rate_limit_ms", b.RateLimitMS, 0, maxRest},
	} {
		if n.value == nil {
			continue
		}
		if err := InRange(n.name, *n.value, n.least, n.most); err != nil {
			return c, err
		}
		values[n.key] = strconv.Itoa(*n.value)
	}
	for _, l := range []struct {
		name, key string
		value     *[]string
	}{
		{"include", "crawl.include", b.Include},
		{"exclude", "crawl.exclude", b.Exclude},
	} {
		if l.value == nil {
			continue
		}
		if err := List(l.name, *l.value, MaxItems, maxGlob); err != nil {
			return c, err
		}
		joined := strings.Join(*l.value, ",")
		if len(*l.value) > 0 && strings.Count(joined, ",") != len(*l.value)-1 {
			return c, wstk.Errorf(wstk.Invalid, "", "a path in %s holds a comma", l.name).
				Try(wstk.Advice("write * in its place"))
		}
		for _, pattern := range *l.value {
			if err := config.Pattern(pattern); err != nil {
				return c, wstk.Wrap(wstk.Invalid, l.name, err)
			}
		}
		values[l.key] = joined
	}
	if b.Robots != nil {
		values["fetch.robots"] = *b.Robots
	}
	if b.Render != nil {
		values["crawl.render"] = strconv.FormatBool(*b.Render)
	}
	c, err := c.With(values, "request")
	if err != nil {
		return c, invalid("robots must be respect, warn or ignore") // all else was checked
	}
	return c, nil
}
