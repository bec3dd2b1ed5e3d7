package read

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"wstk/shared/stage/read/css"
	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// flagSet is a set of wstk.Flag.
type flagSet uint8

const (
	isAltered flagSet = 1 << iota
	isComment
	isGenerated
	isIncomplete
	isReordered
	isRuby
	isSponsored
	isStruck
)

// flagNames are the flags of the bits above, in order; they are sorted.
var flagNames = [...]wstk.Flag{wstk.FlagAltered, wstk.FlagComment, wstk.FlagGenerated,
	wstk.FlagIncomplete, wstk.FlagReordered, wstk.FlagRuby, wstk.FlagSponsored, wstk.FlagStruck}

func (f flagSet) list() []wstk.Flag {
	var out []wstk.Flag
	for i, name := range flagNames {
		if f&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// bitOf is the bit of a flag.
func bitOf(f wstk.Flag) flagSet {
	for i, name := range flagNames {
		if name == f {
			return 1 << i
		}
	}
	return 0
}

// bitsOf are the bits of flags.
func bitsOf(flags []wstk.Flag) (out flagSet) {
	for _, f := range flags {
		out |= bitOf(f)
	}
	return out
}

// flagged is a part of a text with its flags.
type flagged struct {
	start, end int // bytes
	flags      flagSet
}

// mirrored reports whether a transform turns a line over, so that its end comes
// first: scaleX(-1), a first factor below zero, half a turn.
func mirrored(v string) bool {
	v = strings.ReplaceAll(v, " ", "")
	if strings.HasPrefix(v, "-") { // scale: -1 1
		return true
	}
	for _, part := range strings.SplitAfter(v, ")") {
		name, args, _ := strings.Cut(strings.TrimSuffix(part, ")"), "(")
		switch name {
		case "scalex", "scale", "matrix", "scale3d":
			if strings.HasPrefix(args, "-") {
				return true
			}
		case "rotate", "rotatez":
			switch args {
			case "180deg", "-180deg", ".5turn", "0.5turn", "200grad":
				return true
			}
		}
	}
	return false
}

// inherited is what flags an element's text, as its ancestors say.
type inherited struct {
	flags    flagSet
	rightTo  bool // the direction is from right to left, and not the page's own
	override bool // characters are laid out in that direction, whatever they are
	mirror   bool
	flex     bool   // the parent lays out its children by their order
	mark     string // the words of list-style-type, before each item
	quotes   string // the words of the property quotes
}

// flag reads off element i, of the style st, what it says about its text.
func (w *walker) flag(i int32, st *css.Style, d dom.Display, s *state) {
	n := w.Els[i].Node
	in := &s.inherited
	flex := in.flex
	in.flex = false
	switch n.DataAtom {
	case atom.S, atom.Strike, atom.Del:
		in.flags |= isStruck
	case atom.Rt, atom.Rtc:
		in.flags |= isRuby
	case atom.Bdo:
		in.override = true
	}
	if n.DataAtom == 0 && commentElements[n.Data] {
		in.flags |= w.comments(i)
	}
	if len(n.Attr) > 0 {
		w.marked(i, d, s)
	}
	if st != nil {
		l := &st.Line
		if strings.Contains(l.Decoration, "line-through") {
			in.flags |= isStruck
		}
		if strings.Contains(l.Bidi, "override") {
			in.override = true
		}
		switch l.Direction {
		case "rtl":
			in.rightTo = true
			if w.figuresFromRight(i) {
				in.flags |= isReordered
			}
		case "ltr":
			in.rightTo = false
		}
		if l.Mirror != "" && mirrored(l.Mirror) {
			in.mirror = !in.mirror
		}
		if strings.Contains(l.Flow, "reverse") && w.inlineItems(i) {
			in.flags |= isReordered
		}
		in.flex = strings.Contains(st.Display, "flex") || strings.Contains(st.Display, "grid")
		if d != dom.DisplayBlock && s.hide < 0 {
			if flex && l.Order != "" && !css.IsZero(l.Order) {
				w.whole |= isReordered
			}
			if l.Float == "right" {
				if w.floats++; w.floats > 1 {
					w.whole |= isReordered // of several, the last comes first
				}
			}
		}
	}
}

// inlineItems reports whether the children of element i are parts of one line in
// its text: what a reversed order shuffles. Boxes of their own are read in the order
// of the page, each right by itself.
func (w *walker) inlineItems(i int32) bool {
	items := 0
	next := i + 1
	for c := w.Els[i].Node.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.ElementNode:
			k := next
			next = w.Els[k].End
			if dom.DisplayOf(c.DataAtom) == dom.DisplayBlock {
				return false
			}
			for b := k; b < next; b++ {
				if dom.DisplayOf(w.Els[b].Node.DataAtom) == dom.DisplayBlock {
					return false
				}
			}
			if w.TextBytes(int(k)) > 0 {
				items++
			}
		case html.TextNode:
			if strings.TrimSpace(c.Data) != "" {
				items++
			}
		}
	}
	return items > 1
}

