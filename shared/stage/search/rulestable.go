package search

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"wstk/shared/text"
	"wstk/shared/value"
)

// keyOf is how the tables spell a word: in small letters, without accents.
func keyOf(s string) string {
	s = text.FoldCompare(s)
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return strings.Map(func(c rune) rune {
				if unicode.Is(unicode.Mn, c) {
					return -1
				}
				return c
			}, norm.NFD.String(s))
		}
	}
	return s
}

// phrases are phrases of a table, by their keys, and what each stands for.
type phrases struct {
	all   map[string]string
	first map[string]bool // words that begin one
	most  int             // words of the longest
}

func (p *phrases) add(phrase, meaning string) {
	if p.all == nil {
		p.all, p.first = map[string]string{}, map[string]bool{}
	}
	key := keyOf(strings.TrimSpace(phrase))
	words := strings.Fields(key)
	p.all[key], p.first[words[0]] = meaning, true
	p.most = max(p.most, len(words))
}

// listed makes phrases of a list parted by |. Each stands for itself.
func listed(list string) (p phrases) {
	for _, phrase := range strings.Split(list, "|") {
		if strings.TrimSpace(phrase) != "" {
			p.add(phrase, phrase)
		}
	}
	return p
}

// tongue is what Rules knows of a language that people ask in.
type tongue struct {
	code string

	today, yesterday, before2 phrases // before2: the day before yesterday
	now                       phrases // what a range from a day on ends with
	last, lastAfter           phrases // last in "last week", dernière in "semaine dernière"
	this                      phrases
	units                     phrases // → hour, day, week, month, year
	numbers                   phrases // → digits; a few → few
	agoBefore, agoAfter       phrases
	weekdays                  phrases
	articles, yearWords       phrases
	quarters                  phrases // early 2024
	since, after, until       phrases
	before                    phrases
	in, inYear                phrases // inYear also stands before a year alone
	of                        phrases // before relative times only: a speech of 2021 is a topic
	from, to, between, and    phrases
	onwards                   phrases
	fresh                     phrases
	ask, find, please         phrases // find asks always, ask where the words after it show it
	question                  phrases // words that begin a question
	event                     phrases // those among them that ask for what happened, by whom, where
	about                     phrases
	results, pages            phrases // words for what is found; results means nothing else
	first, most               phrases // top 5; limit 5
	on                        phrases // before a site
	inLang, language          phrases // before a language, and the word itself
	speaking                  phrases // verbs that make a language the topic
	inLand                    phrases
	or                        phrases
	keeps                     phrases // stop words that are kept, because they turn the meaning
	pronouns                  phrases // of persons: outside a question they are part of a title
	noNames                   phrases // words that a capital makes no name
	news                      phrases // what is looked for as of a day: news, weather
	belongs, by               phrases // what makes a time before it a topic: the last week of school; yesterday by
	elides                    map[string]bool
	marks                     map[string]int // words that tell this language from the others
}

// none is the tongue of the languages that Rules does not know.
var none = &tongue{}

