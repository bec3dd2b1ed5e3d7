package dynamodb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"wstk/shared/wstk"
)

var _ wstk.Frontier = Frontier{}

// Frontier is a wstk.Frontier. Each URL of a run is an item; one that is not closed
// has a pointer as well, in the order its state is read in:
//
//	<run> url              <url>              the URL itself
//	<run> waiting <host>   <when> <depth> <found>
//	<run> queued, stored   <url>
//	<run> host             <host>             hosts that have had waiting URLs
//	<run> count            <shard>            counters by outcome and by state
//	<run> text, note       <hash>, <key>
//
// A URL's item, its pointers and the counters change in one transaction, whose
// condition is that the URL is still what the change was worked out from. Everything
// but the counters expires a while after the run began.
type Frontier struct{ *DB }

// frontierAge is how long the URLs of a run are kept; its counters stay.
const frontierAge = 90 * 24 * time.Hour

func urlItem(run wstk.RunID, url string) key { return key{string(run) + " url", urlKey(url)} }

func stateOf(run wstk.RunID, s wstk.URLState) string { return string(run) + " " + string(s) }

// waitingOf is the list of a host, by its key.
func waitingOf(run wstk.RunID, host string) string {
	return stateOf(run, wstk.URLWaiting) + " " + host
}

func hostsOf(run wstk.RunID) string  { return string(run) + " host" }
func countsOf(run wstk.RunID) string { return string(run) + " count" }

// pointerTo is the item that leads to u in its state; none for a closed one. order is
// u's place among the URLs of its run, given when it was added.
func pointerTo(u wstk.FrontierURL, order string) (key, bool) {
	switch u.State {
	case wstk.URLWaiting:
		when := timeKey(time.Unix(0, 0))
		if !u.NotBefore.IsZero() {
			when = timeKey(u.NotBefore)
		}
		return key{waitingOf(u.Run, urlKey(u.Host)),
			fmt.Sprintf("%s %06d %s", when, u.Depth, order)}, true
	case wstk.URLQueued, wstk.URLStored:
		return key{stateOf(u.Run, u.State), urlKey(u.URL)}, true
	}
	return key{}, false
}

// fresh is an item that expires with its run.
func (f Frontier) fresh(it item) item {
	it["expires"] = num(f.now().Add(frontierAge).Unix())
	return it
}

func (f Frontier) record(op string, u wstk.FrontierURL, order string, v int64) (item, error) {
	it, err := record(op, urlItem(u.Run, u.URL), u)
	if err != nil {
		return nil, err
	}
	it["v"], it["state"], it["order"] = num(v), str(string(u.State)), str(order)
	return f.fresh(it), nil
}

func (f Frontier) pointer(k key, u wstk.FrontierURL) item {
	it := k.item()
	it["url"] = str(u.URL)
	return f.fresh(it)
}

// Counter attributes: "o " and an outcome, "s " and a state.
func outcomeCount(o wstk.Outcome) string { return "o " + string(o) }
func stateCount(s wstk.URLState) string  { return "s " + string(s) }

func (f Frontier) Add(ctx context.Context, urls ...wstk.FrontierURL) (int, error) {
	const op = "adding to frontier"
	for _, u := range urls {
		if err := u.Check(op); err != nil {
			return 0, err
		}
	}
	fresh, err := f.unknown(ctx, op, urls)
	if err != nil {
		return 0, err
	}
	now := f.now()
	var entries []entry
	hosts := map[key]bool{}
	for i, u := range fresh {
		u = u.Discovered(now)
		if u.State == wstk.URLWaiting {
			hosts[key{hostsOf(u.Run), urlKey(u.Host)}] = true
		}
		e, err := f.entry(op, u, timeKey(now.Add(time.Duration(i))))
		if err != nil {
			return 0, err
		}
		entries = append(entries, e)
	}
	for k := range hosts { // before the URLs that Waiting finds by them
		_, err := f.Client.PutItem(ctx,
			&dynamodb.PutItemInput{TableName: &f.Tables.Frontier, Item: f.fresh(k.item())})
		if err != nil {
			return 0, failed(ctx, op, err)
		}
	}
	added := 0
	// Two writes a URL, and one for the counters.
	for _, part := range parts(entries, (maxWrites-1)/2, entry.size) {
		n, err := f.addNew(ctx, op, part)
		added += n
		if err != nil {
			return added, err
		}
	}
	return added, nil
}

