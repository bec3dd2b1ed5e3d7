// Package local is the composition root of one machine: SQLite for records and index,
// plain files for bytes, queues in memory, and one guarded client for everything that
// goes out.
package local

import (
	"context"
	"errors"
	"log/slog"
	"mime"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"wstk/shared/adapter/bundle"
	"wstk/shared/adapter/files"
	"wstk/shared/adapter/memory"
	"wstk/shared/adapter/readability"
	"wstk/shared/adapter/safehttp"
	"wstk/shared/adapter/sqlite"
	"wstk/shared/adapter/trafilatura"
	"wstk/shared/app"
	"wstk/shared/stage/chunk"
	"wstk/shared/stage/crawl"
	"wstk/shared/stage/fetch"
	"wstk/shared/stage/index"
	"wstk/shared/stage/read"
	"wstk/shared/stage/recall"
	"wstk/shared/stage/screen"
	"wstk/shared/stage/summarize"
	"wstk/shared/stage/verify"
	"wstk/shared/wstk"
)

// Open opens the stores under c.DataDir and wires the stages over them. Whoever has
// the App closes it.
func Open(ctx context.Context, c app.Config, log *slog.Logger) (*app.App, error) {
	store, err := files.Open(c.DataDir)
	if err != nil {
		return nil, err
	}
	client, err := newClient(c)
	if err != nil {
		return nil, err
	}
	db, err := sqlite.Open(ctx, c.DataDir)
	if err != nil {
		return nil, err
	}
	if c.AllowPrivate {
		log.Info("private and loopback addresses are open", "setting", "allow_private", "from", c.Origin["fetch.allow_private"])
	}
	agent := userAgent(c)
	queue := memory.NewQueue()
	scratch := memory.NewBlobs()
	scratch.Most = maxScratch
	a := &app.App{
		Config: c, Log: log, Now: time.Now,
		Blobs: store.Blobs, Locks: store.Locks,
		Snapshots: db.Snapshots(), Pages: db.Pages(), SiteStore: db.Sites(), Runs: db.Runs(),
		Frontier: db.Frontier(), Hosts: db.Hosts(), Index: db.Index(), Summaries: db.Summaries(),
		Queue: queue, Inbox: queue, Scratch: scratch,
		CloseAll: db.Close, CheckStore: db.Check, ForgetURLs: db.ForgetURLs,
	}
	robots := &crawl.Robots{Client: client, Blobs: a.Blobs, Snapshots: a.Snapshots, UserAgent: agent}
	a.Crawl = &crawl.Stage{Frontier: a.Frontier, Hosts: a.Hosts, Pages: a.Pages, Blobs: a.Blobs, Runs: a.Runs, Client: client, Robots: robots}
	a.Fetch = &fetch.Stage{Client: client, Blobs: a.Blobs, Snapshots: a.Snapshots, Hosts: a.Hosts, Robots: checked(robots),
		Known: a.Pages.Get, Admit: admit(c), UserAgent: agent}
	a.Read = &read.Stage{Candidates: []read.Candidate{
		{Name: "readability", Find: readability.Find},
		{Name: "trafilatura", Find: trafilatura.Find},
	}}
	a.Screen = &screen.Stage{}
	a.Summarize = &summarize.Stage{Summaries: a.Summaries}
	a.Indexing = &index.Stage{Index: a.Index, Split: chunk.Split, Pages: a.Pages}
	a.Recalling = recall.New(a.Index, a.Blobs)
	a.Verify = &verify.Stage{Blobs: a.Blobs, Evidence: db.Evidence(), Literal: read.FindData,
		Document: func(ctx context.Context, url string) (*wstk.Document, error) {
			d, _, err := a.ReadPage(ctx, url)
			return d, err
		}}

	a.SaveBody = saveBody(c.CacheDir)
	a.SaveBundle = bundle.Write
	a.OpenBundle = func(path string) (app.Bundle, error) {
		b, err := bundle.Open(path)
		if err != nil {
			return nil, err
		}
		return b, nil
	}
	return a, nil
}

// maxScratch bounds what the state machines of this process hand on, in bytes: some
// hundred extractions.
const maxScratch = 256 << 20

