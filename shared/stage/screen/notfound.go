package screen

// notFoundNames are titles and headings of pages that are not there, whole.
var notFoundNames = set(
	"404", "404 not found", "error 404", "404 error", "http 404", "http error 404", "404 file not found", "404 page not found", "error 404 page not found", "404 error page not found", "page not found 404", "not found", "page not found", "the page cannot be found", "this page cannot be found", "page cannot be found", "page can't be found", "this page can't be found", "this page could not be found", "404 this page could not be found", "page could not be found", "the page could not be found", "the page you requested could not be found", "the page you requested cannot be found", "the page you are looking for cannot be found", "the page you're looking for can't be found", "page does not exist", "this page does not exist", "this page doesn't exist", "page doesn't exist", "the requested page could not be found", "the requested url was not found on this server", "file not found", "resource not found", "object not found", "content not found", "page unavailable", "page not available", "this page isn't available", "this page is not available", "sorry, this page isn't available", "page no longer exists", "this page no longer exists", "page has moved", "page missing", "missing page", "nothing found", "oops", "oops page not found", "oops! page not found", "oops! that page can't be found", "that page can't be found", "oops that page can't be found", "we can't find that page", "we can't find the page you're looking for", "we couldn't find that page", "we couldn't find the page you were looking for", "sorry, page not found", "sorry, we couldn't find that page", "sorry, we can't find that page", "uh oh", "whoops", "post not found", "article not found", "product not found", "item not found", "user not found", "not found 404", "not found (404)", "error not found", "listing not found", "video unavailable", "410 gone", "gone", "dead link", "lost", "you seem to be lost", "looks like you're lost", "error", "page error", "not found error", "http status 404 - not found", "http status 404", "document not found", "entry not found", "topic not found", "thread not found", "profile not found", "this content isn't available right now", "this content is no longer available", "the page you're looking for doesn't exist", "the page you are looking for does not exist", "the page you were looking for doesn't exist", "the page you were looking for doesn't exist (404)", "the specified url cannot be found",
	"seite nicht gefunden", "die seite wurde nicht gefunden", "diese seite wurde nicht gefunden", "404 seite nicht gefunden", "fehler 404", "404 fehler", "404 nicht gefunden", "nicht gefunden", "seite existiert nicht", "diese seite existiert nicht", "die angeforderte seite wurde nicht gefunden", "die seite konnte nicht gefunden werden", "seite konnte nicht gefunden werden", "hoppla",
	"page introuvable", "page non trouvée", "erreur 404", "404 page introuvable", "cette page n'existe pas", "la page n'existe pas", "cette page est introuvable", "la page demandée est introuvable", "la page que vous recherchez n'existe pas", "page inexistante", "contenu introuvable",
	"página no encontrada", "pagina no encontrada", "error 404 página no encontrada", "404 página no encontrada", "no encontrado", "no se encontró la página", "no se ha encontrado la página", "la página no existe", "esta página no existe", "la página solicitada no existe", "página inexistente",
	"página não encontrada", "pagina nao encontrada", "erro 404", "404 página não encontrada", "não encontrado", "a página não existe", "esta página não existe", "conteúdo não encontrado",
	"pagina non trovata", "errore 404", "404 pagina non trovata", "la pagina non esiste", "questa pagina non esiste", "pagina inesistente", "pagina non disponibile",
	"pagina niet gevonden", "404 pagina niet gevonden", "deze pagina bestaat niet", "niet gevonden", "fout 404",
	"sidan hittades inte", "sidan kunde inte hittas", "sidan finns inte", "siden blev ikke fundet", "siden findes ikke", "siden ble ikke funnet", "siden finnes ikke", "fant ikke siden", "sivua ei löydy", "sivua ei löytynyt",
	"nie znaleziono strony", "nie ma takiej strony", "ups! nie ma takiej strony", "strona nie istnieje", "nie znaleziono", "błąd 404", "strona nie została znaleziona", "stránka nenalezena", "stránka nebyla nalezena", "chyba 404", "stránka neexistuje", "stránka sa nenašla", "az oldal nem található", "oldal nem található", "pagina nu a fost găsită", "pagina nu există", "sayfa bulunamadı", "404 sayfa bulunamadı", "σελίδα δεν βρέθηκε", "η σελίδα δεν βρέθηκε",
	"страница не найдена", "404 страница не найдена", "ошибка 404", "страница не существует", "такой страницы нет", "запрашиваемая страница не найдена", "не найдено", "сторінку не знайдено", "сторінка не знайдена", "помилка 404",
	"页面不存在", "找不到页面", "页面未找到", "页面找不到", "您访问的页面不存在", "您访问的页面不存在或已删除", "抱歉，您访问的页面不存在", "你访问的页面不存在", "404错误", "404 页面不存在", "404 - 页面不存在", "頁面不存在", "找不到網頁", "找不到頁面", "找不到网页", "内容不存在", "该页面不存在", "未找到页面", "无法找到该页", "文章不存在", "商品不存在",
	"ページが見つかりません", "ページが見つかりませんでした", "お探しのページは見つかりません", "お探しのページは見つかりませんでした", "お探しのページが見つかりません", "404 ページが見つかりません", "指定されたページは存在しません", "このページは存在しません", "ページは存在しません", "お探しのページは存在しません",
	"페이지를 찾을 수 없습니다", "찾을 수 없는 페이지입니다", "존재하지 않는 페이지입니다", "요청하신 페이지를 찾을 수 없습니다", "404 페이지를 찾을 수 없습니다",
	"الصفحة غير موجودة", "لم يتم العثور على الصفحة", "عذرا الصفحة غير موجودة", "صفحه مورد نظر یافت نشد", "صفحه یافت نشد", "הדף לא נמצא", "העמוד לא נמצא", "पृष्ठ नहीं मिला", "पेज नहीं मिला", "halaman tidak ditemukan", "không tìm thấy trang", "trang không tồn tại", "ไม่พบหน้า", "ไม่พบหน้าที่คุณต้องการ",
)

