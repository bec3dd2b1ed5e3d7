package step

import "wstk/shared/wstk"

// option is an option of requests, as each door names it.
type option struct {
	flag    string // of the command line
	unit    string // behind a value in a flag
	value   string // what stands for a value that the reader chooses; "" where it is on or off
	field   string // where requests have it over HTTP: "robots of POST /sites"
	tool    string // the MCP tool that takes it as an argument; "" for none
	setting string // the setting with which it holds for every request; "" where there is none
}

const (
	ofCrawls = "POST /sites"
	ofIngest = "ingest"
)

// options names each option.
var options = map[wstk.OptionName]option{
	wstk.OptAccept:       {flag: "accept", value: "TYPES"},
	wstk.OptAllowDomains: {flag: "allow-domain", value: "DOMAIN", setting: "fetch.allow_domains"},
	wstk.OptAllowPrivate: {flag: "allow-private", setting: "fetch.allow_private"},
	wstk.OptBaseURL:      {flag: "base-url", value: "URL"},
	wstk.OptBlockDomains: {flag: "block-domain", value: "DOMAIN", setting: "fetch.block_domains"},
	wstk.OptBudget:       {flag: "budget", value: "BUDGET"},
	wstk.OptCrawler:      {flag: "crawler", value: "CRAWLER", field: ofCrawls},
	wstk.OptDataDir:      {flag: "data-dir", value: "DIR", setting: "data_dir"},
	wstk.OptEvidenceDir:  {flag: "evidence-dir", value: "DIR", setting: "evidence_dir"},
	wstk.OptExclude: {flag: "exclude", value: "PATHS", field: ofCrawls, tool: ofIngest,
		setting: "crawl.exclude"},
	wstk.OptFresh:   {flag: "fresh", setting: "cache.fresh"},
	wstk.OptHeader:  {flag: "header", value: "HEADER"},
	wstk.OptHeadful: {flag: "headful"},
	wstk.OptInclude: {flag: "include", value: "PATHS", field: ofCrawls, tool: ofIngest,
		setting: "crawl.include"},
	wstk.OptIncludeBody: {flag: "include-body"},
	wstk.OptJSON:        {flag: "json"},
	wstk.OptLimit:       {flag: "limit", value: "N", field: "POST /extractions", tool: "ask"},
	wstk.OptMaxBytes:    {flag: "max-bytes", value: "N", setting: "fetch.max_bytes"},
	wstk.OptMaxDepth: {flag: "max-depth", value: "N", field: ofCrawls, tool: ofIngest,
		setting: "crawl.max_depth"},
	wstk.OptMaxPages: {flag: "max-pages", value: "N", field: ofCrawls, tool: ofIngest,
		setting: "crawl.max_pages"},
	wstk.OptMaxTokens: {flag: "budget", unit: "tok", value: "TOKENStok",
		field: "POST /extractions"},
	wstk.OptMethod:   {flag: "method", value: "METHOD", setting: "extract.method"},
	wstk.OptPlan:     {flag: "plan"},
	wstk.OptPolicy:   {flag: "policy", value: "POLICY", setting: "policy"},
	wstk.OptProfile:  {flag: "profile", value: "DIR"},
	wstk.OptProvider: {flag: "provider", value: "ID", setting: "search.provider"},
	wstk.OptQuery:    {flag: "query", value: "QUESTION", field: ofCrawls, tool: ofIngest},
	wstk.OptRateLimitMS: {flag: "rate-limit-ms", value: "MS", field: ofCrawls,
		setting: "crawl.rate_limit_ms"},
	wstk.OptRender: {flag: "render", field: ofCrawls, setting: "crawl.render"},
	wstk.OptRobots: {flag: "robots", value: "POLICY", field: ofCrawls,
		setting: "fetch.robots"},
	wstk.OptTimeout:   {flag: "timeout", value: "TIME", setting: "timeout"},
	wstk.OptUsage:     {flag: "usage", value: "POLICY", setting: "fetch.usage"},
	wstk.OptUserAgent: {flag: "user-agent", value: "NAME", setting: "fetch.user_agent"},
	wstk.OptWait:      {flag: "wait", value: "MS"},
	wstk.OptWithRuns:  {flag: "with-runs", field: "DELETE /sites/{id}"},
}
