package provider

import (
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"wstk/shared/adapter/webapi"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// key is put together so that no scanner takes it for a real one.
const key = "made" + "-up-" + "key-" + "8f3a"

var now = time.Date(2026, 3, 7, 15, 4, 5, 0, time.UTC)

// options give every provider all that it needs.
func options(transport http.RoundTripper) Options {
	return Options{Engine: "engine-1", Client: webapi.Client{Transport: transport, BaseURL: "https://vendor.example",
		Key: func() string { return key }, Now: func() time.Time { return now }}}
}

func replies(id string) string { return filepath.Join("../../../testdata/providers", id) }

// quirks are what the suite must know of a vendor that is not as others are.
var quirks = map[string]wstktest.Vendor{
	googleID:  {KeyInURL: true},
	searxngID: {Forbidden: wstk.HTTPError},
	ddgsID:    {Forbidden: wstk.Blocked, Asks: 2},
}

// Every row of the table keeps the promises of its port, over the replies recorded under
// its id.
func TestSearchProviders(t *testing.T) {
	for _, row := range Table {
		v := quirks[row.ID]
		if row.Key != nil {
			v.Key = key
		}
		v.Replies = replies(row.ID)
		v.Open = func(_ *testing.T, transport http.RoundTripper) wstk.SearchProvider {
			return row.New(options(transport))
		}
		t.Run(row.ID, func(t *testing.T) { wstktest.SearchProvider(t, v) })
	}
}

// A row is complete: its provider has the row's id and says what it needs, the settings it
// needs have variables, it can be asked for a sign of life, and no name or variable is in two
// rows.
func TestTable(t *testing.T) {
	seen := map[string]string{}
	once := func(name, id string) {
		if other := seen[name]; other != "" {
			t.Errorf("%s is in the rows of %s and %s", name, other, id)
		}
		seen[name] = id
	}
	for _, row := range Table {
		info := row.New(options(nil)).Info()
		if info.ID != row.ID || !slices.Equal(info.EnvVars, row.EnvVars()) ||
			!slices.Equal(info.Aliases, row.Aliases) {
			t.Errorf("the row %s makes a provider that says %+v", row.ID, info)
		}
		if row.Note == "" || row.Privacy == "" {
			t.Errorf("%s: the row lacks a note, or who sees the words", row.ID)
		}
		for _, need := range row.Needs {
			if row.Variables(need) == nil {
				t.Errorf("%s needs %q, for which it has no variable", row.ID, need)
			}
		}
		if _, ok := row.New(options(nil)).(reachable); !ok {
			t.Errorf("%s cannot be asked for a sign of life: add Reachable", row.ID)
		}
		for _, name := range append([]string{row.ID}, row.Aliases...) {
			once(name, row.ID)
		}
		for _, setting := range wstk.ProviderSettings {
			for _, name := range row.Variables(setting) {
				once(name, row.ID)
			}
		}
	}
}
