package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

// site is a server of this program's own.
type site struct {
	*http.Server
	address string
}

func onLoopback(h http.Handler) (*site, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &site{&http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}, "http://" + l.Addr().String()}
	go s.Serve(l)
	return s, nil
}

// standIn answers as Brave and SearXNG do, with pages of a site.
type standIn struct{ pages string }

func (s standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	type row struct {
		Title       string `json:"title"`
		URL         string `json:"url"`
		Description string `json:"description,omitempty"` // as Brave calls it
		Content     string `json:"content,omitempty"`     // as SearXNG does
	}
	var reply any
	switch r.URL.Path {
	case "/res/v1/web/search":
		reply = map[string]any{"web": map[string]any{"results": []row{
			{Title: "Write-Ahead Logging", URL: s.pages + "/wal.html", Description: "How it works."},
			{Title: "Page size", URL: s.pages + "/pgszchng2016.html", Description: "The default page size."}}}}
	case "/search":
		reply = map[string]any{"query": r.FormValue("q"), "results": []row{
			{Title: "Write-Ahead Logging", URL: s.pages + "/wal.html#top", Content: "How it works."}}}
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(reply)
}

// server is a running wstk serve.
type server struct {
	cmd     *exec.Cmd
	address string
	log     bytes.Buffer
	read    chan struct{} // closed when its log ended
}

// start runs wstk serve and waits until it listens.
func start(wstk string, env []string) (*server, error) {
	s := &server{cmd: exec.Command(wstk, "serve", "--addr", "127.0.0.1:0", "--plain"), read: make(chan struct{})}
	s.cmd.Env = env
	pipe, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(pipe)
	for lines.Scan() {
		s.log.WriteString(lines.Text() + "\n")
		if at, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			s.address = at
			go func() {
				defer close(s.read)
				for lines.Scan() {
					s.log.WriteString(lines.Text() + "\n")
				}
			}()
			return s, nil
		}
	}
	return nil, fmt.Errorf("the server did not start: %w\n%s", s.cmd.Wait(), s.log.String())
}

// stop ends the server. That it broke inside, and said so in its log, is an error.
func (s *server) stop() error {
	s.cmd.Process.Signal(os.Interrupt)
	<-s.read
	err := s.cmd.Wait()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 130 { // as after Ctrl-C
		err = nil
	}
	if err != nil || strings.Contains(s.log.String(), "msg=panic") {
		return fmt.Errorf("the server: %w\n%s", err, s.log.String())
	}
	return nil
}
