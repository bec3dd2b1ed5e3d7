package minilm

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

// madeSpec is a small model with random weights: all but the meaning can be tested with it.
func madeSpec(kind Kind) Spec {
	s := Spec{Name: "made", Kind: kind, Languages: []string{"en"}, MaxTokens: 40, Hidden: 32,
		Inner: 64, Layers: 2, Heads: 2}
	if kind == Reranks {
		s.Prefix = "bert."
	}
	return s
}

// madeWeights are the tensors of a made model, and their shapes.
func madeWeights(s Spec) (map[string][]float32, map[string][]int) {
	r := rand.New(rand.NewPCG(3, 4))
	values, shapes := map[string][]float32{}, map[string][]int{}
	add := func(name string, scale float64, mean float32, shape ...int) {
		size := 1
		for _, n := range shape {
			size *= n
		}
		v := make([]float32, size)
		for i := range v {
			v[i] = mean + float32(scale*r.NormFloat64())
		}
		values[name], shapes[name] = v, shape
	}
	linear := func(name string, out, in int) {
		add(name+".weight", 1/math.Sqrt(float64(in)), 0, out, in)
		add(name+".bias", .1, 0, out)
	}
	norm := func(name string) {
		add(name+".LayerNorm.weight", .1, 1, s.Hidden)
		add(name+".LayerNorm.bias", .1, 0, s.Hidden)
	}
	p := s.Prefix
	add(p+"embeddings.word_embeddings.weight", 1, 0, vocabularySize, s.Hidden)
	add(p+"embeddings.position_embeddings.weight", .3, 0, positions, s.Hidden)
	add(p+"embeddings.token_type_embeddings.weight", .3, 0, 2, s.Hidden)
	norm(p + "embeddings")
	for i := range s.Layers {
		at := fmt.Sprintf("%sencoder.layer.%d.", p, i)
		for _, name := range []string{"self.query", "self.key", "self.value", "output.dense"} {
			linear(at+"attention."+name, s.Hidden, s.Hidden)
		}
		norm(at + "attention.output")
		linear(at+"intermediate.dense", s.Inner, s.Hidden)
		linear(at+"output.dense", s.Hidden, s.Inner)
		norm(at + "output")
	}
	if s.Kind == Reranks {
		linear(p+"pooler.dense", s.Hidden, s.Hidden)
		linear("classifier", 1, s.Hidden)
	}
	return values, shapes
}

// madeFile is the safetensors file of some tensors.
func madeFile(t *testing.T, values map[string][]float32, shapes map[string][]int) []byte {
	t.Helper()
	var data bytes.Buffer
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	for name, v := range values {
		begin := data.Len()
		if err := binary.Write(&data, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
		header[name] = tensorPlace{"F32", shapes[name], [2]int{begin, data.Len()}}
	}
	return withHeader(t, header, data.Bytes())
}

func withHeader(t *testing.T, header any, data []byte) []byte {
	t.Helper()
	h, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	h = append(h, bytes.Repeat([]byte(" "), upTo(len(h), 8)-len(h))...)
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(h)))
	return append(append(file, h...), data...)
}

