package reading

import (
	"context"
	"runtime"

	"golang.org/x/sync/semaphore"

	"wstk/shared/wstk"
)

// reading bounds the bytes of bodies that this process reads at once: reading takes
// many times the memory of the body, and waits for nothing but the processor. So it
// is as many small bodies as there are processors, or one that is large.
var (
	readingNow  = semaphore.NewWeighted(readAtOnce)
	readAtLeast = readAtOnce / int64(max(2, runtime.GOMAXPROCS(0)))
)

const readAtOnce = 2 << 20

// readingSlot waits until a body of so many bytes may be read; done gives the slot back.
func Slot(ctx context.Context, size int) (done func(), err error) {
	weight := min(max(int64(size), readAtLeast), readAtOnce)
	if err := readingNow.Acquire(ctx, weight); err != nil {
		return nil, wstk.Wrap(wstk.Cancelled, "reading page", err)
	}
	return func() { readingNow.Release(weight) }, nil
}
