package minilm

import "errors"

// vocabularySize and positions are the rows of the tables of embeddings.
const (
	vocabularySize = 30_522
	positions      = 512
)

// linear is a matrix with a bias; norm are the two tensors of a layer normalisation.
type (
	linear struct{ weight, bias []float32 }
	norm2  struct{ weight, bias []float32 }
)

// layer is one of the transformer's.
type layer struct {
	query, key, value, attention linear
	attentionNorm                norm2
	up, down                     linear
	norm                         norm2
}

// weights are the tensors of a model.
type weights struct {
	words, places, kinds []float32
	norm                 norm2
	layers               []layer
	pooler, score        linear // of a reranker
}

// loader collects tensors and what is wrong with them.
type loader struct {
	*tensors
	prefix string
	errs   []error
}

func (l *loader) tensor(name string, shape ...int) []float32 {
	v, err := l.get(l.prefix+name, shape...)
	if err != nil {
		l.errs = append(l.errs, err)
	}
	return v
}

func (l *loader) linear(name string, out, in int) linear {
	return linear{l.tensor(name+".weight", out, in), l.tensor(name+".bias", out)}
}

func (l *loader) norm(name string, n int) norm2 {
	return norm2{l.tensor(name+".LayerNorm.weight", n), l.tensor(name+".LayerNorm.bias", n)}
}

// load finds the tensors that s needs. Codes: Invalid.
func load(t *tensors, s Spec) (*weights, error) {
	l := &loader{tensors: t, prefix: s.Prefix}
	n := s.Hidden
	w := &weights{
		words:  l.tensor("embeddings.word_embeddings.weight", vocabularySize, n),
		places: l.tensor("embeddings.position_embeddings.weight", positions, n),
		kinds:  l.tensor("embeddings.token_type_embeddings.weight", 2, n),
		norm:   l.norm("embeddings", n),
	}
	for i := range s.Layers {
		at := "encoder.layer." + string(rune('0'+i))
		w.layers = append(w.layers, layer{
			query:         l.linear(at+".attention.self.query", n, n),
			key:           l.linear(at+".attention.self.key", n, n),
			value:         l.linear(at+".attention.self.value", n, n),
			attention:     l.linear(at+".attention.output.dense", n, n),
			attentionNorm: l.norm(at+".attention.output", n),
			up:            l.linear(at+".intermediate.dense", s.Inner, n),
			down:          l.linear(at+".output.dense", n, s.Inner),
			norm:          l.norm(at+".output", n),
		})
	}
	if s.Kind == Reranks {
		w.pooler = l.linear("pooler.dense", n, n)
		l.prefix = ""
		w.score = l.linear("classifier", 1, n)
	}
	return w, errors.Join(l.errs...)
}
