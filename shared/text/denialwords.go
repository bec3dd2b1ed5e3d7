package text

import (
	"strings"
	"sync"
)

// denialTerms are parts of the expressions below.
var denialTerms = map[string]string{
	"adv": `(?:(?:now|simply|just|only|of course|completely|totally|entirely|all|also|actually|in fact|largely|demonstrably|known to be|considered|plainly|clearly|however|unfortunately|sadly|therefore|both|still|quite|very|nothing but|already|long|since been|meant as|intended as|purely|pure)[ ,]+)*`,
	"no":  `(?:false|wrong|incorrect|untrue|inaccurate|not (?:true|correct|accurate|right|the case|real|factual|valid any ?more|true any ?more)|mistaken|bogus|fake|fabricated|made[- ]up|invented|fictional|fictitious|fiction|nonsense|rubbish|bunk|baseless|debunked|disproved|disproven|refuted|satire|satirical|(?:no longer|not any ?more) (?:true|valid|correct|current|accurate|right|the case|applicable|in force|in effect|relevant|up to date)|no longer (?:applies|apply|holds?)|out[- ]of[- ]date|outdated|obsolete|superseded|withdrawn|retracted|revoked|rescinded|not to be (?:trusted|relied on|relied upon|believed)|<a>)`,
	"a":   `an? (?:common |popular |old |persistent |complete |total |widespread |well-known |classic )*(?:myth|misconception|lie|hoax|joke|fabrication|fallacy|urban legend|parody|satire|falsehood|rumou?r|old wives['’] tale|work of fiction|work of satire|April Fools?['’]?s? joke)`,
	"st":  `(?:few |two |three |four |five |next |whole |entire )*(?:statements?|claims?|sentences?|information|text|paragraphs?|passages?|advice|quotes?|quotations?|story|stories|examples?|answers?|facts?|lines?|lists?|instructions?|content|words|news|points?|assertions?|beliefs?|details|figures)`,
	"be":  `(?:is|are|was|were|has been|have been|'s|’s|turned out to be|turns out to be|is being)`,
	"end": `(?:\s*[.!;,—–:)]|\s*$|\s+(?:and|but|because|since|as of|as|today|now|anymore|any more|nowadays|at all|by now|these days|in reality|of course|though|according to)\b)`,
	"num": `(?:(?:#|no\.?|nr\.?|n°|n\.º|nº|num\.?|número|numéro|nummer|number)?\s*\d{1,3})`,
	"doc": `(?:page|article|post|story|document|entry|site|website|web page|report|paper|study|piece|blog post|guide|tutorial|leaflet|news item|notice|press release|text|publication|manual|answer|FAQ|policy)`,
}

// denialWords are words of which a text that takes something back holds one.
var denialWords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(
		`rejected false falsely wrong wrongly incorrect incorrectly untrue inaccurate true correct myth myths misconception misconceptions
		outdated obsolete superseded retracted retraction withdrawn satire satirical parody hoax hoaxes joke fiction fictional fictitious debunked fake lie lies
		bad don dont donts never mistakenly erroneously mistaken correction erratum errata earlier previous original fabricated made rumour rumours rumor rumors
		falsehood falsehoods used idées idée reçues reçue légendes anti antipattern antipatterns counterexample counterexamples disregard ignore verdict rating ruling disclaimer longer kidding nonsense
		bogus not untruths fallacies fallacy legend april date deleted removed old revoked rescinded invented refuted disproved disproven baseless expired
		FALSE falsch fehler irrtum mythos mythen irrtümer unwahr veraltet überholt überholte veraltete satire widerrufen zurückgezogen stimmt gerücht gerüchte
		märchen lüge nicht korrektur berichtigung richtigstellung irrig irrtümlich fälschlich falsche falschen behauptung behauptungen
		faux fausse fausses mythe mythes erroné erronée incorrecte rumeur rumeurs obsolète périmé dépassé rétracté canular mensonge inexact erreur erreurs
		correctif rectificatif plus vrai pas tort
		falso falsa falsos falsas mito mitos erróneo errónea incorrecto incorrecta mentira obsoleto obsoleta desactualizado desactualizada retractado bulo bulos rumores
		corrección cierto verdad equivocado anticuado errado incorreto desatualizado boato boatos correção errata
		miti sbagliato errato scorretto obsoleta superato ritrattato bufala bufale rettifica correzione vero
		onwaar onjuist fout mythe verouderd achterhaald ingetrokken niet fabel fabels rectificatie misverstand misverstanden
		fałsz fałszywe mit mity nieprawda nieaktualne błędne błąd nieprawdziwe
		ложь миф мифы неверно неправда устарело устарела устарели ошибочно заблуждение заблуждения отозвано опровергнуто неправильно сатира фейк выдумка исправление
		yanlış efsane osann myt myter föråldrad felaktigt usant forældet fejlagtig ` + doubtWords) {
		m[strings.ToLower(w)] = true
	}
	return m
})

// denialParts are the same for scripts written without spaces.
var denialParts = []string{"错误", "錯誤", "谣言", "謠言", "误解", "誤解", "不实", "不實", "过时", "過時", "并非", "不正确",
	"不正確", "不真实", "虚构", "虛構", "撤回", "撤稿", "讽刺", "迷思", "辟谣", "假的", "不再", "更正",
	"誤り", "間違", "嘘", "デマ", "神話", "古い情報", "無効", "訂正", "撤回", "フィクション", "風刺", "事実ではありません", "正しくありません",
	"거짓", "틀린", "오해", "사실이 아닙니다", "don’t", "isn’t", "wasn’t", "wives’", "❌", "🚫", "👎"}

