package extract

import "strings"

// This file is the engine's vocabulary: which words ask for what, in the
// languages where that is cheap to know. Every phrase is lower case, at most
// maxPhrase words. Scripts written without spaces are matched as substrings.

// kind is what an answer has to be.
type kind int

const (
	anyKind        kind = iota
	countKind           // how many: a bare number
	amountKind          // how much, how long, how large: a number, mostly with a unit
	moneyKind           // a price
	percentKind         // a share
	dateKind            // a day, a month, a year
	timeKind            // a time of day
	durationKind        // a span of time
	versionKind         // 3.46.0
	sinceKind           // a date or a version
	personKind          // a name
	placeKind           // a name or an address
	emailKind           // an e-mail address
	phoneKind           // a telephone number
	urlKind             // a link
	yesNoKind           // whether something is so
	definitionKind      // what something is
	reasonKind          // why
	methodKind          // how to
)

var kindNames = [...]string{"answer", "number", "amount", "price", "percentage", "date",
	"time", "duration",
	"version", "date or version", "person", "place", "e-mail address", "phone number", "link",
	"yes or no", "definition", "reason", "method"}

func (k kind) String() string { return kindNames[k] }

// typed reports whether answers of this kind can be recognised by their form.
func (k kind) typed() bool { return k >= countKind && k <= urlKind }

// askCue is what a phrase of a question says about its answer.
type askCue struct {
	kind kind
	hard bool // without such a value nothing is an answer
	noun bool // the words also name the thing and may stand on the page ("price")

	order bool // an order rather than a question ("find")
}

var askCues = map[string]askCue{}

func ask(c askCue, phrases ...string) {
	for _, p := range phrases {
		askCues[p] = c
	}
}

