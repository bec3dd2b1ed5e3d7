package screen

import (
	"strings"

	"wstk/shared/text"
	"wstk/shared/value"
)

// Personal data that has a form of its own.

var personalKinds = []string{"card_number", "email", "iban", "phone", "ssn"}

// personal reports the personal data in s. It goes over s once and looks closer only
// at an @ and at runs of digits.
func personal(s string, add func(kind string, start, end int)) {
	for at := strings.IndexByte(s, '@'); at >= 0; at = next(s, "@", at+1) {
		if r, ok := value.EmailAt(s, at); ok {
			add("email", r.Start, r.End)
		}
	}
	for i := 0; i < len(s); {
		if !isDigit(s[i]) {
			i++
			continue
		}
		end := digitsEnd(s, i)
		if kind, r := iban(s, i); kind != "" {
			add(kind, r.Start, r.End)
			end = max(end, r.End)
		} else if end-i >= leastDigits {
			if kind, r := number(s, i, end); kind != "" {
				add(kind, r.Start, r.End)
			}
		}
		i = end
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// leastDigits is the shortest run of digits and their separators that is looked at.
const leastDigits = 7

// digitsEnd returns where the run of digits that begins at i ends, with up to three
// separators between them.
func digitsEnd(s string, i int) int {
	end := i
	for i < len(s) {
		switch c := s[i]; {
		case isDigit(c):
			i++
			end = i
			continue
		case c == ' ' || c == '-' || c == '.' || c == '/' || c == '(' || c == ')':
			if i-end < 3 && i+1 < len(s) {
				i++
				continue
			}
		case strings.HasPrefix(s[i:], "\u00a0") || strings.HasPrefix(s[i:], "\u202f"):
			if n := len("\u00a0"); i-end < 2 {
				if s[i] == 0xe2 {
					n++
				}
				i += n
				continue
			}
		}
		break
	}
	return end
}

// number reports what the digits s[start:end] are.
func number(s string, start, end int) (kind string, r text.Range) {
	if partOfName(s, start, end) {
		return "", r
	}
	r = text.Range{Start: start, End: end}
	digits, groups := groupsOf(s[start:end])
	switch {
	case card(s, r, digits, groups):
		return "card_number", r
	case ssn(s, r, digits, groups):
		return "ssn", r
	}
	if p, ok := phone(s, r, digits, groups); ok {
		return "phone", p
	}
	return "", r
}

// partOfName reports whether the digits s[start:end] are a part of a word, a path or a
// parameter of a URL. An assignment may still hold a number.
func partOfName(s string, start, end int) bool {
	before, after := byte(' '), byte(' ')
	if start > 0 {
		before = s[start-1]
	}
	if end < len(s) {
		after = s[end]
	}
	if wordByte(after) || after == '-' {
		return true
	}
	return before != '=' && (wordByte(before) || strings.IndexByte(".-/", before) >= 0 ||
		after == '%' || after == ':')
}

// groupsOf returns the digits of s and the lengths of their groups.
func groupsOf(s string) (digits string, groups []int) {
	var b strings.Builder
	n := 0
	for i := 0; i < len(s); i++ {
		if isDigit(s[i]) {
			b.WriteByte(s[i])
			n++
		} else if n > 0 {
			groups = append(groups, n)
			n = 0
		}
	}
	if n > 0 {
		groups = append(groups, n)
	}
	return b.String(), groups
}

func named(s string, start int) bool {
	before := s[max(0, start-32):start]
	return (introduced(before) || strings.Contains(before, "#")) && pattern("number of a thing").
		MatchString(before)
}

// introduced reports whether a word stands before a number, with no more than signs
// between them. It saves most numbers from the patterns.
func introduced(before string) bool {
	word := strings.TrimRight(before, " \t.:()=+\"'#-")
	return word != "" && wordByte(word[len(word)-1]) && !isDigit(word[len(word)-1])
}

// cardLead says which cards a number may belong to: by its first digits, how long
// they are. Thirteen digits, as on old cards, are a product's far more often.
func cardLead(d string) bool {
	two := d[:2]
	switch {
	case d[0] == '4', two >= "51" && two <= "55", two == "62", two == "65", d[:4] == "6011",
		d[:4] >= "2221" && d[:4] <= "2720", two == "35":
		return len(d) == 16 || d[0] == '4' && len(d) == 19 || two == "62" && len(d) >= 16
	case two == "34", two == "37":
		return len(d) == 15
	case two == "36", two == "38", two == "30":
		return len(d) == 14
	case two == "50", two == "56", two == "57", two == "58", two == "63", two == "67":
		return len(d) == 16 || len(d) == 19
	}
	return false
}

// card tells card numbers: the length and lead of an issuer, the check digit of Luhn,
// groups as on a card or none. A tenth of all numbers passes Luhn, so one without
// groups that is introduced as something else is none.
func card(s string, r text.Range, digits string, groups []int) bool {
	if len(digits) < 14 || len(digits) > 19 || !cardLead(digits) || !luhn(digits) ||
		strings.ContainsAny(s[r.Start:r.End], "./()") {
		return false
	}
	switch {
	case len(groups) == 1:
		if len(digits) == 14 {
			return false
		}
	case groups[0] != 4 || len(groups) > 5:
		return false
	}
	return pattern("card number").MatchString(s[max(0, r.Start-32):r.Start]) || !named(s, r.Start)
}

func luhn(digits string) bool {
	sum, double := 0, false
	for i := len(digits) - 1; i >= 0; i-- {
		d := int(digits[i] - '0')
		if double {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum, double = sum+d, !double
	}
	return sum%10 == 0
}

// ssn tells US social security numbers, where the text says that it is one.
func ssn(s string, r text.Range, digits string, groups []int) bool {
	if len(digits) != 9 || digits[:3] == "000" || digits[:3] == "666" || digits[0] == '9' ||
		digits[3:5] == "00" || digits[5:] == "0000" {
		return false
	}
	grouped := len(groups) == 3 && groups[0] == 3 && groups[1] == 2
	return (grouped || len(groups) == 1) && pattern("social security number").
		MatchString(s[max(0, r.Start-60):r.Start])
}

// phone returns the telephone number that begins with the digits at r, as value.PhoneAt
// reads it; a number that is introduced as something else is none.
func phone(s string, r text.Range, digits string, groups []int) (text.Range, bool) {
	if len(digits) < 7 || len(digits) > 15 || date(groups, digits) {
		return r, false
	}
	p, said, ok := value.PhoneAt(s, r.Start)
	if !ok || !said && named(s, p.Start) {
		return r, false
	}
	return p.Range, true
}

// date reports whether groups are a year, a month and a day, in either order.
func date(groups []int, digits string) bool {
	if len(groups) < 3 {
		return false
	}
	return groups[0] == 4 && groups[1] <= 2 && groups[2] <= 2 &&
		(digits[:2] == "19" || digits[:2] == "20")
}

// ibanLength is how long account numbers are, by country.
var ibanLength = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22,
	"BI": 27, "BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28,
	"CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
	"FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23,
	"GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26,
	"IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32,
	"LI": 21, "LT": 20, "LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19,
	"MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28, "NL": 18,
	"NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22,
	"RU": 33, "SA": 24, "SC": 31, "SD": 18, "SE": 24, "SI": 19,
	"SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26, "UA": 29,
	"VA": 22, "VG": 24, "XK": 20, "YE": 30,
}

// iban finds account numbers; their check digits lie in s[digits:].
func iban(s string, digits int) (kind string, r text.Range) {
	start := digits - 2
	if start < 0 || s[start] < 'A' || s[start] > 'Z' || start > 0 && wordByte(s[start-1]) {
		return "", r
	}
	want := ibanLength[s[start:digits]]
	code, end := ibanCode(s, start, want)
	if want == 0 || len(code) < want || end < len(s) && wordByte(s[end]) || !ibanChecks(code) {
		return "", r
	}
	return "iban", text.Range{Start: start, End: end}
}

// ibanCode reads want letters and digits from s[start:], with single blanks or hyphens
// between them, and returns where they end; fewer if there are not so many.
func ibanCode(s string, start, want int) (code []byte, end int) {
	gap := 0
	for end = start; end < len(s) && len(code) < want; end++ {
		switch c := s[end]; {
		case isDigit(c) || 'A' <= c && c <= 'Z':
			gap = 0
			code = append(code, c)
		case (c == ' ' || c == '-') && gap == 0:
			gap++
		default:
			return code, end
		}
	}
	return code, end
}

// ibanChecks reports whether the check digits of an account number fit it (ISO 13616).
func ibanChecks(code []byte) bool {
	rest := 0
	for k := range code {
		c := code[(k+4)%len(code)]
		if isDigit(c) {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}