// tongueWords is the table of the tongues; phrases are parted by |, and spelled with or
// without accents.
var tongueWords = map[string]map[string]string{
	"en": {
		"today": "today|tonight|this morning|this afternoon|this evening", "yesterday": "yesterday|last night|yesterday morning|yesterday afternoon|yesterday evening", "before2": "day before yesterday|the day before yesterday", "now": "now|today|present|the present|date",
		"last": "last|past|previous", "this": "this|current",
		"hour": "hour|hours", "day": "day|days", "week": "week|weeks", "month": "month|months", "year": "year|years",
		"numbers": "one two three four five six seven eight nine ten eleven twelve", "few": "few|couple of|several",
		"agoAfter": "ago", "weekdays": "monday|tuesday|wednesday|thursday|friday|saturday|sunday",
		"articles": "the|a", "yearWords": "year|the year|month of|the month of", "quarters": "early|mid|late|the beginning of|the end of|end of|the start of",
		"since": "since|published since|ever since|starting|starting from|as of", "after": "after|later than|newer than|published after", "before": "before|prior to|earlier than|older than|published before",
		"until": "until|till|up to|through", "in": "in|on|during|within|from|published in|published on", "of": "of|for|over|from", "inYear": "in|during|from|published in",
		"from": "from", "to": "to|until|till|through|up to", "between": "between", "and": "and", "onwards": "on|onward|onwards",
		"fresh": "latest|newest|recent|recently|most recent|lately|up to date",
		"ask":   "find|find me|find us|search|search for|find all|find me all|find some|find me some|show all|show me all|show me some|give me all|give me some|get all|search the web for|look for|look up|looking for|searching for|show|show me|give me|get|get me|list|list all|tell me|bring me|i want|i need|i would like|i'd like|i am looking for|i'm looking for|can you|could you|can you find|could you find|can you show me|could you show me|do you know|to find|to see|to know|to read",
		"find":  "find", "please": "please|thanks|thank you|thx", "event": "who|who's|whom|whose|when|where|where's", "question": "what|what's|who|who's|whom|whose|which|when|where|where's|why|how|how's|is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|am|i|we|my", "about": "about|on|regarding|concerning|related to|covering",
		"results": "results|search results|hits|urls", "pages": "articles|article|links|pages|web pages|webpages|sites|websites|sources|documents|stories|posts|information|info|something|anything|everything|material",
		"first": "top|first|best", "most": "limit|limit to|limited to|max|maximum|at most|up to|no more than|only",
		"on": "on|from|at|within|via|site|sites|only on|only from", "inLang": "in|written in|in the", "language": "language|only|only please",
		"speaking": "say|says|said|translate|translated|translation|learn|learning|pronounce|pronunciation|mean|means|meaning|word|words|grammar|verbs|verb|spell|called|phrases|speak|conjugate|write|cases|plural",
		"inLand":   "in|in the|within|within the|across|across the|throughout|throughout the", "or": "or", "keeps": "not|no|without|against|nor|go|down|off|out|up|under|before|after|above|below|don't|doesn't|won't|can't|cannot|isn't|aren't",
		"pronouns": "me|you|us|him|her|it|them|my|your|our|his|their|we|they|she|he|i|mine|yours|myself|yourself|i'm|i'll|i've|you're|we're|it's", "noNames": "i|i'm|i've|i'd|i'll",
		"news":    "news|headlines|headline|weather|forecast|scores|score|price|prices|stock|stocks|market|markets|games|match|matches|fixtures|schedule|live|updates|update|traffic|rate|rates|breaking",
		"belongs": "of", "by": "by|of|once|more|again|i|you|me|my|never|all",
	},
	"de": {
		"today": "heute|heutige|heutigen|heutiger|heutiges|heute morgen|heute früh|heute vormittag|heute mittag|heute nachmittag|heute abend|heute nacht", "yesterday": "gestern|gestrige|gestrigen|gestriger|gestriges|gestern morgen|gestern früh|gestern nachmittag|gestern abend|gestern nacht|letzte nacht", "before2": "vorgestern", "now": "heute|jetzt",
		"last": "letzte|letzten|letzter|letztes|letztem|vergangene|vergangenen|vergangener|vergangenes|vergangenem|vorige|vorigen|voriger|voriges", "this": "diese|diesen|dieser|dieses|diesem|aktuelle|laufenden",
		"hour": "stunde|stunden", "day": "tag|tage|tagen", "week": "woche|wochen", "month": "monat|monate|monaten|monats", "year": "jahr|jahre|jahren|jahres",
		"numbers": "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf", "few": "paar|wenigen|einigen|wenige",
		"agoBefore": "vor", "weekdays": "montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag",
		"articles": "der|die|das|den|dem|des|einem|einer", "yearWords": "jahr|dem jahr|dem jahre|das jahr|im jahr|jahre", "quarters": "anfang|mitte|ende",
		"since": "seit|ab|seit dem|ab dem", "after": "nach", "before": "vor", "until": "bis|bis zum|bis ende",
		"in": "im|in|am|vom|aus|während|innerhalb", "of": "von|vom", "inYear": "im jahr|im jahre|in|aus|aus dem jahr|von|während",
		"from": "von|vom|seit", "to": "bis|bis zum|bis ende", "between": "zwischen", "and": "und", "onwards": "an",
		"fresh": "neueste|neuesten|neuester|neuestes|neuste|neusten|aktuell|aktuelle|aktuellen|aktuelles|aktuellste|aktuellsten|kürzlich",
		"ask":   "finde|finde mir|suche|suche nach|such|such mir|suche mir|zeig mir|zeige mir|zeige|gib mir|ich suche|ich suche nach|ich brauche|ich möchte|ich will|kannst du|können sie|alle",
		"find":  "finde|suche nach|zeig mir|zeige mir", "please": "bitte|danke", "event": "wer|wen|wem|wessen|wann|wo", "question": "was|wer|wen|wem|wessen|welche|welcher|welches|welchen|wann|wo|woher|wohin|warum|wieso|weshalb|wie|wieviel|ist|sind|war|waren|hat|haben|hatte|kann|können|soll|sollte|wird|werden|gibt|darf|muss|ich|wir", "about": "über|zu|zum|zur|zum thema|betreffend|rund um", "results": "ergebnisse|ergebnissen|suchergebnisse|treffer|treffern",
		"pages": "artikel|beiträge|seiten|webseiten|quellen|informationen|infos|texte|links|etwas|alles|berichte", "first": "top|ersten|die ersten|besten|die besten", "most": "maximal|höchstens|bis zu|limit|max|nur",
		"on": "auf|von|bei|aus|nur auf|nur von", "inLang": "auf|in|in der", "language": "sprache|nur", "speaking": "sagt|sagen|heißt|heissen|übersetzen|übersetzung|übersetze|lernen|lerne|aussprache|bedeutung|bedeutet|wort|wörter|grammatik|sprechen|schreibt",
		"inLand": "in|in der|in den|im|innerhalb der", "or": "oder", "keeps": "nicht|kein|keine|keinen|keinem|keiner|ohne|gegen|nichts",
		"pronouns": "mich|mir|du|dich|dir|uns|euch|dein|deine|mein|meine", "noNames": "ich|sie|ihr|ihre|ihren|ihrem|ihrer|ihnen",
		"news":    "nachrichten|schlagzeilen|news|wetter|vorhersage|kurs|kurse|preis|preise|aktie|aktien|börse|spiel|spiele|spielplan|ergebnis|live|aktuell|verkehr|stau",
		"belongs": "von|vom|des|vor|nach", "by": "von|vom|des",
	},
	"fr": {
		"today": "aujourd'hui|aujourd' hui|ce matin|ce soir|cet après-midi", "yesterday": "hier|hier soir|hier matin|hier après-midi|la nuit dernière|cette nuit", "before2": "avant hier|avant-hier", "now": "aujourd'hui|maintenant|ce jour",
		"last": "dernier|dernière|derniers|dernières", "lastAfter": "dernier|dernière|derniers|dernières|passé|passée|passés|passées|précédente|précédent", "this": "ce|cet|cette",
		"hour": "heure|heures", "day": "jour|jours", "week": "semaine|semaines", "month": "mois", "year": "an|ans|année|années",
		"numbers": "un deux trois quatre cinq six sept huit neuf dix onze douze", "few": "quelques",
		"agoBefore": "il y a", "weekdays": "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche",
		"articles": "le|la|les|l'|ces|un|une", "yearWords": "année|l' année|an|l' an|mois de|mois d'|le mois de|le mois d'", "quarters": "début|mi|fin|le début|la fin|le début de|la fin de",
		"since": "depuis|dès|à partir de|à partir du|à compter du", "after": "après", "before": "avant", "until": "jusqu' à|jusqu' en|jusqu' au|jusqu' aux",
		"in": "en|dans|le|au cours de|au cours du|au cours des|pendant|durant", "of": "de|du|d'|des|au", "inYear": "en|dans|pendant|durant",
		"from": "de|du|d'|depuis|entre", "to": "à|au|jusqu' à|jusqu' en|jusqu' au", "between": "entre", "and": "et",
		"fresh": "récent|récente|récents|récentes|récemment|dernières nouvelles|toutes dernières",
		"ask":   "trouve|trouve moi|trouve-moi|trouver|trouvez|cherche|chercher|cherchez|recherche|rechercher|montre moi|montre-moi|montrez moi|montrez-moi|donne moi|donne-moi|donnez moi|donnez-moi|je cherche|je veux|je voudrais|j' aimerais|peux tu|peux-tu|pouvez-vous|pouvez vous|tous|des|les|trouver des",
		"find":  "trouve|trouvez|trouver|cherche|cherchez|chercher", "please": "s' il te plaît|s' il vous plaît|svp|stp|merci", "event": "qui|quand|où", "question": "que|qu'|qui|quoi|quel|quelle|quels|quelles|quand|où|pourquoi|comment|combien|est-ce|qu'est-ce|lequel|laquelle|y|peut-on|il|j'|je|nous", "about": "sur|à propos de|à propos du|concernant|au sujet de|au sujet du|relatifs à", "results": "résultats|résultat",
		"pages": "articles|article|pages|sites|sources|informations|infos|documents|liens|textes", "first": "premiers|premières|les premiers|les premières|top|meilleurs|les meilleurs", "most": "maximum|max|au plus|limite|jusqu' à|seulement",
		"on": "sur|de|du|chez|via|dans", "inLang": "en|en langue|rédigé en|rédigés en", "language": "seulement|uniquement", "speaking": "dire|dit|traduire|traduction|traduis|apprendre|prononcer|prononciation|signifie|mot|mots|grammaire|parler|écrit|conjugaison",
		"inLand": "en|au|aux|dans|dans l'|dans le|à l' intérieur de l'", "or": "ou", "keeps": "sans|contre|non|pas",
		"pronouns": "moi|toi|me|te|tu|mon|ma|mes|ton|ta|tes|vous|nous",
		"news":     "actualités|actualité|actu|infos|info|nouvelles|titres|météo|prévisions|résultat|score|scores|prix|cours|bourse|action|match|matchs|programme|direct|live|trafic",
		"belongs":  "de|du|d|des", "by": "de|du|d|des|par|encore",
		"elides": "l|d|qu|j|n|s|c|m|t|jusqu|lorsqu|puisqu",
	},
	"es": {
		"today": "hoy|esta mañana|esta tarde|esta noche", "yesterday": "ayer|anoche|ayer por la mañana|ayer por la tarde|ayer por la noche", "before2": "anteayer|antes de ayer", "now": "hoy|ahora|la actualidad",
		"last": "último|última|últimos|últimas|pasado|pasada|pasados|pasadas", "lastAfter": "pasado|pasada|pasados|pasadas|último|última|anterior", "this": "este|esta",
		"hour": "hora|horas", "day": "día|días", "week": "semana|semanas", "month": "mes|meses", "year": "año|años",
		"numbers": "un dos tres cuatro cinco seis siete ocho nueve diez once doce", "few": "pocos|pocas|algunos|algunas",
		"agoBefore": "hace", "weekdays": "lunes|martes|miércoles|jueves|viernes|sábado|domingo",
		"articles": "el|la|los|las|un|una", "yearWords": "año|el año|mes de|el mes de", "quarters": "principios de|mediados de|finales de|inicios de|fines de",
		"since": "desde|a partir de|a partir del|desde hace", "after": "después de|después del|tras|posterior a|posteriores a", "before": "antes de|antes del|anterior a|anteriores a", "until": "hasta|hasta el",
		"in": "en|durante|el", "of": "de|del", "inYear": "en|durante|en el año",
		"from": "de|del|desde", "to": "a|al|hasta|hasta el", "between": "entre", "and": "y|e", "onwards": "en adelante",
		"fresh": "reciente|recientes|recientemente|más reciente|más recientes|últimas noticias",
		"ask":   "busca|buscar|búscame|buscame|encuentra|encontrar|encuéntrame|muéstrame|muestra|muestrame|dame|dime|quiero|quisiera|necesito|estoy buscando|busco|puedes|puede|todos los|todas las",
		"find":  "busca|buscar|encuentra|encontrar|busco", "please": "por favor|gracias", "event": "quién|quiénes|cuándo|dónde", "question": "qué|que|quién|quiénes|cuál|cuáles|cuándo|dónde|por|cómo|cuánto|cuánta|cuántos|cuántas|es|son|hay|fue|puede|puedo|está|yo", "about": "sobre|acerca de|acerca del|relacionados con", "results": "resultados|resultado",
		"pages": "artículos|artículo|páginas|sitios|fuentes|información|informaciones|documentos|enlaces|textos|algo", "first": "primeros|primeras|los primeros|las primeras|top|mejores|los mejores", "most": "máximo|max|límite|como máximo|hasta|solo",
		"on": "en|de|desde|del", "inLang": "en|en idioma|escrito en|escritos en", "language": "solamente|solo|únicamente", "speaking": "decir|dice|traducir|traducción|traduce|aprender|pronunciar|pronunciación|significa|significado|palabra|palabras|gramática|hablar|escribe|verbos",
		"inLand": "en|en el|en la|en los|dentro de la", "or": "o|u", "keeps": "no|sin|contra",
		"pronouns": "me|te|mi|tu|yo|tí|nos",
		"news":     "noticias|noticia|titulares|tiempo|clima|pronóstico|marcador|precio|precios|bolsa|acciones|cotización|partido|partidos|programación|vivo|directo|tráfico",
		"belongs":  "de|del", "by": "de|del|por",
	},
	"it": {
		"today": "oggi|stamattina|stamani|stasera|stanotte|oggi pomeriggio", "yesterday": "ieri|ieri sera|ieri mattina|ieri pomeriggio|ieri notte", "before2": "l' altro ieri|altro ieri|avantieri", "now": "oggi|adesso|ora",
		"last": "ultimo|ultima|ultimi|ultime|scorso|scorsa|scorsi|scorse|passato|passata", "lastAfter": "scorso|scorsa|scorsi|scorse|passato|passata|precedente", "this": "questo|questa|quest'",
		"hour": "ora|ore", "day": "giorno|giorni", "week": "settimana|settimane", "month": "mese|mesi", "year": "anno|anni",
		"numbers": "un due tre quattro cinque sei sette otto nove dieci undici dodici", "few": "pochi|poche|qualche|alcuni|alcune",
		"agoAfter": "fa", "weekdays": "lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica",
		"articles": "il|lo|la|i|gli|le|l'|un|una|un'", "yearWords": "anno|l' anno|mese di|il mese di", "quarters": "inizio|metà|fine|l' inizio del|la fine del|fine del|inizio del",
		"since": "da|dal|dall'|dalla|a partire da|a partire dal|fin da|fin dal", "after": "dopo|dopo il|successivi al", "before": "prima di|prima del|prima dell'|precedenti al", "until": "fino a|fino al|fino all'",
		"in": "in|nel|nell'|nella|nelle|nei|negli|il|durante", "of": "di|del|dell'|della|degli|dei", "inYear": "nel|in|durante il|nell' anno|durante",
		"from": "da|dal|dall'|dalla", "to": "a|al|fino a|fino al", "between": "tra|fra|tra il|fra il", "and": "e|ed|e il", "onwards": "in poi",
		"fresh": "recente|recenti|recentemente|più recente|più recenti|ultime notizie|ultimissime",
		"ask":   "trova|trovami|trovare|cerca|cercami|cercare|mostra|mostrami|dammi|dimmi|voglio|vorrei|ho bisogno di|sto cercando|cerco|puoi|può|tutti gli|tutte le",
		"find":  "trova|trovare|trovami|cerca|cercare|cerco", "please": "per favore|per piacere|grazie", "event": "chi|quando|dove", "question": "che|chi|cosa|cos'|quale|quali|qual|quando|dove|perché|come|quanto|quanta|quanti|quante|è|sono|era|c'|si|posso|può|io", "about": "su|sul|sulla|sulle|sullo|sui|sugli|sull'|riguardo a|riguardanti|circa", "results": "risultati|risultato",
		"pages": "articoli|articolo|pagine|siti|fonti|informazioni|documenti|link|testi|qualcosa", "first": "primi|prime|i primi|le prime|top|migliori|i migliori", "most": "massimo|max|limite|al massimo|fino a|solo",
		"on": "su|da|dal|di|del", "inLang": "in|in lingua|scritto in|scritti in", "language": "solo|soltanto", "speaking": "dire|dice|tradurre|traduzione|traduci|imparare|pronuncia|pronunciare|significa|significato|parola|parole|grammatica|parlare|scrive|verbi",
		"inLand": "in|nel|nella|nell'|negli|nei|nelle", "or": "o|oppure", "keeps": "non|senza|contro",
		"pronouns": "mi|ti|tu|io|noi|me|te|mio|mia|tuo|tua",
		"news":     "notizie|notizia|titoli|meteo|previsioni|punteggio|prezzo|prezzi|borsa|quotazione|partita|partite|diretta|programma|traffico",
		"belongs":  "di|del|dell|dell'|della|dello|dei", "by": "di|del|dell|della|da|ancora",
		"elides": "l|d|c|un|dell|nell|all|dall|sull|coll|quell|quest",
	},
	"pt": {
		"today": "hoje|esta manhã|esta tarde|esta noite|hoje de manhã|hoje à tarde|hoje à noite", "yesterday": "ontem|ontem de manhã|ontem à tarde|ontem à noite|noite passada", "before2": "anteontem|antes de ontem", "now": "hoje|agora",
		"last": "último|última|últimos|últimas|passado|passada", "lastAfter": "passado|passada|passados|passadas|anterior", "this": "este|esta|deste|desta|neste|nesta",
		"hour": "hora|horas", "day": "dia|dias", "week": "semana|semanas", "month": "mês|meses", "year": "ano|anos",
		"numbers": "um dois três quatro cinco seis sete oito nove dez onze doze", "few": "poucos|poucas|alguns|algumas",
		"agoBefore": "há", "agoAfter": "atrás", "weekdays": "segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|sábado|domingo",
		"articles": "o|a|os|as|um|uma", "yearWords": "ano|o ano|ano de|o ano de|mês de|o mês de|dia|o dia", "quarters": "início de|meados de|fim de|finais de|começo de",
		"since": "desde|a partir de|a partir do", "after": "depois de|depois do|após", "before": "antes de|antes do|anterior a", "until": "até|até o|até ao",
		"in": "em|no|na|nos|nas|durante", "of": "de|do|da|dos|das", "inYear": "em|durante|no ano de|no ano",
		"from": "de|do|desde", "to": "a|ao|até|até o|até ao", "between": "entre", "and": "e", "onwards": "em diante",
		"fresh": "recente|recentes|recentemente|mais recente|mais recentes|últimas notícias",
		"ask":   "encontre|encontrar|encontra|procure|procurar|procuro|busque|buscar|pesquise|pesquisar|mostre|mostre-me|mostra-me|me mostre|dê-me|me dê|diga-me|quero|queria|gostaria de|preciso de|preciso|estou procurando|pode|todos os|todas as",
		"find":  "encontre|encontra|encontrar|procure|procurar|busque|buscar|pesquise|pesquisar", "please": "por favor|obrigado|obrigada", "event": "quem|quando|onde", "question": "que|o|quem|qual|quais|quando|onde|por|porque|como|quanto|quanta|quantos|quantas|é|são|foi|há|pode|posso|eu", "about": "sobre|acerca de|relacionados a", "results": "resultados|resultado",
		"pages": "artigos|artigo|páginas|sites|fontes|informações|informação|documentos|links|textos|algo", "first": "primeiros|primeiras|os primeiros|as primeiras|top|melhores|os melhores", "most": "máximo|max|limite|no máximo|até|só",
		"on": "em|no|na|de|do|da", "inLang": "em|em língua|escrito em|escritos em", "language": "somente|apenas|só", "speaking": "dizer|diz|traduzir|tradução|aprender|pronunciar|pronúncia|significa|significado|palavra|palavras|gramática|falar|escreve|verbos",
		"inLand": "em|no|na|nos|nas", "or": "ou", "keeps": "não|sem|contra",
		"pronouns": "me|te|tu|eu|você|meu|minha|teu|tua|nós",
		"news":     "notícias|notícia|manchetes|tempo|clima|previsão|placar|preço|preços|bolsa|ações|cotação|jogo|jogos|programação|vivo|trânsito",
		"belongs":  "de|do|da|dos|das", "by": "de|do|da|por",
	},
	"nl": {
		"today": "vandaag|vanochtend|vanmorgen|vanmiddag|vanavond|vannacht", "yesterday": "gisteren|gisteravond|gisterenavond|gisterochtend|gistermiddag|gisternacht|afgelopen nacht", "before2": "eergisteren", "now": "vandaag|nu|heden",
		"last": "afgelopen|vorige|vorig|laatste|voorbije", "this": "deze|dit",
		"hour": "uur|uren", "day": "dag|dagen", "week": "week|weken", "month": "maand|maanden", "year": "jaar|jaren",
		"numbers": "één twee drie vier vijf zes zeven acht negen tien elf twaalf", "few": "paar|enkele",
		"agoAfter": "geleden", "weekdays": "maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag",
		"articles": "de|het|een", "yearWords": "jaar|het jaar|de maand", "quarters": "begin|midden|half|eind|einde",
		"since": "sinds|vanaf|sedert", "after": "na", "before": "voor|vóór", "until": "tot|tot en met|tot aan|t/m",
		"in": "in|op|tijdens|uit|gedurende", "of": "van", "inYear": "in|uit|tijdens|in het jaar|uit het jaar",
		"from": "van|vanaf", "to": "tot|tot en met|tot aan|t/m", "between": "tussen", "and": "en",
		"fresh": "nieuwste|recent|recente|recentste|meest recente|actueel|actuele|onlangs",
		"ask":   "zoek|zoek naar|vind|toon|toon mij|laat zien|laat me zien|geef me|geef mij|ik zoek|ik wil|ik wil graag|ik heb nodig|kun je|kunt u|alle",
		"find":  "zoek|zoek naar|vind", "please": "alsjeblieft|alstublieft|aub|graag|bedankt", "event": "wie|wiens|wanneer|waar", "question": "wat|wie|wiens|welke|welk|wanneer|waar|waarom|hoe|hoeveel|is|zijn|was|waren|kan|kunnen|moet|heeft|hebben|wordt|worden|zal|mag|ik|we", "about": "over|betreffende|rond|inzake", "results": "resultaten|resultaat|zoekresultaten|treffers",
		"pages": "artikelen|artikels|artikel|pagina's|paginas|websites|sites|bronnen|informatie|documenten|links|teksten|iets", "first": "top|eerste|de eerste|beste|de beste", "most": "maximaal|max|limiet|hoogstens|alleen",
		"on": "op|van|bij|via", "inLang": "in|in het", "language": "alleen|taal", "speaking": "zeg|zeggen|zegt|vertaal|vertalen|vertaling|leren|uitspraak|betekent|betekenis|woord|woorden|grammatica|spreken|schrijf",
		"inLand": "in|in de|in het|binnen de", "or": "of", "keeps": "niet|geen|zonder|tegen|niets",
		"pronouns": "me|mij|je|jou|jij|jouw|ons|mijn",
		"news":     "nieuws|koppen|weer|weerbericht|verwachting|uitslag|uitslagen|prijs|prijzen|koers|beurs|aandelen|wedstrijd|wedstrijden|live|verkeer|files",
		"belongs":  "van", "by": "van|door",
	},
}

