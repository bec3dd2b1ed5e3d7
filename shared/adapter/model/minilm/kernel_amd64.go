package minilm

import "golang.org/x/sys/cpu"

// best are the kernels that this processor is fastest with.
var best = func() kernels {
	switch x := cpu.X86; {
	case x.HasAVX512F && x.HasAVX512VL:
		return avx512
	case x.HasAVX2 && x.HasFMA:
		return avx2
	}
	return plain
}()

// Kernels of x86-64.
var (
	avx2   = kernels{8, 3, tileAVX2, expsAVX2}
	avx512 = kernels{16, 6, tileAVX512, expsAVX2}
)

// tileAVX2 is a tileFunc of 3 columns; n is a multiple of 8 above 0.
//
//go:noescape
func tileAVX2(x *float32, xs int, w *float32, ws int, n int, out *[24]float32)

// tileAVX512 is a tileFunc of 6 columns; n is a multiple of 16 above 0.
//
//go:noescape
func tileAVX512(x *float32, xs int, w *float32, ws int, n int, out *[24]float32)

// expsAVX2 replaces n numbers by exp32 of them; n is a multiple of 8 above 0.
//
//go:noescape
func expsAVX2(v *float32, n int)