// userAgent names us to sites, with whom to ask. Its product token, wstk unless the
// operator chose another, is what robots.txt is matched against.
func userAgent(c app.Config) string {
	if c.UserAgent != "" {
		return c.UserAgent
	}
	return safehttp.UserAgent(app.Version, c.Contact)
}

func newClient(c app.Config) (*safehttp.Client, error) {
	cfg := safehttp.Config{AllowPrivate: c.AllowPrivate, UserAgent: userAgent(c), MaxBytes: c.MaxBytes}
	if c.Timeout > 0 {
		cfg.Timeout = min(c.Timeout, app.LongestRequest)
	}
	if c.Proxy != "" {
		u, err := url.Parse(c.Proxy)
		if err != nil {
			// The error of url.Parse repeats the whole URL, credentials and all.
			return nil, wstk.Errorf(wstk.Invalid, "", "the proxy is not a URL").WithNext("write it as http://host:port")
		}
		cfg.Proxy = u
	}
	return safehttp.New(cfg)
}

// checked gives fetch what crawl knows of robots.txt: stages do not know each other.
func checked(r *crawl.Robots) func(context.Context, string, string, wstk.RobotsPolicy) (fetch.RobotsDecision, error) {
	return func(ctx context.Context, url, agent string, policy wstk.RobotsPolicy) (fetch.RobotsDecision, error) {
		d, err := r.Check(ctx, url, agent, policy)
		return fetch.RobotsDecision{Allowed: d.Allowed, Verdict: d.Verdict, Reason: d.Reason, Delay: d.Delay, Warnings: d.Warnings}, err
	}
}

// admit holds URLs against the operator's lists of domains.
func admit(c app.Config) func(string) error {
	if len(c.AllowDomains) == 0 && len(c.BlockDomains) == 0 {
		return nil
	}
	return func(raw string) error {
		u, err := url.Parse(raw)
		if err != nil {
			return wstk.Errorf(wstk.RefusedPolicy, "", "the address has no host to check")
		}
		host := strings.ToLower(u.Hostname())
		if d := listed(host, c.BlockDomains); d != "" {
			return wstk.Errorf(wstk.RefusedPolicy, "", "%s is on the block list", d)
		}
		if len(c.AllowDomains) > 0 && listed(host, c.AllowDomains) == "" {
			return wstk.Errorf(wstk.RefusedPolicy, "", "%s is not on the allow list", host)
		}
		return nil
	}
}

// listed returns the entry that is host or a domain above it.
func listed(host string, domains []string) string {
	for _, d := range domains {
		d = strings.ToLower(strings.Trim(d, "."))
		if host == d || strings.HasSuffix(host, "."+d) {
			return d
		}
	}
	return ""
}

// saveBody writes bodies as plain files under the cache, named by hash and type.
func saveBody(dir string) func(wstk.Hash, string, []byte) (string, error) {
	return func(h wstk.Hash, contentType string, body []byte) (string, error) {
		folder := filepath.Join(dir, "bodies")
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return "", wstk.Errorf(wstk.Unavailable, "writing to the cache", "%w", err).WithNext("choose another cache with WSTK_CACHE_DIR")
		}
		path := filepath.Join(folder, string(h)+extension(contentType))
		if st, err := os.Stat(path); err == nil && st.Size() == int64(len(body)) {
			return path, nil
		}
		tmp, err := os.CreateTemp(folder, ".body-*")
		if err != nil {
			return "", wstk.Wrap(wstk.Unavailable, "writing to the cache", err)
		}
		_, err = tmp.Write(body)
		if err = errors.Join(err, tmp.Close()); err == nil {
			err = os.Rename(tmp.Name(), path)
		}
		if err != nil {
			os.Remove(tmp.Name())
			return "", wstk.Wrap(wstk.Unavailable, "writing to the cache", err)
		}
		return path, nil
	}
}

// extension is a file ending for a media type, so that other programs know what
// they are given.
func extension(contentType string) string {
	switch contentType {
	case "text/html", "application/xhtml+xml":
		return ".html"
	case "text/plain":
		return ".txt"
	case "text/markdown":
		return ".md"
	case "application/json":
		return ".json"
	}
	if list, err := mime.ExtensionsByType(contentType); err == nil && len(list) > 0 {
		return list[0]
	}
	return ".bin"
}