// marked reads the attributes of element i for what they say about its text.
func (w *walker) marked(i int32, d dom.Display, s *state) {
	n := w.Els[i].Node
	in := &s.inherited
	for k := range n.Attr {
		a := &n.Attr[k]
		if a.Namespace != "" {
			continue
		}
		switch a.Key {
		case "role":
			switch strings.ToLower(a.Val) {
			case "deletion":
				in.flags |= isStruck
			case "comment":
				in.flags |= w.comments(i)
			}
		case "dir":
			switch {
			case n.DataAtom == atom.Html || n.DataAtom == atom.Body:
			case strings.EqualFold(a.Val, "rtl"):
				in.rightTo = true
				if w.figuresFromRight(i) {
					in.flags |= isReordered
				}
			case strings.EqualFold(a.Val, "ltr"):
				in.rightTo = false
			}
		case "rel":
			if n.DataAtom == atom.A && dom.HasWord(strings.ToLower(a.Val), "sponsored") {
				in.flags |= isSponsored
			}
		case "itemtype":
			switch schemaName(a.Val) {
			case "Comment", "UserComments":
				in.flags |= w.comments(i)
			case "Review", "UserReview":
				if dom.HasAttr(n, "itemprop") || !w.holdsPage(i) {
					in.flags |= w.comments(i)
				}
			}
		case "ai-disclosure", "data-ai-disclosure", "data-ai-generated", "data-ai":
			switch strings.ToLower(a.Val) {
			case "ai-generated", "autonomous", "true", "1", "yes", "generated", "":
				in.flags |= isGenerated
			}
		case "class", "id":
			w.named(i, a.Key == "id", a.Val, d, s)
		default:
			if strings.HasPrefix(a.Key, "data-") &&
				(commentMarks[a.Key] || commentMarks[a.Key+"="+strings.ToLower(a.Val)]) {
				in.flags |= w.comments(i)
			}
		}
	}
}

// schemaName is the last part of a schema.org type's address.
func schemaName(v string) string {
	v = strings.TrimSpace(v)
	return v[strings.LastIndexAny(v, "/#")+1:]
}

// Names of elements, by class or id, that say what stands in them. Each is a whole
// word of the attribute, in lower case with "-" for "_".
var (
	struckNames = words("line-through strikethrough strike-through struck " +
		"text-decoration-line-through " +
		"text-strike text-line-through strike-out strikeout has-line-through")
	commentNames = words("comments comment-list commentlist comments-area comments-list " +
		"comments-section comment-section comments-container " +
		"comment-container comments-wrapper comment-body comment-content comment-text " +
		"comment-item comment-thread commenttext user-comment " +
		"user-comments reader-comments wp-block-comments wp-block-comment-template " +
		"wp-block-comment-content disqus-thread disqus-comments " +
		"fb-comments livefyre livefyre-comments commento hyvor-talk-view giscus utterances " +
		"isso-thread isso-comment remark42 cusdis-thread " +
		"customer-review customer-reviews user-review user-reviews product-review " +
		"product-reviews reader-reviews review-body review-text review-content " +
		"review-item review-list reviews-list review-container reviewcard reviewcontent " +
		"reviewtext reviewselector " +
		"commentarea nestedlisting comtr commtext comment-tree comments-subtree commentlisting " +
		"commentbody comment-node")
	// Attributes that say it, alone or by their value; and elements of a site's own.
	commentMarks = words("data-hook=review data-hook=review-body data-hook=review-title " +
		"data-testid=comment data-testid=comment-body " +
		"data-testid=review data-testid=review-card data-test-target=review-body " +
		"data-test-target=review-title data-automation=reviewcard " +
		"data-automation=reviewbody data-reviewid data-review-id data-service-review-card-paper " +
		"data-service-review-text-typography " +
		"data-comment-id data-commentid")
	commentElements = words(
		"shreddit-comment shreddit-comment-tree ytd-comments ytd-comment-thread-renderer")
	// Words that are names of other things, too: they count on an element that lies
	// beside the page's own content.
	looseCommentNames = words("comment reviews review")
	sponsoredNames    = words("sponsored sponsored-content sponsored-post sponsored-links " +
		"sponsoredlinks advertisement advertisements advertorial native-ad " +
		"native-ads ad-container ad-wrapper ad-slot ad-unit ad-box ad-banner adsbygoogle " +
		"google-ad google-ads gpt-ad taboola outbrain " +
		"ob-widget revcontent mgid paid-content paid-post promoted-content promoted-post " +
		"partner-content trc-related-container")
	generatedNames = words("ai-generated ai-generated-content ai-summary ai-overview " +
		"machine-generated")
)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// maxNames bounds the words that are looked at of one attribute.
const maxNames = 40

