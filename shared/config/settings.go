package config

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// setting is one thing an operator can set: its TOML key, the variables that set it (the
// first that has a value counts), and how text becomes its value.
type setting struct {
	key     string
	env     []string
	set     func(c *Config, value string) error
	secret  bool // from the environment alone, and never repeated
	envOnly bool // the stack's own
	adds    bool // each variable adds to the value
	path    bool // names a file or a folder
}

// Settings are all settings there are: those of the product, those of the search providers
// it knows, and those of the stack. They never change and may be used concurrently.
type Settings struct {
	list      []setting
	byKey     map[string]*setting
	providers []wstk.ProviderSetup
	models    []wstk.ModelSetup
}

// New returns the settings of a product that knows these search providers, in the built-in
// order of auto, and these vendors of language models. The first vendor is the default.
func New(providers []wstk.ProviderSetup, models ...wstk.ModelSetup) *Settings {
	k := &Settings{list: slices.Concat(general, meaningSettings()), byKey: map[string]*setting{},
		providers: providers, models: models}
	k.list = append(k.list, modelSettings("")...)
	for _, op := range wstk.Operations() {
		k.list = append(k.list, modelSettings(op)...)
	}
	for _, m := range models {
		k.list = append(k.list, ofVendor(m)...)
	}
	for _, p := range providers {
		k.list = append(k.list, ofProvider(p)...)
	}
	k.list = append(k.list, cloudSettings...)
	for i := range k.list {
		k.byKey[k.list[i].key] = &k.list[i]
	}
	return k
}

// Format keeps the table out of a Config that is printed.
func (k *Settings) Format(f fmt.State, _ rune) { io.WriteString(f, "settings") }

// of is the setting with this key, under any of its names; nil if there is none.
func (k *Settings) of(key string) *setting {
	if known := otherKeys[key]; known != "" {
		key = known
	}
	if s := k.byKey[key]; s != nil {
		return s
	}
	return ruleSetting(key)
}

// provider is the search provider that goes by a name. Without settings there is none.
func (k *Settings) provider(name string) (wstk.ProviderSetup, bool) {
	if k == nil {
		return wstk.ProviderSetup{}, false
	}
	i := slices.IndexFunc(k.providers, func(p wstk.ProviderSetup) bool {
		return p.ID == name || slices.Contains(p.Aliases, name)
	})
	if i < 0 {
		return wstk.ProviderSetup{}, false
	}
	return k.providers[i], true
}

