// Package content chooses which blocks of a page of HTML are its main content.
//
// Each block has features, numbers that say how it reads and where it stands
// (features.go). Weights fitted on labelled pages (weights.json, made by tools/fit) turn
// them into the odds that the block is main content (score.go), and from the odds follows
// the set of blocks to keep (choose.go), which complete.go corrects. The features do not
// depend on the role, so weights for other roles can be fitted on the same ones. Begin
// with Choose.
package content

import (
	"wstk/shared/stage/read/dom"
	"wstk/shared/wstk"
)

// Page is a page as the choice sees it.
type Page struct {
	*dom.Tree
	URL    string
	Text   []byte  // all visible text
	Blocks []Block // of Text, in order
	Says   Statements
}

// Block is one block of a page.
type Block struct {
	Kind       wstk.BlockKind
	Level      int   // of a heading
	Section    int   // as in wstk.Block
	Table      int   // as in wstk.Block
	Start, End int   // bytes of Text
	Owner      int32 // the element that holds it
	LinkBytes  int   // how much of it is text of links
	Control    bool  // a form control
	Comment    bool  // written by a visitor
}

// Statements are what a page says about itself.
type Statements struct {
	Title      string   // as in og:title, else the title element
	Body       string   // the text of the article, as its structured data has it
	Generators []string // the programs that wrote it
	OGTypes    []string // og:type
	Types      []string // of schema.org, with or without the address
}

func (b *Block) bytes() int { return b.End - b.Start }

// prose reports whether a block reads as running text.
func (b *Block) prose() bool { return b.bytes() > 100 && b.LinkBytes*3 < b.bytes() }

func (p *Page) blockText(i int) string { return string(p.Text[p.Blocks[i].Start:p.Blocks[i].End]) }

// Strategies are ways to find the main content of a page.
const (
	// StrategyAuto scores the blocks of the page. It is the default.
	StrategyAuto = "auto"
	// StrategyReadability reads the page as an article: a block must be more likely main
	// content than not.
	StrategyReadability = "readability"
	// StrategyDocs takes the whole container of a manual's page without its navigation,
	// so that no heading, table, term or piece of code is lost.
	StrategyDocs = "docs"
)

// Strategies lists them, the default first.
var Strategies = []string{StrategyAuto, StrategyReadability, StrategyDocs}

// Choose returns for each block whether it is main content, and how that was decided.
// strategy is one of Strategies. The same page gives the same choice on every machine.
func Choose(p *Page, strategy string) ([]bool, wstk.Choice) {
	var main []bool
	var c wstk.Choice
	switch strategy {
	case StrategyDocs:
		main, c = p.container()
	case StrategyReadability:
		main, c = p.choose(true)
	default:
		main, c = p.choose(p.Kind().Article)
		strategy = StrategyReadability
		if p.manual() {
			strategy = StrategyDocs
		}
	}
	c.Strategy = strategy
	return main, c
}