// named reads the words of a class or id attribute.
func (w *walker) named(i int32, id bool, value string, d dom.Display, s *state) {
	in := &s.inherited
	tag := w.Els[i].Tag()
	seen := 0
	for name := range strings.FieldsSeq(value) {
		if seen++; seen > maxNames {
			return
		}
		name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
		if made, ok := strings.CutPrefix(name, "styles-"); ok { // styles_reviewCard__x7Hd
			name, _, _ = strings.Cut(made, "--")
		}
		if struckNames[name] {
			in.flags |= isStruck
		}
		if tag == atom.Html || tag == atom.Body || tag == atom.Main ||
			in.flags&isComment != 0 && in.flags&isSponsored != 0 {
			continue
		}
		switch {
		case d != dom.DisplayBlock && !id && !commentTag(tag):
		case commentNames[name], commentNumber(name):
			in.flags |= w.comments(i)
		case looseCommentNames[name] && commentTag(tag) && !s.pre:
			if !w.holdsPage(i) {
				in.flags |= w.comments(i)
			}
		case sponsoredNames[name], strings.HasPrefix(name, "div-gpt-ad"),
			strings.HasPrefix(name, "taboola-"), strings.HasPrefix(name, "outbrain-"):
			if !w.holdsPage(i) {
				in.flags |= isSponsored
			}
		}
		if generatedNames[name] {
			in.flags |= isGenerated
		}
	}
}

// commentTag names elements that hold one comment or a list of them.
func commentTag(a atom.Atom) bool {
	switch a {
	case atom.Div, atom.Li, atom.Article, atom.Section, atom.Ol, atom.Ul, atom.Aside, atom.Tr,
		atom.Td, atom.Dl, atom.Dd, atom.Blockquote:
		return true
	}
	return false
}

// commentNumber reads comment-17 and li-comment-17.
func commentNumber(name string) bool {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "li-"), "div-")
	digits, ok := strings.CutPrefix(name, "comment-")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// comments is isComment, unless element i holds the page's title, or the page is a
// forum, where what visitors write is the content.
func (w *walker) comments(i int32) flagSet {
	if w.forum || w.holdsTitle(i) {
		return 0
	}
	return isComment
}

// holdsTitle reports whether the page's main heading or main element stands in
// element i: it is the page, whatever it is called.
func (w *walker) holdsTitle(i int32) bool { return w.head >= i && w.head < w.Els[i].End }

// holdsPage reports whether element i holds the title or most of the page's text.
func (w *walker) holdsPage(i int32) bool {
	return w.holdsTitle(i) || w.TextBytes(int(i))*5 > w.TextBytes(0)*3
}

// titleOf finds the first <h1> that is not in a header of the site, else the main
// element; -1 on a page with neither.
func titleOf(t *dom.Tree) int32 {
	first, main := int32(-1), int32(-1)
	for i := range t.Els {
		switch t.Els[i].Tag() {
		case atom.H1:
			if first < 0 {
				first = int32(i)
			}
		case atom.Main:
			if main < 0 {
				main = int32(i)
			}
		}
	}
	if first < 0 {
		return main
	}
	return first
}

// forumMakers are programs that make forums, as their generator element or the
// class of their pages names them.
var forumMakers = words("phpbb vbulletin discourse xenforo mybb smf flarum nodebb vanilla punbb " +
	"fluxbb ipboard invision yabb jforum lithium khoros")