// madeModel opens a made model from a file.
func madeModel(t *testing.T, kind Kind) (*Model, map[string][]float32) {
	t.Helper()
	s := madeSpec(kind)
	values, shapes := madeWeights(s)
	file := madeFile(t, values, shapes)
	sum := sha256.Sum256(file)
	s.SHA256, s.Size = wstk.Hash(hex.EncodeToString(sum[:])), int64(len(file))
	path := filepath.Join(t.TempDir(), "model.safetensors")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := Open(s, path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m, values
}

func TestEmbedder(t *testing.T) {
	wstktest.Embedder(t, func(t *testing.T) wstk.Embedder {
		m, _ := madeModel(t, Embeds)
		return Embedder{m}
	})
}

func TestReranker(t *testing.T) {
	wstktest.Reranker(t, func(t *testing.T) wstk.Reranker {
		m, _ := madeModel(t, Reranks)
		return Reranker{m}
	})
}

// slow is the transformer in double precision, written after the paper and for nothing but
// being plain. It returns the state of each token.
func slow(s Spec, values map[string][]float32, ids []int32, second int) [][]float64 {
	p := s.Prefix
	at := func(name string, row, n int) []float32 { return values[p+name][row*n:][:n] }
	linear := func(x [][]float64, name string) [][]float64 {
		bias := values[p+name+".bias"]
		out := make([][]float64, len(x))
		for t, v := range x {
			for o, b := range bias {
				sum := float64(b)
				for i, w := range at(name+".weight", o, len(v)) {
					sum += float64(w) * v[i]
				}
				out[t] = append(out[t], sum)
			}
		}
		return out
	}
	norm := func(x, y [][]float64, name string) {
		n := float64(s.Hidden)
		for t, v := range x {
			mean, variance := 0.0, 0.0
			for i := range v {
				v[i] += y[t][i]
				mean += v[i] / n
			}
			for _, f := range v {
				variance += (f - mean) * (f - mean) / n
			}
			for i := range v {
				v[i] = (v[i]-mean)/math.Sqrt(variance+1e-12)*
					float64(values[p+name+".LayerNorm.weight"][i]) +
					float64(values[p+name+".LayerNorm.bias"][i])
			}
		}
	}
	x, zero := make([][]float64, len(ids)), make([][]float64, len(ids))
	for t, id := range ids {
		kind := 0
		if t >= second {
			kind = 1
		}
		zero[t] = make([]float64, s.Hidden)
		for i := range s.Hidden {
			x[t] = append(x[t],
				float64(at("embeddings.word_embeddings.weight", int(id), s.Hidden)[i])+
					float64(at("embeddings.position_embeddings.weight", t, s.Hidden)[i])+
					float64(at("embeddings.token_type_embeddings.weight", kind, s.Hidden)[i]))
		}
	}
	norm(x, zero, "embeddings")
	for l := range s.Layers {
		name := fmt.Sprintf("encoder.layer.%d.", l)
		q, k, v := linear(x, name+"attention.self.query"), linear(x, name+"attention.self.key"),
			linear(x, name+"attention.self.value")
		mixed := make([][]float64, len(ids))
		size := s.Hidden / s.Heads
		for t := range ids {
			for h := range s.Heads {
				weights, sum := make([]float64, len(ids)), 0.0
				for u := range ids {
					for i := h * size; i < (h+1)*size; i++ {
						weights[u] += q[t][i] * k[u][i] / math.Sqrt(float64(size))
					}
					weights[u] = math.Exp(weights[u])
					sum += weights[u]
				}
				for i := h * size; i < (h+1)*size; i++ {
					mean := 0.0
					for u := range ids {
						mean += weights[u] / sum * v[u][i]
					}
					mixed[t] = append(mixed[t], mean)
				}
			}
		}
		norm(x, linear(mixed, name+"attention.output.dense"), name+"attention.output")
		inner := linear(x, name+"intermediate.dense")
		for _, v := range inner {
			for i, f := range v {
				v[i] = f * 0.5 * (1 + math.Erf(f/math.Sqrt2))
			}
		}
		norm(x, linear(inner, name+"output.dense"), name+"output")
	}
	return x
}

func TestPassIsThatOfThePaper(t *testing.T) {
	for _, kind := range []Kind{Embeds, Reranks} {
		m, values := madeModel(t, kind)
		for _, k := range kernelsHere() {
			m.kernels = k.kernels
			for _, n := range []int{1, 2, 5, 8, 9, 17, 40} {
				ids := make([]int32, n)
				for i := range ids {
					ids[i] = int32(1000 + 37*i)
				}
				s := new(scratch)
				if err := m.pass(t.Context(), s, ids, n/2); err != nil {
					t.Fatal(err)
				}
				for i, row := range slow(m.spec, values, ids, n/2) {
					for j, want := range row {
						if got := float64(s.x[i*m.spec.Hidden+j]); math.Abs(got-want) > 2e-5 {
							t.Fatalf("%s, %d tokens: state %d of token %d is %g, want %g", k.name,
								n, j, i, got, want)
						}
					}
				}
			}
		}
	}
}

func TestAScoreIsThatOfThePooler(t *testing.T) {
	m, values := madeModel(t, Reranks)
	reply, err := Reranker{m}.Rerank(t.Context(), "ferry", "a boat", "cake")
	if err != nil {
		t.Fatal(err)
	}
	scores := reply.Scores
	for i, text := range []string{"a boat", "cake"} {
		query, _ := tokens("ferry", 10)
		words, _ := tokens(text, 10)
		ids := slices.Concat([]int32{idBegin}, query, []int32{idEnd}, words, []int32{idEnd})
		first := slow(m.spec, values, ids, len(query)+2)[0]
		want := float64(values["classifier.bias"][0])
		for o, w := range values["classifier.weight"] {
			sum := float64(values["bert.pooler.dense.bias"][o])
			for j, f := range first {
				sum += f * float64(values["bert.pooler.dense.weight"][o*len(first)+j])
			}
			want += float64(w) * math.Tanh(sum)
		}
		if math.Abs(scores[i]-want) > 1e-4 {
			t.Errorf("%q: the score is %g, want %g", text, scores[i], want)
		}
	}
}

func TestAClosedModelIsUnavailable(t *testing.T) {
	m, _ := madeModel(t, Embeds)
	for range 2 {
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Embedder{m}.Embed(t.Context(), wstk.EmbedPassage, "boat")
	if wstk.CodeOf(err) != wstk.Unavailable {
		t.Errorf("got %v, want Unavailable", err)
	}
}

// What is no safetensors file of the model is refused, with its reason.
func TestOddFilesAreRefused(t *testing.T) {
	s := madeSpec(Embeds)
	values, shapes := madeWeights(s)
	const name = "embeddings.LayerNorm.bias"
	changed := func(change func(p *tensorPlace)) []byte {
		header, at := map[string]any{}, 0
		for n, v := range values {
			p := tensorPlace{"F32", shapes[n], [2]int{at, at + 4*len(v)}}
			at += 4 * len(v)
			if n == name {
				change(&p)
			}
			header[n] = p
		}
		return withHeader(t, header, make([]byte, at))
	}
	huge := binary.LittleEndian.AppendUint64(nil, math.MaxUint64)
	for why, file := range map[string][]byte{
		"too few":               []byte("short"),
		"claims 1844":           append(huge, "{}"...),
		"claims 3 bytes":        append(binary.LittleEndian.AppendUint64(nil, 3), "{}"...),
		"the header: ":          append(binary.LittleEndian.AppendUint64(nil, 4), "PK\x03\x04"...),
		"no tensor":             withHeader(t, map[string]any{}, nil),
		"the type F16":          changed(func(p *tensorPlace) { p.Type = "F16" }),
		"the shape [31], not":   changed(func(p *tensorPlace) { p.Shape = []int{31} }),
		"the shape [1 32], not": changed(func(p *tensorPlace) { p.Shape = []int{1, 32} }),
		"lies at -1":            changed(func(p *tensorPlace) { p.Offsets = [2]int{-1, 127} }),
		"lies at 0 to 124":      changed(func(p *tensorPlace) { p.Offsets = [2]int{0, 124} }),
		"lies at 99999900": changed(func(p *tensorPlace) {
			p.Offsets = [2]int{99999900, 99999900 + 128}
		}),
	} {
		_, err := of(s, file)
		if wstk.CodeOf(err) != wstk.Invalid || !strings.Contains(fmt.Sprint(err), why) {
			t.Errorf("%s: %v", why, err)
		}
	}
	if _, err := Open(s, filepath.Join(t.TempDir(), "none")); wstk.CodeOf(err) != wstk.NotFound {
		t.Errorf("a missing file: %v", err)
	}
}

// Numbers that do not begin at a multiple of four are copied.
func TestUnalignedNumbers(t *testing.T) {
	b := make([]byte, 17)
	binary.LittleEndian.PutUint32(b[1:], math.Float32bits(1.5))
	for at := range 4 {
		copy(b[at+1:], b[1:5])
		binary.LittleEndian.PutUint32(b[at:], math.Float32bits(1.5))
		if v := floats(b[at:][:4]); len(v) != 1 || v[0] != 1.5 {
			t.Errorf("at %d: %v", at, v)
		}
	}
}

func TestNumbersThatAreNotFiniteAreAFailure(t *testing.T) {
	s := madeSpec(Embeds)
	values, shapes := madeWeights(s)
	values["embeddings.LayerNorm.bias"][3] = float32(math.NaN())
	m, err := of(s, madeFile(t, values, shapes))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (Embedder{m}).
		Embed(t.Context(), wstk.EmbedPassage, "boat"); wstk.CodeOf(err) != wstk.ModelFailed {
		t.Errorf("got %v, want ModelFailed", err)
	}
}
