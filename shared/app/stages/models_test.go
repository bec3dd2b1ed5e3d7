package stages

import (
	"strings"
	"testing"

	"wstk/shared/adapter/model"
	"wstk/shared/app"
	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
	"wstk/shared/wstk/wstktest/modelserver"
)

// loaded is a configuration of these variables alone, for a home with more vendors.
func loaded(t *testing.T, env map[string]string, more ...model.Row) *app.App {
	t.Helper()
	c, err := Settings(more...).Load(func(name string) string { return env[name] }, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &app.App{Home: app.Home{Base: reading.Base{Config: c}}}
}

// Each operation asks the model that is configured for it, at its address with its key, and an
// operation without one is done by rules. An address on loopback is open to it alone.
func TestModelOfEachOperation(t *testing.T) {
	s := modelserver.Start(modelserver.Texts(func(modelserver.Request) string { return `{"a": 1}` }))
	defer s.Close()
	own := model.Row{ModelSetup: wstk.ModelSetup{ID: "ours"}, New: func(o model.Options) wstk.Model {
		return &wstktest.ScriptedModel{Named: wstk.ModelInfo{Provider: "ours", Model: o.Model}}
	}}
	a := loaded(t, map[string]string{"OPENAI_BASE_URL": s.BaseURL(modelserver.OpenAI),
		"OPENAI_API_KEY": "key-" + "o", "ANTHROPIC_BASE_URL": s.BaseURL(modelserver.Anthropic),
		"ANTHROPIC_API_KEY": "key-" + "a", "GEMINI_BASE_URL": s.BaseURL(modelserver.Gemini),
		"GEMINI_KEY": "key-" + "g", "WSTK_MODEL_SUMMARIZE": "openai:small",
		"WSTK_MODEL_EXTRACT": "anthropic:large", "WSTK_MODEL_CLASSIFY": "gemini:quick",
		"WSTK_MODEL_PARTITION": "ours:x:1"}, own)
	if err := Models(a, own); err != nil {
		t.Fatal(err)
	}
	request := wstk.ModelRequest{User: "x", Schema: []byte(`{"type":"object"}`), MaxTokens: 9}
	for _, op := range []wstk.Operation{wstk.OpSummarize, wstk.OpExtract, wstk.OpClassify} {
		if reply, err := a.Models(op).Complete(t.Context(), request); err != nil ||
			reply.Text != `{"a":1}` {
			t.Errorf("%s: %+v, %v", op, reply, err)
		}
	}
	for i, want := range []string{"openai small key-o", "anthropic large key-a", "gemini quick key-g"} {
		r := s.Requests()[i]
		if got := strings.Join([]string{string(r.API), r.Model, r.Key}, " "); got != want {
			t.Errorf("asked %q, want %q", got, want)
		}
	}
	if m := a.Models(wstk.OpPartition); m.Info() != (wstk.ModelInfo{Provider: "ours", Model: "x:1"}) {
		t.Errorf("%+v", m.Info())
	}
	if a.Models(wstk.OpRewrite) != nil {
		t.Error("a model rewrites that no one named")
	}
}

// A vendor without a model is a mistake, and not a reason for rules.
func TestAVendorWithoutAModel(t *testing.T) {
	a := loaded(t, map[string]string{"WSTK_MODEL_EXTRACT_PROVIDER": "anthropic"})
	if err := Models(a); wstk.CodeOf(err) != wstk.Invalid || len(wstk.StepsOf(err)) == 0 {
		t.Errorf("%v", err)
	}
}

// A row says what settings and documents need, and makes the model that its id names.
func TestModelTable(t *testing.T) {
	taken := map[string]string{}
	for key, variables := range Settings().Variables() {
		for _, v := range variables {
			if !strings.HasPrefix(key, "model.") {
				continue // services of one vendor share its key
			}
			if taken[v] != "" {
				t.Errorf("%s sets %s and %s", v, taken[v], key)
			}
			taken[v] = key
		}
	}
	for _, row := range model.Table {
		if row.Key == nil || row.BaseURL == nil || row.Own == "" || row.Privacy == "" || row.Note == "" {
			t.Errorf("%s lacks something: %+v", row.ID, row.ModelSetup)
		}
		info := row.New(model.Options{Model: "m"}).Info()
		if info != (wstk.ModelInfo{Provider: row.ID, Model: "m"}) {
			t.Errorf("%s makes %+v", row.ID, info)
		}
	}
	if c, err := Settings().Load(func(string) string { return "" }, t.TempDir()); err != nil ||
		c.Model != (config.ModelOptions{Provider: model.Table[0].ID}) {
		t.Errorf("the default is %+v, %v", c.Model, err)
	}
}
