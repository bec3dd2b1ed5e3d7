package cloud

import "testing"

func TestAFunctionHasAMemoryLimit(t *testing.T) {
	for _, c := range []struct {
		name  string
		env   map[string]string
		limit int64
		ok    bool
	}{
		{"four fifths of the function's memory", map[string]string{"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512"}, 429496728, true},
		{"the operator's own limit stands", map[string]string{"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512", "GOMEMLIMIT": "100MiB"}, 0, false},
		{"not a function", nil, 0, false},
		{"a size that is none", map[string]string{"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "-1"}, 0, false},
	} {
		limit, ok := memoryLimit(func(name string) string { return c.env[name] })
		if limit != c.limit || ok != c.ok {
			t.Errorf("%s: the limit is %d, %v, want %d, %v", c.name, limit, ok, c.limit, c.ok)
		}
	}
}
