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
		"what protocols can Tide speak":             "HTTP Telnet tided",
		"how do I start the daemon with protocols":  "HTTP Telnet tided",
		"which protocols were removed from Tide":    "Gopher Finger HTTP Telnet tided Usenet Archie",
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

// Under a heading that denies all, nothing says what is so, unless it says itself what it is.
func TestUnderAHeadingThatDenies(t *testing.T) {
	const moss = "\n# Moss\nGreen moss grows upon old stones."
	for _, c := range []struct{ question, page, want string }{
		{"What is the top speed of the Corvin express?", "# Corvin express\n## Not supported\n- The Corvin express has a top speed of 160 km/h." + moss, ""},
		{"What is the top speed of the Corvin express?", "# Corvin express\n## Removed in version 3\nThe top speed of the Corvin express is 160 km/h." + moss, ""},
		{"What is the cache size of Tarn?", "# Tarn\n## Features no longer supported\n### Cache\nThe cache size of Tarn is 4 MB." + moss, ""},
		{"Which formats does Brindle support?", "# Brindle\n## Not supported\nFormats:\n- ZIP\n- RAR" + moss, ""},
		{"Which formats does Brindle not support?", "# Brindle\n## Not supported\nFormats:\n- ZIP\n- RAR" + moss, "Formats:|ZIP|RAR"},
		{"What was removed in version 3 of Tarn?", "# Tarn\n## Removed in version 3\nThe cache of Tarn is removed in version 3." + moss, "The cache of Tarn is removed in version 3."},
		{"Which option sets the cache of Tarn?", "# Tarn\n## Removed in version 3\nThe option old_cache sets no cache of Tarn any more, use new_cache instead." + moss, "The option old_cache sets no cache of Tarn any more, use new_cache instead."},
	} {
		got := asked(t, c.question, doc("https://x.example/", "Page", c.page))
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s\n%s\nanswer %q, want %q", c.question, c.page, got, c.want)
		}
	}
}
