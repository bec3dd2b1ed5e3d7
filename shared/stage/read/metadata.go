package read

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/content"
	"wstk/shared/stage/read/dom"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// facts are what the head of a page and its structured data say about it,
// gathered in one pass.
type facts struct {
	title    string
	heading  string // the first heading of level 1
	headings int    // how many of level 1 there are
	// content of meta elements by lower-case name or property, in order
	meta       map[string][]string
	robotsMeta []wstk.RobotsMeta
	http       map[string]string // of http-equiv
	lang       string
	base       string // href of the first base element
	canonical  string // href of the first rel=canonical
	author     string // of rel=author and itemprop=author
	modified   string // time elements that say what they are
	published  string
	types      []string // schema.org types of the items that describe the page
	body       string   // the longest articleBody of those items
	data       []jsonValue
}

// gather reads the facts.
func gather(t *dom.Tree) *facts {
	f := &facts{meta: map[string][]string{}, http: map[string]string{}}
	left := maxPageValues
	for i := range t.Els {
		t.Stop.Tick()
		n := t.Els[i].Node
		switch tag := t.Els[i].Tag(); tag {
		case atom.Html, atom.Body:
			setOnce(&f.lang, dom.Attr(n, "lang"))
			if tag == atom.Html {
				setOnce(&f.lang, dom.Attr(n, "xml:lang"))
			}
		case atom.Title:
			if f.title == "" {
				f.title = collapse(text.Strip(dom.TextContent(n, 4096)))
			}
		case atom.Base:
			setOnce(&f.base, dom.Attr(n, "href"))
		case atom.Link:
			if dom.HasWord(strings.ToLower(dom.Attr(n, "rel")), "canonical") {
				setOnce(&f.canonical, dom.Attr(n, "href"))
			}
		case atom.Meta:
			f.addMeta(n)
		case atom.Time:
			f.addTime(n)
		case atom.A, atom.Span, atom.Div, atom.P:
			f.addAuthor(n)
		case atom.Script:
			left -= f.addData(t, n, left)
		}
	}
	return f
}

func (f *facts) addAuthor(n *html.Node) {
	if f.author == "" && (dom.HasWord(dom.Attr(n, "rel"), "author") ||
		dom.Attr(n, "itemprop") == "author") {
		f.author = collapse(text.Strip(dom.TextContent(n, 300)))
	}
}

// addData adds the JSON-LD of a script, if more values may be read, and returns how many it
// holds.
func (f *facts) addData(t *dom.Tree, script *html.Node, left int) int {
	if left <= 0 || !jsonLD(script) {
		return 0
	}
	v, values, err := countJSON(t.Stop, dom.TextContent(script, 0))
	if err == nil {
		f.data = append(f.data, v...)
	}
	return values
}

func (f *facts) addMeta(n *html.Node) {
	content := strings.TrimSpace(dom.Attr(n, "content"))
	if content == "" {
		return
	}
	for _, key := range []string{"property", "name", "itemprop"} {
		if k := strings.ToLower(strings.TrimSpace(dom.Attr(n, key))); k != "" &&
			len(f.meta[k]) < 20 {
			f.meta[k] = append(f.meta[k], content)
		}
	}
	if k := strings.ToLower(strings.TrimSpace(dom.Attr(n, "name"))); len(f.robotsMeta) < 20 &&
		wstk.IsRobotsMeta(k, content) {
		f.robotsMeta = append(f.robotsMeta, wstk.RobotsMeta{Name: k, Content: content})
	}
	if k := strings.ToLower(strings.TrimSpace(dom.Attr(n, "http-equiv"))); k != "" &&
		f.http[k] == "" {
		f.http[k] = content
	}
}

func (f *facts) addTime(n *html.Node) {
	v := dom.Attr(n, "datetime")
	if v == "" {
		return
	}
	prop, class := strings.ToLower(dom.Attr(n, "itemprop")), strings.ToLower(dom.Attr(n, "class"))
	switch {
	case strings.Contains(prop, "datemodified"),
		dom.HasWord(class, "updated") && !strings.Contains(class, "published"),
		dom.HasWord(class, "modified"):
		if f.modified == "" {
			f.modified = v
		}
	case strings.Contains(prop, "datepublished"), dom.HasAttr(n, "pubdate"),
		strings.Contains(class, "published"), strings.Contains(class, "entry-date"),
		strings.Contains(class, "post-date"):
		if f.published == "" {
			f.published = v
		}
	}
}

