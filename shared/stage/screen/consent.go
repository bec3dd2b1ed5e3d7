package screen

import (
	"net/url"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// A consent page stands where the page should be and asks for cookies, terms or
// an age to be accepted. A banner beside the content is no such page: there is
// something else to read.

const (
	consentRest = 250 // what may be left without the question
	consentOwn  = 6000
)

// consent reports whether a consent page stands in place of the page.
func (p *page) consent(snap wstk.Snapshot) string {
	if host := consentHost(snap.FinalURL); host != "" && !consentAsked(snap.URL) {
		return "the site sent us to a consent page (" + host + ")"
	}
	if p.own > consentOwn || p.text == "" || strings.Contains(p.title, "policy") ||
		strings.Contains(p.heading, "policy") {
		return ""
	}
	start := p.text[:min(len(p.text), 1200)]
	phrase, what := first(start, phrases("consent sentences")), "cookies"
	if age := first(start, phrases("age questions")); age != "" {
		phrase, what = age, "an age"
	}
	if phrase == "" {
		return ""
	}
	if !p.mostlyAsks() {
		return ""
	}
	return "a page that asks for consent (" + what +
		") stands in place of the page: it says \"" + phrase + "\""
}

// mostlyAsks reports whether the page has buttons, and hardly anything but a question.
func (p *page) mostlyAsks() bool {
	labels, rest, asked := 0, 0, 0
	for _, b := range p.blocks {
		n := weigh(b, text.Range{End: len(b)}, nil)
		switch {
		case labelsOnly(b):
			labels++
		case p.asks(b):
			asked += n
		default:
			rest += n
		}
	}
	// Links are menus and imprints; they are in rest, so take them out once.
	rest = max(0, rest-(p.size-p.own))
	return labels > 0 && rest <= consentRest && rest <= asked+consentRest/2 &&
		(p.prose == 0 || asked >= p.prose/2)
}

// ages makes one label of those that differ in the age.
var ages = strings.NewReplacer("16", "18", "19", "18", "20", "18", "21", "18")

// labelsOnly reports whether b is labels of buttons, one or several in a row, with at
// most a few words that are no label we know.
func labelsOnly(b string) bool {
	if len(b) > 200 {
		return false
	}
	words := strings.Fields(b)
	labels, others := 0, 0
	for len(words) > 0 {
		n := min(len(words), 5)
		for n > 0 && !among("consent labels", ages.Replace(bare(strings.Join(words[:n], " ")))) {
			n--
		}
		if n == 0 {
			others++
			n = 1
		} else {
			labels++
		}
		words = words[n:]
	}
	return labels > 0 && (others <= min(3, 2*labels) || len(b) < 60 && others <= 6)
}

// asks reports whether block b is part of the question.
func (p *page) asks(b string) bool {
	if first(b, phrases("consent sentences")) != "" || first(b, phrases("age questions")) != "" {
		return true
	}
	n := 0
	for _, w := range phrases("consent words") {
		if strings.Contains(b, w) {
			if n++; n == 2 {
				return true
			}
		}
	}
	return n == 1 && len(b) < 60
}

func consentHost(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	for _, h := range phrases("consent hosts") {
		if strings.HasPrefix(host, h) {
			return host
		}
	}
	return ""
}

// consentAsked reports whether the consent page itself was asked for.
func consentAsked(raw string) bool { return consentHost(raw) != "" }
