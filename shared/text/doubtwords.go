package text

// The words of rules that look for words in a sentence and not for a phrase: one line a
// language, English, German, French, Spanish, and a few of others.
var (
	// pointingWords open what points to something said: "this claim", "diese Angabe".
	pointingWords = WordSet(`this that these those such both
		diese dieser dieses diesen jene jenes
		cette cet ces ce
		esta este estas estos esa ese dicha dicho
		questa questo essa esse deze`)

	// articleWords do so where what follows is clear.
	articleWords = WordSet(`the das die der la le les l el los las lo il o a het de`)

	// placeWords tell where a statement stands.
	placeWords = WordSet(`above previous preceding former last foregoing latter earlier
		obige obigen vorige vorstehende letzte
		précédente précédent ci-dessus
		anterior anteriores previa
		precedente vorige bovenstaande`)

	// statedNouns name what a person states.
	statedNouns = WordSet(`statement statements claim claims sentence sentences assertion assertions figure figures number numbers information rumour rumours rumor rumors story allegation
		allegations belief beliefs quote quotation notion theory theories hypothesis paragraph passage
		aussage aussagen angabe angaben behauptung behauptungen zahl zahlen meldung information informationen satz annahme gerücht
		affirmation affirmations information informations chiffre chiffres allégation rumeur donnée données phrase nouvelle déclaration hypothèse
		afirmación afirmaciones dato datos cifra cifras información declaración frase rumor noticia hipótesis
		affermazione cifra notizia informação afirmação bewering cijfer`)

	// stateWords join a noun to what is said of it: behind an article one has to follow.
	stateWords = WordSet(`is are was were has have had turned proved
		ist sind war waren wurde wurden hat haben
		est sont était a ont fut
		es son era fue fueron ha han resultó
		è sono é foi werd`)

	// refutingWords say that something stated is not so.
	refutingWords = WordSet(
		`false wrong incorrect untrue inaccurate erroneous mistaken bogus fake fabricated fictional refuted disproved disproven debunked discredited retracted withdrawn withdrew
		rescinded denied contradicted overturned superseded outdated misleading baseless unfounded unproven rectified corrected rejected
		falsch unwahr unrichtig irrig überholt veraltet widerlegt widerrufen zurückgezogen zurückgenommen dementiert berichtigt korrigiert richtiggestellt erfunden unzutreffend
		haltlos irreführend fehlerhaft
		fausse faux fausses inexacte inexact inexactes erronée erroné erronées démentie démenti démenties rectifiée rectifié réfutée réfuté retirée rétractée rétracté infirmée périmée
		dépassée inventée mensongère trompeuse incorrecte corrigée corrigé
		falsa falso falsas errónea erróneo incorrecta incorrecto desmentida desmentido rectificada rectificado refutada refutado retirada retirado retractada desactualizada inventada
		inventado corregida corregido engañosa inexacta desmintió
		smentita smentito errata falsos desmentida onjuist weerlegd`)

	// affirmingWords say that it is; behind a denial they refute.
	affirmingWords = WordSet(
		`true correct accurate confirmed verified proven supported substantiated
		wahr richtig korrekt belegt bestätigt zutreffend haltbar
		vraie vrai exacte exact confirmée confirmé prouvée vérifiée
		cierta cierto verdadera verdadero correcta confirmada confirmado probada`)

	// denyingWords turn what stands behind them; openingWords leave it open.
	denyingWords = WordSet(`not never no none nor neither without cannot
		nicht kein keine keinen nie niemals weder
		pas jamais ni n'est
		no nunca jamás tampoco
		non não niet`)
	openingWords = WordSet(`if when unless whether may might can could should would must will to
		wenn falls ob kann könnte sollte darf muss
		si quand peut pourrait doit
		cuando puede podría debe`)
)