// first returns the first content of the first of names that the page has.
func (f *facts) first(names ...string) string {
	for _, n := range names {
		if v := f.meta[n]; len(v) > 0 {
			return v[0]
		}
	}
	return ""
}

// pageTypes are the schema.org types of items that describe a page as a whole,
// rather than its site, its menu or its owner.
var pageTypes = map[string]bool{
	"Article": true, "NewsArticle": true, "BlogPosting": true, "TechArticle": true, "Report": true,
	"ScholarlyArticle":     true,
	"ReportageNewsArticle": true, "AnalysisNewsArticle": true, "OpinionNewsArticle": true,
	"LiveBlogPosting": true, "SocialMediaPosting": true,
	"Product": true, "ProductGroup": true, "Recipe": true, "HowTo": true, "FAQPage": true,
	"QAPage": true, "DiscussionForumPosting": true,
	"Event": true, "JobPosting": true, "Course": true, "Book": true, "Movie": true,
	"VideoObject": true, "Review": true, "Dataset": true,
	"SoftwareApplication": true, "CollectionPage": true, "ItemList": true,
	"SearchResultsPage": true, "ProfilePage": true, "AboutPage": true,
	"ContactPage": true, "WebPage": true, "ItemPage": true, "MedicalWebPage": true,
	"APIReference": true, "CreativeWork": true,
}

// items calls f with each object of the page's JSON-LD that stands at the top,
// in a list or in a graph.
func (f *facts) items(do func(v *jsonValue)) {
	var walk func(v *jsonValue, depth int)
	walk = func(v *jsonValue, depth int) {
		if depth > 4 {
			return
		}
		switch v.kind {
		case 'a':
			for i := range v.list {
				walk(&v.list[i], depth+1)
			}
		case 'o':
			if g, ok := v.get("@graph"); ok {
				walk(g, depth+1)
			}
			do(v)
			if m, ok := v.get("mainEntity"); ok {
				walk(m, depth+1)
			}
		}
	}
	for i := range f.data {
		walk(&f.data[i], 0)
	}
}

// str returns a member as a string: itself, its name, or the first of a list.
func (v *jsonValue) str(key string) string {
	m, ok := v.get(key)
	if !ok {
		return ""
	}
	return m.asString(0)
}

func (v *jsonValue) asString(depth int) string {
	switch {
	case v.kind == 's':
		return strings.TrimSpace(html.UnescapeString(v.text))
	case v.kind == 'a' && len(v.list) > 0 && depth < 3:
		return v.list[0].asString(depth + 1)
	case v.kind == 'o' && depth < 3:
		for _, k := range []string{"name", "@value", "url"} {
			if m, ok := v.get(k); ok {
				return m.asString(depth + 1)
			}
		}
	}
	return ""
}

// sources are the meta elements that say something of a page, by what they say, in order
// of trust: the first that the page has counts.
var sources = struct {
	description, image, kind, published, modified []string
	title, author, site, language                 []string
}{
	description: []string{"og:description", "description", "twitter:description",
		"dc.description"},
	image: []string{"og:image", "og:image:url", "og:image:secure_url", "twitter:image",
		"twitter:image:src"},
	kind: []string{"og:type"},
	published: []string{"article:published_time", "og:article:published_time", "datepublished",
		"date", "dc.date.issued", "dcterms.created", "dc.date", "dcterms.date",
		"dc.date.created", "citation_publication_date", "citation_date", "parsely-pub-date",
		"sailthru.date", "article.published", "pubdate", "publishdate", "publish-date",
		"publication_date", "cxenseparse:recs:publishtime"},
	modified: []string{"article:modified_time", "og:updated_time", "datemodified",
		"last-modified", "dcterms.modified", "dc.date.modified", "revised", "article.updated",
		"lastmod"},
	title: []string{"og:title", "twitter:title", "dc.title", "citation_title"},
	author: []string{"author", "article:author", "og:article:author", "dc.creator",
		"dcterms.creator", "dc.creator.name", "citation_author", "parsely-author",
		"sailthru.author", "byl", "twitter:data1"},
	site: []string{"og:site_name", "application-name", "apple-mobile-web-app-title",
		"al:ios:app_name"},
	language: []string{"content-language", "og:locale", "language", "dc.language"},
}

