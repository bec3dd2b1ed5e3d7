package search

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// operatorNames are the names that stand before a colon, and what they ask for.
var operatorNames = map[string]string{
	"site": opSite, "sites": opSite, "domain": opSite,
	"lang": opLang, "language": opLang, "lr": opLang,
	"geo": opGeo, "region": opGeo, "country": opGeo,
	"max": opMax, "limit": opMax, "num": opMax, "count": opMax, "max_results": opMax, "maxresults": opMax, "results": opMax,
	"after": opAfter, "since": opAfter, "before": opBefore, "until": opBefore,
	"filetype": opOther, "ext": opOther, "mime": opOther, "intitle": opOther, "allintitle": opOther, "title": opOther, "inurl": opOther, "allinurl": opOther,
	"intext": opOther, "allintext": opOther, "inbody": opOther, "inanchor": opOther, "related": opOther, "cache": opOther, "link": opOther,
	"source": opOther, "author": opOther, "near": opOther, "loc": opOther, "location": opOther, "ip": opOther, "feed": opOther,
}

const (
	opSite   = "site"
	opLang   = "lang"
	opGeo    = "geo"
	opMax    = "max"
	opAfter  = "after"
	opBefore = "before"
	opOther  = "other" // of some engines only
)

// operators reads what is written as an operator, and leaves out what is not wanted.
func (r *reader) operators() {
	for i := 0; i < len(r.words); i++ {
		w := &r.words[i]
		if w.minus {
			w.use = left
			r.note("exclude_unsupported", nil, "%q cannot be excluded in words for all search providers; the exclusion was left out.", tidy(r.s[w.start:w.end]))
			continue
		}
		if w.op == "" {
			continue
		}
		value, v := w.text, i
		if value == "" && r.free(i+1, i+2) { // site: example.com
			v = i + 1
			value = r.words[v].text
		}
		if w.op == opOther {
			name, _, _ := strings.Cut(r.s[w.start:w.end], ":")
			r.note("operator_unsupported", nil, "%s: is not known to all search providers; what stands behind it is searched like other words.", name)
			w.op, w.key = "", keyOf(w.text)
			w.quoted = strings.Contains(w.text, " ")
			continue
		}
		if !r.operator(w.op, value) {
			if w.text == "" { // on a building site: …
				name, _, _ := strings.Cut(r.s[w.start:w.end], ":")
				w.op, w.text, w.key = "", tidy(name), keyOf(name)
				continue
			}
			r.note("operator_unsupported", nil, "%q could not be read and is searched as words.", r.quote(i, v+1))
			w.op, w.key = "", ""
			w.quoted = true // no part of anything else
			continue
		}
		r.mark(i, v+1, taken)
		if w.op == opSite {
			i = r.moreSites(v+1) - 1
		}
	}
}

// operator reads one operator; false when its value makes no sense.
func (r *reader) operator(op, value string) bool {
	f := &r.t.Filters
	switch op {
	case opSite:
		ok := false
		for _, s := range strings.FieldsFunc(value, func(c rune) bool { return c == ',' || c == ' ' }) {
			ok = r.site(s, true) || ok
		}
		return ok
	case opLang:
		code, known := languageNames().all[keyOf(value)]
		if primary, _, _ := strings.Cut(keyOf(value), "-"); !known && slices.Contains(languageCodes, primary) {
			code, known = primary, true
		}
		if known {
			r.speak(code)
		}
		return known
	case opGeo:
		code, known := countryNames().all[keyOf(value)]
		if upper := strings.ToUpper(value); !known && len(upper) == 2 && strings.Contains(countryCodes, upper+" ") {
			code, known = upper, true
		}
		if known {
			f.Geo = code
		}
		return known
	case opMax:
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return false
		}
		r.count(n)
	case opAfter, opBefore:
		d, ok := r.parse(value)
		if y, err := strconv.Atoi(value); err == nil && len(value) == 4 && y >= firstYear {
			d, ok = period(value)
		}
		if !ok || d.vague {
			return false
		}
		day := d.from.Format(time.DateOnly)
		if op == opAfter && f.DateAfter == "" && (f.DateBefore == "" || day <= f.DateBefore) {
			f.DateAfter, r.timed = day, true
			return true
		}
		if op == opBefore && f.DateBefore == "" && (f.DateAfter == "" || f.DateAfter <= day) {
			f.DateBefore, r.timed = day, true
			return true
		}
		return false
	}
	return true
}

