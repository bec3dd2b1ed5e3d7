package config

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"wstk/shared/wstk"
)

// ModelOptions name a language model. Without a Model there is none.
type ModelOptions struct {
	Provider string // id of its vendor
	Model    string // the vendor's name for it
	BaseURL  string // "" means the vendor's own
	Key      Secret
	KeyEnv   string // variable that holds the key, in place of the usual ones; "" means those
	// of an operation but rewrite: in place of the built-in prompt; read anew for each call
	PromptFile string

	// the name as it was given, if what precedes its first colon is no vendor; else ""
	unclear string
}

// VendorOptions are what is set for all models of one vendor.
type VendorOptions struct {
	BaseURL string // "" means the vendor's own
	Key     Secret
}

// ModelFor returns the model for an operation. What the operation does not set is that of all
// operations, where the vendor is the same. A key goes only to the address it was set for: an
// address of the operation's own gets the key that its key_env names, or none. A model that a
// flag names does all operations.
func (c Config) ModelFor(op wstk.Operation) ModelOptions {
	own := c.Models[op]
	if c.Origin["model.model"] == OriginFlag {
		own = ModelOptions{}
	}
	out, vendor := own, c.Vendors[own.Provider]
	if own.Provider == "" || own.Provider == c.Model.Provider {
		all := c.Model
		vendor = c.Vendors[all.Provider]
		// the vendor's variable is before a file
		if vendor.BaseURL != "" && c.Origin["model.base_url"] != originEnvironment {
			all.BaseURL = vendor.BaseURL
		}
		out.Provider = all.Provider
		if own.Model == "" {
			out.Model = all.Model
		}
		if own.BaseURL == "" {
			out.BaseURL = all.BaseURL
			if own.KeyEnv == "" {
				out.KeyEnv, out.Key = all.KeyEnv, all.Key
			}
		}
	}
	if own.BaseURL == "" {
		if out.BaseURL == "" {
			out.BaseURL = vendor.BaseURL
		}
		if out.Key == "" && own.KeyEnv == "" {
			out.Key = vendor.Key
		}
	}
	return out
}

// readKeys reads the keys whose variables are named in settings.
func (c *Config) readKeys(getenv func(string) string) error {
	read := func(o ModelOptions) (Secret, error) {
		v := ""
		if o.KeyEnv != "" {
			v = getenv(o.KeyEnv)
		}
		key, err := keyFrom(v)
		if err != nil {
			return "", wstk.Errorf(wstk.Invalid, "reading "+o.KeyEnv, "%w", err)
		}
		return key, nil
	}
	var err error
	if c.Model.Key, err = read(c.Model); err != nil {
		return err
	}
	models := maps.Clone(c.Models)
	for op, o := range models {
		if o.Key, err = read(o); err != nil {
			return err
		}
		models[op] = o
	}
	c.Models = models
	return nil
}

// modelSettings are those of the model for all operations (op is "") or for one.
func modelSettings(op wstk.Operation) []setting {
	section, env := "model", "WSTK_MODEL"
	if op != "" {
		section, env = "model."+string(op), "WSTK_MODEL_"+strings.ToUpper(string(op))
	}
	change := func(
		set func(c *Config, o *ModelOptions, v string) error,
	) func(*Config, string) error {
		return func(c *Config, v string) error {
			if op == "" {
				return set(c, &c.Model, v)
			}
			o := c.Models[op]
			if err := set(c, &o, v); err != nil {
				return err
			}
			models := maps.Clone(c.Models)
			if models == nil {
				models = map[wstk.Operation]ModelOptions{}
			}
			models[op], c.Models = o, models
			return nil
		}
	}
	list := []setting{
		{key: section + ".provider", env: one(env + "_PROVIDER"), set: change(setModelProvider)},
		{key: section + ".model", env: one(env), set: change(setModelName)},
		{key: section + ".base_url", env: one(env + "_BASE_URL"),
			set: change(func(_ *Config, o *ModelOptions, v string) (err error) {
				o.BaseURL, err = modelAddress(v)
				return err
			})},
		{key: section + ".key_env", env: one(env + "_KEY_ENV"), set: change(setModelKeyEnv)},
	}
	if op != "" && op != wstk.OpRewrite {
		list = append(list, setting{key: section + ".prompt_file", env: one(env + "_PROMPT"),
			path: true, set: change(func(_ *Config, o *ModelOptions, v string) (err error) {
				o.PromptFile, err = filepath.Abs(v)
				return err
			})})
	}
	return list
}

