package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Project is what the project's settings file did. The author of a repository is not the
// operator: the file may ask for less and be stricter, and nothing else.
type Project struct {
	Path string   // of the file; "" without one
	Set  []string // keys it set
	Lost []string // keys it holds that a flag or a variable set otherwise
}

const (
	// projectFile is the name of a project's settings file.
	projectFile = ".wstk.toml"

	// maxProjectFile is the largest one, in bytes.
	maxProjectFile = 64 << 10
)

// projectRule says whether a project may give a setting the value that c has for it;
// operator is the configuration without the project. A rule may join both values in c.
type projectRule func(operator Config, c *Config) error

// projectKeys are the settings a project may make. Every other is refused by its name.
var projectKeys = map[string]projectRule{
	"search.max_results": anything,
	"log_level":          anything,

	"timeout": func(operator Config, c *Config) error {
		limit := operator.Timeout
		if limit == 0 {
			limit = OnePageTime
		}
		if c.Timeout > limit || c.Timeout == 0 && operator.Timeout != 0 {
			return fmt.Errorf("is above the operator's limit of %s", limit)
		}
		return nil
	},

	"search.order":   ordered(func(c *Config) *[]string { return &c.Search.Order }),
	"pipeline.order": ordered(func(c *Config) *[]string { return &c.Search.Pipeline }),
	"eval.order":     ordered(func(c *Config) *[]string { return &c.Search.Eval }),

	"policy": stricter(func(c *Config) Policy { return c.Policy },
		PolicyPermissive, PolicyStandard, PolicyStrict),
	"fetch.robots": stricter(func(c *Config) wstk.RobotsPolicy { return c.Robots },
		wstk.RobotsIgnore, wstk.RobotsWarn, "", wstk.RobotsRespect),
	"fetch.usage": stricter(func(c *Config) wstk.UsagePolicy { return c.Usage },
		wstk.UsageIgnore, wstk.UsageWarn, wstk.UsageRespect),
	"fetch.need_allow_domain": stricter(func(c *Config) bool { return c.NeedAllow }, false, true),
	"redact":                  stricter(func(c *Config) bool { return c.Redact }, false, true),
	"api.scrub_queries": stricter(func(c *Config) bool { return c.ScrubQueries },
		false, true),
	"search.safe_search": stricter(func(c *Config) wstk.SafeSearch { return c.Search.SafeSearch },
		wstk.SafeSearchOff, wstk.SafeSearchModerate, wstk.SafeSearchOn),

	"fetch.max_bytes":     noMore(func(c *Config) int64 { return c.MaxBytes }),
	"fetch.tries":         noMore(func(c *Config) int { return c.Tries }),
	"crawl.max_pages":     noMore(func(c *Config) int { return c.Crawl.MaxPages }),
	"crawl.max_depth":     noMore(func(c *Config) int { return c.Crawl.MaxDepth }),
	"crawl.rate_limit_ms": noMore(func(c *Config) time.Duration { return -c.Crawl.RateLimit }),

	"fetch.allow_domains": narrowed(func(c *Config) *[]string { return &c.AllowDomains },
		func(a, b string) bool { return text.Under(a, []string{b}) != "" }),
	"crawl.include": narrowed(func(c *Config) *[]string { return &c.Crawl.Include },
		func(a, b string) bool { return a == b }),
	"fetch.block_domains":     grown(func(c *Config) *[]string { return &c.BlockDomains }),
	"fetch.sensitive_domains": grown(func(c *Config) *[]string { return &c.Sensitive }),
	"crawl.exclude":           grown(func(c *Config) *[]string { return &c.Crawl.Exclude }),
}

func anything(Config, *Config) error { return nil }

// stricter allows what stands in the list no earlier than the operator's value.
func stricter[T comparable](of func(*Config) T, laxFirst ...T) projectRule {
	return func(operator Config, c *Config) error {
		if slices.Index(laxFirst, of(c)) < slices.Index(laxFirst, of(&operator)) {
			return errors.New("is less strict than the operator's value")
		}
		return nil
	}
}

func noMore[T int | int64 | time.Duration](of func(*Config) T) projectRule {
	return func(operator Config, c *Config) error {
		if of(c) > of(&operator) {
			return errors.New("goes beyond what the operator allows")
		}
		return nil
	}
}

// grown adds the operator's entries to the project's.
func grown(at func(*Config) *[]string) projectRule {
	return func(operator Config, c *Config) error {
		list := slices.Clone(*at(&operator))
		for _, entry := range *at(c) {
			if !slices.Contains(list, entry) {
				list = append(list, entry)
			}
		}
		*at(c) = list
		return nil
	}
}

// narrowed allows entries that lie within one of the operator's, or any where the operator
// has no list. A list without entries would allow everything.
func narrowed(at func(*Config) *[]string, within func(entry, list string) bool) projectRule {
	return func(operator Config, c *Config) error {
		mine, theirs := *at(c), *at(&operator)
		if len(theirs) == 0 {
			return nil
		}
		if len(mine) == 0 {
			return errors.New("removes a list that the operator has")
		}
		for _, entry := range mine {
			if !slices.ContainsFunc(theirs, func(of string) bool { return within(entry, of) }) {
				return fmt.Errorf("has %q, which is not on the operator's list", entry)
			}
		}
		return nil
	}
}

