package summarize

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// lexicon holds the words by which a page offers, asks and calls, in one
// language.
type lexicon struct {
	offer    phrases // in a sentence
	offering phrases // in a heading: what is listed below is on offer
	ask      phrases
	call     phrases // at the beginning of a link or a line
}

// phrases are lower case; a trailing * stands for any ending. They are kept by
// their first letter, so that a sentence is gone through once however many
// there are.
type phrases map[rune][]string

func list(ps ...string) phrases {
	m := phrases{}
	for _, p := range ps {
		r, _ := utf8.DecodeRuneInString(p)
		m[r] = append(m[r], p)
	}
	return m
}

// find returns the byte offset of the first phrase that stands in s as whole
// words; s is lower case, see lower.
func (ps phrases) find(s string) (int, bool) {
	before := rune(' ')
	for i, r := range s {
		if unspaced(r) || !wordy(before) {
			for _, p := range ps[r] {
				stem, open := strings.CutSuffix(p, "*")
				if strings.HasPrefix(s[i:], stem) && (open || ends(s, i+len(stem))) {
					return i, true
				}
			}
		}
		before = r
	}
	return 0, false
}

// lower is the lower-case form of s with every code point where it was: one
// whose lower case has another length is left alone.
func lower(s string) string {
	if !utf8.ValidString(s) {
		return s // Map would make three bytes of one
	}
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, s)
}

func ends(s string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	if unspaced(r) {
		return true
	}
	r, _ = utf8.DecodeRuneInString(s[i:])
	return !wordy(r)
}

func wordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// unspaced reports whether r belongs to a script that puts no spaces between words.
func unspaced(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

var lexiconCache sync.Map // language → lexicon

// lexiconOf returns the words of lang (BCP 47) with the English ones, which turn
// up on pages of any language.
func lexiconOf(lang string) lexicon {
	lang, _, _ = strings.Cut(lang, "-")
	if _, ok := lexicons[lang]; !ok {
		lang = "en"
	}
	if l, ok := lexiconCache.Load(lang); ok {
		return l.(lexicon)
	}
	w := lexicons[lang]
	if lang != "en" {
		en := lexicons["en"]
		w = words{slices.Concat(w.offer, en.offer), slices.Concat(w.offering, en.offering),
			slices.Concat(w.ask, en.ask), slices.Concat(w.call, en.call)}
	}
	l := lexicon{list(w.offer...), list(w.offering...), list(w.ask...), list(w.call...)}
	lexiconCache.Store(lang, l)
	return l
}

// words is a lexicon as it is written down.
type words struct{ offer, offering, ask, call []string }

var lexicons = map[string]words{
	"en": {
		offer: []string{"we offer", "offers", "offering", "we provide", "provides", "we sell",
			"our services", "our products",
			"free", "for sale", "available", "discount*", "includes", "included", "supports",
			"lets you", "allows you", "enables you",
			"you can", "you get", "per month", "per year", "per person",
			"starting at", "from only"},
		offering: []string{"service*", "product*", "feature*", "pricing", "prices", "plans",
			"what we do", "what we offer", "program*",
			"course*", "solution*", "menu", "benefits", "classes", "packages",
			"opportunities", "events"},
		ask: []string{"please", "you must", "must be", "required", "requires", "requirement*",
			"we need", "we are looking for",
			"we're looking for", "looking for", "wanted", "volunteer*", "donat*", "apply",
			"applications", "submit", "send us",
			"help us", "join us", "deadline", "you need to", "you should", "we ask", "rsvp",
			"register by", "eligib*"},
		call: []string{"sign up", "sign in", "log in", "register", "subscribe", "contact", "call",
			"email us", "e-mail us", "get in touch",
			"get started", "get a quote", "get help", "get involved", "get tickets", "start", "try",
			"buy", "order", "shop", "add to cart",
			"book", "reserve", "schedule", "request", "apply", "donate", "give", "volunteer",
			"join", "download", "install", "learn more",
			"read more", "find out more", "watch", "view", "see all", "visit", "follow", "share",
			"report", "submit", "send", "ask", "claim", "enrol*", "enroll*"},
	},
	"de": {
		offer: []string{"wir bieten", "bietet", "bieten ihnen", "unser angebot", "angebot*",
			"kostenlos*", "gratis", "erhältlich",
			"verfügbar", "inklusive", "rabatt*", "ab nur", "pro monat", "pro person",
			"sie erhalten", "ermöglicht"},
		offering: []string{"leistung*", "angebot*", "produkt*", "preise", "service*", "kurse",
			"funktionen", "speisekarte", "veranstaltungen", "was wir"},
		ask: []string{"bitte", "sie müssen", "erforderlich", "voraussetzung*", "wir suchen",
			"gesucht", "bewerb*", "spende*",
			"ehrenamt*", "helfen sie", "anmeldeschluss", "benötig*", "senden sie"},
		call: []string{"anmelden", "jetzt", "registrieren", "kontakt*", "anrufen", "rufen sie",
			"buchen", "bestellen", "kaufen", "in den warenkorb",
			"abonnieren", "herunterladen", "download", "mehr erfahren", "weiterlesen", "spenden",
			"bewerben", "mitmachen", "termin", "anfragen", "reservieren", "zum"},
	},
	"fr": {
		offer: []string{"nous offrons", "nous proposons", "propose", "proposons", "offre*",
			"gratuit*", "disponible*", "compris", "inclus*",
			"réduction*", "à partir de", "par mois", "par personne", "permet de", "vous pouvez"},
		offering: []string{"service*", "prestation*", "produit*", "tarif*", "offre*", "formation*",
			"programme*", "fonctionnalités", "nos"},
		ask: []string{"veuillez", "merci de", "s'il vous plaît", "obligatoire*", "requis*",
			"nous recherchons", "recherche", "candidat*",
			"don", "dons", "bénévol*", "date limite", "vous devez", "il faut"},
		call: []string{"s'inscrire", "inscrivez-vous", "inscription", "se connecter", "contactez",
			"contact*", "appelez", "réserver", "réservez",
			"commander", "acheter", "ajouter au panier", "s'abonner", "abonnez-vous", "télécharger",
			"en savoir plus", "lire la suite",
			"faire un don", "postuler", "rejoignez", "demander", "découvrir", "découvrez"},
	},
	"es": {
		offer: []string{"ofrecemos", "ofrece*", "nuestros servicios", "gratis", "gratuit*",
			"disponible*", "incluye*", "incluid*", "descuento*",
			"desde solo", "al mes", "por persona", "permite*", "puede*"},
		offering: []string{"servicio*", "producto*", "precio*", "tarifa*", "curso*", "programa*",
			"característica*", "oferta*"},
		ask: []string{"por favor", "debe*", "obligatori*", "requisito*", "requiere*", "necesitamos",
			"buscamos", "se busca", "voluntari*",
			"dona*", "solicit*", "envíe*", "fecha límite"},
		call: []string{"regístr*", "registrarse", "iniciar sesión", "contact*", "llám*", "llame",
			"reserv*", "comprar", "compra", "pedir",
			"añadir al carrito", "suscríb*", "suscribirse", "descargar", "descarga",
			"más información", "leer más", "donar", "únete", "solicitar", "saber más"},
	},
	"it": {
		offer: []string{"offriamo", "offre", "proponiamo", "gratuit*", "gratis", "disponibil*",
			"inclus*", "sconto*", "a partire da", "al mese",
			"a persona", "permette", "consente"},
		offering: []string{"servizi*", "prodott*", "prezz*", "tariff*", "cors*", "offert*",
			"programm*", "funzionalità"},
		ask: []string{"per favore", "si prega", "obbligatori*", "richiest*", "requisit*",
			"cerchiamo", "volontari*", "donazion*",
			"candidat*", "scadenza", "è necessario", "occorre"},
		call: []string{"registrati", "iscriviti", "accedi", "contatt*", "chiama*", "prenota*",
			"acquista", "compra", "ordina", "aggiungi al carrello",
			"scarica", "scopri", "leggi", "dona", "candidati", "richiedi", "unisciti"},
	},
	"pt": {
		offer: []string{"oferecemos", "oferece*", "grátis", "gratuit*", "disponív*", "inclui*",
			"incluíd*", "desconto*", "a partir de", "por mês",
			"por pessoa", "permite*", "você pode"},
		offering: []string{"serviço*", "produto*", "preço*", "curso*", "programa*",
			"recurso*", "oferta*"},
		ask: []string{"por favor", "deve*", "obrigatóri*", "requisito*", "precisamos", "procuramos",
			"voluntári*", "doaç*", "doe",
			"candidat*", "inscriç*", "prazo", "é necessário"},
		call: []string{"cadastre-se", "registe-se", "inscreva-se", "entrar", "contato", "contacto*",
			"fale", "ligue", "reserve", "compre", "comprar",
			"peça", "assine", "baixar", "baixe", "descarregar", "saiba mais", "leia mais", "doe",
			"doar", "candidate-se", "participe"},
	},
	"nl": {
		offer: []string{"wij bieden", "we bieden", "biedt", "aanbod", "gratis", "beschikbaar",
			"inclusief", "korting*", "vanaf", "per maand",
			"per persoon", "u kunt", "je kunt"},
		offering: []string{"dienst*", "product*", "prijzen", "tarieven", "cursus*", "aanbod",
			"functies", "wat we"},
		ask: []string{"alstublieft", "a.u.b.", "moet", "vereist", "wij zoeken", "we zoeken",
			"gezocht", "vrijwillig*", "donat*", "solliciteer*",
			"aanmelden", "nodig"},
		call: []string{"aanmelden", "meld", "inloggen", "registreer*", "contact*", "bel", "boek",
			"reserveer", "bestel", "koop", "in winkelwagen",
			"abonneer", "downloaden", "download", "lees meer", "meer informatie", "doneer",
			"solliciteer", "vraag"},
	},
	"ru": {
		offer: []string{"мы предлагаем", "предлага*", "бесплатн*", "доступн*", "в наличии",
			"включает", "включено", "скидк*", "в месяц",
			"позволяет", "вы можете"},
		offering: []string{"услуг*", "товар*", "цены", "тариф*", "курсы", "программ*",
			"возможности", "меню", "продукц*"},
		ask: []string{"пожалуйста", "необходим*", "требу*", "должны", "нужн*", "мы ищем", "ищем",
			"волонт*", "пожертв*", "заявк*",
			"отправьте", "просим", "срок подачи"},
		call: []string{"зарегистрир*", "регистрация", "войти", "вход", "подпис*", "связаться",
			"свяжитесь", "позвон*", "заказать", "купить",
			"в корзину", "забронировать", "записаться", "скачать", "подробнее", "узнать", "читать",
			"пожертвовать", "оставить заявку", "отправить", "начать"},
	},
	"zh": {
		offer:    []string{"我们提供", "提供", "免费", "優惠", "优惠", "折扣", "每月", "每人", "包括", "支持", "可以"},
		offering: []string{"服务", "服務", "产品", "產品", "价格", "價格", "功能", "课程", "課程", "方案"},
		ask: []string{"请", "請", "必须", "必須", "需要", "招聘", "招募", "志愿者", "志工", "捐款", "捐赠",
			"申请", "申請", "截止", "要求"},
		call: []string{"注册", "註冊", "登录", "登入", "联系", "聯絡", "聯繫", "拨打", "预订", "預訂", "购买", "購買",
			"订阅", "訂閱", "下载", "下載",
			"了解更多", "查看", "加入", "捐款", "申请", "申請", "立即", "预约", "預約"},
	},
	"ja": {
		offer:    []string{"提供", "無料", "割引", "ご利用いただけ", "対応", "含ま", "月額"},
		offering: []string{"サービス", "製品", "商品", "料金", "価格", "機能", "講座", "プラン", "メニュー"},
		ask:      []string{"ください", "下さい", "必要", "募集", "ボランティア", "寄付", "応募", "締切", "お願い"},
		call: []string{"登録", "新規登録", "ログイン", "お問い合わせ", "お問合せ", "電話", "予約", "購入", "注文",
			"カートに", "購読", "ダウンロード",
			"詳しく", "詳細", "もっと見る", "参加", "寄付", "応募", "申し込", "お申し込み", "資料請求"},
	},
}
