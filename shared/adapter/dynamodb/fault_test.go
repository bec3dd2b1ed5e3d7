package dynamodb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest/faults"
)

// play lets several workers do random things to the stores while requests go wrong,
// and calls check once all is quiet: what was reported as done is done, what ended in
// an error may be. Each seed is a subtest, so that one can be run again by its name.
func play(
	t *testing.T, db *DB, seeds int, begin func(seed string,
		db *DB) (work func(context.Context, *rand.Rand), check func(*testing.T)),
) {
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			kinds, limit := faults.All, 20*time.Second
			if seed%8 == 7 {
				kinds, limit = append(slices.Clone(faults.All), faults.Stalled),
					200*time.Millisecond
			}
			tr := faults.New(seed, 0.15, kinds...)
			work, check := begin(fmt.Sprintf("%s %d", t.Name(), seed), faulty(db, tr, 1+2*int(seed%2)))
			var workers sync.WaitGroup
			for w := range uint64(3) {
				workers.Go(func() {
					r := rand.New(rand.NewPCG(seed, 2+w))
					for range 4 {
						ctx, cancel := context.WithTimeout(t.Context(), limit)
						work(ctx, r)
						cancel()
					}
				})
			}
			workers.Wait()
			tr.Quiet()
			check(t)
		})
	}
}

// faulty is db behind a transport, whose client tries a request so many times.
func faulty(db *DB, tr http.RoundTripper, attempts int) *DB {
	client := dynamodb.New(db.Client.Options(), func(o *dynamodb.Options) {
		o.HTTPClient = &http.Client{Transport: tr}
		o.Retryer = retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.MaxBackoff = attempts, 5*time.Millisecond
		})
	})
	return &DB{Client: client, Tables: db.Tables}
}

// tally counts by name what was reported as done, and what ended in an error.
type tally struct {
	mu           sync.Mutex
	done, failed map[string]int
}

func newTally() *tally { return &tally{done: map[string]int{}, failed: map[string]int{}} }

func (c *tally) add(name string, did bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil:
		c.failed[name]++
	case did:
		c.done[name]++
	}
}

// fits checks that n is what was reported, with any of the failures.
func (c *tally) fits(t *testing.T, name string, n int) {
	t.Helper()
	if n < c.done[name] || n > c.done[name]+c.failed[name] {
		t.Errorf("%s happened %d times; %d were reported, and %d failures", name, n, c.done[name], c.failed[name])
	}
}

