package app

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"wstk/shared/wstk"
)

// Version of the product. Releases set the program's own from the same file.
const Version = "0.1.0"

// Config is everything an operator can set. Flags win over the environment, the
// environment over the project's .wstk.toml, that over the user's file, and all of
// them over the defaults. This is the only file that reads the environment.
type Config struct {
	DataDir      string        // what sites, runs and evidence refer to
	CacheDir     string        // may always be deleted
	Timeout      time.Duration // of a command; on a crawl, of the whole run; 0 means the command's default
	Proxy        string        // proxy URL; the environment's proxy variables are ignored
	UserAgent    string        // "" means the product's name and version, and Contact
	Contact      string        // URL or mail address at which a site's owner reaches whoever runs this
	AllowPrivate bool          // opens loopback and private address ranges
	Robots       wstk.RobotsPolicy
	AllowDomains []string
	BlockDomains []string
	MaxBytes     int64
	Crawl        wstk.CrawlOptions
	LogLevel     string // debug, info, warn, error
	APITokens    Tokens // that open the HTTP interface; from the environment alone
	Cloud        Cloud

	// Origin tells where each set value came from, by TOML key: "flag",
	// "environment", or a file name.
	Origin map[string]string
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
}

// file is the TOML schema. Pointers tell absent from zero.
type file struct {
	DataDir  *string `toml:"data_dir"`
	CacheDir *string `toml:"cache_dir"`
	Timeout  *string `toml:"timeout"`
	LogLevel *string `toml:"log_level"`
	Fetch    struct {
		Proxy        *string  `toml:"proxy"`
		UserAgent    *string  `toml:"user_agent"`
		Contact      *string  `toml:"contact"`
		AllowPrivate *bool    `toml:"allow_private"`
		Robots       *string  `toml:"robots"`
		AllowDomains []string `toml:"allow_domains"`
		BlockDomains []string `toml:"block_domains"`
		MaxBytes     *int64   `toml:"max_bytes"`
	} `toml:"fetch"`
	Crawl struct {
		MaxPages    *int     `toml:"max_pages"`
		MaxDepth    *int     `toml:"max_depth"`
		RateLimitMS *int     `toml:"rate_limit_ms"`
		Include     []string `toml:"include"`
		Exclude     []string `toml:"exclude"`
		StaleAfter  *string  `toml:"stale_after"`
	} `toml:"crawl"`
}

// environment maps variables to TOML keys.
var environment = []struct{ name, key string }{
	{"WSTK_DATA_DIR", "data_dir"},
	{"WSTK_CACHE_DIR", "cache_dir"},
	{"WSTK_TIMEOUT", "timeout"},
	{"WSTK_LOG_LEVEL", "log_level"},
	{"WSTK_PROXY", "fetch.proxy"},
	{"WSTK_USER_AGENT", "fetch.user_agent"},
	{"WSTK_CONTACT", "fetch.contact"},
	{"WSTK_ALLOW_PRIVATE", "fetch.allow_private"},
	{"WSTK_ROBOTS", "fetch.robots"},
	{"WSTK_ALLOW_DOMAINS", "fetch.allow_domains"},
	{"WSTK_BLOCK_DOMAINS", "fetch.block_domains"},
	{"WSTK_MAX_BYTES", "fetch.max_bytes"},
	{"WSTK_MAX_PAGES", "crawl.max_pages"},
	{"WSTK_MAX_DEPTH", "crawl.max_depth"},
	{"WSTK_RATE_LIMIT_MS", "crawl.rate_limit_ms"},
	{"WSTK_STALE_AFTER", "crawl.stale_after"},
	{"WSTK_API_TOKENS", "api.tokens"},
	{"WSTK_API_TOKEN", "api.tokens"},
	{"WSTK_BUCKET", "cloud.bucket"},
	{"WSTK_RECORDS_TABLE", "cloud.records"},
	{"WSTK_FRONTIER_TABLE", "cloud.frontier"},
	{"WSTK_HOSTS_TABLE", "cloud.hosts"},
	{"WSTK_CRAWL_QUEUE", "cloud.queue.crawl"},
	{"WSTK_FETCH_QUEUE", "cloud.queue.fetch"},
	{"WSTK_SUMMARIZE_QUEUE", "cloud.queue.summarize"},
	{"WSTK_INDEX_QUEUE", "cloud.queue.index"},
	{"WSTK_EXTRACT_MACHINE", "cloud.machine.extract"},
	{"WSTK_SEARCH", "cloud.search"},
	{"WSTK_SEARCH_MODE", "cloud.search_mode"},
	{"WSTK_VECTOR_ENGINE", "cloud.engine"},
	{"WSTK_TOKEN_SECRET", "cloud.token_secret"},
}

