package text

import (
	"slices"
	"strings"
	"testing"
)

// A bar stands between two sentences; what stands without one is one sentence.
func TestWrappedLines(t *testing.T) {
	for _, c := range []struct{ lang, text string }{
		// Wrapped, in a file or by <br>.
		{"en", "The Quorbax must never be opened unless the\nmain switch is off."},
		{"en", "The Quorbax must never be opened unless the\r\nmain switch is off.|\r\nIt is heavy."},
		{"en", "The minimum flux capacity of the\nZorblax reactor is 3 gigawatts."},
		{"en", "Prices rose in Spain, Portugal, Italy,\nGreece and Malta."},
		{"en", "The committee met in the old hall (near the Great\nWestern Railway station) and talked for an hour about\nBrunel and the bridge that he built at Saltash in the\nnorth of the county."},
		{"de", "Die Pumpe darf niemals geöffnet werden, bevor der\nHauptschalter ausgeschaltet ist."},
		{"de", "Bei der Prüfung der Anlage durch den Sachverständigen wurde eine\nUndichtigkeit gefunden."},
		{"en", "A pump that is old but whose seals were changed within the\n  last year needs no inspection.|\n  Others do."},
		{"en", "The pumps of the harbour (the large ones)\nare serviced by two engineers."},
		// Not wrapped.
		{"en", "Introduction|\nThe pump moves water."},
		{"en", "Seals and bearings of the pump|\nThe seals are changed yearly."},
		{"en", "The seals of the large pump are changed:|\n- yearly|\n- when they leak"},
		{"en", "Model: the large one for harbours|\nweight: 5 kg|\nheight: 3 m"},
		{"en", "12 High Street|\nSpringfield|\nIllinois"},
		{"en", "The seals of the large pump are changed yearly.|\nthe bearings are not"},
		{"en", "change the seals of the pump yearly|\nnever change the bearings of it"},
		{"en", "Contents of the package|\nusr/share/doc/pump/manual.txt|\nusr/share/doc/pump/changes.txt"},
		{"en", "see the notes on the seals|\nand so we went on with it until the night fell over the harbour, and then over the sea, As ever."},
		{"en", "Everything about the large pumps of the|\n\nharbour"},
		{"en", "The seals of the large pump are these|\n1. the upper seal|\n2. the lower seal"},
		{"ja", "大型ポンプのシールは毎年交換する必要がありますが小型ポンプのシールは|\n交換する必要がありません"},
	} {
		s := strings.ReplaceAll(c.text, "|", "")
		var got []string
		for _, r := range Sentences(s, c.lang) {
			got = append(got, s[r.Start:r.End])
		}
		var want []string
		for _, x := range strings.Split(c.text, "|") {
			want = append(want, strings.TrimSpace(x))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q\n got %q\nwant %q", c.text, got, want)
		}
	}
}
