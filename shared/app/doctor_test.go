package app

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"wstk/shared/wstk/wstktest"
)

// An empty file fits on a full disk: doctor writes some bytes.
func TestDoctorWritesToTheDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		wstktest.Skip(t, "there is no /dev/full here: ", err)
	}
	if err := fill(full); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a full disk takes it: %v", err)
	}
	dir := t.TempDir()
	if c := folder("data directory", dir+"/later"); !c.OK ||
		!strings.HasPrefix(c.Detail, dir+"/later (") || !strings.HasSuffix(c.Detail, " MB free)") {
		t.Errorf("%+v", c)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("it leaves %v, %v", left, err)
	}
}