// all returns the items of a partition.
func (db *DB) all(t *testing.T, table, pk string) (items []item) {
	t.Helper()
	err := db.each(t.Context(), "test", span{table: table, pk: pk}, 0, func(it item) (bool, error) {
		items = append(items, it)
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return items
}

func TestFrontierUnderFaults(t *testing.T) {
	db := open(t)
	play(t, db, 48, func(
		seed string, bad *DB,
	) (func(context.Context, *rand.Rand), func(*testing.T)) {
		run, f, c := wstk.RunID("run "+seed), Frontier{bad}, newTally()
		hosts := []string{"http://a", "http://b"}
		url := func(i int) string { return hosts[i%2] + "/" + strconv.Itoa(i) }
		work := func(ctx context.Context, r *rand.Rand) {
			var urls []wstk.FrontierURL
			for range 1 + r.IntN(4) {
				i := r.IntN(8)
				urls = append(urls, wstk.FrontierURL{Run: run, URL: url(i),
					Host: hosts[i%2], Depth: i})
			}
			added, err := f.Add(ctx, urls...)
			c.mu.Lock()
			c.done["add"] += added
			for _, u := range urls {
				if err != nil {
					c.failed["add"]++
				} else {
					c.done["there "+u.URL]++
				}
			}
			c.mu.Unlock()
			for range 3 {
				u, err := f.Get(ctx, run, url(r.IntN(8)))
				if err != nil {
					continue
				}
				slot, now, did := wstk.Slot{Token: strconv.Itoa(r.Int()), At: time.Now()},
					time.Now(), false
				switch u.State {
				case wstk.URLWaiting:
					did, err = f.Queue(ctx, run, u.URL, slot)
				case wstk.URLQueued:
					switch r.IntN(4) {
					case 0:
						did, err = f.Requeue(ctx, run, u.URL, u.Slot, slot, true)
					case 1:
						did, err = f.Postpone(ctx, run, u.URL, u.Slot, now.Add(time.Minute))
					default:
						did, err = f.Store(ctx, run, u.URL, u.Slot, wstk.HashOf([]byte(u.URL)))
					}
				case wstk.URLStored:
					if r.IntN(3) == 0 {
						did, err = f.Unqueue(ctx, run, u.URL, now.Add(time.Hour), false)
					} else {
						did, err = f.Close(ctx, run, u.URL,
							wstk.Closing{Outcome: wstk.OutcomeFetched, Reason: "read"})
						c.add("close "+u.URL, did, err)
					}
				}
				c.add("change "+u.URL, did, err)
			}
			old, err := f.Note(ctx, run, "count")
			if err == nil {
				n, _ := strconv.Atoi(old)
				did, err := f.SetNote(ctx, run, "count", old, strconv.Itoa(n+1))
				c.add("note", did, err)
			}
		}
		return work, func(t *testing.T) {
			ctx := t.Context()
			items := db.all(t, db.Tables.Frontier, urlItem(run, "").pk)
			c.fits(t, "add", len(items))
			by, states := map[wstk.Outcome]int{}, map[wstk.URLState]int{}
			waiting, under := map[string]int{}, map[wstk.URLState]int{}
			for _, it := range items {
				u, err := decode[wstk.FrontierURL]("test", it)
				if err != nil {
					t.Fatal(err)
				}
				delete(c.done, "there "+u.URL)
				by[u.Outcome]++
				states[u.State]++
				if u.State == wstk.URLWaiting {
					waiting[u.Host]++
				} else if u.State != wstk.URLClosed {
					under[u.State]++
				}
				c.fits(t, "change "+u.URL, int(numOf(it, "v"))-1)
				if u.State == wstk.URLClosed {
					c.fits(t, "close "+u.URL, 1)
				}
			}
			for i := range 8 {
				if c.done["there "+url(i)] > 0 {
					t.Errorf("%s was added and is lost", url(i))
				}
			}
			acc, err := Frontier{db}.Accounting(ctx, run)
			if err != nil || !acc.Balanced() || acc.Discovered != len(items) ||
				fmt.Sprint(acc.By) != fmt.Sprint(by) {
				t.Errorf("the accounting is %v, the URLs are %v, %v", acc, by, err)
			}
			counted, err := Frontier{db}.States(ctx, run)
			if err != nil || fmt.Sprint(counted) != fmt.Sprint(states) {
				t.Errorf("%v are counted, %v are there, %v", counted, states, err)
			}
			for _, h := range hosts {
				if n := len(db.all(t, db.Tables.Frontier, waitingOf(run,
					urlKey(h)))); n != waiting[h] {
					t.Errorf("%d pointers to %d waiting URLs of %s", n, waiting[h], h)
				}
			}
			for _, s := range []wstk.URLState{wstk.URLQueued, wstk.URLStored} {
				if n := len(db.all(t, db.Tables.Frontier, stateOf(run, s))); n != under[s] {
					t.Errorf("%d pointers to %d %s URLs", n, under[s], s)
				}
			}
			list, err := Frontier{db}.Waiting(ctx, run, 100, 100)
			if err != nil || len(list) != states[wstk.URLWaiting] {
				t.Errorf("%d of %d URLs wait, %v", len(list), states[wstk.URLWaiting], err)
			}
			note, err := Frontier{db}.Note(ctx, run, "count")
			n, _ := strconv.Atoi(note)
			if err != nil {
				t.Error(err)
			}
			c.fits(t, "note", n)
		}
	})
}

func TestPagesUnderFaults(t *testing.T) {
	db := open(t)
	play(t, db, 20, func(
		seed string, bad *DB,
	) (func(context.Context, *rand.Rand), func(*testing.T)) {
		sites := []wstk.SiteID{wstk.SiteID("a " + seed), wstk.SiteID("b " + seed)}
		url := func(i int) string { return fmt.Sprintf("http://%s/%d", wstk.HashOf([]byte(seed)), i) }
		begin := time.Now().UTC()
		newest, mu := map[string]int{}, sync.Mutex{}
		work := func(ctx context.Context, r *rand.Rand) {
			for range 3 {
				n := r.IntN(1000)
				p := wstk.Page{URL: url(r.IntN(4)), Site: sites[r.IntN(2)],
					CheckedAt: begin.Add(time.Duration(n) * time.Second)}
				if r.IntN(3) > 0 {
					p.Document, p.TextSHA256 = wstk.HashOf([]byte("document")), wstk.HashOf([]byte("text"))
				}
				if (Pages{bad}).Put(ctx, p) == nil {
					mu.Lock()
					newest[p.URL] = max(newest[p.URL], n)
					mu.Unlock()
				}
				Pages{bad}.MarkIndexed(ctx, p.URL, p.TextSHA256, begin)
			}
		}
		return work, func(t *testing.T) {
			there := map[string]wstk.Page{}
			for i := range 4 {
				p, err := Pages{db}.Get(t.Context(), url(i))
				if wstk.CodeOf(err) == wstk.NotFound {
					if _, ok := newest[url(i)]; ok {
						t.Errorf("%s was stored and is lost", url(i))
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if p.CheckedAt.Before(begin.Add(time.Duration(newest[p.URL]) * time.Second)) {
					t.Errorf("%s is older than what was stored", p.URL)
				}
				there[p.URL] = p
				shard := inShard(p.URL)
				if it, err := db.get(t.Context(), "test", db.Tables.Records, shard); err != nil ||
					it == nil {
					t.Errorf("%s is not in the list of all pages, %v", p.URL, err)
				}
			}
			for _, s := range sites {
				listed, held := 0, 0
				for _, p := range there {
					if p.Site == s {
						listed++
						if p.Document != "" {
							held++
						}
					}
				}
				if n := len(db.all(t, db.Tables.Records, ofSite(s, "").pk)); n != listed {
					t.Errorf("%d pages are listed of %d", n, listed)
				}
				if n, err := (Pages{db}).Count(t.Context(), s); err != nil || n != held {
					t.Errorf("%d pages are counted of %d, %v", n, held, err)
				}
			}
		}
	})
	held := 0
	for cursor := ""; ; {
		pages, next, err := Pages{db}.List(t.Context(), "", cursor, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pages {
			if p.Document != "" {
				held++
			}
		}
		if cursor = next; next == "" {
			break
		}
	}
	if n, err := (Pages{db}).Count(t.Context(), ""); err != nil || n != held {
		t.Errorf("%d pages of all sites are counted of %d, %v", n, held, err)
	}
}

func TestRunsUnderFaults(t *testing.T) {
	db := open(t)
	play(t, db, 20, func(
		seed string, bad *DB,
	) (func(context.Context, *rand.Rand), func(*testing.T)) {
		c := newTally()
		site := wstk.SiteID(seed)
		id := func(i int) wstk.RunID {
			return wstk.RunID(fmt.Sprintf("run_%s_%d", wstk.HashOf([]byte(seed)), i))
		}
		work := func(ctx context.Context, r *rand.Rand) {
			run := id(r.IntN(3))
			err := Runs{bad}.Create(ctx,
				wstk.Run{ID: run, Kind: wstk.RunIngest, State: wstk.RunRunning, Site: site})
			if wstk.CodeOf(err) == wstk.Conflict {
				err = nil
			} else {
				c.add("create "+string(run), true, err)
			}
			if err == nil {
				n := r.IntN(4)
				if (Runs{bad}).AddPart(ctx, run,
					wstk.Part{N: n, Data: wstk.HashOf([]byte(seed))}) == nil {
					// an ended run takes none
					if after, err := (Runs{db}).
						Get(ctx, run); err == nil && !after.State.Terminal() {
						c.add(fmt.Sprintf("part %s %d", run, n), true, nil)
					}
				}
			}
			if r.IntN(3) == 0 {
				did, err := Runs{bad}.End(ctx, run,
					wstk.Run{State: wstk.RunComplete, EndedAt: time.Now()})
				if wstk.CodeOf(err) != wstk.NotFound {
					c.add("end "+string(run), did, err)
				}
			} else if (Runs{bad}).RequestCancel(ctx, run) == nil {
				c.add("there "+string(run), true, nil)
			}
		}
		return work, func(t *testing.T) {
			there, open := 0, 0
			for i := range 3 {
				run, err := Runs{db}.Get(t.Context(), id(i))
				if wstk.CodeOf(err) == wstk.NotFound {
					c.fits(t, "create "+string(id(i)), 0)
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				there++
				c.fits(t, "create "+string(id(i)), 1)
				if run.State.Terminal() {
					c.fits(t, "end "+string(id(i)), 1)
				} else {
					c.fits(t, "end "+string(id(i)), 0)
					open++
				}
				parts, err := Runs{db}.Parts(t.Context(), id(i))
				if err != nil {
					t.Fatal(err)
				}
				for n := range 4 {
					if c.done[fmt.Sprintf("part %s %d", id(i), n)] > 0 &&
						!slices.ContainsFunc(parts, func(p wstk.Part) bool { return p.N == n }) {
						t.Errorf("part %d was added and is lost", n)
					}
				}
			}
			if list, _, err := (Runs{db}).List(t.Context(), wstk.RunFilter{Site: site}, "",
				0); err != nil || len(list) != there {
				t.Errorf("%d of %d runs are listed, %v", len(list), there, err)
			}
			if list, _, err := (Runs{db}).List(t.Context(),
				wstk.RunFilter{Site: site, State: wstk.RunRunning}, "", 0); err != nil ||
				len(list) != open {
				t.Errorf("%d of %d open runs are listed, %v", len(list), open, err)
			}
		}
	})
}

func TestEvidenceUnderFaults(t *testing.T) {
	db := open(t)
	play(t, db, 12, func(
		seed string, bad *DB,
	) (func(context.Context, *rand.Rand), func(*testing.T)) {
		stored, mu := map[string]bool{}, sync.Mutex{}
		work := func(ctx context.Context, r *rand.Rand) {
			var items []wstk.Evidence
			for range 1 + r.IntN(6) {
				items = append(items, wstk.Evidence{ID: fmt.Sprintf("%s %d", seed, r.IntN(20)), Quote: "a quote"})
			}
			if (Evidence{bad}).Put(ctx, items...) == nil {
				mu.Lock()
				defer mu.Unlock()
				for _, e := range items {
					stored[e.ID] = true
				}
			}
		}
		return work, func(t *testing.T) {
			for id := range stored {
				if e, err := (Evidence{db}).Get(t.Context(), id); err != nil || e.Quote != "a quote" {
					t.Errorf("%s was stored and is %v, %v", id, e, err)
				}
			}
		}
	})
}

// However many ask, and whatever is lost, no two slots of a host are closer than the
// gap, and no two requests are in flight at once.
func TestHostsUnderFaults(t *testing.T) {
	db := open(t)
	play(t, db, 20, func(
		seed string, bad *DB,
	) (func(context.Context, *rand.Rand), func(*testing.T)) {
		host, gap := "http://"+string(wstk.HashOf([]byte(seed))), 300*time.Millisecond
		var mu sync.Mutex
		var slots []time.Time
		var unsure []string // tokens that may hold the host
		inFlight, most := 0, 0
		work := func(ctx context.Context, r *rand.Rand) {
			slot, err := Hosts{bad}.Reserve(ctx, host, time.Now(), gap)
			if err != nil {
				return
			}
			mu.Lock()
			slots = append(slots, slot.At)
			mu.Unlock()
			switch err := (Hosts{bad}).Begin(ctx, host, slot.Token, 0, time.Hour, 0); {
			case wstk.CodeOf(err) == wstk.Conflict:
				return
			case err != nil:
				mu.Lock()
				unsure = append(unsure, slot.Token)
				mu.Unlock()
				return
			}
			mu.Lock()
			inFlight++
			most = max(most, inFlight)
			mu.Unlock()
			time.Sleep(time.Millisecond)
			mu.Lock()
			inFlight--
			unsure = append(unsure, slot.Token)
			mu.Unlock()
			Hosts{bad}.End(ctx, host, slot.Token)
		}
		return work, func(t *testing.T) {
			if most > 1 {
				t.Errorf("%d requests were in flight at once", most)
			}
			slices.SortFunc(slots, time.Time.Compare)
			for i := 1; i < len(slots); i++ {
				if d := slots[i].Sub(slots[i-1]); d < gap {
					t.Errorf("slots %v apart, the gap is %v", d, gap)
				}
			}
			for _, token := range unsure {
				if err := (Hosts{db}).End(t.Context(), host, token); err != nil {
					t.Fatal(err)
				}
			}
			if err := (Hosts{db}).Begin(t.Context(), host, "another", 0, time.Minute, 0); err != nil {
				t.Errorf("no caller was told that it holds the host: %v", err)
			}
		}
	})
}

// A conditional write whose first reply is lost is still reported as done.
func TestALostReplyIsNotAnothersWrite(t *testing.T) {
	db := open(t)
	lost := &loses{Transport: faults.New(1, 0), nth: 1}
	bad := faulty(db, lost, 3)
	if did, err := (Frontier{bad}).SetNote(t.Context(), "run", "wake", "", "soon"); err != nil || !did {
		t.Errorf("a note: %v %v", did, err)
	}
	lost.nth = 1
	if err := (Hosts{bad}).Begin(t.Context(), "http://a", "token", 0, time.Hour, 0); err != nil {
		t.Errorf("a request: %v", err)
	}
	if _, err := (Frontier{db}).Add(t.Context(),
		wstk.FrontierURL{Run: "run", URL: "http://a/", Host: "http://a"}); err != nil {
		t.Fatal(err)
	}
	lost.nth = 2 // after the read
	if did, err := (Frontier{bad}).Queue(t.Context(), "run", "http://a/", wstk.Slot{Token: "t"}); err != nil || !did {
		t.Errorf("a URL: %v %v", did, err)
	}
}

// loses drops the reply to the nth request from now.
type loses struct {
	*faults.Transport
	nth int
}

func (l *loses) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := l.Transport.RoundTrip(req)
	if l.nth--; l.nth == 0 && err == nil {
		resp.Body.Close()
		return nil, context.DeadlineExceeded
	}
	return resp, err
}
