package web

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"wstk/shared/entry/said"
	"wstk/shared/text"
)

// frame is what the frame around every page needs.
type frame struct {
	Title   string
	Page    string
	Section string
	Refresh int
	Data    any
}

// parse reads the templates: each is a page in the frame of base.html, with the pieces of
// parts.html.
func parse() map[string]*template.Template {
	base := template.Must(template.New("base.html").Funcs(functions).
		ParseFS(files, "templates/base.html", "templates/parts.html"))
	names, err := files.ReadDir("templates")
	if err != nil { // they are built in
		panic(err)
	}
	pages := map[string]*template.Template{}
	for _, f := range names {
		if name := strings.TrimSuffix(f.Name(), ".html"); name != "base" && name != "parts" {
			pages[name] = template.Must(template.Must(base.Clone()).
				ParseFS(files, path.Join("templates", f.Name())))
		}
	}
	return pages
}

// show writes a page, whole or not at all.
func (h *handler) show(w http.ResponseWriter, v view) {
	var b bytes.Buffer
	if err := h.pages[v.page].Execute(&b, frame{Title: brief(v.title), Page: v.page,
		Section: v.section, Refresh: v.refresh, Data: v.data}); err != nil {
		h.app.Log.Error("page failed", "page", v.page, "error", h.app.Config.Logged(err.Error()))
		http.Error(w, "An internal error occurred; the log has details.",
			http.StatusInternalServerError)
		return
	}
	// Characters that turn text around have no use of ours: whichever page has them, wherever
	// they were to stand, they would reach over the words around them.
	page := text.Strip(b.String())
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(page)))
	if v.status != 0 {
		w.WriteHeader(v.status)
	}
	io.WriteString(w, page)
}

// functions are what templates may call.
var functions = template.FuncMap{
	"num": num, "when": when, "words": humanWords, "host": hostOf,
	"short": shortURL, "web": webAddress,
	"query": url.QueryEscape, "inc": func(n int) int { return n + 1 }, "join": strings.Join,
	"seconds": seconds, "clip": clip, "cost": said.Cost, "usage": said.Usage,
	"brief": brief, "long": func(s string) bool { return brief(s) != s },
}

// num writes a number with its thousands set apart by narrow spaces.
func num(n any) string {
	var s string
	switch n := n.(type) {
	case int:
		s = strconv.Itoa(n)
	case int64:
		s = strconv.FormatInt(n, 10)
	case *int:
		if n == nil {
			return "–"
		}
		s = strconv.Itoa(*n)
	}
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// when writes a time as an element that people and machines read.
func when(t time.Time) template.HTML {
	if t.IsZero() {
		return "–"
	}
	t = t.UTC()
	return template.HTML(`<time datetime="` + t.Format(time.RFC3339) + `">` +
		t.Format("2 Jan 2006, 15:04") + `<span class="zone"> UTC</span></time>`)
}

// seconds writes a duration of milliseconds.
func seconds(ms int64) string {
	if ms < 1000 {
		return strconv.FormatInt(ms, 10) + " ms"
	}
	return strconv.FormatFloat(float64(ms)/1000, 'f', 1, 64) + " s"
}

// humanWords writes a word of the program, such as single_source, as people do.
func humanWords(v any) string {
	return strings.ReplaceAll(fmt.Sprint(v), "_", " ")
}

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return raw
	}
	return u.Host
}

// maxPassage is how many characters of a passage are shown in a list.
const maxPassage = 400

func clip(s string) string { return text.Shorten(s, maxPassage) }

// maxBrief is how many characters of a question, a title or a heading are shown where they
// are one line among others.
const maxBrief = 160

// brief is such a line, cut in the middle: its end tells as much as its beginning.
func brief(s string) string { return cut(s, maxBrief) }

// cut shortens what has more than n characters in the middle.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	c := []rune(s)
	if len(c) <= n {
		return s
	}
	begin := n * 2 / 3
	return string(c[:begin]) + "…" + string(c[len(c)-(n-begin-1):])
}

// maxShown is how many characters of an address are shown where it stands for a page.
const maxShown = 90

// shortURL is an address without its scheme, cut in the middle.
func shortURL(raw string) string {
	return cut(strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(raw, "https://"), "http://"), "/"), maxShown)
}
