package said

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Cost says who proposed an answer and what models cost: "proposed by openai:m1: 2 model calls,
// 3,120 tokens, 4.1 s"; "" if none was asked. The proposer may be nil.
func Cost(by *wstk.Proposer, u wstk.Usage) string {
	var models []string
	if by != nil {
		for _, op := range slices.Sorted(maps.Keys(by.Models)) {
			m := by.Models[op]
			if name := clipped(m.Provider, 60) + ":" + clipped(m.Model, 120); !slices.Contains(models, name) {
				models = append(models, name)
			}
		}
	}
	used := Usage(u)
	if len(models) == 0 {
		return used
	}
	return strings.TrimSuffix("proposed by "+strings.Join(models, " and ")+": "+used, ": ")
}

// clipped is a name of a model on one line.
func clipped(name string, most int) string {
	return text.Shorten(strings.Join(strings.Fields(name), " "), most)
}

// Usage says what models cost: "2 model calls, 3,120 tokens, 4.1 s"; "" if none was asked.
func Usage(u wstk.Usage) string {
	if u.Calls == 0 {
		return ""
	}
	return fmt.Sprintf("%s, %s tokens, %.1f s", text.Count(u.Calls, "model call"),
		grouped(u.InputTokens+u.OutputTokens), float64(u.DurationMS)/1000)
}

// grouped is a number with commas between its thousands.
func grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
