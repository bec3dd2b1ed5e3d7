package value

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
	"wstk/shared/text"
)

// contacts returns the URLs and e-mail addresses of s[from:to] in order. They
// are found by bytes, before the text is read for numbers.
func contacts(out []Value, s string, from, to int) []Value {
	out = out[:0]
	for i := from; i < to; {
		k := strings.IndexAny(s[i:to], ":w")
		if k < 0 {
			break
		}
		k += i
		i = k + 1
		start := -1
		if s[k] == ':' && strings.HasPrefix(s[k:to], "://") {
			start = k
			for start > from && k-start < 6 && s[start-1]|0x20 >= 'a' && s[start-1]|0x20 <= 'z' {
				start--
			}
			if scheme := strings.ToLower(s[start:k]); scheme != "http" && scheme != "https" && scheme != "ftp" {
				continue
			}
		} else if strings.HasPrefix(s[k:to], "www.") && (k == from || !text.IsASCIIWord(s[k-1]) && s[k-1] != '.' && s[k-1] != '@' && s[k-1] != '-') {
			start = k
		} else {
			continue
		}
		end := urlEnd(s, k, to)
		raw := s[start:end]
		full := raw
		if s[k] == 'w' {
			full = "http://" + raw
			if strings.Count(raw, ".") < 2 {
				continue
			}
		}
		i = end // also where it is none: it is read once
		norm, err := text.Canonical(full)
		if err != nil {
			if !strings.HasPrefix(strings.ToLower(raw), "ftp://") || len(raw) < 8 {
				continue
			}
			norm = raw
		}
		out = append(out, Value{Type: "url", Range: text.Range{Start: start, End: end}, Text: raw, Norm: norm})
	}
	urls := len(out)
	for i := from; i < to; {
		k := strings.IndexByte(s[i:to], '@')
		if k < 0 {
			break
		}
		k += i
		i = k + 1
		if start, end := mailAround(s, k, from, to); end > 0 && !overlaps(out[:urls], start, end) {
			out = append(out, Value{Type: "email", Range: text.Range{Start: start, End: end}, Text: s[start:end], Norm: strings.ToLower(s[start:end])})
			i = end
		}
	}
	sort.Slice(out, func(a, b int) bool { return out[a].Start < out[b].Start })
	return out
}

// overlaps reports whether [start, end) shares a byte with one of the sorted ranges.
func overlaps(vals []Value, start, end int) bool {
	k := sort.Search(len(vals), func(k int) bool { return vals[k].End > start })
	return k < len(vals) && vals[k].Start < end
}

// urlEnd returns the end of the URL that runs through byte i, without the
// punctuation of the sentence around it.
func urlEnd(s string, i, to int) int {
	open, brackets := 0, false
	end := i
	for end < to {
		r, size := utf8.DecodeRuneInString(s[end:])
		if unicode.IsSpace(r) || r < ' ' || r == utf8.RuneError || strings.ContainsRune("<>\"`{}|\\^“”„«»‘’", r) || text.Unspaced(r) || text.IsWideMark(r) {
			break
		}
		if r == '(' {
			open++
		} else if r == ')' {
			if open == 0 {
				break
			}
			open--
		} else if r == '[' {
			brackets = true
		} else if r == ']' && !brackets {
			break
		}
		end += size
	}
	for end > i {
		switch s[end-1] {
		case '.', ',', ';', ':', '!', '?', '\'', '*', '_', '~':
			end--
			continue
		}
		break
	}
	return end
}

// mailAround returns the range of the e-mail address around the @ at byte k.
// Obfuscated ones (a at b dot c) are not decoded.
func mailAround(s string, k, from, to int) (int, int) {
	start := k
	for start > from && k-start <= 64 && (text.IsASCIIWord(s[start-1]) || strings.IndexByte(".+-%'!#$&*/=?^{|}~", s[start-1]) >= 0) {
		start--
	}
	for start < k && !text.IsASCIIWord(s[start]) {
		start++
	}
	if i := strings.LastIndexAny(s[start:k], "'!#$&*/=?^{|}~"); i >= 0 {
		start += i + 1 // rather a sign of the text than of the address
	}
	if start == k || k-start > 64 || s[k-1] == '.' || start > from && s[start-1] >= utf8.RuneSelf && unicode.IsLetter(lastRune(s[:start])) && !text.Unspaced(lastRune(s[:start])) {
		return 0, 0
	}
	end := k + 1
	dot := -1
	for end < to && end-k <= 255 && (text.IsASCIIWord(s[end]) && s[end] != '_' || s[end] == '-' || s[end] == '.') {
		if s[end] == '.' {
			if s[end-1] == '.' || s[end-1] == '@' {
				break
			}
			if end+1 >= to || !text.IsASCIIWord(s[end+1]) {
				break
			}
			dot = end
		}
		end++
	}
	for end > k && s[end-1] == '-' {
		end--
	}
	if dot < 0 || end-dot < 3 {
		return 0, 0
	}
	for i := dot + 1; i < end; i++ {
		if isDigit(s[i]) && !strings.HasPrefix(s[dot+1:], "xn--") {
			return 0, 0
		}
	}
	return start, end
}

// phoneWords announce a phone number.
var phoneWords = text.WordSet(`tel telephone phone fax call mobile cell whatsapp hotline ph tél téléphone télécopie teléfono telefono tfno móvil llamar telefon handy
	telefoon bel puhelin telefone fone celular telefax тел телефон факс моб звоните 電話 电话 話 话 전화 手机 机 화`)

