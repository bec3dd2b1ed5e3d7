package value

import (
	"math"
	"strings"
	"sync"

	"wstk/shared/text"
)

// currencySigns are signs that mean one currency wherever they stand; see
// currencyOf for those that do not.
var currencySigns = map[string]string{
	"€": "EUR", "£": "GBP", "₹": "INR", "₽": "RUB", "₩": "KRW", "₺": "TRY", "₪": "ILS", "฿": "THB",
	"₫": "VND", "₴": "UAH", "₦": "NGN",
	"₱": "PHP", "₡": "CRC", "₲": "PYG", "₵": "GHS", "₸": "KZT", "₭": "LAK", "₮": "MNT", "₾": "GEL",
	"₼": "AZN", "₿": "BTC", "﷼": "IRR",
	"¥": "", "$": "", "¢": "",
}

// dollars are the letters that stand before a dollar sign.
var dollars = map[string]string{"us": "USD", "a": "AUD", "au": "AUD", "c": "CAD", "ca": "CAD",
	"cdn": "CAD", "hk": "HKD", "nz": "NZD", "s": "SGD", "sg": "SGD",
	"r": "BRL", "nt": "TWD", "mx": "MXN", "j": "JMD", "cn": "CNY", "z": "ZWL"}

// regionDollars are the regions whose plain $ is not the US dollar.
var regionDollars = map[string]string{"CA": "CAD", "AU": "AUD", "NZ": "NZD", "HK": "HKD",
	"SG": "SGD", "MX": "MXN", "AR": "ARS", "CL": "CLP", "CO": "COP",
	"TW": "TWD", "UY": "UYU", "JM": "JMD", "BR": "BRL"}

// currencyCodes are the ISO codes read as such when written in capitals.
var currencyCodes = text.WordSet(
	"USD EUR GBP JPY CNY RMB INR RUB KRW TRY ILS THB VND UAH NGN PHP BRL MXN CAD AUD NZD HKD",
	"SGD CHF SEK NOK DKK PLN CZK HUF RON BGN ISK ZAR AED SAR EGP IDR MYR TWD ARS CLP COP PEN",
	"KES PKR BDT LKR MAD TND QAR KWD BHD OMR JOD GEL KZT AZN BTC ETH XAU DEM FRF ITL ESP NLG",
	"ATS BEF")

// symbols are currency signs and codes that may touch a number, in lower case.
var symbols = func() map[string]bool {
	m := map[string]bool{"us": true, "r": true, "kr": true, "rs": true, "fr": true, "sfr": true,
		"chf": true, "eur": true, "usd": true, "gbp": true, "rm": true, "rp": true}
	for k := range currencySigns {
		m[k] = true
	}
	return m
}()

