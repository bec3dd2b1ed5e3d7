//go:build unix && !linux

package chrome

import "syscall"

// group puts the browser into a process group of its own. When this process dies, the
// browser sees its pipes close and ends by itself.
func group() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
