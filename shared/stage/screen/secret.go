package screen

import (
	"encoding/base64"
	"slices"
	"strings"
)

// secretRules know the shapes of credentials. A shape alone is enough only where
// its issuer made it unmistakable; otherwise the words before it must say what it
// is, and the value must look random and not like an example, a checksum, a
// UUID or a reference to a variable.
var secretRules = newRuleset(append(tokenRules(), contextRules...)...)

// findSecrets returns the secrets in s. Where two rules hold for one string, the
// earlier and more precise one counts.
func findSecrets(s string) []match {
	var out []match
	for _, m := range secretRules.find(s) {
		if !slices.ContainsFunc(out, func(o match) bool { return m.Start < o.End && o.Start < m.End }) {
			out = append(out, m)
		}
	}
	return out
}

// token is a rule for a credential that begins with a mark of its issuer.
func token(name, what, pattern string, keywords ...string) rule {
	return rule{
		name: name, reason: "looks like " + what, keywords: keywords, inner: true, keep: randomToken, quick: unbroken,
		before: 12, after: 320, pattern: `(?:^|[^A-Za-z0-9_])(` + pattern + `)(?:$|[^A-Za-z0-9_])`,
	}
}

// encodedJWT is a JWT in base64 once more, alone or behind up to 40 bytes of other text, as
// in Bearer eyJ…: its beginning is encoded in three ways, by how many bytes go before.
var encodedJWT = rule{
	name: "jwt", reason: "looks like a signed token (JWT) in base64", keywords: []string{"zxlk", "v5s", "leuo", "leup"},
	inner: true, before: 60, after: 8192, quick: unbrokenAround, keep: holdsJWT,
	pattern: `(?:^|[^A-Za-z0-9_])([A-Za-z0-9+/_-]{0,56}(?:ZXlK|[GWm2]V5S|[A-Za-z0-9+/]leU[op])[A-Za-z0-9+/_-]{60,}={0,2})`,
}

// unbrokenAround is unbroken for a keyword at most 60 bytes within a token.
func unbrokenAround(s string, start int) bool {
	for n := 0; start > 0 && wordByte(s[start-1]); n++ {
		if n == 60 {
			return false
		}
		start--
	}
	return unbroken(s, start)
}

// holdsJWT reports whether base64 holds the beginning of a signed token that is no
// well-known example.
func holdsJWT(s string, start, end int) bool {
	v := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s[start:end], "="))
	raw, err := base64.RawStdEncoding.DecodeString(v[:len(v)-len(v)%4])
	if err != nil {
		return false
	}
	at := strings.Index(string(raw), "eyJ")
	return at >= 0 && readable(raw) && realJWT(string(raw), at, len(raw))
}

// within is for a token whose mark stands inside: at most before bytes in.
func within(before int, r rule) rule {
	r.before = before
	r.quick = func(s string, start int) bool { return start > 0 && wordByte(s[start-1]) }
	return r
}