// domainOf reads a word as a domain, or as a suffix such as .eu. Words that are more often
// something else are none unless an operator says so: main.py, ASP.NET, node.js.
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
	if !sure {
		label, end, _ := strings.Cut(w, ".")
		if end == strings.ToUpper(end) || fileNames[strings.ToLower(label)] && fileEnds[end] {
			return "", false, false
		}
	}
	return domain, rest != "", true
}

// fileNames and fileEnds make names of files that look like domains.
var (
	fileNames = map[string]bool{"main": true, "lib": true, "mod": true, "index": true, "setup": true, "readme": true, "test": true, "tests": true, "app": true,
		"init": true, "run": true, "build": true, "install": true, "script": true, "utils": true, "config": true, "manage": true, "changelog": true}
	fileEnds = map[string]bool{"py": true, "rs": true, "md": true, "sh": true, "pl": true, "ps": true, "ai": true, "cc": true, "ml": true, "vi": true}
)

// site adds a site; false when w is none.
func (r *reader) site(w string, sure bool) bool {
	domain, path, ok := domainOf(w, sure)
	if !ok {
		return false
	}
	f := &r.t.Filters
	switch {
	case slices.Contains(f.Sites, domain):
	case len(f.Sites) == positive(r.limits.Sites, wstk.MaxTemplateSites):
		r.note("sites_dropped", nil, "There are more than %d sites; those after them were left out.", len(f.Sites))
	default:
		f.Sites = append(f.Sites, domain)
	}
	if path {
		r.note("site_simplified", nil, "A site is a domain here; of %q the path was left out.", w)
	}
	return true
}

// sites reads domains behind a preposition: on example.com, from bbc.co.uk and cnn.com.
func (r *reader) sites() {
	for i := 0; i < len(r.words); i++ {
		n := r.has(r.tongue.on, i)
		if n == 0 && (r.at(i) == "site" || r.at(i) == "sites") {
			n = 1
		}
		if j := i + n; n == 0 || !r.free(j, j+1) || r.words[j].parted || !r.site(r.words[j].text, false) {
			continue
		}
		r.mark(i, i+n+1, taken)
		i = r.moreSites(i+n+1) - 1
	}
}

// moreSites reads the sites that follow others, parted by commas, and or or, from word i
// on, and returns where they end.
func (r *reader) moreSites(i int) int {
	for i < len(r.words) {
		j := i + max(r.has(r.tongue.and, i), r.has(r.tongue.or, i))
		if !r.free(j, j+1) || j == i && !r.words[j].parted && !r.words[j].or || !r.site(r.words[j].text, false) {
			break
		}
		r.mark(i, j+1, taken)
		i = j + 1
	}
	// "from .edu sites": the word says what was understood.
	if key := r.at(i); key == "sites" || key == "site" || key == "websites" || key == "domains" {
		r.words[i].use = taken
		i++
	}
	return i
}

