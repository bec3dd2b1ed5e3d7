package event_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"wstk/shared/app"
	"wstk/shared/app/answering"
	"wstk/shared/app/crawling"
	"wstk/shared/app/reading"
	"wstk/shared/entry/event"
	"wstk/shared/wstk"
)

const samples = "../../../events"

// samplesOf says what each function's sample is: what AWS hands over, and what of it is
// ours.
var samplesOf = map[string]struct{ outer, ours any }{
	"crawl":     {events.SQSEvent{}, crawling.CrawlTask{}},
	"fetch":     {events.SQSEvent{}, wstk.FetchTask{}},
	"summarize": {events.SQSEvent{}, reading.PageTask{}},
	"index":     {events.SQSEvent{}, reading.PageTask{}},
	"answer":    {nil, answering.Extracting{}},
	"recall":    {nil, answering.Extracting{}},
	"extract":   {nil, answering.Extracting{}},
	"verify":    {nil, answering.Extracting{}},
	"collate":   {nil, answering.Extracting{}},
	"refresh":   {nil, crawling.RefreshTask{}},
	"sweep":     {events.EventBridgeEvent{}, nil},
	"upload":    {events.EventBridgeEvent{}, nil},
	"api":       {events.APIGatewayV2HTTPRequest{}, nil},
}

// Each sample is what its function is called with: nothing of it is lost on the way into
// the type the handler takes and out again, and in what is ours no field is unknown.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob(samples + "/*.json")
	if err != nil || len(files) != len(samplesOf) {
		t.Errorf("%d samples of %d functions: %v %v", len(files), len(samplesOf), files, err)
	}
	for word, kind := range samplesOf {
		t.Run(word, func(t *testing.T) {
			data := sample(t, word)
			if kind.outer != nil {
				same(t, data, kind.outer, false)
			}
			switch {
			case kind.ours == nil:
			case kind.outer == nil:
				same(t, data, kind.ours, true)
			default:
				for _, m := range messages(t, data) {
					same(t, []byte(m.Body), kind.ours, true)
				}
			}
		})
	}
}