// LoadConfig reads the defaults, the user's file, the project's file in dir and the
// environment, in rising order. A missing file is fine; a malformed or
// unreadable one, an unknown key or a bad value is Invalid and names its place.
// Flags are applied by the door with Set.
func LoadConfig(getenv func(string) string, dir string) (Config, error) {
	c := Config{Crawl: wstk.DefaultCrawlOptions(), MaxBytes: 5 << 20, LogLevel: "warn", Origin: map[string]string{}}
	home := getenv("HOME")
	c.DataDir = xdg(getenv, "XDG_DATA_HOME", home, ".local/share")
	c.CacheDir = xdg(getenv, "XDG_CACHE_HOME", home, ".cache")
	user := filepath.Join(xdg(getenv, "XDG_CONFIG_HOME", home, ".config"), "config.toml")
	for _, path := range []string{user, filepath.Join(dir, ".wstk.toml")} {
		if err := c.readFile(path); err != nil {
			return Config{}, err
		}
	}
	for _, e := range environment {
		if v := getenv(e.name); v != "" {
			if err := c.Set(e.key, v, "environment"); err != nil {
				return Config{}, wstk.Errorf(wstk.Invalid, "reading "+e.name, "%w", err)
			}
		}
	}
	return c, nil
}

// xdg returns the tool's own folder under a base directory variable.
func xdg(getenv func(string) string, variable, home, fallback string) string {
	base := getenv(variable)
	if base == "" || !filepath.IsAbs(base) {
		if home == "" {
			home = os.TempDir()
		}
		base = filepath.Join(home, fallback)
	}
	return filepath.Join(base, "wstk")
}

func (c *Config) readFile(path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return wstk.Errorf(wstk.Invalid, "reading configuration", "%w", err)
	}
	var f file
	meta, err := toml.Decode(string(data), &f)
	if err != nil {
		return wstk.Errorf(wstk.Invalid, "reading "+path, "%w", err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return wstk.Errorf(wstk.Invalid, "reading "+path, "unknown key %q", unknown[0].String()).
			WithNext("remove the key, or see docs/operations.md for the keys there are")
	}
	for _, v := range f.values() {
		if err := c.Set(v.key, v.value, path); err != nil {
			return wstk.Errorf(wstk.Invalid, "reading "+path, "%w", err)
		}
	}
	return nil
}

type setting struct{ key, value string }

// values lists what the file sets, as text, so that files, variables and flags all
// pass the one parser of Set.
func (f *file) values() []setting {
	var out []setting
	text := func(key string, p *string) {
		if p != nil {
			out = append(out, setting{key, *p})
		}
	}
	number := func(key string, p *int) {
		if p != nil {
			out = append(out, setting{key, strconv.Itoa(*p)})
		}
	}
	list := func(key string, l []string) {
		if l != nil {
			out = append(out, setting{key, strings.Join(l, ",")})
		}
	}
	text("data_dir", f.DataDir)
	text("cache_dir", f.CacheDir)
	text("timeout", f.Timeout)
	text("log_level", f.LogLevel)
	text("fetch.proxy", f.Fetch.Proxy)
	text("fetch.user_agent", f.Fetch.UserAgent)
	text("fetch.contact", f.Fetch.Contact)
	if f.Fetch.AllowPrivate != nil {
		out = append(out, setting{"fetch.allow_private", strconv.FormatBool(*f.Fetch.AllowPrivate)})
	}
	text("fetch.robots", f.Fetch.Robots)
	list("fetch.allow_domains", f.Fetch.AllowDomains)
	list("fetch.block_domains", f.Fetch.BlockDomains)
	if f.Fetch.MaxBytes != nil {
		out = append(out, setting{"fetch.max_bytes", strconv.FormatInt(*f.Fetch.MaxBytes, 10)})
	}
	number("crawl.max_pages", f.Crawl.MaxPages)
	number("crawl.max_depth", f.Crawl.MaxDepth)
	number("crawl.rate_limit_ms", f.Crawl.RateLimitMS)
	list("crawl.include", f.Crawl.Include)
	list("crawl.exclude", f.Crawl.Exclude)
	text("crawl.stale_after", f.Crawl.StaleAfter)
	return out
}

