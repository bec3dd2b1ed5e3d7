package step

import (
	"strings"

	"wstk/shared/wstk"
)

// Tool words a step as the call of an MCP tool, its name and its arguments; as a setting of the
// server where only its operator can do it; else as the command of a machine that has the
// program.
func Tool(s wstk.Step) string {
	if v := verbs[s.Do]; v.tool != nil {
		if w := v.tool(s); w != "" {
			return after(purpose(s, fieldName), w)
		}
	}
	return onMachine(s)
}

// ofTools is which tool takes an option; "" for none.
func ofTools(o option) string { return o.tool }

// call words the call of a tool with these arguments: %u is the address of the step, %q its
// query.
func call(tool, arguments string) func(wstk.Step) string {
	return func(s wstk.Step) string {
		return tool + " " + filled(arguments, s) + operators(s.Options, ofTools)
	}
}

// ingest words a call that begins a crawl, with its bounds; with a mode, the argument of that
// name is true.
func ingest(mode string) func(wstk.Step) string {
	return func(s wstk.Step) string {
		out := filled(`{"url": %u`, s)
		if mode != "" {
			out += `, "` + mode + `": true`
		}
		for _, o := range s.Options {
			if options[o.Name].tool == ofIngest && o.Value != "" {
				out += ", " + field(o)
			}
		}
		return ofIngest + " " + out + "}" + operators(s.Options, ofTools)
	}
}

// argumentsOf words DoOption: arguments of a tool, or settings of the server; "" where neither
// can do it.
func argumentsOf(s wstk.Step) string { return optionsIn(s, ofTools, "in the arguments of ") }

// runResource words where an answer is kept.
func runResource(s wstk.Step) string {
	id := string(s.Run)
	if id == "" {
		id = "{id}"
	}
	return "read the resource wstk://runs/" + strings.TrimSpace(id)
}
