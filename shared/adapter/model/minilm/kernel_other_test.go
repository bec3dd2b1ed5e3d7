//go:build !amd64

package minilm

type namedKernels struct {
	name string
	kernels
}

// kernelsHere are those that run on this processor.
func kernelsHere() []namedKernels { return []namedKernels{{"Go", plain}} }