// Labels that open what they take back. Those in the second list are values and
// ordinary words too: they count with a capital letter alone.
var (
	labelled = denialPattern(
		`^[\[("'“*_>\s]*(?i:(?:common |popular |widespread |old )*(?:myth|misconception|fiction|falsehood|fake news|hoax|false (?:claim|statement|belief|answer)|wrong (?:answer|way|example|usage)|incorrect (?:answer|example|statement)|bad (?:advice|example|practice|answer)|anti-?pattern|counter-?example|incorrect|untrue|not true|outdated|obsolete|out of date|superseded|no longer (?:true|valid|correct|current|accurate)|retracted|retraction|withdrawn|debunked|satire|parody|rumou?r|deleted|true or false|fact or fiction|never do this|do(?: not|n['’]t) do (?:this|that)|do(?: not|n['’]t) (?:use|write|say|believe) this|not like this|` +
			`mythos|irrtum|falschaussage|veraltet|überholt|unwahr|falsche aussage|gerücht|widerrufen|zurückgezogen|richtig oder falsch|so nicht|` +
			`mythe|idée reçue|rumeur|obsolète|périmé|vrai ou faux|à ne pas faire|ne faites pas (?:ça|cela)|intox|` +
			`mito|bulo|desactualizado|obsoleto|verdadero o falso|no haga esto|no hagas esto|incorrecto|mentira|boato|desatualizado|verdadeiro ou falso|incorreto|não faça isso|bufala|superato|vero o falso|scorretto|non fare così|` +
			`fabel|onwaar|onjuist|verouderd|achterhaald|waar of niet waar|misverstand|nieprawda|mit|nieaktualne|миф|неверно|неправда|устарело|заблуждение|фейк|правда или ложь|неправильно|yanlış|efsane|` +
			`误解|誤解|谣言|謠言|迷思|错误|錯誤|过时|過時|誤り|間違い|デマ|嘘|거짓|오해))\s*<num>?\s*[\])"'”*_]*\s*(?:[:：]|\s[—–-]\s|[—–])[*_\])]*\s*|^[\[(](?i:outdated|retracted|obsolete|satire|superseded|withdrawn|veraltet|obsolète|obsoleto|verouderd|false|wrong|falsch|faux|falso)[\])]\s*`)
	labelledStrict = denialPattern(
		`^[\[("'“*_>\s]*(?:False|FALSE|Wrong|WRONG|Bad|BAD|Don['’]t|DON['’]T|Do not|DO NOT|Lie|LIE|Old(?: (?:price|version|text|wording|address|hours|rule))?|Expired|Falsch|FALSCH|Falsche|Faux|FAUX|Falso|FALSO|Falsa|Fout|Ложь|ЛОЖЬ|Sbagliato|Errado|Fałsz)\s*(?i:<num>)?\s*[\])"'”*_]*\s*(?:[:：]|\s[—–]\s)[*_]*\s*`)
	alone = denialPattern(
		`^[\[("'“*_>\s]*(?i:(?:common |popular |widespread )*(?:myths|misconceptions?|falsehoods?|fake news|false (?:claims?|statements?|beliefs?|answers?)|wrong (?:answers?|way|ways|examples?|usage)|incorrect (?:answers?|examples?|statements?)|bad (?:advice|examples?|practices?)|anti-?patterns?|counter-?examples?|outdated|obsolete|superseded|no longer (?:true|valid|correct|current|accurate)|retracted|retraction|retraction notice|retracted article|withdrawn|debunked|never do this|do(?: not|n['’]t) do (?:this|that)|do(?: not|n['’]t) (?:use|write|say|believe) this|not like this|don['’]?ts|mythen|irrtümer|veraltet|widerrufen|zurückgezogen|obsolète|périmé|obsoleto|verouderd|устарело))\s*(?:#?\d{1,3})?\s*[\])"'”*_]*\s*[:：.!]?[*_]*$`)
	aloneStrict = denialPattern(
		`^[\[("'“*_>\s]*(?:False|FALSE|Wrong|WRONG|Bad|BAD|Don['’]t|DON['’]T|Do not|DO NOT|Lies?|Falsch|Faux|Falso|Fout|Ложь|Неверно|错误|錯誤|誤り|Fałsz|Myth[oe]s|Mit[os]|Мифы?)\s*[\])"'”*_]*\s*(?:[:：]|[!])[*_]*$|^(?:Wrong|Incorrect|Don['’]t)$`)
)

