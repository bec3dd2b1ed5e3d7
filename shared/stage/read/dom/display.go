package dom

import "golang.org/x/net/html/atom"

// Display is how an element is laid out, as far as text is concerned.
type Display uint8

const (
	DisplayInline      Display = iota // part of a line; also what CSS calls contents
	DisplayInlineBlock                // part of a line, set apart from its neighbours
	DisplayBlock                      // begins and ends a line of its own
	DisplayNone                       // not shown
)

// DisplayOf is the display of an element by its name, after the user agent
// style sheet of the HTML standard.
func DisplayOf(a atom.Atom) Display {
	switch a {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body,
		atom.Caption, atom.Center,
		atom.Dd, atom.Details, atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset,
		atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3, atom.H4,
		atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Legend, atom.Li,
		atom.Listing, atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.Optgroup, atom.Option, atom.P,
		atom.Plaintext, atom.Pre, atom.Section, atom.Search, atom.Summary, atom.Table, atom.Tbody,
		atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul, atom.Xmp, atom.Frameset:
		return DisplayBlock
	case atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Marquee:
		return DisplayInlineBlock
	case atom.Head, atom.Title, atom.Meta, atom.Link, atom.Base, atom.Style,
		atom.Script, atom.Noscript,
		atom.Template, atom.Datalist, atom.Area, atom.Param, atom.Source, atom.Track, atom.Col,
		atom.Colgroup, atom.Rp, atom.Noembed, atom.Noframes, atom.Iframe, atom.Canvas,
		atom.Audio, atom.Video,
		atom.Object, atom.Embed, atom.Frame, atom.Meter, atom.Progress:
		return DisplayNone
	}
	return DisplayInline
}
