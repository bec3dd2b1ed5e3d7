package verify

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/value"
)

// stands reports whether s[start:end] is whole in s: neither end cuts a word or a number, or
// separates one from what changes its meaning: a sign, a bound, a power, a fraction, a unit,
// a scale word, the other end of a range, a denial.
func stands(s string, start, end int) bool {
	if !text.Whole(s, start, end) || cutsFront(s, start, end) || cutsBack(s, start, end) {
		return false
	}
	// Between two sentences there is no value, though one may end with 5 and the next begin
	// with March.
	return (afterStop.MatchString(lineBefore(s, start)) || !cutsValue(s, start)) &&
		(strings.ContainsAny(s[end-1:end], ".!?") || !cutsValue(s, end))
}

// reach is how far around an end of a quote is looked, in bytes. No number is longer.
const reach = 96

// lineBefore and lineAfter are the text next to byte i on its line and in its cell.
func lineBefore(s string, i int) string {
	from := max(0, i-reach)
	for from < i && !utf8.RuneStart(s[from]) {
		from++
	}
	b := s[from:i]
	return b[strings.LastIndexAny(b, "\n\t\r")+1:]
}

func lineAfter(s string, i int) string {
	to := min(len(s), i+reach)
	for to > i && to < len(s) && !utf8.RuneStart(s[to]) {
		to--
	}
	a := s[i:to]
	if k := strings.IndexAny(a, "\n\t\r"); k >= 0 {
		a = a[:k]
	}
	return a
}

// plainSigns writes what is around a number in one way: full-width forms as ASCII, all
// decimal digits as 0, all spaces within a line as one kind.
func plainSigns(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0xFF01 && r <= 0xFF5E:
			if r -= 0xFEE0; '0' <= r && r <= '9' {
				return '0'
			}
			return r
		case unicode.Is(unicode.Nd, r):
			return '0'
		case unicode.Is(unicode.Zs, r):
			return ' '
		}
		if plain, ok := plainSign[r]; ok {
			return plain
		}
		return r
	}, s)
}

// plainSign maps a sign to the one that patterns name.
var plainSign = map[rune]rune{0x2010: '-', 0x2011: '-', 0xFE63: '-', 0x2012: '–', 0x2215: '⁄',
	0x2044: '⁄', 0x066A: '%', 0x301C: '~', 0x223C: '~'}

// afterStop matches the text before the beginning of a sentence.
var afterStop = pattern(`[.!?…]["'”’)\]]* +$`)

// pattern is compiled when the package is loaded: each is small.
func pattern(expr string) *regexp.Regexp { return regexp.MustCompile(expr) }

const (
	money   = `[$€£¥₹₽₩₺₴₪¢฿]`
	numeral = `[〇零一二三四五六七八九十百千万萬亿億兆两兩廿卅]`
)

// frontOfNumber is what belongs to a number and may be cut off right before it. 0 is any
// digit; | is where the quote begins.
var frontOfNumber = []*regexp.Regexp{
	pattern(`[-–−+±∓¬√∛#§№^~≈≅≃≲≳<>≤≥≪≫≦≧⩽⩾≠∝⁄⁺⁻₊₋]$`), // −|12, <|5, ^|5
	pattern(`[−±∓√~≈≅≃≲≳≤≥≪≫≦≧⩽⩾≠§№⁄] $`),              // ≤ |5
	pattern(`[^ ] ?[<>] $`),                               // x > |5, but no mark of a quoted line
	pattern(`[\pL\pN)\]] ?[×⋅*+−] ?$|\pN[·∙]$`),           // 3 × |10, 5 + |3
	pattern(`[\pN)]\*\*$`),                                // 10**|5
	pattern(`\pN ?[xX] $`),                                // 3 x |4 m
	pattern(`[\pL\pN][/:：]$`),                             // 1/|2, 12:|30
	pattern(`\pN ?(?:\pL{1,4}|%|°\pL?)? ?[-–~] ?$|\pN—$`), // 5 – |10
	pattern(`(?:^|[^.])\.$`),                              // .|5
	pattern(`(?:\.\.|…)$`),                                // 5…|10
	pattern(money + ` ?$`),                                // $|5
	// 5 to |10
	pattern(`(?i)\pN(?: ?(?:%|\pL{1,4}))? (?:to|bis|till|until|through|thru|up to|` +
		`à|до|hasta|até|al|a|or|oder|ou|o|или) $`),
	// between 5 and |10
	pattern(`(?i)\bbetween ` + money + `?[\pN.,]+(?: ?(?:%|\pL{1,4}))? and $`),
	// 三|百
	pattern(`(?:` + numeral + `|[负負第])$`),
	pattern(`分之$`), // 百分之|十二
	pattern(`\pN[至到]$`),
	pattern(`(?i)\b(?:minus|plus|negative|moins|menos|meno|минус) $`),
}