// forumPage reports whether a page is a thread of a forum, or a question with its
// answers. What visitors write there is what the page is about.
func forumPage(t *dom.Tree, address string) bool {
	for i := range t.Els {
		n := t.Els[i].Node
		switch t.Els[i].Tag() {
		case atom.Meta:
			if strings.EqualFold(dom.Attr(n, "name"), "generator") {
				for w := range strings.FieldsFuncSeq(strings.ToLower(dom.Attr(n, "content")),
					func(r rune) bool { return !unicode.IsLetter(r) }) {
					if forumMakers[w] {
						return true
					}
				}
			}
		case atom.Script:
			if jsonLD(n) {
				s := dom.TextContent(n, 1<<20)
				if strings.Contains(s, `"DiscussionForumPosting"`) ||
					strings.Contains(s, `"QAPage"`) {
					return true
				}
			}
		default:
			if len(n.Attr) == 0 {
				continue
			}
			switch schemaName(dom.Attr(n, "itemtype")) {
			case "DiscussionForumPosting", "QAPage":
				return true
			}
			if id := dom.Attr(n, "id"); id == "phpbb" || id == "discourse-main" || id == "XF" {
				return true
			}
		}
	}
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	for _, p := range []string{"forum.", "forums.", "community.", "communities.", "discuss.",
		"discourse.", "board.", "boards."} {
		if strings.HasPrefix(host, p) {
			return true
		}
	}
	path := strings.ToLower(u.Path)
	for _, p := range []string{"/forum/", "/forums/", "/viewtopic", "/showthread", "/threads/",
		"/thread/", "/topic/", "/discussion/", "/discussions/", "/issues/"} {
		if strings.Contains(path, p) {
			return true
		}
	}
	return false
}

// rightToLeft reports whether the page as a whole is written from right to left.
func rightToLeft(t *dom.Tree) bool {
	for i := range t.Els {
		n := t.Els[i].Node
		switch t.Els[i].Tag() {
		case atom.Html:
			lang, _, _ := strings.Cut(strings.ToLower(dom.Attr(n, "lang")), "-")
			switch lang {
			case "ar", "he", "fa", "ur", "yi", "ps", "ckb", "dv", "sd", "ug":
				return true
			}
			if strings.EqualFold(dom.Attr(n, "dir"), "rtl") {
				return true
			}
		case atom.Body:
			return strings.EqualFold(dom.Attr(n, "dir"), "rtl")
		}
	}
	return false
}

// note keeps the flags of what was just added to the block in the making, cur[from:].
func (w *walker) note(from int, s *state) {
	f := s.flags
	if s.mirror {
		f |= isReordered
	}
	if s.override {
		f |= turned(w.cur[from:], s.rightTo)
	}
	if f == 0 {
		return
	}
	if n := len(w.parts); n > 0 && w.parts[n-1].flags == f && blank(w.cur[w.parts[n-1].end:from]) {
		w.parts[n-1].end = len(w.cur)
		return
	}
	w.parts = append(w.parts, flagged{from, len(w.cur), f})
}

// turned is isReordered where words are laid out one way, whatever their letters ask
// for, and it is the other way.
func turned(words []byte, rightTo bool) flagSet {
	left, right, digits := lettersOf(words)
	if rightTo && left+digits > 1 || !rightTo && right > 1 {
		return isReordered
	}
	return 0
}

// figuresFromRight reports whether element i, which is laid out from right to left,
// holds several numbers and no letters: the last one is shown first.
func (w *walker) figuresFromRight(i int32) bool {
	const longest = 200
	if w.rightTo || w.TextBytes(int(i)) > longest {
		return false
	}
	s := dom.TextContent(w.Els[i].Node, longest)
	left, right, _ := lettersOf([]byte(s))
	return left == 0 && right == 0 &&
		len(strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })) > 1
}

// lettersOf counts letters written from left to right, from right to left, and
// digits.
func lettersOf(s []byte) (left, right, digits int) {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		s = s[n:]
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r >= 0x0590 && r <= 0x08FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC:
			right++
		case unicode.IsLetter(r):
			left++
		}
	}
	return left, right, digits
}

// Characters that lay out what follows against its letters, up to U+202C or the end
// of the line. They are stripped from text, so the block that held them is flagged.
const (
	leftToRightOverride = "\u202d"
	rightToLeftOverride = "\u202e"
)

// overrides reports whether s has such a character with something after it that it
// turns.
func overrides(s string) bool {
	for {
		i := strings.Index(s, leftToRightOverride)
		k := strings.Index(s, rightToLeftOverride)
		if i < 0 && k < 0 {
			return false
		}
		rtl := i < 0 || k >= 0 && k < i
		if rtl {
			i = k
		}
		s = s[i+len(leftToRightOverride):]
		held, _, _ := strings.Cut(s, "\u202c")
		left, right, digits := lettersOf([]byte(held))
		if rtl && left+digits > 1 || !rtl && right > 1 {
			return true
		}
	}
}

