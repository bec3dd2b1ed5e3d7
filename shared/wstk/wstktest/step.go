package wstktest

import "wstk/shared/wstk"

// Steps lists steps of every kind, with and without what they may carry: what a door must
// be able to word.
func Steps() []wstk.Step {
	const page = "http://a.example/p?a=1&b=it's 2"
	on, set := wstk.OptionName.On, wstk.OptionName.Set
	crawl := []wstk.Option{set(wstk.OptMaxPages, 3), set(wstk.OptMaxDepth, 2),
		set(wstk.OptRateLimitMS, 500),
		set(wstk.OptInclude, "/a/**,/b"), set(wstk.OptExclude, "/c"),
		set(wstk.OptRobots, wstk.RobotsWarn),
		set(wstk.OptUserAgent, "Some Bot/1.0"), on(wstk.OptFresh), on(wstk.OptAllowPrivate)}
	steps := []wstk.Step{
		wstk.Advice("check the address"),
		wstk.Retry(""), wstk.Retry("later"),
		{Do: wstk.DoRetry, Options: []wstk.Option{on(wstk.OptPlan)},
			Without: []wstk.OptionName{wstk.OptBudget}},
		{Do: wstk.DoLeaveOut, Options: []wstk.Option{on(wstk.OptHeader), on(wstk.OptAccept)}},
		{Do: wstk.DoCheck, Say: "the address",
			Options: []wstk.Option{on(wstk.OptUsage), on(wstk.OptAllowDomains)}},
		{Do: wstk.DoAllowPrivate}, {Do: wstk.DoInstall}, {Do: wstk.DoDoctor},
		{Do: wstk.DoConfigure, Variable: "X_KEY"},
		{Do: wstk.DoConfigure, Setting: "render.browser", Variable: "WSTK_BROWSER",
			Say: "to its path"},
		{Do: wstk.DoConfigure, Variable: "X_MODE", Value: "rules"},
		{Do: wstk.DoIngest}, {Do: wstk.DoIngest, URL: page},
		{Do: wstk.DoIngest, URL: page, Options: crawl},
		{Do: wstk.DoIngest, URL: page, Raise: wstk.OptMaxPages},
		{Do: wstk.DoRefresh, URL: page}, {Do: wstk.DoRefresh, URL: page, Options: crawl},
		{Do: wstk.DoStatus, URL: page}, {Do: wstk.DoStatus}, {Do: wstk.DoCancel, URL: page},
		{Do: wstk.DoRemove, URL: page},
		{Do: wstk.DoRemove, URL: page, Options: []wstk.Option{on(wstk.OptWithRuns)}},
		{Do: wstk.DoListSites}, {Do: wstk.DoRead},
		{Do: wstk.DoRead, URL: page, Options: []wstk.Option{on(wstk.OptJSON)}},
		{Do: wstk.DoExtract}, {Do: wstk.DoExtract, URL: page,
			Options: []wstk.Option{set(wstk.OptMethod, "browser"), on(wstk.OptAllowPrivate)}},
		{Do: wstk.DoExtractFile}, {Do: wstk.DoExtractFile, File: "/tmp/a page.html"},
		{Do: wstk.DoExtractFile, File: "-"},
		{Do: wstk.DoFetch, URL: page,
			Options: []wstk.Option{on(wstk.OptJSON), on(wstk.OptIncludeBody)}},
		{Do: wstk.DoRender, URL: page, Options: []wstk.Option{on(wstk.OptHeadful),
			set(wstk.OptWait, 20000), on(wstk.OptProfile)}},
		{Do: wstk.DoSearch}, {Do: wstk.DoSearch, Query: "a 'quoted' word"},
		{Do: wstk.DoAsk}, {Do: wstk.DoAsk, URL: page, Query: "what?"},
		{Do: wstk.DoAnswer}, {Do: wstk.DoAnswer, URL: page, Query: "what?",
			Options: []wstk.Option{set(wstk.OptMaxPages, 40), on(wstk.OptAllowPrivate)}},
		{Do: wstk.DoListProviders}, {Do: wstk.DoListEvidence}, {Do: wstk.DoListModels},
		{Do: wstk.DoIndexModels},
		{Do: wstk.DoEvaluate},
		{Do: wstk.DoEvaluate, File: "cases.jsonl"},
		{Do: wstk.DoShowRun},
		{Do: wstk.DoShowRun, Run: "run_00000000000000000000000000"},
		{Do: wstk.DoShowRun, Kind: wstk.RunAnswer},
		{Do: wstk.DoShowRun, Run: "run_00000000000000000000000000", Kind: wstk.RunAnswer},
		{Do: wstk.DoAskAgain, Query: "what?"},
		{Do: wstk.DoAffected}, {Do: wstk.DoAffected, URL: page},
		{Do: wstk.DoVerify}, {Do: wstk.DoVerify, File: "a proof.zip"},
	}
	for _, n := range wstk.OptionNames() {
		steps = append(steps, wstk.Step{Do: wstk.DoOption, Options: []wstk.Option{on(n)}})
	}
	for name, value := range map[wstk.OptionName]string{wstk.OptTimeout: "120s",
		wstk.OptRobots: "warn", wstk.OptMaxPages: "40",
		wstk.OptProvider: "brave_api", wstk.OptPolicy: "standard", wstk.OptBudget: "20000ms",
		wstk.OptMethod: "http", wstk.OptLimit: "10"} {
		o := []wstk.Option{set(name, value)}
		steps = append(steps, wstk.Step{Do: wstk.DoOption, Options: o},
			wstk.Step{Do: wstk.DoOption, Options: o, Say: "may help"})
	}
	for _, s := range steps { // each with a purpose, too
		s.For = "to go on"
		steps = append(steps, s)
	}
	return steps
}
