package rest

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"wstk/shared/wstk"
)

// The same handler behind API Gateway, whose events carry a decoded path: replies,
// errors and stored bodies come through as on one machine.
func TestBehindAPIGateway(t *testing.T) {
	h := newHome(t, Options{})
	id := h.ingest()
	gateway := httpadapter.NewV2(h.h)
	call := func(
		method, path, query, body string, headers ...string,
	) events.APIGatewayV2HTTPResponse {
		t.Helper()
		e := events.APIGatewayV2HTTPRequest{Version: "2.0", RawPath: path,
			RawQueryString: query, Body: body,
			Headers: map[string]string{"authorization": "Bearer " + firstToken, "content-type": "application/json", "host": "api.example"}}
		e.RequestContext.HTTP.Method, e.RequestContext.HTTP.Path = method, path
		for i := 0; i < len(headers); i += 2 {
			e.Headers[headers[i]] = headers[i+1]
		}
		res, err := gateway.ProxyWithContext(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	value := func(res events.APIGatewayV2HTTPResponse) (v any) {
		if err := json.Unmarshal([]byte(res.Body), &v); err != nil {
			t.Errorf("%v: %q; want err == nil", err, res.Body)
		}
		return v
	}

	if res := call("GET", "/sites", "", "", "authorization", "Bearer wrong"); res.StatusCode != 401 || get(value(res), "code") != "unauthorized" {
		t.Errorf("a wrong token: %+v", res)
	}
	for _, path := range []string{"/sites/" + id, "/sites/" + h.site + "/",
		"/sites/" + url.PathEscape(h.site+"/mk3.html"), "/sites/" + strings.Replace(h.site, "//", "/", 1)} {
		if res := call("GET", path, "", ""); res.StatusCode != 200 || get(value(res), "site.id") != id {
			t.Errorf("%s: %+v; want res.StatusCode == 200 && get(value(res), \"site.id\") == id", path, res)
		}
	}
	res := call("GET", "/recall", "q=working%20pressure&limit=1", "")
	hash, _ := get(value(res), "hits.0.snapshot_sha256").(string)
	if res.StatusCode != 200 || hash == "" {
		t.Fatalf("recall: %+v", res)
	}
	res = call("GET", "/snapshots/"+hash, "", "")
	body := []byte(res.Body)
	if res.IsBase64Encoded {
		body, _ = base64.StdEncoding.DecodeString(res.Body)
	}
	if res.StatusCode != 200 || wstk.HashOf(body) != wstk.Hash(hash) {
		t.Errorf("snapshot: %+v", res)
	}
	if res := call("HEAD", "/snapshots/"+hash, "", ""); res.StatusCode != 200 || res.Body != "" {
		t.Errorf("HEAD: %+v", res)
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(`{"query": "motor volts"}`))
	e := events.APIGatewayV2HTTPRequest{RawPath: "/gaps", Body: encoded, IsBase64Encoded: true,
		Headers: map[string]string{"authorization": "Bearer " + firstToken, "content-type": "application/json"}}
	e.RequestContext.HTTP.Method = "POST"
	if res, err := gateway.ProxyWithContext(context.Background(), e); err != nil ||
		res.StatusCode != 200 {
		t.Errorf("an encoded body: %+v, %v", res, err)
	}
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/gaps", `{"nosuch": 1}`, 400},
		{"POST", "/gaps", strings.Repeat(" ", MaxRequest+1), 413},
		{"DELETE", "/sites", "", 405},
		{"GET", "/nosuch", "", 404},
		{"GET", "//sites", "", 404},
		{"GET", "/", "", 404},
	} {
		if res := call(c.method, c.path, "", c.body); res.StatusCode != c.status ||
			get(value(res), "request_id") == "" {
			t.Errorf("%s %s: %+v; want res.StatusCode == c.status && get(value(res), \"request_id\") != \"\"", c.method, c.path, res)
		}
	}
}
