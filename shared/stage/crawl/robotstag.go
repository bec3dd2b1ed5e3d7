package crawl

import (
	"strings"
	"time"

	"wstk/shared/wstk"
)

// ParseRobotsTag reads the values of X-Robots-Tag headers or of robots meta tags
// and reports whether the page must not be kept (noindex, none, an unavailable_after
// that has passed) and whether its links must not be followed (nofollow, none).
//
// A value may be meant for one crawler ("otherbot: noindex"); product is our
// product token, and rules for others do not count. Rules for us and for all agents
// add up, as Google reads them. Names are compared without regard to case.
func ParseRobotsTag(values []string, product string, now time.Time) (noindex, nofollow bool) {
	for _, value := range values {
		for _, d := range wstk.RobotsDirectives(value, product) {
			switch d.Name {
			case "none":
				noindex, nofollow = true, true
			case "noindex":
				noindex = true
			case "nofollow":
				nofollow = true
			case "unavailable_after":
				t, ok := parseTagDate(d.Argument)
				noindex = noindex || ok && t.Before(now)
			}
		}
	}
	return noindex, nofollow
}

// tagDates are the forms of dates in unavailable_after: RFC 822, RFC 850 and
// ISO 8601 with their usual variations.
var tagDates = []string{
	time.RFC1123, time.RFC1123Z, time.RFC850, time.RFC3339, "2006-01-02T15:04:05-0700",
	"2006-01-02 15:04:05 MST",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02",
	"02 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 -0700",
	"2 Jan 2006 15:04 MST",
	"2 Jan 2006 15:04:05", "2 Jan 2006", "02-Jan-2006 15:04:05 MST",
	"02-Jan-06 15:04:05 MST", "02-Jan-2006",
}

func parseTagDate(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	for _, layout := range tagDates {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
