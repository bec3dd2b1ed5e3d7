package extract

import (
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

const moss = "Green moss grows upon old stones in the wood beside the river, and no one takes it away."

// An example is no default, nor is what is chosen instead of one.
func TestAnExampleIsNoDefault(t *testing.T) {
	for _, c := range []struct{ question, page, not string }{
		{"What is the default log level of Brindle?", "# Brindle\nThe log level can be set in the file. For example:\n` log_level = debug\nThe default is written in the release notes.", "debug"},
		{"What is the default log level of Brindle?", "# Log level\nExample: the log level of Brindle is set to debug.\n" + moss, "debug"},
		{"What is the default port of Brindle?", "# Brindle\nStart Brindle with --port 9999 to use port 9999 and not the default port.\n" + moss, "9999"},
		{"What is the default colour of a Tarn lamp?", "# Tarn lamp\n## Example\nThe colour of the Tarn lamp is green.\n" + moss, "green"},
		{"What is the default colour of a Tarn lamp?", "# Tarn lamp\nTo override the default colour of a Tarn lamp, paint it green.\n" + moss, "green"},
		{"What is the default size of a Tarn lamp?", "# Tarn lamp\nA size of 4 cm is used here instead of the default size of the Tarn lamp.\n" + moss, "4 cm"},
	} {
		for _, s := range asked(t, c.question, doc("https://x.example/", "Page", c.page)) {
			if strings.Contains(s, c.not) {
				t.Errorf("%s\n%s\nanswer %q", c.question, c.page, s)
			}
		}
	}
	for _, c := range []struct{ question, page, want string }{
		{"What is the default port of Brindle?", "# Brindle\nStart Brindle with --port 9999 to use another port than the default one, which is 8080.", "8080"},
		{"What is the default port of Brindle?", "# Brindle\nUse port 9999 and not the default port 8080.", "8080"},
		{"What is the default port of Brindle?", "# Brindle\n|! Name | Default\n| port | 8080\n| size | 9", "8080"},
		{"What is the default log level of Brindle?", "# Brindle\n= log level\n: Nothing but info is logged by default, and debug is not logged by default.", "by default"},
		{"What is the default log level of Brindle?", "# Brindle\n= log level\n: Sets what is logged. The default is info.", "info"},
	} {
		if got := asked(t, c.question, doc("https://x.example/", "Page", c.page)); !slices.ContainsFunc(got,
			func(s string) bool { return strings.Contains(s, c.want) }) {
			t.Errorf("%s\n%s\nanswer %q", c.question, c.page, got)
		}
	}
}

// A page that says nothing of what is asked does not answer: where its heading names the thing,
// where it only announces what it does not have, and where it is not written.
func TestAPageThatSaysNothingOfIt(t *testing.T) {
	const house = "The house beside the bank has a bench and a lamp made of iron, and many come to see it in spring."
	for _, c := range [][2]string{
		{"Why does Brindle crash?", "# Brindle\n" + house + "\nSoup came with bread."},
		{"Why is the Pellar bridge red?", "# Pellar bridge\n" + house + "\nSoup came with bread."},
		{"What is the purpose of the Halden lamp?", "# Halden lamp\n" + house + "\nSoup came with bread."},
		{"Who may enter the Halden tower?", "# Halden tower\n" + house},
		{"What are the rules of the Vesper club?", "# Rules\nThe rules of the Vesper club are:\n# Vesper club\n" + house},
		{"Which options does the tarn command have?", "# Tarn\nThe tarn command has the following options:\n## Moss\n" + moss},
		{"How do I delete a user in Brindle?", "# Brindle\n## How to delete a user\nThis section has not been written."},
		{"How do I paint a Tarn lamp?", "# Tarn lamp\n## How to paint a Tarn lamp\nComing soon!"},
	} {
		_, claims, _ := askAll(t, Query{Text: c[0], Strategy: wstk.Singular}, doc("https://x.example/", "Page", c[1]))
		if len(claims) > 0 && len(claims[0]) > 0 {
			t.Errorf("%s\n%s\nanswer %q", c[0], c[1], claims[0][0].Statement)
		}
	}
	// A term, a header, or what leads to it says what it is about.
	const merrow = "# Facts about Merrow\n= Capital\n: Port Anselm\n= Currency\n: shell dollar"
	_, claims, _ := askAll(t, Query{Text: "What is the capital of the island state of Merrow?"},
		doc("https://x.example/", "Facts about Merrow", merrow))
	if len(claims) != 1 || len(claims[0]) == 0 || claims[0][0].Statement != "Port Anselm" {
		t.Errorf("claims %+v", claims)
	}
}
