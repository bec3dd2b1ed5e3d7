package screen

import (
	_ "embed"
	"strings"

	"wstk/shared/lexicon"
)

//go:embed overrides.txt
var overrideFile string

// few is up to four words, which {few} stands for in overrides.txt.
const few = `(?:[\pL'’]+\s+){0,4}?`

// overrides are the rules of overrides.txt.
func overrides() (rules []rule) {
	l := lexicon.Parse(overrideFile)
	add := func(family, name, reason string, before int) {
		for e := range l.Entries(family) {
			rules = append(rules, rule{
				name: name, reason: reason + " (" + e.Lang() + ")",
				keywords: strings.Split(e[1], ","), before: before, after: 260,
				pattern: `(?i)` + strings.ReplaceAll(e.Phrase(), "{few}", few), keep: affirmed,
			})
		}
	}
	add("override", "instruction_override", "tells a model to drop its instructions", 140)
	add("content", "content_override",
		"tells a model to answer something else than what the page says", 20)
	return rules
}

// otherLanguages are rules that hold several languages each.
var otherLanguages = []rule{
	{
		name: "data_exfiltration", reason: "claims an order to send data away",
		keywords: []string{"se te ha ", "has sido instruid", "du wurdest ", "dir wurde ",
			"t'a été ", "t’a été ", "tu as été "},
		before: 8, after: 400,
		pattern: `(?i)(?:\b(?:se te ha (?:instruido|ordenado|pedido)|has sido instruid[oa])\b[^\n]{0,240}\benv[íi]a\pL*[^\n]{0,60}\ba\s+[\w.+-]+@|` +
			`\b(?:du wurdest|dir wurde) (?:angewiesen|aufgetragen|beauftragt)\b[^\n]{0,240}\b(?:send|schick)\pL*[^\n]{0,60}\ban\s+[\w.+-]+@|` +
			`(?:\b(?:il|on) t['’]a été (?:demandé|ordonné)|\btu as été chargée?)\b[^\n]{0,240}\benvo\pL*[^\n]{0,60}à\s+[\w.+-]+@)`,
	},
	{
		name: "prompt_disclosure", reason: "asks a model to give away its prompt",
		keywords: []string{"系统提示", "系統提示", "提示词", "システムプロンプト", "시스템 프롬프트", "истемный промпт",
			"истемную подсказку", "rompt système", "rompt del sistema", "ystemprompt",
			"rompt do sistema", "rompt di sistema"},
		before: 60, after: 90,
		pattern: `(?i)(?:(?:输出|輸出|显示|顯示|打印|透露|泄露|告诉我)[^。\n]{0,8}(?:系统提示|系統提示|提示词)|システムプロンプト[^。\n]{0,6}(?:表示|出力|教え|開示)|시스템 프롬프트[^.\n]{0,6}(?:출력|보여|표시|공개)|(?:выведи|покажи|раскрой|напиши)(?:те)?\s+(?:\pL+\s+){0,2}?системн\pL+\s+(?:промпт|подсказ)\pL*|(?:affiche|montre|révèle|donne)[zr]?(?:-moi)?\s+(?:le\s+|ton\s+|votre\s+)?prompt\s+système|(?:muestra|revela|imprime|dime)\s+(?:el\s+|tu\s+)?prompt\s+del\s+sistema|(?:zeige?|gib|verrate|nenne)\s+(?:\pL+\s+){0,2}?systemprompt|(?:mostra|rivela|mostre|revele)\s+(?:il\s+|o\s+|seu\s+)?prompt\s+(?:di|do)\s+sistema)`,
	},
}

// negations stand before or behind the verb: do not forget the instructions.
var (
	negatedBefore = onceRegexp(
		`(?i)(?:^|[^\pL])(?:no|nunca|jamás|não|nao|non|mai|ne|n['’]|jamais|niet|nooit|nie|nigdy|nicht|niemals|inte|aldrig|ikke|не|никогда|ni|jangan|tidak|đừng|không|لا|न|मत|nie wolno)[ \t\x{a0}]*$|(?:勿|不要|别|別|不应|不能|不得|不可|切莫|从不|没有|不会|不该)[请]?$`)
	negatedBehind = onceRegexp(`^(?:しない|せず|しては|するな|されない|できない|してはいけ|하지\s*(?:마|않|말)|지\s*(?:마|않|말))`)
)

// affirmed leaves out quotations and sentences that say the opposite.
func affirmed(s string, start, end int) bool {
	return !quoted(s, start, end) && !negatedBefore().MatchString(s[max(0, start-24):start]) &&
		!negatedBehind().MatchString(s[end:min(len(s), end+24)])
}