// ownFrames are sentences that take back what they tell.
var ownFrames = denialPatterns(
	`(?i)^(?:but |and |so |however,? |in fact,? |note that |actually,? )*(?:it|that)(?:\s+<be>|['’]s)\s+<adv><no>,?\s+(?:that\b|to (?:say|think|believe|assume|claim|suppose|state)\b)`,
	`(?i)^(?:but |and |so |however,? |in fact,? |note that )*it\s+(?:is\s*n[o'’]t|was\s*n[o'’]t|isn['’]t|wasn['’]t|is not|was not)\s+(?:(?:at all|really|actually|in fact) )?(?:true|correct|the case|accurate|a fact|right)\s+(?:that\b|to (?:say|think|believe|claim)\b)`,
	`(?i)^(?:the|this|that|a|any|another|one|all)\s+(?:\w+\s+){0,3}(?:claim|idea|belief|notion|assertion|statement|rumou?r|story|myth|misconception|theory|report|allegation|suggestion|view|assumption)s?,? (?:that|according to which)\b.*\s<be>\s+<adv><no>`,
	`(?i)^(?:an?|one|another|the|some|many|a few)?\s*(?:\w+\s+){0,2}(?:myths?|misconceptions?|rumou?rs?|hoax(?:es)?|falsehoods?|fallac(?:y|ies)|false beliefs?|mistakes?|urban legends?|lies?)\s+(?:<be>|has it|have it|says?|claims?|holds?|goes|states?)\s+(?:that\b|to (?:think|believe|say)\b)`,
	`(?i)\b(?:falsely|wrongly|mistakenly|erroneously|incorrectly)\s+(?:(?:been|be|being|also)\s+)?(?:claim|stat|say|said|believ|assum|think|thought|report|suggest|assert|told|wrote|alleg|teach|taught|impl|announc|publish)`,
	`(?i)\b<be>\s+<adv>an? (?:common |popular |old |persistent |complete |total |widespread )*(?:myth|misconception|hoax|urban legend|fallacy|fabrication|falsehood|old wives['’] tale|lie)\s*[.!"”)]*$`,
	`(?i)(?:,|\s[—–-]|[—–;])\s*(?:(?:but|and|yet|although|though|except that)\s+)?(?:that|this|it|which)\s*(?:<be>\s+<adv><no>|(?:isn['’]t|is not|is no longer)\s+<adv>(?:true|so|the case))\s*[.!"”)]*$`,
	`(?i)[(\[]\s*(?:this is |which is |now |that['’]s )?(?:false|wrong|incorrect|untrue|not true|no longer (?:true|valid|correct|current|accurate)|outdated|out of date|obsolete|superseded|retracted|withdrawn|debunked|a? ?myth|a? ?hoax|satire|falsch|veraltet|stimmt nicht(?: mehr)?|faux|obsolète|falso|obsoleto|desactualizado|onjuist|verouderd|неверно|устарело|错误|過時|过时|誤り)\s*[!.]?\s*[)\]]\s*[.!"”]*$`,
	`(?:\s[—–-]\s*|\.\.\.\s*|…\s*|,\s+)(?:NOT|Not|not)\s*!+$|\sNOT!+$`,
	`(?i)\b(?:earlier|previous|original|first|prior) (?:versions?|editions?) of (?:this|the|our) (?:article|story|page|post|report|document|piece|entry|notice|text|guide|paper)\b.{0,80}\b(?:said|stated|reported|gave|claimed|misstated|listed|wrote|named|identified|suggested|indicated|contained|misidentified|had)\b`,
	`(?i)\bwe (?:incorrectly|wrongly|mistakenly|erroneously|previously) (?:said|stated|reported|gave|claimed|wrote|published)`,
	`(?i)^(?:do not|don['’]t|never|nobody should|no one should|you should not|you should never) (?:say|write|believe|claim|think|assume|repeat|tell anyone|trust (?:the claim|anyone who says|people who say)) (?:that\b|[“"'])`,
	`(?i)^(?:but |and |so )?it (?:used to be|was (?:once|long|formerly|previously|originally)|had (?:once|long) been) (?:\w+ )?(?:thought|believed|said|assumed|held|claimed|taught) that\b`,
	`(?i)^(?:just |now |let us |let['’]s )*(?:imagine|suppose|pretend)(?:,? for .{3,40},)? that\b|^contrary to .{3,80},? (?:this|it|the following) (?:is|was) not (?:the case|so|true)\b|^(?:nehmen wir (?:\w+ )?an|angenommen|stellen sie sich vor|stell dir vor),? (?:dass )?|^(?:imaginons|supposons|imaginez|supposez|admettons) (?:que|qu['’])|^(?:supongamos|imaginemos|imagine|imagina) que\b`,
	`(?i)\S [(\[](?:disputed|dubious|citation needed|contested)(?:\s*[—–-]\s*discuss)?[)\]]\s*[.!]?$|\S+ \S+ \S+[.!]?\s[—–]\s(?:false|wrong|untrue|incorrect|not true|falsch|unwahr|faux|falso)\s*[.!]?$|\S+ \S+ \S+[.!]?\s*❌\s*$`,
	`(?i)^\W*lorem ipsum dolor\b`,
	`(?i)^(?:true or false|fact or fiction|richtig oder falsch|vrai ou faux|verdadero o falso|vero o falso|verdadeiro ou falso)\b`,
	`(?i)^(?:es (?:ist|war)|das ist) (?:(?:einfach|schlicht|völlig|nicht mehr|längst) )*(?:falsch|unwahr|nicht wahr|nicht richtig|unrichtig|ein mythos|ein irrtum|ein gerücht|ein märchen|ein weit verbreiteter irrtum|nicht (?:mehr )?(?:so|der fall)|wahr),? (?:dass|zu (?:sagen|glauben|behaupten))`,
	`(?i)^es stimmt nicht(?: mehr)?,? dass\b|\b(?:fälschlich|fälschlicherweise|irrtümlich|irrtümlicherweise) (?:behauptet|angenommen|geglaubt|gesagt|gemeldet)`,
	`(?i)^(?:die|diese) (?:behauptung|annahme|aussage|meldung|idee),? (?:dass|wonach)\b.*\b(?:falsch|unwahr|ein irrtum|ein mythos|widerlegt|überholt)\b`,
	`(?i)^(?:il est|c['’]est) (?:faux|inexact|erroné|une erreur|un mythe|une idée reçue|une légende)(?: de (?:dire|croire|penser|prétendre))? (?:que|qu['’])|^il n['’]est (?:pas|plus) (?:vrai|exact|correct) (?:que|qu['’])|^on (?:croit|dit|pense) (?:à tort|souvent à tort) (?:que|qu['’])|\b(?:à tort|faussement) (?:que|qu['’])`,
	`(?i)^(?:es|era) (?:falso|incorrecto|erróneo|mentira|un mito|un error|un bulo) (?:que|decir que|creer que|pensar que)\b|^(?:no|ya no) es (?:cierto|verdad|correcto) que\b`,
	`(?i)^(?:é|era) (?:falso|falsa|incorreto|errado|um mito|mentira|um erro) (?:que|dizer que|acreditar que|pensar que)\b|^(?:não|já não) é (?:verdade|certo|correto) que\b`,
	`(?i)^(?:è|era) (?:falso|sbagliato|errato|un mito|una bufala|un errore) (?:che|dire che|credere che|pensare che)\b|^non è (?:più )?(?:vero|corretto) che\b`,
	`(?i)^het is (?:onwaar|onjuist|fout|een mythe|een fabel|een misverstand|niet (?:meer )?(?:waar|juist|correct)),? (?:dat|om te (?:zeggen|denken))\b`,
	`(?i)^(?:неверно|неправда|ошибочно|это миф|ложь|заблуждение|не соответствует действительности),? (?:что|считать,? что|думать,? что|утверждать,? что)|^неправильно (?:думать|считать|говорить),? что`,
	`(?i)^(?:nieprawdą jest|to nieprawda|to mit|nie jest prawdą),? że\b`,
	`(?:说法|说|说法是|的说法|传言|观点|的观点)(?:是|都是)?(?:错误的?|不正确的?|不实的?|谣言|假的?|不对的?)|^(?:有人|人们|很多人)(?:误以为|错误地认为|误认为)|^(?:误以为|错误地认为)|(?:是|纯属)(?:谣言|虚构|误解)[。！!]?$`,
	`(?:というのは|とは|は)(?:誤り|間違い|嘘|デマ|神話|誤解|事実ではありません|正しくありません)(?:です|である|だ)?[。！!]?$|(?:라는|다는) (?:것은|말은) (?:거짓|사실이 아닙니다|오해)`,
)