// currencyWords are names of currencies in several languages, in lower case.
// Names that several countries use are ambiguous: see currencyOf.
var currencyWords = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for code, words := range map[string]string{
		"USD": "dollar|dollars|dólar|dólares|dollaro|dollari|доллар|доллара|долларов|dolar|us " +
			"dollar|us dollars|u.s. dollars|united states dollar|united states dollars|american " +
			"dollars|美元|美金|ドル|米ドル|달러|bucks|buck",
		"EUR": "euro|euros|евро|欧元|歐元|ユーロ|유로|avro",
		"GBP": "pound sterling|pounds sterling|british pound|british pounds|quid|libra " +
			"esterlina|libras esterlinas|livre sterling|livres sterling|pfund sterling|фунтов " +
			"стерлингов|英镑|英鎊",
		"JPY": "yen|yenes|yens|japanese yen|иен|иены|йен|йены|日元|円|엔",
		"CNY": "yuan|chinese yuan|renminbi|юань|юаней|юаня|元|人民币|人民幣|人民元|块钱|위안",
		"INR": "rupee|rupees|rupia|rupias|rupie|rupien|indian rupee|indian " +
			"rupees|रुपये|रुपए|रुपया|рупий|卢比",
		"RUB": "rouble|roubles|ruble|rubles|rublo|rublos|rubel|рубль|рубля|рублей|руб|卢布",
		"KRW": "won|south korean won|원|韩元|вон",
		"CHF": "swiss franc|swiss francs|schweizer franken|franken|franchi svizzeri|francs " +
			"suisses|franco suizo|francos suizos",
		"TRY": "lira|liras|turkish lira|türk lirası",
		"CAD": "canadian dollar|canadian dollars", "AUD": "australian dollar|australian dollars",
		"NZD": "new zealand dollar|new zealand dollars",
		"HKD": "hong kong dollar|hong kong dollars|港元|港币|香港ドル|香港元",
		"SGD": "singapore dollar|singapore dollars",
		"MXN": "mexican peso|mexican pesos",
		"BRL": "real brasileiro|reais|brazilian real|brazilian reais",
		"SEK": "swedish krona|swedish kronor|kronor|krona",
		"NOK": "norwegian krone|norwegian kroner", "DKK": "danish krone|danish kroner",
		"PLN": "zloty|zlotys|złoty|złotych|złote|zł", "CZK": "czech koruna|korun|kč",
		"HUF": "forint|forints", "UAH": "hryvnia|гривень|гривен|гривна|гривні|грн",
		"THB": "baht|บาท", "VND": "dong|đồng", "ILS": "shekel|shekels",
		"ZAR": "rand|south african rand", "BTC": "bitcoin|bitcoins",
		"peso": "peso|pesos", "franc": "franc|francs|franco|francos|franchi|franken",
		"krone": "krone|kroner", "GEL": "lari|georgian lari", "RON": "leu|lei",
		"LAK": "kip|lao kip",
		"LKR": "sri lankan rupee|sri lankan rupees", "PKR": "pakistani rupee|pakistani rupees",
		"FIM": "markka|finnish markka|finnish markkas",
		"DEM": "deutschmark|deutschmarks|deutsche mark",
		"CRC": "costa rican colón", "ESP": "peseta|pesetas", "AED": "dirham|dirhams|uae dirham",
	} {
		for _, w := range strings.Split(words, "|") {
			key, _ := unitKey(w)
			m[key] = code
		}
	}
	return m
})

// currencyFirst are the words that the names of currencies begin with.
var currencyFirst = sync.OnceValue(func() *wordTable[bool] {
	return tableOf(firstWords(currencyWords()))
})

// minorWords are hundredths of a currency; "" means of the one named before, or
// of an unknown one.
var minorWords = map[string]string{"cent": "USD", "cents": "USD", "pence": "GBP", "penny": "GBP",
	"pennies": "GBP", "céntimo": "EUR", "céntimos": "EUR", "centime": "EUR",
	"centimes": "EUR", "centesimi": "EUR", "centavo": "centavo", "centavos": "centavo",
	"копеек": "RUB", "копейки": "RUB", "копейка": "RUB", "paise": "INR", "peniques": "GBP",
	"öre": "SEK", "øre": "krone"}

// localCurrencies say which currency a sign or name that several countries use means by the
// language or the region of the text; without either, what most pages mean.
var localCurrencies = map[string]string{
	"¥": "JPY", "¥ zh": "CNY", "¢": "USD",
	"kr sv": "SEK", "kr no": "NOK", "kr nb": "NOK", "kr nn": "NOK", "kr da": "DKK", "kr is": "ISK",
	"krone no": "NOK", "krone nb": "NOK", "krone nn": "NOK", "krone da": "DKK",
	"franc CH": "CHF", "INR PK": "PKR",
}

// currencyOf settles signs and names that several countries use, by the region
// of the text's language; where that does not decide, the sign or name itself is
// the unit, except for $ outside Spanish and Portuguese, which is the US dollar.
func (v *valuer) currencyOf(sign string) string {
	switch local := regionDollars[v.region]; {
	case (sign == "$" || sign == "dollar" || sign == "peso") && local != "":
		return local
	case sign == "$" || sign == "dollar":
		if v.lang == "es" && v.region != "US" && v.region != "ES" ||
			v.lang == "pt" && v.region == "" {
			return "$"
		}
		return "USD"
	}
	for _, key := range []string{sign + " " + v.region, sign + " " + v.lang, sign} {
		if code := localCurrencies[key]; code != "" {
			return code
		}
	}
	return sign
}

