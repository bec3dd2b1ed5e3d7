package safehttp

import (
	"errors"
	"net/http"
	"strings"

	"wstk/shared/wstk"
)

// secretHeaders are response headers that hold credentials or sessions.
var secretHeaders = headerNames("Authorization", "Proxy-Authorization", "Proxy-Authenticate",
	"Authentication-Info",
	"Proxy-Authentication-Info", "X-Auth", "X-Session", "X-Session-Id")

func headerNames(list ...string) map[string]bool {
	m := make(map[string]bool, len(list))
	for _, name := range list {
		m[http.CanonicalHeaderKey(name)] = true
	}
	return m
}

// checkHeaders refuses headers that wstk.CheckHeader refuses, and too many.
func checkHeaders(h http.Header) error {
	lines := 0
	for name, values := range h {
		for _, v := range append([]string{""}, values...) { // a name without values counts, too
			if err := wstk.CheckHeader(name, v); err != nil {
				return err
			}
		}
		if lines += len(values); lines > 100 {
			return errors.New("there are more than 100 headers")
		}
	}
	return nil
}

// dropSecrets removes what no caller should store or print.
func dropSecrets(h http.Header) {
	for name := range h {
		low := strings.ToLower(name)
		secret := secretHeaders[http.CanonicalHeaderKey(name)]
		for _, word := range []string{"cookie", "token", "secret", "password",
			"api-key", "apikey"} {
			secret = secret || strings.Contains(low, word)
		}
		if secret {
			delete(h, name)
		}
	}
}
