package search

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// What the words ask for besides a time: operators, sites, a number of results, a
// language, a country.

// operators reads what is written as an operator, and leaves out what is not wanted.
func (r *reader) operators() {
	for i := 0; i < len(r.words); i++ {
		w := &r.words[i]
		name, _, _ := strings.Cut(r.s[w.start:w.end], ":")
		value, v := w.text, i
		if w.op != "" && value == "" && r.free(i+1, i+2) { // site: example.com
			v = i + 1
			value = r.words[v].text
		}
		switch {
		case w.minus:
			w.use = left
			r.note("exclude_unsupported", nil,
				"Not every search provider can exclude words; %q was left out.",
				tidy(r.s[w.start:w.end]))
		case w.op == "":
		case w.op == "other":
			r.note("operator_unsupported", nil, "Not every search provider knows the operator "+
				"%s:; the words behind it are searched like others.", name)
			w.op, w.key = "", keyOf(w.text)
			w.quoted = strings.Contains(w.text, " ")
		case readers[w.op](r, value):
			r.mark(i, v+1, taken)
			if w.op == "site" {
				i = r.moreSites(v+1) - 1
			}
		case w.text == "": // on a building site: …
			w.op, w.text, w.key = "", tidy(name), keyOf(name)
		default:
			r.note("operator_unsupported", nil, "%q could not be read and is searched as words.",
				r.quote(i, v+1))
			w.op, w.key = "", ""
			w.quoted = true // no part of anything else
		}
	}
}

// readers read the value of an operator, by what it asks for; false if it is invalid.
var readers = map[string]func(*reader, string) bool{
	"site": func(r *reader, value string) bool {
		ok := false
		for s := range strings.FieldsFuncSeq(value,
			func(c rune) bool { return c == ',' || c == ' ' }) {
			ok = r.site(s, true) || ok
		}
		return ok
	},
	"lang": func(r *reader, value string) bool {
		code, known := words().languageNames.all[keyOf(value)]
		if primary, _, _ := strings.Cut(strings.ToLower(value), "-"); !known &&
			text.IsLanguage(primary) {
			code, known = primary, true
		}
		if known {
			r.speak(code)
		}
		return known
	},
	"geo": func(r *reader, value string) bool {
		code, known := words().countryNames.all[keyOf(value)]
		if upper := strings.ToUpper(value); !known && text.IsCountry(upper) {
			code, known = upper, true
		}
		if known {
			r.t.Filters.Geo = code
		}
		return known
	},
	"max": func(r *reader, value string) bool {
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return false
		}
		r.count(n)
		return true
	},
	"after":  func(r *reader, value string) bool { return r.bound(&r.t.Filters.DateAfter, value) },
	"before": func(r *reader, value string) bool { return r.bound(&r.t.Filters.DateBefore, value) },
}

// bound sets an end of the time to the first day of the value of an operator; false if it
// is no time, is set already, or would have the time end before it begins.
func (r *reader) bound(end *string, value string) bool {
	d, ok := r.parse(value)
	if y, err := strconv.Atoi(value); err == nil && len(value) == 4 && y >= r.now.Year()-yearsBack {
		d, ok = period(value)
	}
	if !ok || d.vague || *end != "" {
		return false
	}
	f := &r.t.Filters
	*end = d.from.Format(time.DateOnly)
	if f.DateAfter != "" && f.DateBefore != "" && f.DateAfter > f.DateBefore {
		*end = ""
		return false
	}
	r.timed = true
	return true
}

// domainOf reads a word as a domain, or as a suffix such as .eu. Words that are more often
// something else are none unless an operator says so: ASP.NET, node.js.
func domainOf(w string, sure bool) (domain string, path, ok bool) {
	host := strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(w), "https://"), "http://")
	host, rest, _ := strings.Cut(host, "/")
	domain, err := text.Domain(host)
	if err != nil || strings.ContainsAny(host, ":@[") {
		return "", false, false
	}
	name := strings.TrimPrefix(domain, ".")
	suffix, registered := publicsuffix.PublicSuffix(name)
	if !registered && !strings.Contains(suffix, ".") {
		return "", false, false
	}
	if !strings.Contains(name, ".") { // eu is written .eu
		return "." + name, rest != "", sure || domain != name
	}
	if _, end, _ := strings.Cut(w, "."); !sure && end == strings.ToUpper(end) {
		return "", false, false
	}
	return domain, rest != "", true
}

// site adds a site; false if w is none.
func (r *reader) site(w string, sure bool) bool {
	domain, path, ok := domainOf(w, sure)
	if !ok {
		return false
	}
	f := &r.t.Filters
	switch {
	case slices.Contains(f.Sites, domain):
	case len(f.Sites) == r.limits.sites():
		r.note("sites_dropped", nil, "A search has at most %d sites; the others were left out.",
			len(f.Sites))
	default:
		f.Sites = append(f.Sites, domain)
	}
	if path {
		r.note("site_simplified", nil,
			"Only whole domains can be searched; the path of %q was left out.", w)
	}
	return true
}

