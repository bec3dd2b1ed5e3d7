package rest

import (
	"net/url"
	"strings"

	"wstk/shared/text"
)

var (
	ingestStep = text.Pattern(`^wstk site ingest (\S+)$`)
	statusStep = text.Pattern(`wstk site status (\S+)$`)
	listStep   = text.Pattern(`wstk site list$`)
)

// overHTTP says next steps in the words of this interface: the app's own are those of
// the command line. A step that has no counterpart here is left out.
func overHTTP(steps []string) []string {
	var out []string
	for _, s := range steps {
		switch {
		case ingestStep().MatchString(s):
			address, _ := encode(ingestStep().FindStringSubmatch(s)[1])
			s = `POST /sites {"url": ` + strings.TrimSpace(string(address)) + `}`
		case statusStep().MatchString(s):
			s = "GET /sites/" + url.PathEscape(statusStep().FindStringSubmatch(s)[1])
		case listStep().MatchString(s):
			s = "GET /sites"
		case strings.Contains(s, "wstk ") || strings.Contains(s, "--"):
			continue
		}
		out = append(out, s)
	}
	return out
}
