package chrome

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"wstk/shared/wstk"
)

// flags are the same for every browser. What they switch off would speak to places that
// no page named, or ask a person who is not there.
var flags = []string{
	"--remote-debugging-pipe", "--enable-automation", "--no-first-run",
	"--no-default-browser-check", "--no-service-autorun",
	"--disable-background-networking", "--disable-component-update",
	"--disable-component-extensions-with-background-pages", "--disable-sync",
	"--disable-default-apps", "--disable-extensions", "--disable-domain-reliability",
	"--disable-client-side-phishing-detection",
	"--disable-breakpad", "--disable-crash-reporter", "--metrics-recording-only", "--no-pings",
	"--disable-search-engine-choice-screen",
	"--disable-prompt-on-repost", "--disable-hang-monitor", "--disable-notifications",
	"--deny-permission-prompts", "--mute-audio",
	"--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
	"--disable-background-timer-throttling",
	"--disable-dev-shm-usage", "--force-color-profile=srgb", "--window-size=1280,900",
	"--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,AutofillServerCommunication," +
		"CertificateTransparencyComponentUpdater," +
		"InterestFeedContentSuggestions,GlobalMediaControls,AcceptCHFrame,HttpsUpgrades," +
		"HttpsFirstBalancedModeAutoEnable",

	// Nothing goes past the gate: no UDP, no names looked up, and loopback is no
	// exception from the proxy (a page's own proxy stands in its browser context).
	"--disable-quic", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
	"--webrtc-ip-handling-policy=disable_non_proxied_udp",
	"--dns-prefetch-disable", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
	"--proxy-bypass-list=<-loopback>",
}

// nowhere is the proxy of what no page asks for: a port that nothing listens on.
const nowhere = "127.0.0.1:9"

// startTime is how long a browser may take until it answers.
const startTime = 30 * time.Second

// process is a running browser.
type process struct {
	*conn
	agent   string // its own User-Agent
	dir     string // deleted with it; "" when the profile is the user's
	lock    *os.File
	cmd     *exec.Cmd
	exited  chan struct{}
	words   *tail // its last words on stderr
	killing sync.Once
}

// launch is what a browser is started with.
type launch struct {
	path    string
	profile string // "" means a fresh one
	proxy   string
	headful bool
}

// start runs a browser and waits until it answers. Unavailable says why it did not;
// Conflict that its profile is in use.
func start(ctx context.Context, l launch) (*process, error) {
	const op = "starting the browser"
	p := &process{exited: make(chan struct{}), words: &tail{}}
	profile := l.profile
	if profile == "" {
		dir, lock, err := freshFolder()
		if err != nil {
			return nil, wstk.Errorf(wstk.Internal, op,
				"no folder could be made for the browser's profile: %w", err)
		}
		p.dir, p.lock, profile = dir, lock, filepath.Join(dir, "profile")
	} else if inUse(profile) {
		return nil, profileInUse(op)
	}
	args := append([]string{"--user-data-dir=" + profile, "--proxy-server=" + l.proxy}, flags...)
	if !l.headful {
		args = append(args, "--headless=new", "--hide-scrollbars", "--no-startup-window")
	}
	if l.profile == "" {
		// A profile of the user's is locked with their keyring.
		args = append(args, "--password-store=basic", "--use-mock-keychain")
	}
	if unsandboxed {
		args = append(args, "--no-sandbox")
	}
	cmd := exec.Command(l.path, append(args, "about:blank")...)
	cmd.Env = environment(p.dir)
	cmd.Stderr = p.words
	cmd.WaitDelay = 2 * time.Second // for children that hold on to stderr
	in, out, given, err := pipes(cmd)
	if err != nil {
		p.clean()
		return nil, wstk.Errorf(wstk.Internal, op,
			"no pipes to the browser could be opened: %w", err)
	}
	p.cmd = cmd
	started := make(chan error, 1)
	go func() {
		// Linux kills the browser when the thread that started it ends, so that thread
		// has to stay with this one.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		given[0].Close()
		given[1].Close()
		started <- err
		if err == nil {
			cmd.Wait()
			close(p.exited)
		}
	}()
	if err := <-started; err != nil {
		in.Close()
		out.Close()
		p.clean()
		return nil, wstk.Errorf(wstk.Unavailable, op, "%s does not start", l.path).
			Try(browserSetting("to the path of Chromium or Chrome"))
	}
	p.conn = newConn(in, out)
	go func() {
		<-p.exited
		in.Close() // children that outlive it may hold the other end
	}()
	wait, stop := context.WithTimeout(ctx, startTime)
	defer stop()
	var version struct {
		UserAgent string `json:"userAgent"`
	}
	if err := p.call(wait, "", "Browser.getVersion", nil, &version); err != nil {
		p.kill()
		if ctx.Err() != nil {
			return nil, wstk.Wrap(wstk.Cancelled, op, ctx.Err())
		}
		return nil, p.whyNot(op, l, err)
	}
	p.agent = version.UserAgent
	return p, nil
}

// pipes gives cmd its ends of the two pipes. It returns ours, and theirs, which are to
// be closed once the browser has copies.
func pipes(cmd *exec.Cmd) (in, out *os.File, given [2]*os.File, err error) {
	theirIn, out, err := os.Pipe()
	if err != nil {
		return nil, nil, given, err
	}
	in, theirOut, err := os.Pipe()
	if err != nil {
		theirIn.Close()
		out.Close()
		return nil, nil, given, err
	}
	if err := pass(cmd, theirIn, theirOut); err != nil {
		for _, f := range []*os.File{theirIn, theirOut, in, out} {
			f.Close()
		}
		return nil, nil, given, err
	}
	return in, out, [2]*os.File{theirIn, theirOut}, nil
}