// backOfNumber is what belongs to a number and may be cut off right after it.
var backOfNumber = []*regexp.Regexp{
	pattern(`^ ?[%‰‱°′″º²³±]`),
	pattern(`^ ?` + money),
	pattern(`^[-–−^~⁄⁺⁻₊₋+:：/][\pL\pN` + `$€£¥.]`),
	pattern(`^\+`),
	pattern(`^\*\*\pN`),
	pattern(`^ ?[×⋅∙·*^⁄] ?[\pN(]`),
	pattern(`^ ?[xX] ?\pN`),
	pattern(`^ [+−] \pN`),
	pattern(`^ [–~-] ` + money + `?\pN`),
	pattern(`^(?:\.\.|…)\pN`),
	pattern(`^ [¼½¾⅐-⅞]`),
	pattern(`^ 0⁄0|^ 0/0`),
	pattern(`^` + numeral),
	pattern(`^ ?[만억조천백割倍]|^ (?:per|pro|par) \pL`),
	pattern(`(?i)^ and (?:a|one) (?:half|quarter|third)\b`),
	pattern(`(?i)^ (?:and a half|et demie?|y medi[oa]|e mezz[oa]|einhalb)\b`),
	pattern(`(?i)^ ?(?:to|bis|till|through|thru|up to|à|до|hasta|até|al|or|oder|ou|или) ` +
		money + `?\pN`),
	pattern(`(?i)^[ -]?(?:` +
		`k|mn|bn|tn|m|b|mio|mrd|mil|lakh|crore|dozen|hundred|thousand|million|billion|` +
		`trillion|hundreds|thousands|millions|billions|trillions|percent|per cent|per mille|` +
		`prozent|promille|pour cent|por ciento|por cento|per cento|процент\pL*|millionen|` +
		`milliarden|milliarde|tausend|hundert|mille|milliards?|millones|millón|milioni|` +
		`milhões|milhão|bilhões|miliardi|тысяч\pL*|тыс|миллион\pL*|млн|миллиард\pL*|млрд|लाख|` +
		`करोड़|हज़ार|हजार|ألف|آلاف|مليون|ملايين|مليار` +
		`)(?:[^\pL]|$)`),
	pattern(`^[至到]` + numeral),
}

var (
	onlyNumber   = pattern(`^[\pN.,'’  ]+$`)
	longUnit     = pattern(`^ ?\pL{4,}$`)
	startsNumber = pattern(`^(?:` + money + ` ?)?[.]?\pN|^` + numeral)
	startsThree  = pattern(`^000(?:[^0]|$)`)
	endsNumber   = pattern(`(?:\pN|` + numeral + `)$`)
	endsShort    = pattern(`(?:^|[^0.,])0{1,3}(?: 000)*$`)
	endsMeasure  = pattern(`\pN ?(?:%|‰|°\pL?|` + money + `|\pL{1,10})$`)
)

// backOfMeasure is what changes a measure right after it: km|/h, m|²; or makes it the
// beginning of a range.
var backOfMeasure = []*regexp.Regexp{
	pattern(`^/\pL`),
	pattern(`^[·⋅]\pL`),
	pattern(`^ (?:per|pro|par|por) \pL`),
	pattern(`^ ?[–~-] ?` + money + `?\pN`),
	pattern(`(?i)^ (?:to|bis|till|through|thru|à|до|hasta|até) ` + money + `?\pN`),
}

// groupsBefore and groupsAfter are groups of digits that a blank separates from a quote:
// 12| 500. They belong to its number only if the quote begins with three digits, or ends with
// three at most.
var (
	groupsBefore = pattern(`(?:^|[^0])0{1,3}(?: 000)* $`)
	groupsAfter  = pattern(`^ 000(?:[^0]|$)`)
)

// beforeNumber reports whether the end of b belongs to the number that q begins with.
func beforeNumber(b, q string) bool {
	return startsThree.MatchString(q) && groupsBefore.MatchString(b) || anyMatches(frontOfNumber, b)
}

