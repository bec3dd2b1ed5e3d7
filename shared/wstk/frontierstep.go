package wstk

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// The steps of a URL on its way. Each changes u and reports true, or leaves it as it is
// and reports false: the rules of Frontier's methods of like names, for stores that work
// on the URL itself. The code that stores u sets ChangedAt.

// Discovered is u as a Frontier adds it: waiting, or closed where it has an outcome.
func (u FrontierURL) Discovered(now time.Time) FrontierURL {
	u.State, u.Slot, u.NotBefore, u.Attempts, u.Document = URLWaiting, "", time.Time{}, 0, ""
	if u.Outcome == "" || u.Outcome == OutcomeOpen {
		u.Outcome, u.Reason, u.Target = OutcomeOpen, "", ""
	} else {
		u.State = URLClosed
	}
	u.ChangedAt = now
	if u.FoundAt.IsZero() {
		u.FoundAt = now
	}
	return u
}

// Check returns Invalid if u cannot be added, with the reason.
func (u FrontierURL) Check(op string) error {
	if u.Run == "" || u.URL == "" {
		return Errorf(Invalid, op, "a URL of the frontier needs a run and a URL")
	}
	if u.Outcome != "" && !slices.Contains(Outcomes(), u.Outcome) {
		return Errorf(Invalid, op, "unknown outcome %q", u.Outcome)
	}
	if !u.Counted() && (u.Outcome == "" || u.Outcome == OutcomeOpen) {
		return Errorf(Invalid, op, "a URL of an earlier run needs its outcome")
	}
	return nil
}

// Counted reports whether the counters of its run count u: another run counts what it closed.
func (u FrontierURL) Counted() bool { return u.Via != ViaEarlier }

// Queue gives a waiting URL a slot.
func (u *FrontierURL) Queue(slot Slot) bool {
	if u.State != URLWaiting {
		return false
	}
	u.State, u.Slot, u.NotBefore = URLQueued, slot.Token, slot.At
	return true
}

// Start counts an attempt that begins.
func (u *FrontierURL) Start(slot string) bool {
	if u.State != URLQueued || u.Slot != slot {
		return false
	}
	u.Attempts++
	return true
}

// Requeue gives a queued URL another slot in place of old.
func (u *FrontierURL) Requeue(old string, slot Slot, counted bool) bool {
	if u.State != URLQueued || u.Slot != old {
		return false
	}
	u.Slot, u.NotBefore = slot.Token, slot.At
	if counted {
		u.Attempts++
	}
	return true
}

// Postpone lets a queued URL wait again.
func (u *FrontierURL) Postpone(slot string, until time.Time) bool {
	if u.State != URLQueued || u.Slot != slot {
		return false
	}
	u.State, u.Slot, u.NotBefore = URLWaiting, "", until
	return true
}

// Unqueue lets a URL wait again that rested since before.
func (u *FrontierURL) Unqueue(before time.Time, counted bool) bool {
	if u.State != URLQueued && u.State != URLStored || !u.ChangedAt.Before(before) {
		return false
	}
	u.State, u.Slot, u.NotBefore, u.Document = URLWaiting, "", time.Time{}, ""
	if counted {
		u.Attempts++
	}
	return true
}

// Store notes the Document of a queued URL.
func (u *FrontierURL) Store(slot string, doc Hash) bool {
	if u.State != URLQueued || u.Slot != slot {
		return false
	}
	u.State, u.Document = URLStored, doc
	return true
}

// Check returns Invalid if nothing can be closed with c, with the reason.
func (c Closing) Check(op string) error {
	if c.Outcome == OutcomeOpen || !slices.Contains(Outcomes(), c.Outcome) {
		return Errorf(Invalid, op, "%q is not an outcome with which a URL can end", c.Outcome)
	}
	return nil
}

// Close ends a URL that is not closed.
func (u *FrontierURL) Close(c Closing) bool {
	if u.State == URLClosed {
		return false
	}
	u.State, u.Document = URLClosed, ""
	u.Outcome, u.Reason, u.Target = c.Outcome, c.Reason, c.Target
	return true
}

// MaxNote is the largest value of a note, in bytes.
const MaxNote = 64 << 10

// CheckNoteKey returns Invalid if a note cannot be kept under key, with the reason.
func CheckNoteKey(op, key string) error {
	if key == "" || len(key) > 100 ||
		strings.ContainsFunc(key, func(c rune) bool { return c > unicode.MaxASCII }) {
		return Errorf(Invalid, op, "the key %q is not 1 to 100 bytes of ASCII", key)
	}
	return nil
}

// CheckNote returns Invalid or TooLarge if value cannot be kept under key, with the reason.
func CheckNote(op, key, value string) error {
	if err := CheckNoteKey(op, key); err != nil {
		return err
	}
	if len(value) > MaxNote {
		return Errorf(TooLarge, op, "the value of %q has %d bytes; at most %d fit",
			key, len(value), MaxNote)
	}
	return nil
}
