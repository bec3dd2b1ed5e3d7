package read

import (
	"strings"
	"time"
)

// dateLayouts are the forms a machine writes dates in. Forms that leave the
// order of day and month to the reader (3/5/2024) are not among them.
var dateLayouts = []string{
	time.RFC3339Nano,
	"2006-01-02T15:04:05.999999999Z0700",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04Z0700",
	"2006-01-02T15:04:05.999999999",
	"2006-01-02T15:04",
	"2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05 Z0700",
	"2006-01-02 15:04:05 MST",
	"2006-01-02 15:04:05.999999999",
	"2006-01-02 15:04",
	"2006-01-02Z07:00",
	"2006-01-02",
	"2006/01/02 15:04:05",
	"2006/01/02",
	"20060102",
	"20060102T150405Z",
	"2006-01",
	time.RFC1123,
	time.RFC1123Z,
	"Mon, 2 Jan 2006 15:04:05 MST",
	"Mon, 2 Jan 2006 15:04:05 -0700",
	"2 Jan 2006 15:04:05 -0700",
	time.RFC850,
	time.ANSIC,
	"Mon Jan 2 15:04:05 MST 2006",
	"Mon Jan 02 2006 15:04:05 GMT-0700",
	"January 2, 2006",
	"January 2, 2006 3:04 PM",
	"January 2, 2006, 3:04 pm",
	"January 2, 2006 - 3:04pm",
	"Jan 2, 2006",
	"Jan. 2, 2006",
	"2 January 2006",
	"2 Jan 2006",
	"Monday, January 2, 2006",
	"Monday, 2 January 2006",
}

// parseDate reads a date as machines and careful people write it; false for
// anything else, also for dates before 1990 or implausibly far ahead, which are
// no dates of web pages. A form without a zone is UTC. It never knows of "now".
func parseDate(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if len(s) < 7 || len(s) > 64 {
		return time.Time{}, false
	}
	// "2024-05-01T10:00:00 +02:00", "2024-05-01T10:00:00.000 Z"
	if len(s) > 19 && s[10] == 'T' {
		s = strings.ReplaceAll(s, " ", "")
	}
	if i := strings.IndexByte(s, '['); i > 0 { // 2024-05-01T10:00Z[Europe/Paris]
		s = s[:i]
	}
	if i := strings.Index(s, " ("); i > 0 { // … GMT+0000 (Coordinated Universal Time)
		s = s[:i]
	}
	for _, l := range dateLayouts {
		t, err := time.Parse(l, s)
		if err != nil {
			continue
		}
		if y := t.Year(); y < 1990 || y > 2100 {
			return time.Time{}, false
		}
		return t.UTC(), true
	}
	return time.Time{}, false
}
