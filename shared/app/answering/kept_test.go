package answering

import (
	"context"
	"strings"
	"sync"
	"testing"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// TestWhatAPageTakesBackIsFoundOnce: however many ask, at the same time and later; what
// ended early is not kept, and no more than the last pages are.
func TestWhatAPageTakesBackIsFoundOnce(t *testing.T) {
	const words = "It is not true that the harbour has 12 berths."
	d := &wstk.Document{Text: words,
		Blocks: []wstk.Block{{Kind: wstk.BlockParagraph, Section: -1,
			Span: wstk.Span{ByteEnd: len(words), CharEnd: len(words)}}}}
	at := strings.Index(words, "the harbour")
	var c kept[int, text.Setting]
	ended, end := context.WithCancel(t.Context())
	end()
	if s := c.of(ended, 0, d, settingOf); s.TakenBack(at, len(words)) {
		t.Error("a reading that ended early says what the page takes back")
	}
	var group sync.WaitGroup
	all := make([]*text.Setting, 8)
	for i := range all {
		group.Go(func() { all[i] = c.of(t.Context(), 0, d, settingOf) })
	}
	group.Wait()
	for _, s := range all {
		if s != all[0] || !s.TakenBack(at, len(words)) {
			t.Fatal("the page was read more than once, or in part")
		}
	}
	for key := range maxKept {
		c.of(t.Context(), key+1, d, settingOf)
	}
	if len(c.m) != maxKept || len(c.order) != maxKept || c.m[0] != nil {
		t.Errorf("%d pages are kept, in order %v", len(c.m), c.order)
	}
}

// TestAReadingThatEndsEarlyIsTakenUp: one who waits for a reading that another gave up
// reads the page himself.
func TestAReadingThatEndsEarlyIsTakenUp(t *testing.T) {
	d := &wstk.Document{Text: "The harbour has 12 berths."}
	var c kept[int, text.Setting]
	ended, end := context.WithCancel(t.Context())
	end()
	one, mine := c.take(0)
	if !mine {
		t.Fatal("a reader is at work already")
	}
	got := make(chan *text.Setting)
	go func() { got <- c.of(t.Context(), 0, d, settingOf) }()
	c.compute(ended, 0, one, d, settingOf)
	if <-got == nil {
		t.Error("the page was not read")
	}
	if len(c.m) != 1 || len(c.order) != 1 {
		t.Errorf("%v in order %v", c.m, c.order)
	}
}
