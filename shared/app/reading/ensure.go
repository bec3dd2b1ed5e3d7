package reading

import (
	"context"
	"time"

	"wstk/shared/wstk"
)

// onePage fetches, reads and screens one page into the stores, outside any crawl.
func (r *Room) onePage(ctx context.Context, url string) (Read, error) {
	ctx, cancel := r.InTime(ctx)
	defer cancel()
	get := func(ctx context.Context, req PageRequest) (Visit, error) {
		task, err := r.Task(req)
		if err != nil {
			return Visit{}, err
		}
		p, err := r.FetchAndRead(ctx, task)
		return Visit{Read: p}, err
	}
	req := PageRequest{URL: url, Render: RenderOptions{WaitFor: wstk.NetworkIdle}}
	if r.Config.Method == "auto" {
		v, err := r.Escalate(ctx, req, get)
		return v.Read, err
	}
	req.Method = wstk.FetchMethod(r.Config.Method)
	v, err := get(ctx, req)
	return v.Read, err
}

// EnsureAll makes sure that each URL is stored and indexed, fetching those that are
// not, and returns their canonical forms. A page that cannot be had, or not in its time, is
// a warning; when none can, that is the error. After each of them it calls tried with how many
// were tried, and stops at its error.
func (r *Room) EnsureAll(
	ctx context.Context, urls []string, tried func(n int) error,
) (pages []string, warnings []wstk.Warning, err error) {
	var problem error
	until, bound := ctx.Deadline()
	if bound = bound && len(urls) > 1; bound {
		until = until.Add(-time.Until(until) / 4) // the answer takes some, too
	}
	for i, raw := range urls {
		u, err := PageName(raw)
		if err != nil {
			return nil, nil, err
		}
		limit := PageTime(r.Config)
		if bound {
			limit = min(limit, share(time.Until(until), len(urls)-1-i))
		}
		page, why, err := r.ensureWithin(ctx, u, limit, r.Config.Cache.Fresh)
		switch {
		case err != nil:
			return nil, nil, err
		case why != nil && page != "":
			pages = append(pages, page)
			warnings = append(warnings, wstk.Warning{Code: "stored_copy",
				Message: "The page was not fetched again (" + why.Error() +
					"); the stored copy was used.", URL: u})
		case why != nil:
			problem = why
			warnings = append(warnings, wstk.Warning{Code: string(wstk.CodeOf(why)),
				Message: "Not used: " + why.Error() + ".", URL: u})
		default:
			pages = append(pages, page)
		}
		if err := tried(i + 1); err != nil {
			return nil, nil, err
		}
	}
	if len(pages) == 0 && problem != nil {
		return nil, warnings, problem
	}
	return pages, warnings, nil
}

// share is how much of the time that is left a page may take, while others wait for theirs:
// half of it, so that however many are slow each has some, and what a quick one leaves is
// for the others.
func share(left time.Duration, waiting int) time.Duration {
	if waiting > 0 {
		left /= 2
	}
	return max(left, 2*time.Second)
}

// EnsureInTime is Ensure for a page that may take as long as one page may, and is fetched again
// where fresh is set. why is Timeout where it took longer and ctx goes on.
func (r *Room) EnsureInTime(
	ctx context.Context, u string, fresh bool,
) (page string, why, err error) {
	return r.ensureWithin(ctx, u, PageTime(r.Config), fresh || r.Config.Cache.Fresh)
}

// ensureWithin is EnsureInTime within another limit.
func (r *Room) ensureWithin(
	ctx context.Context, u string, limit time.Duration, fresh bool,
) (page string, why, err error) {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	page, why, err = r.ensure(timed, u, fresh)
	if err == nil || timed.Err() == nil || ctx.Err() != nil {
		return page, why, err
	}
	why = wstk.Errorf(wstk.Timeout, "", "%s was not fetched and read within the %s it had; ask "+
		"about it alone, or from fewer pages at once",
		u, limit.Round(time.Second))
	if p, err := r.StateOf(ctx, u); err == nil && !p.IndexedAt.IsZero() {
		return p.URL, why, nil
	}
	return "", why, nil
}

// Ensure makes one page askable. why tells what the site did where it is not; with a page
// it tells why the copy that was stored before is used although a fresh one was wanted.
func (r *Room) Ensure(ctx context.Context, u string) (page string, why, err error) {
	return r.ensure(ctx, u, r.Config.Cache.Fresh)
}

func (r *Room) ensure(ctx context.Context, u string, fresh bool) (page string, why, err error) {
	p, err := r.Pages.Get(ctx, u)
	if err == nil && p.Document == "" && p.DuplicateOf != "" {
		p, err = r.Pages.Get(ctx, p.DuplicateOf)
	}
	if err != nil && wstk.CodeOf(err) != wstk.NotFound {
		return "", nil, err
	}
	held := err == nil && p.Document != ""
	if !held || fresh {
		got, err := r.onePage(ctx, u)
		if err != nil {
			return "", nil, err
		}
		if why = r.noText(got); why == nil {
			p, err = r.Pages.Get(ctx, got.Document.URL)
		}
		if err != nil || why != nil && !held {
			return "", why, err
		}
	}
	if !p.IndexedAt.IsZero() {
		return p.URL, why, nil
	}
	doc, err := wstk.LoadDocument(ctx, r.Blobs, p.Document)
	if err != nil {
		return "", nil, err
	}
	sums, err := r.Summarize.Do(ctx, doc)
	if err != nil {
		return "", nil, err
	}
	key := sums[0].Key()
	return p.URL, why, r.IndexPage(ctx,
		PageTask{Site: p.Site, URL: p.URL, Document: p.Document, Summary: &key})
}

// noText says why a page that was fetched has no text; nil when it has some.
func (r *Room) noText(p Read) error {
	if p.Document != nil {
		return nil
	}
	if p.Unreadable != nil {
		return p.Unreadable
	}
	if why := r.Result(PageRequest{}, Visit{Read: p}).Problem(); why != nil {
		return why
	}
	return wstk.Errorf(wstk.Empty, "", "%s has no text", p.Snapshot.URL)
}
