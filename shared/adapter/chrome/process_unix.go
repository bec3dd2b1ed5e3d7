//go:build unix

package chrome

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// unsandboxed: Chrome has no sandbox for root and does not start without being told.
var unsandboxed = os.Geteuid() == 0

// pass gives cmd the two ends, as descriptors 3 and 4.
func pass(cmd *exec.Cmd, in, out *os.File) error {
	cmd.ExtraFiles = []*os.File{in, out}
	cmd.SysProcAttr = group()
	return nil
}

// killAll ends the process and everything in its group.
func killAll(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// awaitAll waits until the whole group is gone: its members die one by one. It does not
// wait for long, since those that are dead count until the system has noticed.
func awaitAll(cmd *exec.Cmd) {
	for range 10 {
		if syscall.Kill(-cmd.Process.Pid, 0) == syscall.ESRCH {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// hold takes the lock on a file, which ends with this process at the latest, and
// returns false when another process has it.
func hold(f *os.File) bool { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil }

// inUse reports whether a browser on this machine has the profile open. A second one would
// hand its page over to the first, which is not behind the gate.
func inUse(profile string) bool {
	owner, err := os.Readlink(filepath.Join(profile, "SingletonLock")) // "host-pid"
	if err != nil {
		return false
	}
	i := strings.LastIndexByte(owner, '-')
	pid, err := strconv.Atoi(owner[i+1:])
	if err != nil {
		return false
	}
	if here, err := os.Hostname(); err != nil || owner[:max(i, 0)] != here {
		return true // on another machine that shares the folder: unknown
	}
	return syscall.Kill(pid, 0) != syscall.ESRCH
}
