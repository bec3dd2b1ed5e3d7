// Package config reads what an operator can set: flags, variables, the operator's file and
// the project's, in config.go; project.go holds what a project may ask for, settings.go the
// table of all settings, secret.go keys from a secret of the cloud, and tokens.go those of
// the HTTP interface. No other package reads settings from the environment.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/netip"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// OnePageTime bounds a one-page command that was given no time limit.
const OnePageTime = 60 * time.Second

// Config is everything an operator can set. Flags win over the environment, the
// environment over the project's .wstk.toml, that over the user's file, and all of
// them over the defaults of the policy. What each setting is called stands in settings.go.
type Config struct {
	DataDir  string       // what sites, runs and evidence refer to
	CacheDir string       // may always be deleted
	Cache    CacheOptions // of pages and search replies
	// where one-page commands put what they saw; "" means evidence in CacheDir
	EvidenceDir string
	Policy      Policy // sets the defaults of what follows
	// of a command; on a crawl, of the whole run; 0 means the command's default
	Timeout      time.Duration
	Proxy        string // proxy URL; the environment's proxy variables are ignored
	UserAgent    string // "" means the product's name and version, and Contact
	Contact      string // URL or mail address at which a site's owner reaches the operator
	AllowPrivate bool   // opens loopback and private address ranges
	Robots       wstk.RobotsPolicy
	Usage        wstk.UsagePolicy // of what a site says its content may be used for
	AllowDomains []string
	BlockDomains []string
	Sensitive    []string // domains of whose pages a warning says that a person should agree first
	NeedAllow    bool     // one-page commands ask only domains on AllowDomains
	MaxBytes     int64
	// how often a one-page command asks when the site is busy or does not answer, from 1
	Tries  int
	Method string // of extract: http, browser, remote, auto
	// auto may have a service fetch the page where neither HTTP nor a browser brought it
	AutoRemote bool
	Browser    string // path of the browser; "" means that it is looked for
	Redact     bool   // hide secrets and personal data in replies and logs
	Search     SearchOptions
	Providers  map[string]ProviderOptions // by provider id
	Rewrite    RewriteOptions             // of a search run's words

	Model     ModelOptions                    // of all operations that name none
	Models    map[wstk.Operation]ModelOptions // of single operations: what they set
	Vendors   map[string]VendorOptions        // of models, by id
	Embedder  EmbedderOptions                 // of the words of pages
	Reranker  RerankerOptions                 // of hits
	Fusion    string                          // of words and meaning: zscore, rrf
	Answer    AnswerOptions                   // of questions about a page and what it leads to
	Access    AccessOptions                   // of pages that one-page commands name
	Crawl     wstk.CrawlOptions
	LogLevel  string // debug, info, warn, error
	APITokens Tokens // that open the HTTP interface; from the environment alone
	// TrustedProxies are those whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix

	ScrubQueries bool // keep the words of queries out of the log

	// ExtractionTimeout is how long an extraction that goes on by itself may take: one over
	// HTTP, or of an upload. 0 means no limit.
	ExtractionTimeout time.Duration

	Cloud Cloud

	// Project is what the project's file did.
	Project Project

	// Origin tells where each set value came from, by TOML key: "flag",
	// "environment", "policy", or a file name.
	Origin map[string]string

	// Runtime are endpoints of the function that this process runs in: they stay closed,
	// whatever is open. The environment names them; they are no setting.
	Runtime []netip.AddrPort

	// Function says that this process is a Lambda function. app/cloud sets it; it is no
	// setting.
	Function bool `json:"-"`

	// Settings are those that loaded it; nil in a Config that was not loaded.
	Settings *Settings `json:"-"`
}

// Policy is a bundle of defaults: it changes none that was set.
type Policy string

const (
	PolicyStandard   Policy = "standard"   // useful day by day, nothing surprising
	PolicyStrict     Policy = "strict"     // least risk and least kept
	PolicyPermissive Policy = "permissive" // tries harder, varies more
)

