package content

import (
	"strings"

	"wstk/shared/stage/read/dom"
)

// Kind is what a page says about the kind of page it is. More than one may be set.
type Kind struct {
	Article, Product, List, Forum bool
}

// kindOfType is the kind that a type of schema.org or Open Graph names, in lower case.
var kindOfType = map[string]Kind{
	"article": {Article: true}, "blogposting": {Article: true}, "report": {Article: true},
	"recipe": {Article: true}, "blog": {Article: true},
	"offer": {Product: true}, "item": {Product: true},
	"collectionpage": {List: true}, "itemlist": {List: true}, "searchresultspage": {List: true},
	"discussionforumposting": {Forum: true}, "qapage": {Forum: true}, "question": {Forum: true},
}

// kindOfPath is the kind that a part of an address names, in lower case.
var kindOfPath = []struct {
	kind  Kind
	parts []string
}{
	{Kind{Forum: true}, []string{"/forum", "/thread", "/topic", "/t/", "/questions/", "viewtopic",
		"showthread", "/discussion", "/comments/"}},
	{Kind{Product: true}, []string{"/product/", "/products/", "/dp/", "/itm/", "/p/", "/item/"}},
	{Kind{List: true}, []string{"/collections/", "/category/", "/categories/", "/c/", "/cat/",
		"/tag/", "/search", "/shop"}},
}

func (k *Kind) add(o Kind) {
	k.Article = k.Article || o.Article
	k.Product = k.Product || o.Product
	k.List = k.List || o.List
	k.Forum = k.Forum || o.Forum
}

// Kind returns the kind of page, by what the page and its address say.
func (p *Page) Kind() Kind { return p.Says.kind(p.URL) }

// KindOf returns the kind of a page, by what it says and by its address.
func KindOf(url string, says Statements) Kind { return says.kind(url) }

func (s *Statements) kind(url string) Kind {
	k := s.declared()
	low := strings.ToLower(url)
	for _, row := range kindOfPath {
		for _, part := range row.parts {
			if strings.Contains(low, part) {
				k.add(row.kind)
			}
		}
	}
	return k
}

// declared returns the kind that the page's types name, without regard to its address.
func (s *Statements) declared() Kind {
	var k Kind
	for _, list := range [][]string{s.OGTypes, s.Types} {
		for _, t := range list {
			t = strings.ToLower(dom.TypeName(t))
			k.add(kindOfType[t])
			k.add(Kind{Article: strings.HasSuffix(t, "article"),
				Product: strings.HasPrefix(t, "product")})
		}
	}
	return k
}
