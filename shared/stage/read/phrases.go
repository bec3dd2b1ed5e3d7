package read

import (
	"strings"

	"wstk/shared/wstk"
)

// chromePhrases begin short blocks that operate a page rather than say something,
// in the languages most pages are in.
var chromePhrases = []string{
	"read more", "learn more", "show more", "load more", "see more", "view more", "view all", "see all", "show all", "more info",
	"share", "tweet", "follow us", "like this", "copy link", "print", "email this",
	"subscribe", "sign up", "sign in", "log in", "login", "register", "create account", "my account", "forgot",
	"add to cart", "add to bag", "add to wishlist", "buy now", "checkout", "quick view", "quick shop", "compare", "sold out", "out of stock",
	"reply", "report", "quote", "like", "upvote", "helpful", "permalink", "flag", "leave a comment", "post a comment", "add comment",
	"skip to", "jump to", "back to top", "go to", "scroll", "toggle", "open menu", "close", "menu", "search", "filter", "sort by", "clear",
	"next", "previous", "prev", "older", "newer", "page ", "home",
	"advertisement", "sponsored", "ad ", "cookie", "we use cookies", "accept", "privacy", "terms", "copyright", "©", "all rights reserved",
	"posted", "published", "updated", "last updated", "last modified", "tags:", "tagged", "filed under", "categories:", "category:", "min read",
	"download our app", "contact us", "enter your", "your email", "required", "submit", "cancel", "loading", "please enable",
	"teilen", "mehr", "weiterlesen", "anmelden", "impressum", "datenschutz", "partager", "lire la suite", "en savoir plus", "s'inscrire",
	"compartir", "leer más", "ver más", "suscr", "compartilhar", "leia mais", "condividi", "leggi", "lees meer", "delen", "поделиться", "читать",
	"シェア", "もっと", "分享", "更多", "登录", "登入",
}

// chromePhrase reports whether a short block begins with such a phrase.
func chromePhrase(t string) bool {
	if len(t) > 60 {
		return false
	}
	t = strings.ToLower(t)
	for _, p := range chromePhrases {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return false
}

// junkHeadings are found in headings of parts that are about other pages or
// about the site.
var junkHeadings = []string{
	"related", "recommended", "you may also", "you might", "also like", "also viewed", "also bought", "customers who", "frequently bought",
	"more from", "more in ", "more on ", "more stories", "more articles", "more posts", "more like", "read next", "up next", "keep reading", "further reading",
	"latest", "recent", "trending", "popular", "most read", "most viewed", "top stories", "editor's pick", "featured", "don't miss", "what's new",
	"about the author", "about author", "written by", "meet the author", "author",
	"comments", "comment", "leave a reply", "leave a comment", "join the conversation", "discussion", "responses", "reader interactions",
	"newsletter", "subscribe", "sign up", "stay updated", "stay in touch", "stay connected", "get the latest", "join our", "join us", "follow us", "connect with",
	"share this", "share", "social", "categories", "tags", "archives", "search", "navigation", "menu", "quick links", "useful links", "links", "sitemap",
	"company", "support", "legal", "customer service", "help", "resources", "my account", "contact us", "contact", "download our app", "privacy", "cookie",
	"advertisement", "sponsored", "partners", "similar", "explore", "discover", "browse", "recently viewed", "in this section", "on this page", "table of contents",
	"ähnliche", "weitere", "mehr zum", "das könnte", "kommentare", "à lire", "articles liés", "commentaires", "relacionad", "comentarios", "comentários", "leggi anche",
	"gerelateerd", "похожие", "комментарии", "関連", "相关", "相關", "评论", "留言",
}

// junkSections marks blocks of parts of the page whose heading announces other
// pages or the site: 2 the heading, 1 what stands under it, 0 all else.
func (p *page) junkSections() []uint8 {
	out := make([]uint8, len(p.blocks))
	level := 0 // of the junk heading we are under
	for i := range p.blocks {
		b := &p.blocks[i]
		if b.Kind == wstk.BlockHeading {
			if level > 0 && b.Level > level {
				out[i] = 1
				continue
			}
			level = 0
			if junkHeading(p.blockText(i)) {
				level = b.Level
				out[i] = 2
			}
			continue
		}
		if level > 0 {
			out[i] = 1
		}
	}
	return out
}

func junkHeading(t string) bool {
	if len(t) > 60 {
		return false
	}
	t = strings.ToLower(strings.TrimLeft(t, "0123456789() "))
	for _, h := range junkHeadings {
		if strings.HasPrefix(t, h) {
			return true
		}
	}
	return false
}

var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// dateLike reports whether a short line holds a date: a year of our time with a
// month's name or with other numbers around separators, or "3 days ago".
func dateLike(t string) bool {
	low := strings.ToLower(t)
	if strings.HasSuffix(low, " ago") || strings.Contains(low, " ago ") {
		return true
	}
	year := strings.Contains(t, "20") || strings.Contains(t, "19")
	if !year || digits(t) < 5 && !hasMonth(low) {
		return false
	}
	for i := 0; i+4 <= len(t); i++ {
		if (t[i:i+2] == "20" || t[i:i+2] == "19") && digit(t[i+2]) && digit(t[i+3]) &&
			(i == 0 || !digit(t[i-1])) && (i+4 == len(t) || !digit(t[i+4])) {
			return hasMonth(low) || strings.Count(t, "/") >= 2 || strings.Count(t, "-") >= 2 || strings.Count(t, ".") >= 2
		}
	}
	return false
}

func hasMonth(low string) bool {
	for _, m := range months {
		if i := strings.Index(low, m); i >= 0 && (i == 0 || !(low[i-1] >= 'a' && low[i-1] <= 'z')) {
			return true
		}
	}
	return false
}