func tokenRules() []rule {
	return []rule{
		token("aws_access_key_id", "an AWS access key id", `(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16}`, "akia", "asia", "abia", "acca", "a3t"),
		token("github_token", "a GitHub token", `gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{82}`, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
		token("gitlab_token", "a GitLab token", `(?:glpat|gldt|glrt|glcbt|glptt|glft|glsoat|glagent|gloas|glimt)-[A-Za-z0-9_.-]{20,100}|glffct-[A-Za-z0-9_-]{20}|GR1348941[A-Za-z0-9_-]{20}|_gitlab_session=[0-9a-z]{32}`, "glffct-", "_gitlab_session=", "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glagent-", "gloas-", "glimt-", "gr1348941"),
		token("slack_token", "a Slack token", `(?:xoxe\.)?xox[abeoprs]-(?:\d-)?[A-Za-z0-9-]{10,250}|xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]+`, "xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"),
		token("slack_webhook", "a Slack webhook address", `hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{40,80}`, "hooks.slack.com/"),
		token("discord_webhook", "a Discord webhook address", `discord(?:app)?\.com/api/webhooks/\d{17,20}/[A-Za-z0-9_-]{60,80}`, "/api/webhooks/"),
		token("teams_webhook", "a Microsoft Teams webhook address", `[a-z0-9-]+\.webhook\.office\.com/webhookb2/[a-f0-9-]{36}@[a-f0-9-]{36}/IncomingWebhook/[a-f0-9]{32}/[a-f0-9-]{36}`, "webhook.office.com/"),
		token("stripe_key", "a Stripe secret key", `(?:sk|rk)[_-](?:live|test|prod)[_-][A-Za-z0-9]{16,120}|whsec_[A-Za-z0-9+/]{32,64}`, "sk-live-", "sk-test-", "sk-prod-", "rk-live-", "rk-test-", "rk-prod-", "sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_", "rk_prod_", "whsec_"),
		token("google_api_key", "a Google API key", `AIza[A-Za-z0-9_-]{35}`, "aiza"),
		token("google_oauth", "a Google OAuth token or secret", `ya29\.[A-Za-z0-9_-]{30,300}|GOCSPX-[A-Za-z0-9_-]{28}|1//0[A-Za-z0-9_-]{40,120}`, "ya29.", "gocspx-", "1//0"),
		token("openai_key", "an OpenAI key", `sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,200}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}|sk-[A-Za-z0-9]{48}`, "sk-"),
		token("anthropic_key", "an Anthropic key", `sk-ant-(?:api|admin|sid|oat)\d\d-[A-Za-z0-9_-]{40,120}`, "sk-ant-"),
		token("openrouter_key", "an OpenRouter key", `sk-or-v1-[a-f0-9]{64}`, "sk-or-v1-"),
		token("model_provider_key", "a key of a model or search provider", `gsk_[A-Za-z0-9]{48,56}|pplx-[A-Za-z0-9]{48,56}|r8_[A-Za-z0-9]{37,40}|xai-[A-Za-z0-9]{70,90}|tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,40}|fc-[a-f0-9]{32}|jina_[A-Za-z0-9_-]{50,70}|fw_[A-Za-z0-9]{22,26}|csk-[a-z0-9]{48}|nvapi-[A-Za-z0-9_-]{60,70}|BSA[A-Za-z0-9_-]{28}`, "gsk_", "pplx-", "r8_", "xai-", "tvly-", "fc-", "jina_", "fw_", "csk-", "nvapi-", "bsa"),
		token("huggingface_token", "a Hugging Face token", `(?:hf|api_org)_[A-Za-z0-9]{30,40}`, "hf_", "api_org_"),
		token("package_registry_token", "a token of a package registry", `npm_[A-Za-z0-9]{36}|pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,200}|rubygems_[a-f0-9]{48}|cio[A-Za-z0-9]{32}|dckr_pat_[A-Za-z0-9_-]{27}|dckr_oat_[A-Za-z0-9_-]{32}|oy2[a-z0-9]{43}`, "npm_", "pypi-", "rubygems_", "cio", "dckr_", "oy2"),
		token("mail_service_key", "a key of a mail service", `SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}|(?:pub)?key-[a-f0-9]{32}|xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}|re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}`, "sg.", "key-", "pubkey-", "xkeysib-", "re_"),
		token("twilio_key", "a Twilio key", `SK[a-f0-9]{32}`, "sk"),
		token("telegram_token", "a Telegram bot token", `(?:bot)?\d{8,10}:AA[A-Za-z0-9_-]{33}`, ":aa"),
		token("discord_token", "a Discord bot token", `[MNO][A-Za-z0-9]{23,25}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}`, "mt", "mj", "mz", "nd", "nt", "nj", "nz", "od", "ot"),
		token("shopify_token", "a Shopify token", `shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`, "shpat_", "shpca_", "shppa_", "shpss_"),
		token("square_token", "a Square token", `sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,43}|EAAA[A-Za-z0-9_-]{60}`, "sq0atp-", "sq0csp-", "sq0idp-", "eaaa"),
		token("cloud_token", "a token of a hosting or infrastructure service", `do[opr]_v1_[a-f0-9]{64}|dapi[a-f0-9]{32}(?:-\d)?|hv[sbr]\.[A-Za-z0-9_-]{24,200}|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,70}|dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]+\.)?[A-Za-z0-9]{40,44}|pul-[a-f0-9]{40}|HRKU-[A-Za-z0-9_-]{36,80}|nfp_[A-Za-z0-9]{36}|FlyV1 fm\d_[A-Za-z0-9+/=,_]{80,300}|fo1_[A-Za-z0-9_-]{43}|tskey-(?:auth|api|client)-[A-Za-z0-9]+-[A-Za-z0-9]{16,40}|rnd_[A-Za-z0-9]{28}|sbp_[a-f0-9]{40}|pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,64}|v1\.0-[a-f0-9]{24}-[a-f0-9]{146}|LTAI[A-Za-z0-9]{20}|AKID[A-Za-z0-9]{32}`,
			"doo_v1_", "dop_v1_", "dor_v1_", "dapi", "hvs.", "hvb.", "hvr.", ".atlasv1.", "dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit.", "pul-", "hrku-", "nfp_", "flyv1 fm", "fo1_", "tskey-", "rnd_", "sbp_", "pscale_", "v1.0-", "ltai", "akid"),
		token("developer_tool_token", "a token of a developer tool", `lin_(?:api|oauth)_[A-Za-z0-9]{32,64}|(?:secret|ntn)_[A-Za-z0-9]{43,50}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|gl(?:sa|c)_[A-Za-z0-9+/=_]{32,200}|eyJrIjoi[A-Za-z0-9]{70,400}={0,2}|NRAK-[A-Z0-9]{27}|NRJS-[a-f0-9]{19}|sntry[su]_[A-Za-z0-9+/=_]{60,300}|figd_[A-Za-z0-9_-]{40}|ATATT3[A-Za-z0-9_=-]{170,200}|CFPAT-[A-Za-z0-9_-]{43}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|phc_[A-Za-z0-9]{43}|phx_[A-Za-z0-9]{43}|sgp_(?:[a-f0-9]{16}_)?[a-f0-9]{40}|CCIPAT_[A-Za-z0-9]+_[a-f0-9]{40}|bkua_[a-z0-9]{40}|sq[up]_[a-f0-9]{40}|duffel_(?:test|live)_[A-Za-z0-9_=-]{43}|AGE-SECRET-KEY-1[0-9A-Z]{58}`,
			"lin_api_", "lin_oauth_", "secret_", "ntn_", "pmak-", "glsa_", "glc_", "eyjrijoi", "nrak-", "nrjs-", "sntrys_", "sntryu_", "figd_", "atatt3", "cfpat-", "pat", "phc_", "phx_", "sgp_", "ccipat_", "bkua_", "sqp_", "squ_", "duffel_", "age-secret-key-"),
		token("facebook_token", "a Facebook token", `EAA[A-Za-z0-9]{90,250}|EAACEdEose0cBA[A-Za-z0-9]+`, "eaa"),
		within(18, token("facebook_token", "a Facebook token", `\d{15,16}(?:\||%7[Cc])[A-Za-z0-9_-]{27,40}`, "|", "%7c")),
		token("azure_sas", "a signed Azure storage address", `sig=[A-Za-z0-9%+/]{40,100}(?:%3[dD]|=)`, "sig="),
		token("cloud_token", "a token of a hosting or infrastructure service", `ABSK[A-Za-z0-9+/]{100,270}={0,2}|bedrock-api-key-[A-Za-z0-9+/=_-]{24,}|dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}|dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}|fm[12][ar]?_[A-Za-z0-9+/]{80,500}={0,3}|sha256~[A-Za-z0-9_-]{43}|tk-us-[A-Za-z0-9_-]{48}|pnu_[A-Za-z0-9]{36}|4b1d[A-Za-z0-9]{38}|t1\.[A-Za-z0-9_-]{20,300}={0,2}\.[A-Za-z0-9_-]{86}={0,2}|AQVN[A-Za-z0-9_-]{35,38}|YC[A-Za-z0-9_-]{38}`,
			"absk", "bedrock-api-key-", "dt0c01.", "dnkey-", "fm1", "fm2", "sha256~", "tk-us-", "pnu_", "4b1d", "t1.", "aqvn", "yc"),
		token("developer_tool_token", "a token of a developer tool", `ops_eyJ[A-Za-z0-9+/]{100,}={0,3}|A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}|p8e-[a-f0-9]{32}|CLOJARS_[a-z0-9]{60}|fio-u-[A-Za-z0-9=_-]{64}|(?:pat|sat)\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}|s-s4t2(?:ud|af)-[a-f0-9]{64}|AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59}|NRII-[A-Za-z0-9-]{32}|API-[A-Z0-9]{26}|rdme_[a-z0-9]{70}|sm_(?:aat|pat|sat)_[A-Za-z0-9]{16}|tfp_[A-Za-z0-9_.=-]{40,59}|(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\.[a-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}|sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}`,
			"ops_eyj", "a3-", "p8e-", "clojars_", "fio-u-", "pat.", "sat.", "s-s4t2", "akcp", "cmvmd", "nrii-", "api-", "rdme_", "sm_aat_", "sm_pat_", "sm_sat_", "tfp_", "sc_", "ext_", "scauth_", "authress_", "sgp_"),
		token("payment_key", "a key of a payment or delivery service", `EZ[AT]K[A-Za-z0-9]{54}|FLW(?:PUB|SEC)K(?:_TEST)?-[a-z0-9]{12,32}(?:-X)?|shippo_(?:live|test)_[a-fA-F0-9]{40}|access-(?:sandbox|development|production)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`,
			"ezak", "eztk", "flwpubk", "flwseck", "shippo_", "access-sandbox-", "access-development-", "access-production-"),
		encodedJWT,
		within(40, token("payment_key", "a licence key of a location service", `[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk`, "_mmk")),
		token("map_token", "a token of a map service", `[ps]k\.(?:eyJ[A-Za-z0-9_-]{40,120}|[a-z0-9]{60})\.[A-Za-z0-9_-]{22}`, "pk.", "sk."),
		within(40, token("azure_secret", "an Azure client secret", `[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}`, "q~")),
		within(40, token("mailchimp_key", "a Mailchimp key", `[a-f0-9]{32}-us\d{1,2}`, "-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9")),
	}
}

// contextRules need the words around a value.
var contextRules = []rule{
	{
		name: "private_key", reason: "looks like a private key", keywords: []string{"private key"},
		before: 24, after: 260, inner: true, keep: nil,
		pattern: `(-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----)\s*(?:(?:Proc-Type|DEK-Info|Version|Comment):[^\n]{0,80}\s+){0,3}[A-Za-z0-9+/=]{32}`,
	},
	{
		name: "jwt", reason: "looks like a signed token (JWT)", keywords: []string{"eyj"}, quick: unbroken,
		before: 2, after: 4096, inner: true, keep: realJWT,
		pattern: `\b(eyJ[A-Za-z0-9_-]{12,}\.eyJ[A-Za-z0-9_-]{12,}\.[A-Za-z0-9_-]{16,})`,
	},
	{
		name: "url_password", reason: "an address with a password in it", keywords: []string{"://"}, quick: userInfo,
		before: 24, after: 300, inner: true, keep: realPassword,
		pattern: `(?i)\b[a-z][a-z0-9+.-]{1,24}://[^\s:@/'"<>\x60]{0,80}:([^\s@/'"<>\x60]{3,120})@[a-z0-9\[][\w.-]{1,100}`,
	},
	{
		name: "connection_string", reason: "a connection string with a password or key in it", keywords: []string{"accountkey=", "sharedaccesskey=", "password=", "pwd=", "password =", "pwd ="},
		before: 200, after: 260, inner: true, keep: realPassword,
		pattern: `(?i)(?:(?:accountkey|sharedaccesskey)=([A-Za-z0-9+/]{40,90}={0,2})|(?:server|data source|host|hostname|user id|uid|initial catalog|database)\s*=[^\n]{1,160}?;\s*(?:password|pwd)\s*=\s*([^;\s"']{6,80}))`,
	},
	{
		name: "bearer_token", reason: "a request header with a token in it", keywords: []string{"bearer ", "authorization: token", "authorization\": \"token", "x-api-key", "x-auth-token", "private-token", "x-vault-token", "api-key:", "apikey:"},
		before: 40, after: 300, inner: true, keep: randomValue,
		pattern: `(?i)(?:\bauthorization["']?\s*[:=]\s*["']?(?:bearer|token)|\bbearer|\b(?:x-api-key|x-auth-token|private-token|x-vault-token|api-?key)["']?\s*:)\s+["']?([A-Za-z0-9][A-Za-z0-9._~+/-]{18,400}={0,2})`,
	},
	{
		name: "basic_auth", reason: "a request header with a user's password in it", keywords: []string{"basic "},
		before: 40, after: 200, inner: true, keep: realBasic,
		pattern: `(?i)\bauthorization["']?\s*[:=]\s*["']?basic\s+([A-Za-z0-9+/]{12,200}={0,2})`,
	},
	{
		name: "command_password", reason: "a command with a password in it", keywords: []string{"curl ", "wget ", "http ", "mysql", "sshpass", "psql ", "redis-cli", "ldapsearch", "docker login", "az login", "mongo"}, quick: userOption,
		before: 2, after: 360, inner: true, keep: realPassword,
		pattern: `(?i)\b(?:curl|wget|http|mysql|mysqldump|sshpass|psql|redis-cli|ldapsearch|docker login|az login|mongosh?)\b[^\n]{0,160}?\s(?:(?:-u|--user)[= ]?["']?[^\s:"']{1,64}:([^\s"'@]{6,100})|--password[= ]["']?([^\s"']{6,100}))`,
	},
	{
		name: "aws_secret_key", reason: "looks like an AWS secret access key", keywords: []string{"secretaccesskey", "secret_access_key", "secret access key", "aws_secret", "aws secret", "aws-secret"},
		before: 12, after: 160, inner: true, keep: randomValue,
		pattern: `(?i)(?:secret[_ ]?access[_ ]?key|aws[_ -]?secret\w{0,20})["']?\s*(?:=>|:=|=|:)?\s*["']?([A-Za-z0-9/+]{40})(?:$|[^A-Za-z0-9/+=])`,
	},
	{
		name: "assigned_secret", reason: "a value assigned to a name that says secret", inner: true, keep: assignedSecret,
		keywords: []string{"password", "passwd", "passphrase", "pwd", "secret", "token", "api_key", "api-key", "apikey", "api key", "access_key", "accesskey", "access-key", "auth_key", "authkey", "private_key", "privatekey", "client_key", "encryption_key", "signing_key", "credential"},
		before:   40, after: 260, quick: assigned,
		pattern: `(?i)\b[\w.-]{0,40}?(?:password|passwd|passphrase|pwd|secret|token|api[_ -]?key|(?:access|auth|private|client|encryption|signing)[_-]?key|credential)[\w.-]{0,24}["'\x60]?\]?\s*(?:=>|:=|==?|:)\s*["'\x60]([^"'\x60\s]{8,200})["'\x60]`,
	},
	{
		name: "assigned_secret", reason: "a value assigned to a name that says secret", inner: true, keep: assignedSecret,
		keywords: []string{"password=", "passwd=", "secret=", "token=", "api_key=", "apikey=", "access_key=", "_key=", "password:", "secret:", "token:", "api_key:", "password =", "secret =", "token =", "key ="},
		before:   48, after: 220, quick: assigned,
		pattern: `(?im)(?:^|[\s;&?])(?:export |set |ENV |- )?[\w.-]{0,48}(?:password|passwd|secret|token|api[_-]?key|(?:access|auth|private|encryption|signing)_?key)[\w-]{0,16}\s{0,2}(?:=|:)\s{0,2}([A-Za-z0-9_~.+/=!@#$%^&*-]{16,200})(?:$|[\s;&,])`,
	},
}

// unbroken reports whether 20 bytes without white space begin at a keyword, and,
// where the keyword begins with a letter, whether a word begins there. Almost no
// word of a text passes.
func unbroken(s string, start int) bool {
	const least = 20
	if len(s)-start < least || start > 0 && wordByte(s[start]) && wordByte(s[start-1]) {
		return false
	}
	for _, c := range []byte(s[start : start+least]) {
		if c <= ' ' {
			return false
		}
	}
	return true
}

// userInfo reports whether an address has an @ before its path.
func userInfo(s string, start int) bool {
	rest := s[start+len("://") : min(len(s), start+220)]
	if end := strings.IndexAny(rest, " \n\t\"<>"); end >= 0 {
		rest = rest[:end]
	}
	at := strings.LastIndexByte(rest, '@')
	return at > 0 && strings.IndexByte(rest[:at], ':') >= 0
}

// userOption reports whether a command has an option that names a user or password.
func userOption(s string, start int) bool {
	line, _, _ := strings.Cut(s[start:min(len(s), start+360)], "\n")
	return strings.Contains(line, " -u") || strings.Contains(line, "--user") || strings.Contains(line, "--password")
}

// assigned reports whether a sign of assignment is near.
func assigned(s string, start int) bool {
	return strings.ContainsAny(s[start:min(len(s), start+48)], "=:")
}

func randomToken(s string, start, end int) bool { return !placeholderToken(s[start:end]) }

// randomValue holds for values that vary as random ones do and are no example.
func randomValue(s string, start, end int) bool {
	v := s[start:end]
	_, _, digits, _ := classes(v)
	return digits > 0 && entropy(v) >= 3.2 && !placeholder(v) && !reference(v)
}

// realJWT leaves out the token that the standard's web site shows.
func realJWT(s string, start, end int) bool {
	v := s[start:end]
	if placeholderToken(v) {
		return false
	}
	for _, known := range []string{
		"eyJzdWIiOiIxMjM0NTY3ODkw",             // "sub":"1234567890"
		"eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4", // RFC 7519's joe
		"eyJpc3MiOiJqb2UiLCJleHAiOjEzMDA4",
	} {
		if strings.Contains(v, known) {
			return false
		}
	}
	return true
}

func realPassword(s string, start, end int) bool {
	v := s[start:end]
	low := strings.ToLower(v)
	if among("common passwords", low) || among("common passwords", strings.TrimRight(low, "0123456789!")) || placeholder(v) || reference(v) {
		return false
	}
	lower, upper, digit, _ := classes(v)
	// A plain word is an example in a manual far more often than a password.
	return len(v) >= 6 && kinds(v) >= 2 && (digit > 0 || lower > 0 && upper > 0) && entropy(v) >= 2.5 && !strings.Contains(low, "passw") && !strings.Contains(low, "secret")
}

// realBasic decodes the header's value and judges the password in it.
func realBasic(s string, start, end int) bool {
	raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s[start:end], "="))
	if err != nil || !readable(raw) {
		return false
	}
	_, pass, ok := strings.Cut(string(raw), ":")
	return ok && !strings.EqualFold(string(raw), "aladdin:open sesame") && realPassword(pass, 0, len(pass))
}