// leadFrames are lines that take back what follows them, whether or not they end in a
// colon.
var leadFrames = denialPatterns(
	`(?i)^(?:please note,? |note,? |but |all (?:of )?|each of |every one of |most of |almost all of )*(?:the )?(?:following|below|next)(?:,)?(?: <st>)?(?: below)?,? (?:<be>|contains?|consists? of) <adv>(?:<no>|(?:false|wrong|incorrect|outdated|obsolete|made[- ]up|fictional|fictitious|untrue|fake|superseded) (?:<st>|information)|myths|misconceptions|lies|hoaxes|errors|mistakes|jokes)`,
	`(?i)^(?:none|not one|nothing|not a word) (?:of|in) (?:this|these|the following|what follows|the <st>(?: below| that follows?)?|the rest)(?: <st>)? (?:is|are) <adv>(?:true|correct|real|accurate|valid|right|current|up to date)`,
	`(?i)^(?:what follows|what you read (?:below|here|next)|the rest of (?:this|the) \w+|everything (?:below|that follows|here|from here on)|all (?:of )?(?:this|that follows|the <st> below)|(?:the |these |all )?<st> (?:below|that follows?|in this (?:list|section|table|box)|here)|(?:the )?(?:list|section|table|box|quote|example) below) <be> <adv><no>`,
	`(?i)^here(?: is|['’]s| are) (?:some |an? |the |what is an? )?(?:\w+ )?(?:false|wrong|incorrect|bad|fake|outdated|obsolete|made[- ]up|fictional|fictitious|untrue) (?:<st>|information|rumou?rs?|practice)`,
	`(?i)^(?:do not|don['’]t|never) (?:ever )?(?:do|write|say|use|try|believe|follow|repeat|copy|trust|rely on) (?:this|that|it|these|the following|any of (?:this|these|the following)|(?:it )?like (?:this|so)|what follows|the <st>|things like (?:this|that|these)|such things)(?: (?:at home|below|statements?|claims?|that follows?))?\s*[:：.!]*$`,
	`(?i)^\W*(?:which|what)(?: one)?(?: of (?:the following|these|those|the))?(?: (?:\w+ )?<st>)?(?: below)? (?:is|are|was) (?:not (?:true|correct|right|accurate)|false|wrong|incorrect|untrue|an? (?:lie|myth)|myths|lies)\s*\?$`+
		`|^welche (?:der folgenden |dieser )?(?:aussagen?|angaben?|behauptungen?|sätze|antworten?|ist|sind) ?(?:ist |sind |stimmt |trifft )?(?:falsch|unwahr|nicht (?:richtig|wahr|zu)?)\s*\?$|^(?:laquelle|lequel|lesquelles|lesquels|quelles?) .{0,60}(?:est|sont) (?:fausses?|faux|inexactes?|incorrectes?|erronées?)\s*\?$|^\W*(?:cuál|cuáles|qué) .{0,60}(?:(?:es|son) (?:fals[oa]s?|incorrect[oa]s?|erróne[oa]s?)|no (?:es|son) (?:ciert[oa]s?|verdader[oa]s?|correct[oa]s?))\s*\?$`,
	`(?i)\bnothing (?:in it |in here |here |there |below |on this page )?(?:is|was) (?:real|true)\b`,
	`(?i)^(?:ignore|disregard|forget|discard) (?:the following|what follows|everything (?:below|that follows)|the <st>(?: below| that follows?)?|all (?:of )?(?:this|the following))\b`,
	`(?i)^(?:what|things)(?: you| we| one)? (?:not to|(?:should|must) (?:not|never)|never to) (?:do|say|write|believe|tell|repeat)(?: (?:in|on|at|with|to|if|when|about|there|here)\b.{0,40})?\s*[:：.!]?$|^how not to do (?:it|this)\b.{0,20}$|^(?:the )?do(?:['’])?s and don(?:['’])?t['’]?s$|^an? (?:example|list) of (?:what|how) not to\b.{0,60}$|^how it (?:is|does) not (?:work|done)\b`,
	`(?i)^(?:das|die|der) folgenden? (?:\w+ )?(?:ist|sind|war) (?:\w+ )?(?:falsch|unwahr|nicht (?:mehr )?(?:wahr|richtig|gültig|aktuell)|veraltet|überholt|erfunden|frei erfunden|satire)|^folgende(?:s|r)? (?:\w+ )?(?:ist|sind|stimmt nicht|stimmen nicht|gilt nicht mehr)\b.*|^(?:so|machen sie|mach das|tun sie das) (?:bitte )?nicht\b.*|^häufige irrtümer\b.*|^was man nicht tun sollte\b.*`,
	`(?i)^(?:ce qui suit|les? (?:phrases?|affirmations?|informations?|textes?|énoncés?) (?:suivante?s?|suivants?|ci-dessous)|l['’]affirmation suivante|l['’]énoncé suivant) (?:est|sont) (?:\w+ )?(?:faux|fausse|fausses|inexacte?s?|erronée?s?|obsolètes?|dépassée?s?|périmée?s?|incorrecte?s?|un mythe|inventée?s?)|^à ne pas (?:faire|croire)\b.*|^ce qu['’]il ne faut pas\b.*`,
	`(?i)^(?:lo siguiente|lo que sigue|las? siguientes? (?:afirmaci(?:ón|ones)|frases?|informaci(?:ón|ones)|declaraci(?:ón|ones))|los? siguientes? (?:textos?|enunciados?|datos?)) (?:es|son|está|están|no es|no son|ya no es) (?:\w+ )?(?:falso|falsa|falsos|falsas|incorrecto|incorrecta|incorrectas|mentira|obsoleto|obsoleta|desactualizado|desactualizada|erróneo|errónea|un mito|cierto|verdad|inventado|inventada)|^(?:lo que|qué) no (?:se debe|hay que|debe) hacer\b.*|^no (?:hagas|haga) (?:esto|lo siguiente)\b.*`,
	`(?i)^(?:o seguinte|o que se segue|as? seguintes? (?:afirmaç(?:ão|ões)|frases?|informaç(?:ão|ões))) (?:é|são|está|estão|não é|já não é) (?:\w+ )?(?:falso|falsa|falsas|incorreto|incorreta|mentira|obsoleto|obsoleta|desatualizado|desatualizada|errado|errada|um mito|verdade)|^o que não fazer\b.*`,
	`(?i)^(?:quanto segue|ciò che segue|la seguente (?:affermazione|frase|informazione)|le seguenti (?:affermazioni|frasi|informazioni)) (?:è|sono|non è|non sono) (?:\w+ )?(?:fals[oaie]|sbagliat[oaie]|errat[oaie]|obsolet[oaie]|superat[oaie]|ver[oaie]|una bufala|un mito)|^cosa non fare\b.*`,
	`(?i)^(?:het volgende|wat volgt|de volgende (?:bewering|beweringen|zin|zinnen|informatie|uitspraak|uitspraken)) (?:is|zijn|klopt|kloppen) (?:\w+ )?(?:onwaar|onjuist|fout|niet|verouderd|achterhaald|een mythe|een fabel)|^doe dit niet\b.*|^wat je niet moet doen\b.*`,
	`(?i)^(?:следующее|нижеследующее|следующ(?:ее|ие) (?:утверждени[ея]|информация|сведения)|всё,? что написано ниже)\s*(?:—|–|-|является|являются)?\s*(?:ложь|ложно|ложны|неверно|неверны|неправда|ошибочно|устарело|устарели|миф|выдумка)|^не делайте (?:так|этого)\b.*|^чего (?:не следует|нельзя) делать.*`,
	`(?i)^(?:następujące|poniższe) (?:stwierdzeni[ea]|informacje|zdani[ea]) (?:jest|są) (?:\w+ )?(?:fałszywe|nieprawdziwe|nieaktualne|błędne)`,
	`^(?:以下|下面|下列)(?:的)?(?:说法|内容|信息|陈述|句子|文字|資訊|說法|內容|敘述)?(?:都|均|全部|完全)?(?:是|已|为|屬|属)?(?:错误的?|錯誤的?|不正确的?|不正確的?|不实的?|不真实的?|虚构的?|虛構的?|谣言|謠言|假的|过时的?|過時的?|已过时)`,
	`^(?:以下|次|下記)の?(?:内容|記述|文|文章|情報|説明|主張)?は(?:すべて|全て)?(?:誤り|間違い|嘘|デマ|正しくありません|古い情報|フィクション|事実ではありません|無効|間違って)`,
	`^(?:다음|아래)(?:의)? ?(?:내용|문장|주장|정보)?(?:은|는) ?(?:모두 )?(?:거짓|틀린|사실이 아닙니다|오래된)`,
)

