package screen

import (
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// A bot wall is recognised by points: a title that such pages have (2, or 1 where
// other pages have it, too), marks in the markup that only challenge pages have (2)
// or that protected pages have as well (1), a sentence that only walls say (2),
// words that walls have (1), a status that walls come with (1). Two points are
// needed, and the less points to anything but words, the less text there may be:
// an article that quotes a wall, or is named like one, has more to say.
const (
	wallOwn   = 600     // text of a wall that has two points
	largeWall = 2500    // … that has three, a title, a mark or the status among them
	namedWall = 220     // … that has nothing but its title
	saidWall  = 400     // … that has nothing but its sentence
	markWall  = 400     // … that has nothing but its mark
	wallLinks = 25      // more links than walls have, unless the markup says otherwise
	wallStart = 900     // the sentence stands in the first so many bytes
	wallBody  = 200_000 // pages behind a wall carry its marks, too, among much else
)

// wallNames are titles and headings of walls, whole.
var wallNames = set(
	"just a moment", "attention required", "attention required! | cloudflare", "one moment, please", "one more step", "please wait", "checking your browser", "checking your browser before accessing", "ddos protection by cloudflare", "ddos-guard", "ddos protection", "security check", "security checkpoint", "vercel security checkpoint", "security verification", "human verification", "bot verification", "verify you are human", "verify you are a human", "verify that you are human", "are you a robot", "are you human", "robot or human", "robot check", "bot check", "i'm not a robot", "not a robot", "captcha", "captcha challenge", "captcha required", "recaptcha", "please verify you are a human", "please verify you are human", "please verify that you are human", "please verify yourself", "prove you're human", "prove you are human", "challenge", "challenge validation", "client challenge", "browser check", "browser verification", "verifying your browser", "verifying your connection", "verifying", "validating your browser", "pardon our interruption", "access to this page has been denied", "access denied", "access is denied", "access forbidden", "access blocked", "access restricted", "restricted access", "permission denied", "forbidden", "403", "403 forbidden", "error 403", "403 error", "http error 403", "http 403", "403 access denied", "403 - forbidden", "401 unauthorized", "unauthorized", "error 401", "401", "blocked", "you have been blocked", "sorry, you have been blocked", "you've been blocked", "your access has been blocked", "request blocked", "request rejected", "request unsuccessful", "your request has been blocked", "the request is blocked", "the request could not be satisfied", "error 1020", "error 1015", "error 1006", "ip blocked", "your ip has been blocked", "your ip address has been blocked", "too many requests", "429 too many requests", "429", "error 429", "rate limited", "rate limit exceeded", "unusual traffic", "unusual traffic detected", "suspicious activity detected", "sorry! something went wrong", "bot detected", "bot detection", "you are being rate limited", "making sure you're not a bot", "protected by anubis", "site protection", "web application firewall", "sucuri website firewall", "sucuri website firewall - access denied", "your access to this site has been limited", "unavailable for legal reasons", "451", "451 unavailable for legal reasons", "error 451", "not available in your region", "not available in your country", "unavailable in your region", "content not available in your region", "access from your country is blocked", "406 not acceptable", "not acceptable", "let's confirm you are human", "confirm you are human", "before we continue", "press & hold", "hold on", "incapsula", "botwall", "perimeterx", "human challenge", "automated access", "are you a human",
	"sicherheitsüberprüfung", "sicherheitsabfrage", "sicherheitscheck", "zugriff verweigert", "zugang verweigert", "zugriff gesperrt", "sind sie ein roboter", "sind sie ein mensch", "bestätigen sie, dass sie ein mensch sind", "nur einen moment", "einen moment bitte", "einen moment, bitte", "einen augenblick bitte",
	"vérification de sécurité", "accès refusé", "accès interdit", "accès bloqué", "êtes-vous un robot", "êtes-vous humain", "vérifiez que vous êtes humain", "un instant", "un instant, s'il vous plaît", "veuillez patienter",
	"acceso denegado", "acceso prohibido", "acceso bloqueado", "verificación de seguridad", "comprobación de seguridad", "eres un robot", "¿eres un robot", "¿eres humano", "verifica que eres humano", "un momento", "un momento, por favor", "espere un momento",
	"acesso negado", "acesso bloqueado", "verificação de segurança", "você é um robô", "um momento", "um momento, por favor", "accesso negato", "accesso bloccato", "verifica di sicurezza", "sei un robot", "un momento, per favore", "toegang geweigerd", "toegang geblokkeerd", "bent u een robot", "ben je een robot", "even geduld", "een ogenblik geduld",
	"odmowa dostępu", "dostęp zabroniony", "přístup odepřen", "åtkomst nekad", "erişim engellendi", "erişim reddedildi", "bir dakika lütfen",
	"доступ запрещен", "доступ запрещён", "доступ ограничен", "доступ заблокирован", "проверка безопасности", "вы не робот", "ой", "подтвердите, что вы не робот", "подтвердите, что запросы отправляли вы, а не робот", "проверка браузера", "один момент", "минуточку", "доступ заборонено", "перевірка безпеки",
	"安全验证", "安全驗證", "人机验证", "人機驗證", "访问被拒绝", "拒绝访问", "访问受限", "访问异常", "访问过于频繁", "验证码", "请完成安全验证", "请稍候", "请稍等", "系统检测到异常访问", "验证中心", "滑动验证页面", "身份验证",
	"アクセスが拒否されました", "アクセス拒否", "アクセス制限", "しばらくお待ちください", "ロボットではありません", "セキュリティチェック", "人間であることを確認", "접근이 거부되었습니다", "액세스가 거부되었습니다", "접근 거부", "로봇이 아닙니다", "보안 확인", "잠시만 기다려 주세요", "잠시만 기다리십시오", "تم رفض الوصول", "لحظة من فضلك",
)

// wallVague are among them those that other pages have as titles, too: they
// count one point.
var wallVague = set("please wait", "challenge", "captcha", "recaptcha", "blocked", "unauthorized", "forbidden", "hold on", "before we continue", "403", "401", "429", "451", "security check", "verifying", "incapsula", "perimeterx", "ddos protection", "web application firewall", "permission denied", "restricted access", "one more step", "not acceptable", "un instant", "un momento", "um momento", "ой", "even geduld", "veuillez patienter", "请稍候", "请稍等", "验证码", "身份验证", "しばらくお待ちください", "sorry! something went wrong", "bot detection", "human verification", "captcha required", "too many requests", "rate limited", "ddos-guard", "automated access", "unusual traffic", "один момент", "минуточку")

// wallSays are sentences that only walls say.
var wallSays = []string{
	"verify you are human", "verify you are a human", "verify that you are human", "verify that you are a human", "verify that you're human", "verify you're human", "verifying you are human", "verifying that you are human", "verifying that you are not a robot", "verifying you are not a robot", "confirm you are human", "confirm that you are human", "confirm you're human", "confirm that you are a human", "confirm you are a human", "confirm you're a human", "confirm this search was made by a human", "prove you are human", "prove that you are human", "prove you're human", "prove you're not a robot", "prove you are not a robot", "confirm you are not a robot", "confirm you're not a robot", "make sure you're not a robot", "make sure you are not a robot", "making sure you're not a bot", "make sure you're a human", "ensure you are not a robot", "show us you're not a robot", "show that you are not a robot", "you're a robot", "you are a robot", "you are a bot", "you're a bot", "think you might be a robot", "think you may be a robot", "mistaken you for a robot", "seems like you are a robot",
	"checking your browser before accessing", "checking if the site connection is secure", "checking your connection", "needs to review the security of your connection", "enable javascript and cookies to continue", "enable cookies and javascript to continue", "please enable cookies and reload", "please turn javascript on and reload", "please enable js and disable any ad blocker", "completing the captcha proves you are a human", "complete the captcha", "solve the captcha", "solving the captcha", "complete the security check to access", "complete a security check", "complete the challenge below", "complete the following challenge", "complete the puzzle", "complete the action below to gain access",
	"unusual traffic from your", "unusual activity from your", "suspicious activity from your", "automated queries", "automated requests from your", "automated access to", "something about your browser made us think you were a bot", "made us think you were a bot", "we believe you are using automation tools", "you are using automation tools", "looks like automated", "blocked as a bot", "detected as a bot",
	"you have been blocked", "you've been blocked", "your request has been blocked", "your request was blocked", "request was blocked by", "this request was blocked", "your ip has been", "your ip address has been", "your ip was", "ip address is blocked", "block your ip", "blocked your ip", "you are unable to access", "unable to give you access", "you don't have permission to access", "you do not have permission to access", "don't have permission to view this", "do not have permission to view this", "access to this page has been denied", "access to this site has been denied", "access to this site has been limited", "access to this website has been", "access to this resource on the server is denied", "the owner of this website has banned", "using a security service to protect itself", "security service to protect against malicious bots", "the requested url was rejected", "consult with your administrator", "incapsula incident id", "this website is using a security service", "you are being rate limited", "sent too many requests", "too many requests from", "made too many requests", "exceeded the rate limit", "request could not be satisfied", "press & hold to confirm", "press and hold the button", "slide to verify", "slide right to", "drag the slider", "not available in your region", "not available in your country", "not available in your location", "unavailable in your region", "isn't available in your country", "unavailable in your country", "unavailable due to legal reasons", "unavailable for legal reasons", "from a country belonging to the european economic area", "blocked in your country", "access from your location",
	"dass sie ein mensch sind", "dass du ein mensch bist", "dass sie kein roboter sind", "dass du kein roboter bist", "kein bot sind", "ungewöhnlichen datenverkehr", "ungewöhnliche aktivität", "ihre anfrage wurde blockiert", "ihr zugriff wurde", "sie wurden blockiert", "keine berechtigung, auf", "in ihrem land nicht verfügbar", "aktivieren sie javascript und cookies",
	"que vous êtes humain", "que vous êtes un humain", "que vous n'êtes pas un robot", "trafic inhabituel", "trafic exceptionnel", "activité inhabituelle", "votre requête a été bloquée", "votre accès a été bloqué", "vous avez été bloqué", "vous n'êtes pas autorisé à accéder", "pas disponible dans votre pays", "pas disponible dans votre région",
	"que eres humano", "que eres un ser humano", "que es humano", "que usted es humano", "que no eres un robot", "que no es un robot", "que no soy un robot", "tráfico inusual", "actividad inusual", "su solicitud ha sido bloqueada", "ha sido bloqueado", "has sido bloqueado", "no tiene permiso para acceder", "no tienes permiso para acceder", "no está disponible en su país", "no está disponible en tu país", "habilita javascript y las cookies",
	"que você é humano", "que você não é um robô", "que é um ser humano", "que é humano", "tráfego incomum", "tráfego suspeito", "você foi bloqueado", "você não tem permissão para acessar", "não está disponível no seu país", "di essere umano", "che sei umano", "di non essere un robot", "che non sei un robot", "traffico insolito", "traffico anomalo", "sei stato bloccato", "non hai i permessi per accedere", "non è disponibile nel tuo paese", "dat u een mens bent", "dat je een mens bent", "dat u geen robot bent", "dat je geen robot bent", "ongebruikelijk verkeer", "u bent geblokkeerd", "je bent geblokkeerd",
	"że jesteś człowiekiem", "że nie jesteś robotem", "nietypowy ruch", "zostałeś zablokowany", "že jste člověk", "že nejste robot", "att du är en människa", "att du inte är en robot", "insan olduğunuzu", "robot olmadığınızı",
	"что вы не робот", "что вы человек", "а не робот", "похожи на автоматические", "с вашего ip", "подозрительный трафик", "необычный трафик", "подозрительную активность", "ваш запрос заблокирован", "ваш ip", "вы заблокированы", "у вас нет доступа к", "недоступен в вашей стране", "недоступно в вашем регионе", "що ви не робот", "що ви людина",
	"请完成安全验证", "请完成验证", "请完成下方验证", "请完成以下验证", "请进行验证", "请进行安全验证", "请拖动滑块", "请按住滑块", "向右滑动", "拖动下方滑块", "确认您不是机器人", "确认你不是机器人", "证明您不是机器人", "您不是机器人", "异常流量", "异常访问", "访问过于频繁", "访问频繁", "操作过于频繁", "您的访问被阻断", "您的请求被拦截", "您的访问请求被", "您没有权限访问", "请求已被拦截", "所在的地区", "請完成安全驗證", "確認您不是機器人",
	"人間であることを", "ロボットではないことを", "ロボットでないことを", "通常と異なるトラフィック", "異常なトラフィック", "不審なアクセス", "アクセスを制限しています", "アクセス権限がありません", "アクセスがブロック", "お住まいの地域ではご利用", "お住まいの国では", "사람인지 확인", "로봇이 아님을", "로봇이 아닌지", "비정상적인 트래픽", "비정상적인 접근", "접근이 차단", "국가에서는 사용할 수 없", "أنك إنسان", "أنك لست روبوت", "أنك لست برنامج",
}

// wallTitle and wallSaying are what walls are titled and say in other words.
var (
	wallTitle  = onceRegexp(`^(?:access (?:to .{1,40} )?(?:is |has been |was )?(?:denied|restricted|blocked|forbidden|limited)|(?:additional |human |security |bot |browser )?(?:verification|check) required|verify(?:ing)? (?:that )?you(?:'re| are)\b|verifying your (?:browser|connection)|rate limit (?:reached|exceeded|hit)|too many (?:requests|attempts|connections)|(?:error )?(?:401|403|429|451)\b.{0,3}(?: ?(?:authorization|unauthori[sz]ed|forbidden|access|too many|permission|unavailable).{0,30})?$|.{0,20} used cloudflare to restrict access|bot or not|(?:please )?(?:show|prove|confirm|verify).{0,25}\b(?:human|robots?|bots?)\b.{0,12}$|blocked$|temporarily blocked)|^.{0,24}(?:安全验证|人机验证|安全驗證|人機驗證|访问验证|访问被拒绝)$`)
	wallSaying = saying{wallSays, []string{"human", "robot", " bot", "captcha", "traffic", "activity", "blocked", "denied", "banned", "restricted", "suspended", "paused", "limited", "while we", "process your", "authori", "automat", "person", "mens", "uman", "umain", "złowiek", "lověk", "niska", "robô", "requests", "queries", "security"}, onceRegexp(`\b(?:verif\w+|confirm\w*|prov(?:e|ing)|show|know|ensur\w+|mak(?:e|ing) sure)\b[^.\n]{0,40}\b(?:you(?:'re| are)? (?:a |an |not a |not an )?(?:real )?(?:human|person|robot|bot|visitor)|a real person|not a (?:ro)?bot)\b|` +
		`\b(?:thinks?|believes?|looks? like|seems?|detected|suspects?)\b[^.\n]{0,50}\b(?:(?:you|that) (?:might|may|are|is)[^.\n]{0,12}|using |from )(?:an? )?(?:robots?|bots?|automated|automation|crawler|scraper)|` +
		`(?:^|[.!:\n] ?|\b(?:sorry|but|because|that|and),? )(?:your (?:ip|ip address|network|connection|access|account|device|session|browser|browsing activity|request)|this ip(?: address)?|access to this (?:page|site|website|resource|content|service))\b[^.\n]{0,24}\b(?:has been|have been|was|is|been)\b[^.\n]{0,20}\b(?:blocked|banned|denied|paused|restricted|limited|suspended|blacklisted|throttled|rejected)\b|` +
		`(?:verifi[ck]|comprob|compruebe|vérifi|überprüf|bestätig|confirm|potwierd|weryfik|ověř|bekräft|bevestig)\pL*[^.\n]{0,40}(?:\bbot\b|r[oô]b[oô]t|human|humain|umano|mensch|\bmens\b|człowiek|člověk|människa)|\b(?:sending|making) (?:too many )?requests\b[^.\n]{0,20}\b(?:fast|quick|often)|` +
		`\b(?:solve|complete|enter|fill (?:in|out)|pass|answer)\b[^.\n]{0,24}\b(?:re)?captcha\b|` +
		`\bwe(?:'ve| have)? (?:just |recently )?(?:detected|noticed|seen|received|identified|observed)\b[^.\n]{0,20}\b(?:unusual|suspicious|abnormal|excessive|automated|malicious|high volume of|large number of)\b[^.\n]{0,24}\b(?:traffic|activity|behaviou?r|requests|queries)\b|\b(?:unusual|suspicious|abnormal|excessive|automated|malicious)\b[^.\n]{0,16}\b(?:traffic|activity|behaviou?r|requests|queries)\b[^.\n]{0,24}\byour\b|` +
		`\b(?:traffic|requests?|activity|browser)\b[^.\n]{0,30}\b(?:looks?|appears?|seems?)\b[^.\n]{0,20}\b(?:automated|a bot|suspicious|unusual)\b|` +
		`\bwhile we (?:verify|check|validate|review)\b[^.\n]{0,30}\b(?:browser|connection|request|you)|\b(?:we|this site) (?:can't|cannot|can not|are unable to|could not) process your request\b|` +
		`\bowner of this (?:web)?site\b[^\n]{0,60}\bbanned\b|\bautomatically blocked\b|\bsecurity (?:solution|policy|system|rule|service)\b[^.\n]{0,40}\b(?:blocked|triggered|denied)\b|\bnot authori[sz]ed to (?:access|view)\b|\b(?:access|permission) (?:to this (?:page|site|resource|website) )?(?:is|was|has been) denied\b`)}
)

// wallHints are words that walls have and others, too.
var wallHints = []string{"captcha", "ray id", "incident id", "incident number", "reference #", "reference id", "support id", "event id:", "request id:", "transaction id", "your ip", "ip address:", "client ip", "cloudflare", "robot", "security check", "security reasons", "security service", "firewall", "edgesuite.net", "ddos", "anti-bot", "bots", "automated", "slider", "puzzle", "tick the box", "checkbox", "performance & security by", "site administrator", "website owner", "contact the site owner", "block reference", "session id:", "error code", "try again later", "not authorized", "on this server", "protected by", "datadome", "perimeterx", "akamai", "imperva", "sucuri", "wordfence", "验证", "验证码", "機器人", "机器人", "ロボット", "робот", "roboter", "robô"}

// quotation is what a page that has something to read quotes: words of others.
var quotation = onceRegexp(`"[^".]{3,120}[.!?]{0,3}"`)

// signs are what points to a wall.
type signs struct {
	title  string // of wallNames
	mark   bool   // a strong mark of walls.txt
	asks   bool   // a weak mark, or a widget that asks for a human
	maker  string // of the mark; "" where it is no product by name
	phrase string // of wallSays
	hint   bool   // of wallHints
	status bool
}

func (g signs) points() int {
	n := 0
	switch {
	case g.title != "" && !wallVague[g.title]:
		n += 2
	case g.title != "":
		n++
	}
	if g.mark {
		n += 2
	} else if g.asks {
		n++
	}
	if g.phrase != "" {
		n += 2
	}
	if g.hint {
		n++
	}
	if g.status {
		n++
	}
	return n
}

func (p *page) signs(snap wstk.Snapshot) signs {
	g := signs{title: p.titled(wallNames, wallVague, wallTitle)}
	if p.html && len(p.body) <= wallBody && p.size <= largeWall {
		g.maker, g.mark = wallMarks().made(p, true)
	}
	start := p.text[:min(len(p.text), wallStart)]
	if p.prose > 0 {
		start = quotation().ReplaceAllString(start, `""`)
	}
	g.phrase = wallSaying.in(start)
	if g.title == "" && g.phrase == "" && !g.mark {
		return signs{} // the rest is never enough
	}
	g.asks = p.markup().captcha
	if !g.mark && p.html && len(p.body) <= wallBody { // beside a strong mark it adds nothing
		maker, weak := wallMarks().made(p, false)
		g.maker, g.asks = maker, g.asks || weak
	}
	if p.heading != "" {
		start = strings.Replace(start, p.heading, "", 1)
	}
	g.hint = first(start, wallHints) != ""
	switch snap.Status {
	case 401, 403, 405, 406, 429, 451, 503:
		g.status = true
	case 202: // challenges that must not be cached come with it
		g.status = g.mark || g.phrase != ""
	}
	return g
}

// botWall tells whether the page is a wall against machines, a refusal or a
// limit; "" where it is not.
func (p *page) botWall(snap wstk.Snapshot) string {
	if p.own > largeWall {
		return ""
	}
	g := p.signs(snap)
	if snap.Verdict == wstk.VerdictHTTPError && snap.Status != 503 && !g.mark {
		return "" // a failure of the site is one, whatever it says beside
	}
	if p.links > wallLinks && !g.mark {
		return ""
	}
	limit := 0
	switch n := g.points(); {
	case n < 2:
		return ""
	case g.status:
		limit = largeWall
		if n == 2 {
			limit = wallOwn
		}
	case g.title == "" && !g.mark && !g.asks:
		limit = saidWall
		if !p.speaksOfIt() {
			return ""
		}
	case g.title != "" && !g.mark && g.phrase == "":
		if limit = namedWall; p.prose > 0 {
			return "" // named like a wall, and there is something to read
		}
	case g.title == "" && g.phrase == "":
		limit = markWall
		if p.size > limit {
			return ""
		}
	case n == 2:
		limit = wallOwn
	default:
		limit = largeWall
		if g.title == "" && !g.mark || wallVague[g.title] {
			limit = wallOwn
		}
	}
	if p.own > limit {
		return ""
	}
	if g.maker != "" {
		return "a wall of " + g.maker + " stands in front of the page: " + g.why()
	}
	return "a wall stands in front of the page: " + g.why()
}

func (g signs) why() string {
	switch {
	case g.phrase != "":
		return "it says \"" + g.phrase + "\""
	case g.title != "":
		return "its title is \"" + g.title + "\""
	case g.mark:
		return "its markup is that of a challenge page"
	}
	return "its status is one that walls come with"
}

// speaksOfIt tells whether most of the page's blocks, by size, speak of the wall.
func (p *page) speaksOfIt() bool {
	about, other := 0, 0
	for _, b := range p.blocks {
		n := weigh(b, text.Range{End: len(b)}, nil)
		switch {
		case wallSaying.in(b) != "" || first(b, wallHints) != "":
			about += n
		case n > 25: // less is a menu or a label
			other += n
		}
	}
	return about*2 > other*3
}