func sample(t *testing.T, word string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(samples, word+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func messages(t *testing.T, data []byte) []events.SQSMessage {
	t.Helper()
	var e events.SQSEvent
	if err := json.Unmarshal(data, &e); err != nil || len(e.Records) == 0 {
		t.Fatal("no messages", err)
	}
	return e.Records
}

// same checks that data comes out of a value of this type as it went in.
func same(t *testing.T, data []byte, kind any, strict bool) {
	t.Helper()
	v := reflect.New(reflect.TypeOf(kind))
	d := json.NewDecoder(bytes.NewReader(data))
	if strict {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(v.Interface()); err != nil {
		t.Fatalf("%T: %v", kind, err)
	}
	again, err := json.Marshal(v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	for _, lost := range differences("", parse(t, data), parse(t, again)) {
		t.Errorf("%T: %s", kind, lost)
	}
}

func parse(t *testing.T, data []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// differences are the places where back is not what went in. A field that the sender left
// out and Go writes as zero is none.
func differences(at string, in, back any) (out []string) {
	switch in := in.(type) {
	case map[string]any:
		m, ok := back.(map[string]any)
		if !ok {
			return []string{at + " is lost"}
		}
		for k, v := range in {
			out = append(out, differences(at+"/"+k, v, m[k])...)
		}
		for k, v := range m {
			if _, there := in[k]; !there && !empty(v) {
				out = append(out, at+"/"+k+" came from nowhere")
			}
		}
		return out
	case []any:
		list, ok := back.([]any)
		if !ok || len(list) != len(in) {
			return []string{at + " has another length"}
		}
		for i := range in {
			out = append(out, differences(at+"/#", in[i], list[i])...)
		}
		return out
	}
	if !reflect.DeepEqual(in, back) {
		return []string{at + " changed"}
	}
	return nil
}

func empty(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, c := range v {
			if !empty(c) {
				return false
			}
		}
		return true
	case []any:
		return len(v) == 0
	}
	return v == nil || reflect.ValueOf(v).IsZero()
}

// The check itself sees what is lost and what is added.
func TestDifferencesAreSeen(t *testing.T) {
	for _, c := range []struct{ in, back string }{
		{`{"a":1}`, `{}`}, {`{"a":1}`, `{"a":2}`}, {`{"a":[1]}`, `{"a":[]}`}, {`{"a":{"b":"x"}}`, `{"a":null}`}, {`{}`, `{"a":1}`}, {`{"a":""}`, `{"a":null}`},
	} {
		if len(differences("", parse(t, []byte(c.in)), parse(t, []byte(c.back)))) == 0 {
			t.Errorf("%s and %s are taken for the same", c.in, c.back)
		}
	}
}

// The messages are as SQS sends them: checksums that fit, the queue of the word, and the
// time a message is due in its attribute.
func TestSamplesOfMessages(t *testing.T) {
	due := 0
	for _, word := range []string{"crawl", "fetch", "summarize", "index"} {
		for _, m := range messages(t, sample(t, word)) {
			sum := md5.Sum([]byte(m.Body))
			if m.Md5OfBody != hex.EncodeToString(sum[:]) {
				t.Errorf("%s: the checksum is not that of the body", word)
			}
			if want := "wstk-" + strings.ToUpper(word[:1]) + word[1:] +
				"Queue-"; !strings.Contains(m.EventSourceARN, want) {
				t.Errorf("%s came from %s", word, m.EventSourceARN)
			}
			at, ok := m.MessageAttributes["at"]
			if !ok {
				continue
			}
			due++
			when, err := time.Parse(time.RFC3339Nano, *at.StringValue)
			var task wstk.FetchTask
			if err := json.Unmarshal([]byte(m.Body), &task); err != nil {
				t.Error(err)
			}
			if err != nil || !when.Equal(task.NotBefore) {
				t.Errorf("%s is due at %v, its slot is at %v: %v", word, when, task.NotBefore, err)
			}
		}
	}
	if due == 0 {
		t.Error("no sample has the attribute at")
	}
	for word := range samplesOf {
		for _, id := range runIDs(sample(t, word)) {
			if !wstk.RunID(id).Valid() {
				t.Errorf("%s names a run %s, which is no run id", word, id)
			}
		}
	}
}

func runIDs(data []byte) (out []string) {
	parts := strings.Split(strings.ReplaceAll(string(data), `\`, ""), `"run_id"`)
	for _, p := range parts[1:] {
		out = append(out, strings.Split(p, `"`)[1])
	}
	return out
}

type inbox struct{ asked []string }

func (o *inbox) Object(_ context.Context, key string) ([]byte, string, error) {
	o.asked = append(o.asked, key)
	return nil, "", wstk.Errorf(wstk.NotFound, "", "there is no %s", key)
}

// The sample of an upload names an object that upload reads.
func TestSampleOfAnUploadIsRead(t *testing.T) {
	var e events.EventBridgeEvent
	if err := json.Unmarshal(sample(t, "upload"), &e); err != nil {
		t.Fatal(err)
	}
	o := &inbox{}
	if _, err := event.Upload(
		app.New(app.Home{Base: reading.Base{Now: time.Now, Log: slog.New(slog.DiscardHandler)}}),
		o, "inbox/")(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if len(o.asked) != 1 || o.asked[0] != "inbox/reports/pump station 7.html" {
		t.Errorf("it asked for %q", o.asked)
	}
}

// When a function has done its work its numbers are in the log: it may never run again.
func TestNumbersAreWrittenAtTheEnd(t *testing.T) {
	var out strings.Builder
	a := app.New(app.Home{Base: reading.Base{Now: time.Now, Log: slog.New(slog.DiscardHandler)}})
	a.Metrics.Out = &out
	handle := event.Measured(a, func(context.Context, string) (string, error) {
		a.Metrics.Overlap(2)
		return "", errors.New("it failed, and still counts")
	})
	if _, err := handle(t.Context(), ""); err == nil || !strings.Contains(out.String(), `"wstk_search_overlap":[2]`) {
		t.Errorf("%v: %s", err, out.String())
	}
}