func init() {
	hard := func(k kind) askCue { return askCue{kind: k, hard: true} }
	soft := func(k kind) askCue { return askCue{kind: k} }
	noun := func(k kind, hard bool) askCue { return askCue{kind: k, hard: hard, noun: true} }

	// English
	ask(hard(countKind), "how many")
	ask(hard(amountKind), "how much", "how old", "how far", "how tall", "how high", "how wide",
		"how heavy", "how many times")
	ask(soft(amountKind), "how long", "how large", "how big", "how often", "how small", "how soon",
		"how late", "how early", "how deep", "how deeply", "how long ago", "how frequently",
		"how quickly", "how fast", "how strong", "how thick", "how loud", "how hot",
		"how cold", "how bright")
	ask(noun(amountKind, false), "maximum", "minimum", "limit", "upper bound", "upper limit",
		"lower limit", "size", "length",
		"width", "height", "weight", "distance", "speed", "temperature", "age", "rate", "ratio",
		"capacity", "total",
		"default value", "population", "area", "depth", "wheelbase",
		"displacement", "power", "torque")
	ask(noun(countKind, true), "number of", "maximum number of", "minimum number of",
		"total number of", "largest number of", "smallest number of")
	ask(hard(percentKind), "what percentage", "what percent", "which percentage", "what share",
		"what proportion", "what fraction")
	ask(noun(percentKind, false), "percentage", "percent")
	ask(soft(dateKind), "when")
	ask(soft(anyKind), "when would", "when should", "when to", "when must",
		"when could", "when might")
	ask(hard(dateKind), "when was", "when were", "when did")
	ask(hard(sinceKind), "since when", "as of when", "from when", "seit wann", "desde cuándo",
		"depuis quand", "с каких пор")
	ask(hard(dateKind), "in what year", "in which year", "on what date", "on which date",
		"on what day", "on which day", "in what month", "in which month", "in which century",
		"in what century", "in which decade", "in what decade", "by what year", "since what year",
		"what year", "which year", "what date", "which date", "what day", "which day", "what month",
		"which month", "which decade", "what decade", "which century", "what century")
	ask(noun(dateKind, false), "year", "date", "deadline", "birthday", "release date", "due date")
	ask(hard(timeKind), "what time", "at what time")
	ask(noun(timeKind, false), "opening hours", "office hours", "business hours", "opening times",
		"hours of operation", "schedule", "hours")
	ask(noun(durationKind, false), "duration", "runtime", "running time", "timeout")
	ask(hard(versionKind), "what version", "which version", "what release", "which release",
		"since what version", "what versions", "which versions", "in which version",
		"in which versions", "in what version", "since which version", "from which version",
		"as of which version")
	ask(noun(versionKind, false), "version", "version number", "latest version", "current version",
		"minimum version", "release number")
	ask(soft(personKind), "who", "whom", "whose", "who's")
	ask(noun(personKind, false), "author", "founder", "ceo", "president", "director", "inventor",
		"creator", "owner", "manager", "coordinator", "contact person")
	ask(soft(placeKind), "where", "in what city", "in which city", "in what country",
		"in which country", "what country", "which country", "what city", "which city",
		"what state", "which state")
	ask(noun(placeKind, false), "address", "location", "headquarters", "venue", "postal address",
		"mailing address", "street address", "birthplace")
	ask(noun(emailKind, true), "email", "e-mail", "email address", "e-mail address",
		"mail address", "contact email")
	ask(noun(phoneKind, true), "phone", "telephone", "phone number", "telephone number",
		"fax number", "hotline", "mobile number", "contact number")
	ask(noun(urlKind, false), "website", "url", "link", "web address", "homepage", "home page",
		"web site", "web page")
	ask(noun(moneyKind, false), "price", "cost", "costs", "fee", "fees", "salary", "fare", "rent",
		"tuition", "admission", "ticket price", "charge")
	ask(hard(moneyKind), "how much money")
	ask(soft(reasonKind), "why", "what reason", "what is the reason", "how come", "for what reason")
	ask(soft(methodKind), "how to", "how do", "how can", "how should", "how does", "how is",
		"how are", "how did", "how would", "how could", "how was", "how were", "how")
	ask(soft(definitionKind), "define", "definition of", "meaning of", "what is meant by")
	ask(soft(anyKind), "what", "which", "what is", "what's", "what are", "what was", "what were",
		"what is the", "what are the", "what is a", "what is an",
		"is", "are", "was", "were", "can", "could", "does", "do", "did", "has", "have", "had",
		"will", "would", "should", "must", "may",
		"i want to know", "can you tell me", "do you know", "in what", "in which", "to what",
		"to which", "at what", "at which", "on what", "on which",
		"for what", "by what", "from what", "with what", "of what", "under what", "into what")

	ask(askCue{order: true}, "name the", "give the", "give me", "tell me", "tell me the", "show me",
		"show", "find", "find the", "please", "look up")

	// Spanish
	ask(hard(countKind), "cuántos", "cuántas", "cuantos", "cuantas")
	ask(hard(amountKind), "cuánto", "cuánta", "cuanto", "cuanta")
	ask(hard(dateKind), "cuándo", "qué año", "en qué año", "qué fecha", "qué día", "en qué mes",
		"en qué siglo", "en qué década", "qué siglo")
	ask(hard(timeKind), "a qué hora", "qué hora")
	ask(soft(personKind), "quién", "quiénes", "a quién", "de quién")
	ask(soft(placeKind), "dónde", "de dónde", "a dónde", "adónde", "qué ciudad", "qué país",
		"en qué país", "en qué ciudad")
	ask(hard(percentKind), "qué porcentaje", "qué proporción")
	ask(soft(reasonKind), "por qué", "a qué se debe")
	ask(soft(methodKind), "cómo")
	ask(soft(anyKind), "qué", "cuál", "cuáles", "qué es", "cuál es", "cuál era", "cuál fue",
		"cuáles son", "en qué", "de qué", "a qué", "con qué", "para qué")
	ask(noun(moneyKind, false), "precio", "coste", "tarifa")
	ask(noun(phoneKind, true), "teléfono", "número de teléfono")
	ask(noun(emailKind, true), "correo electrónico", "dirección de correo")
	ask(noun(timeKind, false), "horario", "horarios")
	ask(noun(placeKind, false), "dirección", "ubicación")

	// French
	ask(hard(countKind), "combien de", "combien d")
	ask(hard(amountKind), "combien")
	ask(hard(dateKind), "quand", "quelle année", "en quelle année", "quelle date", "à quelle date",
		"quel jour", "quel siècle", "quel mois")
	ask(hard(timeKind), "quelle heure", "à quelle heure")
	ask(soft(personKind), "qui", "à qui", "de qui", "par qui")
	ask(soft(placeKind), "où", "d'où", "quelle ville", "quel pays", "dans quel pays",
		"dans quelle ville")
	ask(hard(percentKind), "quel pourcentage", "quelle proportion")
	ask(soft(reasonKind), "pourquoi")
	ask(soft(methodKind), "comment")
	ask(soft(anyKind), "quel", "quelle", "quels", "quelles", "que", "qu'est-ce que", "est-ce que",
		"quel est", "quelle est", "lequel", "laquelle")
	ask(noun(moneyKind, false), "prix", "tarif", "coût")
	ask(noun(phoneKind, true), "téléphone", "numéro de téléphone")
	ask(noun(timeKind, false), "horaires", "heures d'ouverture", "horaires d'ouverture")
	ask(noun(placeKind, false), "adresse")

	// German
	ask(hard(countKind), "wie viele", "wieviele")
	ask(hard(amountKind), "wie viel", "wieviel", "wie alt", "wie hoch", "wie weit", "wie schnell",
		"wie schwer", "wie tief", "wie breit")
	ask(soft(amountKind), "wie lange", "wie lang", "wie groß", "wie oft")
	ask(hard(dateKind), "wann", "welches jahr", "welchem jahr", "in welchem jahr", "welches datum",
		"welchem tag", "welchem monat", "welchem jahrhundert")
	ask(hard(timeKind), "wie viel uhr", "um wie viel uhr", "welche uhrzeit")
	ask(soft(personKind), "wer", "wem", "wen", "wessen")
	ask(soft(placeKind), "wo", "woher", "wohin", "welcher stadt", "welchem land", "in welchem land",
		"in welcher stadt")
	ask(hard(percentKind), "wie viel prozent", "wieviel prozent", "welcher anteil",
		"welcher prozentsatz")
	ask(soft(reasonKind), "warum", "wieso", "weshalb")
	ask(soft(methodKind), "wie")
	ask(soft(anyKind), "was", "was ist", "welche", "welcher", "welches", "welchen", "welchem",
		"wie heißt", "was sind", "worin", "womit", "wodurch", "wofür")
	ask(noun(moneyKind, false), "preis", "kosten", "gebühr", "gehalt", "miete")
	ask(noun(phoneKind, true), "telefonnummer", "telefon", "rufnummer")
	ask(noun(emailKind, true), "e-mail-adresse", "mailadresse")
	ask(noun(timeKind, false), "öffnungszeiten", "sprechzeiten")
	ask(noun(placeKind, false), "anschrift", "standort", "adresse")

	// Italian, Portuguese, Dutch
	ask(hard(countKind), "quanti", "quante", "quantos", "quantas", "hoeveel")
	ask(hard(amountKind), "quanto", "quanta", "hoe lang", "hoe oud", "hoe groot",
		"hoe hoog", "hoe ver")
	ask(hard(dateKind), "che anno", "in che anno", "quale anno", "in quale anno", "quale data",
		"che data", "que ano", "em que ano", "que data",
		"wanneer", "welk jaar", "in welk jaar")
	ask(soft(dateKind), "quando")
	ask(hard(timeKind), "che ora", "a che ora", "que horas", "a que horas", "hoe laat")
	ask(soft(personKind), "chi", "quem", "wie")
	ask(soft(placeKind), "dove", "onde", "waar")
	ask(soft(reasonKind), "perché", "por que", "waarom")
	ask(soft(methodKind), "come", "como", "hoe")
	ask(soft(anyKind), "che cosa", "cosa", "quale", "quali", "qual", "quais", "o que", "wat",
		"wat is", "qual è", "qual é")

	// Russian, Polish, Ukrainian
	ask(hard(countKind), "сколько", "ile", "скільки")
	ask(hard(dateKind), "когда", "в каком году", "каком году", "какой год", "в каком месяце",
		"какого числа", "в какой день", "в каком веке", "какой день", "kiedy",
		"w którym roku", "коли")
	ask(soft(amountKind), "как долго", "сколько времени", "каков размер", "какова длина",
		"какова высота", "сколько лет")
	ask(hard(timeKind), "во сколько", "в котором часу", "o której godzinie")
	ask(soft(personKind), "кто", "кого", "кому", "кем", "чей", "чья", "kto", "kogo", "хто")
	ask(soft(placeKind), "где", "куда", "откуда", "в каком городе", "в какой стране",
		"какая страна", "какой город", "gdzie", "де")
	ask(hard(percentKind), "какой процент", "какая доля", "сколько процентов")
	ask(soft(reasonKind), "почему", "зачем", "dlaczego", "чому")
	ask(soft(methodKind), "как", "каким образом", "jak", "як")
	ask(soft(anyKind), "что", "какой", "какая", "какое", "какие", "каким", "какую", "каком",
		"какого", "каких", "какими", "каково", "каков", "какова", "чем", "чего", "чему", "в чем",
		"в чём", "что такое", "на каком", "в каком", "co", "jaki", "jaka", "jakie")
	ask(noun(moneyKind, false), "цена", "стоимость")
	ask(noun(phoneKind, true), "телефон", "номер телефона")
	ask(noun(placeKind, false), "адрес")

	// Turkish, Greek, Arabic, Hindi, Vietnamese, Korean
	ask(hard(countKind), "kaç", "πόσοι", "πόσες", "πόσα", "πόσους", "كم", "كم عدد", "कितने",
		"कितनी", "bao nhiêu", "có bao nhiêu")
	ask(hard(amountKind), "ne kadar", "πόσο", "πόση", "कितना", "bao lâu", "bao xa")
	ask(hard(dateKind), "ne zaman", "hangi yıl", "hangi yılda", "kaç yılında", "πότε", "ποιο έτος",
		"ποια χρονιά", "متى", "في أي عام", "في أي سنة", "कब", "किस वर्ष", "किस साल", "khi nào",
		"năm nào", "vào năm nào")
	ask(soft(personKind), "kim", "kimin", "kime", "ποιος", "ποιοι", "ποιον", "ποιους", "من",
		"من الذي", "कौन", "किसने", "किसे", "किसके", "ai")
	ask(soft(placeKind), "nerede", "nereye", "nereden", "πού", "أين", "कहाँ", "कहां",
		"ở đâu", "đâu", "đến đâu")
	ask(soft(reasonKind), "neden", "niçin", "γιατί", "لماذا", "क्यों", "tại sao", "vì sao")
	ask(soft(methodKind), "nasıl", "πώς", "كيف", "कैसे", "làm thế nào", "như thế nào")
	ask(soft(anyKind), "ne", "nedir", "hangi", "hangisi", "mi", "mı", "ποιο", "ποια", "ποιες", "τι",
		"ما", "ماذا", "ما هو", "ما هي", "ما الذي", "أي", "هل", "क्या", "कौन सा", "कौन सी", "किस",
		"किन", "gì", "nào", "là gì", "cái gì", "bằng cách nào")
	ask(hard(percentKind), "yüzde kaç", "τι ποσοστό", "ποιο ποσοστό", "कितने प्रतिशत",
		"bao nhiêu phần trăm")
}

