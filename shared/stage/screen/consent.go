package screen

import (
	"net/url"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// A consent page stands where the page should be and asks for cookies, terms or
// an age to be accepted. A banner beside the content is no such page: there is
// something else to read.

// consentHosts serve nothing but consent pages.
var consentHosts = []string{"consent.google.", "consent.youtube.", "consent.yahoo.", "guce.", "consent.cmp.", "cmp-consent-tool.", "consent.tv", "myprivacy.dpgmedia.", "privacygate.", "consent-pref.trustarc."}

// consentSays are sentences that ask for it.
var consentSays = []string{
	"before you continue", "we value your privacy", "your privacy is important", "your privacy matters", "we care about your privacy", "we and our partners", "we use cookies", "this site uses cookies", "this website uses cookies", "uses cookies to", "cookies and data to", "cookies to improve", "cookie consent", "consent to the use", "accept cookies", "accept all cookies", "manage your privacy", "privacy choices", "process your personal data", "store and/or access information on a device", "choose your cookie", "cookie preferences", "pay or consent", "continue with ads", "part of the yahoo family",
	"bevor sie fortfahren", "bevor sie zu", "wir verwenden cookies", "wir nutzen cookies", "diese website verwendet cookies", "ihre privatsphäre", "datenschutzeinstellungen", "privatsphäre-einstellungen", "wir und unsere partner", "einwilligung", "mit werbung weiterlesen", "weiter mit werbung", "werbung und tracking",
	"avant de continuer", "nous utilisons des cookies", "ce site utilise des cookies", "votre vie privée", "nos partenaires", "respect de votre vie privée", "accepter les cookies", "continuer sans accepter", "partenaires stock", "informations sur votre terminal", "informations sur un appareil",
	"antes de continuar", "utilizamos cookies", "usamos cookies", "este sitio utiliza cookies", "tu privacidad", "su privacidad", "valoramos tu privacidad", "nuestros socios", "almacenamos o accedemos", "informationen auf einem gerät", "information op een apparaat", "informazioni su un dispositivo", "información en un dispositivo", "informações num dispositivo", "informações em um dispositivo", "informacji na urządzeniu", "sua privacidade", "nossos parceiros",
	"prima di continuare", "utilizziamo i cookie", "utilizziamo cookie", "questo sito utilizza", "la tua privacy", "i nostri partner", "voordat je verdergaat", "voordat u verdergaat", "wij gebruiken cookies", "we gebruiken cookies", "jouw privacy", "uw privacy", "cookies accepteren", "onze partners", "zanim przejdziesz", "używamy plików cookie", "twoja prywatność", "dbamy o twoją prywatność", "než budete pokračovat", "používáme cookies", "vi använder cookies", "vi bruger cookies", "vi bruker", "innan du fortsätter", "çerez",
	"прежде чем продолжить", "прежде чем перейти", "мы используем файлы cookie", "мы используем cookie", "использует файлы cookie", "继续之前", "使用cookie", "使用 cookie", "繼續操作前", "続行する前に", "クッキーを使用", "cookieを使用", "쿠키를 사용", "계속하기 전에", "ملفات تعريف الارتباط",
}

// ageSays are questions for an age.
var ageSays = []string{"are you over 18", "are you 18", "are you 21", "are you of legal", "are you over 21", "you must be 18", "you must be 21", "you must be at least 18", "you must be at least 21", "you must be of legal", "of legal drinking age", "confirm your age", "verify your age", "age verification", "confirm that you are over 18", "confirm you are over 18", "confirm that you are 18", "i am over 18", "i am 18 or older", "enter your date of birth", "please enter your birth", "adults only", "sind sie über 18", "sind sie mindestens 18", "bist du über 18", "ich bin über 18", "altersprüfung", "avez-vous plus de 18", "avez-vous 18 ans", "j'ai plus de 18", "eres mayor de 18", "eres mayor de edad", "es mayor de edad", "tienes más de 18", "você tem mais de 18", "maior de 18", "hai più di 18", "sei maggiorenne", "ben je 18", "bent u 18", "вам есть 18", "вам исполнилось 18", "мне есть 18", "您是否年满18", "是否已满18", "18歳以上ですか", "あなたは18歳", "만 19세"}

// consentLabels are what the buttons say, whole.
var consentLabels = set("accept", "accept all", "accept all cookies", "accept cookies", "accept & continue", "accept and continue", "accept and close", "i accept", "agree", "i agree", "agree and continue", "agree & continue", "agree and proceed", "agree to all", "allow all", "allow all cookies", "allow cookies", "allow", "consent", "i consent", "reject", "reject all", "decline", "decline all", "deny", "refuse", "only necessary", "necessary only", "necessary cookies only", "manage settings", "manage options", "manage preferences", "manage cookies", "cookie settings", "customize", "customise", "more options", "show purposes", "got it", "ok", "okay", "continue", "yes", "no", "enter", "leave", "exit", "yes, i am", "no, i am not", "i am over 18", "i am 18 or older", "i am under 18", "save", "save and exit", "continue with ads", "accept & enter",
	"akzeptieren", "alle akzeptieren", "alles akzeptieren", "zustimmen", "alle annehmen", "annehmen", "ich stimme zu", "ich akzeptiere", "einwilligen", "einverstanden", "zustimmen und weiter", "akzeptieren und weiter", "ablehnen", "alle ablehnen", "alles ablehnen", "nur notwendige", "einstellungen", "weitere optionen", "mehr optionen", "einstellungen verwalten", "ja", "nein", "weiter",
	"accepter", "tout accepter", "accepter et continuer", "accepter & fermer", "accepter et fermer", "j'accepte", "refuser", "tout refuser", "paramétrer", "paramètres", "personnaliser", "plus d'options", "gérer les paramètres", "continuer", "oui", "non", "entrer", "sortir", "continuer sans accepter",
	"aceptar", "aceptar todo", "aceptar todas", "aceptar y continuar", "acepto", "rechazar", "rechazar todo", "configurar", "más opciones", "sí", "continuar", "aceitar", "aceitar tudo", "aceitar todos", "rejeitar", "rejeitar tudo", "recusar", "sim", "não", "accetta", "accetta tutto", "accetta tutti", "accetta e continua", "accetto", "rifiuta", "rifiuta tutto", "personalizza", "continua", "sì", "accepteren", "alles accepteren", "alle cookies accepteren", "akkoord", "ik ga akkoord", "weigeren", "alles afwijzen", "alles weigeren", "instellingen", "nee", "doorgaan", "akceptuję", "zaakceptuj wszystko", "akceptuj", "zgadzam się", "odrzuć wszystko", "přijmout vše", "přijmout", "odmítnout vše", "souhlasím", "acceptera", "acceptera alla", "godkänn alla", "avvisa alla", "accepter alle", "godta alle", "kabul et", "tümünü kabul et", "tümünü reddet",
	"принять", "принять все", "согласен", "согласиться", "отклонить", "отклонить все", "да", "нет", "接受", "全部接受", "接受全部", "同意", "同意并继续", "拒绝", "全部拒绝", "拒絕", "全部拒絕", "是", "否", "同意する", "すべて受け入れる", "すべて同意", "すべて拒否", "拒否", "はい", "いいえ", "동의", "모두 수락", "모두 동의", "거부", "모두 거부", "예", "아니요", "قبول الكل", "قبول", "رفض الكل")

// consentWords are what such pages go on about: a block with two of them is part
// of the question.
var consentWords = []string{"cookie", "consent", "privacy", "partner", "vendor", "purpose", "personal data", "personali", "advertis", "tracking", "preferences", "legitimate interest", "measure", "third part", "opt out", "opt-out", "settings", "accept", "reject", "terms of", "policy", "your data", "device", "identifier", "age", "18", "21", "adult", "legal",
	"einwillig", "datenschutz", "zweck", "werbung", "personenbezogen", "zustimm", "akzeptier", "einstellung", "dritt", "gerät", "impressum", "nutzungsbedingungen", "alter",
	"vie privée", "données", "finalité", "publicit", "consentement", "partenaire", "accepte", "paramètre", "appareil", "confidentialité", "âge", "ans",
	"privacidad", "datos", "socios", "publicidad", "consentimiento", "acept", "finalidad", "dispositivo", "dados", "parceiros", "privacidade", "aceit", "edad", "idade", "años", "anos",
	"dati", "pubblicit", "consenso", "finalità", "accett", "dispositivo", "informativa", "età", "gegevens", "toestemming", "doeleinden", "advertenti", "apparaat", "akkoord", "voorwaarden", "leeftijd", "prywatnoś", "danych", "zgod", "reklam", "soukrom", "souhlas", "údaj", "integritet", "samtyck", "samtykke", "annons", "çerez", "gizlilik",
	"конфиденциальн", "данны", "согласи", "реклам", "партн", "файл", "возраст", "лет", "隐私", "隱私", "数据", "資料", "广告", "合作伙伴", "合作夥伴", "同意", "条款", "年龄", "プライバシー", "データ", "広告", "パートナー", "規約", "年齢", "개인정보", "데이터", "광고", "파트너", "약관", "الخصوصية", "البيانات", "الإعلانات"}

const (
	consentRest = 250 // what may be left without the question
	consentOwn  = 6000
)

// consent tells whether a consent page stands in place of the page.
func (p *page) consent(snap wstk.Snapshot) string {
	if host := consentHost(snap.FinalURL); host != "" && !consentAsked(snap.URL) {
		return "the site sent us to a consent page (" + host + ")"
	}
	if p.own > consentOwn || p.text == "" || strings.Contains(p.title, "policy") || strings.Contains(p.heading, "policy") {
		return ""
	}
	start := p.text[:min(len(p.text), 1200)]
	phrase, what := first(start, consentSays), "cookies"
	if age := first(start, ageSays); age != "" {
		phrase, what = age, "an age"
	}
	if phrase == "" {
		return ""
	}
	labels, rest, asked := 0, 0, 0
	for _, b := range p.blocks {
		n := weigh(b, text.Range{End: len(b)}, nil)
		switch {
		case labelsOnly(b):
			labels++
		case p.asks(b):
			asked += n
		default:
			rest += n
		}
	}
	// Links are menus and imprints; they are in rest, so take them out once.
	rest = max(0, rest-(p.size-p.own))
	if labels == 0 || rest > consentRest || rest > asked+consentRest/2 {
		return ""
	}
	if p.prose > 0 && asked < p.prose/2 {
		return ""
	}
	return "a page that asks for consent (" + what + ") stands in place of the page: it says \"" + phrase + "\""
}

// ages makes one label of those that differ in the age.
var ages = strings.NewReplacer("16", "18", "19", "18", "20", "18", "21", "18")

// labelsOnly tells whether b is labels of buttons, one or several in a row, with at
// most a few words that are no label we know.
func labelsOnly(b string) bool {
	if len(b) > 200 {
		return false
	}
	words := strings.Fields(b)
	labels, others := 0, 0
	for len(words) > 0 {
		n := min(len(words), 5)
		for n > 0 && !consentLabels[ages.Replace(bare(strings.Join(words[:n], " ")))] {
			n--
		}
		if n == 0 {
			others++
			n = 1
		} else {
			labels++
		}
		words = words[n:]
	}
	return labels > 0 && (others <= min(3, 2*labels) || len(b) < 60 && others <= 6)
}

// asks tells whether block b is part of the question.
func (p *page) asks(b string) bool {
	if first(b, consentSays) != "" || first(b, ageSays) != "" {
		return true
	}
	n := 0
	for _, w := range consentWords {
		if strings.Contains(b, w) {
			if n++; n == 2 {
				return true
			}
		}
	}
	return n == 1 && len(b) < 60
}

func consentHost(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	for _, h := range consentHosts {
		if strings.HasPrefix(host, h) {
			return host
		}
	}
	return ""
}

// consentAsked tells whether the consent page itself was asked for.
func consentAsked(raw string) bool { return consentHost(raw) != "" }
