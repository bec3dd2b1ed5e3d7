package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// complete is written into a folder when its installation has ended well; a folder
// without it is what an interrupted installation left.
const complete = ".complete"

// once makes dir with install unless it is there and whole.
func once(dir string, install func() error) error {
	if _, err := os.Stat(filepath.Join(dir, complete)); err == nil {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := install(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, complete), nil, 0o644)
}

// twice tries again what a network may have spoilt.
func twice(say func(string, ...any), try func() error) error {
	err := try()
	if err != nil {
		say("once more after: %v", err)
		err = try()
	}
	return err
}

// output runs a program to its end. An error carries its last words.
func output(name string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		words := strings.TrimSpace(out.String())
		return "", fmt.Errorf("%s: %w\n%s", filepath.Base(name), err,
			words[max(0, len(words)-2000):])
	}
	return out.String(), nil
}

var isRoot = os.Getuid() == 0

// need makes sure that a program of the system is there and fit. Where it is not,
// root on a Debian-like system gets it from the system's packages; anybody else is
// told what to install.
func need(say func(string, ...any), fit func() error, packages ...string) error {
	err := fit()
	if err == nil {
		return nil
	}
	apt, lookErr := exec.LookPath("apt-get")
	if lookErr != nil || !isRoot {
		return fmt.Errorf("%w: install it (on Debian and Ubuntu: sudo apt-get install %s) and "+
			"try again", err, strings.Join(packages, " "))
	}
	say("%v: installing %s", err, strings.Join(packages, " "))
	err = twice(say, func() error {
		if _, err := output(apt, "update", "-q"); err != nil {
			return err
		}
		_, err := output("env", append([]string{"DEBIAN_FRONTEND=noninteractive", apt, "install",
			"-y", "-q", "--no-install-recommends"}, packages...)...)
		return err
	})
	if err != nil {
		return err
	}
	return fit()
}
