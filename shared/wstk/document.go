package wstk

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sort"
	"time"
)

// Document is the text of a Snapshot: the page's whole visible text, once, as
// the parser and CSS white-space collapsing give it. No Unicode normalisation, no
// Markdown marks; blocks are separated by newlines, table cells by tabs.
//
// Text[b.ByteStart:b.ByteEnd] is the text of block b, for every block. Blocks
// are in reading order and do not overlap. Markdown is a rendering kept beside
// the text; offsets never refer to it.
type Document struct {
	URL            string `json:"url"`
	CanonicalURL   string `json:"canonical_url"` // rel=canonical if the page names one, else URL
	SnapshotSHA256 Hash   `json:"snapshot_sha256"`
	TextSHA256     Hash   `json:"text_sha256"`

	// VisibilitySHA256 names the record of what a browser showed that decided, with the
	// body, what is text; "" where there is none, or it does not fit the body.
	VisibilitySHA256 Hash `json:"visibility_sha256,omitempty"`

	Text   string  `json:"text"`
	Blocks []Block `json:"blocks"`
	// parts of blocks with flags of their own, in order
	Flagged  []Flagged  `json:"flagged,omitempty"`
	Sections []Section  `json:"sections"`
	Links    []Link     `json:"links"`
	Meta     Metadata   `json:"meta"`
	Data     []DataItem `json:"structured_data"`
	Hidden   []Hidden   `json:"hidden,omitempty"`

	// StylesNotRead is how many style sheets the page links to that were not read, so that
	// text which they hide counts as visible; 0 where a browser said what it shows.
	StylesNotRead int `json:"styles_not_read,omitempty"`

	Markdown  string    `json:"markdown"` // of the main content
	Choice    Choice    `json:"choice"`
	FetchedAt time.Time `json:"fetched_at"`
	Reader    string    `json:"reader"` // name and version of the reader, e.g. "html/1"
	Warnings  []Warning `json:"warnings,omitempty"`
}

// BlockKind is what a block is on its page.
type BlockKind string

const (
	BlockHeading    BlockKind = "heading"
	BlockParagraph  BlockKind = "paragraph"
	BlockListItem   BlockKind = "list_item"
	BlockTableRow   BlockKind = "table_row" // cells joined by tabs
	BlockCode       BlockKind = "code"      // white space kept
	BlockQuote      BlockKind = "quote"
	BlockTerm       BlockKind = "term"       // dt
	BlockDefinition BlockKind = "definition" // dd
	BlockCaption    BlockKind = "caption"    // figcaption, table caption
	BlockOther      BlockKind = "other"
)

// Block is a run of visible text that stands by itself on the page.
type Block struct {
	Kind    BlockKind `json:"kind"`
	Level   int       `json:"level,omitempty"` // heading level 1–6, list depth from 1
	Section int       `json:"section"`         // index into Sections; -1 before the first heading
	Span
	// pre-order index of its DOM element, counting elements from 0; -1 where there is no DOM
	Element  int    `json:"element"`
	Main     bool   `json:"main"`
	Lang     string `json:"lang,omitempty"`   // code language
	Table    int    `json:"table,omitempty"`  // ordinal of its table on the page, from 1
	IsHeader bool   `json:"header,omitempty"` // a header row of its table
	// of a row: its columns that a cell of another column or row reaches into, by column
	Spanned []Spanned `json:"spanned,omitempty"`
	// of a paged document, from 1; 0 where there are no pages
	Page  int    `json:"page,omitempty"`
	Flags []Flag `json:"flags,omitempty"` // what limits what its words say, sorted, each once
}

// Spanned says which cell a column of a row shows that has none of its own there: the one that
// begins in column From of block Block, in the same row or in one above. The text holds it once.
type Spanned struct {
	Column int `json:"column"` // from 0, as the tabs of the row count
	Block  int `json:"block"`
	From   int `json:"from"`
}

// Flag says of a visible text that it is not, or not simply, what the page states.
// Struck, reordered, altered and incomplete text is never a direct answer; comments are one
// only with their flag shown.
type Flag string

const (
	// words that a style sheet puts beside it make another statement of it
	FlagAltered   Flag = "altered"
	FlagStruck    Flag = "struck"    // crossed out: s, strike, del, line-through
	FlagComment   Flag = "comment"   // written by a visitor: a comment, a review
	FlagSponsored Flag = "sponsored" // an advertisement, paid for
	// shown in another order than it is stored: bdo, U+202D, U+202E
	FlagReordered Flag = "reordered"
	// its line shows words that are no text within it or beside it: a picture, a form field
	FlagIncomplete Flag = "incomplete"
	FlagRuby       Flag = "ruby" // a reading beside the words it belongs to
	// a style sheet puts words beside it, or it is said to be machine-made
	FlagGenerated Flag = "generated"
)

