package sqlite_test

import (
	"path/filepath"
	"testing"

	"wstk/shared/adapter/sqlite"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

func open(t *testing.T, dir string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// port runs a suite on new databases; its second handle is a second opening of
// the same file, which shares with the first what another process would.
func port[S any](
	t *testing.T, suite func(*testing.T, func(*testing.T) S, ...wstktest.Features[S]),
	view func(*sqlite.DB) S,
) {
	dirs := map[any]string{}
	suite(t,
		func(t *testing.T) S {
			db := open(t, t.TempDir())
			v := view(db)
			dirs[v] = filepath.Dir(db.Path())
			return v
		},
		wstktest.Features[S]{Second: func(t *testing.T, first S) S {
			return view(open(t, dirs[first]))
		}})
}

func TestSnapshots(t *testing.T) {
	port(t, wstktest.SnapshotStore,
		func(db *sqlite.DB) wstk.SnapshotStore { return db.Snapshots() })
}

func TestPages(t *testing.T) {
	port(t, wstktest.PageStore, func(db *sqlite.DB) wstk.PageStore { return db.Pages() })
}

func TestSites(t *testing.T) {
	port(t, wstktest.SiteStore, func(db *sqlite.DB) wstk.SiteStore { return db.Sites() })
}

func TestRuns(t *testing.T) {
	port(t, wstktest.RunStore, func(db *sqlite.DB) wstk.RunStore { return db.Runs() })
}

func TestHosts(t *testing.T) {
	port(t, wstktest.HostStore, func(db *sqlite.DB) wstk.HostStore { return db.Hosts() })
}

func TestFrontier(t *testing.T) {
	port(t, wstktest.Frontier, func(db *sqlite.DB) wstk.Frontier { return db.Frontier() })
}

func TestSummaries(t *testing.T) {
	port(t, wstktest.SummaryStore, func(db *sqlite.DB) wstk.SummaryStore { return db.Summaries() })
}

func TestEmbeddings(t *testing.T) {
	port(t, wstktest.EmbeddingStore,
		func(db *sqlite.DB) wstk.EmbeddingStore { return db.Embeddings() })
}

func TestVectors(t *testing.T) {
	port(t, wstktest.VectorIndex, func(db *sqlite.DB) wstk.VectorIndex { return db.Vectors() })
}

func TestEvidence(t *testing.T) {
	port(t, wstktest.EvidenceStore, func(db *sqlite.DB) wstk.EvidenceStore { return db.Evidence() })
}

func TestSearchRows(t *testing.T) {
	port(t, wstktest.SearchRowStore,
		func(db *sqlite.DB) wstk.SearchRowStore { return db.SearchRows() })
}

func TestTemplates(t *testing.T) {
	port(t, wstktest.TemplateStore,
		func(db *sqlite.DB) wstk.TemplateStore { return db.Templates() })
}

func TestIndex(t *testing.T) {
	port(t, wstktest.Index, func(db *sqlite.DB) wstk.Index { return db.Index() })
}

func TestIndexOfManySegments(t *testing.T) {
	port(t, wstktest.Index, func(db *sqlite.DB) wstk.Index { return db.EagerIndex() })
}
