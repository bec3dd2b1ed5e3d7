package value

import (
	"slices"
	"strings"

	"wstk/shared/text"
)

// Telephone numbers are read by the form in which people write them. Whether a number is
// assigned is not asked: a page may state one that is not, and the plans of countries
// (github.com/nyaruka/phonenumbers) weigh more than all other readers of this room.

// phoneWords announce a phone number.
var phoneWords = text.WordSet(`tel telephone phone fax call mobile cell whatsapp hotline ph tél
	téléphone télécopie teléfono telefono tfno móvil llamar telefon handy telefoon bel puhelin
	telefone fone celular telefax тел телефон факс моб звоните 電話 电话 話 话 전화 手机 机 화`)

// phoneDigits is what may be a phone number: groups of digits and what parts them.
type phoneDigits struct {
	groups, seps []string
	digits       string // all of them
	plus         bool
	bracket      int // the group in brackets, -1 for none
	to           int
	count        int    // of the digits
	sep          string // what stands behind the last group
	announced    bool   // a word before says that it is a phone number
	lang         string
}

// longestPhone is how many groups of digits a phone number has at most.
const longestPhone = 9

// phoneForms are the forms of phone numbers, the first that fits counts. shape is the
// lengths of the groups, "" for any; head stands in Norm in place of the first cut digits.
var phoneForms = []struct {
	shape string
	fits  func(*phoneDigits) bool
	head  string
	cut   int
}{
	{"", (*phoneDigits).international, "+", 0},       // +44 20 7946 0958
	{"", (*phoneDigits).dialledAbroad, "+", 2},       // 0044 20 7946 0958
	{"", (*phoneDigits).areaInBrackets, "", 0},       // (030) 1234567
	{"3-3-4", (*phoneDigits).northAmerican, "", 0},   // 555-123-4567
	{"1-3-3-4", (*phoneDigits).withTrunkOne, "+", 0}, // 1-800-555-1234
	{"1-3-3-4", (*phoneDigits).russian, "+7", 1},     // 8 (495) 123-4567
	{"1-3-3-2-2", (*phoneDigits).russian, "+7", 1},   // 8 (495) 123-45-67
	{"", (*phoneDigits).national, "", 0},             // 020 7946 0958
	{"", (*phoneDigits).said, "", 0},                 // Tel: 12 34 56
}

// phone reads a phone number at lexeme i: with a country code, or in a form that
// is used for phones only, or behind a word that announces one. Its Norm is the
// digits, with + and the country code where they are known, and ";ext=" and an
// extension.
func (v *valuer) phone(i int) (Value, int) {
	if !v.phoneBegins(i) {
		return Value{}, 0
	}
	p := v.phoneDigits(i)
	if p.count < 5 || v.hangsOn(p.to) && !extensionWords[v.at(p.to).lower] {
		return Value{}, 0
	}
	p.digits, p.announced = strings.Join(p.groups, ""), v.announced(i)
	shape := shapeOf(p.groups)
	for _, f := range phoneForms {
		if (f.shape == "" || f.shape == shape) && f.fits(&p) {
			extension, to := v.extension(p.to)
			return v.value("phone", i, to, nil, "", f.head+p.digits[f.cut:]+extension), to
		}
	}
	return Value{}, 0
}

// phoneBegins reports whether a phone number may begin at lexeme i: with digits, + or (,
// that hang on nothing but a mark.
func (v *valuer) phoneBegins(i int) bool {
	first, before := v.at(i), v.at(i-1)
	switch {
	case first.text == "+" && v.glued(i) && before.text == "=": // from=+15017122661
		return true
	case first.kind == lexNumber && !v.digitsStandAlone(i),
		first.kind != lexNumber && first.text != "(" && first.text != "+":
		return false
	}
	if !v.glued(i) || before.kind == lexWord && text.Unspaced(firstRune(before.text)) {
		return true
	}
	return before.kind == lexSign && strings.Contains(`:(/,;['"|*>-–`, before.text)
}

// digitsStandAlone reports whether the digits at lexeme i go on nothing before them.
func (v *valuer) digitsStandAlone(i int) bool {
	before := v.at(i - 1).text
	return !v.stuck(i) && !v.hangsBefore(i) && !(v.glued(i) && (before == "-" || before == "/"))
}