// unspacedCues are question words of scripts without word spaces, longest first
// where one holds another.
var unspacedCues = []struct {
	text string
	askCue
}{
	{"多少钱", askCue{kind: moneyKind, hard: true}}, {"百分之多少", askCue{kind: percentKind, hard: true}},
	{"多少百分比", askCue{kind: percentKind, hard: true}},
	{"多长时间", askCue{kind: durationKind}}, {"多少时间", askCue{kind: durationKind}},
	{"多久", askCue{kind: durationKind}},
	{"哪一年", askCue{kind: dateKind, hard: true}}, {"哪年", askCue{kind: dateKind, hard: true}},
	{"哪一天", askCue{kind: dateKind, hard: true}},
	{"什么时候", askCue{kind: dateKind, hard: true}}, {"什么时间", askCue{kind: dateKind}},
	{"何时", askCue{kind: dateKind, hard: true}}, {"几月", askCue{kind: dateKind, hard: true}},
	{"几点", askCue{kind: timeKind, hard: true}},
	{"多少", askCue{kind: countKind, hard: true}}, {"几个", askCue{kind: countKind, hard: true}},
	{"几次", askCue{kind: countKind, hard: true}}, {"几名", askCue{kind: countKind, hard: true}},
	{"几", askCue{kind: countKind, hard: true}}, {"多大", askCue{kind: amountKind}},
	{"多高", askCue{kind: amountKind, hard: true}}, {"多远", askCue{kind: amountKind, hard: true}},
	{"多长", askCue{kind: amountKind}}, {"多快", askCue{kind: amountKind, hard: true}},
	{"谁", askCue{kind: personKind}}, {"哪位", askCue{kind: personKind}},
	{"哪里", askCue{kind: placeKind}}, {"哪儿", askCue{kind: placeKind}},
	{"何处", askCue{kind: placeKind}}, {"何地", askCue{kind: placeKind}},
	{"哪个城市", askCue{kind: placeKind}}, {"哪个国家", askCue{kind: placeKind}},
	{"什么地方", askCue{kind: placeKind}},
	{"为什么", askCue{kind: reasonKind}}, {"为何", askCue{kind: reasonKind}},
	{"如何", askCue{kind: methodKind}}, {"怎么样", askCue{kind: methodKind}},
	{"怎么", askCue{kind: methodKind}}, {"怎样", askCue{kind: methodKind}},
	{"电话号码", askCue{kind: phoneKind, hard: true, noun: true}},
	{"电话", askCue{kind: phoneKind, hard: true, noun: true}},
	{"价格", askCue{kind: moneyKind, noun: true}},
	{"邮箱", askCue{kind: emailKind, hard: true, noun: true}},
	{"电子邮件", askCue{kind: emailKind, noun: true}}, {"地址", askCue{kind: placeKind, noun: true}},
	{"什么是", askCue{kind: definitionKind}}, {"什么", askCue{}}, {"哪个", askCue{}}, {"哪种", askCue{}},
	{"哪支", askCue{}}, {"哪一", askCue{}}, {"哪些", askCue{}}, {"哪", askCue{}},
	{"是否", askCue{kind: yesNoKind}}, {"吗", askCue{kind: yesNoKind}},
	// Japanese
	{"いくら", askCue{kind: moneyKind}}, {"いくつ", askCue{kind: countKind, hard: true}},
	{"何人", askCue{kind: countKind, hard: true}}, {"何個", askCue{kind: countKind, hard: true}},
	{"何回", askCue{kind: countKind, hard: true}}, {"何年", askCue{kind: dateKind, hard: true}},
	{"何時", askCue{kind: timeKind, hard: true}}, {"いつ", askCue{kind: dateKind}},
	{"誰", askCue{kind: personKind}}, {"だれ", askCue{kind: personKind}},
	{"どこ", askCue{kind: placeKind}}, {"なぜ", askCue{kind: reasonKind}},
	{"どうして", askCue{kind: reasonKind}}, {"どうやって", askCue{kind: methodKind}}, {"何ですか", askCue{}},
	{"どの", askCue{}}, {"どれ", askCue{}}, {"何", askCue{}},
	// Thai
	{"เมื่อไหร่", askCue{kind: dateKind}}, {"เมื่อใด", askCue{kind: dateKind}},
	{"ปีใด", askCue{kind: dateKind, hard: true}}, {"ปีไหน", askCue{kind: dateKind, hard: true}},
	{"เท่าไหร่", askCue{kind: amountKind}}, {"เท่าไร", askCue{kind: amountKind}},
	{"เท่าใด", askCue{kind: amountKind}}, {"กี่", askCue{kind: countKind, hard: true}},
	{"ใคร", askCue{kind: personKind}}, {"ที่ไหน", askCue{kind: placeKind}},
	{"ที่ใด", askCue{kind: placeKind}}, {"ทำไม", askCue{kind: reasonKind}},
	{"อย่างไร", askCue{kind: methodKind}}, {"อะไร", askCue{}}, {"ใด", askCue{}}, {"ไหน", askCue{}},
	// Korean
	{"얼마", askCue{kind: amountKind}}, {"언제", askCue{kind: dateKind}},
	{"누구", askCue{kind: personKind}}, {"어디", askCue{kind: placeKind}},
	{"왜", askCue{kind: reasonKind}}, {"어떻게", askCue{kind: methodKind}}, {"무엇", askCue{}},
}

