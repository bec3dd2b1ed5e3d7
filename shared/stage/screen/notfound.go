package screen

// notFoundTitle is how other such pages are titled: what was looked for, and that
// it is not there, in either order.
var notFoundTitle = onceRegexp(
	`^(?:error |http |fehler |erreur |ошибка |whoops!? |oops!? )*404\b.{0,60}$|` +
		`\b(?:page|product|article|post|content|site|url|link|document|file|item|resource|address|listing|job|video|entry)\b.{0,50}(?:(?:not|n't) (?:be )?found|cannot be found|can't be found|(?:does not|doesn't|no longer) exists?|(?:is |are )?no longer available|(?:isn't|is not|not|no longer) available|unavailable|has been (?:removed|deleted|moved)|was (?:removed|deleted|moved))\b|` +
		`\b(?:can't|cannot|couldn't|could not|can not) find (?:that|the|this|your|what)\b|` +
		`(?:seite|страниц|página|pagina|page|sivu|stránk|stron|sida|side|页面|頁面|网页|網頁|ページ|페이지|inhalt|contenu|contenido|conteúdo|материал|товар).{0,60}(?:nicht gefunden|nicht (?:mehr )?(?:verfügbar|vorhanden)|existiert nicht|не найден|не существует|удален|no existe|no (?:se ha |ha sido |fue )?encontrad|não existe|não (?:foi )?encontrad|non (?:è stata )?trovat|non esiste|introuvable|n'existe|niet gevonden|bestaat niet|ei löyty|nenalezen|neexistuje|nie (?:znaleziono|istnieje|została)|hittades inte|finns inte|blev ikke|findes ikke|bulunamadı|不存在|找不到|未找到|见つかり|見つかり|存在しません|찾을 수 없)|` +
		`(?:nie znaleziono|no se encuentra|no encontramos|не найдена|找不到|未找到|无法找到).{0,40}(?:stron|página|pagina|страниц|页面|頁面|网页|網頁)`)

// A page that is not there says so in its title or heading, and then offers a
// search box, some links, perhaps a few teasers. Longer prose is a page about it.
const (
	notFoundOwn   = 700  // with the name in one of title and heading
	notFoundBoth  = 1600 // with it in both
	notFoundProse = 500
	notFoundBare  = 90 // … or in any line of a page with hardly another
)

// notFound reports whether the page says that there is no such page, whatever its
// status.
func (p *page) notFound() string {
	name := p.titled("not found titles", "not found titles, vague", notFoundTitle)
	if name == "" && p.own <= notFoundBare {
		for _, b := range p.blocks { // hardly more than the sentence itself
			if s := bare(b); len(s) < 90 && (among("not found titles", s) &&
				!among("not found titles, vague", s) || notFoundTitle().MatchString(s)) {
				name = s
				break
			}
		}
	}
	if name == "" {
		return ""
	}
	limit := notFoundOwn
	inTitle := (&page{title: p.title}).titled("not found titles", "", notFoundTitle) != ""
	if inTitle && (&page{heading: p.heading}).titled("not found titles", "", notFoundTitle) != "" {
		limit = notFoundBoth
	}
	if p.own > limit || p.prose > notFoundProse {
		return ""
	}
	if among("not found titles, vague", name) &&
		first(p.apart(name), phrases("not found sentences")) == "" {
		return ""
	}
	return "the page says that it was not found (" + name + ")"
}

// apart is the page's text without a heading that is the name itself.
func (p *page) apart(name string) string {
	out := ""
	for i, b := range p.blocks {
		if bare(b) != name && i < 60 {
			out += b + "\n"
		}
	}
	return out
}

// errorTitle is how other pages of a failed server are titled.
var errorTitle = onceRegexp(
	`^(?:error |http (?:error )?|status )?5[0-2]\d(?:$|\b.{0,50}(?:error|unavailable|gateway|timed? ?-?out|overloaded|refused|is down|unreachable|failed))|^error code 5\d\d|^connection timed out|^web server is (?:down|returning)|^(?:application|server|runtime|database|fatal|internal) error\b.{0,60}$|^(?:this|the|our) (?:site|website|service|page) is (?:currently |temporarily )?(?:unavailable|down|under maintenance|offline)|^(?:site|service|website) (?:is )?(?:temporarily |currently )?(?:unavailable|offline)$`)

const (
	errorOwn   = 500
	errorProse = 200
)

// serverError reports whether the page is a server's excuse under a good status.
func (p *page) serverError() string {
	if p.own > errorOwn || p.prose > errorProse || p.links > 15 {
		return ""
	}
	if name := p.titled("error titles", "error titles, vague", errorTitle); name != "" &&
		!(among("error titles, vague", name) &&
			first(p.apart(name), phrases("error sentences")) == "") {
		return "the page says that the site failed (" + name + ")"
	}
	return ""
}
