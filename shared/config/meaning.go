package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"wstk/shared/wstk"
)

// EmbedderOptions name what makes vectors of the words of pages.
type EmbedderOptions struct {
	ServiceOptions
	Dimension int     // numbers in a vector; 0 means what suits the model
	Weight    float64 // of vectors in a search, beside the words with 1; 0 means the model's own
}

// RerankerOptions name what orders the first hits of a search anew.
type RerankerOptions struct {
	ServiceOptions
	Top int // how many hits it reads
}

// ServiceOptions name a model that embeds or reranks.
type ServiceOptions struct {
	Provider string            // Local, None, or a vendor
	Model    string            // the vendor's name for it; "" means the vendor's default
	BaseURL  string            // "" means the vendor's own
	KeyEnv   string            // variable with the key, in place of the usual ones; "" means those
	Keys     map[string]Secret // by vendor; under "" that of any vendor
}

// Key is the vendor's key; "" if there is none.
func (o ServiceOptions) Key() Secret {
	if key := o.Keys[""]; key != "" || o.KeyEnv != "" {
		return key
	}
	return o.Keys[o.Provider]
}

// Remote reports whether a service is asked.
func (o ServiceOptions) Remote() bool {
	return o.Provider != "" && o.Provider != Local && o.Provider != None
}

// Keyless reports whether the vendor's own address would be asked, which wants a key, and there
// is none.
func (o ServiceOptions) Keyless() bool {
	return o.Remote() && o.Provider != Bedrock && o.BaseURL == "" && o.Key() == ""
}

// KeyVariable is the variable that holds the key of a service that does kind, embedder or reranker:
// the one that the operator named, or the vendor's first; "" for a vendor without keys.
func (o ServiceOptions) KeyVariable(kind string) string {
	keys := map[string]vendorKeys{"embedder": embedderKeys, "reranker": rerankerKeys}[kind]
	if names := keys[o.Provider]; o.KeyEnv == "" && len(names) > 0 {
		return names[0]
	}
	return o.KeyEnv
}

// Providers of embedders and rerankers that are no vendors.
const (
	Local   = "local"   // a model that was added on this machine
	None    = "none"    // nothing
	Bedrock = "bedrock" // in the cloud alone
)

// vendorKeys are the variables with the keys of vendors.
type vendorKeys map[string][]string

var (
	embedderKeys = vendorKeys{"openai": {"OPENAI_API_KEY", "OPENAI_KEY"},
		"cohere": {"COHERE_API_KEY", "CO_API_KEY"}, "gemini": {"GEMINI_API_KEY", "GOOGLE_API_KEY"},
		"voyage": {"VOYAGE_API_KEY"}}
	rerankerKeys = vendorKeys{"cohere": {"COHERE_API_KEY", "CO_API_KEY"}, "jina": {"JINA_API_KEY"},
		"zeroentropy": {"ZEROENTROPY_API_KEY"}}
)

// EmbedderVendors and RerankerVendors are the vendors that can be named, in order.
func EmbedderVendors() []string { return slices.Sorted(maps.Keys(embedderKeys)) }

// RerankerVendors are those of rerankers.
func RerankerVendors() []string { return slices.Sorted(maps.Keys(rerankerKeys)) }

// meaningSettings are those of embedders, rerankers, and of how recall uses them.
func meaningSettings() []setting {
	out := slices.Concat(
		ofService("embedder", embedderKeys,
			func(c *Config) *ServiceOptions { return &c.Embedder.ServiceOptions }),
		[]setting{
			{key: "embedder.dimension", env: one("WSTK_EMBEDDER_DIMENSION"),
				set: func(c *Config, v string) (err error) {
					c.Embedder.Dimension, err = atLeast(v, 1)
					if err == nil && c.Embedder.Dimension > wstk.MaxDimension {
						err = fmt.Errorf("must be at most %d", wstk.MaxDimension)
					}
					return err
				}},
			{key: "embedder.weight", env: one("WSTK_EMBEDDER_WEIGHT"),
				set: func(c *Config, v string) error {
					f, err := strconv.ParseFloat(v, 64)
					if err != nil || !(f > 0 && f <= 2) {
						return errors.New("must be a number above 0, at most 2")
					}
					c.Embedder.Weight = f
					return nil
				}},
		},
		ofService("reranker", rerankerKeys,
			func(c *Config) *ServiceOptions { return &c.Reranker.ServiceOptions }),
		[]setting{
			{key: "reranker.top", env: one("WSTK_RERANKER_TOP"),
				set: func(c *Config, v string) (err error) {
					if c.Reranker.Top, err = atLeast(v, 2); err == nil && c.Reranker.Top > 1000 {
						err = errors.New("must be at most 1000")
					}
					return err
				}},
			{key: "recall.fusion", env: one("WSTK_RECALL_FUSION"),
				set: choice(func(c *Config) *string { return &c.Fusion }, "zscore", "rrf")},
		})
	for i := range out { // the name that others have for it
		if out[i].key == "reranker.provider" {
			out[i].env = append(out[i].env, "RERANKER_PROVIDER")
		}
	}
	return out
}

// ofService are the settings that embedders and rerankers share.
func ofService(name string, keys vendorKeys, at func(*Config) *ServiceOptions) []setting {
	upper := "WSTK_" + strings.ToUpper(name) + "_"
	allowed := slices.Concat([]string{None, Local, Bedrock}, slices.Sorted(maps.Keys(keys)))
	out := []setting{
		{key: name + ".provider", env: one(upper + "PROVIDER"),
			set: choice(func(c *Config) *string { return &at(c).Provider }, allowed...)},
		{key: name + ".model", env: one(upper + "MODEL"),
			set: words(func(c *Config) *string { return &at(c).Model })},
		{key: name + ".base_url", env: one(upper + "BASE_URL"),
			set: func(c *Config, v string) error {
				v = strings.Trim(v, "<>") // as Markdown writes addresses
				if err := serviceAddress(v); err != nil {
					return err
				}
				at(c).BaseURL = strings.TrimRight(v, "/")
				return nil
			}},
		{key: name + ".key_env", env: one(upper + "KEY_ENV"),
			set: func(c *Config, v string) error {
				if !variableName().MatchString(v) {
					return errors.New("must be the name of an environment variable, never a key")
				}
				at(c).KeyEnv = v
				return nil
			}},
		{key: name + ".key", secret: true, set: serviceKey("", at), env: one(upper + "KEY")},
	}
	for _, vendor := range slices.Sorted(maps.Keys(keys)) {
		out = append(out, setting{key: name + ".key." + vendor, secret: true, env: keys[vendor],
			set: serviceKey(vendor, at)})
	}
	return out
}

// serviceKey sets the key of a vendor. Copies of a Config share nothing that it changes.
func serviceKey(vendor string, at func(*Config) *ServiceOptions) func(*Config, string) error {
	return func(c *Config, v string) error {
		if strings.ContainsFunc(v, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return errors.New("the key holds blanks or letters beyond ASCII, which a header " +
				"cannot hold")
		}
		m := maps.Clone(at(c).Keys)
		if m == nil {
			m = map[string]Secret{}
		}
		m[vendor], at(c).Keys = Secret(v), m
		return nil
	}
}