// reference reports whether v names a place where the value is, instead of being it:
// a variable, a call, a path, a URL, a vault entry.
func reference(v string) bool {
	low := strings.ToLower(v)
	switch {
	case strings.ContainsAny(v, "(){}<>\\"), strings.HasPrefix(v, "$"), strings.HasPrefix(v, "%"), strings.HasPrefix(v, "@"), strings.HasPrefix(v, ":"), strings.HasPrefix(v, "/"), strings.HasPrefix(v, "./"), strings.HasPrefix(v, "#"), strings.HasPrefix(v, "&"):
		return true
	case strings.Contains(v, "://"), strings.Contains(low, "process.env"), strings.Contains(low, "os.environ"), strings.Contains(low, "secrets."), strings.Contains(low, "vault:"), strings.Contains(low, "arn:aws"), strings.Contains(low, "env."), strings.HasPrefix(low, "config."), strings.HasPrefix(low, "self."), strings.HasPrefix(low, "this."):
		return true
	}
	return false
}

// assignedSecret judges name = value. The name stands before the value.
func assignedSecret(s string, start, end int) bool {
	v := strings.TrimRight(s[start:end], ".,;")
	low := strings.ToLower(v)
	name := strings.ToLower(lastName(s[max(0, start-90):start]))
	switch {
	case first(name, phrases("public names")) != "", first(low, []string{"password", "secret", "token"}) != "":
		return false
	case len(v) < 8 || placeholder(v) || reference(v) || among("common passwords", low):
		return false
	case strings.Contains(name, "pass") || strings.Contains(name, "pwd"):
		return kinds(v) >= 3 && entropy(v) >= 2.9
	case digest(v): // a random hex string is a secret only where the name is plain about it
		return len(v) >= 32 && len(v) != 36 && entropy(v) >= 3.2 && (strings.Contains(name, "secret") || strings.Contains(name, "api"))
	}
	return mixedValue(v)
}

// mixedValue reports whether letters and digits are mixed in v as random characters are.
func mixedValue(v string) bool {
	lower, upper, digit, sign := classes(v)
	if digit < 2 || lower+upper < 4 {
		return false
	}
	if len(v) < 16 {
		return entropy(v) >= 3.3 && sign == 0
	}
	return entropy(v) >= 3.5 && !wordy(v)
}

// lastName returns the name in front of an assignment.
func lastName(before string) string {
	before = strings.TrimRight(before, "=:> \t\"'`]~")
	i := len(before)
	for i > 0 && (wordByte(before[i-1]) || before[i-1] == '-' || before[i-1] == '.') {
		i--
	}
	return before[i:]
}

// wordy reports whether v is made of words joined by signs, as identifiers are.
func wordy(v string) bool {
	parts := strings.FieldsFunc(v, func(c rune) bool { return c == '_' || c == '-' || c == '.' || c == '/' || c == ':' })
	if len(parts) < 2 {
		return false
	}
	plain := 0
	for _, p := range parts {
		lower, upper, digit, _ := classes(p)
		if digit == 0 && (upper <= 1 || lower == 0) || lower+upper == 0 && len(p) <= 4 {
			plain++
		}
	}
	return plain*3 >= len(parts)*2
}
