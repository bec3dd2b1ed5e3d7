package step

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"wstk/shared/wstk"
)

// HTTP words a step as a method and a path with the fields of its body or query, as
// openapi.json has them; as a setting of the server where only its operator can do it;
// else as the command of a machine that has the program.
func HTTP(s wstk.Step) string {
	if v := verbs[s.Do]; v.http != nil {
		if w := v.http(s); w != "" {
			return after(purpose(s, fieldName), w)
		}
	}
	return onMachine(s)
}

// onMachine words a step as the command of a machine that has the program.
func onMachine(s wstk.Step) string {
	words := s
	words.For, words.Raise = "", ""
	return after(strings.TrimPrefix(purpose(s, fieldName)+", on a machine with the program", ", "),
		Shell(words))
}

// onServer says that the operator of the server does it.
func onServer(word func(wstk.Step) string) func(wstk.Step) string {
	return func(s wstk.Step) string { return "on the server, " + word(s) }
}

func opened(wstk.Step) string {
	return "set fetch.allow_private (or WSTK_ALLOW_PRIVATE) to true, which opens loopback and " +
		"private addresses"
}

// askOf is the body of a question that is asked of one page alone.
const askOf = `{"query": %q, "urls": [%u]}`

const knownProviders = "GET /healthz names those that are set up; docs/operations.md says what " +
	"each needs"

func fieldName(n wstk.OptionName) string { return string(n) }

// post words a POST with this body: %u is the address of the step, %q its query.
func post(path, body string) func(wstk.Step) string {
	return func(s wstk.Step) string {
		return "POST " + path + " " + filled(body, s) + operators(s.Options, ofHTTP)
	}
}

// about words what answers a question about a page, with the pages it may read: the request or the
// call begins with beginning, and of says where the door has an option.
func about(beginning string, of func(option) string) func(wstk.Step) string {
	return func(s wstk.Step) string {
		out := filled(beginning, s)
		for _, o := range s.Options {
			if o.Name == wstk.OptMaxPages && o.Value != "" {
				out += ", " + field(o)
			}
		}
		return out + "}" + operators(s.Options, of)
	}
}

// filled is body with the address of a step for %u and its query for %q.
func filled(body string, s wstk.Step) string {
	address, query := s.URL, s.Query
	if address == "" {
		address = "https://URL"
	}
	if query == "" {
		query = "QUERY"
	}
	return strings.NewReplacer("%u", encoded(address), "%q", encoded(query)).Replace(body)
}

// ofHTTP is where requests have an option over HTTP; "" for nowhere.
func ofHTTP(o option) string { return o.field }

// crawl words a request that begins a crawl, with its bounds in the body.
func crawl(route string) func(wstk.Step) string {
	return func(s wstk.Step) string {
		var fields []string
		if !strings.Contains(route, "{id}") {
			address := s.URL
			if address == "" {
				address = "https://URL"
			}
			fields = []string{`"url": ` + encoded(address)}
		}
		for _, o := range s.Options {
			if options[o.Name].field == ofCrawls && o.Value != "" {
				fields = append(fields, field(o))
			}
		}
		out := strings.ReplaceAll(route, "{id}", idOf(s.URL))
		if fields != nil {
			out += " {" + strings.Join(fields, ", ") + "}"
		}
		return out + operators(s.Options, ofHTTP)
	}
}

// field is an option as a field of a body.
func field(o wstk.Option) string {
	value := encoded(o.Value)
	switch o.Name {
	case wstk.OptInclude, wstk.OptExclude:
		value = encoded(strings.Split(o.Value, ","))
	default:
		if _, err := strconv.Atoi(o.Value); err == nil {
			value = o.Value
		}
	}
	return `"` + fieldName(o.Name) + `": ` + value
}

// operators are the options that no request carries: the server must work with them.
func operators(list []wstk.Option, of func(option) string) string {
	var set []string
	for _, o := range list {
		known := options[o.Name]
		if of(known) != "" || known.setting == "" || o.InForce {
			continue
		}
		set = append(set, serverSetting(o))
	}
	if set == nil {
		return ""
	}
	return ", once the server has " + listed(set)
}

// serverSetting is an option as the setting of a server.
func serverSetting(o wstk.Option) string {
	known := options[o.Name]
	switch {
	case o.Value != "":
		return known.setting + " = " + o.Value
	case known.value == "": // on or off
		return known.setting + " = true"
	}
	return known.setting
}

// atSite words a request about the site of an address.
func atSite(method, below string) func(wstk.Step) string {
	return func(s wstk.Step) string {
		out := method + " /sites/" + idOf(s.URL) + below
		for _, o := range s.Options {
			if o.Name == wstk.OptWithRuns {
				out += "?with_runs=true"
			}
		}
		return out
	}
}

// runOf words the request for an answer, by the kind of its run.
func runOf(s wstk.Step) string {
	path := "GET /extractions/"
	if s.Kind == wstk.RunAnswer {
		path = "GET /answers/"
	}
	if s.Run == "" {
		return path + "{id}"
	}
	return path + string(s.Run)
}

// affectedOf words the request for the answers that a change touches.
func affectedOf(s wstk.Step) string {
	if s.URL == "" {
		return "GET /runs/affected"
	}
	return "GET /runs/affected?site=" + url.QueryEscape(s.URL)
}

// idOf names a site in a path.
func idOf(address string) string {
	if address == "" {
		return "{id}"
	}
	return url.PathEscape(address)
}

// fieldsOf words DoOption: fields of a body, or settings of the server; "" where neither
// can do it.
func fieldsOf(s wstk.Step) string { return optionsIn(s, ofHTTP, "in the body of ") }

// optionsIn words DoOption for a door: what requests have, or settings of the server; ""
// where neither can do it.
func optionsIn(s wstk.Step, of func(option) string, in string) string {
	var fields, set []string
	on := ""
	for _, o := range s.Options {
		known := options[o.Name]
		switch {
		case of(known) != "" && o.Value != "":
			fields, on = append(fields, field(o)), of(known)
		case known.setting != "":
			set = append(set, serverSetting(o))
		default:
			return ""
		}
	}
	var out []string
	if fields != nil {
		out = append(out, "{"+strings.Join(fields, ", ")+"} "+in+on)
	}
	if set != nil {
		out = append(out, "on the server, set "+listed(set))
	}
	return strings.TrimSpace(listed(out) + " " + s.Say)
}

func withoutFields(s wstk.Step) string {
	var out []string
	for _, o := range s.Options {
		out = append(out, fieldName(o.Name))
	}
	return "leave out " + listed(out)
}

// checkFields words DoCheck: the settings of the server stand for what no request has.
func checkFields(of func(option) string) func(wstk.Step) string {
	return func(s wstk.Step) string {
		out := nonEmpty(s.Say)
		for _, o := range s.Options {
			name := fieldName(o.Name)
			if known := options[o.Name]; of(known) == "" && known.setting != "" {
				name = "the server's " + known.setting
			}
			out = append(out, name)
		}
		return "check " + listed(out)
	}
}

// encoded is v as JSON, whose quotes are verbatim.
func encoded(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil { // texts and lists of them always have a JSON
		return `""`
	}
	return strings.TrimSpace(b.String())
}