// Set gives one setting its value from text and notes where it came from.
func (c *Config) Set(key, value, origin string) error {
	var err error
	switch key {
	case "data_dir":
		c.DataDir, err = filepath.Abs(value)
	case "cache_dir":
		c.CacheDir, err = filepath.Abs(value)
	case "timeout":
		c.Timeout, err = ParseDuration(value)
	case "log_level":
		c.LogLevel, err = oneOf(value, "debug", "info", "warn", "error")
	case "fetch.proxy":
		c.Proxy = value
	case "fetch.user_agent":
		c.UserAgent = value
	case "fetch.contact":
		c.Contact = value
	case "fetch.allow_private":
		c.AllowPrivate, err = strconv.ParseBool(value)
	case "fetch.robots":
		var s string
		s, err = oneOf(value, "respect", "warn", "ignore")
		c.Robots = wstk.RobotsPolicy(s)
	case "fetch.allow_domains":
		c.AllowDomains = splitList(value)
	case "fetch.block_domains":
		c.BlockDomains = splitList(value)
	case "fetch.max_bytes":
		c.MaxBytes, err = strconv.ParseInt(value, 10, 64)
		if err == nil && c.MaxBytes < 1 {
			err = errors.New("must be at least 1")
		}
	case "crawl.max_pages":
		c.Crawl.MaxPages, err = atLeast(value, 1)
	case "crawl.max_depth":
		c.Crawl.MaxDepth, err = atLeast(value, 0)
	case "crawl.rate_limit_ms":
		var ms int
		ms, err = atLeast(value, 0)
		c.Crawl.RateLimit = time.Duration(ms) * time.Millisecond
	case "crawl.include":
		c.Crawl.Include = splitList(value)
	case "crawl.exclude":
		c.Crawl.Exclude = splitList(value)
	case "crawl.stale_after":
		c.Crawl.StaleAge, err = ParseDuration(value)
	case "api.tokens":
		if err := c.APITokens.add(value); err != nil {
			return wstk.Errorf(wstk.Invalid, key, "%w", err) // without the value
		}
	default:
		err = c.Cloud.set(key, value)
	}
	if err != nil {
		return wstk.Errorf(wstk.Invalid, key+" = "+strconv.Quote(value), "%w", err)
	}
	c.Origin[key] = origin
	return nil
}

// set gives one name its value.
func (c *Cloud) set(key, value string) (err error) {
	named := func(m *map[string]string, name string) {
		if *m == nil {
			*m = map[string]string{}
		}
		(*m)[name] = value
	}
	switch key {
	case "cloud.bucket":
		c.Bucket = value
	case "cloud.records":
		c.Records = value
	case "cloud.frontier":
		c.Frontier = value
	case "cloud.hosts":
		c.Hosts = value
	case "cloud.queue.crawl", "cloud.queue.fetch", "cloud.queue.summarize", "cloud.queue.index":
		named(&c.Queues, strings.TrimPrefix(key, "cloud.queue."))
	case "cloud.machine.extract":
		named(&c.Machines, "extract")
	case "cloud.search":
		c.Search = value
	case "cloud.search_mode":
		c.SearchMode, err = oneOf(value, "serverless", "domain")
	case "cloud.engine":
		c.Engine, err = oneOf(value, "faiss", "lucene")
	case "cloud.token_secret":
		c.TokenSecret = value
	default:
		err = errors.New("there is no such setting")
	}
	return err
}

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
		if n < 0 || n > 1e9 {
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

func splitList(s string) []string {
	var out []string
	for _, part := range strings.Split(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

func oneOf(s string, allowed ...string) (string, error) {
	for _, a := range allowed {
		if s == a {
			return s, nil
		}
	}
	return "", fmt.Errorf("must be one of %s", strings.Join(allowed, ", "))
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
