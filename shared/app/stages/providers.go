package stages

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"time"

	"wstk/shared/adapter/cache"
	"wstk/shared/adapter/limit"
	"wstk/shared/adapter/model"
	"wstk/shared/adapter/provider"
	"wstk/shared/adapter/retry"
	"wstk/shared/adapter/safehttp"
	"wstk/shared/adapter/stored"
	"wstk/shared/adapter/webapi"
	"wstk/shared/app"
	"wstk/shared/config"
	"wstk/shared/stage/recall"
	"wstk/shared/stage/search"
	"wstk/shared/wstk"
)

// Setups are the rows of all search providers, in the built-in order of auto.
func Setups() (list []wstk.ProviderSetup) {
	for _, row := range provider.Table {
		list = append(list, row.ProviderSetup)
	}
	return append(list, stored.Setup)
}

// Settings are all settings there are. more are vendors of models that only one home has.
func Settings(more ...model.Row) *config.Settings {
	var models []wstk.ModelSetup
	for _, row := range slices.Concat(model.Table, more) {
		models = append(models, row.ModelSetup)
	}
	return config.New(Setups(), models...)
}

// Search sets the stage that searches the web, with every provider there is. Wire and Models come
// before it. store keeps
// replies, and who rests after failures; nil keeps neither, and a cache that is off does
// not. passages recalls what is stored here.
func Search(
	a *app.App, store wstk.Cache,
	passages func(context.Context, stored.Query) (stored.Found, error),
) error {
	if a.Config.Cache.Off {
		store = nil
	}
	transport, err := apis(a.Config)
	if err != nil {
		return err
	}
	var list []wstk.SearchProvider
	probes, always := map[string]func(context.Context) error{},
		map[string]func(context.Context) error{}
	options := func(id string) provider.Options {
		o := a.Config.Providers[id]
		return provider.Options{Engine: o.Engine, AllowAuto: o.AllowAuto,
			Client: webapi.Client{Transport: transport, BaseURL: o.BaseURL,
				Key: o.Key.Reveal, Now: a.Now}}
	}
	for _, row := range provider.Table {
		o := a.Config.Providers[row.ID]
		p := row.New(options(row.ID))
		if r, ok := p.(interface{ Reachable(context.Context) error }); ok {
			probes[row.ID] = r.Reachable
			if row.Probe {
				always[row.ID] = limit.Probe{Cache: store, Key: row.ID + "/" + scope(o),
					Ask: r.Reachable}.Do
			}
		}
		list = append(list, wrapped(p, a.Config, store, a.Now))
	}
	a.WebSearch = &search.Stage{Providers: append(list,
		stored.Pages{Recall: passages, Now: a.Now}), Longest: a.Config.Search.MaxQuery, Now: a.Now,
		Closed: func(host string) bool { return safehttp.Closed(host, a.Config.AllowPrivate) }}
	a.Addresses = addresses{}
	crawlers(a, options)
	if a.Rewriting, err = rewriter(a); err != nil {
		return err
	}
	a.WebSearch.Probe = func(ctx context.Context, id string) error {
		if probe := probes[id]; probe != nil {
			return probe(ctx)
		}
		return wstk.Errorf(wstk.NotFound, "", "there is no provider %q", id)
	}
	a.WebSearch.Reachable = func(ctx context.Context, id string) error {
		if probe := always[id]; probe != nil {
			return probe(ctx)
		}
		return nil
	}
	return nil
}

// addresses are those that the guarded client opens.
type addresses struct{}

func (addresses) Openable(host string) bool           { return safehttp.Openable(host) }
func (addresses) StepsToOpen(host string) []wstk.Step { return safehttp.StepsToOpen(host) }

// Passages recalls from the index of an App.
func Passages(a *app.App) func(context.Context, stored.Query) (stored.Found, error) {
	return func(ctx context.Context, q stored.Query) (stored.Found, error) {
		found, err := a.Recalling.Do(ctx,
			recall.Query{Text: q.Words, Lang: q.Language, Limit: q.Limit, Filter: q.Filter})
		return stored.Found{Hits: found.Hits, Warnings: found.Warnings}, err
	}
}

// rewriter makes templates of users' words, with the model that is configured.
func rewriter(a *app.App) (*search.Rewriter, error) {
	c := a.Config
	r := &search.Rewriter{Templates: a.Templates, Now: a.Now, Fresh: c.Cache.Fresh || c.Cache.Off,
		MaxTokens: c.Rewrite.MaxTokens,
		Limits: search.Limits{Keywords: c.Search.MaxKeywords, Sites: c.Search.MaxSites,
			Query: c.Search.MaxQuery}}
	if c.Rewrite.Mode == config.RewriteModel && a.Models(wstk.OpRewrite) == nil {
		return nil, wstk.Errorf(wstk.Invalid, "", "rewrite.mode is model, and no model is named").
			Try(wstk.Step{Do: wstk.DoConfigure, Variable: "WSTK_MODEL"},
				wstk.Step{Do: wstk.DoConfigure, Variable: "WSTK_REWRITE_MODE", Value: "rules"})
	}
	if m := a.Models(wstk.OpRewrite); c.Rewrite.Mode != config.RewriteRules {
		r.Model = m
		// the rewriter checks more than a schema can say, and has a template mended itself
		if checked, ok := m.(model.Checked); ok {
			r.Model = checked.Model
		}
	}
	if path := c.Rewrite.PromptFile; path != "" {
		r.Prompt = func() (string, error) {
			data, err := os.ReadFile(path)
			return string(data), err
		}
	}
	return r, nil
}

// wrapped is a provider as the product uses it. The order reads from the inside: what
// fails for a moment is asked again; what fails for longer rests; what was answered is
// kept, and is given while its provider rests, too.
func wrapped(
	p wstk.SearchProvider, c config.Config, store wstk.Cache, now func() time.Time,
) wstk.SearchProvider {
	p = retry.Search{SearchProvider: p}
	if store == nil {
		return p
	}
	s := scope(c.Providers[p.Info().ID])
	p = &limit.Search{SearchProvider: p, Cache: store, Scope: s, Now: now}
	if c.Cache.Store == config.StoreMetadata {
		return p
	}
	return cache.Search{SearchProvider: p, Cache: store, Scope: s, TTL: c.Cache.TTL, Now: now}
}

// scope tells apart what is kept of one provider under several addresses and keys. It
// shows neither.
func scope(o config.ProviderOptions) string {
	h := sha256.Sum256([]byte(o.BaseURL + "\n" + o.Engine + "\n" + o.Key.Reveal()))
	return hex.EncodeToString(h[:8])
}

// apis is the way out to the providers.
func apis(c config.Config) (http.RoundTripper, error) {
	var bases []string
	for _, p := range c.Providers {
		bases = append(bases, p.BaseURL)
	}
	return wayTo(c, 0, bases...)
}

// endpoint is the host and port of an address; "" when it has none.
func endpoint(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	port := u.Port()
	switch {
	case port != "":
	case u.Scheme == "http":
		port = "80"
	default:
		port = "443"
	}
	return net.JoinHostPort(u.Hostname(), port)
}