// metadata makes the page's Metadata. headers are those of the reply, by
// lower-case name.
func (f *facts) metadata(p *page, headers map[string]string) wstk.Metadata {
	m := wstk.Metadata{
		SiteName:    f.siteName(),
		Description: f.first(sources.description...),
		Image:       f.first(sources.image...),
		Type:        f.first(sources.kind...),
	}
	f.readHeadings(p)
	data := f.pageData()
	if m.Description == "" {
		m.Description = data.description
	}
	m.Description = collapse(text.Strip(m.Description))
	if m.Type == "" && len(f.types) > 0 {
		m.Type = f.types[0]
	}
	if m.SiteName == "" {
		m.SiteName = f.dataSiteName()
	}
	m.Title = f.pageTitle(p, m.SiteName)
	m.Author = f.pageAuthor(p, data.author, m.SiteName)
	m.PublishedAt = firstDate(data.published, f.first(sources.published...), f.published)
	m.ModifiedAt = firstDate(data.modified, f.first(sources.modified...), f.modified)
	m.Language = f.language(p, headers)
	if m.PublishedAt == nil &&
		(m.ModifiedAt == nil || content.KindOf(p.url, f.statements()).Article) {
		published, modified := p.visibleDates(m.Language, m.Author)
		m.PublishedAt = published
		if m.ModifiedAt == nil {
			m.ModifiedAt = modified
		}
	}
	f.robots(&m, headers)
	if m.Image != "" {
		if u, err := text.Resolve(f.resolveBase(p.base), m.Image); err == nil {
			m.Image = u
		}
	}
	return m
}

// readHeadings notes the headings of level 1.
func (f *facts) readHeadings(p *page) {
	for i := range p.blocks {
		if b := &p.blocks[i]; b.Kind == wstk.BlockHeading && b.Level == 1 {
			if f.heading == "" {
				f.heading = p.blockText(i)
			}
			f.headings++
		}
	}
}

// pageData is what the JSON-LD of a page says of it.
type pageData struct{ published, modified, author, description string }

// besideTypes are types of items that come beside that of an article; its own dates come
// first. Whether their dates are those of the page is the value.
var besideTypes = map[string]bool{"WebPage": true, "CollectionPage": true, "ItemPage": true,
	"VideoObject": true, "Product": false}

// pageData reads the items that describe the page, and notes their types.
func (f *facts) pageData() (d pageData) {
	f.items(func(v *jsonValue) {
		t := jsonType(v)
		if !pageTypes[t] {
			return
		}
		f.types = append(f.types, t)
		if body := v.str("articleBody"); len(body) > len(f.body) {
			f.body = body
		}
		published, modified := v.str("datePublished"), v.str("dateModified")
		if dated, beside := besideTypes[t]; beside {
			if dated && d.published == "" {
				d.published = published
			}
			if dated && d.modified == "" {
				d.modified = modified
			}
			return
		}
		if published != "" {
			d.published = published
		}
		if modified != "" {
			d.modified = modified
		}
		if d.author == "" {
			d.author = f.jsonAuthor(v)
		}
		if d.description == "" {
			d.description = v.str("description")
		}
	})
	return d
}

// dataSiteName is the name of the site in the JSON-LD of a page.
func (f *facts) dataSiteName() (name string) {
	f.items(func(v *jsonValue) {
		if name == "" && siteTypes[jsonType(v)] {
			name = collapse(v.str("name"))
		}
	})
	return name
}

// siteTypes are the schema.org types of items that describe a site.
var siteTypes = map[string]bool{"WebSite": true, "NewsMediaOrganization": true,
	"Organization": true}

// robots sets what meta elements and the X-Robots-Tag header ask of robots.
func (f *facts) robots(m *wstk.Metadata, headers map[string]string) {
	m.Robots = f.robotsMeta
	rules := []string{robotsHeader(headers["x-robots-tag"])}
	rules = append(append(rules, f.meta["robots"]...), f.meta["wstk"]...)
	for _, r := range rules {
		for part := range strings.FieldsFuncSeq(strings.ToLower(r), func(r rune) bool {
			return r == ',' || r == ' ' || r == ';'
		}) {
			switch part {
			case "noindex":
				m.NoIndex = true
			case "nofollow":
				m.NoFollow = true
			case "none":
				m.NoIndex, m.NoFollow = true, true
			}
		}
	}
}

// robotsHeader returns the directives of an X-Robots-Tag that are for all agents:
// "googlebot: noindex" is not, "unavailable_after: date" names no robot.
func robotsHeader(v string) string {
	var out []string
	for part := range strings.SplitSeq(v, ",") {
		if name, _, ok := strings.Cut(part, ":"); ok {
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview":
			default:
				// The robot's directives go on until the next name, which
				// begins a header of its own as a rule.
				return strings.Join(out, ",")
			}
		}
		out = append(out, part)
	}
	return strings.Join(out, ",")
}

