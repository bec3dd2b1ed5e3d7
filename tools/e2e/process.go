package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// functions calls f for every process that works as a function of the stack, with its
// id and the function's name in the template. The emulator runs functions as processes
// of their own.
func functions(f func(pid int, name string)) {
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environments {
		env, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		_, rest, ok := strings.Cut(string(env), "AWS_LAMBDA_FUNCTION_NAME="+stack+"-")
		name, _, found := strings.Cut(rest, "Function-")
		exe, err := os.Readlink(filepath.Join(filepath.Dir(path), "exe"))
		if !ok || !found || err != nil || filepath.Base(exe) != "bootstrap" {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil {
			f(pid, name)
		}
	}
}

// killOne kills a process of a function, and returns its id; 0 when there is none.
func killOne(name string) (killed int) {
	functions(func(pid int, n string) {
		if n == name && killed == 0 && syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed = pid
		}
	})
	return killed
}

// peaks is the largest resident memory of each function's processes so far, in MB.
func peaks() map[string]int {
	most := map[string]int{}
	functions(func(pid int, name string) {
		status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
		if err != nil {
			return
		}
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		if fields := strings.Fields(rest); len(fields) > 0 {
			if kb, err := strconv.Atoi(fields[0]); err == nil {
				most[name] = max(most[name], kb/1000)
			}
		}
	})
	return most
}
