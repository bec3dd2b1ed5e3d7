package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// stage is what the program did of one stage.
type stage struct {
	name    string
	Calls   int
	Seconds float64
}

// ingest serves copies of a folder as one site, lets the program crawl it, and prints
// a row of figures.
func ingest(p program, site, start string, copies int) ([]stage, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	handler, root := http.FileServer(http.Dir(site)), start
	if copies > 1 {
		handler, root = copied(site, start, copies), ""
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener) // it ends when it is closed
	defer server.Close()
	u, err := p.run("site", "ingest", "http://"+listener.Addr().String()+"/"+root,
		"--allow-private", "--max-pages", "100000", "--max-depth", "50", "--json")
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, u.out)
	}
	var res struct {
		Data struct {
			Accounting map[string]int
			Stages     map[string]stage
		}
	}
	if err := json.Unmarshal(u.out, &res); err != nil {
		return nil, err
	}
	n := res.Data.Accounting["fetched"] + res.Data.Accounting["duplicate_of"]
	cpu := ms(u.cpu) / float64(max(1, n))
	fmt.Printf("| %d | %.1f | %.0f | %.1f | %.0f | %.0f | %.0f |\n", n, u.took.Seconds(),
		float64(n)/u.took.Seconds(), cpu, 2*1000/cpu, u.peak, size(p.dir))
	var stages []stage
	for name, s := range res.Data.Stages {
		s.name = name
		stages = append(stages, s)
	}
	slices.SortFunc(stages, func(a, b stage) int { return strings.Compare(a.name, b.name) })
	return stages, nil
}

// copied serves a folder as /1/, /2/ and so on, with a sentence on each page that
// makes it another one than in the other copies, and a page that links to all.
func copied(site, start string, copies int) http.Handler {
	files := http.FileServer(http.Dir(site))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		copy, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		n, err := strconv.Atoi(copy)
		switch {
		case r.URL.Path == "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<title>Copies</title><h1>Copies</h1><p>Each of these is the same "+
				"manual, but for a sentence on every page.</p>")
			for i := range copies {
				fmt.Fprintf(w, `<p><a href="/%d/%s">Copy number %d of the manual</a></p>`,
					i+1, start, i+1)
			}
			return
		case err != nil || n < 1 || n > copies:
			http.NotFound(w, r)
			return
		}
		if data, err := os.ReadFile(filepath.Join(site,
			filepath.FromSlash(filepath.Clean("/"+path)))); err == nil &&
			strings.HasSuffix(path, ".html") {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Write(bytes.Replace(data, []byte("</body>"),
				fmt.Appendf(nil, "<p>This is the page as it stands in copy number %d of the "+
					"manual.</p></body>", n), 1))
			return
		}
		http.StripPrefix("/"+copy, files).ServeHTTP(w, r)
	})
}

// size is how much disk a folder takes, in MB.
func size(dir string) float64 {
	bytes := int64(0)
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	return float64(bytes) / 1e6
}
