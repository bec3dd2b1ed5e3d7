package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// The test binary plays every part: the tool with a fake service, and that service.
func TestMain(m *testing.M) {
	switch os.Getenv("EMULATOR_PART") {
	case "tool":
		os.Unsetenv("EMULATOR_PART")
		out := writer(func(p []byte) (int, error) {
			if os.Getenv("EMULATOR_FAULT") == "panic" && bytes.Contains(p, []byte("ready")) {
				panic("a fault of our own")
			}
			return os.Stderr.Write(p)
		})
		os.Exit(start(os.Args[1:], []*service{fake()}, out))
	case "service":
		serve()
	case "idle":
		note("idle")
		select {}
	}
	os.Exit(m.Run())
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// fake is a service that needs no network to install.
func fake() *service {
	return &service{
		name: "fake", variable: "WSTK_FAKE", health: "/health", env: []string{"FAKE_AT=<%URL%>"},
		install: func(string, func(string, ...any)) error { return nil },
		command: func(_, dir string, port int) (*exec.Cmd, error) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "EMULATOR_PART=service", fmt.Sprint("PORT=", port))
			return cmd, nil
		},
	}
}

// serve is the fake server. It starts a process in a session of its own, as the
// worker of a function might be.
func serve() {
	if os.Getenv("EMULATOR_FAULT") == "ends" {
		fmt.Println("no more room on the disk")
		os.Exit(1)
	}
	idle := exec.Command(os.Args[0])
	idle.Env = append(os.Environ(), "EMULATOR_PART=idle")
	idle.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := idle.Start(); err != nil {
		panic(err)
	}
	for { // the tool may be done before it has begun
		if _, err := os.Stat(filepath.Join(os.Getenv("EMULATOR_PIDS"), "idle")); err == nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	note("service")
	http.HandleFunc("/health", func(http.ResponseWriter, *http.Request) {})
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

// note sends the id of this process to the test.
func note(name string) {
	os.WriteFile(filepath.Join(os.Getenv("EMULATOR_PIDS"), name), []byte(strconv.Itoa(os.Getpid())), 0o644)
}

// tool is the tool as another process, with what it says.
type tool struct {
	*exec.Cmd
	pids, temp string
	out        bytes.Buffer
}

func newTool(t *testing.T, fault string, args ...string) *tool {
	t.Helper()
	c := &tool{Cmd: exec.Command(os.Args[0], args...), pids: t.TempDir(), temp: t.TempDir()}
	c.Dir = t.TempDir()
	c.Env = append(os.Environ(), "EMULATOR_PART=tool", "EMULATOR_FAULT="+fault, "EMULATOR_PIDS="+c.pids, "TMPDIR="+c.temp)
	c.Stdout, c.Stderr = &c.out, &c.out
	return c
}

func (c *tool) code(t *testing.T) int {
	t.Helper()
	err := c.Run()
	var e *exec.ExitError
	if err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode()
}

// pid waits for a process to tell its id.
func (c *tool) pid(t *testing.T, name string) int {
	t.Helper()
	for range 500 {
		data, err := os.ReadFile(filepath.Join(c.pids, name))
		if pid, _ := strconv.Atoi(strings.TrimSpace(string(data))); err == nil && pid > 0 {
			return pid
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s never began; the tool said:\n%s", name, &c.out)
	return 0
}

// gone waits for a process to end.
func gone(t *testing.T, what string, pid int) {
	t.Helper()
	for range 500 {
		if syscall.Kill(pid, 0) != nil {
			return
		}
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if strings.Contains(string(stat), ") Z ") {
			return // its new parent has not looked yet
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%s still runs", what)
	syscall.Kill(pid, syscall.SIGKILL)
}

// nothingLeft checks that no process and no state outlives the tool.
func (c *tool) nothingLeft(t *testing.T) {
	t.Helper()
	gone(t, "the service", c.pid(t, "service"))
	gone(t, "the service's child", c.pid(t, "idle"))
	if left, _ := os.ReadDir(c.temp); len(left) > 0 {
		t.Errorf("state is left: %v", left)
	}
}

func TestArgumentsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "say run or install"},
		{"walk", `"walk" is not a command`},
		{"run", "needs a command"},
		{"run --", "needs a command"},
		{"run -only fake,gcp -- true", `no service "gcp", only fake`},
		{"run -only", "flag needs an argument"},
		{"run -fast -- true", "not defined: -fast"},
		{"install fake", "takes no arguments"},
	} {
		var out bytes.Buffer
		if code := start(strings.Fields(c.args), []*service{fake()}, &out); code != exitUsage ||
			!strings.Contains(out.String(), c.want) || !strings.Contains(out.String(), "usage:") {
			t.Errorf("%q: code %d, %s", c.args, code, &out)
		}
	}
	var out bytes.Buffer
	if code := start([]string{"--help"}, nil, &out); code != 0 || out.String() != usage {
		t.Errorf("--help: code %d, %s", code, &out)
	}
}

func TestExitCodeIsTheCommands(t *testing.T) {
	for _, c := range []struct {
		command []string
		want    int
	}{
		{[]string{"true"}, 0},
		{[]string{"sh", "-c", "exit 7"}, 7},
		{[]string{"sh", "-c", "kill -9 $$"}, 128 + 9},
		{[]string{"no-such-program"}, exitNotUp},
	} {
		tool := newTool(t, "", append([]string{"run", "--"}, c.command...)...)
		if code := tool.code(t); code != c.want {
			t.Errorf("%v: code %d, want %d\n%s", c.command, code, c.want, &tool.out)
		}
		tool.nothingLeft(t)
	}
}

func TestTheCommandFindsTheService(t *testing.T) {
	c := newTool(t, "", "run", "-only", "fake", "--", "sh", "-c", `[ "$FAKE_AT" = "<$WSTK_FAKE>" ] && [ -f "$WSTK_EMULATOR_DIR/fake.log" ] && echo at $WSTK_FAKE`)
	if code := c.code(t); code != 0 || !strings.Contains(c.out.String(), "at http://127.0.0.1:") {
		t.Errorf("code %d\n%s", code, &c.out)
	}
	c = newTool(t, "", "run", "--", "sh", "-c", "echo at $WSTK_FAKE")
	c.Env = append(c.Env, "WSTK_FAKE=elsewhere")
	if code := c.code(t); code != 0 || c.out.String() != "at elsewhere\n" {
		t.Errorf("a service that runs elsewhere: code %d\n%s", code, &c.out)
	}
}

func TestSignalsReachTheCommand(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		c := newTool(t, "", "run", "--", "sh", "-c", `trap 'exit 9' TERM INT HUP; echo $$ >"$EMULATOR_PIDS/command"; while :; do sleep 0.05; done`)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		command := c.pid(t, "command")
		c.Process.Signal(s)
		c.Wait()
		if code := c.ProcessState.ExitCode(); code != 9 {
			t.Errorf("%v: code %d\n%s", s, code, &c.out)
		}
		gone(t, "the command", command)
		c.nothingLeft(t)
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	t.Run("by the command", func(t *testing.T) {
		c := newTool(t, "", "run", "--", "sh", "-c", `sleep 600 & echo $! >"$EMULATOR_PIDS/sleep"`)
		c.Stdout, c.Stderr = nil, nil
		if code := c.code(t); code != 0 {
			t.Errorf("code %d", code)
		}
		gone(t, "the command's child", c.pid(t, "sleep"))
		c.nothingLeft(t)
	})
	t.Run("after a panic", func(t *testing.T) {
		c := newTool(t, "panic", "run", "--", "true")
		if code := c.code(t); code != 2 || !strings.Contains(c.out.String(), "a fault of our own") {
			t.Errorf("code %d\n%s", code, &c.out)
		}
		c.nothingLeft(t)
	})
	t.Run("after a kill", func(t *testing.T) {
		c := newTool(t, "", "run", "--", "sh", "-c", `echo $$ >"$EMULATOR_PIDS/command"; exec sleep 600`)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { // what cannot be stopped after a kill
			syscall.Kill(c.pid(t, "idle"), syscall.SIGKILL)
		}()
		command := c.pid(t, "command")
		c.Process.Kill()
		gone(t, "the service", c.pid(t, "service"))
		gone(t, "the command", command)
	})
}

func TestAServiceThatEndsWhileStarting(t *testing.T) {
	c := newTool(t, "ends", "run", "--", "echo", "never")
	if code := c.code(t); code != exitNotUp ||
		!strings.Contains(c.out.String(), "no more room on the disk") || strings.Contains(c.out.String(), "never\n") {
		t.Errorf("code %d\n%s", code, &c.out)
	}
}

func TestInstallIsOnceAndWhole(t *testing.T) {
	cache := t.TempDir()
	dir := filepath.Join(cache, "thing-1")
	// what an interrupted installation left is not taken for one
	if err := os.MkdirAll(filepath.Join(dir, "half"), 0o755); err != nil {
		t.Fatal(err)
	}
	var calls, inside atomic.Int32
	s := &service{name: "thing", install: func(cache string, _ func(string, ...any)) error {
		return once(dir, func() error {
			if inside.Add(1) != 1 {
				t.Error("two install at once")
			}
			defer inside.Add(-1)
			calls.Add(1)
			time.Sleep(20 * time.Millisecond)
			return nil
		})
	}}
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			m := &machine{out: new(bytes.Buffer)}
			if err := m.installOne(s, cache); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if calls.Load() != 1 {
		t.Errorf("installed %d times", calls.Load())
	}
	if _, err := os.Stat(filepath.Join(dir, "half")); err == nil {
		t.Error("the half is still there")
	}
}

func TestADownloadIsTriedTwice(t *testing.T) {
	quiet := func(string, ...any) {}
	for fail, want := range map[int]bool{0: true, 1: true, 2: false} {
		calls := 0
		err := twice(quiet, func() error {
			if calls++; calls <= fail {
				return errors.New("cut off")
			}
			return nil
		})
		if (err == nil) != want || calls > 2 {
			t.Errorf("%d failures: %v after %d calls", fail, err, calls)
		}
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	err := need(func(string, ...any) {}, func() error { return errors.New("no Java") }, "some-jre")
	if err == nil || !strings.Contains(err.Error(), "no Java") || !strings.Contains(err.Error(), "apt-get install some-jre") {
		t.Error(err)
	}
}

func TestRootGetsWhatIsMissing(t *testing.T) {
	was := isRoot
	isRoot = true
	t.Cleanup(func() { isRoot = was })
	dir := t.TempDir()
	// fails at first
	script := "#!/bin/sh\necho \"$@\" >>" + dir + "/asked\n[ $(wc -l <" + dir + "/asked) != 1 ]\n"
	if err := os.WriteFile(filepath.Join(dir, "apt-get"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	asked := func() string { data, _ := os.ReadFile(filepath.Join(dir, "asked")); return string(data) }
	err := need(func(string, ...any) {}, func() error {
		if !strings.Contains(asked(), "some-jre") {
			return errors.New("no Java")
		}
		return nil
	}, "some-jre")
	if want := "update -q\nupdate -q\ninstall -y -q --no-install-recommends some-jre\n"; err != nil || asked() != want {
		t.Errorf("%v, asked %q", err, asked())
	}
}
