package read

import (
	"strings"
	"testing"
	"time"
)

// Only a line that is a date or a byline dates its page.
func TestVisibleDates(t *testing.T) {
	const published, modified = "2021-05-03 ", " 2021-05-03"
	for _, c := range []struct{ line, want string }{
		{"3 May 2021", published}, {"2021-05-03", published}, {"Monday, 3 May 2021 10:00 UTC", published},
		{"Published on May 3, 2021", published}, {"May 3, 2021 | 5 min read", published},
		{"By Jane Doe on May 3, 2021", published}, {"News | 3 May 2021", published}, {"Page last edited by Ann", " "},
		{"This page last modified on 2021-05-03 18:45:48 UTC", modified}, {"Updated: 3 May 2021", modified},
		{"Published 3 May 2021, updated 4 May 2021", "2021-05-03 2021-05-04"},

		{"Kettles boil faster since version 3.7.0 (2021-05-03).", " "}, {"Version 3.7.0 (2021-05-03)", " "},
		{"The town opened its first shop on May 3, 2021.", " "}, {"The kettle was updated on 3 May 2021.", " "},
		{"3.7.0 2021-05-03", " "}, {"Copyright 3 May 2021 Kettle Company", " "},
	} {
		d, err := (&Stage{}).Do(t.Context(), Input{URL: "https://example.org/kettles",
			ContentType: "text/html", Body: []byte(strings.Replace(article, "</h1>", "</h1><p>"+c.line+"</p>", 1))})
		if err != nil {
			t.Fatal(err)
		}
		day := func(at *time.Time) string {
			if at == nil {
				return ""
			}
			return at.Format(time.DateOnly)
		}
		if got := day(d.Meta.PublishedAt) + " " + day(d.Meta.ModifiedAt); got != c.want {
			t.Errorf("%q: published and modified %q, not %q", c.line, got, c.want)
		}
	}
}
