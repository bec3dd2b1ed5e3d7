package wstk_test

import (
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// A record of what a browser showed that names elements wrongly is refused, and the message
// says which element is wrong and why.
func TestDecodeVisibilityNamesTheWrongElement(t *testing.T) {
	body := wstk.HashOf([]byte("body"))
	for _, c := range []struct {
		unseen  []wstk.Unseen
		unknown []int
		want    string // "" if the record is good
	}{
		{[]wstk.Unseen{{Element: 1, By: 0, Reason: "r"}, {Element: 2, By: 2, Reason: "r"}},
			[]int{0, 3}, ""},
		{[]wstk.Unseen{{Element: 4, Reason: "r"}}, nil, "element 4 is out of range"},
		{[]wstk.Unseen{{Element: -1, Reason: "r"}}, nil, "element -1 is out of range"},
		{[]wstk.Unseen{{Element: 2, Reason: "r"}, {Element: 1, Reason: "r"}}, nil,
			"element 1 follows element 2"},
		{[]wstk.Unseen{{Element: 1, By: 2, Reason: "r"}}, nil, "hidden by element 2"},
		{[]wstk.Unseen{{Element: 1}}, nil, "element 1 has no reason"},
		{nil, []int{2, 2}, "element 2 follows element 2"},
		{nil, []int{4}, "element 4 is out of range"},
	} {
		v := wstk.Visibility{Engine: wstk.VisibilityEngine, BodySHA256: body, Elements: 4,
			Unseen: c.unseen, Unknown: c.unknown}
		data, err := v.Encode()
		if err != nil {
			t.Fatal(err)
		}
		_, err = wstk.DecodeVisibility(data, body)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("a good record: %v; want err == nil", err)
		case c.want != "" && (wstk.CodeOf(err) != wstk.Invalid ||
			!strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v, %v: %v; want Invalid with %q", c.unseen, c.unknown, err, c.want)
		}
	}
}
