package extract

import (
	"strings"
	"testing"
)

const tidePage = `# Tide
Tide speaks many protocols with its clients.
The following protocols are not supported:
- Gopher, which is old
- Finger, which tells too much
Supported protocols:
- HTTP over any line
- Telnet on the local line only
If the daemon does not start any protocols, run:
` + "` " + `tided --protocols
## Protocols that are no longer supported
| Usenet | since version 2 |
| Archie | since version 3 |`

// What a list says depends on the line over it: of what is not so, no item answers what is so.
func TestItemsUnderALineThatDenies(t *testing.T) {
	for question, want := range map[string]string{
		"which protocols are supported by Tide":     "HTTP Telnet tided",
		"which protocols are not supported by Tide": "Gopher Finger tided Usenet Archie",
		"what protocols can Tide speak":             "Gopher Finger HTTP Telnet tided Usenet Archie",
		"how do I start the daemon with protocols":  "Gopher Finger HTTP Telnet tided Usenet Archie",
	} {
		p := newPage(doc("https://x.example/", "Tide", tidePage), newQuestion(question, whole(question), "en"), nil, allowed)
		var got []string
		for i := range p.units {
			u := &p.units[i]
			first, _, _ := strings.Cut(strings.NewReplacer(",", " ", "\t", " ").Replace(p.text(u)), " ")
			if strings.Contains(want+"Gopher Finger HTTP Telnet tided Usenet Archie", first) &&
				!p.roleOf(u).has(roleTurned) {
				got = append(got, first)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q may answer, want %q", question, got, want)
		}
	}
}

// A list under a line that denies what is asked is no collection of it.
func TestNoCollectionUnderALineThatDenies(t *testing.T) {
	denied, _, _ := strings.Cut(tidePage, "Supported protocols:")
	d := doc("https://x.example/", "Tide", denied)
	for question, want := range map[string]string{
		"Which protocols are supported?":     "",
		"Which protocols are not supported?": "Gopher, which is old",
	} {
		buckets, _, _ := askAll(t, Query{Text: question}, d)
		if buckets[0].Title != want {
			t.Errorf("%s: the first item is %q, want %q", question, buckets[0].Title, want)
		}
	}
}
