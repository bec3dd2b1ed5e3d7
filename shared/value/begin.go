package value

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// beginning is a set of the kinds of values that a lexeme may begin. Find looks it up
// before it asks a reader: most words and signs of a text begin nothing.
type beginning uint16

const (
	beginsDate beginning = 1 << iota
	beginsClock
	beginsPhone
	beginsISODuration
	beginsShortDuration
	beginsMoney
	beginsPercent
	beginsNumber

	// digitBeginnings are what digits may begin; beyondBeginnings are what signs beyond
	// ASCII may: €, ½, − and so on.
	digitBeginnings = beginsDate | beginsClock | beginsPhone | beginsShortDuration |
		beginsMoney | beginsNumber
	beyondBeginnings = beginsMoney | beginsNumber
)

// signBeginnings are what the ASCII signs may begin. An amount may begin with a point.
var signBeginnings = [utf8.RuneSelf]beginning{'+': beginsPhone | beginsNumber, '(': beginsPhone,
	'-': beginsMoney | beginsNumber, '.': beginsMoney | beginsNumber,
	',': beginsMoney | beginsNumber,
	'$': beginsMoney, '%': beginsPercent}

// wordBeginnings are what words may begin in any language; months and number words join
// them, see beginningsOf.
var wordBeginnings = map[beginning]string{
	beginsClock:       "noon midnight midday kl klo klokken klockan 上 下 午 오 凌",
	beginsISODuration: "p pt",
	beginsPercent:     "yüzde",
	beginsNumber:      "minus negative menos moins a an half quarter 第 负 負 マ",
	beginsDate:        "ad",
	beginsMoney: "a us u r c ca au nz hk s sg nt mx cdn kr sfr fr rs rm rp eur usd gbp chf " +
		"rmb",
}

// beginningAt returns what lexeme i may begin.
func (v *valuer) beginningAt(i int) beginning {
	l := &v.lex[i]
	switch {
	case l.kind == lexNumber:
		return digitBeginnings
	case l.kind == lexSign && l.text[0] >= utf8.RuneSelf:
		return beyondBeginnings
	case l.kind == lexSign:
		return signBeginnings[l.text[0]]
	}
	begins := v.begins.get(l.lower)
	if len(l.text) == 3 && l.text[0] <= 'Z' && currencyCodes[l.text] {
		begins |= beginsMoney
	}
	if v.words != nil && v.words.maySplit(l.lower) {
		begins |= beginsNumber
	}
	return begins
}

// beginnings are what words may begin, by language.
var beginnings sync.Map // language code → *wordTable[beginning]

func beginningsOf(code string, words *numberWords) *wordTable[beginning] {
	if monthTables()[code] == nil && words == nil {
		code = "-" // languages without words of their own share an entry
	}
	if t, ok := beginnings.Load(code); ok {
		return t.(*wordTable[beginning])
	}
	m := map[string]beginning{}
	for begins, list := range wordBeginnings {
		for _, w := range strings.Fields(list) {
			m[w] |= begins
		}
	}
	for _, code := range []string{"", code} {
		for w := range monthTables()[code].all() {
			m[w] |= beginsDate
		}
	}
	numbers := []map[string]float64{hanDigits, hanSmall}
	if words != nil {
		numbers = append(numbers, words.units, words.mults, words.ords)
	}
	for _, set := range numbers {
		for w := range set {
			m[w] |= beginsNumber
		}
	}
	t := tableOf(m)
	beginnings.Store(code, t)
	return t
}
