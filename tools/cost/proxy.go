package main

import (
	"bytes"
	"encoding/json"
	"io"
	"iter"
	"maps"
	"math"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
)

// meter counts units, and notes which actions each function uses on what.
type meter struct {
	mu    sync.Mutex
	units map[string]float64
	used  map[string]map[string]bool
}

func (m *meter) add(unit string, n float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.units == nil {
		m.units = map[string]float64{}
	}
	m.units[unit] += n
}

// take returns what was counted and begins again.
func (m *meter) take() map[string]float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	units := m.units
	m.units = nil
	return units
}

// use notes that the function of a word did something.
func (m *meter) use(word, action, resource string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used == nil {
		m.used = map[string]map[string]bool{}
	}
	if m.used[word] == nil {
		m.used[word] = map[string]bool{}
	}
	m.used[word][action+" "+resource] = true
}

// uses are the notes, sorted.
func (m *meter) uses() map[string][]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string][]string{}
	for word, did := range m.used {
		out[word] = slices.Sorted(maps.Keys(did))
	}
	return out
}

// proxy passes requests on to the endpoint and counts them as AWS bills them.
func (m *meter) proxy(endpoint *url.URL) http.Handler {
	p := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(endpoint)
			r.Out.Host = r.In.Host // it is signed
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(asked))
		answer := &recorder{ResponseWriter: w}
		p.ServeHTTP(answer, r)
		m.count(r, asked, answer)
	})
}

type recorder struct {
	http.ResponseWriter
	body bytes.Buffer
	code int
}

func (r *recorder) WriteHeader(code int) {
	r.code = code
	r.ResponseWriter.WriteHeader(code)
}

func (r *recorder) Write(p []byte) (int, error) {
	r.body.Write(p)
	return r.ResponseWriter.Write(p)
}

func (m *meter) count(r *http.Request, asked []byte, answer *recorder) {
	service, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	_, credential, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	word, _, _ := strings.Cut(credential, "/") // each function signs with its word
	switch {
	case strings.HasPrefix(service, "DynamoDB"):
		for action, table := range actions(operation, asked) {
			m.use(word, action, table)
		}
		reads, writes, stored := dynamo(operation, asked, answer.body.Bytes())
		m.add("dynamodb.read_units", reads)
		m.add("dynamodb.write_units", writes)
		if answer.code == http.StatusOK {
			m.add("dynamodb.stored_bytes", stored)
		}
	case service == "AmazonSQS":
		var in struct{ QueueUrl string }
		json.Unmarshal(asked, &in)
		// a batch needs the permission of its messages
		m.use(word, "sqs:"+strings.TrimSuffix(operation, "Batch"), path.Base(in.QueueUrl))
		m.add("sqs.requests", math.Ceil(float64(len(asked))/64e3))
	case service == "":
		_, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		folder, _, _ := strings.Cut(key, "/")
		switch r.Method {
		case http.MethodPut, http.MethodPost:
			m.use(word, "s3:PutObject", folder)
			m.add("s3.put", 1)
			if answer.code == http.StatusOK {
				m.add("s3.stored_bytes", float64(len(asked)))
			}
		case http.MethodGet, http.MethodHead:
			m.use(word, "s3:GetObject", folder)
			m.add("s3.get", 1)
		}
	}
}

// actions are the pairs of action and table that DynamoDB asks permission for: those of
// the parts of a transaction.
func actions(operation string, asked []byte) iter.Seq2[string, string] {
	var in struct {
		TableName     string
		RequestItems  map[string]any
		TransactItems []map[string]struct{ TableName string }
	}
	json.Unmarshal(asked, &in)
	return func(yield func(string, string) bool) {
		if in.TableName != "" && !yield("dynamodb:"+operation, in.TableName) {
			return
		}
		for table := range in.RequestItems {
			if !yield("dynamodb:"+operation, table) {
				return
			}
		}
		for _, part := range in.TransactItems {
			for kind, p := range part {
				if !yield("dynamodb:"+kind+"Item", p.TableName) {
					return
				}
			}
		}
	}
}

// dynamo estimates capacity units from the length of the JSON, which is somewhat longer
// than what DynamoDB measures: a write takes one for each KiB, a consistent read one for
// each 4 KiB, another one half; a transaction takes twice as many.
func dynamo(operation string, asked, answered []byte) (reads, writes, stored float64) {
	var in struct {
		Item           json.RawMessage
		ConsistentRead bool
		RequestItems   map[string]struct {
			Keys           []json.RawMessage
			ConsistentRead bool
		}
		TransactItems []struct {
			Put                            *struct{ Item json.RawMessage }
			Update, Delete, ConditionCheck json.RawMessage
		}
	}
	json.Unmarshal(asked, &in)
	kib := func(n, unit int) float64 { return max(1, math.Ceil(float64(n)/float64(unit))) }
	half := func(consistent bool) float64 {
		if consistent {
			return 1
		}
		return 0.5
	}
	switch operation {
	case "PutItem":
		return 0, kib(len(in.Item), 1024), float64(len(in.Item))
	case "UpdateItem", "DeleteItem":
		return 0, 1, 0
	case "TransactWriteItems":
		for _, t := range in.TransactItems {
			if t.Put != nil {
				writes += 2 * kib(len(t.Put.Item), 1024)
				stored += float64(len(t.Put.Item))
				continue
			}
			writes += 2
		}
	case "GetItem", "Query":
		reads = half(in.ConsistentRead) * kib(len(answered), 4096)
	case "BatchGetItem":
		for _, t := range in.RequestItems { // each item is rounded up by itself
			reads += half(t.ConsistentRead) * max(float64(len(t.Keys)), kib(len(answered), 4096))
		}
	}
	return reads, writes, stored
}
