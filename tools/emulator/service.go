package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/term"
)

// service is one of the servers that stand in for the cloud.
type service struct {
	name     string
	variable string // names its URL in the environment of the command

	// install puts what is missing into cache and returns at once when nothing is.
	install func(cache string, say func(format string, args ...any)) error

	// command is the server, listening on the loopback port and keeping all its
	// state in dir.
	command func(cache, dir string, port int) (*exec.Cmd, error)

	health string   // path that answers 200 once the server is ready
	env    []string // for the command, beside variable; %URL% is the server's URL

	// aside is a variable that server and command have in common: the URL of a port on which
	// nothing listens, unless the command does.
	aside string
}

func services() []*service { return []*service{awsService(), openSearchService()} }

// Limits. Ready is long because a first start may share a slow machine with a
// compiler; state is thrown away, so that a server which does not stop is killed.
const (
	readyLimit = 3 * time.Minute
	stopLimit  = 5 * time.Second
	graceLimit = 20 * time.Second // for a command that was told to stop
)

// The servers are asked of the kernel to die with this thread, which therefore
// must live as long as the process.
func init() { runtime.LockOSThread() }

// machine runs services.
type machine struct {
	services []*service
	out      io.Writer
	dir      string // state of this run
	running  []*server
}

// server is a service that was started.
type server struct {
	*service
	url  string
	free string // URL of the port of aside
	cmd  *exec.Cmd
	log  string
	done chan struct{} // closed when the process has ended
}

func (m *machine) say(format string, args ...any) {
	fmt.Fprintf(m.out, "emulator: "+format+"\n", args...)
}

func (m *machine) install() error {
	cache, err := cacheDir()
	if err != nil {
		return err
	}
	for _, s := range m.services {
		if err := m.installOne(s, cache); err != nil {
			return fmt.Errorf("installing %s: %w", s.name, err)
		}
	}
	return nil
}

// installOne installs under a lock, so that two runs may begin at once.
func (m *machine) installOne(s *service, cache string) error {
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	lock, err := os.Create(filepath.Join(cache, s.name+".lock"))
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		m.say("waiting for another process that installs %s", s.name)
		if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
			return err
		}
	}
	return s.install(cache, m.say)
}

// run brings the services up, runs the command and takes everything down again,
// whatever happens. It returns the command's exit code.
func (m *machine) run(command []string) (code int, err error) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	if err := adoptOrphans(); err != nil {
		return exitNotUp, err
	}
	if m.dir, err = os.MkdirTemp("", "wstk-emulator-"); err != nil {
		return exitNotUp, err
	}
	defer os.RemoveAll(m.dir)
	defer m.stop()
	if err := os.Chmod(m.dir, 0o755); err != nil { // one server runs as another user
		return exitNotUp, err
	}

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	up := make(chan error, 1)
	stopped := func(s os.Signal) (int, error) {
		return exitSignal + int(s.(syscall.Signal)),
			fmt.Errorf("stopped by a signal (%v) before the command began", s)
	}
	go func() { up <- m.install() }()
	select {
	case err := <-up:
		if err != nil {
			return exitNotUp, err
		}
	case s := <-signals:
		return stopped(s)
	}
	begun := time.Now()
	if err := m.start(); err != nil {
		return exitNotUp, err
	}
	go func() { up <- m.ready(ctx) }()
	select {
	case err := <-up:
		if err != nil {
			return exitNotUp, err
		}
	case s := <-signals:
		return stopped(s)
	}
	for _, s := range m.running {
		m.say("%s at %s", s.name, s.url)
	}
	if len(m.running) > 0 {
		m.say("ready after %.1f s", time.Since(begun).Seconds())
	}
	return m.wait(command, signals)
}

