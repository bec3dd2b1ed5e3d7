package cli

import (
	"io"
	"testing"

	"wstk/shared/app/answering"
	"wstk/shared/wstk"
)

// blanks are as many spaces as a reader accepts.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// TestASavedResultIsBounded: one that is too large is refused, and not read to its end.
func TestASavedResultIsBounded(t *testing.T) {
	if data, err := savedResult("-", io.LimitReader(blanks{}, answering.MaxResult)); err != nil ||
		len(data) != answering.MaxResult {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if _, err := savedResult("-", blanks{}); wstk.CodeOf(err) != wstk.TooLarge {
		t.Errorf("a result without an end: %v", err)
	}
}
