package crawl

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// robotsParser takes the lines of a robots.txt in their order.
type robotsParser struct {
	file     *RobotsFile
	group    *robotsGroup // nil before the first User-agent line
	inRules  bool         // the next User-agent line begins another group
	delays   agentSpan    // the agents that the next Crawl-delay is for
	usage    agentSpan    // those that the next line on usage is for
	lines    int          // lines on usage
	sitemaps map[string]bool
}

// agentSpan are the agents of a group that the next line of a kind is for: those that were
// named since the last such line.
type agentSpan struct {
	from int
	done bool // the agents named so far have their line
}

// named notes that another agent follows those that the group has.
func (a *agentSpan) named(agents int) {
	if a.done {
		a.from, a.done = agents, false
	}
}

// robotsKeys are the beginnings of keys, misspellings included, and what their lines do.
// Like Google's parser we take a key that only begins so.
var robotsKeys = []struct {
	prefix string
	take   func(*robotsParser, robotsLine)
}{
	{"user-agent", (*robotsParser).agent},
	{"useragent", (*robotsParser).agent},
	{"user agent", (*robotsParser).agent},
	{"allow", (*robotsParser).allow},
	{"disallow", (*robotsParser).disallow},
	{"dissallow", (*robotsParser).disallow},
	{"dissalow", (*robotsParser).disallow},
	{"disalow", (*robotsParser).disallow},
	{"diasllow", (*robotsParser).disallow},
	{"disallaw", (*robotsParser).disallow},
	{"crawl-delay", (*robotsParser).delay},
	{"crawldelay", (*robotsParser).delay},
	{"crawl delay", (*robotsParser).delay},
	{"sitemap", (*robotsParser).sitemap},
	{"site-map", (*robotsParser).sitemap},
	{"content-signal", (*robotsParser).signal},
	{"content-usage", (*robotsParser).signal},
}

// take takes a line; one with another key says nothing.
func (p *robotsParser) take(l robotsLine) {
	for _, k := range robotsKeys {
		if len(l.key) >= len(k.prefix) && strings.EqualFold(l.key[:len(k.prefix)], k.prefix) {
			k.take(p, l)
			return
		}
	}
}

func (p *robotsParser) agent(l robotsLine) {
	if p.group == nil || p.inRules {
		p.file.groups = append(p.file.groups, robotsGroup{})
		p.group = &p.file.groups[len(p.file.groups)-1]
		p.inRules, p.delays, p.usage = false, agentSpan{}, agentSpan{}
	}
	p.delays.named(len(p.group.agents))
	p.usage.named(len(p.group.agents))
	p.group.agents = append(p.group.agents, agentOf(l.value))
}

func (p *robotsParser) allow(l robotsLine)    { p.rule(true, l) }
func (p *robotsParser) disallow(l robotsLine) { p.rule(false, l) }

func (p *robotsParser) rule(allow bool, l robotsLine) {
	if p.group == nil {
		return
	}
	p.inRules = true
	if r, ok := newRobotsRule(allow, l.value, l.number); ok {
		p.group.rules = append(p.group.rules, r)
	}
}

func (p *robotsParser) delay(l robotsLine) {
	if p.group == nil {
		return
	}
	p.delays.done = true
	seconds, err := strconv.ParseFloat(l.value, 64)
	if err != nil || math.IsNaN(seconds) || seconds < 0 {
		return
	}
	delay := maxRobotsDelay
	if seconds < maxRobotsDelay.Seconds() {
		delay = time.Duration(seconds * float64(time.Second))
	}
	agents := agentRange{p.delays.from, len(p.group.agents)}
	p.group.delays = append(p.group.delays, robotsDelay{agents, delay})
}

func (p *robotsParser) sitemap(l robotsLine) {
	if l.value != "" && !p.sitemaps[l.value] {
		p.sitemaps[l.value] = true
		p.file.Sitemaps = append(p.file.Sitemaps, l.value)
	}
}

func (p *robotsParser) signal(l robotsLine) {
	if p.lines++; p.lines > maxUsageLines {
		return
	}
	u := newUsageLine(l.key, l.value, l.number)
	if p.group == nil {
		p.file.usage = append(p.file.usage, u)
		return
	}
	p.usage.done = true
	u.agents = agentRange{p.usage.from, len(p.group.agents)}
	p.group.usage = append(p.group.usage, u)
}
