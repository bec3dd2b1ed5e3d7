package read

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"wstk/shared/stage/read/deadline"
	"wstk/shared/stage/read/dom"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// feed is a list of entries: RSS, Atom, RDF or JSON Feed.
type feed struct {
	feedEntry
	language string
	image    string
	entries  []feedEntry
	broken   bool // the body breaks off or is not well-formed
	cut      bool // it has more entries than are read
}

// feedEntry is an entry, and what a feed says of itself.
type feedEntry struct {
	base      string // what its links are relative to
	link      string
	guid      string
	enclosure string
	title     rich
	summary   rich
	content   rich
	author    string
	published string
	updated   string
}

// rich is a text that may be HTML.
type rich struct {
	text string
	html bool
}

// maxEntries bounds the entries of one feed.
const maxEntries = 5000

// parseFeed reads an XML feed, nil when the body is none: another root element, or no
// entry and no title in it. Entities that the body declares itself are not expanded, and
// nothing is fetched.
func parseFeed(stop *deadline.Stop, url, src string) *feed {
	dec := xml.NewDecoder(strings.NewReader(src))
	dec.Strict = false
	dec.Entity = xml.HTMLEntity
	// decoded already
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	p := feedParser{feed: &feed{}, stop: stop}
	p.feed.base = url
	for {
		stop.Tick()
		tok, err := dec.RawToken()
		if err != nil {
			p.feed.broken = err != io.EOF || len(p.open) > 0
			break
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if !p.start(t) {
				return nil
			}
		case xml.EndElement:
			p.end(t.Name.Local)
		case xml.CharData:
			p.words(string(t))
		}
	}
	if p.field != "" && p.at <= len(p.open) { // what the body broke off in
		p.set()
	}
	if p.entry != nil {
		p.close()
	}
	if len(p.feed.entries) == 0 && (p.channel == 0 || strings.TrimSpace(p.feed.title.text) == "") {
		return nil
	}
	return p.feed
}

type feedParser struct {
	stop    *deadline.Stop
	feed    *feed
	open    []string // local names of the open elements
	bases   []string // their bases
	channel int      // depth of the element that the feed's own fields stand in
	entry   *feedEntry
	depth   int // of the entry

	field  string // the field being read, "" for none
	at     int    // its depth
	kind   string // its type attribute
	perma  bool   // a guid that is an address
	inner  bool   // it has elements of its own
	value  strings.Builder
	person string
}

// feedRoots are the root elements of feeds.
var feedRoots = map[string]bool{"rss": true, "feed": true, "rdf": true}

// maxFeedDepth is how many elements may be open; deeper ones are not read.
const maxFeedDepth = 1000

// start takes an opening tag, and reports whether the body may be a feed.
func (p *feedParser) start(t xml.StartElement) bool {
	name := strings.ToLower(t.Name.Local)
	if len(p.open) == 0 && !feedRoots[name] {
		return false
	}
	if len(p.open) > maxFeedDepth {
		return true
	}
	base := p.inherit(t)
	p.open, p.bases = append(p.open, name), append(p.bases, base)
	depth := len(p.open)
	switch {
	case p.field != "":
		p.within(t, name)
	case name == "feed" && depth == 1, name == "channel" && depth == 2:
		p.channel = depth
		p.feed.base = base
	case (name == "item" || name == "entry") && p.entry == nil && depth <= 3:
		p.entry, p.depth = &feedEntry{base: base}, depth
	default:
		if to := p.owner(depth); to != nil && !repeats[strings.ToLower(t.Name.Space)] {
			p.startField(t, name, to)
		}
	}
	return true
}