// auxiliaries open an English question that is answered by yes or no.
var auxiliaries = set("is are was were can could does do did has have had will would should must " +
	"may shall")

// opensYesNo holds the first words of yes-or-no questions in other languages.
var opensYesNo = set("est-ce hat ist sind war kann darf gibt есть является может ли ¿es ¿son " +
	"¿tiene هل क्या")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

func phrases(lines ...string) map[string]bool {
	m := map[string]bool{}
	for _, l := range lines {
		m[l] = true
	}
	return m
}

// phraseSet holds phrases of spaced scripts by word and of others as they are.
type phraseSet struct {
	spaced   map[string]bool
	unspaced []string
}

var politeness = set("please kindly hi hello hey bitte")

var determiners = set("a an the their its his her your our my this that these those all any some " +
	"each every other different main available possible various current few specific")

var smallNumbers = set("two three four five six seven eight nine ten eleven twelve 2 3 4 5 6 7 8 " +
	"9 10 11 12")

var kindWords = set("kinds types sorts forms categories classes kind type sort")

// requestOpeners begin an order whose noun decides.
var requestOpeners = phrases("find", "find me", "show", "show me", "give", "give me", "get",
	"get me", "extract", "collect", "fetch",
	"look up", "look for", "search for", "i need", "i want", "i am looking for", "i'm looking for",
	"looking for", "tell me", "display", "return", "provide")

