package memory_test

import (
	"testing"
	"time"

	"wstk/shared/adapter/memory"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func TestBlobs(t *testing.T) {
	wstktest.BlobStore(t, func(t *testing.T) wstk.BlobStore { return memory.NewBlobs() })
}

func TestSnapshots(t *testing.T) {
	wstktest.SnapshotStore(t, func(t *testing.T) wstk.SnapshotStore {
		return memory.NewSnapshots()
	})
}

func TestPages(t *testing.T) {
	wstktest.PageStore(t, func(t *testing.T) wstk.PageStore { return memory.NewPages() })
}

func TestSites(t *testing.T) {
	wstktest.SiteStore(t, func(t *testing.T) wstk.SiteStore { return memory.NewSites() })
}

func TestRuns(t *testing.T) {
	wstktest.RunStore(t, func(t *testing.T) wstk.RunStore { return memory.NewRuns() })
}

func TestLocks(t *testing.T) {
	wstktest.Locker(t, func(t *testing.T) wstk.Locker { return memory.NewLocks() })
}

func TestHosts(t *testing.T) {
	wstktest.HostStore(t, func(t *testing.T) wstk.HostStore { return memory.NewHosts(nil) })
}

func TestFrontier(t *testing.T) {
	wstktest.Frontier(t, func(t *testing.T) wstk.Frontier { return memory.NewFrontier() })
}

func TestSummaries(t *testing.T) {
	wstktest.SummaryStore(t, func(t *testing.T) wstk.SummaryStore { return memory.NewSummaries() })
}

func TestEmbeddings(t *testing.T) {
	wstktest.EmbeddingStore(t, func(t *testing.T) wstk.EmbeddingStore {
		return memory.NewEmbeddings()
	})
}

func TestVectors(t *testing.T) {
	wstktest.VectorIndex(t, func(t *testing.T) wstk.VectorIndex { return memory.NewVectors() })
}

func TestEvidence(t *testing.T) {
	wstktest.EvidenceStore(t, func(t *testing.T) wstk.EvidenceStore { return memory.NewEvidence() })
}

func TestSearchRows(t *testing.T) {
	wstktest.SearchRowStore(t, func(t *testing.T) wstk.SearchRowStore {
		return memory.NewSearchRows()
	})
}

func TestTemplates(t *testing.T) {
	wstktest.TemplateStore(t, func(t *testing.T) wstk.TemplateStore {
		return memory.NewTemplates()
	})
}

func TestIndex(t *testing.T) {
	wstktest.Index(t, func(t *testing.T) wstk.Index { return memory.NewIndex() })
}

func TestCache(t *testing.T) {
	wstktest.Cache(t, func(t *testing.T, now func() time.Time) wstk.Cache {
		return memory.NewCache(now)
	})
}

func TestQueue(t *testing.T) {
	wstktest.Queue(t, func(t *testing.T) (wstk.Queue, wstktest.Received) {
		q := memory.NewQueue()
		return q, q.Receive
	})
}
