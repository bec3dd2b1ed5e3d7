// Package opensearch holds the mapping of the search index, for both the stack and the
// adapter.
package opensearch

import _ "embed"

// Index is the body that creates the index, without the field for vectors.
//
//go:embed index.json
var Index []byte