// policies are the defaults each policy brings, by TOML key.
var policies = map[Policy]map[string]string{
	PolicyStandard: {},
	PolicyStrict: {"fetch.robots": "respect", "fetch.usage": "respect",
		"fetch.need_allow_domain": "true",
		"cache.store":             "metadata", "redact": "true"},
	PolicyPermissive: {"extract.method": "auto", "extract.auto_remote": "true",
		"fetch.tries": "3",
		"providers.firecrawl_endpoint.allow_auto": "true"},
}

// CacheOptions bound the cache.
type CacheOptions struct {
	Off   bool          // neither read nor written, and no evidence either
	Fresh bool          // not read; written all the same
	TTL   time.Duration // how old a copy may be
	MaxMB int           // megabytes (2^20 bytes); what was used longest ago goes first
	Store string        // full, or metadata: no bodies, no evidence
}

// Ways to store in a cache.
const (
	StoreFull     = "full"
	StoreMetadata = "metadata"
)

// SearchOptions are the defaults of web searches.
type SearchOptions struct {
	Provider string // auto, or a provider id
	// of auto: the first that is enabled and answers; nil means the built-in one
	Order      []string
	Pipeline   []string // the order for pipelines; nil means Order
	Eval       []string // the order for evaluations; nil means Order
	Cascade    []string // of search runs: all of them at once; nil means every enabled one
	MaxResults int      // 1–100
	Region     string
	Language   string // of search runs that name none; two letters
	SafeSearch wstk.SafeSearch

	// What a search run may ask; 0 means the built-in limit.
	MaxKeywords int
	MaxSites    int
	MaxQuery    int // code points of the query as it is sent
}

// AnswerOptions say how far an answer about a page reads on, where the question does not.
type AnswerOptions struct {
	Decomposition     string // llm, rule_based, none; "" means the model where one is named
	MaxExpansionDepth int    // 0–20
	ContextBudget     int    // estimated tokens of passages
	PagesPerTurn      int
	MaxPages          int
}

// Ways to take a question apart.
const (
	DecomposeLLM   = "llm"
	DecomposeRules = "rule_based"
	DecomposeNone  = "none"
)

// The largest bounds of an answer.
const (
	MaxExpansionDepth = 20
	MinContextBudget  = 100
	MaxContextBudget  = 100_000
	MaxPagesPerTurn   = 20
	MaxAnswerPages    = 500
)

// RewriteOptions say how a search run makes a template of a user's words.
type RewriteOptions struct {
	Mode       string // rules or model; "" means the model where one is named
	PromptFile string // in place of the built-in prompt; read anew for each run
	MaxTokens  int    // of the model's reply; 0 means as many as may be
}

// Modes of rewriting.
const (
	RewriteRules = "rules"
	RewriteModel = "model"
)

// ProviderOptions are what one search provider needs.
type ProviderOptions struct {
	BaseURL   string // "" means the vendor's own
	Key       Secret
	Engine    string // google_cse: id of the search engine
	AllowAuto bool   // firecrawl_endpoint: auto may choose it although it is remote
}

// Cloud names what the stack made, for its functions; template.yaml sets it through the
// environment.
type Cloud struct {
	Bucket      string            // blobs, scratch, inbox and outbox
	Records     string            // table
	Frontier    string            // table
	Hosts       string            // table
	Queues      map[string]string // URLs by word
	Machines    map[string]string // ARNs of the state machines by name
	Search      string            // endpoint of OpenSearch; "" when the stack has none
	SearchMode  string            // serverless, or domain
	Engine      string            // of vectors: faiss, or lucene
	TokenSecret string            // name of the secret with the tokens of the API

	// ProviderSecret names the secret with keys and addresses of search providers and the
	// model, as WithSecret reads them; "" for none.
	ProviderSecret string
}

