package reading

import (
	"strings"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Address returns the canonical form of a web address that the user gave. One with a
// user name or password is Invalid: it would be stored and shown as the name of what
// is found there.
func Address(raw string) (string, error) {
	raw = strings.TrimSpace(raw)
	shown := text.HideUser(raw)
	u, err := text.Canonical(raw)
	switch {
	case err != nil && strings.ContainsAny(raw[:min(1, len(raw))], "/.~"):
		return "", wstk.Errorf(wstk.Invalid, "", "%q is not a web address: %w", shown, err).
			Try(wstk.Step{Do: wstk.DoExtractFile, For: "to read a file", File: shown})
	case err != nil && strings.ContainsAny(raw, " \t\n"):
		return "", wstk.Errorf(wstk.Invalid, "", "%q is not a web address: it has a blank", shown).
			Try(wstk.Advice("write one such as https://example.com/page; a blank in a path is %20"))
	case err != nil && !strings.Contains(raw, "://"):
		return "", wstk.Errorf(wstk.Invalid, "", "%q is not a web address: %w", shown, err).
			Try(wstk.Advice("write it with its scheme: " + text.WithScheme(shown)))
	case err != nil:
		return "", wstk.Errorf(wstk.Invalid, "", "%q is not a web address: %w", shown, err)
	case text.HideUser(u) != u:
		return "", wstk.Errorf(wstk.Invalid, "",
			"the address carries a user name or password, which is neither sent nor stored").
			Try(wstk.Advice("leave it out: " + text.HideUser(u)))
	}
	return u, nil
}

// PageName is what a page is stored under: its address, or the name of what was handed
// in.
func PageName(name string) (string, error) {
	for _, scheme := range []string{"file:", "stdin:", "s3:"} {
		if strings.HasPrefix(name, scheme) {
			return name, nil
		}
	}
	return Address(name)
}