// ordered allows providers that the operator enabled, and those alone that are in an order
// of the operator's.
func ordered(at func(*Config) *[]string) projectRule {
	return func(operator Config, c *Config) error {
		order := *at(&operator)
		if len(order) == 0 {
			order = operator.Search.Order
		}
		for _, name := range *at(c) {
			p, _ := operator.Settings.provider(name)
			if len(order) > 0 {
				if !slices.ContainsFunc(order, func(o string) bool {
					return o == p.ID || slices.Contains(p.Aliases, o)
				}) {
					return fmt.Errorf("names %s, which is not in the operator's order", p.ID)
				}
				continue
			}
			if !operator.enables(p) {
				return fmt.Errorf("names %s, which is not set up, or which auto may not choose",
					p.ID)
			}
		}
		return nil
	}
}

// enables reports whether a search provider has what it needs, and auto may choose it.
func (c Config) enables(p wstk.ProviderSetup) bool {
	o := c.Providers[p.ID]
	has := map[string]bool{wstk.SettingKey: o.Key != "", wstk.SettingBaseURL: o.BaseURL != "",
		wstk.SettingEngine: o.Engine != ""}
	for _, need := range p.Needs {
		if !has[need] {
			return false
		}
	}
	return p.AllowAuto == nil || o.AllowAuto || text.SelfHosted(o.BaseURL)
}

// readProject reads the project's file that counts in dir. operator is c with the policy's
// defaults: what the project may not go beyond.
func (c *Config) readProject(dir string, operator Config) error {
	path, err := findProject(dir)
	if err != nil || path == "" {
		return err
	}
	values, err := c.known().project(path)
	if err != nil {
		return err
	}
	c.Project.Path = path
	for _, key := range slices.Sorted(maps.Keys(values)) {
		s := c.known().of(key)
		rule := projectKeys[s.key]
		if rule == nil {
			return refusedKey(path, key, s)
		}
		scratch := *c
		scratch.Origin = maps.Clone(c.Origin)
		if err := scratch.Set(key, values[key], path); err != nil {
			return wstk.Errorf(wstk.Invalid, "reading "+path, "%w", err)
		}
		if from := c.Origin[s.key]; from == OriginFlag || from == originEnvironment {
			c.Project.Lost = append(c.Project.Lost, s.key)
			continue
		}
		if err := rule(operator, &scratch); err != nil {
			return wstk.Errorf(wstk.Invalid, "reading "+path,
				"%q %w; a project's file may only ask for less", key, err).
				Try(wstk.Advices("take the key out of "+path,
					"or set it yourself, in ~/.config/wstk/config.toml"+orVariable(s))...)
		}
		*c = scratch
		c.Project.Set = append(c.Project.Set, s.key)
	}
	return nil
}

func refusedKey(path, key string, s *setting) error {
	return wstk.Errorf(wstk.Invalid, "reading "+path, "%q is not read from a project's file, "+
		"since the author of a repository is not the operator of this machine", key).
		Try(wstk.Advices("put it into your own file, ~/.config/wstk/config.toml"+orVariable(s),
			"or take it out of "+path)...)
}

// orVariable names the variable that makes a setting.
func orVariable(s *setting) string {
	if len(s.env) == 0 {
		return ""
	}
	return ", or set " + s.env[0]
}

// findProject looks for the project's file in dir and, where dir lies in a repository (a
// folder with .git), in the folders above up to that one; the nearest counts. It is "" when
// there is none. Outside of a repository the folders above belong to others.
func findProject(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", wstk.Wrap(wstk.Invalid, "looking for "+projectFile, err)
	}
	folders := []string{dir}
	for at := dir; ; at = filepath.Dir(at) {
		if at != dir {
			folders = append(folders, at)
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			break
		}
		if filepath.Dir(at) == at {
			folders = folders[:1]
			break
		}
	}
	for _, folder := range folders {
		path := filepath.Join(folder, projectFile)
		switch _, err := os.Lstat(path); {
		case err == nil:
			return path, nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", wstk.Errorf(wstk.Invalid, "reading configuration", "%w", err)
		}
	}
	return "", nil
}

// project reads a project's file.
func (k *Settings) project(path string) (map[string]string, error) {
	data, err := ReadRegular(path, maxProjectFile)
	if err != nil {
		return nil, wstk.Errorf(wstk.Invalid, "reading "+path, "%w", err).
			Try(wstk.Advice("replace it with a regular file of at most 64 KiB, or remove it: " +
				path))
	}
	values, err := k.parse(path, data)
	if err != nil {
		return nil, k.knownButRefused(path, data, err)
	}
	return values, nil
}

// knownButRefused says of a key without its table that the setting is known and not a
// project's to make; of all else it is err.
func (k *Settings) knownButRefused(path string, data []byte, err error) error {
	var tree map[string]any
	if _, bad := toml.Decode(string(data), &tree); bad != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		if _, table := tree[key].(map[string]any); table {
			continue
		}
		if s := k.called(key); s != nil && k.of(key) == nil && projectKeys[s.key] == nil {
			return refusedKey(path, s.key, s)
		}
	}
	return err
}

// called is the setting whose key ends in this word, which lacks its table: the only
// one, else nil.
func (k *Settings) called(word string) *setting {
	var found *setting
	for _, s := range k.list {
		if strings.HasSuffix(s.key, "."+word) {
			if found != nil {
				return nil
			}
			found = k.of(s.key)
		}
	}
	return found
}

// Detail says what the file did, for doctor.
func (p Project) Detail() string {
	if p.Path == "" {
		return "no " + projectFile
	}
	said := p.Path + " sets " + strings.Join(p.Set, ", ")
	if len(p.Set) == 0 {
		said = p.Path + " sets nothing"
	}
	if len(p.Lost) > 0 {
		said += "; a flag or a variable wins over its " + strings.Join(p.Lost, ", ")
	}
	return said
}
