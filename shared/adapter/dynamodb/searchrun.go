package dynamodb

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"wstk/shared/wstk"
)

var (
	_ wstk.SearchRowStore = SearchRows{}
	_ wstk.TemplateStore  = Templates{}
)

// SearchRows is a wstk.SearchRowStore. The rows of a run are one partition; an item holds
// as many as fit, compressed, usually all raw ones or all merged ones. Its sort key is the
// place of its first row, and n how many it has: each item begins where the one before it
// ends, also when several write at once, since a writer who finds an item goes on behind
// it.
//
// After an error some items may be there; they are not seen, since the run itself is
// stored later.
type SearchRows struct{ *DB }

func searchRowsOf(run wstk.RunID) string { return "search rows " + string(run) }

// What the rows of a partition are.
const (
	rawRows   = "raw"
	foundRows = "found"
)

// storedRow is a row whose meta is text: JSON in JSON would not keep its bytes.
type storedRow struct {
	wstk.SearchRow
	Meta string `json:"meta,omitempty"`
}

func (s SearchRows) PutRows(
	ctx context.Context, run wstk.RunID, raw []wstk.SearchRow, found []wstk.FoundURL,
) error {
	const op = "storing search rows"
	if run == "" {
		return wstk.Errorf(wstk.Invalid, op, "the run of the rows has no id")
	}
	if ctx.Err() != nil {
		return wstk.Wrap(wstk.Cancelled, op, ctx.Err())
	}
	rows, err := texts(op, raw, func(r wstk.SearchRow) any { return storedRow{r, string(r.Meta)} })
	if err != nil {
		return err
	}
	merged, err := texts(op, found, func(f wstk.FoundURL) any { return f })
	if err != nil {
		return err
	}
	if err := s.putAll(ctx, op, run, rawRows, rows); err != nil {
		return err
	}
	return s.putAll(ctx, op, run, foundRows, merged)
}

// texts encodes each item of a list.
func texts[T any](op string, list []T, form func(T) any) ([][]byte, error) {
	out := make([][]byte, len(list))
	for i, v := range list {
		data, err := json.Marshal(form(v))
		if err != nil {
			return nil, wstk.Wrap(wstk.Internal, op, err)
		}
		out[i] = data
	}
	return out, nil
}

func (s SearchRows) putAll(
	ctx context.Context, op string, run wstk.RunID, what string, rows [][]byte,
) error {
	for place := 0; place < len(rows); {
		data, n := pack(rows[place:])
		it := key{searchRowsOf(run), fmt.Sprintf("%s %08d", what, place)}.item()
		it["n"], it["rows"] = num(int64(n)), bin(data)
		_, err := s.Client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &s.Tables.Records,
			Item: it, ConditionExpression: aws.String(isNew),
			ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld})
		if there := (*types.ConditionalCheckFailedException)(nil); errors.As(err, &there) {
			if n = int(numOf(there.Item, "n")); n < 1 {
				return wstk.Errorf(wstk.Internal, op,
					"an item of run %s does not say how many rows it has", run)
			}
		} else if err != nil {
			return failed(ctx, op, err)
		}
		place += n
	}
	return nil
}

// Bounds of what one item holds, in bytes. An item may have 400 KB, keys and all.
const (
	maxPacked = 380 << 10
	maxRows   = 1 << 20 // not compressed
)

// pack compresses as many rows as an item holds, at least one, as lines of JSON.
func pack(rows [][]byte) (data []byte, n int) {
	size := 0
	for n < len(rows) && (n == 0 || size+len(rows[n]) < maxRows) {
		size += len(rows[n])
		n++
	}
	for {
		data = compress(bytes.Join(rows[:n], []byte("\n")))
		if len(data) <= maxPacked || n == 1 {
			return data, n
		}
		n /= 2
	}
}

// unpack calls each with every row of a kind, in order.
func (s SearchRows) unpack(
	ctx context.Context, op string, run wstk.RunID, what string, each func(row []byte) error,
) error {
	// what is between has a number
	rows := span{table: s.Tables.Records, pk: searchRowsOf(run), from: what + " ", to: what + "!"}
	return s.each(ctx, op, rows, 0, func(it item) (bool, error) {
		data, err := decompress(binOf(it, "rows"))
		if err != nil {
			return false, wstk.Errorf(wstk.Internal, op,
				"the rows of run %s are damaged: %w", run, err)
		}
		for row := range bytes.Lines(data) {
			if err := each(row); err != nil {
				return false, wstk.Wrap(wstk.Internal, op, err)
			}
		}
		return true, nil
	})
}

func (s SearchRows) Raw(ctx context.Context, run wstk.RunID) (out []wstk.SearchRow, err error) {
	err = s.unpack(ctx, "reading search rows", run, rawRows, func(row []byte) error {
		var r storedRow
		err := json.Unmarshal(row, &r)
		if r.Meta != "" {
			r.SearchRow.Meta = json.RawMessage(r.Meta)
		}
		out = append(out, r.SearchRow)
		return err
	})
	return out, err
}

func (s SearchRows) Found(ctx context.Context, run wstk.RunID) (out []wstk.FoundURL, err error) {
	err = s.unpack(ctx, "reading merged search rows", run, foundRows, func(row []byte) error {
		var f wstk.FoundURL
		err := json.Unmarshal(row, &f)
		out = append(out, f)
		return err
	})
	return out, err
}

func (s SearchRows) RemoveRows(ctx context.Context, run wstk.RunID) error {
	return s.removeAll(ctx, "removing search rows", s.Tables.Records, searchRowsOf(run))
}

// Templates is a wstk.TemplateStore.
type Templates struct{ *DB }

func templateKey(k wstk.TemplateKey) key { return key{"template " + k.ID(), "template"} }

func (s Templates) Put(ctx context.Context, q wstk.RewrittenQuery) error {
	const op = "storing template"
	it, err := record(op, templateKey(q.TemplateKey), q)
	if err != nil {
		return err
	}
	return s.store(ctx, op, s.Tables.Records, it)
}

func (s Templates) Get(ctx context.Context, k wstk.TemplateKey) (wstk.RewrittenQuery, error) {
	return find[wstk.RewrittenQuery](ctx, s.DB, "reading template", s.Tables.Records,
		templateKey(k), "no template "+k.ID())
}