var collectionOpeners = phrases(
	"find all", "find every", "find any", "list", "list of", "a list of", "list all", "list the",
	"enumerate", "show all", "show every", "show me all", "show me every",
	"give me all", "give me a list", "give a list", "give me the list", "get all", "get every",
	"extract all", "extract every", "extract each", "collect all", "collect every",
	"return all", "fetch all", "name all", "name the different", "all", "all the", "all of the",
	"every", "each", "catalog of", "catalogue of", "directory of", "index of", "overview of all",
	"tell me all", "tell me every", "find a list", "find the list", "compile a list",
	"make a list", "what all",
	"lista de", "lista", "listar", "enumera", "enumerar", "todos los", "todas las", "muestra todos",
	"muestra todas", "muéstrame todos", "muéstrame todas", "dame todos", "dame todas",
	"encuentra todos", "encuentra todas", "busca todos", "busca todas",
	"liste des", "liste de", "liste", "lister", "énumère", "énumérer", "tous les", "toutes les",
	"trouve tous", "trouve toutes", "donne-moi tous", "donne-moi toutes", "montre tous",
	"liste der", "liste aller", "liste alle", "alle", "auflistung", "nenne alle", "zeige alle",
	"zeig alle", "finde alle", "finde sämtliche", "zähle alle",
	"elenco", "elenco di", "elenca", "tutti i", "tutte le", "trova tutti", "trova tutte",
	"todos os", "todas as", "encontre todos", "encontre todas", "liste todos", "liste todas",
	"lijst van", "alle",
	"список", "перечисли", "перечислите", "все", "найди все", "найдите все", "покажи все",
	"покажите все", "назови все", "wszystkie", "lista wszystkich", "tüm", "bütün")

