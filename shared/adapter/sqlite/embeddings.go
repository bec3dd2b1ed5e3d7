package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"

	"wstk/shared/wstk"
)

var _ wstk.EmbeddingStore = (*Embeddings)(nil)

// Embeddings is a wstk.EmbeddingStore.
type Embeddings struct{ db *DB }

// Embeddings returns the store of vectors.
func (db *DB) Embeddings() *Embeddings { return &Embeddings{db} }

// Put stores all or none.
func (s *Embeddings) Put(
	ctx context.Context, vectors map[wstk.EmbeddingKey][]float32,
) error {
	const op = "storing vectors"
	if err := wstk.CheckEmbeddings(op, vectors); err != nil {
		return err
	}
	return s.db.write(ctx, op, func(t session) error {
		for k, v := range vectors {
			if err := t.exec(`INSERT INTO embeddings (text, model, vector) VALUES (?, ?, ?)
				ON CONFLICT DO NOTHING`, k.Text, k.Model, wstk.PackVector(v)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Embeddings) Get(
	ctx context.Context, model string, texts ...wstk.Hash,
) (map[wstk.Hash][]float32, error) {
	const op = "reading vectors"
	asked, err := json.Marshal(texts)
	if err != nil {
		return nil, wstk.Wrap(wstk.Internal, op, err)
	}
	out := make(map[wstk.Hash][]float32, len(texts))
	err = s.db.read(ctx, op, func(r session) error {
		return r.rows(`SELECT text, vector FROM json_each(?1) asked
			CROSS JOIN embeddings ON text = asked.value AND model = ?2`,
			[]any{string(asked), model}, func(scan func(...any) error) error {
				var text wstk.Hash
				var data sql.RawBytes
				if err := scan(&text, &data); err != nil {
					return err
				}
				v, err := wstk.UnpackVector(op, data)
				out[text] = v
				return err
			})
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (s *Embeddings) Remove(ctx context.Context, texts ...wstk.Hash) error {
	return s.db.write(ctx, "removing vectors", func(t session) error {
		for _, h := range texts {
			if err := t.exec(`DELETE FROM embeddings WHERE text = ?`, h); err != nil {
				return err
			}
		}
		return nil
	})
}
