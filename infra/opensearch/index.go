// Package opensearch holds the mappings of the search indexes, for both the stack and the
// adapter.
package opensearch

import _ "embed"

// Index is the body that creates the index of words and links.
//
//go:embed index.json
var Index []byte

// Vectors is the body that creates an index of vectors, without the field for the vectors: its
// dimension is that of a model.
//
//go:embed vectors.json
var Vectors []byte
