package crawl

import (
	"strings"

	"wstk/shared/wstk"
)

// usageLine is a Content-Signal or Content-Usage line: what its group may use the pages
// below a path for. Like a Crawl-delay it does not end the list of agents, and is for those
// that were named since the last such line.
type usageLine struct {
	agents  agentRange
	rule    robotsRule // of the path; without one it is the least specific
	source  wstk.UsageSource
	signals []wstk.UsageSignal
}

func newUsageLine(key, value string, line int) usageLine {
	text := key + ": " + value
	path := ""
	if strings.HasPrefix(value, "/") || strings.HasPrefix(value, "*/") {
		path, value = value, ""
		if i := strings.IndexAny(path, " \t"); i >= 0 {
			path, value = path[:i], strings.TrimLeft(path[i:], " \t")
		}
	}
	u := usageLine{signals: wstk.RobotsSignals(key, value, text, line)}
	u.source = u.signals[0].Source
	u.rule, _ = newRobotsRule(false, path, line)
	return u
}

// matches reports whether the line is about path, and how specific it is.
func (u *usageLine) matches(path string) (length int, ok bool) {
	if u.rule.raw == "" {
		return 0, true
	}
	return u.rule.matches(path)
}

// rights returns what the lines say about path. Of each kind of line the most specific ones
// count (draft-ietf-aipref-attach), all of them if several are equally specific.
func (s *ruleSet) rights(path string) wstk.Rights {
	best := map[wstk.UsageSource]int{}
	for i := range s.usage {
		if n, ok := s.usage[i].matches(path); ok {
			best[s.usage[i].source] = max(best[s.usage[i].source], n)
		}
	}
	r := wstk.NewRights()
	for i := range s.usage {
		if n, ok := s.usage[i].matches(path); ok && n == best[s.usage[i].source] {
			r = r.With(s.usage[i].signals...)
		}
	}
	return r
}
