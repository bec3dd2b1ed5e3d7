package main

import (
	"bufio"
	"bytes"
	"errors"
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

// server is a running wstk serve.
type server struct {
	cmd     *exec.Cmd
	address string
	log     bytes.Buffer
	read    chan struct{} // closed when its log ended
}

// start runs wstk serve and waits until it listens.
func start(wstk string, env []string) (*server, error) {
	s := &server{cmd: exec.Command(wstk, "serve", "--addr", "127.0.0.1:0", "--plain"),
		read: make(chan struct{})}
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
	if err == nil && strings.Contains(s.log.String(), "msg=panic") {
		err = errors.New("a request made it panic")
	}
	if err != nil {
		return fmt.Errorf("the server: %w\n%s", err, s.log.String())
	}
	return nil
}
