package screen

import (
	"net/url"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Gates let people in who are known: logins and subscriptions.

// loginSays are sentences of pages that let in members only. The page itself may
// have a login form in a corner; it does not say this.
var loginSays = []string{
	"log in to continue", "login to continue", "sign in to continue", "log in to view", "login to view", "sign in to view", "log in to see", "login to see", "sign in to see", "log in to access", "login to access", "sign in to access", "log in to read", "sign in to read", "you must be logged in", "you must log in", "you must login", "you must sign in", "you must be signed in", "you need to be logged in", "you need to log in", "you need to login", "you need to sign in", "you have to log in", "you have to be logged in", "please log in to", "please login to", "please sign in to", "please log in or", "please login or", "log in or sign up to", "sign in or create an account to", "sign up to view", "sign up to see", "join to view", "join now to", "create an account to view", "create an account to continue", "register to view", "register to continue", "for members only", "for registered users only", "this page is private", "this account is private", "this content is for members", "this content is only available to", "restricted to members", "session has expired", "your session expired", "single sign-on", "not logged in", "you need permission", "request access to",
	"melden sie sich an, um", "melde dich an, um", "bitte melden sie sich an", "bitte melde dich an", "sie müssen angemeldet sein", "du musst angemeldet sein", "sie müssen sich anmelden", "nur für mitglieder", "bitte loggen sie sich ein", "einloggen, um",
	"connectez-vous pour", "veuillez vous connecter", "vous devez être connecté", "vous devez vous connecter", "réservé aux membres", "identifiez-vous pour",
	"inicia sesión para", "inicie sesión para", "debes iniciar sesión", "debe iniciar sesión", "tienes que iniciar sesión", "debes estar registrado", "solo para miembros",
	"faça login para", "entre para continuar", "você precisa estar logado", "você precisa fazer login", "inicie sessão para", "accedi per", "effettua il login", "devi effettuare l'accesso", "devi essere loggato", "log in om", "je moet ingelogd zijn", "u moet ingelogd zijn", "zaloguj się, aby", "musisz być zalogowany", "přihlaste se", "logga in för att", "giriş yapmalısınız", "görmek için giriş",
	"войдите, чтобы", "войдите в аккаунт", "необходимо войти", "вы должны войти", "авторизуйтесь", "необходимо авторизоваться", "требуется авторизация", "только для зарегистрированных", "увійдіть, щоб",
	"请登录后", "请先登录", "登录后查看", "登录后才能", "您需要登录", "请登录以", "登入後", "請先登入", "ログインしてください", "ログインが必要です", "会員限定", "로그인이 필요", "로그인 후", "로그인해 주세요", "يرجى تسجيل الدخول", "يجب تسجيل الدخول",
}

// loginNames are titles and headings of login pages, whole.
var loginNames = set("log in", "login", "sign in", "signin", "sign on", "log on", "logon", "log in or sign up", "sign in or sign up", "login required", "sign in required", "log in required", "please log in", "please login", "please sign in", "sign in to your account", "log in to your account", "member login", "user login", "account login", "welcome back", "authentication required", "authorization required", "sign up", "join now", "anmelden", "anmeldung", "einloggen", "login erforderlich", "connexion", "se connecter", "identification", "s'identifier", "iniciar sesión", "inicio de sesión", "acceder", "entrar", "iniciar sessão", "accedi", "accesso", "inloggen", "aanmelden", "zaloguj się", "logowanie", "přihlášení", "logga in", "giriş yap", "вход", "войти", "авторизация", "вхід", "登录", "登入", "用户登录", "ログイン", "로그인", "تسجيل الدخول")

var loginSaying = saying{loginSays, []string{"log in", "login", "log-in", "log on", "sign", "logged", "authenticate", "register", "create an account"}, onceRegexp(`\b(?:log|sign)[ -]?(?:in|on|up)(?: or (?:sign|log)[ -]?(?:up|in))? (?:to|and) (?:\w+ ){0,2}?(?:continue|view|see|access|read|reach|watch|join|unlock|get)\b|\b(?:log|sign)[ -]?in with your [^.\n]{0,40} to\b|\b(?:must|need to|have to|please|required to) (?:first )?(?:be (?:logged|signed) in|log ?in|sign in|authenticate)\b|\b(?:must|need to|have to) register\b|\bcreate an account to\b`)}

const (
	loginOwn  = 1200
	loginForm = 500 // a form and its help texts
	bareForm  = 120 // a form and the page's name
)

// loginWall tells whether the page asks for a login instead of showing what was
// asked for. A login page that was itself asked for is no wall.
func (p *page) loginWall(snap wstk.Snapshot) string {
	if p.own > loginOwn || loginPath(snap.URL) && !hasReturn(snap.URL) {
		return ""
	}
	sent := snap.FinalURL != "" && snap.FinalURL != snap.URL && loginPath(snap.FinalURL)
	name, phrase := p.titled(loginNames, nil, nil), loginSaying.in(p.text[:min(len(p.text), 1500)])
	if !sent && name == "" && phrase == "" {
		return ""
	}
	password := p.markup().password
	form := password || p.markup().email
	switch {
	case sent && (password || name != "" || phrase != "" || p.own < loginForm):
		return "the site sent us to a login page"
	case password && p.own < loginForm && (name != "" || phrase != ""), form && name != "" && p.own < loginForm/2:
		return "a login form stands in place of the page"
	case name != "" && phrase != "" && p.own < loginForm:
		return "the page asks for a login: it says \"" + phrase + "\""
	case phrase != "" && p.own < loginForm && p.prose < 2*paragraph && p.leads(phrase):
		return "the page asks for a login: it says \"" + phrase + "\""
	}
	return ""
}

// onlyLogin tells whether the page is hardly more than a form that asks for a
// password, whatever it says. One with pictures or frames may have a form beside
// them, and one that a script has yet to fill, in its header.
func (p *page) onlyLogin(snap wstk.Snapshot) string {
	const logos = 2
	if p.size >= bareForm || loginPath(snap.URL) && !hasReturn(snap.URL) {
		return ""
	}
	if m := p.markup(); !m.password || m.images > logos || m.frames > 0 {
		return ""
	}
	return "a login form stands in front of the page"
}

// leads tells whether the phrase stands in a heading or the first blocks of own
// text: what the page is about, rather than an invitation to comment below it.
func (p *page) leads(phrase string) bool {
	before := 0
	for _, b := range p.blocks {
		if strings.Contains(b, phrase) {
			return before < 160
		}
		if n := weigh(b, text.Range{End: len(b)}, nil); n > 40 { // shorter ones are menus and labels
			before += n
		}
	}
	return false
}

func loginPath(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	for _, h := range []string{"accounts.google.com", "login.microsoftonline.com", "login.live.com", "appleid.apple.com"} {
		if host == h {
			return true
		}
	}
	if strings.HasPrefix(host, "login.") || strings.HasPrefix(host, "signin.") || strings.HasPrefix(host, "auth.") || strings.HasPrefix(host, "sso.") || strings.HasPrefix(host, "idp.") {
		return true
	}
	for part := range strings.FieldsFuncSeq(strings.ToLower(u.Path), func(c rune) bool { return c == '/' || c == '.' }) {
		switch part {
		case "login", "signin", "sign-in", "sign_in", "log-in", "log_in", "logon", "authwall", "sso", "wp-login", "oauth", "authorize", "auth", "checkpoint", "user-login", "userlogin", "session_login", "anmelden", "connexion", "login_form", "loginform":
			return true
		}
	}
	return false
}

// hasReturn tells whether the address says where to go on to afterwards: then it
// is not the login page that was wanted.
func hasReturn(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil {
		return false
	}
	for key := range u.Query() {
		switch strings.ToLower(key) {
		case "next", "return", "returnurl", "return_url", "return_to", "returnto", "redirect", "redirect_to", "redirect_uri", "redirecturl", "continue", "back", "goto", "target", "dest", "destination", "url", "service", "came_from", "origin", "session_redirect", "ref":
			return true
		}
	}
	return false
}

// paySays are sentences at which a text breaks off for those who do not pay.
var paySays = []string{
	"subscribe to continue", "subscribe to read", "subscribe to keep reading", "subscribe to unlock", "subscribe now to continue", "subscribe now to read", "subscribe for full access", "subscribe to get full access", "subscribe to access", "to continue reading", "continue reading with a", "continue reading by subscribing", "to keep reading", "to read the full", "to read this article", "to read the rest", "to read more, subscribe", "unlock this article", "unlock the full", "unlock this story", "get unlimited access", "this article is for subscribers", "this article is reserved for", "this content is for subscribers", "this content is reserved for", "this story is for subscribers", "this story is exclusive to", "exclusive to subscribers", "available to subscribers only", "available only to subscribers", "only available to subscribers", "for subscribers only", "subscribers only", "subscriber-only", "this post is for paid subscribers", "this post is for paying subscribers", "keep reading with a", "already a subscriber", "already have a subscription", "you've reached your limit of free articles", "you have reached your limit of free articles", "you have reached your article limit", "reached your free article limit", "you've read all your free", "you have no free articles", "free articles remaining", "last free article", "become a member to read", "the author made this story available to", "member-only story", "start your free trial to", "purchase this article", "buy this article", "get access to this article", "log in via your institution", "access through your institution", "purchase access", "rent this article", "a subscription is required", "requires a subscription", "premium content", "premium article",
	"mit einem abo", "mit abo weiterlesen", "jetzt weiterlesen", "diesen artikel weiterlesen", "weiterlesen mit", "nur für abonnenten", "exklusiv für abonnenten", "dieser artikel ist exklusiv", "artikel freischalten", "jetzt abonnieren und weiterlesen", "bereits abonnent", "sie haben bereits ein abo", "dieser inhalt ist nur für abonnenten", "dieser beitrag ist kostenpflichtig", "plus-artikel", "probeabo",
	"réservé aux abonnés", "réservée aux abonnés", "réservé à nos abonnés", "abonnez-vous pour lire", "pour lire la suite", "la suite est réservée", "il vous reste", "déjà abonné", "accédez à l'intégralité", "cet article est réservé",
	"suscríbete para seguir", "suscríbete para leer", "suscríbase para", "para seguir leyendo", "contenido exclusivo para suscriptores", "exclusivo para suscriptores", "solo para suscriptores", "ya eres suscriptor", "has alcanzado el límite de artículos",
	"assine para continuar", "assine para ler", "para continuar lendo", "exclusivo para assinantes", "conteúdo exclusivo para assinantes", "já é assinante", "abbonati per", "per continuare a leggere", "riservato agli abbonati", "contenuto riservato", "sei già abbonato", "alleen voor abonnees", "om verder te lezen", "lees verder met", "word abonnee", "verder lezen?", "kup dostęp", "czytaj dalej z", "tylko dla prenumeratorów", "pro předplatitele", "låst artikel", "endast för prenumeranter", "för att läsa vidare", "logga in för att läsa", "for abonnenter", "kun for abonnenter", "sadece aboneler",
	"только для подписчиков", "чтобы читать дальше", "чтобы продолжить чтение", "оформите подписку", "доступно по подписке", "для подписчиков", "订阅后", "订阅以继续阅读", "付费阅读", "付费后", "剩余内容", "试读结束", "開通會員", "訂閱", "この記事は有料会員", "有料会員限定", "続きを読むには", "会員登録して続き", "残り", "구독하고", "유료 회원", "للمشتركين فقط",
}

// Limits of a text that breaks off: what stands before is a teaser.
const (
	teaser     = 1400 // prose of a page that says it is not free
	shortTease = 700  // prose of a page that only asks for a subscription
)

// paywall tells whether the page breaks off and asks for a subscription.
func (p *page) paywall() string {
	if offers := first(p.title, []string{"subscri", "suscri", "abonn", "abbon", "assina", "pricing", "offer", "angebot", "membership"}); offers != "" && !p.article() {
		return "" // a page about subscriptions
	}
	if !p.article() && !p.notFree() && p.own > shortTease {
		return ""
	}
	block, notices := "", 0
	for _, b := range p.blocks {
		// The sentence is a notice of its own; prose that mentions it is prose.
		if weigh(b, text.Range{End: len(b)}, nil) > 400 {
			continue
		}
		if phrase := first(b, paySays); phrase != "" && !strings.Contains(b, "newsletter") {
			if block == "" {
				block = phrase
			}
			notices++
		}
	}
	if block == "" {
		return ""
	}
	prose := p.prose
	if p.main > 0 {
		prose = min(prose, p.main)
	}
	if p.notFree() && prose <= teaser {
		return "the text breaks off for those who are no subscribers: it says \"" + block + "\""
	}
	// Other pages than articles ask for subscriptions without holding anything
	// back; one that says it twice and hardly anything else does hold back.
	if prose <= shortTease && (p.article() && p.own <= 2*teaser || notices >= 2 && p.own <= shortTease) {
		return "the text breaks off for those who are no subscribers: it says \"" + block + "\""
	}
	return ""
}

// notFree tells whether the page's structured data say that it is not for free.
func (p *page) notFree() bool {
	for _, item := range p.doc.Data {
		for _, leaf := range item.Leaves {
			if strings.HasSuffix(leaf.Name, "isAccessibleForFree") && strings.EqualFold(strings.Trim(leaf.Literal, `" `), "false") {
				return true
			}
			if (leaf.Name == "article:content_tier" || leaf.Name == "og:article:content_tier") && (leaf.Literal == "locked" || leaf.Literal == "metered") {
				return true
			}
		}
	}
	return false
}

// article tells whether the page calls itself an article.
func (p *page) article() bool {
	if t := strings.ToLower(p.doc.Meta.Type); strings.Contains(t, "article") || strings.Contains(t, "posting") {
		return true
	}
	for _, item := range p.doc.Data {
		if t := strings.ToLower(item.Type); strings.Contains(t, "article") || strings.Contains(t, "posting") {
			return true
		}
	}
	return p.doc.Meta.PublishedAt != nil
}