// Frames of doubt that point to what stands behind or before them. Where time or a place
// is pointed to ("the following year") nothing is.
var (
	// announcing words point to what follows.
	announcing = denialPattern(
		`(?i)\bthe (?:following|next|below)(?:\s*[:：.,;!]|\s*$|\s+(?:<st>|for|as|about|on|at|with|is|are)\b)|\b(?:<st>|table|list|section|sentence) (?:below|that follows?)\b|\bwhat follows\b|\bbelow (?:is|are)\b|\b(?:say|said|says|claim|claimed|write|wrote|promise|promised) (?:this|that|so)\s*[:：]|\bof (?:this|the next) sentence\b` +
			`|\bfolgende[snmr]?\b|\bnachstehende[snmr]?\b|\bim folgenden\b|\bce qui suit\b|\bsuivante?s?\b|\bci-dessous\b|\blo siguiente\b|\blo que sigue\b|\bsiguientes?\b|\ba continuación\b`)

	// disbelieved are words that take back what such a sentence announces.
	disbelieved = denialPattern(
		`(?i)\b(?:do not|don['’]t|never|nobody should|no one should|should not|shouldn['’]t|cannot|can['’]t) (?:\w+ )?(?:believe|trust)\b|\bnever (?:said|claimed|stated|wrote|promised)\b|\bdid not (?:say|claim|write)\b|\b(?:made[- ]up|invented|fictional|fictitious|imaginary|untrue|a lie|lies|a hoax)\b|\b(?:the )?opposite of (?:this|the)\b` +
			`|\bfrei erfunden\b|\berfunden\b|\bglauben sie (?:\w+ )?nicht\b|\bglaub(?:t|e)? (?:\w+ )?nicht\b|\bnie (?:gesagt|behauptet)\b|\bdas gegenteil\b|\bne croyez pas\b|\binventée?s?\b|\bfictifs?\b|\bfictives?\b|\bjamais dit\b|\ble contraire de\b|\bno crea[ns]?\b|\binventad[oa]s?\b|\bfictici[oa]s?\b|\bnunca (?:dijimos|hemos dicho)\b|\blo contrario de\b`)

	// supposed opens a sentence that only supposes what it announces.
	supposed = denialPattern(
		`(?i)^(?:now |so |just |but |please )*(?:let us |let['’]s |let me )?(?:suppose|imagine|pretend|assume)\b|^(?:nehmen wir|angenommen|stellen (?:sie sich|wir uns)|stell dir|nimm)\b.*|^(?:imaginons|supposons|imaginez|supposez|admettons)\b|^(?:supongamos|imaginemos|imagina|imagine|supón|suponga)\b`)

	// numberedLabel is a label that takes back what follows it, with its number, or in capitals.
	numberedLabel = denialPattern(
		`(?i)^[\[("'“*_\s]*(?:(?:common |popular |old )*(?:myth|misconception|lie|falsehood|fallacy|rumou?r|hoax|fiction|false claim)|mythos|irrtum|lüge|gerücht|falschaussage|mythe|idée reçue|mensonge|rumeur|mito|bulo|mentira|fabel|миф)\s*<num>\s*[\])"'”*_]*\s*[:：.!]?$` +
			`|^[\[(*_\s]*(?-i:MYTHS?|FALSE CLAIMS?|FALSE BELIEFS?|MISCONCEPTIONS?|FALSEHOODS?|FAKE NEWS|MYTHOS|MYTHEN|IRRTUM|IRRTÜMER|MYTHES?|IDÉES? REÇUES?|INTOX|MITOS?|BULOS?)[\])*_\s]*[:：.!]?$`)

	// claimLabel and factLabel stand alone, one over what is claimed, one over what is so.
	claimLabel = denialPattern(
		`(?i)^\W*(?:the )?(?:(?:common |popular )?(?:myth|claim|fiction|misconception|rumou?r|belief|legend|lie|false)s?|wrong|incorrect|what (?:people|they|you|some|many|others) (?:say|hear|think|believe|claim)|mythos|mythen|irrtum|irrtümer|gerücht|behauptung|falsch|mythe|idée reçue|légende|on dit|faux|mito|mitos|bulo|creencia|falso|falsa creencia|dicen)\W*\d{0,2}\W*$`)
	factLabel = denialPattern(
		`(?i)^\W*(?:the )?(?:facts?|truths?|reality|realities|real story|what is true|right|correct|correction|wahrheit|tatsachen?|fakt|fakten|realität|richtig|vérité|réalité|vrai|fait|faits|verdad|realidad|hecho|hechos|verdadero|correcto|verità|realtà|feit|правда|факт)\W*\d{0,2}\W*$`)

	// ruledOut is the head of a column of what is not to be done, beside one of what is: ruledIn.
	ruledOut = denialPattern(
		`(?i)^\W*(?:not recommended|not allowed|banned|prohibited|forbidden|avoid|do not(?: do)?|don['’]ts?|never(?: do)?|bad|bad idea|claim|nicht erlaubt|verboten|vermeiden|falsch|interdit|à éviter|prohibido|evitar)\W*$`)
	ruledIn = denialPattern(
		`(?i)^\W*(?:do|dos|instead|do instead|recommended|better|good|good idea|allowed|use(?: instead)?|do this(?: instead)?|stattdessen|besser|erlaubt|à la place|autorisé|en su lugar|permitido)\W*$`)

	// onlyBelow is a heading of texts that are not meant as true, unless these speak of such texts.
	onlyBelow = denialPattern(
		`(?i)^\W*(?:satire|satires|parody|parodies|fiction|hoax|hoaxes|hypothes[ei]s|hypothesen?|hypothèses?|hipótesis|sátira|ficción|parodie|drafts?|widerlegt|réfutée?s?|démentis?|desmentidos?|refutad[oa]s)\W*$`)
	ofItself = denialPattern(
		`(?i)satir|parod|fiction|hoax|hypothes|hypothè|hipótesis|sátira|ficción|\bdrafts?\b|\bbooks?\b|\bnovels?\b|\bauthors?\b|\bstor(?:y|ies)\b|\bfilms?\b|\bgenre\b|\bseries\b|widerleg|réfut|démenti|desmen|refut`)

	// filler are lines that call a text filler.
	filler = denialPattern(`(?i)^\W*(?:lorem ipsum\s*[:：(—–-]|(?:placeholder|dummy|sample|filler) text\b.{0,20}\b(?:replaced|only|follows|below)\b|blindtext\s*[:：(—–]|texto de relleno\s*[:：(—–]|faux texte\s*[:：(—–])`)

	// noteMark opens a note at the foot of a page: "1 ", "[2] ", "* ".
	noteMark = Pattern(`^\s*(\[\d{1,2}\]|\(\d{1,2}\)|\d{1,2}|[*†‡§¹²³]{1,3})[.):]?\s+[\[("“]*`)

	// answersFalse is the answer to a question whether something is so.
	answersFalse = denialPattern(
		`(?i)^(?:the |correct |right )*(?:answer|solution|antwort|lösung|auflösung|réponse|solution|respuesta|solución|risposta|resposta|antwoord|ответ)\s*[:：—–-]\s*["“*_]*(?:(?:completely|mostly|totally|it is|it['’]s|this is|c['’]est|das ist|es) )?(?:false|untrue|wrong|incorrect|not true|a myth|falsch|unwahr|faux|fausse|falso|falsa|sbagliato|onwaar|ложь)\b`)

	// deniedCaption is a line beside a quotation or a picture of one.
	deniedCaption = denialPattern(
		`(?i)^(?:an?|the|this|one|from an?)?\s*(?:\w+ )?(?:false|fake|misleading|fraudulent|bogus|satirical|fictional|fabricated|made[- ]up|doctored|forged|retracted)\s+(?:\w+ ){0,2}(?:ad|advert|advertisement|advertising|poster|leaflet|claim|quote|quotation|headline|story|post|tweet|news|report|article|letter|brochure|statement|message)s?\b` +
			`|^(?:eine?|die|der)?\s*(?:gefälschte|irreführende|falsche|erfundene)[rs]?\s+(?:\w+ )?(?:werbung|anzeige|zitat|meldung|schlagzeile|aussage|brief|behauptung)|^(?:une?|la|le)?\s*(?:fausse|faux)\s+(?:publicité|citation|annonce|affiche|lettre|nouvelle)|^(?:une?|la|le)?\s*(?:publicité|annonce|affiche|citation) (?:mensongère|trompeuse|inventée)|^(?:una?|el|la)?\s*(?:fals[oa]\s+(?:anuncio|cita|noticia|carta)|(?:anuncio|cita|noticia|publicidad) (?:fals[oa]|engaños[oa]|inventad[oa]))`)
)