var collectionMarks = phraseSet{
	spaced: phrases("list of", "a list of", "list all", "full list", "complete list",
		"names of all", "are there any other", "quels sont", "quelles sont",
		"welche gibt es", "gibt es für"),
	unspaced: []string{"列出", "所有", "有哪些", "哪些", "列表", "清单", "全部", "一覧", "すべての",
		"リストアップ", "목록", "모든"},
}

var narrativeOpeners = phrases(
	"summarize", "summarise", "summary of", "a summary of", "give me a summary", "give a summary",
	"describe", "explain", "overview", "overview of", "an overview of", "give me an overview",
	"give an overview", "outline",
	"tell me about", "tell me more about", "tell us about", "background on", "background of",
	"history of", "the history of", "introduce", "introduction to", "an introduction to", "compare",
	"discuss", "everything about", "information about", "information on", "learn about", "about",
	"walk me through", "profile of", "report on", "who are they", "what do they do", "what happens",
	"why", "why is", "why does", "why do", "what is good", "what is bad",
	"what's good", "what's bad",
	"when would i", "when would you", "when would we", "when would one", "when would it",
	"when should i use", "when should you use", "when should we use",
	"when should one use", "when to use",
	"resume", "resumen de", "resumir", "haz un resumen", "describir", "explica", "explicar",
	"cómo funciona", "cómo funcionan", "explícame", "por qué", "háblame de", "cuéntame", "qué hace",
	"qué hacen", "de qué trata", "de qué se trata", "historia de",
	"résume", "résumer", "résumé de", "décris", "décrire", "décrivez", "explique", "expliquer",
	"expliquez", "parle-moi", "parlez-moi", "que fait", "que font", "pourquoi", "histoire de",
	"présente", "présentation de", "aperçu de", "aperçu",
	"fasse", "fass", "zusammenfassung", "beschreibe", "beschreiben", "erkläre", "erklären",
	"erklär", "wie funktioniert", "wie funktionieren", "was macht", "was machen", "warum", "wieso",
	"weshalb", "überblick", "überblick über", "geschichte der", "geschichte des",
	"erzähl", "erzähle",
	"riassumi", "descrivi", "spiega", "parlami", "cosa fa", "storia di", "come funziona", "perché",
	"waarom", "resuma", "descreva", "explique", "fale sobre", "o que faz", "história de",
	"vat samen", "beschrijf", "leg uit", "hoe werkt",
	"опиши", "опишите", "расскажи", "расскажите", "объясни", "объясните", "как работает",
	"как работают", "чем занимается", "чем занимаются", "почему", "зачем", "краткое содержание",
	"обзор", "история", "opisz", "wyjaśnij", "jak działa", "özetle", "açıkla", "anlat")

