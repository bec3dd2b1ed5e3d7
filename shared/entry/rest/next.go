package rest

import (
	"net/url"
	"strings"

	"wstk/shared/text"
)

var (
	ingestStep  = text.Pattern(`^(.*: )?wstk site ingest (\S+)((?: .*)?)$`)
	refreshStep = text.Pattern(`^(.*: )?wstk site refresh (\S+)( --allow-private)?$`)
	boundFlag   = text.Pattern(`--([a-z-]+) ('[^']*'|[^-\s]\S*)`)
	statusStep  = text.Pattern(`wstk site status (\S+)$`)
	cancelStep  = text.Pattern(`^(.*: )?wstk site cancel (\S+)$`)
	removeStep  = text.Pattern(`^(.*: )?wstk site remove (\S+)( --with-runs)? --yes$`)
	listStep    = text.Pattern(`wstk site list$`)
)

// overHTTP says next steps in the words of this interface: the app's own are those of
// the command line. A step that has no counterpart here is left out.
func overHTTP(steps []string) []string {
	var out []string
	for _, s := range steps {
		switch {
		case ingestStep().MatchString(s):
			part := ingestStep().FindStringSubmatch(s)
			s = part[1] + "POST /sites " + ingestBody(part[2], part[3])
		case refreshStep().MatchString(s):
			part := refreshStep().FindStringSubmatch(s)
			s = part[1] + "POST /sites/" + url.PathEscape(strings.Trim(part[2], "'")) + "/refresh"
		case statusStep().MatchString(s):
			s = "GET /sites/" + url.PathEscape(statusStep().FindStringSubmatch(s)[1])
		case cancelStep().MatchString(s):
			m := cancelStep().FindStringSubmatch(s)
			s = m[1] + "DELETE /sites/" + url.PathEscape(m[2]) + "/crawl"
		case removeStep().MatchString(s):
			m := removeStep().FindStringSubmatch(s)
			s = m[1] + "DELETE /sites/" + url.PathEscape(m[2])
			if m[3] != "" {
				s += "?with_runs=true"
			}
		case listStep().MatchString(s):
			s = "GET /sites"
		case strings.Contains(s, "wstk ") || strings.Contains(s, "--"):
			continue
		}
		out = append(out, s)
	}
	return out
}

// ingestBody is the body that begins the crawl of an address with the bounds of these
// flags. Flags that no body has a field for are the server's own settings.
func ingestBody(address, flags string) string {
	fields := []string{`"url": ` + encoded(strings.Trim(address, "'"))}
	for _, f := range boundFlag().FindAllStringSubmatch(flags, -1) {
		name, value := strings.ReplaceAll(f[1], "-", "_"), strings.Trim(f[2], "'")
		switch name {
		case "max_pages", "max_depth", "rate_limit_ms":
			fields = append(fields, `"`+name+`": `+value)
		case "include", "exclude":
			fields = append(fields, `"`+name+`": `+encoded(strings.Split(value, ",")))
		case "robots":
			fields = append(fields, `"robots": `+encoded(value))
		}
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

func encoded(v any) string {
	data, _ := encode(v)
	return strings.TrimSpace(string(data))
}
