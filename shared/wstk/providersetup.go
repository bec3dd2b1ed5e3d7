package wstk

import "strings"

// ProviderSetup describes a search provider to settings, doctor and documents: its names,
// the variables that set it up, and what a reader should know. One row of a table of these
// is all that the product knows of a provider beside its SearchProvider.
type ProviderSetup struct {
	ID      string
	Aliases []string // other names that users may write
	RunName string   // its name in the bodies of search runs; "" means ID

	// The variables of each setting, the recommended one first; nil means that the provider
	// has no such setting.
	Key       []string // its key, which is a secret
	BaseURL   []string // its address
	Engine    []string // the id of its search engine
	AllowAuto []string // lets auto choose it although its address is not self-hosted

	Needs   []string // settings without which it is disabled, such as SettingKey
	Probe   bool     // auto first asks whether the service is there
	Privacy string   // who sees the words of a search; "" means no one else
	Note    string   // of the documents: what it is, and what it costs
}

// The settings that a search provider can have.
const (
	SettingKey       = "key"
	SettingBaseURL   = "base_url"
	SettingEngine    = "engine"
	SettingAllowAuto = "allow_auto"
)

// ProviderSettings are the settings in the order of the documents.
var ProviderSettings = []string{SettingKey, SettingBaseURL, SettingEngine, SettingAllowAuto}

// Variables returns the variables of a setting, the recommended one first; nil if the
// provider has no such setting.
func (s ProviderSetup) Variables(setting string) []string {
	switch setting {
	case SettingKey:
		return s.Key
	case SettingBaseURL:
		return s.BaseURL
	case SettingEngine:
		return s.Engine
	case SettingAllowAuto:
		return s.AllowAuto
	}
	return nil
}

// EnvVars returns the variables that the provider needs, as ProviderInfo.EnvVars has them.
func (s ProviderSetup) EnvVars() []string {
	out := []string{}
	for _, setting := range s.Needs {
		out = append(out, strings.Join(s.Variables(setting), "|"))
	}
	return out
}