// ids are those of all search providers. Without settings there is none.
func (k *Settings) ids() (ids []string) {
	if k != nil {
		for _, p := range k.providers {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// otherKeys are further names of settings.
var otherKeys = map[string]string{"llm.provider": "model.provider", "llm.model": "model.model",
	"llm.endpoint": "model.base_url", "llm.prompt_file": "rewrite.prompt_file",
	"llm.api_key_env": "model.key_env", "llm.temperature": "model.temperature",
	"llm.max_tokens":                    "rewrite.max_tokens",
	"reranker_provider":                 "reranker.provider",
	"decomposition_mode":                "answer.decomposition_mode",
	"max_expansion_depth":               "answer.max_expansion_depth",
	"retrieval_context_budget":          "answer.retrieval_context_budget",
	"search.default_options.maxResults": "search.max_results",
	"search.default_options.lang":       "search.language"}

// maxExtraction is the longest time an extraction may be given: its state machine goes on
// for somewhat longer (TimeoutSeconds), so that the run is always ended by a task of it.
const maxExtraction = 90 * time.Minute

// autoProvider as search.provider lets a search choose.
const autoProvider = "auto"

// variableName is how names of variables are written.
var variableName = text.Pattern(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Keys returns the TOML keys of all settings but the secret ones and those of the stack, in
// the order of the documents.
func (k *Settings) Keys() []string {
	var keys []string
	for _, s := range k.list {
		if !s.envOnly && !s.secret {
			keys = append(keys, s.key)
		}
	}
	return keys
}

// Variables returns the variables of every setting, by TOML key.
func (k *Settings) Variables() map[string][]string {
	m := map[string][]string{}
	for _, s := range k.list {
		m[s.key] = s.env
	}
	return m
}

var general = []setting{
	{key: "data_dir", env: one("WSTK_DATA_DIR"), path: true,
		set: folderOf(func(c *Config) *string { return &c.DataDir })},
	{key: "cache_dir", env: one("WSTK_CACHE_DIR"), path: true,
		set: folderOf(func(c *Config) *string { return &c.CacheDir })},
	{key: "evidence_dir", env: one("WSTK_EVIDENCE_DIR"), path: true,
		set: folderOf(func(c *Config) *string { return &c.EvidenceDir })},
	{key: "policy", env: one("WSTK_POLICY"),
		set: choice(func(c *Config) *Policy { return &c.Policy }, PolicyStandard, PolicyStrict,
			PolicyPermissive)},
	{key: "timeout", env: one("WSTK_TIMEOUT"),
		set: duration(func(c *Config) *time.Duration { return &c.Timeout })},
	{key: "log_level", env: one("WSTK_LOG_LEVEL"),
		set: choice(func(c *Config) *string { return &c.LogLevel }, "debug",
			"info", "warn", "error")},
	{key: "redact", env: one("WSTK_REDACT"),
		set: truth(func(c *Config) *bool { return &c.Redact })},
	{key: "cache.off", env: one("WSTK_NO_CACHE"),
		set: truth(func(c *Config) *bool { return &c.Cache.Off })},
	{key: "cache.fresh", env: one("WSTK_FRESH"),
		set: truth(func(c *Config) *bool { return &c.Cache.Fresh })},
	{key: "cache.ttl", env: one("WSTK_CACHE_TTL"),
		set: duration(func(c *Config) *time.Duration { return &c.Cache.TTL })},
	{key: "cache.max_mb", env: one("WSTK_CACHE_MAX_MB"),
		set: count(func(c *Config) *int { return &c.Cache.MaxMB }, 0)},
	{key: "cache.store", env: one("WSTK_CACHE_STORE"),
		set: choice(func(c *Config) *string { return &c.Cache.Store }, StoreFull, StoreMetadata)},
	{key: "fetch.proxy", env: one("WSTK_PROXY"),
		set: words(func(c *Config) *string { return &c.Proxy })},
	{key: "fetch.user_agent", env: one("WSTK_USER_AGENT"),
		set: words(func(c *Config) *string { return &c.UserAgent })},
	{key: "fetch.contact", env: one("WSTK_CONTACT"),
		set: words(func(c *Config) *string { return &c.Contact })},
	{key: "fetch.allow_private", env: one("WSTK_ALLOW_PRIVATE"),
		set: truth(func(c *Config) *bool { return &c.AllowPrivate })},
	{key: "fetch.robots", env: one("WSTK_ROBOTS"),
		set: choice(func(c *Config) *wstk.RobotsPolicy { return &c.Robots }, wstk.RobotsRespect,
			wstk.RobotsWarn, wstk.RobotsIgnore)},
	{key: "fetch.usage", env: one("WSTK_USAGE"),
		set: choice(func(c *Config) *wstk.UsagePolicy { return &c.Usage }, wstk.UsageRespect,
			wstk.UsageWarn, wstk.UsageIgnore)},
	{key: "fetch.allow_domains", env: one("WSTK_ALLOW_DOMAINS"),
		set: sites(func(c *Config) *[]string { return &c.AllowDomains })},
	{key: "fetch.block_domains", env: one("WSTK_BLOCK_DOMAINS"),
		set: sites(func(c *Config) *[]string { return &c.BlockDomains })},
	{key: "fetch.sensitive_domains", env: one("WSTK_SENSITIVE_DOMAINS"),
		set: sites(func(c *Config) *[]string { return &c.Sensitive })},
	{key: "fetch.need_allow_domain", env: one("WSTK_NEED_ALLOW_DOMAIN"),
		set: truth(func(c *Config) *bool { return &c.NeedAllow })},
	{key: "fetch.max_bytes", env: one("WSTK_MAX_BYTES"), set: func(c *Config, v string) error {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil || n < 1 {
			return errors.New("must be a whole number of bytes, at least 1")
		}
		c.MaxBytes = n
		return nil
	}},
	{key: "fetch.tries", env: one("WSTK_TRIES"),
		set: count(func(c *Config) *int { return &c.Tries }, 1)},
	{key: "extract.method", env: one("WSTK_METHOD"),
		set: choice(func(c *Config) *string { return &c.Method }, "http", "browser", "remote",
			"auto")},
	{key: "extract.auto_remote", env: one("WSTK_AUTO_REMOTE"),
		set: truth(func(c *Config) *bool { return &c.AutoRemote })},
	{key: "access.on", env: one("WSTK_ACCESS"),
		set: truth(func(c *Config) *bool { return &c.Access.On })},
	{key: "render.browser", env: one("WSTK_BROWSER"), path: true,
		set: words(func(c *Config) *string { return &c.Browser })},
	{key: "search.provider", env: one("WSTK_SEARCH_PROVIDER"),
		set: func(c *Config, v string) error {
			c.Search.Provider = v
			if v == "" || v == autoProvider {
				return nil
			}
			return c.areProviders(v)
		}},
	{key: "search.order", env: one("WSTK_SEARCH_ORDER"),
		set: providers(func(c *Config) *[]string { return &c.Search.Order })},
	{key: "pipeline.order", env: one("WSTK_PIPELINE_ORDER"),
		set: providers(func(c *Config) *[]string { return &c.Search.Pipeline })},
	{key: "eval.order", env: one("WSTK_EVAL_ORDER"),
		set: providers(func(c *Config) *[]string { return &c.Search.Eval })},
	{key: "search.cascade_order", env: one("WSTK_SEARCH_CASCADE_ORDER"),
		set: providers(func(c *Config) *[]string { return &c.Search.Cascade })},
	{key: "search.max_results", env: one("WSTK_SEARCH_MAX_RESULTS"),
		set: func(c *Config, v string) (err error) {
			if c.Search.MaxResults, err = atLeast(v, 1); err == nil && c.Search.MaxResults > 100 {
				err = errors.New("must be at most 100")
			}
			return err
		}},
	{key: "search.region", env: one("WSTK_SEARCH_REGION"), set: func(c *Config, v string) error {
		country, language, ok := strings.Cut(strings.ToLower(v), "-")
		if !ok || len(country) != 2 || len(language) < 2 || len(language) > 3 {
			return errors.New("must be COUNTRY-LANGUAGE such as us-en, or wt-wt for none")
		}
		c.Search.Region = country + "-" + language
		return nil
	}},
	{key: "search.safe_search", env: one("WSTK_SAFE_SEARCH"),
		set: choice(func(c *Config) *wstk.SafeSearch { return &c.Search.SafeSearch },
			wstk.SafeSearchOn, wstk.SafeSearchModerate, wstk.SafeSearchOff)},
	{key: "search.language", env: one("WSTK_SEARCH_LANGUAGE"),
		set: func(c *Config, v string) error {
			c.Search.Language = strings.ToLower(v)
			if !text.IsLanguage(c.Search.Language) {
				return errors.New("must be two letters such as en")
			}
			return nil
		}},
	{key: "search.max_keywords", env: one("WSTK_MAX_KEYWORDS"), set: count(func(c *Config) *int {
		return &c.Search.MaxKeywords
	}, 1)},
	{key: "search.max_sites", env: one("WSTK_MAX_SITES"),
		set: count(func(c *Config) *int { return &c.Search.MaxSites }, 1)},
	{key: "search.max_query", env: one("WSTK_MAX_QUERY"),
		set: count(func(c *Config) *int { return &c.Search.MaxQuery }, 1)},
	{key: "rewrite.mode", env: one("WSTK_REWRITE_MODE"),
		set: choice(func(c *Config) *string { return &c.Rewrite.Mode },
			RewriteRules, RewriteModel)},
	{key: "rewrite.prompt_file", env: one("WSTK_REWRITE_PROMPT"), path: true,
		set: folderOf(func(c *Config) *string { return &c.Rewrite.PromptFile })},
	{key: "model.temperature", env: one("WSTK_MODEL_TEMPERATURE"),
		set: func(_ *Config, v string) error {
			if f, err := strconv.ParseFloat(v, 64); err != nil || f != 0 {
				return errors.New("must be 0, so that the same query gives the same template")
			}
			return nil
		}},
	{key: "rewrite.max_tokens", env: one("WSTK_REWRITE_MAX_TOKENS"),
		set: func(c *Config, v string) (err error) {
			if c.Rewrite.MaxTokens, err = atLeast(v, 1); err == nil &&
				c.Rewrite.MaxTokens > wstk.MaxRewriteTokens {
				err = fmt.Errorf("must be at most %d", wstk.MaxRewriteTokens)
			}
			return err
		}},
	{key: "crawl.max_pages", env: one("WSTK_MAX_PAGES"),
		set: count(func(c *Config) *int { return &c.Crawl.MaxPages }, 1)},
	{key: "crawl.max_depth", env: one("WSTK_MAX_DEPTH"),
		set: count(func(c *Config) *int { return &c.Crawl.MaxDepth }, 0)},
	{key: "crawl.rate_limit_ms", env: one("WSTK_RATE_LIMIT_MS"),
		set: func(c *Config, v string) error {
			ms, err := atLeast(v, 0)
			c.Crawl.RateLimit = time.Duration(ms) * time.Millisecond
			return err
		}},
	{key: "crawl.include", set: patterns(func(c *Config) *[]string { return &c.Crawl.Include })},
	{key: "crawl.exclude", set: patterns(func(c *Config) *[]string { return &c.Crawl.Exclude })},
	{key: "crawl.render", env: one("WSTK_CRAWL_RENDER"),
		set: truth(func(c *Config) *bool { return &c.Crawl.Render })},
	{key: "crawl.stale_after", env: one("WSTK_STALE_AFTER"),
		set: duration(func(c *Config) *time.Duration { return &c.Crawl.StaleAge })},
	{key: "answer.decomposition_mode", env: []string{"WSTK_DECOMPOSITION_MODE",
		"DECOMPOSITION_MODE"}, set: choice(func(c *Config) *string {
		return &c.Answer.Decomposition
	}, DecomposeLLM, DecomposeRules, DecomposeNone)},
	{key: "answer.max_expansion_depth", env: []string{"WSTK_MAX_EXPANSION_DEPTH",
		"MAX_EXPANSION_DEPTH"}, set: between(func(c *Config) *int {
		return &c.Answer.MaxExpansionDepth
	}, 0, MaxExpansionDepth)},
	{key: "answer.retrieval_context_budget", env: []string{"WSTK_RETRIEVAL_CONTEXT_BUDGET",
		"RETRIEVAL_CONTEXT_BUDGET"}, set: between(func(c *Config) *int {
		return &c.Answer.ContextBudget
	}, MinContextBudget, MaxContextBudget)},
	{key: "answer.pages_per_turn", env: one("WSTK_ANSWER_PAGES_PER_TURN"),
		set: between(func(c *Config) *int { return &c.Answer.PagesPerTurn }, 1, MaxPagesPerTurn)},
	{key: "answer.max_pages", env: one("WSTK_ANSWER_MAX_PAGES"),
		set: between(func(c *Config) *int { return &c.Answer.MaxPages }, 1, MaxAnswerPages)},
	{key: "api.scrub_queries", env: one("WSTK_SCRUB_QUERIES"),
		set: truth(func(c *Config) *bool { return &c.ScrubQueries })},
	{key: "api.extraction_timeout", env: one("WSTK_EXTRACTION_TIMEOUT"),
		set: func(c *Config, v string) (err error) {
			if c.ExtractionTimeout, err = ParseDuration(v); err == nil &&
				(c.ExtractionTimeout < time.Second || c.ExtractionTimeout > maxExtraction) {
				err = fmt.Errorf("must be from 1s to %s", maxExtraction)
			}
			return err
		}},
	{key: "api.trusted_proxies", env: one("WSTK_TRUSTED_PROXIES"),
		set: func(c *Config, v string) error {
			c.TrustedProxies = nil
			for _, entry := range splitList(v) {
				p, err := netip.ParsePrefix(entry)
				if a, e := netip.ParseAddr(entry); err != nil && e == nil {
					p, err = a.Unmap().Prefix(a.Unmap().BitLen())
				}
				if err != nil {
					return fmt.Errorf("%q is neither an address nor a network such as 10.0.0.0/8",
						entry)
				}
				c.TrustedProxies = append(c.TrustedProxies, p.Masked())
			}
			return nil
		}},
	{key: "api.tokens", env: []string{"WSTK_API_TOKENS", "WSTK_API_TOKEN"}, secret: true,
		adds: true, set: func(c *Config, v string) error { return c.APITokens.add(v) }},
}

// ofProvider are the settings of a search provider. Keys are read under every name that
// vendors and their users have for them.
func ofProvider(p wstk.ProviderSetup) []setting {
	var out []setting
	for _, name := range wstk.ProviderSettings {
		if env := p.Variables(name); env != nil {
			out = append(out, setting{key: "providers." + p.ID + "." + name, env: env,
				secret: name == wstk.SettingKey,
				set:    func(c *Config, v string) error { return setProvider[name](c, p.ID, v) }})
		}
	}
	return out
}

// setProvider sets one setting of the provider with this id.
var setProvider = map[string]func(c *Config, id, v string) error{
	wstk.SettingKey: func(c *Config, id, v string) error {
		key, err := keyFrom(v)
		c.provider(id, func(p *ProviderOptions) { p.Key = key })
		return err
	},
	wstk.SettingBaseURL: func(c *Config, id, v string) error {
		if !text.IsURL(v) {
			return errors.New("must be a URL such as http://127.0.0.1:8080")
		}
		c.provider(id, func(p *ProviderOptions) { p.BaseURL = strings.TrimRight(v, "/") })
		return nil
	},
	wstk.SettingEngine: func(c *Config, id, v string) error {
		c.provider(id, func(p *ProviderOptions) { p.Engine = v })
		return nil
	},
	wstk.SettingAllowAuto: func(c *Config, id, v string) error {
		allow, err := strconv.ParseBool(v)
		c.provider(id, func(p *ProviderOptions) { p.AllowAuto = allow })
		return err
	},
}

// provider changes the options of one provider; copies of a Config share nothing they
// change.
func (c *Config) provider(id string, change func(*ProviderOptions)) {
	m := maps.Clone(c.Providers)
	if m == nil {
		m = map[string]ProviderOptions{}
	}
	p := m[id]
	change(&p)
	m[id], c.Providers = p, m
}

var cloudSettings = []setting{
	stack("cloud.bucket", "WSTK_BUCKET", words(func(c *Config) *string { return &c.Cloud.Bucket })),
	stack("cloud.records", "WSTK_RECORDS_TABLE",
		words(func(c *Config) *string { return &c.Cloud.Records })),
	stack("cloud.frontier", "WSTK_FRONTIER_TABLE",
		words(func(c *Config) *string { return &c.Cloud.Frontier })),
	stack("cloud.hosts", "WSTK_HOSTS_TABLE",
		words(func(c *Config) *string { return &c.Cloud.Hosts })),
	stack("cloud.queue.crawl", "WSTK_CRAWL_QUEUE",
		named(func(c *Config) *map[string]string { return &c.Cloud.Queues }, "crawl")),
	stack("cloud.queue.fetch", "WSTK_FETCH_QUEUE",
		named(func(c *Config) *map[string]string { return &c.Cloud.Queues }, "fetch")),
	stack("cloud.queue.summarize", "WSTK_SUMMARIZE_QUEUE",
		named(func(c *Config) *map[string]string { return &c.Cloud.Queues }, "summarize")),
	stack("cloud.queue.index", "WSTK_INDEX_QUEUE",
		named(func(c *Config) *map[string]string { return &c.Cloud.Queues }, "index")),
	stack("cloud.machine.extract", "WSTK_EXTRACT_MACHINE",
		named(func(c *Config) *map[string]string { return &c.Cloud.Machines }, "extract")),
	stack("cloud.machine.answer", "WSTK_ANSWER_MACHINE",
		named(func(c *Config) *map[string]string { return &c.Cloud.Machines }, "answer")),
	stack("cloud.search", "WSTK_SEARCH", words(func(c *Config) *string { return &c.Cloud.Search })),
	stack("cloud.search_mode", "WSTK_SEARCH_MODE",
		choice(func(c *Config) *string { return &c.Cloud.SearchMode }, "serverless", "domain")),
	stack("cloud.engine", "WSTK_VECTOR_ENGINE",
		choice(func(c *Config) *string { return &c.Cloud.Engine }, "faiss", "lucene")),
	stack("cloud.token_secret", "WSTK_TOKEN_SECRET",
		words(func(c *Config) *string { return &c.Cloud.TokenSecret })),
	stack("cloud.provider_secret", "WSTK_PROVIDER_SECRET", words(func(c *Config) *string {
		return &c.Cloud.ProviderSecret
	})),
}

func stack(key, env string, set func(*Config, string) error) setting {
	return setting{key: key, env: one(env), envOnly: true, set: set}
}

func one(name string) []string { return []string{name} }

func words[T ~string](at func(*Config) *T) func(*Config, string) error {
	return func(c *Config, v string) error { *at(c) = T(v); return nil }
}

func named(at func(*Config) *map[string]string, name string) func(*Config, string) error {
	return func(c *Config, v string) error {
		m := maps.Clone(*at(c))
		if m == nil {
			m = map[string]string{}
		}
		m[name], *at(c) = v, m
		return nil
	}
}

func folderOf(at func(*Config) *string) func(*Config, string) error {
	return func(c *Config, v string) (err error) {
		*at(c), err = filepath.Abs(v)
		return err
	}
}

func choice[T ~string](at func(*Config) *T, allowed ...T) func(*Config, string) error {
	return func(c *Config, v string) error {
		if !slices.Contains(allowed, T(v)) {
			names := make([]string, len(allowed))
			for i, a := range allowed {
				names[i] = string(a)
			}
			return fmt.Errorf("must be one of %s", strings.Join(names, ", "))
		}
		*at(c) = T(v)
		return nil
	}
}

func duration(at func(*Config) *time.Duration) func(*Config, string) error {
	return func(c *Config, v string) (err error) {
		*at(c), err = ParseDuration(v)
		return err
	}
}

func truth(at func(*Config) *bool) func(*Config, string) error {
	return func(c *Config, v string) (err error) {
		if *at(c), err = strconv.ParseBool(v); err != nil {
			err = errors.New("must be true or false")
		}
		return err
	}
}

func count(at func(*Config) *int, least int) func(*Config, string) error {
	return func(c *Config, v string) (err error) {
		*at(c), err = atLeast(v, least)
		return err
	}
}

// between is a count within bounds.
func between(at func(*Config) *int, least, most int) func(*Config, string) error {
	return func(c *Config, v string) (err error) {
		if *at(c), err = atLeast(v, least); err == nil && *at(c) > most {
			err = fmt.Errorf("must be at most %d", most)
		}
		return err
	}
}

// patterns is a list of patterns of paths.
func patterns(at func(*Config) *[]string) func(*Config, string) error {
	return func(c *Config, v string) error {
		all := splitList(v)
		for _, p := range all {
			if err := Pattern(p); err != nil {
				return err
			}
		}
		*at(c) = all
		return nil
	}
}

// Pattern returns Invalid for a pattern of paths that would match nothing, or not what it says
// elsewhere: one with braces or brackets, which are wildcards of other programs, and one of a whole
// address.
func Pattern(p string) error {
	if strings.Contains(p, "://") {
		return wstk.Errorf(wstk.Invalid, "", "the pattern %q is a whole address, and patterns are "+
			"about paths", p).Try(wstk.Advice("write the path alone, such as /docs/**"))
	}
	if i := strings.IndexAny(p, "[]{}"); i >= 0 {
		return wstk.Errorf(wstk.Invalid, "", "the pattern %q holds %q, which is no wildcard here: "+
			"only * (within a folder) and ** (over folders) are", p, p[i:i+1]).
			Try(wstk.Advice("give a pattern for each case, and * where anything may stand"))
	}
	return nil
}

// sites is a list of domains.
func sites(at func(*Config) *[]string) func(*Config, string) error {
	return func(c *Config, v string) (err error) {
		*at(c), err = Domains(splitList(v))
		return err
	}
}

// providers is a list of search providers, under any of their names.
func providers(at func(*Config) *[]string) func(*Config, string) error {
	return func(c *Config, v string) error {
		*at(c) = splitList(v)
		return c.areProviders(*at(c)...)
	}
}

// Domains reads the entries of a list of domains. What is no domain is Invalid.
func Domains(list []string) ([]string, error) {
	var out []string
	for _, entry := range list {
		d, err := text.Domain(entry)
		if err != nil {
			return nil, wstk.Errorf(wstk.Invalid, "", "%q is not the name of a site", entry).
				Try(wstk.Advice("write it as example.com"))
		}
		out = append(out, d)
	}
	return out, nil
}

// areProviders refuses a name that no provider has.
func (c *Config) areProviders(names ...string) error {
	for _, name := range names {
		if _, ok := c.Settings.provider(name); !ok {
			return fmt.Errorf("there is no provider %q; there are %s", name,
				strings.Join(c.Settings.ids(), ", "))
		}
	}
	return nil
}

// Secret is a text that is never shown: however it is printed, what comes out is that it
// is hidden.
type Secret string

// Reveal is the secret itself, for the header it goes into.
func (s Secret) Reveal() string { return string(s) }

func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return "hidden"
}

// Format makes every verb of fmt print what String says.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, s.String()) }

func (s Secret) MarshalJSON() ([]byte, error) { return []byte(strconv.Quote(s.String())), nil }