// afterNumber reports whether the beginning of a belongs to the number that q ends with.
func afterNumber(a, q string) bool {
	return endsShort.MatchString(q) && groupsAfter.MatchString(a) || anyMatches(backOfNumber, a)
}

func anyMatches(patterns []*regexp.Regexp, s string) bool {
	return slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(s) })
}

// joined reports whether a mark makes one word of the characters beside it; other is the one
// on its far side: non-toxic, don't.
func joined(mark, other rune) bool {
	switch mark {
	case '-':
		return isWord(other)
	case '\'', '’', 0xAD:
		return unicode.IsLetter(other)
	}
	return false
}

func isWord(r rune) bool       { return unicode.IsLetter(r) || unicode.IsNumber(r) }
func isApostrophe(r rune) bool { return r == '\'' || r == '’' }
func isUnseen(r rune) bool     { return r == '\u200b' || r == '\u200c' || r == '\u2060' }

// cutsFront reports whether the text before a quote belongs to its beginning.
func cutsFront(s string, start, end int) bool {
	before := lineBefore(s, start)
	if before == "" {
		return false
	}
	quote := s[start:min(end, start+reach)]
	b, q := plainSigns(before), plainSigns(quote)
	if startsNumber.MatchString(q) && beforeNumber(b, q) {
		return true
	}
	first, _ := utf8.DecodeRuneInString(q)
	last, size := utf8.DecodeLastRuneInString(b)
	other, _ := utf8.DecodeLastRuneInString(b[:len(b)-size])
	switch {
	case strings.ContainsRune(`$€£¥`, first) && isWord(last):
		return true // A|$10
	case !isWord(first):
		return false
	case isUnseen(last):
		return isWord(other)
	case joined(last, other) && !(isApostrophe(last) && elided(b[:len(b)-size])):
		return true // non-|toxic, don'|t
	}
	return parted(lastWords(b), firstWords(q), true)
}

