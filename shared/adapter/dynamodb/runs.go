package dynamodb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"wstk/shared/wstk"
)

var _ wstk.RunStore = Runs{}

// Runs is a wstk.RunStore. A run has a pointer in the list of its kind, in those of its
// site and its query where it has one, and while it runs in that of open runs; a list
// with filters reads the narrowest.
type Runs struct{ *DB }

func runKey(id wstk.RunID) key { return key{"run " + string(id), "run"} }

func ofKind(k wstk.RunKind) string    { return "runs kind " + string(k) }
func ofRunSite(id wstk.SiteID) string { return "runs site " + string(id) }
func ofQuery(q string) string         { return "runs query " + string(wstk.HashOf([]byte(q))) }

// openRuns is the list of runs that run: short, however many there were.
const openRuns = "runs open"

var kinds = []wstk.RunKind{wstk.RunIngest, wstk.RunRefresh, wstk.RunExtraction, wstk.RunSearch,
	wstk.RunAnswer, wstk.RunResolution, wstk.RunRemoval, wstk.RunRequest}

func (s Runs) Create(ctx context.Context, r wstk.Run) error {
	const op = "creating run"
	if err := r.Check(op); err != nil {
		return err
	}
	if r.Kind != "" && !slices.Contains(kinds, r.Kind) {
		return wstk.Errorf(wstk.Invalid, op, "unknown kind of run %q", r.Kind)
	}
	it, err := record(op, runKey(r.ID), r)
	if err != nil {
		return err
	}
	it["v"] = num(1)
	table := s.Tables.Records
	writes := []types.TransactWriteItem{put(table, it, isNew, nil),
		put(table, key{ofKind(r.Kind), string(r.ID)}.item(), "", nil)}
	if r.State == wstk.RunRunning {
		writes = append(writes, put(table, key{openRuns, string(r.ID)}.item(), "", nil))
	}
	if r.Site != "" {
		writes = append(writes, put(table, key{ofRunSite(r.Site), string(r.ID)}.item(), "", nil))
	}
	if r.Query != "" {
		writes = append(writes, put(table, key{ofQuery(r.Query), string(r.ID)}.item(), "", nil))
	}
	err = s.write(ctx, op, writes...)
	if errors.As(err, new(refused)) {
		return wstk.Errorf(wstk.Conflict, op, "run %s exists", r.ID)
	}
	return err
}

func (s Runs) Get(ctx context.Context, id wstk.RunID) (wstk.Run, error) {
	r, _, err := s.read(ctx, "reading run", id)
	return r, err
}

func (s Runs) read(ctx context.Context, op string, id wstk.RunID) (wstk.Run, int64, error) {
	it, err := s.get(ctx, op, s.Tables.Records, runKey(id))
	if err != nil {
		return wstk.Run{}, 0, err
	}
	if it == nil {
		return wstk.Run{}, 0, wstk.Errorf(wstk.NotFound, op, "no run %s", id)
	}
	r, err := decode[wstk.Run](op, it)
	return r, numOf(it, "v"), err
}

// change applies f to a running run and reports whether it was running.
func (s Runs) change(
	ctx context.Context, op string, id wstk.RunID, f func(*wstk.Run),
) (bool, error) {
	for try := 1; ; try++ {
		r, v, err := s.read(ctx, op, id)
		if err != nil || r.State.Terminal() {
			return false, err
		}
		f(&r)
		it, err := record(op, runKey(id), r)
		if err != nil {
			return false, err
		}
		it["v"] = num(v + 1)
		writes := []types.TransactWriteItem{
			put(s.Tables.Records, it, isUnchanged, item{":v": num(v)})}
		if r.State.Terminal() {
			writes = append(writes, remove(s.Tables.Records, key{openRuns, string(id)}))
		}
		err = s.write(ctx, op, writes...)
		if !errors.As(err, new(refused)) || try > maxTries {
			return err == nil, err
		}
		if err := rest(ctx, op, try); err != nil {
			return false, err
		}
	}
}

func (s Runs) End(ctx context.Context, id wstk.RunID, end wstk.Run) (bool, error) {
	const op = "ending run"
	if err := end.CheckEnd(op); err != nil {
		return false, err
	}
	return s.change(ctx, op, id, func(r *wstk.Run) { r.Finish(end) })
}

func (s Runs) RequestCancel(ctx context.Context, id wstk.RunID) error {
	_, err := s.change(ctx, "cancelling run", id, func(r *wstk.Run) {
		if !r.Cancel {
			r.Cancel, r.UpdatedAt = true, s.now()
		}
	})
	return err
}

func (s Runs) Touch(ctx context.Context, id wstk.RunID, at time.Time) error {
	const op = "touching run"
	r, err := s.Get(ctx, id)
	if err != nil || r.State.Terminal() || !at.After(r.UpdatedAt) {
		return err
	}
	_, err = s.change(ctx, op, id, func(r *wstk.Run) { r.Touch(at) })
	return err
}

func (s Runs) AddPart(ctx context.Context, id wstk.RunID, p wstk.Part) error {
	const op = "adding part of run"
	if err := p.Check(op); err != nil {
		return err
	}
	it, err := record(op, key{partsOf(id), fmt.Sprintf("%010d", p.N)}, p)
	if err != nil {
		return err
	}
	table := s.Tables.Records
	running := types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: &table,
		Key:                 key{openRuns, string(id)}.item(),
		ConditionExpression: aws.String("attribute_exists(pk)")}}
	err = s.write(ctx, op, running, put(table, it, isNew, nil))
	if errors.As(err, new(refused)) { // it has ended, or has this part, or is not there
		_, err = s.Get(ctx, id)
	}
	return err
}