func firstDate(candidates ...string) *time.Time {
	for _, c := range candidates {
		if t, ok := parseDate(c); ok {
			return &t
		}
	}
	return nil
}

func (f *facts) siteName() string {
	return collapse(text.Strip(f.first(sources.site...)))
}

// pageTitle is what the page calls itself, without the name of its site.
func (f *facts) pageTitle(p *page, site string) string {
	og := collapse(text.Strip(f.first(sources.title...)))
	var best string
	switch {
	case og != "":
		best = og
	case f.title != "":
		best = f.title
	default:
		f.items(func(v *jsonValue) {
			if best == "" && pageTypes[jsonType(v)] {
				if best = collapse(v.str("headline")); best == "" {
					best = collapse(v.str("name"))
				}
			}
		})
	}
	if best == "" {
		return f.heading
	}
	best = withoutSite(best, site, f.heading)
	// What readers see as the title is the heading; the head has a version for
	// search results. The heading is taken where it is about the same.
	if n := utf8.RuneCountInString(f.heading); n >= 8 && n <= 200 && f.headings == 1 &&
		sharedWords(f.heading, best) >= 0.3 {
		return f.heading
	}
	return best
}

// sharedWords is the share of a's words that b has, too.
func sharedWords(a, b string) float64 {
	have := map[string]bool{}
	for w := range strings.FieldsFuncSeq(text.FoldCompare(b), notWord) {
		have[w] = true
	}
	n, in := 0, 0
	for w := range strings.FieldsFuncSeq(text.FoldCompare(a), notWord) {
		n++
		if have[w] {
			in++
		}
	}
	return float64(in) / float64(max(n, 1))
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// separators stand between a title and a site's name.
var separators = []string{" | ", " - ", " – ", " — ", " :: ", " · ", " • ", " » ", " « ", " / ",
	" ‹ ", " › ", " ~ ", "｜", " : ", ": "}

// withoutSite cuts the name of the site off a title: where it is known, where
// the first heading is one of the title's parts, or where a separator leaves a
// short last part behind a long one.
func withoutSite(title, site, heading string) string {
	if headingWithMore(title, heading) {
		return heading
	}
	for _, sep := range separators {
		i := strings.LastIndex(title, sep)
		if i <= 0 {
			continue
		}
		head, tail := strings.TrimSpace(title[:i]), strings.TrimSpace(title[i+len(sep):])
		if head == "" || tail == "" {
			continue
		}
		if site != "" && sameName(tail, site) {
			return withoutSite(head, site, heading)
		}
		if first, rest, _ := strings.Cut(title, sep); site != "" &&
			text.FoldCompare(first) == text.FoldCompare(site) {
			return withoutSite(strings.TrimSpace(rest), site, heading)
		}
		if looksLikeSite(head, tail, sep) &&
			(siteSeparators[sep] || site == "" && heading == "") {
			return head
		}
	}
	return title
}

// headingWithMore reports whether a title is the heading with something set apart after it.
func headingWithMore(title, heading string) bool {
	if utf8.RuneCountInString(heading) < 4 || len(heading) >= len(title) {
		return false
	}
	rest, ok := cutFold(title, heading)
	r, _ := utf8.DecodeRuneInString(strings.TrimSpace(rest))
	return ok && notWord(r)
}

// sameName reports whether two names of sites are the same but for spaces and endings.
func sameName(a, b string) bool {
	return text.FoldCompare(a) == text.FoldCompare(b) || squash(a) == squash(b)
}

// siteSeparators are separators that stand before nothing but the name of a site.
var siteSeparators = map[string]bool{" | ": true, " :: ": true, " » ": true, "｜": true}

// looksLikeSite reports whether what stands behind the last separator of a title is short
// enough to be the name of a site.
func looksLikeSite(head, tail, sep string) bool {
	words := len(strings.Fields(tail))
	return sep != ": " && sep != " : " && utf8.RuneCountInString(tail) <= 30 && words <= 4 &&
		utf8.RuneCountInString(head) >= 12 && len(strings.Fields(head)) >= words
}

// cutFold cuts part off the beginning of s, without regard to case.
func cutFold(s, part string) (string, bool) {
	if len(s) < len(part) || !strings.EqualFold(s[:len(part)], part) {
		return "", false
	}
	return s[len(part):], true
}

// squash compares names without spaces and dots: The Daily.com, thedaily.
func squash(s string) string {
	s = strings.ToLower(s)
	s = strings.TrimPrefix(s, "the ")
	for _, end := range []string{".com", ".org", ".net", ".co.uk"} {
		s = strings.TrimSuffix(s, end)
	}
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '.' || r == '-' || r == '\'' || r == '’' {
			return -1
		}
		return r
	}, s)
}