// strokes are combining characters that draw a line through the one before.
func stroke(r rune) bool { return r >= 0x0335 && r <= 0x0338 }

// struckOut returns the words of s whose characters carry strokes of their own. One
// stroke is a letter of its own in some alphabets, or the not of an operator.
func struckOut(s []byte) []flagged {
	var out []flagged
	start, strokes, last := -1, 0, 0
	end := func() {
		if strokes > 1 || strokes == 1 && last-start <= 3 && s[start] >= '0' && s[start] <= '9' {
			out = append(out, flagged{start, last, isStruck})
		}
		start, strokes = -1, 0
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRune(s[i:])
		switch {
		case stroke(r) && i > 0:
			if start < 0 {
				_, before := utf8.DecodeLastRune(s[:i])
				start = i - before
			}
			strokes++
			last = i + n
		case start >= 0 && i > last: // a second character without a stroke
			end()
		}
		i += n
	}
	if start >= 0 {
		end()
	}
	return out
}

// flagsOf sets the flags of a block's words: those that hold for all of them, and
// the parts for which others do. at is where the words stand in the text.
func flagsOf(words []byte, parts []flagged, whole flagSet, b *wstk.Block) []wstk.Flagged {
	if len(parts) == 0 && !strings.ContainsAny(string(words), "\u0335\u0336\u0337\u0338") {
		b.Flags = whole.list()
		return nil
	}
	parts = overlay(parts, struckOut(words))
	all := ^flagSet(0)
	at := 0
	for _, p := range parts {
		if !blankOrStop(words[at:p.start]) {
			all = 0
		}
		all &= p.flags
		at = p.end
	}
	if !blankOrStop(words[at:]) {
		all = 0
	}
	b.Flags = (whole | all).list()
	var out []wstk.Flagged
	at, chars := 0, 0
	for _, p := range parts {
		f := p.flags &^ (whole | all)
		if f == 0 {
			continue
		}
		chars += utf8.RuneCount(words[at:p.start])
		wide := utf8.RuneCount(words[p.start:p.end])
		out = append(out, wstk.Flagged{Flags: f.list(), Span: wstk.Span{
			CharStart: b.CharStart + chars, CharEnd: b.CharStart + chars + wide,
			ByteStart: b.ByteStart + p.start, ByteEnd: b.ByteStart + p.end}})
		chars += wide
		at = p.end
	}
	return out
}

// trimmed moves parts of all to the piece kept of it, which is what all begins or ends
// in white space without.
func trimmed(parts []flagged, all, kept []byte) []flagged {
	if len(parts) == 0 {
		return nil
	}
	front := cap(all) - cap(kept)
	out := parts[:0]
	for _, p := range parts {
		p.start, p.end = max(0, p.start-front), min(len(kept), p.end-front)
		if p.start < p.end {
			out = append(out, p)
		}
	}
	return out
}

// blankOrStop reports whether nothing is left of a line but white space and marks.
func blankOrStop(s []byte) bool {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Sc, r) {
			return false
		}
		s = s[n:]
	}
	return true
}

// overlay joins two lists of parts, each in order and without overlaps, to one such.
func overlay(a, b []flagged) []flagged {
	if len(b) == 0 {
		return a
	}
	if len(a) == 0 {
		return b
	}
	var out []flagged
	put := func(start, end int, f flagSet) {
		if start >= end || f == 0 {
			return
		}
		if n := len(out); n > 0 && out[n-1].end == start && out[n-1].flags == f {
			out[n-1].end = end
			return
		}
		out = append(out, flagged{start, end, f})
	}
	i, k, at := 0, 0, 0
	for i < len(a) || k < len(b) {
		next := 1 << 62
		var f flagSet
		look := func(p flagged) {
			if p.start > at {
				next = min(next, p.start)
			} else {
				f |= p.flags
				next = min(next, p.end)
			}
		}
		if i < len(a) {
			look(a[i])
		}
		if k < len(b) {
			look(b[k])
		}
		put(at, next, f)
		at = next
		for i < len(a) && a[i].end <= at {
			i++
		}
		for k < len(b) && b[k].end <= at {
			k++
		}
	}
	return out
}