// notFoundTitle is how other such pages are titled: what was looked for, and that
// it is not there, in either order.
var notFoundTitle = onceRegexp(`^(?:error |http |fehler |erreur |ошибка |whoops!? |oops!? )*404\b.{0,60}$|` +
	`\b(?:page|product|article|post|content|site|url|link|document|file|item|resource|address|listing|job|video|entry)\b.{0,50}(?:(?:not|n't) (?:be )?found|cannot be found|can't be found|(?:does not|doesn't|no longer) exists?|(?:is |are )?no longer available|(?:isn't|is not|not|no longer) available|unavailable|has been (?:removed|deleted|moved)|was (?:removed|deleted|moved))\b|` +
	`\b(?:can't|cannot|couldn't|could not|can not) find (?:that|the|this|your|what)\b|` +
	`(?:seite|страниц|página|pagina|page|sivu|stránk|stron|sida|side|页面|頁面|网页|網頁|ページ|페이지|inhalt|contenu|contenido|conteúdo|материал|товар).{0,60}(?:nicht gefunden|nicht (?:mehr )?(?:verfügbar|vorhanden)|existiert nicht|не найден|не существует|удален|no existe|no (?:se ha |ha sido |fue )?encontrad|não existe|não (?:foi )?encontrad|non (?:è stata )?trovat|non esiste|introuvable|n'existe|niet gevonden|bestaat niet|ei löyty|nenalezen|neexistuje|nie (?:znaleziono|istnieje|została)|hittades inte|finns inte|blev ikke|findes ikke|bulunamadı|不存在|找不到|未找到|见つかり|見つかり|存在しません|찾을 수 없)|` +
	`(?:nie znaleziono|no se encuentra|no encontramos|не найдена|找不到|未找到|无法找到).{0,40}(?:stron|página|pagina|страниц|页面|頁面|网页|網頁)`)

// vagueNames are headings of error pages that other pages have, too; they need a
// sentence that says so.
var vagueNames = set("error", "oops", "whoops", "uh oh", "lost", "hoppla", "gone", "404", "nothing found", "no encontrado", "não encontrado", "nie znaleziono", "не найдено", "nicht gefunden", "niet gevonden", "not found", "page has moved", "page error", "dead link", "you seem to be lost", "looks like you're lost", "page missing", "missing page")

// notFoundSays are sentences of such pages.
var notFoundSays = []string{
	"not found", "could not be found", "cannot be found", "can't be found", "can't find", "cannot find", "couldn't find", "could not find", "doesn't exist", "does not exist", "no longer exists", "no longer available", "has been removed", "has been moved", "was moved", "may have moved", "might have been removed", "isn't available", "is not available", "nothing here", "isn't here", "is not here", "nothing was found", "nothing found", "broken link", "wrong address", "error 404", "404",
	"nicht gefunden", "existiert nicht", "nicht mehr verfügbar", "introuvable", "n'existe pas", "n'existe plus", "no existe", "no se encuentra", "no encontrad", "não existe", "não encontrad", "non esiste", "non trovat", "niet gevonden", "bestaat niet", "nie istnieje", "nie znaleziono", "hittades inte", "finns inte", "не найден", "не существует", "удален", "не знайден", "不存在", "找不到", "未找到", "已删除", "见つかりません", "見つかりません", "存在しません", "찾을 수 없", "존재하지 않", "غير موجود", "bulunamadı",
}

// A page that is not there says so in its title or heading, and then offers a
// search box, some links, perhaps a few teasers. Longer prose is a page about it.
const (
	notFoundOwn   = 700  // with the name in one of title and heading
	notFoundBoth  = 1600 // with it in both
	notFoundProse = 500
	notFoundBare  = 90 // … or in any line of a page with hardly another
)

