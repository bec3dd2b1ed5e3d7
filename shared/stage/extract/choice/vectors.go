package choice

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// Vectors are what tools/fit found for candidates that a model compared with the question: how
// much of what the words say still counts, and what the cosines add.
type Vectors struct {
	About string      `json:"about"` // what they were fitted on
	Bound float64     `json:"bound"` // as that of Weights
	Order OrderShares `json:"order"`
	Known JudgeShares `json:"known"`
	Quote JudgeShares `json:"quote"`
}

// OrderShares are the weights behind Order. The less of a question the words of any candidate
// cover, the less they mean, and the more the cosines do: all but the first are times Uncovered.
type OrderShares struct {
	Words        float64 `json:"words"` // of WordsOrder
	Uncovered    float64 `json:"words times uncovered"`
	Alike        float64 `json:"like the question times uncovered"`
	AlikePassage float64 `json:"passage like the question times uncovered"`
}

// JudgeShares are the weights behind a belief.
type JudgeShares struct {
	Words        float64 `json:"words"` // of the belief by words alone
	Alike        float64 `json:"like the question"`
	AlikePassage float64 `json:"passage like the question"`
	MostAlike    float64 `json:"most like the question"`
	Constant     float64 `json:"constant"`
}

// Likeness is how like the question the candidates are.
type Likeness struct {
	Alike, AlikePassage float64 // of the first
	MostAlike           float64 // the largest Alike
}

// LikenessOf describes candidates, best first. There is at least one.
func LikenessOf(rows []*Row) Likeness {
	l := Likeness{Alike: rows[0][Alike], AlikePassage: rows[0][AlikePassage],
		MostAlike: rows[0][Alike]}
	for _, r := range rows {
		l.MostAlike = max(l.MostAlike, r[Alike])
	}
	return l
}

//go:embed vectors.json
var vectorFile []byte

// vectors reads the embedded file on first use.
var vectors = sync.OnceValue(func() *Vectors {
	var v Vectors
	if err := json.Unmarshal(vectorFile, &v); err != nil {
		panic(fmt.Sprintf("vectors.json: %v; run make fit-choice", err))
	}
	return &v
})

// Order is how well a candidate fits the question beside other candidates of the same
// question, as log odds. Those of one question are compared by a model all or not at all.
func (r *Row) Order() float64 {
	if r[Alike] == 0 {
		return r.WordsOrder()
	}
	return vectors().Order.sum(r)
}

func (o OrderShares) sum(r *Row) float64 {
	// the conversions keep the compiler from fusing operations, as in WordsOrder
	words := r.WordsOrder()
	alike := float64(o.Uncovered*words) + float64(o.Alike*r[Alike]) +
		float64(o.AlikePassage*r[AlikePassage])
	return float64(o.Words*words) + float64(alike*r[Uncovered])
}

// weighed are the weights of the features behind Order.
func (r *Row) weighed() (w Row) {
	w = weights().order
	if r[Alike] == 0 {
		return w
	}
	o := vectors().Order
	for i := range w {
		w[i] *= o.Words + o.Uncovered*r[Uncovered]
	}
	w[Alike], w[AlikePassage] = o.Alike*r[Uncovered], o.AlikePassage*r[Uncovered]
	return w
}

func (j JudgeShares) odds(words float64, l Likeness) float64 {
	return float64(j.Words*words) + float64(j.Alike*l.Alike) +
		float64(j.AlikePassage*l.AlikePassage) + float64(j.MostAlike*l.MostAlike) + j.Constant
}