// unknown returns the URLs that are not there yet, each once, so that the many known
// links of a page cost a read and not a failed transaction.
func (f Frontier) unknown(
	ctx context.Context, op string, urls []wstk.FrontierURL,
) ([]wstk.FrontierURL, error) {
	var keys []key
	seen := map[key]bool{}
	var once []wstk.FrontierURL
	for _, u := range urls {
		if k := urlItem(u.Run, u.URL); !seen[k] {
			seen[k] = true
			keys = append(keys, k)
			once = append(once, u)
		}
	}
	items, err := f.getAll(ctx, op, f.Tables.Frontier, keys)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		seen[key{strOf(it, "pk"), strOf(it, "sk")}] = false
	}
	return slices.DeleteFunc(once, func(u wstk.FrontierURL) bool {
		return !seen[urlItem(u.Run, u.URL)]
	}), nil
}

// entry is a URL about to be added.
type entry struct {
	url    wstk.FrontierURL
	writes []types.TransactWriteItem // its item first
}

// size is about what its writes take.
func (e entry) size() int {
	return 3*len(e.url.URL) + len(e.url.FoundOn) + len(e.url.Reason) + 1000
}

func (f Frontier) entry(op string, u wstk.FrontierURL, order string) (entry, error) {
	it, err := f.record(op, u, order, 1)
	if err != nil {
		return entry{}, err
	}
	e := entry{u, []types.TransactWriteItem{put(f.Tables.Frontier, it, isNew, nil)}}
	if k, ok := pointerTo(u, order); ok {
		e.writes = append(e.writes, put(f.Tables.Frontier, f.pointer(k, u), "", nil))
	}
	return e, nil
}

// addNew adds the entries of one run that no other process adds meanwhile, and returns how
// many those were.
func (f Frontier) addNew(ctx context.Context, op string, entries []entry) (int, error) {
	for len(entries) > 0 {
		var writes []types.TransactWriteItem
		first := make([]int, len(entries))
		deltas := map[wstk.RunID]map[string]int{}
		for i, e := range entries {
			first[i] = len(writes)
			writes = append(writes, e.writes...)
			if !e.url.Counted() {
				continue
			}
			d := deltas[e.url.Run]
			if d == nil {
				d = map[string]int{}
				deltas[e.url.Run] = d
			}
			d[outcomeCount(e.url.Outcome)]++
			d[stateCount(e.url.State)]++
		}
		if len(writes)+len(deltas) > maxWrites { // URLs of many runs at once
			half := len(entries) / 2
			a, err := f.addNew(ctx, op, entries[:half])
			if err != nil {
				return a, err
			}
			b, err := f.addNew(ctx, op, entries[half:])
			return a + b, err
		}
		for run, d := range deltas {
			if w, ok := counter(f.Tables.Frontier, key{countsOf(run), shard()}, d); ok {
				writes = append(writes, w)
			}
		}
		err := f.write(ctx, op, writes...)
		var known refused
		if !errors.As(err, &known) {
			if err != nil {
				return 0, err
			}
			return len(entries), nil
		}
		var left []entry
		for i, e := range entries {
			if !slices.Contains(known, first[i]) {
				left = append(left, e)
			}
		}
		entries = left
	}
	return 0, nil
}

func (f Frontier) Get(ctx context.Context, run wstk.RunID, url string) (wstk.FrontierURL, error) {
	u, _, err := f.read(ctx, "reading frontier", run, url)
	return u, err
}

func (f Frontier) read(
	ctx context.Context, op string, run wstk.RunID, url string,
) (wstk.FrontierURL, item, error) {
	it, err := f.get(ctx, op, f.Tables.Frontier, urlItem(run, url))
	if err != nil {
		return wstk.FrontierURL{}, nil, err
	}
	if it == nil {
		return wstk.FrontierURL{}, nil,
			wstk.Errorf(wstk.NotFound, op, "run %s has no URL %s", run, url)
	}
	u, err := decode[wstk.FrontierURL](op, it)
	return u, it, err
}

