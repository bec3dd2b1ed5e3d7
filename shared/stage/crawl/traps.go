package crawl

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Limits are the limits of the trap guards and of retries. Real sites do not reach them: the
// longest paths of documentation sites, and of Wikipedia's titles in percent-encoding, are
// under 900 bytes, and no real path we saw repeats a segment four times. What no guard
// catches, such as an endless calendar whose pages all differ, ends at the page budget.
type Limits struct {
	Path     int // longest path, in bytes: 1,024
	URL      int // longest path and query, in bytes: 2,048
	Repeats  int // how often a path may hold one segment: 3
	Variants int // query variants of one path that are requested: 100
	// query variants of one path that gave a text already stored, before the others are left out:
	// 5; as many are under way at a time
	Copies int
	// pages in a row of one folder with the same text, before the rest of the folder is left out:
	// 25
	SameText int
	Hops     int // redirects in a row: 10
	Attempts int // how often a URL is tried: 3
	Resends  int // how often a stored page is sent to index: 10
	// timeouts, network errors, 429 and 503 of one host in a row, before it is given up: 20
	Failures int
	Queued   int // URLs of one host under way: 50
}

// DefaultLimits returns the limits that the comments of Limits name.
func DefaultLimits() Limits {
	return Limits{Path: 1024, URL: 2048, Repeats: 3, Variants: 100, Copies: 5, SameText: 25,
		Hops: 10, Attempts: 3, Resends: 10, Failures: 20, Queued: 50}
}

// shape reports whether the form of a URL alone makes it a trap, and why.
func (l Limits) shape(a address) string {
	if len(a.path) > l.Path {
		return fmt.Sprintf("path of %d bytes, over %d", len(a.path), l.Path)
	}
	if n := len(a.path) + len(a.query); n > l.URL {
		return fmt.Sprintf("path and query of %d bytes, over %d", n, l.URL)
	}
	seen := map[string]int{}
	for segment := range strings.SplitSeq(a.path, "/") {
		if segment == "" {
			continue
		}
		if seen[segment]++; seen[segment] > l.Repeats {
			return fmt.Sprintf("%q occurs more than %d times in the path",
				text.Shorten(segment, 60), l.Repeats)
		}
	}
	return ""
}

// The guards below have a memory. It is kept in notes of the frontier, so that it survives
// processes and crashes, and changes only by compare and set.

// short names a long string in a note's key or value, 16 characters.
func short(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// changeNote applies change to the note under key, again if another worker changed it
// meanwhile. change gets the old note and returns the new one; if both are equal, nothing
// is written.
func (s *Stage) changeNote(
	ctx context.Context, run wstk.RunID, key string, change func(old string) (string, error),
) error {
	for {
		old, err := s.Frontier.Note(ctx, run, key)
		if err != nil {
			return err
		}
		value, err := change(old)
		if err != nil || value == old {
			return err
		}
		if ok, err := s.Frontier.SetNote(ctx, run, key, old, value); err != nil || ok {
			return err
		}
	}
}

// addMember makes member one of the set under key, unless it has max others, and
// reports whether it is one and how many there are. Doing it twice is the same as
// once.
func (s *Stage) addMember(
	ctx context.Context, run wstk.RunID, key, member string, max int,
) (in bool, n int, err error) {
	member = short(member)
	err = s.changeNote(ctx, run, key, func(old string) (string, error) {
		members := strings.Fields(old)
		in, n = slices.Contains(members, member), len(members)
		if in || n >= max {
			return old, nil
		}
		in, n = true, n+1
		return strings.TrimSpace(old + " " + member), nil
	})
	return in, n, err
}

// pathOf returns the path that all query variants share.
func pathOf(host string, a address) string { return short(host + a.path) }

// folderOf returns the folder of a URL.
func folderOf(host string, a address) string { return short(host + a.dir()) }

// The notes of the guards, by the prefixes of their keys.
const (
	variantsNotes = "variants/"
	copiesNotes   = "copies/"
	streakNotes   = "streak/"
)

var trapNotes = []string{variantsNotes, copiesNotes, streakNotes}

func variantsKey(path string) string { return variantsNotes + path }
func copiesKey(path string) string   { return copiesNotes + path }
func streakKey(folder string) string { return streakNotes + folder }

// streak counts pages of a folder that gave one text in a row.
type streak struct {
	Text  string   `json:"t"`           // short name of the text
	Count int      `json:"n"`           // pages in a row
	Last  []string `json:"l,omitempty"` // those counted last, so that one counts once
}

// trapped returns why a URL that is about to be requested is a trap, by what the run met so
// far, or "" if it is none. A query variant that is let through is counted.
func (s *Stage) trapped(
	ctx context.Context, u wstk.FrontierURL, seen map[string]string,
) (string, error) {
	a, ok := splitURL(u.URL)
	if !ok {
		return "", nil
	}
	read := func(key string) (string, error) {
		if v, ok := seen[key]; ok {
			return v, nil
		}
		v, err := s.Frontier.Note(ctx, u.Run, key)
		if err == nil {
			seen[key] = v
		}
		return v, err
	}
	note, err := read(streakKey(folderOf(u.Host, a)))
	if err != nil {
		return "", err
	}
	if st := readStreak(note); st.Count >= s.limits().SameText {
		return fmt.Sprintf("%d pages in a row under %s gave the same text", st.Count,
			text.Shorten(a.dir(), 100)), nil
	}
	if a.query == "" {
		return "", nil
	}
	path := pathOf(u.Host, a)
	note, err = read(copiesKey(path))
	if err != nil {
		return "", err
	}
	if n := len(strings.Fields(note)); n >= s.limits().Copies {
		return fmt.Sprintf("%d query variants of %s gave a text already stored", n,
			text.Shorten(a.path, 100)), nil
	}
	in, n, err := s.addMember(ctx, u.Run, variantsKey(path), u.URL, s.limits().Variants)
	if err != nil {
		return "", err
	}
	if !in {
		return fmt.Sprintf("over %d query variants of %s", n, text.Shorten(a.path, 100)), nil
	}
	return "", nil
}

func readStreak(note string) streak {
	var st streak
	if note != "" {
		_ = json.Unmarshal([]byte(note), &st) // a note that cannot be read is no streak
	}
	return st
}

// noteText notes for the guards that a page gave a text: one of its own, or one that
// another page had given before.
func (s *Stage) noteText(
	ctx context.Context, u wstk.FrontierURL, text wstk.Hash, copied bool,
) error {
	a, ok := splitURL(u.URL)
	if !ok {
		return nil
	}
	if copied && a.query != "" {
		if _, _, err := s.addMember(ctx, u.Run, copiesKey(pathOf(u.Host, a)), u.URL, s.limits().
			Copies); err != nil {
			return err
		}
	}
	return s.changeNote(ctx, u.Run, streakKey(folderOf(u.Host, a)),
		func(old string) (string, error) {
			st := readStreak(old)
			name, me := short(string(text)), short(u.URL)
			switch {
			case st.Count >= s.limits().SameText || slices.Contains(st.Last, me):
				return old, nil // the guard has fallen, or this page was counted
			case !copied:
				return "", nil
			case st.Text != name:
				st = streak{Text: name, Count: 2} // the page that has the text, and this one
			default:
				st.Count++
			}
			st.Last = append(st.Last, me)
			if len(st.Last) > 4 {
				st.Last = st.Last[1:]
			}
			data, err := json.Marshal(st)
			return string(data), err
		})
}
