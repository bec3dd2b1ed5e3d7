package minilm

import "golang.org/x/sys/cpu"

type namedKernels struct {
	name string
	kernels
}

// kernelsHere are those that run on this processor.
func kernelsHere() []namedKernels {
	known := []namedKernels{{"Go", plain}}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		known = append(known, namedKernels{"AVX2", avx2})
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512VL {
		known = append(known, namedKernels{"AVX512", avx512})
	}
	return known
}