// change applies step to a URL and reports whether it did something. Where another
// worker was faster, step sees what that one left.
func (f Frontier) change(
	ctx context.Context, op string, run wstk.RunID, url string, step func(*wstk.FrontierURL) bool,
) (bool, error) {
	for try := 1; ; try++ {
		old, it, err := f.read(ctx, op, run, url)
		if err != nil {
			return false, err
		}
		u := old
		if !step(&u) {
			return false, nil
		}
		u.ChangedAt = f.now()
		writes, err := f.writes(op, old, u, strOf(it, "order"), numOf(it, "v"))
		if err != nil {
			return false, err
		}
		err = f.write(ctx, op, writes...)
		if !errors.As(err, new(refused)) || try > maxTries {
			return err == nil, err
		}
		if err := rest(ctx, op, try); err != nil {
			return false, err
		}
	}
}

// writes are what makes u of old, whose version is v.
func (f Frontier) writes(
	op string, old, u wstk.FrontierURL, order string, v int64,
) ([]types.TransactWriteItem, error) {
	table := f.Tables.Frontier
	it, err := f.record(op, u, order, v+1)
	if err != nil {
		return nil, err
	}
	writes := []types.TransactWriteItem{put(table, it, isUnchanged, item{":v": num(v)})}
	from, hadOne := pointerTo(old, order)
	to, hasOne := pointerTo(u, order)
	if hadOne && from != to {
		writes = append(writes, remove(table, from))
	}
	if hasOne && from != to {
		writes = append(writes, put(table, f.pointer(to, u), "", nil))
	}
	deltas := map[string]int{}
	deltas[outcomeCount(old.Outcome)]--
	deltas[outcomeCount(u.Outcome)]++
	deltas[stateCount(old.State)]--
	deltas[stateCount(u.State)]++
	if w, ok := counter(table, key{countsOf(u.Run), shard()}, deltas); ok {
		writes = append(writes, w)
	}
	return writes, nil
}

func (f Frontier) Queue(
	ctx context.Context, run wstk.RunID, url string, slot wstk.Slot,
) (bool, error) {
	return f.change(ctx, "queueing URL", run, url,
		func(u *wstk.FrontierURL) bool { return u.Queue(slot) })
}

func (f Frontier) Start(ctx context.Context, run wstk.RunID, url, slot string) (bool, error) {
	return f.change(ctx, "starting attempt", run, url,
		func(u *wstk.FrontierURL) bool { return u.Start(slot) })
}

func (f Frontier) Requeue(
	ctx context.Context, run wstk.RunID, url, old string, slot wstk.Slot, counted bool,
) (bool, error) {
	return f.change(ctx, "requeueing URL", run, url, func(u *wstk.FrontierURL) bool {
		return u.Requeue(old, slot, counted)
	})
}

func (f Frontier) Postpone(
	ctx context.Context, run wstk.RunID, url, slot string, until time.Time,
) (bool, error) {
	return f.change(ctx, "postponing URL", run, url, func(u *wstk.FrontierURL) bool {
		return u.Postpone(slot, until)
	})
}

func (f Frontier) Unqueue(
	ctx context.Context, run wstk.RunID, url string, before time.Time, counted bool,
) (bool, error) {
	return f.change(ctx, "returning URL", run, url, func(u *wstk.FrontierURL) bool {
		return u.Unqueue(before, counted)
	})
}

func (f Frontier) Store(
	ctx context.Context, run wstk.RunID, url, slot string, doc wstk.Hash,
) (bool, error) {
	return f.change(ctx, "storing URL", run, url,
		func(u *wstk.FrontierURL) bool { return u.Store(slot, doc) })
}

func (f Frontier) Close(
	ctx context.Context, run wstk.RunID, url string, c wstk.Closing,
) (bool, error) {
	const op = "closing URL"
	if err := c.Check(op); err != nil {
		return false, err
	}
	return f.change(ctx, op, run, url, func(u *wstk.FrontierURL) bool { return u.Close(c) })
}