// phone reads a phone number at lexeme i: with a country code, or in a form that
// is used for phones only, or behind a word that announces one. Its Norm is the
// digits, with + and the country code where they are known, and ";ext=" and an
// extension.
func (v *valuer) phone(i int) (Value, int) {
	first := v.at(i)
	if first.kind == lexWord || v.hangsBefore(i) && first.text != "(" || first.kind == lexNumber && v.stuck(i) {
		return Value{}, 0
	}
	if first.kind == lexSign && first.text != "+" && first.text != "(" {
		return Value{}, 0
	}
	if v.glued(i) {
		switch p := v.at(i - 1); p.text {
		case ":", "(", "/", ",", ";", "[", "'", "\"", "|", "*", ">", "-", "–":
			if p.text == "-" && first.kind == lexNumber || p.text == "/" && first.kind == lexNumber {
				return Value{}, 0
			}
		default:
			if p.kind != lexWord || !text.Unspaced(firstRune(p.text)) {
				return Value{}, 0
			}
		}
	}
	// Gather digit groups and what stands between them.
	var groups []string
	var seps []string
	k, digits, to := i, 0, 0
	plus, paren := false, -1
	sep := ""
	for k < len(v.lex) && k < i+26 && len(groups) < 9 {
		l := v.at(k)
		if l.gap && k > i && l.start-v.at(k-1).end > 3 {
			break
		}
		if l.gap && k > i {
			sep += " "
		}
		switch {
		case l.kind == lexNumber:
			if digits+len(l.lower) > 15 {
				k = len(v.lex)
				continue
			}
			if len(groups) > 0 {
				seps = append(seps, sep)
			}
			sep = ""
			groups = append(groups, l.lower)
			digits += len(l.lower)
			to = k + 1
		case l.text == "+" && k == i && v.glued(k+1):
			plus = true
		case l.text == "(" && paren < 0 && v.at(k+1).kind == lexNumber && v.at(k+2).text == ")":
			if v.at(k+1).lower == "0" && len(groups) > 0 {
				k += 2 // +44 (0)20
			} else {
				paren = len(groups)
				sep += "("
			}
		case l.text == ")" && paren == len(groups)-1:
			sep += ")"
			to = k + 1
		case l.text == "-" || l.text == "–" || l.text == "." || l.text == "/" || l.text == "‑":
			if strings.Trim(sep, " )") != "" {
				k = len(v.lex)
				continue
			}
			sep += l.text
		default:
			k = len(v.lex)
			continue
		}
		k++
	}
	if digits < 5 || to == 0 || v.hangsOn(to) && v.at(to).lower != "x" && v.at(to).lower != "ext" {
		return Value{}, 0
	}
	all := strings.Join(groups, "")
	announced := v.announced(i)
	norm := ""
	same := len(seps) > 0 // one kind of separator throughout
	for _, s := range seps {
		same = same && s == seps[0]
	}
	shape := shapeOf(groups)
	switch {
	case plus:
		thousands := len(groups) > 1 && paren < 0 && digits < 10
		for _, g := range groups[1:] {
			thousands = thousands && len(g) == 3
		}
		if digits < 8 || all[0] == '0' || thousands || len(groups) == 1 && digits < 10 {
			return Value{}, 0
		}
		norm = "+" + all
	case strings.HasPrefix(all, "00") && digits >= 11 && len(groups[0]) <= 5 && all[2] != '0' && len(groups) > 1:
		norm = "+" + all[2:]
	case paren == 0 && len(groups) > 1:
		g := len(groups[0])
		if g < 2 || g > 5 || g == 4 && groups[0][0] != '0' || digits < 8 || digits > 12 {
			return Value{}, 0
		}
		norm = all
	case shape == "3-3-4" && same && (seps[0] == "-" || seps[0] == "." || seps[0] == " " && announced) && all[0] >= '2':
		norm = all
	case shape == "1-3-3-4" && all[0] == '1' && all[1] >= '2' && (same && seps[0] != "." || paren == 1):
		norm = "+" + all
	case (shape == "1-3-3-2-2" || shape == "1-3-3-4") && (all[0] == '8' || all[0] == '7') && (paren == 1 || v.lang == "ru"):
		norm = "+7" + all[1:]
	case all[0] == '0' && len(groups) > 1 && len(groups[0]) > 1 && digits >= 9 && digits <= 11 && nationalGroups(groups, seps) && all[1] != '0':
		norm = all
	case announced && digits >= 6 && digits <= 15:
		norm = all
	default:
		return Value{}, 0
	}
	if e := v.at(to); e.lower == "ext" || e.lower == "x" || e.lower == "extension" || e.lower == "durchwahl" {
		k := to + 1
		if v.at(k).text == "." {
			k++
		}
		if n := v.at(k); n.kind == lexNumber && len(n.lower) <= 6 {
			norm += ";ext=" + n.lower
			to = k + 1
		}
	}
	return v.value("phone", i, to, nil, "", norm), to
}

// shapeOf writes the lengths of groups: 3-3-4.
func shapeOf(groups []string) string {
	b := make([]byte, 0, 2*len(groups))
	for k, g := range groups {
		if k > 0 {
			b = append(b, '-')
		}
		if len(g) > 9 {
			b = append(b, 'n')
		} else {
			b = append(b, '0'+byte(len(g)))
		}
	}
	return string(b)
}

// nationalGroups reports whether groups behind a leading zero are grouped as
// phones are, not as dates, decimals or part numbers.
func nationalGroups(groups, seps []string) bool {
	for k, s := range seps {
		if s != " " && s != "-" && s != "." && s != "/" && s != " - " && s != " / " && s != ") " && s != ")" {
			return false
		}
		if s == "." && (len(groups) < 4 || len(groups[k]) != 2) || s == "/" && k > 0 {
			return false
		}
	}
	for _, g := range groups {
		if len(g) < 2 {
			return false
		}
	}
	return true
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