// inherit returns the base address within an element, and notes the language of the feed.
func (p *feedParser) inherit(t xml.StartElement) string {
	base := p.feed.base
	if n := len(p.bases); n > 0 {
		base = p.bases[n-1]
	}
	for _, a := range t.Attr {
		if a.Name.Space != "xml" {
			continue
		}
		switch a.Name.Local {
		case "base":
			if u, err := text.Resolve(base, a.Value); err == nil {
				base = u
			}
		case "lang":
			if p.feed.language == "" && p.entry == nil {
				p.feed.language = a.Value
			}
		}
	}
	return base
}

// owner is what an element of this depth says something about: the entry, the feed, or
// nil.
func (p *feedParser) owner(depth int) *feedEntry {
	switch {
	case p.entry != nil && depth == p.depth+1:
		return p.entry
	case p.entry == nil && p.channel > 0 && depth == p.channel+1:
		return &p.feed.feedEntry
	}
	return nil
}

// repeats are the prefixes of elements that say again, shorter, what the feed's own
// elements say.
var repeats = map[string]bool{
	"media": true, "itunes": true, "googleplay": true, "thr": true, "yt": true,
}

// startField begins a field, or reads it from its attributes.
func (p *feedParser) startField(t xml.StartElement, name string, to *feedEntry) {
	switch name {
	case "link":
		p.startLink(t, to)
	case "enclosure":
		to.enclosure = attribute(t, "url")
	default:
		if feedFields[name] == 0 {
			return
		}
		p.begin(name, strings.ToLower(attribute(t, "type")))
		p.perma = !strings.EqualFold(attribute(t, "isPermaLink"), "false")
	}
}

// startLink reads a link of Atom, whose address is an attribute, or begins one of RSS.
func (p *feedParser) startLink(t xml.StartElement, to *feedEntry) {
	href, rel := attribute(t, "href"), strings.ToLower(attribute(t, "rel"))
	switch {
	case href == "":
		p.begin("link", "")
	case rel == "" || rel == "alternate":
		if to.link == "" {
			to.link = href
		}
	case rel == "enclosure" && to.enclosure == "":
		to.enclosure = href
	}
}