// Waiting asks each host's list for as many as may be taken of it.
func (f Frontier) Waiting(
	ctx context.Context, run wstk.RunID, limit, perHost int,
) ([]wstk.FrontierURL, error) {
	const op = "reading frontier"
	limit = wstk.Limit(limit)
	if perHost < 1 || perHost > limit {
		perHost = limit
	}
	var hosts []string
	err := f.each(ctx, op, span{table: f.Tables.Frontier, pk: hostsOf(run)}, 0,
		func(it item) (bool, error) {
			hosts = append(hosts, strOf(it, "sk"))
			return true, nil
		})
	if err != nil {
		return nil, err
	}
	var pointers []item
	for _, host := range hosts {
		some, err := f.first(ctx, op, span{table: f.Tables.Frontier, pk: waitingOf(run, host)},
			perHost)
		if err != nil {
			return nil, err
		}
		pointers = append(pointers, some...)
	}
	slices.SortStableFunc(pointers, bySortKey)
	return f.follow(ctx, op, run, pointers[:min(limit, len(pointers))], wstk.URLWaiting)
}

// follow reads the URLs that pointers lead to, in their order. One whose state changed
// since is left out.
func (f Frontier) follow(
	ctx context.Context, op string, run wstk.RunID, pointers []item, state wstk.URLState,
) ([]wstk.FrontierURL, error) {
	keys := make([]key, len(pointers))
	place := map[string]int{}
	for i, p := range pointers {
		keys[i] = urlItem(run, strOf(p, "url"))
		place[strOf(p, "url")] = i
	}
	items, err := f.getAll(ctx, op, f.Tables.Frontier, keys)
	if err != nil {
		return nil, err
	}
	var out []wstk.FrontierURL
	for _, it := range items {
		u, err := decode[wstk.FrontierURL](op, it)
		if err != nil {
			return nil, err
		}
		if u.State == state {
			out = append(out, u)
		}
	}
	slices.SortFunc(out, func(a, b wstk.FrontierURL) int {
		return cmp.Compare(place[a.URL], place[b.URL])
	})
	return out, nil
}

func (f Frontier) List(
	ctx context.Context, run wstk.RunID, state wstk.URLState, cursor string, limit int,
) ([]wstk.FrontierURL, string, error) {
	const op = "listing frontier"
	n := wstk.Limit(limit)
	if state == wstk.URLQueued || state == wstk.URLStored {
		pointers, err := f.first(ctx, op,
			span{table: f.Tables.Frontier, pk: stateOf(run, state), from: cursor}, n+1)
		if err != nil {
			return nil, "", err
		}
		pointers, next := cut(pointers, n)
		urls, err := f.follow(ctx, op, run, pointers, state)
		return urls, next, err
	}
	var items []item
	err := f.each(ctx, op, span{table: f.Tables.Frontier, pk: urlItem(run, "").pk, from: cursor}, 0,
		func(it item) (bool, error) {
			if state == "" || strOf(it, "state") == string(state) {
				items = append(items, it)
			}
			return len(items) <= n, nil
		})
	if err != nil {
		return nil, "", err
	}
	items, next := cut(items, n)
	var out []wstk.FrontierURL
	for _, it := range items {
		u, err := decode[wstk.FrontierURL](op, it)
		if err != nil {
			return nil, "", err
		}
		out = append(out, u)
	}
	return out, next, nil
}

func (f Frontier) ClaimText(
	ctx context.Context, run wstk.RunID, text wstk.Hash, url string,
) (string, error) {
	const op = "claiming text"
	if _, _, err := f.read(ctx, op, run, url); err != nil {
		return "", err
	}
	k := key{string(run) + " text", string(text)}
	it := k.item()
	it["url"] = str(url)
	err := f.write(ctx, op, put(f.Tables.Frontier, f.fresh(it), isNew, nil))
	if !errors.As(err, new(refused)) {
		return url, err
	}
	owner, err := f.get(ctx, op, f.Tables.Frontier, k)
	return strOf(owner, "url"), err
}

func noteKey(run wstk.RunID, k string) key { return key{string(run) + " note", k} }