// doubtWords are words of which what these rules find holds one, beside denialWords.
const doubtWords = `held applied suppose imagine pretend assume opposite trust believe invented refuted disproved discredited denied contradicted overturned misleading unfounded corrected rectified rejected
	withdrew claim belief gefälschte gefälschtes erroneous inaccurate confirm verify lorem placeholder dummy sample busted debunked pants rubbish humbug bunk says goes claims disputed hypotheses hypothesis draft drafts
	satires parodies parody fiction nothing discarded abandoned former never lies
	folgendes folgende folgenden nehmen angenommen stellen stell erfunden widerlegt zurückgenommen dementiert berichtigt korrigiert richtiggestellt unzutreffend unrichtig haltlos irreführend fehlerhaft
	antwort lösung auflösung quatsch unsinn galt stimmte abgelehnte verworfene hypothesen wahr richtig belegt bestätigt selig anm ndlr gegenteil nie
	imaginons supposons imaginez supposez démentie démenti démentis rectifiée rectifié réfutée réfuté retirée infirmée inventée mensongère trompeuse corrigée corrigé inexacte inexactes réponse fictif
	fictive rejetées abandonnées hypothèses croyez jamais contraire démenties erronées vraie confirmée
	supongamos imaginemos imagina suponga desmentida desmentido desmentidos desmintió rectificada rectificado refutada refutado retirada retirado inventada inventado corregida corregido engañosa inexacta
	respuesta solución rechazadas descartadas hipótesis contrario crea nunca cierta`