// Remove deletes the run itself last, so that one that was cut off can be removed again.
func (s Runs) Remove(ctx context.Context, id wstk.RunID) error {
	const op = "removing run"
	r, v, err := s.read(ctx, op, id)
	switch {
	case wstk.CodeOf(err) == wstk.NotFound:
		return nil
	case err != nil:
		return err
	case !r.State.Terminal():
		return wstk.Errorf(wstk.Conflict, op, "run %s has not ended", id)
	}
	if err := s.removeAll(ctx, op, s.Tables.Records, partsOf(id)); err != nil {
		return err
	}
	table := s.Tables.Records
	whole := types.TransactWriteItem{
		Delete: &types.Delete{TableName: &table, Key: runKey(id).item(),
			ConditionExpression:       aws.String(isUnchanged),
			ExpressionAttributeValues: item{":v": num(v)}}}
	writes := []types.TransactWriteItem{whole, remove(table, key{ofKind(r.Kind), string(id)})}
	if r.Site != "" {
		writes = append(writes, remove(table, key{ofRunSite(r.Site), string(id)}))
	}
	if r.Query != "" {
		writes = append(writes, remove(table, key{ofQuery(r.Query), string(id)}))
	}
	err = s.write(ctx, op, writes...)
	if errors.As(err, new(refused)) { // an ended run never changes: another process removed it
		return nil
	}
	return err
}

func partsOf(id wstk.RunID) string { return "parts " + string(id) }

func (s Runs) Parts(ctx context.Context, id wstk.RunID) ([]wstk.Part, error) {
	const op = "reading parts of run"
	var parts []wstk.Part
	err := s.each(ctx, op, span{table: s.Tables.Records, pk: partsOf(id)}, 0,
		func(it item) (bool, error) {
			p, err := decode[wstk.Part](op, it)
			parts = append(parts, p)
			return true, err
		})
	return parts, err
}

func (s Runs) List(
	ctx context.Context, f wstk.RunFilter, cursor string, limit int,
) ([]wstk.Run, string, error) {
	const op = "listing runs"
	n := wstk.Limit(limit)
	var out []wstk.Run
	for {
		ids, err := s.newest(ctx, op, f, cursor, n+1)
		if err != nil {
			return nil, "", err
		}
		runs, err := s.readAll(ctx, op, ids)
		if err != nil {
			return nil, "", err
		}
		for _, r := range runs {
			if !f.Match(r) {
				continue
			}
			if len(out) == n {
				return out, string(out[n-1].ID), nil
			}
			out = append(out, r)
		}
		if len(ids) <= n {
			return out, "", nil
		}
		cursor = ids[len(ids)-1]
	}
}

// timeless is above the ids that hold no time, those of requests, and below all others.
const timeless = "run_0000000002"

// newest returns the newest n ids before the cursor from the narrowest list that holds
// all runs f can match, and of that the part that f's times leave.
func (s Runs) newest(
	ctx context.Context, op string, f wstk.RunFilter, cursor string, n int,
) ([]string, error) {
	var lists []string
	switch {
	case f.State == wstk.RunRunning:
		lists = []string{openRuns}
	case f.Query != "":
		lists = []string{ofQuery(f.Query)}
	case f.Site != "":
		lists = []string{ofRunSite(f.Site)}
	case f.Kind != "":
		lists = []string{ofKind(f.Kind)}
	default:
		lists = []string{ofKind("")}
		for _, k := range kinds {
			lists = append(lists, ofKind(k))
		}
	}
	from, to := f.IDs()
	var ids []string
	read := func(pk, from, to string) error {
		if to != "" && to <= from {
			return nil
		}
		items, err := s.first(ctx, op,
			span{table: s.Tables.Records, pk: pk, from: from, to: to, back: true}, n)
		for _, it := range items {
			ids = append(ids, strOf(it, "sk"))
		}
		return err
	}
	for _, pk := range lists {
		if err := read(pk, string(from), earlier(cursor, string(to))); err != nil {
			return nil, err
		}
		if from > timeless && (f.Kind == "" || f.Kind == wstk.RunRequest) {
			if err := read(pk, "", earlier(cursor, timeless)); err != nil {
				return nil, err
			}
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return strings.Compare(b, a) })
	return ids[:min(n, len(ids))], nil
}

// earlier returns the lower of two upper bounds; "" is none.
func earlier(a, b string) string {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}

// readAll reads runs, newest first.
func (s Runs) readAll(ctx context.Context, op string, ids []string) ([]wstk.Run, error) {
	keys := make([]key, len(ids))
	for i, id := range ids {
		keys[i] = runKey(wstk.RunID(id))
	}
	items, err := s.getAll(ctx, op, s.Tables.Records, keys)
	if err != nil {
		return nil, err
	}
	var out []wstk.Run
	for _, it := range items {
		r, err := decode[wstk.Run](op, it)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b wstk.Run) int {
		return strings.Compare(string(b.ID), string(a.ID))
	})
	return out, nil
}
