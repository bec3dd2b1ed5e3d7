package chrome

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/windows"
)

const unsandboxed = false

// pass gives cmd the two ends, by handle.
func pass(cmd *exec.Cmd, in, out *os.File) error {
	attr := &syscall.SysProcAttr{}
	for _, f := range []*os.File{in, out} {
		h := windows.Handle(f.Fd())
		if err := windows.SetHandleInformation(h, windows.HANDLE_FLAG_INHERIT,
			windows.HANDLE_FLAG_INHERIT); err != nil {
			return err
		}
		attr.AdditionalInheritedHandles = append(attr.AdditionalInheritedHandles, syscall.Handle(h))
	}
	cmd.SysProcAttr = attr
	cmd.Args = append(cmd.Args, fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", in.Fd(), out.Fd()))
	return nil
}

// killAll ends the browser; its children see their channel to it close and end too.
func killAll(cmd *exec.Cmd) { cmd.Process.Kill() }

// awaitAll has nothing to wait by: the children end when they do.
func awaitAll(*exec.Cmd) {}

// hold takes the lock on a file, which ends with this process at the latest, and
// returns false when another process has it.
func hold(f *os.File) bool {
	const exclusive = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), exclusive, 0, 1, 0,
		&windows.Overlapped{}) == nil
}

// inUse reports whether a browser on this machine has the profile open: it keeps this
// file open and lets no other process open it.
func inUse(profile string) bool {
	name := filepath.Join(profile, "lockfile")
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err == nil {
		f.Close()
	}
	return err != nil && !os.IsNotExist(err)
}
