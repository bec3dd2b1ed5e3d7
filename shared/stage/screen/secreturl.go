package screen

import (
	"net/url"
	"slices"
	"strings"
)

// WarnSecretURL is the code of the warning that an address carries what should not
// be stored or passed on. It names the parameter and never its value.
const WarnSecretURL = "secret_url"

// secretParameter reports whether a parameter of a URL carries a credential. withState
// reports whether the URL also has a parameter state, as an OAuth redirect does.
func secretParameter(name, value string, withState bool) bool {
	name = strings.ToLower(name)
	if v, err := url.QueryUnescape(value); err == nil {
		value = v
	}
	if len(value) < 4 || placeholderValue(value) ||
		slices.Contains([]string{"true", "false", "null", "none"}, strings.ToLower(value)) ||
		first(name, phrases("public parameters")) != "" {
		return false
	}
	switch {
	case name == "code":
		return len(value) >= 6 && withState || len(value) >= 20 && randomParameter(value)
	case among("vague parameters", name):
		return len(name) > 1 && randomParameter(value)
	case among("sure parameters", name), strings.HasSuffix(name, "password"):
		return true
	case among("plain parameters", name), slices.ContainsFunc(phrases("plain parameter ends"),
		func(end string) bool { return strings.HasSuffix(name, end) }):
		_, _, digits, _ := classes(value)
		return digits > 0 || len(value) >= 12 && !plainWord(value)
	}
	return false
}

// randomParameter reports whether the value of a parameter looks random.
func randomParameter(v string) bool {
	lower, upper, digits, _ := classes(v)
	return len(v) >= 16 && digits >= 2 && lower+upper >= 2 && entropy(v) >= 3 && !wordy(v)
}

// plainWord reports whether v is letters and joining signs only, in one case.
func plainWord(v string) bool {
	_, upper, digits, _ := classes(v)
	return digits == 0 && upper <= 1
}

// SecretURL returns the names of what makes an address a secret, in the order in which
// they stand in it: parameters of its query, path and fragment such as an OAuth code, a
// signature, a session id or a token, and "userinfo" for a user's password. Nothing of
// a value is returned. An address that cannot be read has none.
func SecretURL(address string) (names []string) {
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if u, err := url.Parse(strings.TrimSpace(address)); err == nil && u.User != nil {
		if pass, ok := u.User.Password(); ok && pass != "" || len(u.User.Username()) >= 16 {
			add("userinfo")
		}
	}
	var parameters [][2]string
	state := false
	rest := address
	for {
		i := strings.IndexAny(rest, "?&#;")
		if i < 0 {
			break
		}
		rest = rest[i+1:]
		pair := rest
		if end := strings.IndexAny(pair, "?&#;"); end >= 0 {
			pair = pair[:end]
		}
		name, value, ok := strings.Cut(pair, "=")
		if !ok {
			continue
		}
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		// #/callback?code=… and #!access_token=…
		name = strings.TrimLeft(name, "/!")
		state = state || strings.EqualFold(name, "state")
		parameters = append(parameters, [2]string{name, value})
	}
	for _, p := range parameters {
		if secretParameter(p[0], p[1], state) {
			add(p[0])
		}
	}
	return names
}