// counts reads how many results are wanted. A number behind words that are searched belongs
// to them: Euro 2024 results, Form 10 results.
func (r *reader) counts() {
	t := r.tongue
	for i := range r.words {
		if r.at(i) == "" {
			continue
		}
		most := r.has(t.most, i)
		lead := max(r.has(t.first, i), most)
		begin := i
		if begin > 0 && !r.words[i].parted && r.has(t.articles, begin-1) > 0 { // give me the 20 …
			begin--
		}
		asked := begin > 0 && r.words[begin-1].use == polite
		begins := begin == 0 || r.words[begin].parted || r.words[begin-1].use != content
		digits := r.at(i + lead)
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || n > wstk.MostResults || strings.Trim(digits, "0123456789") != "" || !r.free(i, i+lead+1) {
			continue
		}
		j := i + lead + 1
		k := j + r.has(t.fresh, j) // 10 latest articles
		top := lead > 0 && r.words[i].key == "top"
		noun := r.has(t.results, k)
		if noun == 0 && begins && (asked || lead > 0) {
			noun = r.has(t.pages, k)
		}
		switch end := k + noun; {
		case noun > 0 && perPage[r.at(end)]: // 10 results per page
			continue
		case noun > 0 && (begins || most > 0 || top && r.edge(end)):
			j = end
		case top && r.edge(j), most > 0 && begins && r.edge(j): // not "speed limit 20"
		default:
			continue
		}
		r.mark(i, j, taken)
		r.count(n)
	}
}

// perPage are the words that make a number of results a property of a page.
var perPage = map[string]bool{"page": true, "per": true, "pro": true, "par": true, "por": true, "seite": true}

// count sets how many results are wanted.
func (r *reader) count(n int) {
	if n > wstk.MostResults {
		r.note("count_limited", nil, "%d results are too many; %d are asked for.", n, wstk.MostResults)
	}
	r.t.Filters.MaxResults = min(n, wstk.MostResults)
}

// edge tells whether what was said ends before word i: nothing follows, or a comma, a
// filter, or what it is about.
func (r *reader) edge(i int) bool {
	return i >= len(r.words) || r.words[i].parted || r.words[i].use != content || r.has(r.tongue.about, i) > 0
}

// region reads the country behind "in": it stays among the keywords, too.
func (r *reader) region() {
	if r.t.Filters.Geo != "" {
		return
	}
	var found []string
	for i := 0; i < len(r.words); i++ {
		n := r.has(r.tongue.inLand, i)
		if n == 0 {
			continue
		}
		j := i + n
		for {
			start := r.skip(r.tongue.articles, j)
			code, m := r.named(countryNames(), start)
			if m == 0 || start == i+1 && r.words[start].text == "us" { // not "the us"
				break
			}
			if !slices.Contains(found, code) {
				found = append(found, code)
			}
			j = start + m
			for k := start; k < j; k++ {
				r.words[k].name = true
			}
			if and := max(r.has(r.tongue.and, j), r.has(r.tongue.or, j)); and > 0 {
				j += and
			} else if j >= len(r.words) || !r.words[j].parted {
				break
			}
		}
		i = max(i, j-1)
	}
	if len(found) == 1 {
		r.t.Filters.Geo = found[0]
	}
}

// language reads the language of the pages wanted: in French, auf Deutsch.
func (r *reader) language() {
	t := r.tongue
	for i := range r.words {
		if r.has(t.speaking, i) > 0 { // how to say hello in Polish
			return
		}
	}
	for i := range r.words {
		n := r.has(t.inLang, i)
		if n == 0 {
			continue
		}
		start := r.skip(t.articles, i+n)
		code, m := r.named(languageNames(), start)
		if m == 0 {
			continue
		}
		j := start + m
		j += r.has(t.language, j)
		if r.free(i, j) && r.edge(j) && !(j < len(r.words) && r.words[j].parted && r.has(languageNames(), j) > 0) {
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

// languageNames are the names of languages, in the tongues and in themselves.
var languageNames = sync.OnceValue(func() phrases { return named(languageList, strings.ToLower) })

// countryNames are the names of countries, in the tongues and in themselves.
var countryNames = sync.OnceValue(func() phrases { return named(countryList, strings.ToUpper) })

// named makes phrases of lines of a code and the names parted by |.
func named(list string, code func(string) string) (p phrases) {
	for _, line := range strings.Split(strings.TrimSpace(list), "\n") {
		id, names, _ := strings.Cut(line, " ")
		for _, name := range strings.Split(names, "|") {
			p.add(name, code(id))
		}
	}
	return p
}
