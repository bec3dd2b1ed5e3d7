package cloud

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"wstk/shared/app"
	"wstk/shared/app/reading"
	"wstk/shared/app/stages"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest/modelserver"
)

// The variables of the stack name the models. What Bedrock refuses for the moment is asked
// again, and a reply that does not fit its schema is mended once.
func TestModelsOfBedrock(t *testing.T) {
	env := map[string]string{"WSTK_MODEL_SUMMARIZE": "bedrock:small", "WSTK_MODEL_EXTRACT": "bedrock:arn:aws:bedrock:eu-west-1:1:inference-profile/eu.large"}
	c, err := settings().Load(func(name string) string { return env[name] }, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	script, err := modelserver.Rules([]byte(`[{"times": 1, "status": 429},
		{"times": 1, "reply": {"said": 7}}, {"reply": {"said": "yes"}}]`))
	if err != nil {
		t.Fatal(err)
	}
	server := modelserver.Start(script)
	defer server.Close()
	a := &app.App{Home: app.Home{Base: reading.Base{Config: c}}}
	if err := stages.Models(a, vendor(aws.Config{Region: "eu-west-1",
		Credentials:  credentials.NewStaticCredentialsProvider("AKIAMADEUP", "made"+"up", ""),
		BaseEndpoint: aws.String(server.BaseURL(modelserver.Bedrock))})); err != nil {
		t.Fatal(err)
	}
	got := a.Models
	for op, want := range map[wstk.Operation]string{wstk.OpSummarize: "small",
		wstk.OpExtract: "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.large"} {
		if i := got(op).Info(); i.Provider != "bedrock" || i.Model != want {
			t.Errorf("%s is done by %+v", op, i)
		}
	}
	for _, op := range []wstk.Operation{wstk.OpRewrite, wstk.OpClassify, wstk.OpPartition} {
		if m := got(op); m != nil {
			t.Errorf("%s is done by %+v, and no model is named", op, m.Info())
		}
	}
	reply, err := got(wstk.OpExtract).Complete(t.Context(), wstk.ModelRequest{User: "x", Name: "n",
		MaxTokens: 9, Schema: json.RawMessage(`{"type":"object","required":["said"],
		"properties":{"said":{"type":"string"}}}`)})
	asked := server.Requests()
	if err != nil || reply.Text != `{"said":"yes"}` || reply.Usage.Calls != 2 || len(asked) != 3 ||
		asked[0].Model != "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.large" {
		t.Errorf("%+v, %v; asked %d times: %+v", reply, err, len(asked), asked)
	}
}

func TestRerankerOfBedrock(t *testing.T) {
	env := map[string]string{"WSTK_RERANKER_PROVIDER": "bedrock",
		"WSTK_RERANKER_MODEL": "cohere.rerank-v3-5:0"}
	for _, want := range []string{"cohere.rerank-v3-5:0", ""} {
		c, err := settings().Load(func(name string) string { return env[name] }, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		own, _, err := ownModels(c, aws.Config{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := stages.Reranker(c, own, time.Now)
		if err != nil || (r == nil) != (want == "") || r != nil && r.Info().Name != want {
			t.Errorf("%v: %v, %v", env, r, err)
		}
		clear(env)
	}
}

// The variables of the stack name the embedder; those that are empty change nothing.
func TestEmbedderOfTheStack(t *testing.T) {
	for _, c := range []struct{ provider, model, url, dimension, want string }{
		{"none", "", "", "", ""},
		{"local", "all-MiniLM-L6-v2", "", "", "all-MiniLM-L6-v2@53aa51172d14"},
		{"bedrock", "amazon.titan-embed-text-v2:0", "", "512",
			"bedrock/amazon.titan-embed-text-v2:0@512"},
		{"openai", "my-own", "http://127.0.0.1:9/v1", "256", "openai/my-own@256"},
	} {
		env := map[string]string{"WSTK_EMBEDDER_PROVIDER": c.provider,
			"WSTK_EMBEDDER_MODEL": c.model, "WSTK_EMBEDDER_BASE_URL": c.url,
			"WSTK_EMBEDDER_DIMENSION": c.dimension}
		s, err := settings().Load(func(name string) string { return env[name] }, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		own, _, err := ownModels(s, aws.Config{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		e, err := stages.Embedder(s, own, nil, time.Now)
		if err != nil || (e == nil) != (c.want == "") || e != nil && e.Info().ID() != c.want {
			t.Errorf("%+v: %v, %v", c, e, err)
		}
	}
}
