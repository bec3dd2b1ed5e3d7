package fetch

import (
	_ "embed"
	"strings"
	"sync"

	"wstk/shared/lexicon"
	"wstk/shared/wstk"
)

//go:embed walls.txt
var wallList string

// wallHeader is a row of walls.txt.
type wallHeader struct {
	maker, name, value string // value "-" for any
	errors             bool   // counts with statuses from 400 only
}

var wallHeaders = sync.OnceValue(func() (out []wallHeader) {
	for f := range lexicon.Parse(wallList).Entries("") {
		out = append(out, wallHeader{maker: f[0], name: f[1], value: f[2],
			errors: f[3] == "error"})
	}
	return out
})

// wallMaker names the maker of the wall against machines that sent a reply, by its headers,
// or "" if they name none. The body is for stage screen.
func wallMaker(resp wstk.Response) string {
	for _, w := range wallHeaders() {
		value := strings.ToLower(resp.Header.Get(w.name))
		if value == "" || w.errors && resp.Status < 400 {
			continue
		}
		if w.value == "-" || strings.HasPrefix(value, w.value) {
			return w.maker
		}
	}
	return ""
}
