package read

import (
	"context"
	"slices"

	"wstk/shared/stage/read/content"
	"wstk/shared/stage/read/deadline"
	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// The ways to find the main content of a page; package content says what each does.
const (
	StrategyAuto        = content.StrategyAuto
	StrategyReadability = content.StrategyReadability
	StrategyDocs        = content.StrategyDocs
)

// Strategies lists them, the default first.
var Strategies = content.Strategies

// chooseMain sets Main of the page's blocks.
func (p *page) chooseMain(strategy string, f *facts) wstk.Choice {
	main, choice := content.Choose(p.asContent(f), strategy)
	p.withoutMenus(main)
	for i := range main {
		p.blocks[i].Main = main[i]
	}
	return choice
}

// asContent returns the page as the choice of main content sees it.
func (p *page) asContent(f *facts) *content.Page {
	out := &content.Page{Tree: p.Tree, URL: p.url, Text: p.text, Says: f.statements(),
		Blocks: make([]content.Block, len(p.blocks))}
	for i := range p.blocks {
		b := &p.blocks[i]
		out.Blocks[i] = content.Block{Kind: b.Kind, Level: b.Level, Section: b.Section,
			Table: b.Table, Start: b.ByteStart, End: b.ByteEnd,
			Owner: b.owner, LinkBytes: b.linkBytes, Control: b.control,
			Comment: slices.Contains(b.Flags, wstk.FlagComment)}
	}
	return out
}

// statements returns what a page says about itself.
func (f *facts) statements() content.Statements {
	s := content.Statements{Title: f.first("og:title"), Generators: f.meta["generator"],
		OGTypes: f.meta["og:type"], Types: f.types, Body: f.body}
	if s.Title == "" {
		s.Title = f.title
	}
	return s
}

// ContentPage returns a page of HTML as the choice of main content sees it. The weights
// of that choice are fitted on such pages. Errors are those of Do, and Invalid for a body
// that is not HTML.
func ContentPage(ctx context.Context, in Input) (p *content.Page, err error) {
	stop := deadline.New(ctx)
	defer stop.Caught(&err)
	m, src, err := source(&in)
	if err != nil {
		return nil, err
	}
	if m != mediaHTML && m != mediaXHTML {
		return nil, wstk.Errorf(wstk.Invalid, "reading page", "%s is not a page of HTML", in.URL)
	}
	t := dom.Parse(stop, src, xmlPage(in.Body))
	read, _ := readShown(t, &in)
	read.base = in.base()
	f := gather(t)
	f.metadata(read, nil)
	return read.asContent(f), nil
}