// currencyAt returns the currency written at lexeme i as a sign, a code or a
// word, and where it ends; 0 for none. before reports whether a number is to
// follow: words stand behind it only.
func (v *valuer) currencyAt(i int, before bool) (code string, minor bool, to int) {
	switch l := v.at(i); l.kind {
	case lexSign:
		return v.currencySign(i, before)
	case lexWord:
		for _, read := range []func(int, bool) (string, int){v.dollarBehind,
			v.currencyCode, v.currencyShort} {
			if code, to := read(i, before); to != 0 {
				return code, false, max(to, 0)
			}
		}
		if !before {
			return v.currencyName(i)
		}
	}
	return "", false, 0
}

// currencySign reads $, € and so on, and $US.
func (v *valuer) currencySign(i int, before bool) (code string, minor bool, to int) {
	sign := v.at(i).text
	code, ok := currencySigns[sign]
	switch {
	case !ok:
		return "", false, 0
	case sign == "$" && before && v.lang != "" && v.glued(i+1) && v.at(i+1).text == "US":
		return "USD", false, i + 2
	case code == "":
		code = v.currencyOf(sign)
	}
	return code, sign == "¢", i + 1
}

// dollarBehind reads US$, R$, U.S. $ and U.S. dollars.
func (v *valuer) dollarBehind(i int, before bool) (code string, to int) {
	l := v.at(i).lower
	if v.at(i+1).text == "$" && v.glued(i+1) {
		if c := dollars[l]; c != "" {
			return c, i + 2
		}
	}
	if l != "u" || v.at(i+1).text != "." || v.at(i+2).lower != "s" {
		return "", 0
	}
	k := i + 3
	if v.at(k).text == "." {
		k++
	}
	if d := v.at(k).lower; d == "$" || !before && (d == "dollar" || d == "dollars") {
		return "USD", k + 1
	}
	return "", 0
}

// currencyCode reads ISO codes in capitals, and RMB.
func (v *valuer) currencyCode(i int, _ bool) (code string, to int) {
	switch l := v.at(i); {
	case l.lower == "rmb":
		return "CNY", i + 1
	case currencyCodes[l.text]:
		return l.text, i + 1
	}
	return "", 0
}

// shortCurrencies are abbreviations and codes in small letters; fr is read in Switzerland,
// rm and rp with a capital before the number.
var shortCurrencies = map[string]string{"kr": "kr", "sfr": "CHF", "fr": "CHF", "rs": "INR",
	"re": "", "rm": "MYR", "rp": "IDR",
	"eur": "EUR", "usd": "USD", "gbp": "GBP", "chf": "CHF"}

// currencyShort reads shortCurrencies; to is -1 where one stands but means something else.
func (v *valuer) currencyShort(i int, before bool) (code string, to int) {
	l := v.at(i)
	code, ok := shortCurrencies[l.lower]
	if !ok {
		return "", 0
	}
	capital := before && l.text != l.lower
	switch {
	case v.glued(i) && before, code == "", l.lower == "fr" && v.region != "CH",
		(l.lower == "rm" || l.lower == "rp") && !capital:
		return "", -1
	}
	if to = i + 1; v.at(to).text == "." && v.glued(to) && (before || l.lower == "kr") {
		to++
	}
	return v.currencyOf(code), to
}

// currencyName reads the longest name: "us dollars" before "us", and parts of a currency.
func (v *valuer) currencyName(i int) (code string, minor bool, to int) {
	l := v.at(i)
	if (l.lower == "pound" || l.lower == "pounds") && v.lang == "en" &&
		(v.moneyNear(i) || v.bareCents(i+1).to > 0) {
		return "GBP", false, i + 1
	}
	if currencyFirst().get(l.lower) {
		code, to = v.longestCurrency(i)
	}
	switch {
	case code == "USD" && to == i+1 &&
		(strings.HasPrefix(l.lower, "d") || strings.HasPrefix(l.lower, "д")):
		return v.currencyOf("dollar"), false, to
	case to > 0:
		return v.currencyOf(code), false, to
	}
	if c, ok := minorWords[l.lower]; ok {
		return v.currencyOf(c), true, i + 1
	}
	return "", false, 0
}

