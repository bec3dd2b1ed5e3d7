package text

import (
	"fmt"
	"time"
)

// ParseDate reads a day (in UTC) or an RFC 3339 time.
func ParseDate(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date such as 2026-01-31", s)
}