func (f *facts) jsonAuthor(v *jsonValue) string {
	m, ok := v.get("author")
	if !ok {
		if m, ok = v.get("creator"); !ok {
			return ""
		}
	}
	if m.kind == 'o' {
		// A reference into the graph.
		if id, ok := m.get("@id"); ok && len(m.keys) <= 2 {
			name := ""
			f.items(func(o *jsonValue) {
				if oid, ok := o.get("@id"); ok && oid.text == id.text && name == "" {
					name = o.str("name")
				}
			})
			if name != "" {
				return name
			}
		}
		return m.str("name")
	}
	if m.kind == 'a' {
		var names []string
		for i := range m.list {
			if s := m.list[i].asString(0); s != "" && len(names) < 5 {
				names = append(names, s)
			}
		}
		return strings.Join(names, ", ")
	}
	return m.asString(0)
}

// pageAuthor chooses among what names the author, and refuses what is no name:
// addresses, the site itself, "admin".
func (f *facts) pageAuthor(p *page, fromData, site string) string {
	for _, c := range []string{
		fromData,
		f.first(sources.author...),
		f.author,
		p.byline(),
	} {
		if a := cleanAuthor(c); a != "" && !strings.EqualFold(a, site) {
			return a
		}
	}
	return ""
}

func cleanAuthor(s string) string {
	s = collapse(text.Strip(s))
	for _, p := range []string{"By ", "by ", "BY ", "Written by ", "Posted by ", "Author: ",
		"Von ", "Par ", "Por "} {
		s = strings.TrimPrefix(s, p)
	}
	if i := strings.IndexAny(s, "|•·"); i > 0 {
		s = strings.TrimSpace(s[:i])
	}
	low := strings.ToLower(s)
	if s == "" || utf8.RuneCountInString(s) > 100 || strings.Contains(s, "://") ||
		strings.Contains(s, "@") || strings.HasPrefix(low, "www.") {
		return ""
	}
	switch low {
	case "admin", "administrator", "author", "editor", "staff", "webmaster", "unknown", "anonymous",
		"guest", "user", "root", "null", "undefined", "none":
		return ""
	}
	if strings.HasSuffix(low, " min read") || strings.HasSuffix(low, " minutes") ||
		strings.HasSuffix(low, " minute") || digits(s) > 2 {
		return ""
	}
	return s
}

func digits(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		if digit(s[i]) {
			n++
		}
	}
	return n
}

// byline looks near the title, and at elements that are marked as one, for who
// wrote the page.
func (p *page) byline() string {
	from, to := p.nearTitle()
	for i := from; i < to; i++ {
		if t := p.blockText(i); len(t) < 200 {
			if name, ok := bylineName(t); ok {
				return name
			}
		}
	}
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.bytes() > 120 || b.Kind == wstk.BlockHeading {
			continue
		}
		for e, up := b.owner, 0; e >= 0 && up < 2; e, up = p.Els[e].Parent, up+1 {
			c := strings.ToLower(dom.Attr(p.Els[e].Node, "class"))
			if c == "" || !(strings.Contains(c, "byline") || strings.Contains(c, "author-name") ||
				strings.Contains(c, "author_name") || dom.HasWord(c, "author")) {
				continue
			}
			t := p.blockText(i)
			for _, by := range []string{"By ", "by ", "BY ", "Written by ", "Posted by "} {
				t = strings.TrimPrefix(t, by)
			}
			if name := leadingNames(t); name != "" {
				return name
			}
		}
	}
	return ""
}

// nearTitle is the range of blocks just before and after the heading that the
// page is named after; nothing where there is none.
func (p *page) nearTitle() (from, to int) {
	for i := range p.blocks {
		if b := &p.blocks[i]; b.Kind == wstk.BlockHeading && b.Level == 1 {
			return max(0, i-4), min(len(p.blocks), i+9)
		}
	}
	return 0, 0
}