// start starts every service. Each gets a process group, so that Ctrl-C in a
// terminal reaches the command alone.
func (m *machine) start() error {
	cache, err := cacheDir()
	if err != nil {
		return err
	}
	for _, s := range m.services {
		dir := filepath.Join(m.dir, s.name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
		port, err := freePort()
		if err != nil {
			return err
		}
		r := &server{service: s, url: fmt.Sprintf("http://127.0.0.1:%d", port),
			log: filepath.Join(m.dir, s.name+".log"), done: make(chan struct{})}
		if r.cmd, err = s.command(cache, dir, port); err != nil {
			return fmt.Errorf("starting %s: %w", s.name, err)
		}
		if s.aside != "" {
			if port, err = freePort(); err != nil {
				return err
			}
			r.free = fmt.Sprintf("http://127.0.0.1:%d", port)
			r.cmd.Env = append(r.cmd.Environ(), s.aside+"="+r.free)
		}
		log, err := os.Create(r.log)
		if err != nil {
			return err
		}
		r.cmd.Stdout, r.cmd.Stderr = log, log
		if r.cmd.SysProcAttr == nil {
			r.cmd.SysProcAttr = &syscall.SysProcAttr{}
		}
		r.cmd.SysProcAttr.Setpgid = true
		dieWithParent(r.cmd.SysProcAttr)
		err = r.cmd.Start()
		log.Close()
		if err != nil {
			return fmt.Errorf("starting %s: %w", s.name, err)
		}
		m.running = append(m.running, r)
		go func() {
			r.cmd.Wait()
			close(r.done)
		}()
	}
	return nil
}

// ready waits until every service answers.
func (m *machine) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyLimit)
	defer cancel()
	for _, s := range m.running {
		for !s.healthy(ctx) {
			select {
			case <-s.done:
				return fmt.Errorf("%s ended while starting; its last words:\n%s",
					s.name, s.lastWords())
			case <-ctx.Done():
				return fmt.Errorf("%s was not ready in %v; its last words:\n%s", s.name,
					readyLimit, s.lastWords())
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
	return nil
}

func (s *server) healthy(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+s.health, nil)
	if err != nil {
		return false
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	res.Body.Close()
	return res.StatusCode == http.StatusOK
}

func (s *server) lastWords() string {
	data, err := os.ReadFile(s.log)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(bytes.ToValidUTF8(data, nil))), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

// environment is what the command finds the services by.
func (m *machine) environment() []string {
	env := append(os.Environ(), "WSTK_EMULATOR_DIR="+m.dir)
	for _, s := range m.running {
		env = append(env, s.variable+"="+s.url)
		for _, e := range s.env {
			env = append(env, strings.ReplaceAll(e, "%URL%", s.url))
		}
		if s.aside != "" {
			env = append(env, s.aside+"="+s.free)
		}
	}
	return env
}

// wait runs the command to its end and passes signals on to it.
func (m *machine) wait(command []string, signals <-chan os.Signal) (int, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = m.environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	dieWithParent(cmd.SysProcAttr)
	if err := cmd.Start(); err != nil {
		return exitNotUp, fmt.Errorf("starting the command: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var limit <-chan time.Time
	for {
		select {
		case err := <-ended:
			return exitCode(err)
		case s := <-signals:
			if limit != nil { // told twice
				cmd.Process.Kill()
			}
			limit = time.After(graceLimit)
			// a terminal has sent its own signal to the command already
			if s != os.Interrupt || !term.IsTerminal(int(os.Stdin.Fd())) {
				cmd.Process.Signal(s)
			}
		case <-limit:
			m.say("the command did not stop in %v and is killed", graceLimit)
			cmd.Process.Kill()
		}
	}
}

func exitCode(err error) (int, error) {
	var e *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case !errors.As(err, &e):
		return exitNotUp, err
	}
	if st, ok := e.Sys().(syscall.WaitStatus); ok && st.Signaled() {
		return exitSignal + int(st.Signal()), nil
	}
	return e.ExitCode(), nil
}

// stop ends the services, and whatever else this process or the command left
// running: each by its id.
func (m *machine) stop() {
	var all sync.WaitGroup
	for _, s := range m.running {
		all.Go(func() {
			s.cmd.Process.Signal(syscall.SIGTERM)
			select {
			case <-s.done:
			case <-time.After(stopLimit):
				s.cmd.Process.Kill()
				<-s.done
			}
		})
	}
	all.Wait()
	for range 100 { // one that is killed may just have started another
		left := descendants(os.Getpid())
		if len(left) == 0 {
			return
		}
		for _, pid := range left {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// freePort finds a port that is free, below those that systems give out by
// themselves: one of those might be taken again before the service has it.
func freePort() (int, error) {
	var err error
	for range 100 {
		port := 15000 + rand.IntN(15000)
		var l net.Listener
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return port, l.Close()
		}
	}
	return 0, err
}
