package text

import (
	"regexp"
	"sync"
)

// Pattern returns a regular expression that is compiled when it is first asked for:
// a program starts more often than it needs all of them. It panics then if the
// expression is malformed. The function may be called concurrently.
func Pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