var narrativeMarks = phraseSet{
	spaced: phrases("in detail", "in your own words", "faire un résumé", "fais un résumé",
		"fais-moi un résumé"),
	unspaced: []string{"总结", "概述", "介绍", "描述", "解释一下", "是做什么的", "说明一下", "如何工作", "怎么工作", "为什么", "为何",
		"要約", "説明して", "概要", "紹介", "について教えて", "요약", "설명해"},
}

// accountNouns are asked for in one word and answered in several sentences.
var accountNouns = set("difference differences advantage advantages disadvantage disadvantages " +
	"benefits benefit drawbacks drawback pros cons implications consequences tradeoffs " +
	"trade-offs history background philosophy principles mission goals purpose role architecture " +
	"design rationale similarities pitfalls")

// afterNoun are words after which an English noun phrase has had its noun.
var afterNoun = set(`of for in on at to from with by under over above below near about between among
	within without into through during since until before after that which who whose where when
	while as than via against per is are was were do does did can could should would will may might
	must have has had exist exists available offered used supported provided included listed
	mentioned allowed required needed accepted published made based located related called named
	made using containing having including requiring offering providing`)

// notPlural end in s and are singular; singlePlurals are plurals that stand for
// one answer ("opening hours", "requirements").
var notPlural = set("news series species always process access status address business class " +
	"pass less perhaps sales across alias canvas bias atlas thus this does bus gas lens yes plus " +
	"basis analysis")

var singlePlurals = set(
	`hours details requirements conditions terms instructions directions
	coordinates dimensions specs specifications contents statistics prerequisites credentials costs
	taxes ingredients times settings basics rights earnings contacts results`)

var irregularPlurals = set("people children men women teams mice criteria media staff phenomena " +
	"indices indexes vertices matrices persons wives lives feet teeth geese")