// Evidence is the folder in which one-page commands keep what they saw.
func (c Config) Evidence() string {
	if c.EvidenceDir != "" {
		return c.EvidenceDir
	}
	return filepath.Join(c.CacheDir, "evidence")
}

// Logged is what the log may say in place of a user's words, or of a text that may
// repeat them.
func (c Config) Logged(words string) string {
	if c.ScrubQueries && words != "" {
		return "(scrubbed)"
	}
	return words
}

// Where a value came from, beside file names.
const (
	OriginFlag        = "flag" // of the command line
	originEnvironment = "environment"
	originPolicy      = "policy"
)

// Flag is a setting given on the command line.
type Flag struct{ Name, Key, Value string }

// Load reads the defaults, the user's file, the project's file that counts in dir,
// the environment and the flags, in rising order; what none of them set
// gets the policy's default. The project's may only ask for less than the operator allows. A
// missing file is fine; a malformed or unreadable one, an unknown key or a bad value is
// Invalid and names its place.
func (k *Settings) Load(getenv func(string) string, dir string, flags ...Flag) (Config, error) {
	c := k.defaults()
	home := getenv("HOME")
	c.Runtime = runtimeEndpoints(getenv)
	c.DataDir = xdg(getenv, "XDG_DATA_HOME", home, ".local/share")
	c.CacheDir = xdg(getenv, "XDG_CACHE_HOME", home, ".cache")
	user := filepath.Join(xdg(getenv, "XDG_CONFIG_HOME", home, ".config"), "config.toml")
	if err := c.readFile(user); err != nil {
		return Config{}, err
	}
	for _, s := range k.list {
		for _, name := range s.env {
			v := getenv(name)
			if v == "" {
				continue
			}
			if err := c.Set(s.key, v, originEnvironment); err != nil {
				return Config{}, wstk.Errorf(wstk.Invalid, "reading "+name, "%w", err)
			}
			if !s.adds {
				break
			}
		}
	}
	if err := c.readKeys(getenv); err != nil {
		return Config{}, err
	}
	for key, name := range map[string]string{"embedder.key": c.Embedder.KeyEnv,
		"reranker.key": c.Reranker.KeyEnv} {
		if name == "" || getenv(name) == "" {
			continue
		}
		if err := c.Set(key, getenv(name), originEnvironment); err != nil {
			return Config{}, wstk.Errorf(wstk.Invalid, "reading "+name, "%w", err)
		}
	}
	for _, f := range flags {
		if f.Key == "fetch.proxy" && text.HideUser(f.Value) != f.Value {
			return Config{}, wstk.Errorf(wstk.Invalid, "", "--%s carries a user name or "+
				"password, and flags can be read by others on this machine", f.Name).
				Try(wstk.Advice("set WSTK_PROXY instead"))
		}
		if err := c.Set(f.Key, f.Value, OriginFlag); err != nil {
			return Config{}, wstk.Errorf(wstk.Invalid, "", "--%s: %w", f.Name, errors.Unwrap(err))
		}
	}
	if err := c.readAccess(getenv); err != nil {
		return Config{}, err
	}
	operator, err := c.withPolicy()
	if err != nil {
		return Config{}, err
	}
	if err := c.readProject(dir, operator); err != nil {
		return Config{}, err
	}
	if err := c.checkModelNames(); err != nil {
		return Config{}, err
	}
	return c.withPolicy()
}

// Only returns the defaults and these settings: it reads no file and no variable. DataDir and
// CacheDir are "" if nothing sets them. Codes: Invalid.
func (k *Settings) Only(flags ...Flag) (Config, error) {
	c := k.defaults()
	for _, f := range flags {
		if err := c.Set(f.Key, f.Value, OriginFlag); err != nil {
			return Config{}, err
		}
	}
	if err := c.checkModelNames(); err != nil {
		return Config{}, err
	}
	return c.withPolicy()
}