// longestCurrency returns the currency that the most lexemes from i on name, "" for none.
func (v *valuer) longestCurrency(i int) (code string, to int) {
	key := v.key[:0]
	for k := i; k < len(v.lex) && k < i+6; k++ {
		if k > i && isUnitJoint(v.lex, k) {
			continue
		}
		if k > i {
			key = append(key, ' ')
		}
		key = append(key, v.lex[k].lower...)
		if c, ok := currencyWords()[string(key)]; ok && !v.hangsOn(k+1) {
			code, to = c, k+1
		}
	}
	v.key = key
	return code, to
}

var moneyWords = text.WordSet(
	`£ cost costs price paid pay worth earn sterling gbp fee fine profit profits revenue
	sales budget salary loss debt tax investment deal`)

// moneyNear reports whether the line speaks of money elsewhere.
func (v *valuer) moneyNear(i int) bool {
	for k := max(0, i-12); k < min(len(v.lex), i+6); k++ {
		if moneyWords[v.at(k).lower] {
			return true
		}
	}
	return false
}

// money reads an amount at lexeme i, with its currency before or behind.
func (v *valuer) money(i int) (Value, int) {
	if i == v.carryAt {
		if n := v.amount(i); n.to > 0 {
			return v.moneyValue(i, n, v.carry, false)
		}
	}
	k, negative := i, false
	if t := v.at(i).text; (t == "-" || t == "−") && !v.glued(i) && v.glued(i+1) {
		k, negative = i+1, true
	}
	code, minor, to := v.currencyAt(k, true)
	if to == 0 || k == i && v.at(k).kind == lexWord && v.hangsBehind(k) {
		return Value{}, 0
	}
	n := v.amount(to)
	if n.to == 0 || n.ordinal || n.sign && to != k+1 {
		return Value{}, 0
	}
	n = n.negate(negative)
	v.moneySpan(&n, code)
	return v.moneyValue(i, n, code, minor)
}

// hangsBehind reports whether lexeme i touches a letter or a digit before it.
func (v *valuer) hangsBehind(i int) bool { return v.glued(i) && v.at(i-1).kind != lexSign }

// moneySpan looks behind an amount for the end of a span, $5–10 million: the end
// has the currency, the beginning the million.
func (v *valuer) moneySpan(n *number, code string) {
	k := n.to
	if t := v.at(k).text; t != "-" && t != "–" || v.at(k).gap != v.at(k+1).gap {
		return
	}
	k++
	_, _, own := v.currencyAt(k, true)
	if own > 0 {
		k = own
	}
	m := v.amount(k)
	if m.to == 0 || m.sign || v.hangsOn(m.to) {
		return
	}
	if n.scale == 0 && m.scale >= 1e3 && n.value < 1000 {
		n.value *= m.scale
		n.scale = m.scale
	}
	if own == 0 && !v.unitFollows(m.to) && v.at(m.to).text != "-" {
		v.carryAt, v.carry = m.from, code
	}
}

// amount reads the number of a sum of money, where m is a million too.
func (v *valuer) amount(i int) number {
	n := v.digitNumber(i)
	if n.to == 0 {
		return n
	}
	if l := v.at(n.to); l.kind == lexWord && !v.hangsOn(n.to+1) && v.glued(n.to) {
		switch l.lower {
		case "m", "mm":
			n.scale = 1e6
		case "b":
			n.scale = 1e9
		case "t":
			n.scale = 1e12
		case "bn", "mn", "mln", "mrd", "mio", "tn":
			n.scale = multipliers().get(l.lower)
		}
		if n.scale > 0 {
			n.value, n.to = n.value*n.scale, n.to+1
			return n
		}
	}
	return v.multiplied(n)
}

// moneyBehind reads the currency behind number n.
func (v *valuer) moneyBehind(n number) (Value, int) {
	if val, to := v.scaledMoney(n); to > 0 {
		return val, to
	}
	i := n.to
	if v.hyphenated(i) { // 5-dollar
		i++
	}
	if k := v.behindOf(i); k > i { // millones de euros
		if _, _, to := v.currencyAt(k, false); to > 0 {
			i = k
		}
	}
	code, minor, to := v.currencyAt(i, false)
	if to == 0 {
		code, to = v.scaledCode(i, &n)
	}
	if to == 0 || v.signOfNext(i, to) {
		return Value{}, 0
	}
	if n.to = to; !minor {
		v.addCents(&n)
	}
	return v.moneyValue(n.from, n, code, minor)
}

