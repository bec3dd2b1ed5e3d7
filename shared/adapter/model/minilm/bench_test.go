//go:build unix

package minilm

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"wstk/shared/wstk"
)

// BenchmarkEmbed reports the time of the processor besides, which other programs disturb less.
func BenchmarkEmbed(b *testing.B) {
	e := miniLM(b)
	for _, k := range kernelsHere() {
		for _, n := range []int{12, 256} {
			text := strings.Repeat("boat ", n-2)
			b.Run(fmt.Sprintf("%s/%d", k.name, n), func(b *testing.B) {
				e.kernels = k.kernels
				b.ReportAllocs()
				before := processorTime(b)
				for b.Loop() {
					if _, err := e.Embed(b.Context(), wstk.EmbedPassage, text); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((processorTime(b)-before)*1000/float64(b.N), "cpu-ms/op")
			})
		}
	}
}

// processorTime is what this process has used, in seconds.
func processorTime(b *testing.B) float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
