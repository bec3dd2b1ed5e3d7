package crawl

import (
	"strings"
	"time"
)

// ParseRobotsTag reads the values of X-Robots-Tag headers or of robots meta tags
// and tells whether the page must not be kept (noindex, none, an unavailable_after
// that has passed) and whether its links must not be followed (nofollow, none).
//
// A value may be meant for one crawler ("otherbot: noindex"); product is our
// product token, and rules for others do not count. Rules for us and for everybody
// add up, as Google reads them. Names are compared without regard to case.
func ParseRobotsTag(values []string, product string, now time.Time) (noindex, nofollow bool) {
	for _, value := range values {
		if len(value) > 8<<10 {
			value = value[:8<<10]
		}
		applies := true
		for value != "" {
			var rule string
			rule, value, _ = strings.Cut(value, ",")
			rule = strings.TrimSpace(rule)
			name, argument, colon := strings.Cut(rule, ":")
			name = strings.ToLower(strings.TrimSpace(name))
			if colon && !takesArgument(name) {
				inner, innerArgument, _ := strings.Cut(argument, ":")
				inner = strings.ToLower(strings.TrimSpace(inner))
				if !isRobotsRule(inner) {
					continue // a rule we do not know, with its argument
				}
				// "bot: noindex": what follows, up to the end of the value or the
				// next name, is for that crawler.
				applies = name == "*" || name == "robots" || strings.EqualFold(name, product)
				name, argument = inner, innerArgument
			}
			if name == "unavailable_after" {
				// Some forms of a date hold a comma.
				if t, ok := parseTagDate(argument); ok {
					noindex = noindex || applies && t.Before(now)
				} else if more, rest, _ := strings.Cut(value, ","); more != "" {
					if t, ok := parseTagDate(argument + "," + more); ok {
						value = rest
						noindex = noindex || applies && t.Before(now)
					}
				}
				continue
			}
			if !applies {
				continue
			}
			switch name {
			case "none":
				noindex, nofollow = true, true
			case "noindex":
				noindex = true
			case "nofollow":
				nofollow = true
			}
		}
	}
	return noindex, nofollow
}

func takesArgument(rule string) bool {
	switch rule {
	case "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview":
		return true
	}
	return false
}

func isRobotsRule(name string) bool {
	switch name {
	case "all", "none", "index", "noindex", "follow", "nofollow", "noarchive", "nocache", "nosnippet",
		"notranslate", "noimageindex", "indexifembedded", "nositelinkssearchbox", "noodp", "noydir", "noai", "noimageai":
		return true
	}
	return takesArgument(name)
}

// tagDates are the forms of dates in unavailable_after: RFC 822, RFC 850 and
// ISO 8601 with their usual variations.
var tagDates = []string{
	time.RFC1123, time.RFC1123Z, time.RFC850, time.RFC3339, "2006-01-02T15:04:05-0700", "2006-01-02 15:04:05 MST",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02",
	"02 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04 MST",
	"2 Jan 2006 15:04:05", "2 Jan 2006", "02-Jan-2006 15:04:05 MST", "02-Jan-06 15:04:05 MST", "02-Jan-2006",
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