// scaledMoney reads n again with a letter that multiplies it: 5bn euros, 5m USD.
func (v *valuer) scaledMoney(n number) (Value, int) {
	i := n.to
	if !n.integer || !v.glued(i) || v.at(i).kind != lexWord || v.hangsOn(i+1) {
		return Value{}, 0
	}
	m := v.amount(n.from)
	if m.to <= i {
		return Value{}, 0
	}
	code, minor, to := v.currencyAt(m.to, false)
	if to == 0 {
		return Value{}, 0
	}
	m.to = to
	return v.moneyValue(n.from, m, code, minor)
}

// signOfNext reports whether the currency in lexemes [i, to) is a sign that belongs to the
// number behind it.
func (v *valuer) signOfNext(i, to int) bool {
	return v.at(i).kind == lexSign && v.at(i).gap && v.digitsJoined(to)
}

// hyphenated reports whether lexeme i is a hyphen that joins what stands around it.
func (v *valuer) hyphenated(i int) bool { return v.at(i).text == "-" && v.glued(i) && v.glued(i+1) }

// behindOf returns the lexeme behind de, d' or di at lexeme i, and i where there is none.
func (v *valuer) behindOf(i int) int {
	switch v.at(i).lower {
	case "de", "d", "di":
		if i++; v.at(i).text == "'" {
			i++
		}
	}
	return i
}

// scaledCode reads MEUR, TEUR and kEUR at lexeme i, and multiplies n.
func (v *valuer) scaledCode(i int, n *number) (code string, to int) {
	l := v.at(i)
	if len(l.text) != 4 || !currencyCodes[l.text[1:]] || v.hangsOn(i+1) {
		return "", 0
	}
	f := map[byte]float64{'M': 1e6, 'T': 1e3, 'k': 1e3}[l.text[0]]
	if f == 0 {
		return "", 0
	}
	n.value *= f
	return l.text[1:], i + 1
}

// bareCents reads the cents at lexeme k that stand without a name: seven pounds fifty, 9 pounds 40.
// A word and one blank stand before them, and nothing that could be counted behind; to is 0 without
// any.
func (v *valuer) bareCents(k int) number {
	if v.at(k-1).kind != lexWord || k >= len(v.lex) || v.s[v.at(k-1).end:v.at(k).start] != " " {
		return number{}
	}
	m := v.number(k)
	if m.to == 0 || m.value < 10 || m.value >= 100 || m.value != math.Trunc(m.value) || m.sign ||
		m.ordinal || !v.at(k).gap || !m.integer && !m.spelled {
		return number{}
	}
	behind := v.at(m.to)
	if behind.kind == lexNumber || behind.kind == lexWord && !text.IsStopWord(behind.lower) ||
		behind.kind == lexSign && m.to < len(v.lex) && !strings.Contains(".,;!?)", behind.text) {
		return number{}
	}
	return m
}

// addCents adds the cents of 3 dollars 50 cents, which stand behind the dollars.
func (v *valuer) addCents(n *number) {
	if m := v.bareCents(n.to); m.to > 0 {
		n.value += m.value / 100
		n.to = m.to
		return
	}
	k := n.to
	if v.at(k).lower == "and" {
		k++
	}
	m := v.number(k)
	if m.to == 0 || m.value >= 100 || m.sign || !v.at(k).gap || v.at(m.to).kind != lexWord {
		return
	}
	if _, minor, end := v.currencyAt(m.to, false); minor {
		n.value += m.value / 100
		n.to = end
	}
}

func (v *valuer) moneyValue(from int, n number, code string, minor bool) (Value, int) {
	x := n.value
	if minor {
		x /= 100
	}
	to := n.to
	// 75 USD million
	if f, end := v.multiplier(to); end > 0 && f >= 1e6 && n.scale == 0 && !n.spelled {
		x *= f
		to = end
	}
	x = roundTo(x, 15)
	// $5 million USD, $20 CAD: a code behind settles which dollar.
	if c := v.at(to); c.kind == lexWord && currencyCodes[c.text] && c.gap {
		if code == "USD" || code == "$" || c.text == code {
			code = c.text
			to++
		}
	}
	return v.value("money", from, to, &x, code, formatNumber(x)+" "+code), to
}
