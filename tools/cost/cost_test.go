package main

import (
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wstk/infra"
)

func TestMarkdown(t *testing.T) {
	c := Counts{What: "a test.", Pages: Count{N: 10,
		Units: map[string]float64{"a": 20, "kept": 10}},
		Questions: Count{N: 1, Units: map[string]float64{"a": 1}},
		Searches:  Count{N: 2, Units: map[string]float64{"a": 1}}}
	p := Prices{Date: "today", Region: "here",
		PerUnit:  []Price{{Service: "A", Unit: "a", USD: 0.001}},
		PerMonth: []Price{{Service: "B", Unit: "kept", USD: 0.5}},
		Models:   []ModelPrice{{"M", 2, 10}},
		Prompts:  []Prompts{{"pages", 3, 500_000, 20_000}}}
	got, err := markdown(c, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| A | 2.00 | 2,000 | – | 1.00 | 0.50 |", "| B | – | – | 500,000 | – | – |",
		"| **together** | **2.00** | **2,000** | **500,000** | **1.00** | **0.50** |",
		"| pages | 3 | 0.5 | 0.02 | 1.20 |"} {
		if !strings.Contains(got, want) {
			t.Errorf("no line %q in\n%s", want, got)
		}
	}
	c.Pages.Units["b"] = 1
	if _, err := markdown(c, p); err == nil {
		t.Error("a unit without a price is left out in silence")
	}
	if _, err := markdown(Counts{}, p); err == nil {
		t.Error("nothing costs nothing")
	}
}

func TestDynamoUnits(t *testing.T) {
	big := strings.Repeat("x", 1500)
	for _, c := range []struct {
		operation, asked string
		answered         int
		reads, writes    float64
	}{
		{"PutItem", `{"Item":{"a":{"S":"` + big + `"}}}`, 2, 0, 2},
		{"UpdateItem", `{}`, 2, 0, 1},
		{"TransactWriteItems", `{"TransactItems":[{"Put":{"Item":{"a":{"S":"` + big + `"}}}},{"Delete":{}}]}`, 2, 0, 6},
		{"GetItem", `{"ConsistentRead":true}`, 5000, 2, 0},
		{"Query", `{}`, 100, 0.5, 0},
		{"BatchGetItem", `{"RequestItems":{"t":{"ConsistentRead":true,"Keys":[{},{},{}]}}}`, 100, 3, 0},
		{"DescribeTable", `{}`, 100, 0, 0},
	} {
		reads, writes, _ := dynamo(c.operation, []byte(c.asked), make([]byte, c.answered))
		if reads != c.reads || writes != c.writes {
			t.Errorf("%s: %v read and %v write units, want %v and %v", c.operation, reads, writes, c.reads, c.writes)
		}
	}
}

// What passes is counted and stays as it is.
func TestProxy(t *testing.T) {
	behind := httptest.NewServer(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(r.Host)) }))
	defer behind.Close()
	u, _ := url.Parse(behind.URL)
	m := &meter{}
	proxy := httptest.NewServer(m.proxy(u))
	defer proxy.Close()
	for _, c := range []struct{ method, target, body string }{
		{"POST", "DynamoDB_20120810.UpdateItem", `{"TableName":"hosts"}`}, {"POST", "DynamoDB_20120810.TransactWriteItems", `{"TransactItems":[{"ConditionCheck":{"TableName":"records"}}]}`}, {"POST", "AmazonSQS.SendMessageBatch", `{"QueueUrl":"http://x/1/fetch","y":"` + strings.Repeat("x", 65e3) + `"}`}, {"PUT", "", "12345"}, {"HEAD", "", ""},
	} {
		req, _ := http.NewRequest(c.method, proxy.URL+"/bucket/blobs/key", strings.NewReader(c.body))
		req.Header.Set("X-Amz-Target", c.target)
		req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=crawl/20260101/us-east-1/x/aws4_request, SignedHeaders=host")
		res, err := http.DefaultClient.Do(req)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatal(res, err)
		}
		res.Body.Close()
	}
	got := m.take()
	for unit, want := range map[string]float64{"dynamodb.write_units": 3, "sqs.requests": 2, "s3.put": 1, "s3.get": 1, "s3.stored_bytes": 5} {
		if math.Abs(got[unit]-want) > 1e-9 {
			t.Errorf("%s: %v, want %v", unit, got[unit], want)
		}
	}
	if len(m.take()) != 0 {
		t.Error("it does not begin anew")
	}
	want := []string{"dynamodb:ConditionCheckItem records", "dynamodb:UpdateItem hosts", "s3:GetObject blobs", "s3:PutObject blobs", "sqs:SendMessage fetch"}
	if used := m.uses()["crawl"]; !slices.Equal(used, want) {
		t.Errorf("crawl used %q", used)
	}
}

// The states counted beside tasks are those of the machine.
func TestTransitions(t *testing.T) {
	data, err := infra.Machine("extract")
	if err != nil {
		t.Fatal(err)
	}
	var m struct{ States map[string]json.RawMessage }
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	var each struct {
		ItemProcessor struct{ States map[string]json.RawMessage }
	}
	if err := json.Unmarshal(m.States["EachBucket"], &each); err != nil {
		t.Fatal(err)
	}
	// Recall AnyHits EachBucket, Partition or NoHits, Reply, Caught, perhaps NoCause, Ended
	// Failed; inside Extract AnyClaims Claimed, Verify, Collate, and for failures
	// BucketCaught, perhaps BucketNoCause, and their two ends.
	if len(m.States) != 10 || len(each.ItemProcessor.States) != 9 {
		t.Errorf("the machine has %d and %d states: look over transitions", len(m.States), len(each.ItemProcessor.States))
	}
}

// Idle costs count what the template has.
func TestIdleAlarms(t *testing.T) {
	template, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := read[Prices]("prices.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range p.Idle {
		if n := strings.Count(string(template), "Type: AWS::CloudWatch::Alarm"); i.What == "alarms" && i.Number != float64(n) {
			t.Errorf("%v alarms are paid for, the template has %d", i.Number, n)
		}
	}
}

// The committed tables fit each other, and the documentation shows what they give.
func TestTheDocumentShowsTheTable(t *testing.T) {
	t.Chdir("../..")
	var b strings.Builder
	if err := table(nil, &b); err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile(filepath.FromSlash("docs/operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc), strings.TrimSpace(b.String())) {
		t.Errorf("docs/operations.md does not show what go run ./tools/cost prints:\n%s", b.String())
	}
}
