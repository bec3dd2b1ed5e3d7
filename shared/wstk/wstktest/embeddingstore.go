package wstktest

import (
	"math"
	"slices"
	"testing"

	"wstk/shared/wstk"
)

// EmbeddingStore checks the promises of wstk.EmbeddingStore.
func EmbeddingStore(
	t *testing.T, open func(t *testing.T) wstk.EmbeddingStore,
	features ...Features[wstk.EmbeddingStore],
) {
	s := embeddingStoreSuite{newSuite(t, open, features)}
	s.run("EveryBitComesBack", s.everyBitComesBack)
	s.run("MissingTextsAreMissingInTheMap", s.missingTextsAreMissing)
	s.run("StoredVectorsNeverChange", s.storedVectorsNeverChange)
	s.run("ModelsAreApart", s.modelsAreApart)
	s.run("PutRefusesWhatIsNoVector", s.putRefusesWhatIsNoVector)
	s.run("RemoveForgetsATextByEveryModel", s.removeForgetsATextByEveryModel)
	s.run("VectorsBelongToTheCaller", s.vectorsBelongToTheCaller)
	s.run("ManyVectors", s.manyVectors)
	s.run("CancelledStoresNothing", s.cancelledStoresNothing)
	s.pair("ManyAtOnceAreAllKept", s.manyAtOnceAreAllKept)
}

type embeddingStoreSuite struct{ suite[wstk.EmbeddingStore] }

type vectors = map[wstk.EmbeddingKey][]float32

const embeddingModel = "model@0123456789ab"

func vectorKey(i int) wstk.EmbeddingKey {
	return wstk.EmbeddingKey{Text: hashOf("text %d", i), Model: embeddingModel}
}

// wantVector fails unless the vector under k has the bits of want; nil wants none.
func wantVector(t *testing.T, s wstk.EmbeddingStore, k wstk.EmbeddingKey, want []float32) {
	t.Helper()
	got, err := s.Get(bg, k.Model, k.Text)
	must(t, err)
	v, ok := got[k.Text]
	same := slices.EqualFunc(v, want, func(a, b float32) bool {
		return math.Float32bits(a) == math.Float32bits(b)
	})
	if ok != (want != nil) || !same {
		t.Errorf("%s: got %v, want %v", k.Text, v, want)
	}
}

func (s embeddingStoreSuite) everyBitComesBack(t *testing.T, st wstk.EmbeddingStore) {
	odd := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 1.0 / 3, math.MaxFloat32,
		math.SmallestNonzeroFloat32, -1e-38}
	long := make([]float32, wstk.MaxDimension)
	for i := range long {
		long[i] = float32(i) / 7
	}
	must(t, st.Put(bg, vectors{vectorKey(0): odd, vectorKey(1): long}))
	wantVector(t, st, vectorKey(0), odd)
	wantVector(t, st, vectorKey(1), long)
	must(t, st.Put(bg, nil))
}

func (s embeddingStoreSuite) missingTextsAreMissing(t *testing.T, st wstk.EmbeddingStore) {
	must(t, st.Put(bg, vectors{vectorKey(0): {1}}))
	a, b := vectorKey(0).Text, vectorKey(1).Text
	got, err := st.Get(bg, embeddingModel, a, b, a)
	must(t, err)
	if len(got) != 1 || len(got[a]) != 1 {
		t.Errorf("got %v, want one vector of the first text", got)
	}
	got, err = st.Get(bg, embeddingModel)
	must(t, err)
	if len(got) != 0 {
		t.Errorf("no texts: got %v", got)
	}
}

func (s embeddingStoreSuite) storedVectorsNeverChange(t *testing.T, st wstk.EmbeddingStore) {
	must(t, st.Put(bg, vectors{vectorKey(0): {1, 2}}))
	must(t, st.Put(bg, vectors{vectorKey(0): {3, 4}, vectorKey(1): {5, 6}}))
	wantVector(t, st, vectorKey(0), []float32{1, 2})
	wantVector(t, st, vectorKey(1), []float32{5, 6})
}

func (s embeddingStoreSuite) modelsAreApart(t *testing.T, st wstk.EmbeddingStore) {
	a := vectorKey(0)
	b := a
	b.Model = "another@0123456789ab"
	must(t, st.Put(bg, vectors{a: {1, 2}}))
	wantVector(t, st, b, nil)
	must(t, st.Put(bg, vectors{b: {3}}))
	wantVector(t, st, a, []float32{1, 2})
	wantVector(t, st, b, []float32{3})
}

