package chrome

import "syscall"

// group puts the browser into a process group of its own, and has it killed when this
// process dies, by kill -9 too.
func group() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