// colonFrames are lines that take back what follows where they end in a colon.
var colonFrames = denialPatterns(
	`(?i)\b(?:falsely|wrongly|incorrectly|mistakenly|erroneously)\b`,
	`(?i)^(?:this|that|these|those|it|they|all of (?:this|these)) <be> <adv><no>\s*[:：]`,
	`(?i)\b(?:used to|formerly|previously|originally|earlier) (?:say|said|read|be|state|stated|claim|claimed|believe|believed|think|thought|taught|wrote|written)\b`,
	`(?i)\b(?:the|an?|our|its|this) (?:earlier|previous|old|original|superseded|outdated|obsolete|retracted|withdrawn) (?:version|edition|text|wording|rule|statement|passage)s?(?: of (?:this|the) <doc>)? (?:said|read|reads|was|were|stated|had|ran|went)\b`,
	`(?i)\b(?:these|those|such|their|his|her|common|following) (?:common |popular |old )?(?:lies|myths|hoaxes|falsehoods|untruths|rumou?rs|misconceptions|fallacies)\s*[:：]$|\bnever (?:said|claimed|wrote|promised) (?:this|that|so)\s*[:：]$`,
	`(?i)^(?:superseded|outdated|obsolete|retracted|withdrawn) (?:version|edition|text|wording|rule|statement|passage)s?\s*[:：]`,
	`(?i)\b(?:deleted|removed|retracted|withdrawn) (?:text|passage|section|paragraph|statement)s?\b`,
	`(?i)\b(?:not|never|no longer) (?:true|correct|right|valid|like this)\s*[:：]$`,
	`(?i)^(?:for )?(?:an? )?(?:example|instance|case) of (?:an? )?(?:false|wrong|incorrect|fake|made[- ]up|bad|misleading)\b`,
	`(?i)^(?:an?|the|some|one|this) (?:false|wrong|incorrect|fake|made[- ]up|bad|misleading|fictitious|fictional|outdated|obsolete) (?:<st>|example|information|rumou?r)\b`,
	`(?i)\b(?:fälschlich|irrtümlich|fälschlicherweise|irrtümlicherweise)\b|\b(?:à tort|faussement|erróneamente|equivocadamente|erroneamente|ten onrechte|ошибочно)\b|(?:错误地|误以为|誤って)`,
)

// underFrames are headings, and lines before a colon, of which what stands under them is
// not so.
var underFrames = denialPatterns(
	`(?i)^(?:[\divxlc]+[.)]\s*)?(?:some |the |most |many |more |top |biggest |our |frequently |\d+ |ten |five |seven |three |six |eight |nine |four |twelve )*(?:common |popular |widespread |typical |frequent |persistent |famous |heard |dangerous |historical )*(?:myths|misconceptions|falsehoods|lies|rumou?rs|hoaxes|fallacies|untruths|fake news|wrong answers?|false (?:claims?|statements?|beliefs?|answers?|facts?|information)|incorrect (?:statements?|answers?|claims?|examples?|information)|bad (?:examples?|practices?|advice|answers?)|wrong (?:ways?|examples?|usage|statements?|advice)|counter-?examples?|anti-?patterns?|outdated (?:information|advice|statements?|claims?|content|text)|obsolete (?:information|statements?|content|text|section)|superseded (?:information|text|content|rules|section)|retracted(?: (?:statements?|claims?|content|text))?|debunked(?: claims?| myths)?|fictional examples?|old wives['’] tales|urban legends)(?: (?:about|on|regarding|around|of|concerning|in|that|people|you|we|to avoid)\b.{0,80})?\s*[:：.!]?$`,
	`(?i)^(?:häufige |verbreitete |populäre |die )*(?:mythen|irrtümer|falschaussagen|gerüchte|märchen|lügen|falsche (?:aussagen|behauptungen|antworten)|veraltete (?:informationen|angaben))(?: (?:über|zu|rund um|von)\b.{0,80})?\s*[:：]?$`,
	`(?i)^(?:les |quelques |des )*(?:mythes|idées reçues|idées fausses|rumeurs|fausses (?:affirmations|informations|croyances)|mensonges|légendes urbaines|informations (?:obsolètes|périmées))(?: (?:sur|à propos|concernant|courantes?|courants)\b.{0,80})?\s*[:：]?$`,
	`(?i)^(?:los |las |algunos |algunas )*(?:mitos|bulos|rumores|mentiras|ideas (?:falsas|equivocadas)|afirmaciones falsas|falsas creencias|conceptos erróneos|información (?:obsoleta|desactualizada))(?: (?:sobre|acerca|de|comunes|comun)\b.{0,80})?\s*[:：]?$`,
	`(?i)^(?:os |as |alguns |gli |i |le |alcuni )*(?:mitos|boatos|equívocos|afirmações falsas|miti|bufale|falsi miti|luoghi comuni|false credenze|mythes|mythen|fabels|misverstanden|onwaarheden)(?: (?:sobre|su|sulla|sul|over|comuns|comuni)\b.{0,80})?\s*[:：]?$`,
	`(?i)^(?:распространённые |распространенные |популярные |самые )*(?:мифы|заблуждения|слухи|ложные утверждения|фейки|устаревшие сведения)(?: (?:о|об|про)\s.{0,80})?\s*[:：]?$`,
	`(?i)^what (?:we|you|people|they|i|many|most|everyone|everybody|some|others|(?:our|the|my|his|her|their) \w+)(?: \w+){0,2} (?:got|get|gets|had) (?:it |so |very )?wrong\b.{0,60}$|^what .{1,40}\b(?:wrongly|falsely|mistakenly)\b.{1,40}$|^what .{1,40}\bused to (?:think|believe|say|claim|teach)\b.{0,40}$|^what (?:we|they|you|people|many|others) (?:once|formerly) (?:thought|believed)\s*[:：]?$`,
	`(?i)^(?:rejected|discarded|abandoned|disproved|disproven|refuted|discredited|withdrawn) (?:proposals?|ideas?|theor(?:y|ies)|hypothes[ei]s|claims?|statements?|suggestions?)(?: (?:about|on|for|of|in)\b.{0,60})?\s*[:：]?$|^(?:old|former) (?:rules|prices|rates|fees|(?:opening )?hours|wording|text|version|terms)(?:\s*\(.{0,40}\))?\s*[:：]?$`,
	`(?i)^(?:abgelehnte|verworfene|widerlegte|zurückgezogene) (?:vorschläge|ideen|thesen|hypothesen|theorien|behauptungen|anträge)|^was .{1,40}\b(?:fälschlich|fälschlicherweise|irrtümlich)\b.{1,40}$|^(?:propositions?|idées?|hypothèses?|théories?|thèses?) (?:rejetée?s?|abandonnée?s?|réfutée?s?|retirée?s?|écartée?s?)|^(?:propuestas?|ideas?|hipótesis|teorías?|afirmaciones) (?:rechazad|descartad|refutad|desmentid|retirad)as?`,
	`^(?:常见|常見|关于.{0,20}的)?(?:误解|誤解|谣言|謠言|误区|誤區|迷思|错误说法|過時資訊|过时信息)\s*[:：]?$|^(?:よくある)?(?:誤解|間違い|デマ|古い情報|誤った情報)\s*[:：]?$`,
)