func setModelProvider(c *Config, o *ModelOptions, v string) error {
	if ids := c.known().modelVendors(); !slices.Contains(ids, v) {
		return fmt.Errorf("must be one of %s", strings.Join(ids, ", "))
	}
	o.Provider = v
	return nil
}

// setModelName takes NAME or PROVIDER:NAME. Names have colons, too: see checkModelNames.
func setModelName(c *Config, o *ModelOptions, v string) error {
	name, provider := v, ""
	for _, id := range c.known().modelVendors() {
		if rest, ok := strings.CutPrefix(v, id+":"); ok {
			name, provider = rest, id
		}
	}
	if strings.TrimSpace(name) == "" {
		return fmt.Errorf("%q names no model", v)
	}
	o.Model, o.unclear = name, ""
	switch {
	case provider != "":
		o.Provider = provider
	case strings.Contains(v, ":"):
		o.unclear = v
	}
	return nil
}

// checkModelNames refuses a name whose first part may be meant as an unknown vendor: the words
// of pages would go to another. Where the provider is set, too, all of it is the name.
func (c Config) checkModelNames() error {
	check := func(section string, o ModelOptions) error {
		if o.unclear == "" || c.Origin[section+".provider"] != "" ||
			c.Origin["model.provider"] != "" {
			return nil
		}
		before, _, _ := strings.Cut(o.unclear, ":")
		ids := c.known().modelVendors()
		err := wstk.Errorf(wstk.Invalid, section+".model", "%q is no vendor of models; there are %s",
			before, strings.Join(ids, ", "))
		if len(ids) > 0 {
			err = err.Try(wstk.Advice("write the vendor before the name, such as " + ids[0] + ":" +
				o.unclear))
		}
		return err
	}
	if err := check("model", c.Model); err != nil {
		return err
	}
	for _, op := range wstk.Operations() {
		if err := check("model."+string(op), c.Models[op]); err != nil {
			return err
		}
	}
	return nil
}

func setModelKeyEnv(_ *Config, o *ModelOptions, v string) error {
	if !variableName().MatchString(v) {
		return errors.New("must be the name of an environment variable, never a key")
	}
	o.KeyEnv = v
	return nil
}

// modelAddress is a base address, without the path that some manuals write behind it.
func modelAddress(v string) (string, error) {
	v = strings.Trim(v, "<>") // as Markdown writes addresses
	if err := serviceAddress(v); err != nil {
		return "", err
	}
	v = strings.TrimRight(v, "/")
	return strings.TrimSuffix(strings.TrimSuffix(v, "/chat/completions"), "/messages"), nil
}

// serviceAddress returns an error for what no request could be sent to.
func serviceAddress(v string) error {
	u, err := url.Parse(v)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return errors.New("must be a URL such as http://127.0.0.1:11434/v1")
	}
	if port, err := strconv.Atoi(u.Port()); u.Port() != "" && (err != nil || port < 1 || port > 65535) {
		return fmt.Errorf("has the port %s; ports are 1 to 65535", u.Port())
	}
	return nil
}

// keyFrom is a key that fits into a header; "" stays "".
func keyFrom(v string) (Secret, error) {
	if strings.ContainsFunc(v, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", errors.New("the key holds blanks or letters beyond ASCII, which a header " +
			"cannot hold")
	}
	return Secret(v), nil
}

// ofVendor are the settings of all models of a vendor.
func ofVendor(m wstk.ModelSetup) []setting {
	change := func(c *Config, set func(*VendorOptions)) {
		vendors := maps.Clone(c.Vendors)
		if vendors == nil {
			vendors = map[string]VendorOptions{}
		}
		o := vendors[m.ID]
		set(&o)
		vendors[m.ID], c.Vendors = o, vendors
	}
	var out []setting
	if m.Key != nil {
		out = append(out, setting{key: "model." + m.ID + ".key", env: m.Key, secret: true,
			set: func(c *Config, v string) error {
				key, err := keyFrom(v)
				change(c, func(o *VendorOptions) { o.Key = key })
				return err
			}})
	}
	if m.BaseURL != nil {
		out = append(out, setting{key: "model." + m.ID + ".base_url", env: m.BaseURL,
			set: func(c *Config, v string) error {
				address, err := modelAddress(v)
				change(c, func(o *VendorOptions) { o.BaseURL = address })
				return err
			}})
	}
	return out
}

// modelVendors are the ids of all vendors of models.
func (k *Settings) modelVendors() (ids []string) {
	for _, m := range k.models {
		ids = append(ids, m.ID)
	}
	return ids
}
