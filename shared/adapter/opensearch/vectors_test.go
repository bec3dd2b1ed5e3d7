package opensearch

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"wstk/shared/adapter/memory"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// vectorFeatures opens a second handle as another process would: it knows of no index yet.
var vectorFeatures = wstktest.Features[wstk.VectorIndex]{
	TornReplace: true,
	Second: func(t *testing.T, first wstk.VectorIndex) wstk.VectorIndex {
		v := first.(*Vectors)
		return &Vectors{Index: v.Index, Engine: v.Engine}
	},
}

func TestVectors(t *testing.T) {
	wstktest.VectorIndex(t, func(t *testing.T) wstk.VectorIndex {
		return &Vectors{Index: open(t), Engine: "lucene"}
	}, vectorFeatures)
}

func TestVectorsServerless(t *testing.T) {
	wstktest.VectorIndex(t, func(t *testing.T) wstk.VectorIndex {
		return &Vectors{Index: open(t, func(x *Index) { serverless(t, x) }), Engine: "lucene"}
	}, vectorFeatures)
}

// direction is a random vector of the length 1.
func direction(r *rand.Rand, numbers int) []float32 {
	v := make([]float32, numbers)
	var sum float64
	for i := range v {
		v[i] = float32(r.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

// What the cloud finds is what one machine finds, to the last digit of each score.
func TestVectorsScoreAsOneMachine(t *testing.T) {
	const numbers = 64
	r := rand.New(rand.NewPCG(1, 2))
	here, there := memory.NewVectors(), &Vectors{Index: open(t), Engine: "lucene"}
	for i := range 12 {
		p := wstk.PageVectors{URL: fmt.Sprint("https://a.example/", i),
			Site: wstk.SiteID(fmt.Sprint("si_", i%2)), FetchedAt: day, Model: "made/Up:v1@64"}
		for j := range 25 {
			p.Chunks = append(p.Chunks, fmt.Sprintf("ch_%d_%d", i, j))
			p.Vectors = append(p.Vectors, direction(r, numbers))
		}
		for _, x := range []wstk.VectorIndex{here, there} {
			if err := x.Replace(bg, p); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 20 {
		q := wstk.VectorQuery{Model: "made/Up:v1@64", Vector: direction(r, numbers), Limit: 1 + i}
		if i%2 == 1 {
			q.Filter.IncludeSites = []string{"si_1"}
		}
		want, err := here.Nearest(bg, q)
		if err != nil {
			t.Fatal(err)
		}
		got, err := there.Nearest(bg, q)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("query %d: %v, %v; want %v", i, got, err, want)
		}
	}
}

// What is asked of OpenSearch, as its documentation has it: an index of the model with a vector
// field of its dimension, and a k-NN query with an efficient filter.
func TestWhatIsAskedOfOpenSearch(t *testing.T) {
	var bodies = map[string]string{}
	x := &Index{Endpoint: "http://127.0.0.1:1", Serverless: true,
		Client: doer(func(req *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(req.Body)
			if err != nil {
				return nil, err
			}
			bodies[req.Method+" "+req.URL.EscapedPath()] = string(body)
			reply := `{"_shards":{"failed":0},"hits":{"hits":[]}}`
			if strings.HasSuffix(req.URL.Path, "/_bulk") {
				reply = `{"items":[{"index":{"status":201}},{"index":{"status":201}}]}`
			}
			return &http.Response{StatusCode: 200,
				Body: io.NopCloser(strings.NewReader(reply))}, nil
		})}
	v := &Vectors{Index: x}
	const model = "bedrock/amazon.titan-embed-text-v2:0@2"
	p := wstk.PageVectors{URL: "https://a.example/", Site: "si_a", FetchedAt: day, Model: model,
		Chunks: []string{"ch_a"}, Vectors: [][]float32{{0.6, 0.8}}}
	for range 2 {
		if err := v.Replace(bg, p); err != nil {
			t.Fatal(err)
		}
	}
	_, err := v.Nearest(bg, wstk.VectorQuery{Model: model, Vector: []float32{1, 0}, Limit: 3,
		Pages: []string{"https://a.example/"}})
	if err != nil {
		t.Fatal(err)
	}
	name := "/wstk-vectors-bedrock-amazon-titan-embed-text-v2-0-2-" + hash(model)[:12] + "-"
	var made mapping
	if err := json.Unmarshal([]byte(bodies["PUT "+name+"2"]), &made); err != nil {
		t.Fatalf("%v in %v", err, bodies)
	}
	field, err := json.Marshal(made.Mappings.Properties["vector"])
	if want := `{"dimension":2,"method":{"engine":"faiss","name":"hnsw","space_type":"l2"},` +
		`"type":"knn_vector"}`; err != nil || string(field) != want ||
		made.Settings["index.knn"] != true {
		t.Errorf("the index is made with %s and %v, want %s", field, made.Settings, want)
	}
	var asked struct {
		Size  int
		Query struct {
			KNN map[string]struct {
				Vector []float32
				K      int
				Filter map[string]any
			}
		}
	}
	if err := json.Unmarshal([]byte(bodies["POST "+name+"2/_search"]), &asked); err != nil {
		t.Fatalf("%v in %v", err, bodies)
	}
	if k := asked.Query.KNN["vector"]; len(k.Vector) != 2 || k.K != least || asked.Size != least ||
		k.Filter["bool"] == nil {
		t.Errorf("asked for %+v", asked)
	}
	if _, ok := bodies["POST "+name+"*/_search"]; !ok {
		t.Errorf("what is held by the model was not looked up: %v", bodies)
	}
}

// A damaged vector is an error, never a wrong score.
func TestADamagedVectorIsAnError(t *testing.T) {
	for packed, want := range map[string]wstk.Code{"AACAPw==": wstk.Internal, // one number
		"AAA=": wstk.Internal} {
		v := &Vectors{Index: &Index{Endpoint: "http://127.0.0.1:1",
			Client: doer(func(*http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(
					`{"_shards":{"failed":0},"hits":{"hits":[{"_source":{"id":"ch_a","packed":"` +
						packed + `"}}]}}`))}, nil
			})}}
		_, err := v.Nearest(bg, wstk.VectorQuery{Model: "m", Vector: []float32{1, 0}})
		wantCode(t, err, want)
	}
}