func (s embeddingStoreSuite) putRefusesWhatIsNoVector(t *testing.T, st wstk.EmbeddingStore) {
	noText, noModel := vectorKey(1), vectorKey(1)
	noText.Text, noModel.Model = "", ""
	for name, bad := range map[string]vectors{
		"no text":       {noText: {1}},
		"no model":      {noModel: {1}},
		"no numbers":    {vectorKey(1): {}},
		"too many":      {vectorKey(1): make([]float32, wstk.MaxDimension+1)},
		"not a number":  {vectorKey(1): {1, float32(math.NaN())}},
		"infinite":      {vectorKey(1): {float32(math.Inf(1))}},
		"less infinite": {vectorKey(1): {float32(math.Inf(-1))}},
	} {
		bad[vectorKey(0)] = []float32{1}
		wantCode(t, name, st.Put(bg, bad), wstk.Invalid)
		wantVector(t, st, vectorKey(0), nil)
	}
}

func (s embeddingStoreSuite) removeForgetsATextByEveryModel(
	t *testing.T, st wstk.EmbeddingStore,
) {
	a, b := vectorKey(0), vectorKey(1)
	other := a
	other.Model = "another@0123456789ab"
	must(t, st.Put(bg, vectors{a: {1}, other: {2}, b: {3}}))
	wantCode(t, "Remove", st.Remove(cancelled(), a.Text), wstk.Cancelled)
	wantVector(t, st, a, []float32{1})
	for range 2 {
		must(t, st.Remove(bg, a.Text, hashOf("never stored")))
	}
	must(t, st.Remove(bg))
	wantVector(t, st, a, nil)
	wantVector(t, st, other, nil)
	wantVector(t, st, b, []float32{3})
	must(t, st.Put(bg, vectors{a: {4}}))
	wantVector(t, st, a, []float32{4})
}

func (s embeddingStoreSuite) vectorsBelongToTheCaller(t *testing.T, st wstk.EmbeddingStore) {
	v := []float32{1, 2}
	must(t, st.Put(bg, vectors{vectorKey(0): v}))
	v[0] = 9
	wantVector(t, st, vectorKey(0), []float32{1, 2})
	got, err := st.Get(bg, embeddingModel, vectorKey(0).Text)
	must(t, err)
	got[vectorKey(0).Text][1] = 9
	wantVector(t, st, vectorKey(0), []float32{1, 2})
}

func (s embeddingStoreSuite) manyVectors(t *testing.T, st wstk.EmbeddingStore) {
	const n = 250
	all := vectors{}
	var texts []wstk.Hash
	for i := range n {
		all[vectorKey(i)] = []float32{float32(i)}
		texts = append(texts, vectorKey(i).Text)
	}
	must(t, st.Put(bg, all))
	got, err := st.Get(bg, embeddingModel, texts...)
	must(t, err)
	for i, h := range texts {
		if v := got[h]; len(v) != 1 || v[0] != float32(i) {
			t.Errorf("vector %d is %v", i, v)
		}
	}
	must(t, st.Remove(bg, texts[1:]...))
	got, err = st.Get(bg, embeddingModel, texts...)
	must(t, err)
	if len(got) != 1 {
		t.Errorf("%d vectors are left, want 1", len(got))
	}
}

func (s embeddingStoreSuite) cancelledStoresNothing(t *testing.T, st wstk.EmbeddingStore) {
	k := vectorKey(0)
	wantCode(t, "Put", st.Put(cancelled(), vectors{k: {1}}), wstk.Cancelled)
	wantVector(t, st, k, nil)
	_, err := st.Get(cancelled(), k.Model, k.Text)
	wantCode(t, "Get", err, wstk.Cancelled)
}

func (s embeddingStoreSuite) manyAtOnceAreAllKept(t *testing.T, a, b wstk.EmbeddingStore) {
	together(t, 20, func(i int) error {
		return []wstk.EmbeddingStore{a, b}[i%2].Put(bg,
			vectors{vectorKey(i / 2): {float32(i / 2)}, vectorKey(100): {1}})
	})
	for i := range 10 {
		wantVector(t, b, vectorKey(i), []float32{float32(i)})
	}
	wantVector(t, a, vectorKey(100), []float32{1})
}