// attribute returns the value of an attribute of an XML element, "" when it is absent.
func attribute(t xml.StartElement, key string) string {
	for _, a := range t.Attr {
		if strings.EqualFold(a.Name.Local, key) && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

func (p *feedParser) begin(name, kind string) {
	p.field, p.at, p.kind, p.inner, p.person = name, len(p.open), kind, false, ""
	p.value.Reset()
}

// within takes a tag inside a field: of a person, or of markup that stands there as it
// is.
func (p *feedParser) within(t xml.StartElement, name string) {
	if p.field == "author" {
		p.value.Reset()
		return
	}
	p.inner = true
	p.value.WriteString("<" + name)
	for _, a := range t.Attr {
		if a.Name.Space == "" {
			p.value.WriteString(" " + a.Name.Local + `="` + html.EscapeString(a.Value) + `"`)
		}
	}
	p.value.WriteString(">")
}

func (p *feedParser) words(s string) {
	switch {
	case p.field == "":
	case p.inner || p.kind == "xhtml":
		p.value.WriteString(html.EscapeString(s))
	default:
		p.value.WriteString(s)
	}
}

// end takes a closing tag, and the ones that are missing before it.
func (p *feedParser) end(name string) {
	name = strings.ToLower(name)
	n := len(p.open) - 1
	for n >= 0 && p.open[n] != name {
		p.stop.Tick()
		n--
	}
	if n < 0 {
		return
	}
	for len(p.open) > n {
		p.pop()
	}
}

func (p *feedParser) pop() {
	depth := len(p.open)
	name := p.open[depth-1]
	p.open, p.bases = p.open[:depth-1], p.bases[:depth-1]
	switch {
	case p.field != "" && depth == p.at:
		p.set()
		p.field = ""
	case p.field == "author":
		if name == "name" || p.person == "" && name != "uri" {
			p.person = p.value.String()
		}
		p.value.Reset()
	case p.field != "":
		p.value.WriteString("</" + name + ">")
	case p.entry != nil && depth == p.depth:
		p.close()
	}
}

// meaning is what a field of a feed says.
type meaning uint8

const (
	isTitle meaning = iota + 1
	isSummary
	isContent
	isLink
	isID
	isAuthor
	isPublished
	isUpdated
	isLanguage
	isImage
)

// feedFields are the elements of RSS, Atom and RDF that are read, by their local name.
var feedFields = map[string]meaning{
	"title":          isTitle,
	"description":    isSummary,
	"subtitle":       isSummary,
	"tagline":        isSummary,
	"summary":        isSummary,
	"content":        isContent,
	"encoded":        isContent,
	"link":           isLink,
	"guid":           isID,
	"id":             isID,
	"author":         isAuthor,
	"creator":        isAuthor,
	"managingeditor": isAuthor,
	"pubdate":        isPublished,
	"published":      isPublished,
	"issued":         isPublished,
	"date":           isPublished,
	"updated":        isUpdated,
	"modified":       isUpdated,
	"lastbuilddate":  isUpdated,
	"language":       isLanguage,
	"logo":           isImage,
	"icon":           isImage,
}

// set stores the field that ends. Of summaries and contents the longest counts, of other
// fields the first. The switch is flat, a case for each meaning, and reads best whole.
func (p *feedParser) set() {
	to := &p.feed.feedEntry
	if p.entry != nil {
		to = p.entry
	}
	v := p.value.String()
	markup := rich{v, p.kind != "text" && p.kind != "text/plain"}
	switch feedFields[p.field] {
	case isTitle:
		if to.title.text == "" {
			to.title = markup
		}
	case isSummary:
		to.summary = longer(to.summary, markup)
	case isContent:
		to.content = longer(to.content, markup)
	case isLink:
		setOnce(&to.link, v)
	case isID:
		if p.field == "id" || p.perma {
			setOnce(&to.guid, v)
		}
	case isAuthor:
		if p.person != "" {
			v = p.person
		}
		setOnce(&to.author, collapse(v))
	case isPublished:
		setOnce(&to.published, v)
	case isUpdated:
		setOnce(&to.updated, v)
	case isLanguage:
		setOnce(&p.feed.language, v)
	case isImage:
		setOnce(&p.feed.image, v)
	}
}

func longer(a, b rich) rich {
	if len(b.text) > len(a.text) {
		return b
	}
	return a
}

func setOnce(field *string, v string) {
	if *field == "" {
		*field = strings.TrimSpace(v)
	}
}

func (p *feedParser) close() {
	if len(p.feed.entries) < maxEntries {
		p.feed.entries = append(p.feed.entries, *p.entry)
	} else {
		p.feed.cut = true
	}
	p.entry = nil
}

// parseJSONFeed reads a JSON Feed, nil when the body is none.
func parseJSONFeed(url, src string) *feed {
	if !strings.Contains(src[:min(len(src), 4096)], "jsonfeed.org/version/") {
		return nil
	}
	type person struct {
		Name string `json:"name"`
	}
	var in struct {
		Version     string   `json:"version"`
		Title       string   `json:"title"`
		Home        string   `json:"home_page_url"`
		Description string   `json:"description"`
		Language    string   `json:"language"`
		Icon        string   `json:"icon"`
		Author      person   `json:"author"`
		Authors     []person `json:"authors"`
		Items       []struct {
			ID        any      `json:"id"`
			URL       string   `json:"url"`
			External  string   `json:"external_url"`
			Title     string   `json:"title"`
			HTML      string   `json:"content_html"`
			Text      string   `json:"content_text"`
			Summary   string   `json:"summary"`
			Published string   `json:"date_published"`
			Modified  string   `json:"date_modified"`
			Author    person   `json:"author"`
			Authors   []person `json:"authors"`
		} `json:"items"`
	}
	if json.Unmarshal([]byte(src), &in) != nil ||
		!strings.Contains(in.Version, "jsonfeed.org/version/") {
		return nil
	}
	names := func(one person, all []person) string {
		var out []string
		for _, a := range append(all, one) {
			if a.Name != "" {
				out = append(out, a.Name)
			}
		}
		return strings.Join(out, ", ")
	}
	f := &feed{language: in.Language, image: in.Icon}
	f.base, f.link, f.title, f.summary, f.author = url, in.Home, rich{in.Title, false},
		rich{in.Description, false}, names(in.Author, in.Authors)
	for _, i := range in.Items {
		if f.cut = len(f.entries) == maxEntries; f.cut {
			break
		}
		e := feedEntry{base: url, link: i.URL, title: rich{i.Title, false},
			summary: rich{i.Summary, false}, content: rich{i.Text, false},
			author: names(i.Author, i.Authors), published: i.Published, updated: i.Modified}
		if e.link == "" {
			e.link = i.External
		}
		if i.HTML != "" {
			e.content = rich{i.HTML, true}
		}
		f.entries = append(f.entries, e)
	}
	return f
}

// document makes a Document of a feed: its title is a heading, each entry a section under
// it with what the feed says of its date and author, word for word, and its text. The
// Markdown is a list of links with the texts under them.
func (f *feed) document(stop *deadline.Stop, url string) *wstk.Document {
	b := newBuilder(stop, "feed/3")
	d := b.doc
	d.Choice = wstk.Choice{Name: "feed", Reason: "a feed has nothing around its entries"}
	d.Meta.Type = "feed"
	d.Meta.Language = languageTag(f.language)
	d.Meta.Author = text.Prefix(text.Strip(f.author), 300)
	d.Meta.Description = text.Prefix(f.summary.plain(stop), 1000)
	if f.image != "" {
		if u, err := text.Resolve(f.base, f.image); err == nil {
			d.Meta.Image = u
		}
	}
	for _, s := range []string{f.updated, f.published} {
		if t, ok := parseDate(s); ok && d.Meta.ModifiedAt == nil {
			d.Meta.ModifiedAt = &t
		}
	}
	title := f.title.plain(stop)
	if title == "" {
		title = url
	}
	d.Meta.Title = text.Prefix(title, 500)
	b.add(wstk.BlockHeading, 1, title)
	b.add(wstk.BlockParagraph, 0, f.summary.plain(stop))
	var md strings.Builder
	md.WriteString("# " + title + "\n")
	if s := f.summary.plain(stop); s != "" {
		md.WriteString("\n" + s + "\n")
	}
	if u := f.feedEntry.address(); u != "" && u != url {
		d.Links = append(d.Links, wstk.Link{URL: u, Text: title, Main: true, Element: -1})
	}
	for i := range f.entries {
		f.entries[i].write(b, &md)
	}
	if f.broken {
		d.Warnings = append(d.Warnings, wstk.Warning{Code: "xml_broken",
			Message: "the feed is not well-formed XML; it was read up to the first error",
			URL:     url})
	}
	if f.cut {
		d.Warnings = append(d.Warnings, wstk.Warning{Code: "feed_cut",
			Message: fmt.Sprintf("the feed has more than %d entries; the first ones were read",
				maxEntries), URL: url})
	}
	d.Markdown = md.String()
	return b.finish()
}

// address is where an entry leads, "" if nowhere.
func (e *feedEntry) address() string {
	for _, ref := range []string{e.link, e.guid, e.enclosure} {
		ref = strings.TrimSpace(ref)
		if ref == "" || ref == e.guid && !strings.HasPrefix(ref, "http") || !leads(ref) {
			continue
		}
		if u, err := text.Resolve(e.base, ref); err == nil {
			return u
		}
	}
	return ""
}

// write adds an entry to the Document and its Markdown. An entry without any words and
// without an address is left out.
func (e *feedEntry) write(b *builder, md *strings.Builder) {
	body := e.content
	if strings.TrimSpace(body.text) == "" {
		body = e.summary
	}
	link := e.address()
	title := e.name(b.stop, body, link)
	if title == "" {
		return
	}
	b.add(wstk.BlockHeading, 2, title)
	date := e.published
	if date == "" {
		date = e.updated
	}
	date = collapse(text.Strip(date))
	b.add(wstk.BlockOther, 0, date)
	b.add(wstk.BlockOther, 0, e.author)
	md.WriteString("\n- ")
	shown := strings.NewReplacer("[", "\\[", "]", "\\]").Replace(title)
	if link != "" {
		b.link(wstk.Link{URL: link, Text: title, Main: true, Element: -1})
		shown = "[" + shown + "](" + link + ")"
	}
	md.WriteString(shown)
	if date != "" {
		md.WriteString(", " + date)
	}
	if e.author != "" {
		md.WriteString(", " + text.Strip(e.author))
	}
	md.WriteString("\n")
	writeItem(md, e.body(b, body))
}

// name is the title of an entry. A note without a title is named by its beginning.
func (e *feedEntry) name(stop *deadline.Stop, body rich, link string) string {
	if title := e.title.plain(stop); title != "" {
		return title
	}
	if title := cutWords(body.plain(stop), 80); title != "" {
		return title
	}
	return link
}

// body adds the blocks of an entry's text and returns its Markdown.
func (e *feedEntry) body(b *builder, body rich) string {
	if strings.TrimSpace(body.text) == "" {
		return ""
	}
	if body.html {
		return e.html(b, body.text)
	}
	for para := range strings.SplitSeq(lines(body.text), "\n\n") {
		b.add(wstk.BlockParagraph, 0, strings.TrimSpace(para))
	}
	return strings.TrimSpace(body.text)
}

// writeItem writes the Markdown of a text as part of a list item.
func writeItem(md *strings.Builder, rendered string) {
	if rendered == "" {
		return
	}
	for l := range strings.SplitSeq(rendered, "\n") {
		md.WriteString("\n")
		if strings.TrimSpace(l) != "" {
			md.WriteString("  " + l)
		}
	}
	md.WriteString("\n")
}

// html adds the blocks of an entry's HTML and returns its Markdown. Headings in it stand
// below the entry's own.
func (e *feedEntry) html(b *builder, src string) string {
	t := dom.Parse(b.stop, "<!doctype html><body>"+src, false)
	p := readPage(t, e.base)
	for i := range p.blocks {
		from := &p.blocks[i]
		from.Main = true
		level := from.Level
		if from.Kind == wstk.BlockHeading {
			level = min(6, level+2)
		}
		if k := b.addParts(from.Kind, level, p.blockText(i), p.partsOf(i)); k >= 0 {
			b.doc.Blocks[k].Lang, b.doc.Blocks[k].IsHeader = from.Lang, from.IsHeader
			b.doc.Blocks[k].Table = from.Table
		}
	}
	for _, s := range t.Bounds() {
		if !slices.Contains(b.bounds, s) {
			b.bounds = append(b.bounds, s)
		}
	}
	f := gather(t)
	for _, l := range p.links(f) {
		l.Element = -1
		b.link(l)
	}
	for _, h := range p.hidden {
		h.Element = -1
		b.doc.Hidden = append(b.doc.Hidden, h)
	}
	return p.markdown(f)
}

// plain is a rich text on one line.
func (r rich) plain(stop *deadline.Stop) string {
	if !r.html || !strings.ContainsAny(r.text, "<&") {
		return collapse(text.Strip(r.text))
	}
	p := readPage(dom.Parse(stop, "<!doctype html><body>"+r.text, false), "")
	return collapse(string(p.text))
}

// cutWords cuts s after a word, to at most n bytes.
func cutWords(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = text.Prefix(s, n)
	if i := strings.LastIndexByte(s, ' '); i > n/2 {
		s = s[:i]
	}
	return s + "…"
}
