package stages

import (
	"cmp"
	"net/http"
	"time"

	"wstk/shared/adapter/model"
	"wstk/shared/adapter/retry"
	"wstk/shared/adapter/safehttp"
	"wstk/shared/adapter/vector"
	"wstk/shared/adapter/webapi"
	"wstk/shared/app"
	"wstk/shared/config"
	"wstk/shared/stage/recall"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// OwnModels are the embedders and rerankers that a home brings itself, by provider: those that
// were added on one machine, those of the cloud. Each returns nil where there is none.
type OwnModels struct {
	Embedders map[string]func(config.EmbedderOptions) (wstk.Embedder, error)
	Rerankers map[string]func(config.RerankerOptions) (wstk.Reranker, error)
}

// Embedder returns the embedder of pages that is configured; nil where there is none. That of a
// service is checked before its first vectors are used, and each passage is sent to it once:
// kept has the vectors of earlier ones, nil keeps none.
func Embedder(
	c config.Config, own OwnModels, kept wstk.EmbeddingStore, now func() time.Time,
) (wstk.Embedder, error) {
	o := c.Embedder
	if o.Provider == "" { // a configuration without its defaults
		o.Provider = config.Local
	}
	bring := own.Embedders[o.Provider]
	var e wstk.Embedder
	var err error
	switch {
	case o.Provider == config.None:
		return nil, nil
	case bring != nil:
		e, err = bring(o)
	case o.Provider == config.Local:
		return nil, nil
	case o.Provider == config.Bedrock:
		return nil, notHere("embedder.provider", "WSTK_EMBEDDER_PROVIDER")
	default:
		var client webapi.Client
		if client, err = service(c, o.ServiceOptions, now); err == nil {
			e, err = model.NewEmbedder(model.EmbedderSetup{Provider: o.Provider, Model: o.Model,
				Dimension: o.Dimension}, client)
		}
	}
	if err != nil || e == nil {
		return nil, err
	}
	if o.Weight > 0 {
		e = weighted{e, o.Weight}
	}
	if e.Info().SHA256 != "" {
		return e, nil
	}
	e = model.Sound(retry.Embedder{Embedder: model.ExplainedEmbedder{Embedder: e,
		Named: serviceNamed("embedder", o.ServiceOptions, e.Info().Name)}})
	if kept != nil {
		e = vector.Once{Embedder: e, Kept: kept}
	}
	return e, nil
}

// Reranker returns the reranker that is configured; nil where there is none.
func Reranker(c config.Config, own OwnModels, now func() time.Time) (wstk.Reranker, error) {
	o := c.Reranker
	switch bring := own.Rerankers[o.Provider]; {
	case o.Provider == "" || o.Provider == config.None:
		return nil, nil
	case bring != nil:
		return bring(o)
	case o.Provider == config.Local || o.Provider == config.Bedrock:
		return nil, notHere("reranker.provider", "WSTK_RERANKER_PROVIDER")
	}
	client, err := service(c, o.ServiceOptions, now)
	if err != nil {
		return nil, err
	}
	r, err := model.NewReranker(o.Provider, o.Model, client)
	if err != nil {
		return nil, err
	}
	return retry.Reranker{Reranker: model.ExplainedReranker{Reranker: r,
		Named: serviceNamed("reranker", o.ServiceOptions, r.Info().Name)}}, nil
}

// serviceNamed is how the operator named an embedder or a reranker.
func serviceNamed(kind string, o config.ServiceOptions, name string) model.Named {
	return model.Named{Vendor: o.Provider, Model: name, Address: text.HideUser(o.BaseURL),
		Key:  model.Setting{Variable: o.KeyVariable(kind)},
		Name: model.Setting{Key: kind + ".model"}, At: model.Setting{Key: kind + ".base_url"}}
}

// Compare gives an App, whose stages are wired, the embedder and the reranker that are configured,
// and the fusion: both homes get their recall by meaning here. What the App's index takes gets
// vectors, which are held in vectors, and recall searches them beside the words. kept is that of
// Embedder. Without vectors, pages are found by their words alone.
//
// It returns the index that makes the vectors; nil if it makes none. Codes: those of Embedder and
// Reranker.
func Compare(
	a *app.App, own OwnModels, vectors wstk.VectorIndex, kept wstk.EmbeddingStore,
) (*vector.Index, error) {
	c := a.Config
	r, err := Reranker(c, own, a.Now)
	if err != nil {
		return nil, err
	}
	if r != nil {
		a.Recalling.Reranker = r
	}
	a.Recalling.Config.Rerank = cmp.Or(c.Reranker.Top, a.Recalling.Config.Rerank)
	a.Recalling.Config.Fusion = cmp.Or(recall.Fusion(c.Fusion), a.Recalling.Config.Fusion)
	e, err := Embedder(c, own, kept, a.Now)
	if err != nil || vectors == nil {
		return nil, err
	}
	x := &vector.Index{Index: a.Index, Vectors: vectors, Embedder: e, Texts: a.Blobs}
	a.Index, a.Indexing.Index = *x, *x
	if e == nil {
		return nil, nil
	}
	a.Recalling.Legs = append(a.Recalling.Legs, recall.Vectors{Embedder: e, Index: vectors})
	return x, nil
}

// notHere is the error for a model that another home has.
func notHere(setting, variable string) error {
	return wstk.Errorf(wstk.Invalid, "reading the settings",
		"%s names a model that is not available here", setting).
		Try(wstk.Step{Do: wstk.DoConfigure, Variable: variable},
			wstk.Step{Do: wstk.DoListModels, For: "see which models can be used"})
}

// service is the way to a vendor. The address that the operator gave is open to it alone, and
// no redirect is followed: the key and the words of pages go nowhere else.
func service(
	c config.Config, o config.ServiceOptions, now func() time.Time,
) (webapi.Client, error) {
	transport, err := wayTo(c, 0, o.BaseURL)
	return webapi.Client{Transport: transport, BaseURL: o.BaseURL, Key: o.Key().Reveal, Now: now},
		err
}

// wayTo is the way out to services. The addresses that the operator gave them are open to it
// alone: a page that names one of them does not come in. timeout is that of a whole request; 0
// means as the operator set it.
func wayTo(
	c config.Config, timeout time.Duration, bases ...string,
) (http.RoundTripper, error) {
	cfg, err := clientConfig(c)
	if err != nil {
		return nil, err
	}
	if timeout > 0 {
		cfg.Timeout = timeout
	}
	for _, b := range bases {
		if e := endpoint(b); e != "" {
			cfg.Exceptions = append(cfg.Exceptions, e)
		}
	}
	client, err := safehttp.New(cfg)
	if err != nil {
		return nil, err
	}
	return client.Transport(), nil
}

// weighted is an embedder with the operator's weight.
type weighted struct {
	wstk.Embedder
	weight float64
}

func (w weighted) Info() wstk.EmbedderInfo {
	info := w.Embedder.Info()
	info.Weight = w.weight
	return info
}
