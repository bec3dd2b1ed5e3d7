package screen

// Overrides in other languages: a verb that dismisses, a word for what came
// before, a word for instructions, within a few words of each other. \w and \b
// know ASCII letters only, so these patterns spell out what may stand between.
// Keywords leave out a first letter that may be a capital.
const few = `(?:[\pL'’]+\s+){0,4}?`

var otherLanguages = []rule{
	override("es", []string{"gnora", "gnore", "lvida", "lvide", "aso omiso", "escarta"},
		`(?:ignor(?:a|e|ad|en)|olvid(?:a|e|ad|en|ate de)|haz caso omiso de|haga caso omiso de|descart(?:a|e))\s+`+few+`(?:(?:anteriores|previas)\s+(?:instrucciones|indicaciones|órdenes|reglas)|(?:instrucciones|indicaciones|órdenes|reglas|directrices|directivas|comandos)\s+(?:anteriores|previas|precedentes|originales|iniciales|de arriba|del sistema)|tus\s+instrucciones|todo\s+lo\s+(?:anterior|que\s+te\s+(?:han\s+)?dij\pL+))`),
	override("de", []string{"gnorier", "ergiss", "ergessen sie", "issachte", "eachte"},
		`(?:ignorier(?:e|en\s+sie|t)?|vergiss|vergessen\s+sie|missachte(?:n\s+sie)?|(?:beachte|befolge)(?:n\s+sie)?\s+nicht)\s+`+few+`(?:(?:vorherigen?|bisherigen?|vorigen?|früheren?|obigen?|vorangegangenen?|vorangehenden?|vorstehenden?|ursprünglichen?)\s+(?:\pL+\s+)?|(?:deine|ihre|eure)\s+)(?:anweisung(?:en)?|instruktion(?:en)?|befehle?|vorgaben?|regeln?|aufforderung(?:en)?|prompts?)|vergiss\s+alles,?\s+was\s+(?:dir|man\s+dir)\s+(?:gesagt|aufgetragen|befohlen)`),
	override("fr", []string{"gnore", "ublie", "as compte d", "églige"},
		`(?:ignore[zr]?|oublie[zr]?|ne\s+(?:tiens|tenez)\s+pas\s+compte\s+d\pL+|néglige[zr]?)\s+`+few+`(?:(?:instructions?|consignes?|directives?|ordres|règles)\s+(?:précédentes?|antérieures?|ci-dessus|initiales?|préalables?|d['’]origine|système)|(?:tes|vos)\s+(?:instructions|consignes)|tout\s+ce\s+(?:qui\s+précède|qu['’]on\s+t['’]a\s+dit))`),
	content("fr", []string{"gnore"},
		`ignore[zr]?\s+(?:le|la|les|ce|cette|ces|l['’])\s?\pL+(?:\s+\pL+)?\s+et\s+(?:indique|affiche|écri|di[st]|répond|déclare)\pL*`),
	override("pt", []string{"gnore", "gnora", "squeça", "squece", "esconsidere"},
		`(?:ignor(?:e|a|em)|esque(?:ça|ce|cer)(?:-se\s+d\pL+)?|desconsider(?:e|a))\s+`+few+`(?:(?:instruções|instrucoes|orientações|ordens|comandos|regras|diretrizes)\s+(?:anteriores|prévias|acima|originais|iniciais|precedentes|do\s+sistema)|(?:tuas|suas)\s+instruções)`),
	override("it", []string{"gnora", "imentica", "rascura"},
		`(?:ignora(?:te|re)?|dimentica(?:te|re)?|trascura(?:te)?)\s+`+few+`(?:(?:precedenti|anteriori)\s+(?:istruzioni|indicazioni|direttive)|(?:istruzioni|indicazioni|direttive|ordini|comandi|regole)\s+(?:precedenti|anteriori|di\s+cui\s+sopra|iniziali|originali|del\s+sistema)|tue\s+istruzioni)`),
	override("nl", []string{"egeer", "ergeet"},
		`(?:negeer|vergeet)\s+`+few+`(?:vorige|eerdere|voorgaande|bovenstaande|voorafgaande|oorspronkelijke)\s+(?:instructies|opdrachten|aanwijzingen|regels|prompts?)`),
	override("pl", []string{"gnoruj", "apomnij o"},
		`(?:zignoruj(?:cie)?|ignoruj(?:cie)?|zapomnij\s+o)\s+`+few+`(?:poprzedni\pL*|wcześniejsz\pL*|powyższ\pL*)\s+(?:\pL+\s+)?(?:instrukcj|poleceni|poleceń|wytyczn|zasad)\pL*`),
	override("sv", []string{"gnorera", "löm", "gnorer", "lem "},
		`(?:ignorera|glöm|ignorer|glem)\s+`+few+`(?:tidigare|föregående|tidligere|forrige|foregående|ovanstående)\s+(?:instruktion|instruks|anvisning|regler)\pL*`),
	override("cs", []string{"gnoruj", "apomeň"},
		`(?:ignoruj(?:te)?|zapomeň(?:te)?(?:\s+na)?)\s+`+few+`(?:předchozí|předešl\pL*|dosavadní)\s+(?:instrukce|pokyny|příkazy)`),
	override("ru", []string{"гнорир", "абудь", "бращай внимания", "бращайте внимания", "тбрось"},
		`(?:(?:про)?игнорир(?:уй|уйте|овать)|забудь(?:те)?(?:\s+о)?|не\s+обращай(?:те)?\s+внимания\s+на|отбрось(?:те)?)\s+`+few+`(?:предыдущ|прежн|предшествующ|вышеуказанн|прошл|ранн|исходн|системн|сво)\pL*\s+(?:\pL+\s+)?(?:инструкц|указани|команд|распоряжени|правил|подсказ|промпт)\pL*|забудь(?:те)?\s+вс[её],?\s+что\s+(?:тебе|вам|было|написано)`),
	override("uk", []string{"гноруй", "абудь"},
		`(?:про?ігноруй(?:те)?|ігноруй(?:те)?|забудь(?:те)?(?:\s+про)?)\s+`+few+`(?:попередн|минул)\pL*\s+(?:\pL+\s+)?(?:інструкц|вказівк|команд)\pL*`),
	override("tr", []string{"yok say", "yoksay", "örmezden gel", "unut"},
		`(?:önceki|yukarıdaki|daha\s+önceki)\s+`+few+`(?:talimat|komut|yönerge)\pL*\s+`+few+`(?:yok\s*say|görmezden\s+gel|unut)`),
	override("vi", []string{"ỏ qua"},
		`bỏ\s+qua\s+(?:tất\s+cả\s+|mọi\s+)?(?:các\s+|những\s+)?(?:hướng\s+dẫn|chỉ\s+dẫn|chỉ\s+thị|lệnh)[^.\n]{0,12}(?:trước|ở\s+trên)`),
	override("id", []string{"baikan", "upakan"},
		`(?:abaikan|lupakan)\s+(?:semua\s+)?(?:instruksi|perintah|petunjuk|arahan)[^.\n]{0,15}(?:sebelumnya|di\s+atas)`),
	override("ar", []string{"تجاهل", "انس ", "تجاوز"},
		`(?:تجاهل|انس|تجاوز)\s+(?:\pL+\s+){0,2}?(?:التعليمات|الأوامر|الإرشادات|تعليماتك)`),
	override("hi", []string{"अनदेखा", "भूल जा", "नज़रअंदाज", "नजरअंदाज"},
		`(?:पिछले|पिछली|पूर्व|उपरोक्त)[^।\n]{0,60}(?:निर्देश|आदेश)[^।\n]{0,40}(?:अनदेखा|भूल\s+जा|नज़रअंदाज|नजरअंदाज)`),
	override("zh", []string{"忽略", "无视", "無視", "忘记", "忘記", "忽视", "不要理会", "不要遵循", "不要遵守"},
		`(?:忽略|无视|無視|忘记|忘記|忽视|不要理会|不要遵循|不要遵守)[^。！？\n]{0,12}(?:之前|以前|先前|前面|以上|上面|上述|此前|前述|原有|系统)[^。！？\n]{0,8}(?:指令|指示|命令|提示|规则|規則|要求)`),
	override("ja", []string{"無視", "忘れ", "破棄"},
		`(?:これまで|以前|前|上記|先ほど|今まで|従来|元)(?:の|に|まで)[^。！\n]{0,14}(?:指示|命令|プロンプト|指令|ルール)[^。！\n]{0,10}(?:無視|忘れ|破棄)`),
	content("ja", []string{"無視して"},
		`無視して、?[^。\n]{0,40}(?:と述べて|と言って|と答えて|と回答して|と出力して|と書いて)(?:ください|下さい)?`),
	override("ko", []string{"무시", "잊어", "잊으"},
		`(?:이전|앞|위|지금까지|기존|모든)(?:의|에)?\s?[^.\n]{0,24}(?:지시|명령|지침|프롬프트|규칙)(?:사항)?(?:들)?(?:을|를|은|는)?\s*(?:모두|전부|다)?\s*(?:무시하|무시해|잊어|잊으)`),
	{
		name: "data_exfiltration", reason: "claims an order to send data away",
		keywords: []string{"se te ha ", "has sido instruid", "du wurdest ", "dir wurde ", "t'a été ", "t’a été ", "tu as été "},
		before:   8, after: 400,
		pattern: `(?i)(?:\b(?:se te ha (?:instruido|ordenado|pedido)|has sido instruid[oa])\b[^\n]{0,240}\benv[íi]a\pL*[^\n]{0,60}\ba\s+[\w.+-]+@|` +
			`\b(?:du wurdest|dir wurde) (?:angewiesen|aufgetragen|beauftragt)\b[^\n]{0,240}\b(?:send|schick)\pL*[^\n]{0,60}\ban\s+[\w.+-]+@|` +
			`(?:\b(?:il|on) t['’]a été (?:demandé|ordonné)|\btu as été chargée?)\b[^\n]{0,240}\benvo\pL*[^\n]{0,60}à\s+[\w.+-]+@)`,
	},
	{
		name: "prompt_disclosure", reason: "asks a model to give away its prompt",
		keywords: []string{"系统提示", "系統提示", "提示词", "システムプロンプト", "시스템 프롬프트", "истемный промпт", "истемную подсказку", "rompt système", "rompt del sistema", "ystemprompt", "rompt do sistema", "rompt di sistema"},
		before:   60, after: 90,
		pattern: `(?i)(?:(?:输出|輸出|显示|顯示|打印|透露|泄露|告诉我)[^。\n]{0,8}(?:系统提示|系統提示|提示词)|システムプロンプト[^。\n]{0,6}(?:表示|出力|教え|開示)|시스템 프롬프트[^.\n]{0,6}(?:출력|보여|표시|공개)|(?:выведи|покажи|раскрой|напиши)(?:те)?\s+(?:\pL+\s+){0,2}?системн\pL+\s+(?:промпт|подсказ)\pL*|(?:affiche|montre|révèle|donne)[zr]?(?:-moi)?\s+(?:le\s+|ton\s+|votre\s+)?prompt\s+système|(?:muestra|revela|imprime|dime)\s+(?:el\s+|tu\s+)?prompt\s+del\s+sistema|(?:zeige?|gib|verrate|nenne)\s+(?:\pL+\s+){0,2}?systemprompt|(?:mostra|rivela|mostre|revele)\s+(?:il\s+|o\s+|seu\s+)?prompt\s+(?:di|do)\s+sistema)`,
	},
}

