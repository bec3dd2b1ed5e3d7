package fetch

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// remote has the service fetch the page, in its host's turn.
func (f *fetch) remote(ctx context.Context) error {
	if err := f.Stage.serves(); err != nil {
		return err
	}
	if err := f.gates(ctx); err != nil || f.snap.Verdict != "" {
		return err
	}
	host := text.HostKey(f.snap.URL)
	token, err := f.turn(ctx, host)
	if err != nil {
		return err
	}
	err = f.scrape(ctx)
	f.release(ctx, host, token)
	return err
}

// serves returns an error if no service is set up: Unavailable or Unprocessable.
func (s *Stage) serves() error {
	const op = "asking a service for the page"
	if s.Scraper == nil {
		return wstk.Errorf(wstk.Unavailable, op, "there is no service here that fetches pages").
			Try(withoutService)
	}
	if info := s.Scraper.Info(); !info.Enabled {
		return wstk.Errorf(wstk.Unprocessable, op, "%s cannot be used: %s", info.ID, info.Reason).
			Try(info.Steps...).Try(withoutService)
	}
	return nil
}

var withoutService = wstk.Step{Do: wstk.DoOption, For: "fetch the page without a service",
	Options: []wstk.Option{wstk.OptMethod.Set(wstk.MethodHTTP)}}

// HandedOver has the service fetch a page of a crawl of which before, a fetch of ours, brought
// an empty shell. The gates passed that fetch, and they are not asked again, except for
// MayReach. The result is stored as one of Do; it has the URL of the task wherever on its host
// the service was led, and a later time than before. A page that is not readable is an error
// with its verdict as the code, and other errors are those of Do; nothing is stored then.
func (s *Stage) HandedOver(
	ctx context.Context, task wstk.FetchTask, before wstk.Snapshot,
) (Result, error) {
	if err := s.serves(); err != nil {
		return Result{}, err
	}
	task.Follow = 0
	f := &fetch{Stage: s, task: task, after: before.FetchedAt, snap: wstk.Snapshot{URL: task.URL,
		FinalURL: task.URL, Method: wstk.MethodRemote}}
	if before.Rights != nil {
		f.rights = *before.Rights
	}
	if err := f.scrape(ctx); err != nil {
		return Result{}, err
	}
	if v := f.snap.Verdict; !v.Readable() {
		return Result{}, wstk.Errorf(v.Code(), "asking "+s.Scraper.Info().ID, "%s", f.snap.Reason)
	}
	return f.store(ctx)
}

// scrape asks the service for the page and judges what it hands over.
func (f *fetch) scrape(ctx context.Context) error {
	info := f.Scraper.Info()
	if f.MayReach != nil {
		if err := f.MayReach(ctx, f.snap.URL, info.Remote); err != nil {
			return f.refusal(ctx, err)
		}
	}
	start := f.now()
	page, err := f.Scraper.Scrape(ctx, f.snap.URL)
	f.took += f.now().Sub(start)
	switch {
	case ctx.Err() != nil:
		return wstk.Wrap(wstk.Cancelled, "fetching", ctx.Err())
	case err != nil:
		return wstk.Errorf(wstk.CodeOf(err), "", "%w", err).Try(withoutService)
	}
	f.tell()
	f.snap.FetchedBy, f.snap.FetchedVia, f.snap.Status = info.ID, page.Host, page.Status
	if err := f.arrive(ctx, page.URL); err != nil || f.snap.Verdict != "" {
		return err
	}
	most := cmp.Or(f.task.MaxBytes, maxScraped)
	if int64(len(page.Body)) > most {
		f.end(wstk.VerdictTooLarge, fmt.Sprintf("the body is larger than the limit of %d bytes", most))
		return nil
	}
	return f.judgeScraped(ctx, page)
}

// maxScraped is FetchTask.MaxBytes of a page that a service hands over, where it is not set.
const maxScraped = 5 << 20

// arrive checks where the service was led. A task that follows no redirects keeps its URL.
func (f *fetch) arrive(ctx context.Context, url string) error {
	if host := text.HostOf(url); host != text.HostOf(f.snap.URL) {
		f.end(wstk.VerdictRefusedPolicy, "the service was led to another host, "+host)
		f.steps = []wstk.Step{{Do: wstk.DoExtract, For: "to read it there", URL: url,
			Options: []wstk.Option{wstk.OptMethod.Set(wstk.MethodRemote)}}}
		return nil
	}
	if url == f.snap.URL || f.task.Follow == 0 {
		return nil
	}
	f.snap.FinalURL = url
	if err := f.gates(ctx); err != nil || f.snap.Verdict != "" {
		return err
	}
	f.tell()
	return nil
}

// judgeScraped gives a page that was handed over its verdict, as a reply of the site. A
// service that does not say what the site answered it got the page.
func (f *fetch) judgeScraped(ctx context.Context, page wstk.Scraped) error {
	resp := wstk.Response{Status: page.Status, Header: http.Header{}, Body: page.Body}
	if resp.Status == 0 {
		resp.Status = http.StatusOK
	}
	_, err := f.judge(ctx, resp, nil)
	if len(f.body) > 0 {
		f.snap.ContentType, f.snap.Charset, _ = mediaType(page.ContentType, f.body)
		f.snap.Charset = "utf-8"
	}
	return err
}