// What takes back more than a line.
var (
	// bothSides are headings of what is so as well as of what is not.
	bothSides = denialPattern(
		`(?i)\b(?:facts?|truths?|reality|realities|debunked|busted|explained|and how|vs\.?|versus|wahrheit(?:en)?|fakten|vérités?|réalité|verdades?|realidad|realtà|verità|feiten|правда|факты)\b|真相|事实|事実|dos and|do['’]s and`)

	affirmed = denialPattern(
		`(?i)^[\["'“*_(\s]*(?:(?:the )?(?:fact|facts|truth|reality|true|right|correct|good|do|instead|better|the truth|correct answer|right answer|actually|in fact|in reality|in truth)|wahrheit|richtig|tatsache|fakt|vérité|vrai|réalité|verdad|verdadero|correcto|realidad|verdade|fato|verità|vero|realtà|feit|waar|juist|правда|факт|верно|на самом деле|事实|真相|正确|事実|正しくは)(?:\s*#?\d{0,3}\s*[\]*_"'”)]*\s*(?:[:：]|[—–]|\s-\s|,\s)|\s+is\b)`)

	notice = denialPattern(`(?i)^[\[(*_⚠️ℹ️!\s]*(?:disclaimer|warning|note|notice|caution|attention|important|update|edit|updated|editor(?:['’]s|ial) note|ed\.? note|publisher['’]s note|author['’]s note|please note|n\.?b\.?|p\.?s\.?|hinweis|achtung|anm(?:\.|erkung)(?: d(?:\.|er) red(?:\.|aktion)?)?|avertissement|note de la rédaction|n\.?d\.?l\.?r\.?|remarque|aviso|nota(?: (?:del editor|de la redacción|da redação))?|atención|advertencia|avviso|let op|внимание|примечание|注意|注|警告)(?:\s*\([^)]{0,40}\))?\s*(?:[:：!.]|\s[—–-]\s|[—–])[*_\])]*\s*`)

	deniedTitle = denialPattern(
		`(?i)^\s*[\[(*]*(?:retracted|retraction|withdrawn|satire|parody|obsolete|outdated|superseded|hoax|veraltet|obsolète|obsoleto|verouderd|zurückgezogen)(?: (?:article|paper|notice|content))?\s*(?:[\])]|[:：]|\s[—–|-]\s)|[\[(](?:retracted|withdrawn|satire|parody|obsolete|outdated|superseded|veraltet|obsolète|obsoleto|zurückgezogen)[\])]\s*$`)

	badge = denialPattern(`(?i)^[\[(*_\s]*(?:satire|parody|retracted|retracted article|retraction notice|withdrawn|superseded)[\])*_\s]*[.!]?$`)

	ofPage = denialPattern(`(?i)^(?:please note(?: that)?,? |all (?:of )?|the |any |some of the |most of the |much of the )*(?:(?:information|contents?|advice|text|details|statements?|figures|data|instructions|claims|facts|everything|story|events)(?: (?:given|provided|contained|stated|described|published|found))? (?:on|in|of|within) )?(?:this|the present|the above|our) (?:\w+ ){0,2}<doc> (?:<be>|contains?|describes?) <adv>(?:<no>|(?:outdated|obsolete|superseded|false|incorrect) information|for historical (?:reference|purposes|interest) only|kept (?:only )?for historical)` +
		`|^(?:the )?<doc> you are reading <be> <adv><no>|^(?:diese[rs]?|der|die|das) (?:vorliegende )?(?:seite|artikel|beitrag|dokument|text|studie|inhalt(?: dieser seite)?)(?: (?:dieser|auf dieser) seite)? (?:ist|sind|wurde) (?:\w+ )?(?:veraltet|überholt|nicht mehr (?:aktuell|gültig)|zurückgezogen|widerrufen|satire|frei erfunden|falsch|ersetzt)` +
		`|^(?:cette page|cet article|ce document|ce texte|les informations de cette page|le contenu de cette page) (?:est|sont|a été|ont été|n['’]est plus) (?:\w+ )?(?:obsolètes?|périmée?s?|dépassée?s?|rétractée?|retirée?|fausses?|faux|satirique|à jour|valable|une fiction|une parodie)` +
		`|^(?:esta página|este artículo|este documento|este texto|la información de esta página|este artigo) (?:es|está|ha sido|ya no es|ya no está|foi) (?:\w+ )?(?:obsolet[oa]|desactualizad[oa]|retractad[oa]|retirad[oa]|fals[oa]|sátira|satíric[oa]|válid[oa]|actualizad[oa]|desatualizad[oa])` +
		`|^(?:questa pagina|questo articolo|questo documento) (?:è|è stat[oa]|non è più) (?:\w+ )?(?:obsolet[oa]|superat[oa]|ritrattat[oa]|fals[oa]|satira|valid[oa])` +
		`|^(?:deze pagina|dit artikel|dit document) (?:is|klopt) (?:\w+ )?(?:verouderd|achterhaald|ingetrokken|onjuist|satire|niet meer)` +
		`|^(?:эта страница|эта статья|этот документ|информация на этой странице|данная статья) (?:\S+ )?(?:устарела|устарел|отозвана|является сатирой|вымысел|неверна|больше не действительна)` +
		`|^(?:本文|本页|本頁|此页面|此頁面|本文章|该文章)(?:内容|信息)?(?:已|是|为|均|都)?(?:过时|過時|撤回|撤稿|虚构|讽刺|错误|失效|不再有效)|^(?:この(?:ページ|記事|文書)(?:の内容)?は)(?:古く|古い|撤回|フィクション|風刺|無効|誤り)`)

	ofSection = denialPattern(
		`(?i)^(?:please note(?: that)?,? |all (?:of )?|the )*(?:(?:information|contents?|advice|text|details|statements?|instructions|claims) (?:on|in|of) )?(?:this|the present) (?:\w+ )?(?:section|chapter|part|appendix|subsection) (?:<be>|contains?|describes?) <adv>(?:<no>|(?:outdated|obsolete|superseded|false|incorrect) information|for historical (?:reference|purposes|interest) only|kept (?:only )?for historical)` +
			`|^(?:dieser abschnitt|dieses kapitel) (?:ist|wurde) (?:\w+ )?(?:veraltet|überholt|nicht mehr (?:aktuell|gültig)|falsch|ersetzt|zurückgezogen)|^(?:cette section|ce chapitre|ce paragraphe) (?:est|n['’]est plus|a été) (?:\w+ )?(?:obsolète|périmée?|dépassée?|fausse?|valable|à jour|remplacée?)|^(?:esta sección|este capítulo|este apartado|esta seção) (?:es|está|ya no es|ya no está) (?:\w+ )?(?:obsolet[oa]|desactualizad[oa]|fals[oa]|válid[oa]|desatualizad[oa])|^(?:questa sezione) (?:è|non è più) (?:\w+ )?(?:obsoleta|superata|falsa|valida)|^(?:deze sectie|deze paragraaf|dit hoofdstuk) is (?:\w+ )?(?:verouderd|achterhaald|onjuist)|^этот раздел (?:\S+ )?(?:устарел|неверен|отозван)|^本(?:节|節|章|部分)(?:内容)?(?:已|是)?(?:过时|過時|错误|錯誤|作废|失效)|^この(?:節|章|セクション)は(?:古く|古い|無効|廃止|誤り)`)

	ofBlock = denialPattern(
		`(?i)^(?:please note(?: that)?,? )?(?:this|the present) (?:paragraph|sentence|box|list|example|quote|quotation|statement|claim|information|advice|passage|text|figure|price|number|rule|answer|assertion|rumou?r|line) <be> <adv><no><end>`)

	ofAbove = denialPattern(
		`(?i)^(?:please note(?: that)?,? |all (?:of )?|everything |none of |nothing (?:of |in )?)*(?:the )?(?:above|preceding|foregoing|aforementioned)(?: <st>| section| paragraph| is| was| are)*(?: above)? ?(?:<be>|is|are)? ?<adv>(?:<no>|true|correct|real)<end>|^(?:the )?<st> above <be> <adv><no><end>|^(?:das obige|obiges|die obigen angaben|alles obige) (?:ist|sind|stimmt) (?:\w+ )?(?:falsch|veraltet|nicht|überholt|unwahr)|^ce qui précède (?:est|n['’]est) (?:\w+ )?(?:faux|obsolète|plus|pas)|^lo anterior (?:es|no es|ya no es) (?:\w+ )?(?:falso|incorrecto|cierto|obsoleto|verdad)|^以上(?:内容|说法|信息)?(?:都|均|已)?(?:是|为)?(?:错误|虚构|过时|不实|假的|谣言)|^上記は(?:誤り|間違い|嘘|古い)`)

	ofBefore = denialPattern(
		`(?i)^(?:but |and |however,? |except |actually,? |in fact,? |sadly,? |unfortunately,? )*(?:this|that|it|these|those|they|both|the (?:previous|last|preceding|former) (?:sentence|statement|claim|line|paragraph)|(?:this|that|the|these) <st>|none of (?:this|that|these)) ?(?:(?:<be>|['’]s) <adv><no>|(?:isn['’]t|is not|are not|aren['’]t|wasn['’]t|was not) <adv>(?:true|so|correct|the case|right))<end>` +
			`|^(?:(?-i:False|FALSE|Wrong|WRONG|Incorrect|Untrue|Nonsense|Debunked|Falsch|Faux|Falso|Mentira|Ложь|NOT)|not true|nope|just kidding|only kidding|kidding|not really|april fools?|no longer true|no longer valid|stimmt nicht|das stimmt nicht|das ist falsch|c['’]est faux|ce n['’]est (?:pas|plus) vrai|es falso|eso es falso|esto es falso|no es cierto|isso é falso|è falso|non è vero|onwaar|dat klopt niet|dit is onjuist|неверно|неправда|это неправда|это неверно|это не так|nieprawda|to nieprawda)\s*(?:[.!—–]|,\s|$)` +
			`|^(?:das|dies|diese aussage|diese behauptung) (?:ist|war|stimmt|gilt) (?:\w+ )?(?:falsch|unwahr|nicht(?: mehr)?|überholt|veraltet|ein mythos|ein irrtum|widerlegt)|^(?:c['’]est|cela est|ceci est|cette affirmation est) (?:\w+ )?(?:faux|fausse|inexacte?|un mythe|une erreur|obsolète)|^(?:esto|eso|esta afirmación) (?:es|no es|ya no es) (?:\w+ )?(?:fals[oa]|incorrect[oa]|un mito|cierto|verdad|mentira)|^(?:dit|dat) (?:is|klopt) (?:\w+ )?(?:onwaar|onjuist|niet|een fabel|fout)|^(?:这|這|此|该)(?:是|一?说法(?:是|并?不)?|并非|并不|不是)(?:错误|錯誤|谣言|謠言|不实|假|正确|事实|真的|误解)|^(?:これは|それは)(?:誤り|間違い|嘘|デマ|事実ではありません|正しくありません)`)

	// ofBeforeToo are sentences about the one before them whose words stand close together.
	ofBeforeToo = denialPattern(
		`(?i)^(?:but |and |though |yet )?(?:this|that|it|these(?: figures| numbers)?|the (?:figure|claim|statement)) (?:(?:was|were|used to be)(?: only| still| indeed)? (?:true|so|correct|valid|accurate|right|the case)|held(?: true)?|applied) (?:only )?(?:until|till|up to|up until|before) ` +
			`|^(?:this|that|it) used to be (?:true|so|right|the case|correct)\b|^(?:das|dies|es) (?:galt|stimmte|traf zu|war (?:so|wahr|richtig)) (?:nur )?bis\b|^(?:c['’]était|cela était|ceci était) (?:\w+ )?(?:vrai|exact|valable|le cas) jusqu|^(?:esto|eso) (?:era|fue) (?:cierto|verdad|así|válido|correcto) hasta\b` +
			`|^(?:this|that|it|they|these|both) (?:was|were|is|are|has been|have been|had been)(?: \w+){0,2} (?:debunked|refuted|disproved|disproven|discredited)\b|^(?:das|dies) (?:wurde|ist)(?: \S+){0,2} (?:widerlegt|dementiert|widerrufen)\b|^(?:cela|ceci) a (?:\w+ )?été (?:démenti|réfuté|infirmé|rétracté)|^(?:esto|eso) (?:fue|ha sido) (?:desmentido|refutado|rectificado|retractado)\b` +
			`|^(?:at least,? |well,? |but |or )*so (?:he|she|they|it|some|one|people|legend|rumou?r|(?:the|his|her|their|our|my|an?) (?:\w+ ){0,2}\w+) (?:goes|says|said|say|claims?|claimed|believes?|believed|thinks?|thought|has it|would have (?:you|us) believe)\s*(?:[.!,;]|$)` +
			`|^(?:(?:utter|complete|total|pure|absolute|sheer|what|such|völliger|reiner|totaler|so ein) )*(?:nonsense|rubbish|bunk|humbug|baloney|hogwash|busted|debunked|quatsch|unsinn|blödsinn|sottises?|n['’]importe quoi|tonterías?|disparates?)\s*[.!]+$|^(?:pants on fire|not|not so|of course not|wrong again|far from it)\s*!+$|^(?:not so|far from it|wrong again)\.$` +
			`|^wer['’]?s? (?:das )?glaubt,? wird selig\b|^(?:all )?(?:lies|lügen|mensonges|mentiras)\s*[.!]+$|^that is no longer so\b|^[—–-]\s*(?:false|wrong|untrue|incorrect|not true|falsch|unwahr|faux|falso)\s*[.!]?$|^(?:❌|🚫|👎)\W*$|^(?:we|i|the editors?|our \w+)?\s*(?:could|can|were|was) ?(?:not|n['’]t)(?: able to)? (?:\w+ )?(?:confirm|verify|substantiate|stand by) (?:this|that|these|the) ?(?:<st>)?\b` +
			`|^(?:this|that|it|the (?:above|text|story)) (?:was|is) (?:our|my|their|his|her|just an?|only an?) (?:\w+ )?(?:joke|april fools?['’]?s? (?:joke|prank|hoax)|prank|hoax|satire|invention)\b|^(?:the|a|an|our|this) [^,;:]{2,40} (?:found|proved|proven|showed|shown|exposed|ruled|judged|declared) (?:it|this|that|the claim|them|these) (?:to be |as |was |were )?(?:an? )?(?:lies?|hoax|myth|false|untrue|wrong|fabricated|invention|fake)\b|^(?:the|this) (?:whole |entire )?(?:story|claim|thing|report) (?:turned out|proved|was found|was shown) to be (?:an? )?(?:lie|hoax|myth|false|untrue|fake|fabricated|joke)\b`)

	corrects = denialPattern(
		`(?i)^(?:correction|corrections|erratum|errata|rectification|clarification and correction|berichtigung|korrektur|richtigstellung|correctif|rectificatif|corrección|fe de erratas|correção|correzione|rettifica|rectificatie|исправление|更正|訂正)\s*(?:\([^)]{0,40}\)|,? \d[\d./ -]{0,20})?\s*[:：—–]`)

	earlier = denialPattern(`(?i)\b(?:earlier|previous|original|first|prior) (?:version|edition)`)

	verdictLine = denialPattern(
		`(?i)^(?:our )?(?:verdict|rating|ruling|fact[- ]check|conclusion|assessment|status|bewertung|urteil|veredicto|verdict final|вердикт|结论|判定)\s*(?:[:：—–]| is | - )\s*["“*_]*(?:(?:completely|mostly|totally|entirely|absolutely|largely) )?(?:false|untrue|wrong|incorrect|fake|hoax|myth|misleading|pants on fire|debunked|satire|not true|fabricated|fiction|falsch|unwahr|irreführend|faux|falso|engañoso|ложь|неверно|фейк|错误|谣言|虚假|誤り)`)

	verdictHead = denialPattern(
		`(?i)^(?:our )?(?:verdict|rating|ruling|true or false\??|true/false|is it true\??|true\?|fact[- ]check|fact or (?:fiction|myth)\??|correct\?|urteil|wahr\?|vrai ou faux\??|veredicto|verdadero o falso)$`)
	falseVerdict = denialPattern(
		`(?i)^(?:(?:completely|mostly|totally|entirely|largely) )?(?:false|untrue|wrong|incorrect|fake|hoax|myth|misleading|pants on fire|debunked|no|not true|fiction|falsch|unwahr|faux|falso|ложь)\b`)

	// falseColumn is the head of a column that holds what is not so.
	falseColumn = denialPattern(
		`(?i)^\W*(?:(?:(?:common|popular|widespread|frequent|old|the) )*(?:myths?|misconceptions?|rumou?rs?|falsehoods?|lies|fallac(?:y|ies)|false (?:claims?|statements?|beliefs?)|wrong (?:answers?|statements?|usage)|incorrect (?:usage|answers?|statements?)|(?:common|frequent) (?:errors?|mistakes?))|untrue|false|wrong|incorrect|hoax(?:es)?|don['’]?ts?|do not|what not to do|mythos|mythen|irrtum|irrtümer|falsch|mythes?|faux|idées? reçues?|mitos?|idées? fausses?|rumeurs?|gerüchte?|falschaussagen?|ideas? falsas?|falsas? creencias?|falso|bulos?|мифы?|неправильно|误区|誤解|谣言|错误)\W*$`)

	// mythCell is a label beside what it speaks of: a cell of a table, a defined term.
	mythCell = denialPattern(
		`(?i)^\W*(?:(?:common )?(?:myth|fiction|false|wrong|misconception|rumou?r|mythos|irrtum|mythe|mito|миф))\W*\d{0,2}$`)

	// remark is a line of code that is nothing but a remark.
	remark    = Pattern(`^\s*(?://+|#+|--|;+|/\*+|<!--|%+|")\s*(.*\S)\s*$`)
	wrongCode = denialPattern(
		`(?i)^\W{0,3}(?:wrong|bad|incorrect|don['’]?t(?: do (?:this|that))?|do not do (?:this|that)|never do (?:this|that)|not ok|not like this|anti-?pattern|falsch|faux|неправильно|错误)(?: (?:way|example|code|usage|practice))?\s*(?:[:：!.,(—–-]|\*/|-->|$)`)
)
