package stages

import (
	"os"
	"strings"
	"testing"

	"wstk/shared/adapter/model"
	"wstk/shared/wstk"
)

// documents are the tables of the documents that come from the rows of search providers and
// of vendors of models, by file and marker.
var documents = []struct {
	file, marker, source string
	head                 []string // of the columns
	rows                 func() [][]string
}{
	{"skills/wstk/references/providers.md", "providers", providers,
		[]string{"id", "set up by", "note"}, each(func(p wstk.ProviderSetup) [][]string {
			return [][]string{{code(p.ID), setUpBy(p), p.Note}}
		})},
	{"docs/cli.md", "providers", providers, []string{"provider", "who sees the words of a search"},
		each(func(p wstk.ProviderSetup) [][]string { return [][]string{{code(p.ID), seenBy(p)}} })},
	{"docs/operations.md", "settings of the providers", providers,
		[]string{"TOML", "environment", "what"}, each(settingRows)},
	{"docs/operations.md", "settings of the vendors of models", vendors,
		[]string{"TOML", "environment", "what"}, func() (rows [][]string) {
			for _, v := range model.Table {
				rows = append(rows, []string{code("model."+v.ID+".key") + " (environment alone)",
					codes(v.Key), "its key"},
					[]string{code("model." + v.ID + ".base_url"), codes(v.BaseURL),
						"in place of " + v.Own})
			}
			return rows
		}},
	{"docs/operations.md", "vendors of models", vendors,
		[]string{"vendor", "what it is", "who sees what is asked"}, func() (rows [][]string) {
			for _, v := range model.Table {
				rows = append(rows, []string{code(v.ID), v.Note, v.Privacy})
			}
			return rows
		}},
}

// The tables that the documents name as their source.
const (
	providers = "shared/adapter/provider/table.go"
	vendors   = "shared/adapter/model/table.go"
)

// each makes the rows of every search provider.
func each(rows func(wstk.ProviderSetup) [][]string) func() [][]string {
	return func() (out [][]string) {
		for _, p := range Setups() {
			out = append(out, rows(p)...)
		}
		return out
	}
}

func codes(list []string) string {
	var out []string
	for _, s := range list {
		out = append(out, code(s))
	}
	return strings.Join(out, ", ")
}

// The tables of the documents are those of the rows. WSTK_GOLDEN=update rewrites them.
func TestDocumentsListTheProviders(t *testing.T) {
	for _, d := range documents {
		path := "../../../" + d.file
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		begin, end := "<!-- "+d.marker+": from "+d.source+" -->\n", "\n<!-- end -->"
		before, rest, ok := strings.Cut(string(data), begin)
		_, after, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Fatalf("%s has no table between %q and %q", d.file, begin, end)
		}
		want := before + begin + "\n" + table(d.head, d.rows()) + end + after
		if want == string(data) {
			continue
		}
		if os.Getenv("WSTK_GOLDEN") != "update" {
			t.Errorf("the table %q of %s is not that of the rows; run WSTK_GOLDEN=update go test -run TestDocuments ./shared/app/stages",
				d.marker, d.file)
			continue
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// table is a table of Markdown.
func table(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(head)
	b.WriteString(strings.Repeat("|---", len(head)) + "|\n")
	for _, cells := range rows {
		line(cells)
	}
	return b.String()
}

func code(s string) string { return "`" + s + "`" }

// setUpBy names the variables that a provider needs.
func setUpBy(p wstk.ProviderSetup) string {
	var list []string
	for _, need := range p.Needs {
		list = append(list, code(p.Variables(need)[0]))
	}
	if list == nil {
		return "nothing"
	}
	return strings.Join(list, " and ")
}

func seenBy(p wstk.ProviderSetup) string {
	if p.Privacy == "" {
		return "No one else."
	}
	return p.Privacy
}

// settingRows are the settings of a provider, with their variables and what they do.
func settingRows(p wstk.ProviderSetup) (rows [][]string) {
	for _, setting := range wstk.ProviderSettings {
		variables := codes(p.Variables(setting))
		if variables == "" {
			continue
		}
		key, needed := code("providers."+p.ID+"."+setting), false
		for _, need := range p.Needs {
			needed = needed || need == setting
		}
		rows = append(rows, []string{key + about[setting].key, variables,
			about[setting].what[needed]})
	}
	return rows
}

// about says what the settings of a provider do, where it needs them and where it does not.
var about = map[string]struct {
	key  string // behind the name of the setting
	what map[bool]string
}{
	wstk.SettingKey:       {" (environment alone)", map[bool]string{true: "needed", false: "where its address asks for one"}},
	wstk.SettingBaseURL:   {"", map[bool]string{true: "needed: its address", false: "another address of the same interface"}},
	wstk.SettingEngine:    {"", map[bool]string{true: "needed: id of the engine", false: "id of the engine"}},
	wstk.SettingAllowAuto: {"", map[bool]string{false: "false: auto chooses it only where it is self-hosted"}},
}