func override(language string, keywords []string, pattern string) rule {
	return rule{
		name: "instruction_override", reason: "tells a model to drop its instructions (" + language + ")",
		keywords: keywords, before: 140, after: 260, pattern: `(?i)` + pattern, keep: affirmed,
	}
}

func content(language string, keywords []string, pattern string) rule {
	return rule{
		name: "content_override", reason: "tells a model to answer something else than what the page says (" + language + ")",
		keywords: keywords, before: 20, after: 260, pattern: `(?i)` + pattern, keep: affirmed,
	}
}

// negations stand before or behind the verb: do not forget the instructions.
var (
	negatedBefore = onceRegexp(`(?i)(?:^|[^\pL])(?:no|nunca|jamás|não|nao|non|mai|ne|n['’]|jamais|niet|nooit|nie|nigdy|nicht|niemals|inte|aldrig|ikke|не|никогда|ni|jangan|tidak|đừng|không|لا|न|मत|nie wolno)[ \t\x{a0}]*$|(?:勿|不要|别|別|不应|不能|不得|不可|切莫|从不|没有|不会|不该)[请]?$`)
	negatedBehind = onceRegexp(`^(?:しない|せず|しては|するな|されない|できない|してはいけ|하지\s*(?:마|않|말)|지\s*(?:마|않|말))`)
)

// affirmed leaves out quotations and sentences that say the opposite.
func affirmed(s string, start, end int) bool {
	return !quoted(s, start, end) && !negatedBefore().MatchString(s[max(0, start-24):start]) &&
		!negatedBehind().MatchString(s[end:min(len(s), end+24)])
}