func (f Frontier) Note(ctx context.Context, run wstk.RunID, k string) (string, error) {
	const op = "reading note"
	if err := wstk.CheckNoteKey(op, k); err != nil {
		return "", err
	}
	it, err := f.get(ctx, op, f.Tables.Frontier, noteKey(run, k))
	return strOf(it, "note"), err
}

func (f Frontier) Notes(
	ctx context.Context, run wstk.RunID, prefix string,
) (map[string]string, error) {
	const op = "reading notes"
	if err := wstk.CheckNoteKey(op, prefix); err != nil {
		return nil, err
	}
	out := map[string]string{}
	err := f.each(ctx, op, span{table: f.Tables.Frontier, pk: noteKey(run, "").pk, from: prefix,
		to: prefix + "\x7f"}, 0, func(it item) (bool, error) {
		if note := strOf(it, "note"); note != "" {
			out[strOf(it, "sk")] = note
		}
		return true, nil
	})
	return out, err
}

func (f Frontier) SetNote(ctx context.Context, run wstk.RunID, k, old, value string) (bool, error) {
	const op = "writing note"
	if err := wstk.CheckNote(op, k, value); err != nil {
		return false, err
	}
	it := noteKey(run, k).item()
	it["note"] = str(value)
	condition, values := "note = :old", item{":old": str(old)}
	if old == "" {
		condition = "attribute_not_exists(note) OR note = :old"
	}
	// A transaction, although of one item: it has a token, by which a try whose reply
	// was lost is not taken for another worker's.
	err := f.write(ctx, op, put(f.Tables.Frontier, f.fresh(it), condition, values))
	if errors.As(err, new(refused)) {
		return false, nil
	}
	return err == nil, err
}

func (f Frontier) Accounting(ctx context.Context, run wstk.RunID) (wstk.Accounting, error) {
	sum, err := f.counters(ctx, "reading accounting", f.Tables.Frontier, countsOf(run))
	a := wstk.Accounting{By: map[wstk.Outcome]int{}}
	for _, o := range wstk.Outcomes() {
		if n := sum[outcomeCount(o)]; n != 0 {
			a.By[o] = n
			a.Discovered += n
		}
	}
	return a, err
}

func (f Frontier) States(ctx context.Context, run wstk.RunID) (map[wstk.URLState]int, error) {
	sum, err := f.counters(ctx, "counting states", f.Tables.Frontier, countsOf(run))
	states := map[wstk.URLState]int{}
	for _, s := range []wstk.URLState{wstk.URLWaiting, wstk.URLQueued,
		wstk.URLStored, wstk.URLClosed} {
		if n := sum[stateCount(s)]; n != 0 {
			states[s] = n
		}
	}
	return states, err
}

// Remove deletes what can be many first, and the lists by which it is found last.
func (f Frontier) Remove(ctx context.Context, run wstk.RunID, limit int) (more bool, err error) {
	const op = "forgetting URLs"
	if ctx.Err() != nil {
		return false, wstk.Wrap(wstk.Cancelled, op, ctx.Err())
	}
	lists := []string{stateOf(run, wstk.URLQueued), stateOf(run, wstk.URLStored),
		string(run) + " text", urlItem(run, "").pk,
		noteKey(run, "").pk, hostsOf(run), countsOf(run)}
	err = f.each(ctx, op, span{table: f.Tables.Frontier, pk: hostsOf(run)}, 0,
		func(it item) (bool, error) {
			lists = append([]string{waitingOf(run, strOf(it, "sk"))}, lists...)
			return true, nil
		})
	if err != nil {
		return false, err
	}
	left := wstk.Limit(limit)
	for _, pk := range lists {
		items, err := f.first(ctx, op, span{table: f.Tables.Frontier, pk: pk}, left+1)
		if err != nil {
			return false, err
		}
		more := len(items) > left
		items = items[:min(len(items), left)]
		keys := make([]key, len(items))
		for i, it := range items {
			keys[i] = key{pk, strOf(it, "sk")}
		}
		if err := f.removeKeys(ctx, op, f.Tables.Frontier, keys); err != nil || more {
			return more && err == nil, err
		}
		left -= len(keys)
	}
	return false, nil
}