// cutsBack reports whether the text after a quote belongs to its end.
func cutsBack(s string, start, end int) bool {
	after := lineAfter(s, end)
	if after == "" {
		return false
	}
	quote := s[max(start, lineStart(s, start, end)):end]
	a, q := plainSigns(after), plainSigns(quote)
	if endsNumber.MatchString(q) {
		if afterNumber(a, q) {
			return true
		}
		if line := s[strings.LastIndexAny(s[:end], "\n\t")+1 : end]; (a[0] == '"' ||
			a[0] == '\'' && !strings.HasPrefix(a, "'s")) && strings.Count(line, a[:1])%2 == 0 {
			return true // 5|" and no end of a quotation
		}
	}
	if endsMeasure.MatchString(q) && anyMatches(backOfMeasure, a) {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(q)
	next, size := utf8.DecodeRuneInString(a)
	other, _ := utf8.DecodeRuneInString(a[size:])
	switch {
	case !isWord(last):
		return false
	case isUnseen(next):
		return isWord(other)
	case joined(next, other):
		return true
	}
	return parted(lastWords(q), firstWords(a), false)
}

func lineStart(s string, start, end int) int {
	return end - len(lineBefore(s, end))
}

// cutsValue reports whether a boundary is within a value: an amount and its unit, a date, a
// telephone number.
func cutsValue(s string, i int) bool {
	before, after := lineBefore(s, i), lineAfter(s, i)
	if before == "" || after == "" {
		return false
	}
	// The window may cut a word at its border; leave that word out.
	if len(before) >= reach-3 {
		before = before[strings.IndexByte(before, ' ')+1:]
	}
	if len(after) >= reach-3 {
		if k := strings.LastIndexByte(after, ' '); k >= 0 {
			after = after[:k]
		}
	}
	if !strings.ContainsFunc(before+after, unicode.IsNumber) && surelyNoNumber(before, after) {
		return false
	}
	for _, v := range value.Find(before+after, "en") {
		if v.Start < len(before) && len(before) < v.End {
			// A number without the long word that it counts (140 of 140 terabytes) says
			// less, but nothing else.
			return !onlyNumber.MatchString(before[v.Start:]) ||
				!longUnit.MatchString(after[:v.End-len(before)])
		}
	}
	return false
}

// surelyNoNumber reports whether the words at a boundary cannot be a number, so that most
// boundaries need no reading of values.
func surelyNoNumber(before, after string) bool {
	l, r := lastWords(before), firstWords(after)
	return (len(l) == 0 || !numberWords[l[len(l)-1]]) && (len(r) == 0 || !numberWords[r[0]])
}

// lastWords and firstWords are the two words next to a boundary, in lower case; fewer if
// something other than a space separates them from it.
func lastWords(s string) []string {
	m := lastTwo.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	return strings.Fields(strings.ReplaceAll(strings.ToLower(m[0]), "’", "'"))
}

func firstWords(s string) []string {
	m := firstTwo.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	return strings.Fields(strings.ReplaceAll(strings.ToLower(m[0]), "’", "'"))
}

var (
	lastTwo  = pattern(`(?:[\pL\pM\pN'’]+ )?[\pL\pM\pN'’]+ ?$`)
	firstTwo = pattern(`^ ?[\pL\pM\pN'’]+(?: [\pL\pM\pN'’]+)?`)
)

// parted reports whether a boundary between words separates a number in words, or a denial
// from what it denies: five| hundred, not| safe. front says that the quote is on the right.
func parted(left, right []string, front bool) bool {
	if len(left) == 0 || len(right) == 0 {
		return false
	}
	l, r := left[len(left)-1], right[0]
	before, behind := "", "" // the words beyond these two
	if len(left) > 1 {
		before = left[0]
	}
	if len(right) > 1 {
		behind = right[1]
	}
	switch {
	case oneNumber(l, r),
		r == "and" && scaleWords[l] && numberWords[behind],
		l == "and" && scaleWords[before] && numberWords[r]:
		return true
	case front:
		return deniesAhead(before, l, r)
	}
	return denialsBehind[r] || r == "no" && behind == "longer"
}

// deniesAhead reports whether word, with the one before it, denies what follows, which
// begins with next.
func deniesAhead(before, word, next string) bool {
	return denials[word] || strings.HasSuffix(word, "n't") ||
		before == "no" && word == "longer" || word == "no" && next == "longer"
}

// oneNumber reports whether two words, or a number and a word, are of one number.
func oneNumber(l, r string) bool {
	digits := l == strings.Repeat("0", len(l))
	return (digits || numberWords[l] || scaleWords[l]) && scaleWords[r] ||
		(scaleWords[l] || tenWords[l] && !tenWords[r]) && numberWords[r]
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// numberWords and scaleWords are words of numbers that are written as several words. German,
// Dutch and others write one word, and no quote may cut a word.
var (
	numberWords = set(`two three four five six seven eight nine ten eleven twelve thirteen fourteen
		fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty
		ninety one half deux trois quatre cinq sept huit neuf dix onze douze quinze vingt trente
		quarante cinquante soixante dos tres cuatro cinco seis siete ocho nueve diez veinte treinta
		cuarenta cincuenta sesenta setenta ochenta noventa due tre quattro cinque sei sette otto
		nove dieci venti trenta dois três quatro sete oito dez vinte trinta quarenta два две три
		четыре пять шесть семь восемь девять десять двадцать тридцать сорок пятьдесят сто двести
		триста zwei drei vier fünf`)
	tenWords = set(`twenty thirty forty fifty sixty seventy eighty ninety vingt trente quarante
		cinquante soixante veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa venti
		trenta vinte trinta quarenta двадцать тридцать сорок пятьдесят сто двести триста`)
	scaleWords = set(`hundred thousand million billion trillion hundreds thousands millions billions
		dozen lakh crore cent cents mille million millions milliard milliards cien ciento mil millón
		millones cento mila milione milioni miliardo miliardi milhão milhões bilhão bilhões тысяча
		тысячи тысяч миллион миллиона миллионов миллиард миллиарда миллиардов million millionen
		milliarde milliarden लाख करोड़ हज़ार ألف مليون`)
	denials = set("not no never without cannot non nor neither nicht kein keine keinen nie " +
		"niemals ohne pas jamais sans nunca jamás sin senza mai não nem sem niet geen nooit не " +
		"нет никогда без ikke inte aldrig")
	denialsBehind = set("not never nicht pas jamais niet nooit ikke inte nunca не")
)

// elisions are words that lose their end before a vowel: l'eau, dell'acqua; but not n',
// which denies.
var elisions = set("l d j qu s t m c dell all nell sull dall un quest lorsqu puisqu jusqu")

func elided(before string) bool {
	w := lastWords(before)
	return len(w) > 0 && elisions[w[len(w)-1]]
}
