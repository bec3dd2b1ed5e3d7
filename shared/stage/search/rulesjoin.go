package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// joiners decides of each AND, OR and NOT whether it is an operator, which then stands in
// the words it joins, or a word.
func (r *reader) joiners() {
	all := r.words
	r.words = nil
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].joins != "" {
			j++
		}
		if j > i && r.operates(all, i, j) {
			for _, w := range all[i:j] {
				all[j].or = all[j].or || w.joins == "OR" || w.or
				all[j].minus = all[j].minus || w.joins == "NOT"
				all[j].parted = all[j].parted || w.parted
			}
			i = j
		}
		j = max(j, i+1)
		r.words = append(r.words, all[i:j]...)
		i = j
	}
}

// joiner returns which of AND, OR and NOT a word in capitals is; "" when it is none. Unless
// all is in capitals, the words of the tongue count as well; ODER and UND do in any, because
// two German nouns beside them tell no tongue.
func (r *reader) joiner(w string) string {
	switch {
	case w == "AND" || w == "OR" || w == "NOT":
		return w
	case !isCapitals(w) || r.shouted():
		return ""
	case w == "ODER" || r.tongue.or.all[keyOf(w)] != "":
		return "OR"
	case w == "UND" || r.tongue.and.all[keyOf(w)] != "":
		return "AND"
	}
	return ""
}

// operates tells whether the joiners [i, j) are an operator: one, or one before NOT, between
// two terms that can be searched and do not speak of gates and operators themselves.
func (r *reader) operates(words []word, i, j int) bool {
	if i == 0 || j == len(words) || words[i].minus {
		return false
	}
	if j-i > 2 || j-i == 2 && (words[i].joins == "NOT" || words[i+1].joins != "NOT") {
		return false
	}
	if words[j-1].joins == "NOT" && words[j].text == strings.ToUpper(words[j].text) && notBefore[words[j].key] {
		return false
	}
	k := j
	for k+1 < len(words) && r.tongue.articles.all[words[k].key] != "" && !isCapitals(words[k].text) { // cats OR the dogs
		k++
	}
	return r.searchable(words[i-1]) && r.searchable(words[k])
}

// searchable tells whether w is a term that an operator may join to another.
func (r *reader) searchable(w word) bool {
	if w.quoted || w.op != "" || w.minus {
		return true
	}
	if ofLogic[w.key] {
		return false
	}
	capitals := w.text != "I" && (isCapitals(w.text) || isLetter(w.text)) && w.text == strings.ToUpper(w.text) && !r.shouted()
	return capitals || !isStop(w.text, r.tongue.code)
}

// shouted tells whether all is in capitals, and too long to be a few acronyms.
func (r *reader) shouted() bool {
	return r.s == strings.ToUpper(r.s) && len(strings.Fields(r.s)) > 3
}

// isCapitals tells whether w is written in capitals only, and more than one.
func isCapitals(w string) bool {
	return utf8.RuneCountInString(w) > 1 && w == strings.ToUpper(w) && w != strings.ToLower(w)
}

// ofLogic are words beside which AND and OR are words: AND gate, logical OR, IF AND THEN.
var ofLogic = setOf("gate gates operator operators operation keyword keywords logical logic bitwise boolean xor nand nor xnor if then else where when between vs " +
	"gatter verknüpfung logisches logische operator operatoren porte portes logique opérateur opérateurs puerta puertas lógica lógico operador operadores " +
	"porta porte logica logico operatore operatori portas poort poorten logische")

// notBefore are words that NOT stands before in code and in messages.
var notBefore = setOf("null in exists like between found valid defined available supported allowed responding working")

func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(keyOf(list)) {
		set[w] = true
	}
	return set
}

// letters makes one phrase of two letters that are joined: R AND D, q and a.
func (r *reader) letters() {
	for i := 0; i+2 < len(r.words); i++ {
		a, and, b := &r.words[i], &r.words[i+1], &r.words[i+2]
		if !isLetter(a.text) || !isLetter(b.text) || and.joins != "AND" && r.has(r.tongue.and, i+1) != 1 || !r.free(i, i+3) {
			continue
		}
		if i > 0 && (r.has(r.tongue.between, i-1) > 0 || isLetterNoun[r.words[i-1].key]) { // vitamin a and d
			continue
		}
		a.text, a.end, a.key, a.quoted = tidy(r.raw(i, i+3)), b.end, "", true
		r.words = append(r.words[:i+1], r.words[i+3:]...)
	}
}

// isLetter tells whether w is one letter.
func isLetter(w string) bool {
	c, size := utf8.DecodeRuneInString(w)
	return size == len(w) && unicode.IsLetter(c)
}

// isLetterNoun are nouns that letters tell apart: vitamin a, serie a.
var isLetterNoun = setOf("vitamin vitamins hepatitis serie type types group class grade influenza flu category option section appendix exhibit hall strep phase annex " +
	"gruppe klasse typ stufe anhang teil vitamine hépatite groupe classe catégorie annexe partie vitamina vitaminas grupo clase tipo categoría anexo sección " +
	"epatite gruppo classe categoria allegato influenza hepatite grupo seção hepatitis groep klas bijlage deel griep")

// lettered tells whether word i, a single letter that would be an article or the like, is a
// name: it ends what is said, a noun before it takes letters, or OR stands behind it.
func (r *reader) lettered(i int) bool {
	if !isLetter(r.words[i].text) {
		return false
	}
	if i+1 < len(r.words) && r.words[i+1].or { // A OR B
		return true
	}
	if i == 0 || r.words[i].parted {
		return false
	}
	before := &r.words[i-1]
	if isLetterNoun[before.key] {
		return true
	}
	end := i+1 == len(r.words) || r.words[i+1].parted || r.words[i+1].use != content
	return end && before.use == content
}