// notFound tells whether the page says that there is no such page, whatever its
// status.
func (p *page) notFound() string {
	name := p.titled(notFoundNames, vagueNames, notFoundTitle)
	if name == "" && p.own <= notFoundBare {
		for _, b := range p.blocks { // hardly more than the sentence itself
			if s := bare(b); len(s) < 90 && (notFoundNames[s] && !vagueNames[s] || notFoundTitle().MatchString(s)) {
				name = s
				break
			}
		}
	}
	if name == "" {
		return ""
	}
	limit := notFoundOwn
	inTitle := (&page{title: p.title}).titled(notFoundNames, nil, notFoundTitle) != ""
	if inTitle && (&page{heading: p.heading}).titled(notFoundNames, nil, notFoundTitle) != "" {
		limit = notFoundBoth
	}
	if p.own > limit || p.prose > notFoundProse {
		return ""
	}
	if vagueNames[name] && first(p.apart(name), notFoundSays) == "" {
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

// errorNames are titles and headings of a server that could not make the page.
var errorNames = set(
	"500 internal server error", "internal server error", "error 500", "500 error", "http error 500", "server error", "500 server error", "server error (500)", "server error in '/' application", "502 bad gateway", "bad gateway", "error 502", "503 service unavailable", "503 service temporarily unavailable", "service unavailable", "service temporarily unavailable", "temporarily unavailable", "error 503", "504 gateway time-out", "504 gateway timeout", "gateway timeout", "gateway time-out", "error establishing a database connection", "database error", "database connection error", "fatal error", "application error", "site under maintenance", "under maintenance", "down for maintenance", "maintenance mode", "scheduled maintenance", "site maintenance", "we'll be back soon", "we'll be right back", "site is temporarily unavailable", "website is temporarily unavailable", "bandwidth limit exceeded", "509 bandwidth limit exceeded", "resource limit is reached", "account suspended", "this account has been suspended", "website suspended",
	"wartungsarbeiten", "wartungsmodus", "interner serverfehler", "erreur interne du serveur", "site en maintenance", "maintenance en cours", "error interno del servidor", "sitio en mantenimiento", "en mantenimiento", "erro interno do servidor", "em manutenção", "manutenzione in corso", "sito in manutenzione", "внутренняя ошибка сервера", "технические работы", "сайт на обслуживании", "服务器错误", "服务器内部错误", "网站维护中", "系统维护中", "メンテナンス中", "ただいまメンテナンス中です",
)

// errorVague are among them names that other pages have, too; they need a sentence
// that says so.
var (
	errorVague = set("maintenance mode", "under maintenance", "scheduled maintenance", "site maintenance", "maintenance en cours", "en mantenimiento", "em manutenção", "manutenzione in corso", "wartungsarbeiten", "wartungsmodus", "технические работы", "メンテナンス中", "database error", "server error", "fatal error", "application error", "temporarily unavailable", "bad gateway", "service unavailable", "internal server error", "database connection error")
	errorSays  = []string{"back soon", "be back", "back shortly", "come back", "inconvenience", "try again", "try later", "temporarily", "unavailable", "currently", "apolog", "sorry", "administrator", "maintenance", "error establishing", "could not complete", "unable to", "went wrong", "server encountered", "nginx", "apache", "bitte versuchen", "vorübergehend", "wartung", "réessayer", "momentanément", "maintenance", "vuelva", "inténtelo", "mantenimiento", "manutenção", "manutenzione", "riprova", "попробуйте", "временно", "техническ", "稍后", "维护", "メンテナンス", "しばらく"}
)

// errorTitle is how other pages of a failed server are titled.
var errorTitle = onceRegexp(`^(?:error |http (?:error )?|status )?5[0-2]\d(?:$|\b.{0,50}(?:error|unavailable|gateway|timed? ?-?out|overloaded|refused|is down|unreachable|failed))|^error code 5\d\d|^connection timed out|^web server is (?:down|returning)|^(?:application|server|runtime|database|fatal|internal) error\b.{0,60}$|^(?:this|the|our) (?:site|website|service|page) is (?:currently |temporarily )?(?:unavailable|down|under maintenance|offline)|^(?:site|service|website) (?:is )?(?:temporarily |currently )?(?:unavailable|offline)$`)

const (
	errorOwn   = 500
	errorProse = 200
)

// serverError tells whether the page is a server's excuse under a good status.
func (p *page) serverError() string {
	if p.own > errorOwn || p.prose > errorProse || p.links > 15 {
		return ""
	}
	if name := p.titled(errorNames, errorVague, errorTitle); name != "" && !(errorVague[name] && first(p.apart(name), errorSays) == "") {
		return "the page says that the site failed (" + name + ")"
	}
	return ""
}