func (k *Settings) defaults() Config {
	c := Config{Settings: k, Policy: PolicyStandard, Robots: "", Usage: wstk.UsageWarn,
		Crawl: wstk.DefaultCrawlOptions(), MaxBytes: 5 << 20, Tries: 1,
		Method: "http", LogLevel: "warn", ExtractionTimeout: 5 * time.Minute,
		Cache: CacheOptions{TTL: 7 * 24 * time.Hour, MaxMB: 1024, Store: StoreFull},
		Search: SearchOptions{Provider: autoProvider, MaxResults: 10,
			SafeSearch: wstk.SafeSearchModerate},
		Embedder: EmbedderOptions{ServiceOptions: ServiceOptions{Provider: Local}},
		Reranker: RerankerOptions{ServiceOptions: ServiceOptions{Provider: None}, Top: 50},
		Fusion:   "zscore",
		Answer: AnswerOptions{MaxExpansionDepth: 3, ContextBudget: 6000, PagesPerTurn: 5,
			MaxPages: 30},
		Origin: map[string]string{}}
	if len(k.models) > 0 {
		c.Model.Provider = k.models[0].ID
	}
	return c
}

// withPolicy is c with the policy's values for what nothing has set.
func (c Config) withPolicy() (Config, error) {
	values := map[string]string{}
	for key, value := range policies[c.Policy] {
		if c.Origin[key] == "" {
			values[key] = value
		}
	}
	return c.With(values, originPolicy)
}

// xdg returns the tool's own folder under a base directory variable.
func xdg(getenv func(string) string, variable, home, fallback string) string {
	base := getenv(variable)
	if base == "" || !filepath.IsAbs(base) {
		if home == "" { // no guessable folder that anybody on this machine can make first
			if u, err := user.Current(); err == nil {
				home = u.HomeDir
			}
		}
		base = filepath.Join(home, fallback)
	}
	return filepath.Join(base, "wstk")
}