// whyNot explains a browser that started and did not answer.
func (p *process) whyNot(op string, l launch, err error) error {
	last := p.words.String()
	switch {
	case l.profile != "" && (errors.Is(err, errGone) && p.cmd.ProcessState.ExitCode() == 0 ||
		strings.Contains(last, "profile appears to be in use")):
		return profileInUse(op)
	case strings.Contains(last, "No usable sandbox"), strings.Contains(last, "zygote_host_impl"):
		return wstk.Errorf(wstk.Unavailable, op, "this system gives the browser no sandbox").
			Try(wstk.Advice("allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, " +
				"or an AppArmor profile for the browser)"))
	case strings.Contains(last, "Missing X server"), strings.Contains(last, "cannot open display"):
		return wstk.Errorf(wstk.Unavailable, op, "there is no screen to show the browser on").
			Try(wstk.Step{Do: wstk.DoLeaveOut, Options: []wstk.Option{wstk.OptHeadful.On()}})
	case strings.Contains(last, "non-default data directory"):
		return wstk.Errorf(wstk.Unavailable, op,
			"this browser cannot be automated with its default profile folder").
			Try(wstk.Step{Do: wstk.DoOption, For: "copy that folder and give the copy",
				Options: []wstk.Option{wstk.OptProfile.On()}})
	}
	return wstk.Errorf(wstk.Unavailable, op, "%s started and did not answer", l.path).
		Try(wstk.Advice("start the browser yourself and read what it prints"))
}

func profileInUse(op string) error {
	return wstk.Errorf(wstk.Conflict, op, "the profile is in use by another browser").
		Try(wstk.Step{Do: wstk.DoOption,
			For:     "close every window of that browser, or give a copy of the folder",
			Options: []wstk.Option{wstk.OptProfile.On()}})
}

// kill ends the browser and all its children, and deletes its folder. It returns when
// they are gone.
func (p *process) kill() {
	p.killing.Do(func() {
		killAll(p.cmd)
		<-p.exited
		awaitAll(p.cmd)
		p.conn.out.Close()
		<-p.conn.done
		p.clean()
	})
}

// quit lets the browser save its profile before it is killed.
func (p *process) quit() {
	p.post("", "Browser.close", nil)
	select {
	case <-p.exited:
	case <-time.After(5 * time.Second):
	}
	p.kill()
}

func (p *process) clean() {
	if p.dir == "" {
		return
	}
	p.lock.Close()
	// A child that is dying may still write.
	for range 20 {
		if os.RemoveAll(p.dir) == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// gone reports whether the browser has ended.
func (p *process) gone() bool {
	select {
	case <-p.conn.done:
		return true
	default:
		return false
	}
}

// folderName is how the folders of fresh profiles begin.
const folderName = "wstk-browser-"

// freshFolder makes a folder for one browser, and deletes those that a killed process
// left: those whose lock is not held.
func freshFolder() (string, *os.File, error) {
	old, _ := filepath.Glob(filepath.Join(os.TempDir(), folderName+"*"))
	for _, dir := range old {
		if f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR, 0); err == nil {
			left := hold(f)
			f.Close()
			if left {
				os.RemoveAll(dir)
			}
		}
	}
	for range 3 {
		dir, err := os.MkdirTemp("", folderName+"*")
		if err != nil {
			return "", nil, err
		}
		f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
		if err == nil && !hold(f) {
			f.Close() // taken for a leftover before it was held
			continue
		}
		if err == nil {
			err = os.Mkdir(filepath.Join(dir, "tmp"), 0o700)
		}
		if err != nil {
			os.RemoveAll(dir)
			return "", nil, err
		}
		return dir, f, nil
	}
	return "", nil, errors.New("no folder could be locked")
}

// environment is what the browser is told of this process's: nothing that may be a
// secret. What it writes outside its profile goes into dir, unless that is "".
func environment(dir string) []string {
	var env []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if passed(strings.ToUpper(name)) {
			env = append(env, entry)
		}
	}
	if dir != "" {
		tmp := filepath.Join(dir, "tmp")
		env = append(env, "XDG_CONFIG_HOME="+tmp, "XDG_CACHE_HOME="+tmp)
		if len(dir) < 50 { // beyond, the sockets it makes there would have no name
			env = append(env, "TMPDIR="+tmp)
		}
	}
	return env
}

func passed(name string) bool {
	for _, prefix := range []string{"LC_", "XDG_", "FONTCONFIG_", "PROGRAM", "COMMONPROGRAM"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	switch name {
	case "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "SHELL", "TMPDIR", "DISPLAY",
		"WAYLAND_DISPLAY", "XAUTHORITY",
		"DBUS_SESSION_BUS_ADDRESS", "LD_LIBRARY_PATH", "CHROME_DEVEL_SANDBOX", "SYSTEMROOT",
		"SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP",
		"APPDATA", "LOCALAPPDATA", "USERPROFILE", "USERNAME", "HOMEDRIVE", "HOMEPATH", "OS",
		"PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS":
		return true
	}
	return false
}

// tail keeps the end of what is written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailSize = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p[max(0, len(p)-tailSize):]...)
	t.buf = t.buf[max(0, len(t.buf)-tailSize):]
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