// leadingNames returns the names that s begins with: two to five words with
// capitals, several names joined by "and", "&" or commas.
func leadingNames(s string) string {
	if i := strings.IndexAny(s, "\n\t|•·–—(0123456789"); i >= 0 {
		s = s[:i]
	}
	for _, end := range []string{" on ", " in ", " for ", " Updated", " Published",
		" Posted", " Last ", " - "} {
		if i := strings.Index(s, end); i > 0 {
			s = s[:i]
		}
	}
	s = strings.Trim(s, " ,;:.\u00a0")
	words, names := 0, 0
	for part := range strings.FieldsFuncSeq(
		strings.ReplaceAll(strings.ReplaceAll(s, " and ", ","), " & ", ","),
		func(r rune) bool { return r == ',' }) {
		n := 0
		for w := range strings.FieldsSeq(part) {
			r, _ := utf8.DecodeRuneInString(w)
			switch strings.ToLower(w) {
			case "de", "da", "di", "del", "der", "den", "van", "von", "la", "le",
				"al", "bin", "ten":
			default:
				if !unicode.IsUpper(r) && unicode.IsLower(r) || !unicode.IsLetter(r) {
					return ""
				}
			}
			n++
		}
		if n < 2 || n > 5 {
			return ""
		}
		words += n
		names++
	}
	if names == 0 || names > 4 {
		return ""
	}
	return s
}

// language is what the page declares, and where it declares nothing what its
// text looks like.
func (f *facts) language(p *page, headers map[string]string) string {
	for _, c := range []string{f.lang, f.http["content-language"],
		f.first(sources.language...),
		headers["content-language"]} {
		c, _, _ = strings.Cut(c, ",")
		if l := languageTag(c); l != "" {
			return l
		}
	}
	s := string(p.text)
	if len(s) > 4096 {
		s = s[:4096]
	}
	return text.DetectLanguage(strings.ToValidUTF8(s, ""))
}

// languageTag brings a language tag into the usual form: en, en-US, zh-Hant.
func languageTag(s string) string {
	parts := strings.FieldsFunc(strings.TrimSpace(s),
		func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 || len(parts) > 4 || len(parts[0]) < 2 || len(parts[0]) > 3 {
		return ""
	}
	for i, p := range parts {
		for k := 0; k < len(p); k++ {
			if c := p[k] | 0x20; !(c >= 'a' && c <= 'z' || i > 0 && digit(p[k])) {
				return ""
			}
		}
		p = strings.ToLower(p)
		switch {
		case i == 0:
			if p == "und" || p == "mul" {
				return ""
			}
		case len(p) == 2:
			p = strings.ToUpper(p)
		case len(p) == 4:
			p = strings.ToUpper(p[:1]) + p[1:]
		}
		parts[i] = p
	}
	return strings.Join(parts, "-")
}

// resolveBase is the address that links of the page are relative to: its base
// element where that leads to http or https, else the page's own.
func (f *facts) resolveBase(pageURL string) string {
	if f.base == "" {
		return pageURL
	}
	if u, err := text.Resolve(pageURL, f.base); err == nil {
		return u
	}
	return pageURL
}

// canonicalURL is the page's own name for itself: rel=canonical in the head, or
// in the Link header; the page's URL where there is none or it is invalid.
func (f *facts) canonicalURL(p *page, headers map[string]string) string {
	for _, c := range []string{f.canonical, linkHeader(headers["link"], "canonical")} {
		if c == "" {
			continue
		}
		if u, err := text.Resolve(f.resolveBase(p.base), c); err == nil {
			return u
		}
	}
	return p.url
}

// linkHeader returns the target of the first link with this relation in a Link
// header (RFC 8288).
func linkHeader(v, rel string) string {
	for v != "" {
		open := strings.IndexByte(v, '<')
		if open < 0 {
			return ""
		}
		end := strings.IndexByte(v[open:], '>')
		if end < 0 {
			return ""
		}
		target := v[open+1 : open+end]
		v = v[open+end+1:]
		params := v
		if next := strings.Index(v, ",<"); next >= 0 {
			params = v[:next]
		} else if next := strings.Index(v, ", <"); next >= 0 {
			params = v[:next]
		}
		for p := range strings.SplitSeq(params, ";") {
			k, val, ok := strings.Cut(strings.Trim(p, " \t,"), "=")
			if ok && strings.EqualFold(strings.TrimSpace(k), "rel") &&
				dom.HasWord(strings.ToLower(strings.Trim(strings.TrimSpace(val), `"`)), rel) {
				return strings.TrimSpace(target)
			}
		}
	}
	return ""
}