// mostPhoneDigits is how many digits a phone number has at most (ITU-T E.164).
const mostPhoneDigits = 15

// phoneDigits gathers the groups of digits that begin at lexeme i, and what parts them.
func (v *valuer) phoneDigits(i int) phoneDigits {
	p := phoneDigits{bracket: -1, lang: v.lang, groups: v.phoneGroups[:0], seps: v.phoneSeps[:0]}
	for k := i; k < min(len(v.lex), i+26) && len(p.groups) < longestPhone; k++ {
		l := v.at(k)
		if l.gap && k > i {
			if l.start-v.at(k-1).end > 3 {
				break
			}
			p.sep += " "
		}
		if l.kind == lexNumber && p.count+len(l.lower) <= mostPhoneDigits {
			p.addGroup(l.lower, k+1)
			continue
		}
		last, ok := v.phoneSign(&p, k, k == i)
		if !ok {
			break
		}
		k = last
	}
	return p
}

// addGroup adds digits that end before lexeme to.
func (p *phoneDigits) addGroup(digits string, to int) {
	if len(p.groups) > 0 {
		p.seps = append(p.seps, p.sep)
	}
	p.groups, p.to, p.sep = append(p.groups, digits), to, ""
	p.count += len(digits)
}

// phoneSign reads the sign at lexeme k, and returns the last lexeme of what it belongs to; ok
// is false where the number ends before it.
func (v *valuer) phoneSign(p *phoneDigits, k int, first bool) (last int, ok bool) {
	switch t := v.at(k).text; {
	case t == "+" && first && v.glued(k+1):
		p.plus = true
	case t == "(" && p.bracket < 0 && v.at(k+1).kind == lexNumber && v.at(k+2).text == ")":
		if v.at(k+1).lower == "0" && len(p.groups) > 0 {
			return k + 2, true // +44 (0)20
		}
		p.bracket = len(p.groups)
		p.sep += "("
	case t == ")" && p.bracket == len(p.groups)-1:
		p.sep, p.to = p.sep+")", k+1
	case phoneSigns[t] && strings.Trim(p.sep, " )") == "":
		p.sep += t
	default:
		return 0, false
	}
	return k, true
}

var phoneSigns = text.WordSet("- – . / ‑")

// same reports whether one kind of separator stands between all groups.
func (p *phoneDigits) same() bool {
	return len(p.seps) > 0 &&
		!slices.ContainsFunc(p.seps, func(s string) bool { return s != p.seps[0] })
}

func (p *phoneDigits) international() bool {
	thousands := len(p.groups) > 1 && p.bracket < 0 && len(p.digits) < 10
	for _, g := range p.groups[1:] {
		thousands = thousands && len(g) == 3
	}
	return p.plus && len(p.digits) >= 8 && !unassigned(p.digits) && !thousands &&
		(len(p.groups) > 1 || len(p.digits) >= 10)
}

// unassigned reports whether an international number begins with a code that no country
// has (ITU-T E.164), as the bounds of machine numbers do: +2147483647.
func unassigned(digits string) bool {
	return slices.ContainsFunc(unassignedCodes, func(code string) bool {
		return strings.HasPrefix(digits, code)
	})
}

var unassignedCodes = strings.Fields(
	"0 210 214 215 217 219 259 28 384 388 83 89 978 990 991 997 999")

func (p *phoneDigits) dialledAbroad() bool {
	return !p.plus && strings.HasPrefix(p.digits, "00") && len(p.digits) >= 11 &&
		len(p.groups[0]) <= 5 &&
		p.digits[2] != '0' && len(p.groups) > 1
}

func (p *phoneDigits) areaInBrackets() bool {
	area := p.groups[0]
	return !p.plus && p.bracket == 0 && len(p.groups) > 1 && len(area) >= 2 && len(area) <= 5 &&
		(len(area) != 4 || area[0] == '0') && len(p.digits) >= 8 && len(p.digits) <= 12
}

