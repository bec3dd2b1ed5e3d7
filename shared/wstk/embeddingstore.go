package wstk

import (
	"context"
	"encoding/binary"
	"math"
)

// EmbeddingKey says which words a vector is of and which model made it.
type EmbeddingKey struct {
	Text  Hash   `json:"text"`  // of the words, exactly as the model was given them
	Model string `json:"model"` // EmbedderInfo.ID
}

// EmbeddingStore keeps vectors, so that each text is read by a model once. A stored vector
// never changes, but it can be removed. It may always be made again from its text: a
// missing one costs time and nothing else.
type EmbeddingStore interface {
	// Put stores the vectors; the first one under a key stays. After an error some of them
	// may be stored, and putting all of them again is the same as once. Invalid, before any
	// is stored: a key without text or model, and a vector without numbers, with more than
	// MaxDimension, or with one that is not finite.
	Put(ctx context.Context, vectors map[EmbeddingKey][]float32) error

	// Get returns the vectors of a model for these texts, each float32 bit for bit as it
	// was put. A text without a vector is missing in the map. The vectors belong to the caller.
	Get(ctx context.Context, model string, texts ...Hash) (map[Hash][]float32, error)

	// Remove forgets the vectors of these texts by every model; it is no error when there
	// are none.
	Remove(ctx context.Context, texts ...Hash) error
}

// MaxDimension is how many numbers a stored vector may have.
const MaxDimension = 4096

// CheckEmbeddings returns Invalid for what Put of an EmbeddingStore refuses.
func CheckEmbeddings(op string, vectors map[EmbeddingKey][]float32) error {
	for k, v := range vectors {
		switch {
		case k.Text == "" || k.Model == "":
			return Errorf(Invalid, op, "a vector needs the hash of its text and a model")
		case len(v) == 0 || len(v) > MaxDimension:
			return Errorf(Invalid, op, "the vector of %s has %d numbers, not 1 to %d",
				k.Text, len(v), MaxDimension)
		}
		for i, x := range v {
			if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
				return Errorf(Invalid, op, "number %d of the vector of %s is %g", i, k.Text, x)
			}
		}
	}
	return nil
}

// PackVector returns the bytes of a vector: its numbers as IEEE 754 binary32, little-endian.
func PackVector(v []float32) []byte {
	out := make([]byte, 0, 4*len(v))
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

// UnpackVector is the opposite of PackVector. Bytes that are no vector are Internal: what
// was stored is damaged.
func UnpackVector(op string, data []byte) ([]float32, error) {
	if len(data) == 0 || len(data)%4 != 0 {
		return nil, Errorf(Internal, op, "a stored vector has %d bytes", len(data))
	}
	out := make([]float32, len(data)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return out, nil
}
