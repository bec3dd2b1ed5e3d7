package value

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

//go:embed words.txt
var wordsFile string

// wordRow is a line of words.txt.
type wordRow struct {
	lang, kind string
	from, step float64
	words      []string // those that mean the same are joined by "/"
}

// wordRows returns the lines of words.txt. It panics where a line is malformed.
var wordRows = sync.OnceValue(func() (rows []wordRow) {
	for _, columns := range columnsOf(wordsFile) {
		if len(columns) != 4 {
			panic(fmt.Sprintf("words.txt: %q has not four columns", columns))
		}
		row := wordRow{lang: columns[0], kind: columns[1], words: strings.Fields(columns[3])}
		from, step, _ := strings.Cut(columns[2], " +")
		row.from, row.step = mustFloat("words.txt", from), mustFloat("words.txt", step)
		rows = append(rows, row)
	}
	return rows
})

// each calls f with each word of a row and its value.
func (r *wordRow) each(f func(word string, value float64)) {
	for k, words := range r.words {
		for word := range strings.SplitSeq(words, "/") {
			f(word, r.from+float64(k)*r.step)
		}
	}
}

// columnsOf returns the columns of each line of a data file, separated by " | ", without
// empty lines and comments.
func columnsOf(file string) (rows [][]string) {
	for line := range strings.Lines(file) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		columns := strings.Split(line, "|")
		for k := range columns {
			columns[k] = strings.TrimSpace(columns[k])
		}
		rows = append(rows, columns)
	}
	return rows
}

// mustFloat returns the number that s states in a data file, 0 for none. It panics where s
// is something else.
func mustFloat(file, s string) float64 {
	if s == "" {
		return 0
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(file + ": " + err.Error())
	}
	return f
}