func (p *phoneDigits) northAmerican() bool {
	sign := p.same() && (p.seps[0] == "-" || p.seps[0] == "." || p.seps[0] == " " && p.announced)
	return !p.plus && p.bracket != 0 && sign && inAmerica(p.digits)
}

// inAmerica reports whether ten digits may be a number of North America: neither area nor
// exchange begins with 0 or 1, and no area is a service such as 911. Films have the area 555.
func inAmerica(d string) bool {
	return d[:3] == "555" || d[0] >= '2' && d[3] >= '2' && d[1:3] != "11"
}

func (p *phoneDigits) withTrunkOne() bool {
	return !p.plus && p.digits[0] == '1' && inAmerica(p.digits[1:]) &&
		(p.same() && p.seps[0] != "." || p.bracket == 1)
}

func (p *phoneDigits) russian() bool {
	trunk := p.digits[0] == '8' || p.digits[0] == '7'
	return !p.plus && trunk && (p.bracket == 1 || p.lang == "ru")
}

func (p *phoneDigits) national() bool {
	n := len(p.digits)
	return !p.plus && p.bracket != 0 && p.digits[0] == '0' && p.digits[1] != '0' &&
		len(p.groups) > 1 && n >= 9 && n <= 11 && p.grouped()
}

func (p *phoneDigits) said() bool {
	return !p.plus && (p.bracket != 0 || len(p.groups) == 1) && p.announced && len(p.digits) >= 6
}

// grouped reports whether groups behind a leading zero are parted as those of phones are,
// not as those of dates, decimals or part numbers.
func (p *phoneDigits) grouped() bool {
	for k, s := range p.seps {
		switch s {
		case " ", "-", " - ", " / ", ") ", ")":
		case ".":
			if len(p.groups) < 4 || len(p.groups[k]) != 2 {
				return false
			}
		case "/":
			if k > 0 {
				return false
			}
		default:
			return false
		}
	}
	return !slices.ContainsFunc(p.groups, func(g string) bool { return len(g) < 2 })
}

var extensionWords = text.WordSet("ext x extension durchwahl")

// extension reads "ext. 12" at lexeme i, as Norm writes it.
func (v *valuer) extension(i int) (norm string, to int) {
	if !extensionWords[v.at(i).lower] {
		return "", i
	}
	k := i + 1
	if v.at(k).text == "." {
		k++
	}
	if n := v.at(k); n.kind == lexNumber && len(n.lower) <= 6 {
		return ";ext=" + n.lower, k + 1
	}
	return "", i
}

// shapeOf writes the lengths of groups: 3-3-4.
func shapeOf(groups []string) string {
	b := make([]byte, 0, 2*len(groups))
	for k, g := range groups {
		if k > 0 {
			b = append(b, '-')
		}
		b = append(b, '0'+byte(min(len(g), 10)))
	}
	return string(b)
}

// announced reports whether a word such as Tel. stands close before lexeme i.
func (v *valuer) announced(i int) bool {
	for k := i - 1; k >= 0 && k >= i-4; k-- {
		l := v.at(k)
		if l.kind == lexNumber {
			return false
		}
		if l.kind == lexWord && phoneWords[l.lower] {
			return true
		}
	}
	return false
}

// aroundPhone is how far before and behind a digit PhoneAt looks, in bytes.
const aroundPhone = 64

// PhoneAt returns the phone number in s that holds the digit at byte at, read as Find
// reads it in a text of unknown language; ok is false where there is none. said reports
// whether a word before it says that it is one. PhoneAt looks at the line around alone, so
// that it may be asked at each run of digits of a long text.
func PhoneAt(s string, at int) (_ Value, said, ok bool) {
	from := max(0, at-aroundPhone)
	from += strings.LastIndexByte(s[from:at], '\n') + 1
	to := min(len(s), at+aroundPhone)
	if end := strings.IndexByte(s[at:to], '\n'); end >= 0 {
		to = at + end
	}
	v := valuer{s: s, lex: lex(nil, s, from, to), free: -1}
	for i := range v.lex {
		if v.lex[i].start > at {
			break
		}
		if p, end := v.phone(i); end > 0 && p.End > at {
			return p, v.announced(i), true
		}
	}
	return Value{}, false, false
}