// tongues are the tongues by their codes, in a fixed order.
var tongues = sync.OnceValue(func() []*tongue {
	var all []*tongue
	for _, code := range []string{"en", "de", "fr", "es", "it", "pt", "nl"} {
		w := tongueWords[code]
		t := &tongue{code: code, elides: map[string]bool{}, marks: map[string]int{}}
		for name, p := range map[string]*phrases{"today": &t.today, "yesterday": &t.yesterday, "before2": &t.before2, "now": &t.now, "last": &t.last,
			"lastAfter": &t.lastAfter, "this": &t.this, "agoBefore": &t.agoBefore, "agoAfter": &t.agoAfter, "weekdays": &t.weekdays, "articles": &t.articles,
			"yearWords": &t.yearWords, "quarters": &t.quarters, "since": &t.since, "after": &t.after, "before": &t.before, "until": &t.until, "in": &t.in, "of": &t.of,
			"inYear": &t.inYear, "from": &t.from, "to": &t.to, "between": &t.between, "and": &t.and, "onwards": &t.onwards, "fresh": &t.fresh, "ask": &t.ask, "find": &t.find,
			"please": &t.please, "about": &t.about, "question": &t.question, "event": &t.event, "results": &t.results, "pages": &t.pages, "first": &t.first, "most": &t.most, "on": &t.on,
			"inLang": &t.inLang, "language": &t.language, "speaking": &t.speaking, "inLand": &t.inLand, "or": &t.or, "keeps": &t.keeps, "pronouns": &t.pronouns, "noNames": &t.noNames,
			"news": &t.news, "belongs": &t.belongs, "by": &t.by} {
			*p = listed(w[name])
		}
		for _, unit := range []string{"hour", "day", "week", "month", "year"} {
			for _, name := range strings.Split(w[unit], "|") {
				t.units.add(name, unit)
			}
		}
		for i, name := range strings.Fields(w["numbers"]) {
			t.numbers.add(name, digitsOf[i])
		}
		for _, name := range strings.Split(w["few"], "|") {
			t.numbers.add(name, few)
		}
		for _, short := range strings.Split(w["elides"], "|") {
			if short != "" {
				t.elides[short] = true
			}
		}
		for kind, list := range w {
			switch kind {
			case "question", "speaking", "pronouns", "noNames", "news", "belongs", "by": // war, hat and files are English, too
				continue
			}
			for _, name := range strings.FieldsFunc(keyOf(list), func(c rune) bool { return c == ' ' || c == '|' || c == '\'' }) {
				t.marks[name] = 1
			}
		}
		all = append(all, t)
	}
	for _, t := range all {
		for name := range t.marks {
			if !slices.ContainsFunc(all, func(o *tongue) bool { return o != t && (o.marks[name] > 0 || isStop(name, o.code)) }) {
				t.marks[name] = 3 // no other tongue has it
			}
		}
		for name := range t.news.all { // files are also Dutch for jams
			t.marks[name] = max(t.marks[name], 1)
		}
	}
	return all
})