// readFile reads the operator's own file of settings. A relative path in it begins at the
// file's folder: at the working folder it would lead into whatever repository that is.
func (c *Config) readFile(path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return wstk.Errorf(wstk.Invalid, "reading configuration", "%w", err)
	}
	values, err := c.known().parse(path, data)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		value := values[key]
		if s := c.known().of(key); s.path && value != "" && !filepath.IsAbs(value) &&
			(s.key != "render.browser" || strings.ContainsAny(value, `/\`)) {
			value = filepath.Join(filepath.Dir(path), value)
		}
		if err := c.Set(key, value, path); err != nil {
			return wstk.Errorf(wstk.Invalid, "reading "+path, "%w", err)
		}
	}
	return nil
}

// parse is what a file sets, by the keys it uses: each is a setting, and none is
// the environment's alone.
func (k *Settings) parse(path string, data []byte) (map[string]string, error) {
	op := "reading " + path
	var tree map[string]any
	if _, err := toml.Decode(string(data), &tree); err != nil {
		return nil, wstk.Errorf(wstk.Invalid, op, "%w", err)
	}
	values, err := flatten("", tree)
	if err != nil {
		return nil, wstk.Errorf(wstk.Invalid, op, "%w", err)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		switch s := k.of(key); {
		case s == nil:
			if full := k.called(key); full != nil {
				return nil, wstk.Errorf(wstk.Invalid, op,
					"unknown key %q: the setting is %s", key, full.key).
					Try(wstk.Advice("write it as " + full.key))
			}
			return nil, wstk.Errorf(wstk.Invalid, op, "unknown key %q", key).
				Try(wstk.Advice("remove the key; docs/operations.md lists all keys"))
		case s.secret:
			return nil, wstk.Errorf(wstk.Invalid, op,
				"%q is a secret; secrets are read only from the environment", key).
				Try(wstk.Advice("set " + s.env[0] + " instead"))
		case s.envOnly:
			return nil, wstk.Errorf(wstk.Invalid, op,
				"%q is set by the stack, through %s", key, s.env[0])
		}
	}
	return values, nil
}

// flatten makes text by dotted key of a TOML table, so that files, variables and flags
// all pass the one parser of Set.
func flatten(prefix string, table map[string]any) (map[string]string, error) {
	out := map[string]string{}
	for name, value := range table {
		key := prefix + name
		switch v := value.(type) {
		case map[string]any:
			inner, err := flatten(key+".", v)
			if err != nil {
				return nil, err
			}
			maps.Copy(out, inner)
		case []any:
			parts := make([]string, len(v))
			for i, e := range v {
				s, ok := e.(string)
				if !ok {
					return nil, fmt.Errorf("%s must be a list of texts", key)
				}
				parts[i] = s
			}
			out[key] = strings.Join(parts, ",")
		case string:
			out[key] = v
		case int64, bool, float64:
			out[key] = fmt.Sprint(v)
		default:
			return nil, fmt.Errorf("%s has a value of a kind that no setting has", key)
		}
	}
	return out, nil
}

// Set gives one setting its value from text and notes where it came from. The error
// never repeats a secret.
func (c *Config) Set(key, value, origin string) error {
	s := c.known().of(key)
	if s == nil {
		return wstk.Errorf(wstk.Invalid, key+" = "+strconv.Quote(value), "there is no such setting")
	}
	if err := s.set(c, value); err != nil {
		op := key
		// a key may have been put where the name of a variable belongs
		if !s.secret && !strings.HasSuffix(s.key, ".key_env") &&
			!strings.Contains(s.key, ".headers.") {
			op += " = " + strconv.Quote(text.HideUser(value))
		}
		return wstk.Errorf(wstk.Invalid, op, "%w", err)
	}
	c.Origin[s.key] = origin
	return nil
}

// known are the settings that c knows; without a search provider where it was not loaded.
func (c *Config) known() *Settings {
	if c.Settings == nil {
		return New(nil)
	}
	return c.Settings
}

// Keys returns the TOML keys of the settings, as Settings.Keys does.
func (c Config) Keys() []string { return c.known().Keys() }

// With is c with the values given, by TOML key; c stays as it is.
func (c Config) With(values map[string]string, origin string) (Config, error) {
	c.Origin = maps.Clone(c.Origin)
	if c.Origin == nil {
		c.Origin = map[string]string{}
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if err := c.Set(key, values[key], origin); err != nil {
			return Config{}, err
		}
	}
	return c, nil
}

// ParseDuration reads 90s, 1h30m, 7d, or a bare number of seconds.
func ParseDuration(s string) (time.Duration, error) {
	if n, err := strconv.ParseFloat(s, 64); err == nil {
		if !(n >= 0 && n <= 1e9) { // NaN is neither
			return 0, fmt.Errorf("%q is not a duration", s)
		}
		return time.Duration(n * float64(time.Second)), nil
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.ParseFloat(days, 64); err == nil && n >= 0 && n < 1e5 {
			return time.Duration(n * 24 * float64(time.Hour)), nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%q is not a duration such as 90s, 1h30m or 7d", s)
	}
	return d, nil
}

// ParseMilliseconds reads a bare number of milliseconds, or a duration with its unit.
func ParseMilliseconds(s string) (time.Duration, error) {
	if n, err := strconv.Atoi(s); err == nil && n >= 0 && n <= 3_600_000 {
		return time.Duration(n) * time.Millisecond, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 || d > time.Hour {
		return 0, fmt.Errorf("%q is neither a number of milliseconds nor a time such as 5s", s)
	}
	return d, nil
}

func splitList(s string) []string {
	var out []string
	for _, part := range strings.Split(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func atLeast(s string, least int) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, errors.New("must be a whole number")
	}
	if n < least {
		return 0, fmt.Errorf("must be at least %d", least)
	}
	return n, nil
}
