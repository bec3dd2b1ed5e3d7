package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// wordnet is what the database of WordNet 3.0 says of words: files data.* and index.*, as
// wndb(5WN) explains them. Words are in lower case; several words are joined by "_".
type wordnet struct {
	synsets map[string]*synset         // by part of speech and offset: "v00001740"
	senses  map[string][]sense         // of a word, the most frequent first in each part of speech
	known   map[string]map[string]bool // opposites of a word, once they were looked for
	bases   map[string][]string        // of an irregular form: "forgot" is of "forget"
}

// synset is a set of words with one meaning.
type synset struct {
	words    []string
	pointers []pointer
}

// pointer is a relation to another synset, or, if from is not 0, of one word to another.
type pointer struct {
	symbol   string
	to       string
	from, at int // numbers of the words from 1; 0 means all
}

// sense is a meaning of a word: its synset, and which of the word's meanings it is, from 0.
type sense struct {
	key  string
	rank int
}

var speeches = map[string]string{"noun": "n", "verb": "v", "adj": "a", "adv": "r"}

func readWordnet(dir string) (*wordnet, error) {
	w := &wordnet{synsets: map[string]*synset{}, senses: map[string][]sense{},
		bases: map[string][]string{}, known: map[string]map[string]bool{}}
	for _, name := range []string{"noun", "verb", "adj", "adv"} {
		pos := speeches[name]
		err := eachLine(filepath.Join(dir, "data."+name), func(line string) {
			w.synset(pos, strings.Fields(line))
		})
		if err == nil {
			err = eachLine(filepath.Join(dir, "index."+name), func(line string) {
				w.index(pos, strings.Fields(line))
			})
		}
		if err == nil {
			err = eachLine(filepath.Join(dir, name+".exc"), func(line string) {
				f := strings.Fields(line)
				w.bases[f[0]] = append(w.bases[f[0]], f[1:]...)
			})
		}
		if err != nil {
			return nil, err
		}
	}
	return w, nil
}

// synset reads a line of a data file: its offset, file and part of speech, a number of words
// in base 16, each with an id, and a number of pointers of four fields.
func (w *wordnet) synset(pos string, f []string) {
	n, err := strconv.ParseUint(f[3], 16, 8)
	if err != nil {
		return
	}
	s, key := &synset{}, pos+f[0]
	for i := range int(n) {
		word, _, _ := strings.Cut(f[4+2*i], "(") // "(p)" and others follow adjectives
		s.words = append(s.words, strings.ToLower(word))
	}
	f = f[4+2*n:]
	w.synsets[key] = s
	count, _ := strconv.Atoi(f[0])
	for i := range count {
		p := f[1+4*i:][:4]
		at := strings.Replace(p[2], "s", "a", 1)
		from, _ := strconv.ParseUint(p[3][:2], 16, 8)
		to, _ := strconv.ParseUint(p[3][2:], 16, 8)
		s.pointers = append(s.pointers, pointer{p[0], at + p[1], int(from), int(to)})
	}
}

// index reads a line of an index file: the word, and last the offsets of its meanings, their
// number being the third field.
func (w *wordnet) index(pos string, f []string) {
	n, err := strconv.Atoi(f[2])
	if err != nil || n > len(f) {
		return
	}
	for rank, offset := range f[len(f)-n:] {
		w.senses[f[0]] = append(w.senses[f[0]], sense{pos + offset, rank})
	}
}

// eachLine calls f for the lines of a file of WordNet, those of its licence excepted, which
// begin with a blank.
func eachLine(path string, f func(string)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if line := lines.Text(); line != "" && line[0] != ' ' {
			f(line)
		}
	}
	return lines.Err()
}

// ties yields the words that WordNet relates to a word, with how close the relation is, 0–1:
// words of the same meaning 1, or less if it is a rarer meaning of either.
func (w *wordnet) ties(word string, yield func(other string, tie float64)) {
	for _, s := range w.senses[word] {
		set := w.synsets[s.key]
		if set == nil {
			continue
		}
		for _, other := range set.words {
			if other != word {
				yield(other, w.common(s, other, s.key))
			}
		}
		for _, p := range set.pointers {
			w.follow(word, s, set, p, yield)
		}
	}
}

// closeness is what a relation is worth beside having the same meaning: a more general
// meaning, a group of verbs, a similar adjective, a word derived from it, what follows from
// it.
var closeness = map[string]float64{"@": .5, "~": .5, "$": .8, "&": .7, "+": .9, "*": .5, ">": .5,
	"^": .5, "=": .4, "\\": .7}

func (w *wordnet) follow(
	word string, s sense, set *synset, p pointer, yield func(string, float64),
) {
	worth, to := closeness[p.symbol], w.synsets[p.to]
	if worth == 0 || to == nil || p.from > 0 && set.words[p.from-1] != word {
		return
	}
	for i, other := range to.words {
		if other != word && (p.at == 0 || p.at == i+1) {
			yield(other, worth*w.common(s, other, p.to))
		}
	}
}

// common is how usual the meaning is for both words.
func (w *wordnet) common(s sense, other, key string) float64 {
	rank := 9
	for _, o := range w.senses[other] {
		if o.key == key {
			rank = o.rank
		}
	}
	return 1 / (1 + .15*float64(s.rank+rank))
}

// opposites returns the words that mean the opposite of a word in any of its meanings: those
// of all words with the meaning, of which WordNet names one, and of similar meanings, with
// what is similar to or derived from the opposite.
func (w *wordnet) opposites(word string) map[string]bool {
	out := map[string]bool{}
	for _, base := range w.basesOf(word) {
		for _, s := range w.senses[base] {
			if set := w.synsets[s.key]; set != nil {
				w.opposed(set, out)
				for _, p := range set.pointers {
					if to := w.synsets[p.to]; to != nil && p.symbol == "&" {
						w.opposed(to, out)
					}
				}
			}
		}
	}
	return out
}

// opposed adds the opposites of a meaning.
func (w *wordnet) opposed(set *synset, out map[string]bool) {
	for _, p := range set.pointers {
		to := w.synsets[p.to]
		if p.symbol != "!" || to == nil {
			continue
		}
		add(out, to.words)
		for _, q := range to.pointers {
			if near := w.synsets[q.to]; near != nil && (q.symbol == "&" || q.symbol == "+") {
				add(out, near.words)
			}
		}
	}
}

func add(set map[string]bool, words []string) {
	for _, s := range words {
		set[s] = true
	}
}

// basesOf returns a word and those that it is a form of: an irregular one, or a comparative.
func (w *wordnet) basesOf(word string) []string {
	out := append([]string{word}, w.bases[word]...)
	for _, ending := range []string{"er", "est", "r", "st"} {
		if base, ok := strings.CutSuffix(word, ending); ok && len(w.senses[base]) > 0 {
			out = append(out, base)
		}
	}
	return out
}
