package provider

import "wstk/shared/wstk"

// Row is a search provider of the web: what the rest of the product knows of it, and how
// it is made.
type Row struct {
	wstk.ProviderSetup
	New func(Options) wstk.SearchProvider
}

// Table holds the search providers of the web in the order in which auto asks them: first
// those that need to be set up, and at the end what needs nothing. Settings, order, doctor
// and the tables of the documents come from it.
var Table = []Row{
	{wstk.ProviderSetup{
		ID: braveID, Aliases: []string{"brave"}, RunName: "brave",
		Key:     []string{"BRAVE_API_KEY", "BRAVE_KEY", "BRAVE_SEARCH_API_KEY"},
		BaseURL: []string{"BRAVE_BASE_URL"},
		Needs:   []string{wstk.SettingKey},
		Privacy: "Queries are sent to Brave Software.",
		Note:    "its own index; metered",
	}, func(o Options) wstk.SearchProvider { return Brave{o} }},
	{wstk.ProviderSetup{
		ID: searxngID, Aliases: []string{"searxng"},
		BaseURL: []string{"SEARXNG_BASE_URL", "SEARXNG_URL", "SEARXNG_ENDPOINT"},
		Needs:   []string{wstk.SettingBaseURL},
		Probe:   true,
		Privacy: "The instance sends queries on to the search engines it is set up with.",
		Note:    "your own SearXNG; its format `json` must be switched on",
	}, func(o Options) wstk.SearchProvider { return SearXNG{o} }},
	{wstk.ProviderSetup{
		ID: firecrawlID, Aliases: []string{"firecrawl"},
		BaseURL:   []string{"FIRECRAWL_BASE_URL", "FIRECRAWL_API_URL"},
		Key:       []string{"FIRECRAWL_API_KEY", "FIRECRAWL_KEY"},
		AllowAuto: []string{"FIRECRAWL_ALLOW_AUTO"},
		Needs:     []string{wstk.SettingBaseURL},
		Privacy: "Queries are sent to the endpoint at FIRECRAWL_BASE_URL, and by it to a " +
			"search engine.",
		Note: "`auto` uses it only if it is self-hosted",
	}, func(o Options) wstk.SearchProvider { return Firecrawl{o} }},
	{wstk.ProviderSetup{
		ID:      tavilyID,
		Key:     []string{"TAVILY_API_KEY", "TAVILY_KEY"},
		BaseURL: []string{"TAVILY_BASE_URL"},
		Needs:   []string{wstk.SettingKey},
		Privacy: "Queries are sent to Tavily.",
		Note:    "metered",
	}, func(o Options) wstk.SearchProvider { return Tavily{o} }},
	{wstk.ProviderSetup{
		ID:      serperID,
		Key:     []string{"SERPER_API_KEY", "SERPER_KEY"},
		BaseURL: []string{"SERPER_BASE_URL"},
		Needs:   []string{wstk.SettingKey},
		Privacy: "Queries are sent to serper.dev, and by it to Google.",
		Note:    "Google's results; metered",
	}, func(o Options) wstk.SearchProvider { return Serper{o} }},
	{wstk.ProviderSetup{
		ID: googleID, Aliases: []string{"google"}, RunName: "google",
		Key: []string{"GOOGLE_CSE_API_KEY", "GOOGLE_CSE_KEY", "GOOGLE_SEARCH_API_KEY", "GOOGLE_KEY",
			"GOOGLE_API_KEY"},
		Engine:  []string{"GOOGLE_CSE_ID", "GOOGLE_CX", "GOOGLE_SEARCH_ENGINE_ID"},
		BaseURL: []string{"GOOGLE_CSE_BASE_URL"},
		Needs:   []string{wstk.SettingKey, wstk.SettingEngine},
		Privacy: "Queries are sent to Google.",
		Note:    "a Programmable Search Engine; one that covers few sites gives few results",
	}, func(o Options) wstk.SearchProvider { return Google{o} }},
	{wstk.ProviderSetup{
		ID: ddgsID, Aliases: []string{"duckduckgo"},
		BaseURL: []string{"DDGS_BASE_URL"},
		Privacy: "Queries are sent to DuckDuckGo.",
		Note:    "reads DuckDuckGo's pages; refuses for a while if it is asked often",
	}, func(o Options) wstk.SearchProvider { return DDGS{o} }},
}

// setups are the rows by id.
var setups = func() map[string]wstk.ProviderSetup {
	m := map[string]wstk.ProviderSetup{}
	for _, r := range Table {
		m[r.ID] = r.ProviderSetup
	}
	return m
}()

// described is what the table says of a provider.
func described(id string) wstk.ProviderInfo {
	s := setups[id]
	return wstk.ProviderInfo{ID: id, Type: "search", Aliases: s.Aliases,
		RunName: s.RunName, EnvVars: s.EnvVars(), Privacy: s.Privacy}
}