// sites reads domains behind a preposition: on example.com, from bbc.co.uk and cnn.com.
func (r *reader) sites() {
	for i := 0; i < len(r.words); i++ {
		n := r.has(i, "on a site")
		if j := i + n; n == 0 || !r.free(j, j+1) || r.words[j].parted ||
			!r.site(r.words[j].text, false) {
			continue
		}
		r.mark(i, i+n+1, taken)
		i = r.moreSites(i+n+1) - 1
	}
}

// moreSites reads the sites that follow others, separated by commas, "and" or "or", from word i
// on, and returns where they end.
func (r *reader) moreSites(i int) int {
	for i < len(r.words) {
		j := i + r.has(i, "and", "or")
		if !r.free(j, j+1) || j == i && !r.words[j].parted && !r.words[j].or ||
			!r.site(r.words[j].text, false) {
			break
		}
		r.mark(i, j+1, taken)
		i = j + 1
	}
	return i
}

// counts reads how many results are wanted, where that begins what is said or is asked for:
// 10 results for …, give me 20 articles, limit 5. A number behind words that are searched
// belongs to them: Euro 2024 results, Form 10 results.
func (r *reader) counts() {
	for i := range r.words {
		lead := r.has(i, "first", "at most")
		digits := r.at(i + lead)
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || n > wstk.MostResults || !isDigit(digits[0]) ||
			!r.free(i, i+lead+1) {
			continue
		}
		if end := r.countEnd(i, i+lead); end > 0 {
			r.mark(i, end, taken)
			r.count(n)
		}
	}
}

// countEnd returns where a count ends that begins at word i and has its number at word
// number; 0 if the number belongs to what is searched.
func (r *reader) countEnd(i, number int) int {
	begins, asked := r.opens(i)
	most := r.has(i, "at most") > 0
	end := number + 1
	k := end + r.has(end, "fresh") // 10 latest articles
	noun := r.has(k, "result")
	if noun == 0 && begins && (asked || number > i) {
		noun = r.has(k, "page")
	}
	switch {
	case noun == 0 && number > i && r.edge(end) && (begins || !most): // not "speed limit 20"
		return end
	case noun > 0 && (begins || most) && r.has(k+noun, "per page") == 0:
		return k + noun
	}
	return 0
}

// opens reports whether word i, behind an article or not, begins what is said, and whether
// it follows a request: give me the 20 …
func (r *reader) opens(i int) (begins, asked bool) {
	if i > 0 && !r.words[i].parted && r.has(i-1, "article") > 0 {
		i--
	}
	if i == 0 {
		return true, false
	}
	before := r.words[i-1].use
	return r.words[i].parted || before != content, before == polite
}

// count sets how many results are wanted.
func (r *reader) count(n int) {
	if n > wstk.MostResults {
		r.note("count_limited", nil, "%d results are too many; %d are asked for.",
			n, wstk.MostResults)
	}
	r.t.Filters.MaxResults = min(n, wstk.MostResults)
}

// region reads the country behind "in": it stays among the keywords, too.
func (r *reader) region() {
	if r.t.Filters.Geo != "" {
		return
	}
	var found []string
	for i := 0; i < len(r.words); i++ {
		n := r.has(i, "in a country")
		for j := i + n; n > 0; {
			start := r.skip(j, "article")
			code, m := r.named(words().countryNames, start)
			if m == 0 {
				break
			}
			if !slices.Contains(found, code) {
				found = append(found, code)
			}
			for k := start; k < start+m; k++ {
				r.words[k].name = true
			}
			i = start + m - 1
			and := r.has(i+1, "and", "or")
			if j = i + 1 + and; and == 0 && (j >= len(r.words) || !r.words[j].parted) {
				break
			}
		}
	}
	if len(found) == 1 {
		r.t.Filters.Geo = found[0]
	}
}

// languages reads the language of the pages wanted: in French, auf Deutsch.
func (r *reader) languages() {
	names := words().languageNames
	for i := range r.words {
		if r.has(i, "of language") > 0 { // how to say hello in Polish
			return
		}
	}
	for i := range r.words {
		n := r.has(i, "in a language")
		if n == 0 {
			continue
		}
		start := r.skip(i+n, "article")
		code, m := r.named(names, start)
		j := start + m
		if m == 0 || !r.free(i, j) || !r.edge(j) {
			continue
		}
		if _, more := r.named(names, j); more == 0 {
			r.mark(i, j, taken)
			r.speak(code)
			return
		}
	}
}

// speak sets the language, unless the caller asked for one.
func (r *reader) speak(code string) {
	if f := &r.t.Filters; r.asked == "" {
		f.Lang = code
	} else if code != r.asked {
		w := overridden(code, r.asked)
		r.note(w.Code, nil, "%s", w.Message)
	}
}