var digitsOf = []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}

// few stands for a number that is small and not said.
const few = "few"

// tongueOf guesses the language in which s asks; asked, the language of the results, is
// believed where s says little, and English otherwise. It is none for a language that the
// tables do not know.
func tongueOf(s, asked string) *tongue {
	words := strings.FieldsFunc(s, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.Is(unicode.M, c) })
	keys := make([]string, len(words))
	latin := 0
	capitals := s == strings.ToUpper(s)
	for i, w := range words {
		if !capitals && w == strings.ToUpper(w) { // AI is no French
			continue
		}
		keys[i] = keyOf(w)
		if isLatin(w) {
			latin++
		}
	}
	if 2*latin < len(words) && !isLatin(s) {
		return none
	}
	known := ""
	if len(words) > 3 { // of fewer, a single stop word decides
		known = text.DetectLanguage(s)
	}
	ascii := strings.IndexFunc(s, func(c rune) bool { return c >= 0x80 && unicode.IsLetter(c) }) < 0
	best, most := tongues()[0], 0
	for _, t := range tongues() {
		score := 0
		switch t.code {
		case asked:
			score = 3
		case "en": // one word is soon one of another language, too: car, die
			if ascii {
				score = 2
			}
		}
		if t.code == known {
			score += 2
		}
		for i, key := range keys {
			if key == "" {
				continue
			}
			score += t.marks[key]
			if isStop(words[i], t.code) {
				score += 2
			}
			if value.Month(words[i], t.code) != 0 {
				score++
			}
		}
		if score > most {
			best, most = t, score
		}
	}
	if known != "" && tongueWords[known] == nil {
		return none
	}
	return best
}

// isLatin tells whether all letters of s are Latin.
func isLatin(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return unicode.IsLetter(c) && !unicode.Is(unicode.Latin, c) })
}

// isStop tells whether a word, or each part of one with hyphens, is a stop word of a
// language.
func isStop(w, lang string) bool {
	if lang == "" || !isLatin(w) {
		return false
	}
	for part := range strings.SplitSeq(w, "-") {
		tokens := text.Tokenize(part, lang)
		if len(tokens) == 0 || slices.ContainsFunc(tokens, func(t text.Token) bool { return !t.Stop }) {
			return false
		}
	}
	return true
}
