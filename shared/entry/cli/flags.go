package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"wstk/shared/config"
)

// settingFlags are the flags that give a setting its value, by name: the setting's key,
// and the value where the flag itself says no.
var settingFlags = map[string]struct{ key, value string }{
	"data-dir":           {key: "data_dir"},
	"cache-dir":          {key: "cache_dir"},
	"evidence-dir":       {key: "evidence_dir"},
	"policy":             {key: "policy"},
	"timeout":            {key: "timeout"},
	"redact":             {key: "redact"},
	"no-redact":          {key: "redact", value: "false"},
	"no-cache":           {key: "cache.off"},
	"cache":              {key: "cache.off", value: "false"},
	"fresh":              {key: "cache.fresh"},
	"no-fresh":           {key: "cache.fresh", value: "false"},
	"cache-ttl":          {key: "cache.ttl"},
	"cache-max-mb":       {key: "cache.max_mb"},
	"cache-store":        {key: "cache.store"},
	"proxy":              {key: "fetch.proxy"},
	"user-agent":         {key: "fetch.user_agent"},
	"robots":             {key: "fetch.robots"},
	"usage":              {key: "fetch.usage"},
	"allow-private":      {key: "fetch.allow_private"},
	"allow-domain":       {key: "fetch.allow_domains"},
	"block-domain":       {key: "fetch.block_domains"},
	"max-bytes":          {key: "fetch.max_bytes"},
	"tries":              {key: "fetch.tries"},
	"method":             {key: "extract.method"},
	"browser":            {key: "render.browser"},
	"access":             {key: "access.on"},
	"no-access":          {key: "access.on", value: "false"},
	"max-results":        {key: "search.max_results"},
	"model":              {key: "model.model"},
	"decomposition-mode": {key: "answer.decomposition_mode"},
	"region":             {key: "search.region"},
	"safe-search":        {key: "search.safe_search"},
	"max-pages":          {key: "crawl.max_pages"},
	"max-depth":          {key: "crawl.max_depth"},
	"rate-limit-ms":      {key: "crawl.rate_limit_ms"},
	"render":             {key: "crawl.render"},
	"no-render":          {key: "crawl.render", value: "false"},
	"include":            {key: "crawl.include"},
	"exclude":            {key: "crawl.exclude"},
}

// noSetting marks a flag that has the name of one in settingFlags and sets something else.
const noSetting = "no setting"

// given are the settings that the flags of a command set, in the order they were given.
func given(flags *pflag.FlagSet) []config.Flag {
	flags.SortFlags = false
	var out []config.Flag
	flags.Visit(func(f *pflag.Flag) {
		s, ok := settingFlags[f.Name]
		if !ok || f.Annotations[noSetting] != nil {
			return
		}
		value := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(list.GetSlice(), ",")
		}
		if s.value != "" {
			if value == "false" { // --no-redact=false
				value = "true"
			} else {
				value = s.value
			}
		}
		out = append(out, config.Flag{Name: f.Name, Key: s.key, Value: value})
	})
	return out
}

func (c *command) globalFlags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.BoolVar(&c.json, "json", false, "print one JSON object on standard output, nothing else")
	f.BoolVar(&c.pretty, "pretty", false, "indent the JSON (implies --json)")
	f.BoolVar(&c.plain, "plain", false,
		"print stable lines for pipes: addresses, a path, the content")
	f.BoolVar(&c.quiet, "quiet", false, "no progress and no warnings on standard error")
	f.BoolVar(&c.verbose, "verbose", false, "log what is done on standard error")
	f.BoolVar(&c.noColor, "no-color", false, "no colours (also NO_COLOR or TERM=dumb)")
	f.BoolVar(&c.noInput, "no-input", false, "never ask and open no window")
	f.String("timeout", "", "time limit of the whole command, such as 90, 90s or 10m (default "+
		"60s for one page, 5m for others, none for crawls, eval, models index and serve); "+
		"a crawl then ends partial")
	f.String("policy", "", "set of defaults: standard, strict or permissive; other settings "+
		"override it")
	f.String("robots", "", "robots.txt: warn, respect or ignore (one page: warn; crawls: respect)")
	f.String("usage", "", "what to do if a site does not want models to read its pages: "+
		"warn, respect or ignore")
	f.StringSlice("allow-domain", nil, "only use these domains and their subdomains (repeatable)")
	f.StringSlice("block-domain", nil, "never use these domains and their subdomains (repeatable)")
	f.Bool("allow-private", false,
		"open loopback and private addresses; cloud metadata stays closed (WSTK_ALLOW_PRIVATE)")
	f.String("proxy", "", "HTTP proxy; proxy variables of the environment are ignored")
	f.String("user-agent", "",
		"User-Agent to send; robots.txt is matched against its product token")
	f.Bool("fresh", false, "read nothing from the cache, fetch every page again")
	f.Bool("no-cache", false,
		"neither read nor write the cache, and keep evidence only in --evidence-dir")
	f.String("cache-dir", "", "where the cache is (WSTK_CACHE_DIR)")
	f.String("cache-ttl", "", "how old a cached copy may be, such as 24h or 7d (default 7d)")
	f.Int("cache-max-mb", 0,
		"size limit of cache and evidence; the least recently used entries are removed (default 1024)")
	f.String("cache-store", "", "full, or metadata: keep neither bodies nor evidence")
	f.String("evidence-dir", "", "folder for evidence: bodies, Markdown, screenshots, manifest "+
		"(default: evidence in the cache)")
	f.Bool("redact", false, "hide secrets and personal data in output and log; it does not find "+
		"all of them")
	f.String("data-dir", "", "where sites, pages and proof are kept (WSTK_DATA_DIR)")
	for _, name := range []string{"cache", "no-fresh", "no-redact"} {
		f.Bool(name, false, "")
		hide(f, name)
	}
}

// negatable adds a flag with both of its spellings: --name and --no-name.
func negatable(f *pflag.FlagSet, v *bool, name, usage string) {
	f.BoolVar(v, name, *v, usage)
	f.VarPF((*inverse)(v), "no-"+name, "", "").NoOptDefVal = "true"
	hide(f, "no-"+name)
}

// count adds a flag for a number of things that is at least 1, and at most most where that
// is not 0. Without the flag, v stays as it is.
func count(f *pflag.FlagSet, v *int, name, short string, most int, usage string) {
	f.VarP(counted{v, most}, name, short, usage)
}

// counted is the value of a count.
type counted struct {
	n    *int
	most int
}

func (v counted) Set(s string) error {
	n, err := strconv.ParseInt(s, 10, 0)
	switch {
	case err != nil:
		return err
	case n < 1:
		return errors.New("must be at least 1")
	case v.most > 0 && n > int64(v.most):
		return fmt.Errorf("must be at most %d", v.most)
	}
	*v.n = int(n)
	return nil
}

func (v counted) String() string {
	if v.n == nil || *v.n == 0 {
		return ""
	}
	return strconv.Itoa(*v.n)
}

func (v counted) Type() string { return "int" }

// hide leaves a flag out of the help: the other spelling stands there.
func hide(f *pflag.FlagSet, name string) {
	if err := f.MarkHidden(name); err != nil {
		panic(err) // the flag was defined a line ago
	}
}

// inverse is a bool that is set to the opposite.
type inverse bool

func (v *inverse) Set(s string) error {
	b, err := strconv.ParseBool(s)
	*v = inverse(!b)
	return err
}

func (v *inverse) String() string { return strconv.FormatBool(!bool(*v)) }

func (v *inverse) Type() string { return "bool" }