// Flagged is a part of a block that carries flags which the whole block does not:
// the crossed-out price in a line, the reading of one word.
type Flagged struct {
	Span
	Flags []Flag `json:"flags"` // sorted, each once
}

// FlagsIn returns the flags of what Text[start:end] touches: of its blocks, and of
// parts of them. They are sorted, each once; nil where there are none.
func (d *Document) FlagsIn(start, end int) []Flag {
	var out []Flag
	from, _ := slices.BinarySearchFunc(d.Blocks, start+1, func(b Block, at int) int {
		return cmp.Compare(b.ByteEnd, at)
	})
	for _, b := range d.Blocks[from:] {
		if b.ByteStart >= end {
			break
		}
		out = append(out, b.Flags...)
	}
	for _, f := range d.FlaggedIn(start, end) {
		out = append(out, f.Flags...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// FlaggedIn returns the flagged parts of blocks that Text[start:end] touches.
func (d *Document) FlaggedIn(start, end int) []Flagged {
	from, _ := slices.BinarySearchFunc(d.Flagged, start+1, func(f Flagged, at int) int {
		return cmp.Compare(f.ByteEnd, at)
	})
	to := from
	for to < len(d.Flagged) && d.Flagged[to].ByteStart < end {
		to++
	}
	return d.Flagged[from:to]
}

// Outline passes sections and blocks to functions that know neither: a section by its
// title and the section above it, then a block by its kind, section and place. What a
// visitor wrote is of the kind "comment".
func (d *Document) Outline(
	section func(title string, parent int), block func(kind string, section, start, end int),
) {
	for _, s := range d.Sections {
		section(s.Title, s.Parent)
	}
	for _, b := range d.Blocks {
		kind := string(b.Kind)
		if slices.Contains(b.Flags, FlagComment) {
			kind = "comment"
		}
		block(kind, b.Section, b.ByteStart, b.ByteEnd)
	}
}

// TakesBack reports whether a flag says that its words are not what the page states:
// crossed out, shown in another order, or with words before them that are no text. Such
// words are never a direct answer.
func (f Flag) TakesBack() bool { return f == FlagStruck || f == FlagReordered || f == FlagAltered }

// FromOthers reports whether a flag says that its words are not the site's own: a
// visitor's, or an advertiser's. They answer only with their flag shown, and never
// before what the page itself says.
func (f Flag) FromOthers() bool { return f == FlagComment || f == FlagSponsored }

// Section is a heading and what stands under it.
type Section struct {
	Title  string `json:"title"`
	Level  int    `json:"level"`
	Parent int    `json:"parent"`           // index into Sections; -1 at the top
	Anchor string `json:"anchor,omitempty"` // fragment that leads to it
}

// Link is an outgoing hyperlink.
type Link struct {
	URL      string `json:"url"`  // absolute, canonical
	Text     string `json:"text"` // anchor text, white space collapsed
	Main     bool   `json:"main"` // stands in a main block
	NoFollow bool   `json:"nofollow,omitempty"`
	Element  int    `json:"element"`
}

// Metadata is what the page says about itself. Unknown is absent.
type Metadata struct {
	Title       string     `json:"title,omitempty"`
	SiteName    string     `json:"site_name,omitempty"`
	Description string     `json:"description,omitempty"`
	Author      string     `json:"author,omitempty"`
	Language    string     `json:"language,omitempty"` // BCP 47, lower case primary subtag first
	PublishedAt *time.Time `json:"published_at,omitempty"`
	ModifiedAt  *time.Time `json:"modified_at,omitempty"`
	Image       string     `json:"image,omitempty"`
	Type        string     `json:"type,omitempty"` // og:type or schema.org type
	NoIndex     bool       `json:"noindex,omitempty"`
	NoFollow    bool       `json:"nofollow,omitempty"`

	// Robots are the meta elements with rules for robots, of any name, and
	// tdm-reservation, in order; at most 20.
	Robots []RobotsMeta `json:"robots,omitempty"`
}

// RobotsMeta is a meta element with rules for robots: <meta name="robots"
// content="noai">.
type RobotsMeta struct {
	Name    string `json:"name"` // lower case
	Content string `json:"content"`
}

// DataItem is one piece of structured data. Leaves name each of its values so
// that a data Evidence can point at it.
type DataItem struct {
	Format  string          `json:"format"`  // json-ld, microdata, opengraph, meta
	Type    string          `json:"type"`    // schema.org type, og:type, ""
	Element int             `json:"element"` // the script, or the item's element
	Value   json.RawMessage `json:"value"`   // the item as JSON
	Leaves  []DataLeaf      `json:"leaves"`
}

// DataLeaf is one literal. In a JSON-LD script Pointer is the JSON Pointer
// (RFC 6901) into the script's JSON; at any other element it is "/@NAME" for an
// attribute and "/#text" for its text content. Literal is what stands there, raw:
// for JSON strings the decoded string, for numbers and booleans their source text.
type DataLeaf struct {
	Name    string `json:"name"` // dotted path of property names: offers.price
	Element int    `json:"element"`
	Pointer string `json:"pointer"`
	Literal string `json:"literal"`
}

// LeavesOf returns the leaves that a data Evidence points at: one, or one for each name
// that an element gives its value.
func (it *DataItem) LeavesOf(e Evidence) (out []DataLeaf) {
	for _, l := range it.Leaves {
		if e.Element != nil && l.Element == *e.Element && l.Pointer == e.Pointer {
			out = append(out, l)
		}
	}
	return out
}

// Hidden is text that is in the page and not visible: never a text quote.
type Hidden struct {
	Element int `json:"element"`
	// attribute, aria, inline_style, style_rule, off_screen, tiny, same_color, comment …
	Reason string `json:"reason"`
	Text   string `json:"text"`  // at most 500 code points
	Chars  int    `json:"chars"` // how long it really is
}

// Choice is the candidate that gave the main content, and why.
type Choice struct {
	// blocks, docs, container, body, pdf, feed, none; older ones also name a library
	Name   string `json:"name"`
	Reason string `json:"reason,omitempty"`
	// share of the page's text that was kept, 0–1, by name
	Candidates map[string]float64 `json:"candidates,omitempty"`
	// readability or docs: what was asked for, or what the page is taken for
	Strategy string `json:"strategy,omitempty"`
}

// PageAt returns the page on which the byte at of Text stands, from 1; 0 where the
// document has no pages.
func (d *Document) PageAt(at int) int {
	page := 0
	for i := range d.Blocks {
		if d.Blocks[i].ByteStart > at {
			break
		}
		page = d.Blocks[i].Page
	}
	return page
}

// SectionPath returns the titles from the outermost section to section i;
// nil for -1.
func (d *Document) SectionPath(i int) []string {
	var path []string
	for ; i >= 0 && i < len(d.Sections); i = d.Sections[i].Parent {
		path = append(path, d.Sections[i].Title)
		if d.Sections[i].Parent >= i { // a malformed stored document must not loop
			break
		}
	}
	for l, r := 0, len(path)-1; l < r; l, r = l+1, r-1 {
		path[l], path[r] = path[r], path[l]
	}
	return path
}

// BlockText returns the text of block i.
func (d *Document) BlockText(i int) string {
	b := d.Blocks[i]
	return d.Text[b.ByteStart:b.ByteEnd]
}

// MainText is the text of the main blocks, separated by newlines.
func (d *Document) MainText() string {
	var out []byte
	for i, b := range d.Blocks {
		if b.Main {
			if len(out) > 0 {
				out = append(out, '\n')
			}
			out = append(out, d.BlockText(i)...)
		}
	}
	return string(out)
}

// SaveDocument stores d as two blobs and returns the hash of its structure: the
// text under its own hash, so that anyone who holds an Evidence can fetch and check
// it with nothing else, and everything but the text as JSON.
func SaveDocument(ctx context.Context, blobs BlobStore, d *Document) (Hash, error) {
	h, err := blobs.Put(ctx, []byte(d.Text))
	if err != nil {
		return "", err
	}
	if h != d.TextSHA256 {
		return "", Errorf(Internal, "storing document",
			"text hash is %s, document says %s", h, d.TextSHA256)
	}
	bare := *d
	bare.Text = ""
	data, err := json.Marshal(&bare)
	if err != nil {
		return "", Errorf(Internal, "storing document", "%w", err)
	}
	return blobs.Put(ctx, data)
}

// LoadDocument reads what SaveDocument stored. A missing part is NotFound.
func LoadDocument(ctx context.Context, blobs BlobStore, h Hash) (*Document, error) {
	data, err := blobs.Get(ctx, h)
	if err != nil {
		return nil, err
	}
	var d Document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, Errorf(Internal, "reading document", "%w", err)
	}
	text, err := blobs.Get(ctx, d.TextSHA256)
	if err != nil {
		return nil, err
	}
	d.Text = string(text)
	return &d, nil
}

// BlockAt returns the index of the block in which the byte at of Text stands; -1 for
// none, as between two blocks.
func (d *Document) BlockAt(at int) int {
	i := sort.Search(len(d.Blocks), func(i int) bool { return d.Blocks[i].ByteEnd > at })
	if i < len(d.Blocks) && d.Blocks[i].ByteStart <= at {
		return i
	}
	return -1
}
