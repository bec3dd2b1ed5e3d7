package screen

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"wstk/shared/wstk"
)

// labelled is a text with a secret in it that must not be in the output.
type labelledSecret struct{ kind, before, secret, after string }

// labelledSecrets are secrets of every kind, put together here from pieces.
func labelledSecrets() []labelledSecret {
	seed := uint64(500)
	rnd := func(set string, n int) string { seed++; return madeUp(seed, set, n) }
	hex := func(n int) string { return rnd(hexDigits, n-2) + "a7" }
	mixed := func(n int) string { return rnd(alnum, n-4) + "x7Q2" }
	enc := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	jwt := func() string {
		return enc(`{"alg":"HS256","kid":"`+rnd(alnum, 6)+`"}`) + "." + enc(`{"sub":"`+rnd(alnum, 14)+`"}`) + "." + mixed(43)
	}
	uuid := func() string { return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12) }
	var out []labelledSecret
	for _, c := range secretCases(90_000) {
		if c.secret != "" {
			out = append(out, labelledSecret{"token", c.before, c.secret, c.after})
		}
	}
	add := func(kind string, cases ...[3]string) {
		for _, c := range cases {
			out = append(out, labelledSecret{kind, c[0], c[1], c[2]})
		}
	}
	add("token",
		[3]string{"gitlab flags ", "glf" + "fct-" + rnd(alnum, 20), ""}, [3]string{"k8s ", "sha256" + "~" + rnd(alnum, 43), ""},
		[3]string{"dynatrace ", "dt0" + "c01." + rnd(upperSet, 24) + "." + rnd(upperSet, 64), ""},
		[3]string{"read me ", "rd" + "me_" + rnd(lowerSet, 69) + "4", ""},
		[3]string{"prefect ", "pn" + "u_" + rnd(alnum, 36), ""}, [3]string{"1password ", "op" + "s_eyJ" + rnd(alnum, 260), ""},
		[3]string{"clojars ", "CLO" + "JARS_" + rnd(lowerSet, 60), ""}, [3]string{"shippo ", "ship" + "po_live_" + hex(40), ""},
		[3]string{"plaid ", "access" + "-production-" + uuid(), ""}, [3]string{"easypost ", "EZ" + "AK" + rnd(alnum, 54), ""},
		[3]string{"bedrock ", "AB" + "SK" + rnd(alnum, 130), "="},
		[3]string{"maxmind ", rnd(alnum, 6) + "_" + rnd(alnum, 29) + "_m" + "mk", ""},
		[3]string{"facebook ", rnd("123456789", 16) + "|" + rnd(alnum, 27), ""},
		[3]string{"jwt in base64 ", base64.StdEncoding.EncodeToString([]byte("ey" + "J" + rnd(alnum, 90))), ""},
		[3]string{"newrelic ", "NR" + "II-" + rnd(alnum, 32), ""}, [3]string{"typeform ", "tf" + "p_" + rnd(alnum, 59), ""},
		[3]string{"clickhouse ", "4b" + "1d" + rnd(alnum, 38), ""}, [3]string{"sourcegraph ", "sg" + "p_" + hex(40), ""})
	add("header",
		[3]string{"Authorization: Bearer ", mixed(12), ""}, [3]string{"authorization: Token ", hex(40), "\r\nAccept: */*"}, [3]string{`{"Authorization": "Bearer `, mixed(40), `"}`},
		[3]string{"Proxy-Authorization: Basic ",
			base64.StdEncoding.EncodeToString([]byte("bob:" + mixed(9))), ""}, [3]string{"Authorization: ", hex(32), ""},
		[3]string{"Authorization: AWS4-HMAC-SHA256 Credential=AK" + "IA" + rnd(upperSet, 16) + "/20260101/eu/s3/aws4_request, SignedHeaders=host, Signature=", hex(64), ""},
		[3]string{"X-Api-Key: ", mixed(20), ""}, [3]string{"x-api-key: ", hex(32), "\n"},
		[3]string{`-H 'X-Auth-Token: `, mixed(24), `'`}, [3]string{"X-Amz-Security-Token: ", mixed(300), ""},
		[3]string{"Ocp-Apim-Subscription-Key: ", hex(32), ""},
		[3]string{"PRIVATE-TOKEN: ", mixed(20), ""}, [3]string{"X-Vault-Token: ", "s." + mixed(24), ""}, [3]string{"CF-Access-Client-Secret: ", hex(64), ""},
		[3]string{"Authorization: ApiKey ", base64.StdEncoding.EncodeToString([]byte(mixed(20) + ":" + mixed(22))), ""})
	add("cookie",
		[3]string{"Cookie: theme=dark; sessionid=", mixed(26), "; lang=en"}, [3]string{"Set-Cookie: SID=", mixed(31), "; Path=/; HttpOnly"}, [3]string{"cookie: auth_token=", mixed(12), ""},
		[3]string{"Cookie: PHPSESSID=", rnd(lowerSet+"0123456789", 24) + "42", ""}, [3]string{`"Set-Cookie": "remember_me=`, mixed(20), `; Max-Age=3600"`}, [3]string{"Set-Cookie: __Host-jwt=", jwt(), "; Secure"},
		[3]string{"Cookie: _ga=GA1.2; csrftoken=", mixed(32), ""}, [3]string{"Cookie: JSESSIONID=", strings.ToUpper(hex(32)), ".node1"})
	add("connection",
		[3]string{"postgres://app:", "pw", "@db/prod"}, [3]string{"DATABASE_URL=postgresql://app:", "s3" + "cr3t", "@10.0.0.5:5432/app"}, [3]string{"mongodb+srv://admin:", mixed(10), "@cluster0.ab1.mongodb.net/x"},
		[3]string{"amqp://svc:", mixed(8), "@rabbit:5672/vhost"},
		[3]string{"amqps://svc:", "Wint" + "er2026", "@mq"}, [3]string{"redis://:", mixed(16), "@cache:6379/0"}, [3]string{"rediss://default:", mixed(18), "@c.example:6380"},
		[3]string{"jdbc:mysql://db:3306/app?user=root&password=", mixed(9), "&useSSL=true"}, [3]string{"jdbc:postgresql://h/db?user=a&password=", "hun" + "ter22", ""},
		[3]string{"Server=db;Database=x;User Id=sa;Password=", mixed(10), ";Encrypt=true"}, [3]string{"Data Source=.;Initial Catalog=x;uid=sa;pwd=", "Som" + "mer24!", ";"}, [3]string{"host=db user=app password=", mixed(9), " dbname=x"},
		[3]string{"Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=", mixed(43), "="}, [3]string{"AccountName=a;AccountKey=", mixed(86), "=="}, [3]string{"mysql://root:", "tu" + "ba88", "@127.0.0.1/x"},
		[3]string{"smtp://mailer:", mixed(12), "@smtp.example:587"}, [3]string{"sftp://me:", "p%40" + mixed(6), "@files"}, [3]string{"jdbc:sqlserver://h;user=sa;password=", mixed(8), ";"})
	add("url",
		[3]string{"https://a.example/?access_token=", mixed(30), "&x=1"}, [3]string{"https://a.example/cb#id_token=", mixed(60), ""}, [3]string{"https://a.example/cb?code=", mixed(24), "&state=af0ifjsldkj"},
		[3]string{"https://b.s3.amazonaws.com/k?X-Amz-Credential=", "AK" + "IA" + rnd(upperSet, 16) + "%2F20260101", "&X-Amz-Expires=60"}, [3]string{"https://b.s3.amazonaws.com/k?X-Amz-Signature=", hex(64), ""},
		[3]string{"https://storage.googleapis.com/b/o?X-Goog-Signature=", hex(128), ""}, [3]string{"https://a.blob.core.windows.net/c?sv=2024-11-04&se=2026-01-01&sr=b&sig=", mixed(43) + "%3D", ""}, [3]string{"/reset?token=", mixed(20), ""},
		[3]string{"https://maps.example/js?key=", "k" + mixed(38), "&v=3"},
		[3]string{"https://x.example/p;jsessionid=", strings.ToUpper(hex(32)), "?a=1"}, [3]string{"?api_key=", hex(32), ""}, [3]string{"&apikey=", mixed(16), ""},
		[3]string{"https://x.example/login?user=a&password=", "ta" + "xi99", ""},
		[3]string{"https://x.example/?PHPSESSID=", rnd(lowerSet, 22) + "81", ""}, [3]string{"https://x.example/?sid=", mixed(18), ""}, [3]string{"https://x.example/?a=1&amp;token=", mixed(18), ""},
		[3]string{"https://bob:", "let" + "me1n", "@x.example/"},
		[3]string{"https://", hex(40), "@git.example/r.git"}, [3]string{"https://x.example/?signature=", mixed(32), ""}, [3]string{"wss://x.example/ws?jwt=", mixed(50), ""},
		[3]string{"https://x.example/sso?SAMLResponse=", mixed(200), ""},
		[3]string{"https://x.example/#/cb?refresh_token=", mixed(40), "&t=1"}, [3]string{"https://x.example/d?client_secret=", mixed(28), ""}, [3]string{`"https:\/\/x.example\/?a=b\u0026token=`, mixed(22), `"`})
	add("key_block",
		[3]string{"", "-----BEGIN " + "PRIVATE KEY-----\n" + mixed(64) + "\n" + mixed(64) + "\n" +
			mixed(30) + "==\n-----END PRIVATE KEY-----", "\nnext"}, [3]string{"key: |\n  ", "-----BEGIN RSA " + "PRIVATE KEY-----\n  " + mixed(64) + "\n  " + mixed(40) + "=\n  -----END RSA PRIVATE KEY-----", "\n"},
		[3]string{`"private_key": "`, "-----BEGIN " + `PRIVATE KEY-----\n` + mixed(64) + `\n` +
			mixed(64) + `\n-----END PRIVATE KEY-----\n`, `",`}, [3]string{"", "-----BEGIN EC " + "PRIVATE KEY-----\r\n" + mixed(64) + "\r\n" + mixed(64), "\r\n"},
		[3]string{"", "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n" + mixed(70) + "\n" + mixed(70) +
			"\n-----END OPENSSH PRIVATE KEY-----", ""}, [3]string{"", "-----BEGIN PGP " + "PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n" + mixed(64) + "\n=" + rnd(alnum, 4) + "\n-----END PGP PRIVATE KEY BLOCK-----", ""},
		[3]string{"", "-----BEGIN RSA " + "PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC," + strings.ToUpper(hex(32)) + "\n\n" + mixed(64) + "\n-----END RSA PRIVATE KEY-----", ""})
	add("jwt", [3]string{"", jwt(), ""}, [3]string{"token is ", jwt(), "."}, [3]string{"localStorage.jwt = '", jwt(), "'"}, [3]string{"(", jwt(), ")"})
	add("assignment",
		[3]string{"DB_PASSWORD=", "Tr0ub" + "4dor&3", "\nPORT=1"},
		[3]string{"export API_KEY=", mixed(32), "\n"}, [3]string{"SECRET_KEY='", mixed(50), "'"},
		[3]string{"JWT_SECRET=", hex(64), ""}, [3]string{"REDIS_PASSWORD: ", mixed(16), "\n"},
		[3]string{"password: ", "hun" + "ter2!x", "\n"},
		[3]string{`"password": "`, "B1en" + "enstich", `"`}, [3]string{`db.password = "`, "Kaff" + "ee42", `";`}, [3]string{`client_secret => '`, mixed(36), "'"}, [3]string{`$stripeToken .= "`, mixed(24), `"`},
		[3]string{"<apiToken>\n   ", mixed(28), "\n</apiToken>"},
		[3]string{`System.setProperty("SONAR_TOKEN", "`, hex(40), `")`},
		[3]string{`var githubToken string = "`, hex(40), `"`}, [3]string{`apiKey: '`, mixed(32), `',`}, [3]string{`--set db.password=`, mixed(14), " "},
		[3]string{`HEROKU_API_KEY=`, uuid(), "\n"},
		[3]string{`{"config.ini": "APP_TOKEN=`, mixed(24), `\nX=1"}`},
		[3]string{`<add key="Password" value="`, mixed(14), `" />`},
		[3]string{"accessToken := `", mixed(40), "`"},
		[3]string{"encryption_key = ", base64.StdEncoding.EncodeToString([]byte(mixed(32))), "\n"},
		[3]string{"passwd=", "Ga" + "rten7z", "\n"}, [3]string{"api.key = ", hex(32), "\n"},
		[3]string{"auth_token: '", hex(32), "'"}, [3]string{"consumer_key=\"", mixed(25), "\""})
	add("command", [3]string{"curl -u ops:", mixed(10), " https://x.example"},
		[3]string{`curl --user "ops:`, "we 1rd " + mixed(6), `" https://x.example`}, [3]string{"mysql -u root --password=", "To" + "ast77", " app"}, [3]string{"curl -u elastic:", "P@ss" + "w0rd$19", " https://x.example"},
		[3]string{"sshpass --password=", mixed(9), " ssh x"})
	add("command", [3]string{"machine h.example login me password ", "Ze" + "bra1", "\n"}, [3]string{`"auths": {"r.example": {"auth": "`, base64.StdEncoding.EncodeToString([]byte("me:" + mixed(9))), `"}}`},
		[3]string{"https://api.telegram.org/bot", rnd("123456789", 9) + ":A" + "A" + rnd(alnum, 33), "/getMe"}, [3]string{"SMTP_PASS=", "Ze" + "bra12", "\n"}, [3]string{"Authorization: Bearer ", "abc" + "123", ""})
	add("assignment", [3]string{"api_key=", "sk" + "-live-" + mixed(24), "\n"},
		[3]string{`"apiKey": "`, "sk" + "-test-" + mixed(20), `"`}, [3]string{"use ", "sk" + "-live-" + mixed(32), " there"},
		[3]string{"token ", "h" + "f_" + mixed(34), ""},
		[3]string{"HUB=", "h" + "f_" + rnd(letters, 34), "\n"}, [3]string{"access_key = ", "key" + "_live_" + mixed(28), "\n"})
	add("service", [3]string{"datadog=", hex(32), "\n"}, [3]string{"datadog_app: ", hex(40), "\n"},
		[3]string{"heroku: ", uuid(), "\n"}, [3]string{`"heroku": "`, uuid(), `",`}, [3]string{"const algolia = '", hex(32), "';"},
		[3]string{"sendgrid: ", mixed(40), "\n"}, [3]string{"twilio = \"", hex(32), "\""},
		[3]string{"newrelic=", hex(40), ""}, [3]string{"dropbox=", rnd(lowerSet+"0123456789", 9) + "3k7x1p", "\n"}, [3]string{"asana: 0/", hex(32), ""},
		[3]string{"coinbase => '", mixed(64), "'"}, [3]string{"lob: live_", hex(35), ""},
		[3]string{"facebook: ", hex(32), "\n"}, [3]string{"zendesk=", mixed(40), " "},
		[3]string{"fastly := \"", mixed(32), "\""}, [3]string{"linkedin: ", mixed(12) + "4r7t", "\n"})
	add("jwt", [3]string{"data: ", base64.StdEncoding.EncodeToString([]byte(jwt() + mixed(300))),
		"\n"}, [3]string{"x=", base64.StdEncoding.EncodeToString([]byte("Bearer " + jwt())), ""},
		[3]string{"x=", base64.StdEncoding.EncodeToString([]byte("JWT: " + jwt())), "&y"},
		[3]string{`"`, base64.RawURLEncoding.EncodeToString([]byte(`{"t":"` + jwt() + `"}`)), `"`})
	add("email", [3]string{"an example: ", "jane.doe" + "@" + "example.com", ""},
		[3]string{"Write to ", "ada.lovelace" + "@" + "analytical.engine.org", "."}, [3]string{"<a href=\"mailto:", "o'neil+news" + "@" + "mail.co.uk", "\">"}, [3]string{"(", "x_y-z%1" + "@" + "sub.domain.info", ")"}, [3]string{"Kontakt: ", "jürgen" + "@" + "müller.de", ""},
		[3]string{"a;", "first.last" + "@" + "gmail.com", ";b"},
		[3]string{"From: Bob <", "bob" + "@" + "corp.io", ">"}, [3]string{`"email":"`, "who" + "@" + "where.net", `"`}, [3]string{"\n", "me" + "@" + "localhost.dev", "\n"}, [3]string{"?to=", "me" + "@" + "host.com", "&x"})
	add("phone", [3]string{"Call ", "+1 (415) 555" + "-2671", " now"},
		[3]string{"Tel.: ", "030 / 1234" + "567", ""}, [3]string{"", "+49 30 901" + "820", ""},
		[3]string{"", "(212) 736" + "-5000", ""}, [3]string{"phone: ", "212.736" + ".5000", ""}, [3]string{"tel:", "+44207946" + "0958", ""},
		[3]string{"Fax ", "+33 1 44 55" + " 66 77", ""},
		[3]string{"at ", "646-736" + "-5000", " or"},
		[3]string{"1-", "800-692" + "-7753", " toll free"}, [3]string{"Mobil: ", "0171 55" + "51234", ""}, [3]string{"WhatsApp ", "+5511912" + "345678", ""}, [3]string{"", "+81-3-3213" + "-1111", ""})
	add("phone", [3]string{"My number is ", "555-123" + "-4567", "."}, [3]string{"or ", "(555) 123" + "-4567", ""}, [3]string{"Phone number: ", "555 0199" + " 12", ""})
	add("card", [3]string{"credit card number: ", "4111111111" + "111111", ""},
		[3]string{"Visa no. ", "4000 0566" + " 5566 5556", ""},
		[3]string{"card ", "4111 1111" + " 1111 1111", ""},
		[3]string{"", "4242424242" + "424242", " exp 12/29"},
		[3]string{"", "5555-5555-5555" + "-4444", ""},
		[3]string{"Amex ", "3782 822463" + " 10005", ""}, [3]string{"pan=", "5105105105" + "105100", ""}, [3]string{"", "6011 1111 1111" + " 1117", ""}, [3]string{`"number":"`, "378282246" + "310005", `"`})
	add("iban", [3]string{"IBAN ", "DE89 3704 0044" + " 0532 0130 00", ""},
		[3]string{"", "GB29NWBK6016" + "1331926819", "."},
		[3]string{"Konto: ", "AT611904" + "300234573201", ""}, [3]string{"(", "FR14 2004 1010 0505" + " 0001 3M02 606", ")"}, [3]string{"", "CH93 0076 2011" + " 6238 5295 7", ""}, [3]string{"", "NL91ABNA" + "0417164300", ""})
	add("ssn", [3]string{"SSN: ", "536-90" + "-4399", ""}, [3]string{"Social Security number is ", "219-09" + "-9998", "."}, [3]string{"ssn=", "536904" + "398", ""})
	return out
}

// lookAlikes are neither secrets nor personal data: Redact leaves them alone.
func lookAlikes() []string {
	r := func(seed uint64, set string, n int) string { return madeUp(seed, set, n) }
	out := strings.Split(strings.TrimSpace(lookAlikeLines), "\n")
	for seed := uint64(1); seed <= 4; seed++ {
		out = append(out,
			"commit "+r(seed, hexDigits, 40), "sha256:"+r(seed, hexDigits, 64),
			"md5 "+r(seed, hexDigits, 32), "ETag: \""+r(seed, hexDigits, 27)+"\"",
			"integrity=\"sha384-"+r(seed, alnum+"+/", 64)+"\"", `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA`+r(seed, alnum+"+/", 700)+`">`,
			"id "+r(seed, hexDigits, 8)+"-"+r(seed, hexDigits, 4)+"-4"+r(seed, hexDigits, 3)+"-8"+
				r(seed, hexDigits, 3)+"-"+r(seed, hexDigits, 12),
			"function "+r(seed, letters, 2)+"(e,t,n){var "+r(seed, letters, 3)+"=e."+
				r(seed, letters, 2)+";return "+r(seed, letters, 2)+"("+r(seed, letters, 3)+")}",
			"chunk-"+r(seed, hexDigits, 20)+".min.js", "h1:"+r(seed, alnum+"+/", 43)+"=", "arXiv:2"+r(seed, "0123456789", 3)+".0"+r(seed, "0123456789", 4),
			"run_01"+r(seed, upperSet+"0123456789", 24), "ISBN 978-3-16-14"+r(seed, "0123456789", 4)+"-"+r(seed, "0123456789", 1),
			"order no. 4"+r(seed, "0123456789", 15), "part 0-261-230-"+r(seed, "0123456789", 3), "VIN WBA3A5C5"+r(seed, "ABCDEFGHJKLMNPRSTUVWXYZ0123456789", 9),
			"SKU "+r(seed, upperSet, 3)+"-"+r(seed, "0123456789", 6)+"-"+r(seed, upperSet, 2), "1"+r(seed, "0123456789", 12)+" ms")
	}
	return out
}

const lookAlikeLines = `
heroku: heroku-22
heroku_app: my-heroku-app-staging-2024
datadog=true
datadog_site: datadoghq.eu
datadog.trace.agent.port=8126
facebook = https://www.facebook.com/example.page.2024
facebook: example.page.of.ours2024
facebook_app_id: 9f8e7d6c5b4a39281706f5e4d3c2b1a0
twitter: @some_user_name_1984
"twitter": "someusernamewithoutend"
linkedin: in/jane-doe-12345678
slack: general-announcements-2026
stripe: webhooks/v1/charge.succeeded
jira: PROJECT-12345, CONFLUENCE-98765
travis: language-python-3.12.1
sentry: sentry-sdk-2.19.2
segment: checkout-funnel-step-3
confluence: DOC/pages/viewpage.action
linear: gradient(90deg,ffffff,a1b2c3d4)
circleci: circleci/node:20.11.1-browsers
codecov_commit: 9fceb02d0ae598e95dc970b74767f19372d61af8
shopify_version=2026-01
okta: https://dev-123456.okta.com
mapbox: mapbox://styles/mapbox/streets-v11
sk-learn-contrib-pipeline-tools-for-everyone
sk-live-coding-session-in-the-evening-room
hf_hub_download_and_load_the_model_files
yandex: c1a2b3
VIN 1HGCM82633A004352, made in 2003
part number 5Q0-959-655-AK
order 300-471-9921
Order number: 415-555-2671
Bestellnummer 4539 5787 6362 1486
tracking number 1Z999AA10123456784
ISBN 978-3-16-148410-0
ISBN-10 0-306-40615-2
ISSN 2049-3630
EAN 4006381333931
GTIN 04012345123456
DOI 10.1000/182 and 10.1016/j.cell.2009.01.043
CVE-2024-3094, CWE-79, RFC 9309
3f2504e0-4f89-41d3-9a0c-0305e82c3301
9fceb02d0ae598e95dc970b74767f19372d61af8
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
version 1.2.3.4567, go1.26.8, v2.0.0-rc.1+build.2026
Python 3.11.2 (main, 2023-03-13)
price $1,299.00 or 1.299,00 EUR
costs 12.500.000 and weighs 1 234 567 kg
2026-11-21T17:56:38Z and 20261121 and 21.11.2026 17:56
2024-01-01T00:00:00+0200
1732212998 1732212998123 1732212998123456
from 1998-2004, 2010-2020
pages 123-456, lines 1000-2000
3.14159265358979323846
+12.5 % and -3.5
+1234567
latitude 52.520008, longitude 13.404954
-122.419416,37.774929
192.168.178.254 and 10.0.0.1:8080 and 2001:db8::ff00:42:8329
00:1B:44:11:3A:B7
color: #ff8800; background: #1a2b3c4d
rgba(255, 255, 255, 0.8) 1px solid
AKIAIOSFODNN7EXAMPLE
aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
Authorization: Bearer YOUR_ACCESS_TOKEN
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
Authorization: Bearer {{ token }}
Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==
Authorization: required for every request
The Authorization header: see the next section
Proxy-Authorization: <type> <credentials>
X-Api-Key: YOUR_API_KEY
x-api-key: string, required
Cookie: theme=dark; lang=en
Set-Cookie: theme=light; Path=/; Max-Age=3600
Cookie: <cookie-list>
This site uses cookies: see the policy.
password = "changeme"
password: "********"
password = "your_password_here"
password = os.environ["DB_PASSWORD"]
password="{{ vault.db }}"
Password: at least eight characters
Password: must be 8-64 characters long
password: string
"password": {"type": "string"}
password_encryption = 'scram-sha-256'
PASSWORD_MIN_LENGTH=12
passwordResetUrl: https://x.example/reset
ALTER ROLE davide WITH PASSWORD 'secret';
secret = "my-secret-value"
secret: true
Secret: nobody knows.
client_secret: null
api_key = "YOUR_API_KEY"
api_key = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
apiKey: process.env.API_KEY
api_key=${API_KEY}
token = "abcdefghijklmnopqrstuvwxyz"
token = next_token(stream)
"token_type": "urn:ietf:params:oauth:token-type:jwt"
token: identifier, number or string
max_tokens: 4096
tokens: 128000
tokenizer = AutoTokenizer.from_pretrained
"next_page_token": "CAUQAA2b7x91kQpZ"
nextPageToken=CAUQAA2b7x91kQpZ
sort_key = 'created_at_2024_desc_v2'
cache_key: "user/12345/avatar_v2.png"
foreign_key: "order_items.order_id"
primary key (id, version)
public_key: 302a300506032b6570032100d75a980182b10ab7d54bfed3c964073a
keyboard=qwerty&layout=us
https://example.com/?q=token&page=2
https://example.com/search?key=name&order=asc
https://example.com/?code=200
https://example.com/?token=YOUR_TOKEN
https://example.com/api?api_key={key}
https://example.com/?page_token=CAUQAA2b7x91kQpZ
https://example.com/item?id=4539578763621486
https://example.com/a/4111111111111111/b
https://example.com/?state=open&code=en
https://example.com/?s=shoes&t=red&k=1
https://example.com/v1;v=2?sv=2024-11-04&se=2026-01-01
https://example.com:8443/@user
https://user@example.com/
git@github.com:owner/repo.git
ssh://git@github.com/owner/repo.git
git+ssh://git@gitlab.com:group/repo.git
redis://:${REDIS_PASSWORD}@cache:6379
http://[user]:[pass]@proxy:8080/
postgres://localhost:5432/db
mongodb://host1:27017,host2:27017/?replicaSet=rs0
jdbc:postgresql://localhost:5432/db
Server=localhost;Database=x;Trusted_Connection=True;
curl -u user:pass https://example.com
curl --user $USER:$PASS https://x.example
mysql -u root -p
wget --password=secret ftp://x.example
logo@2x.png and icon@3x.webp
npm install react@18.2.0 @types/node@20.1.0
@media (max-width: 600px) and @import url(x.css)
follow @alice@mastodon.social
user@localhost and root@db-1
getty@tty1.service
a@b
array[@idx].name
-----BEGIN PUBLIC KEY-----
-----BEGIN CERTIFICATE-----
-----BEGIN RSA PRIVATE KEY----- ... -----END RSA PRIVATE KEY-----
the line -----BEGIN PRIVATE KEY----- opens a PKCS #8 key
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJdd7y3aLq454yWBdwLWbieU1ebz9/cu7/QEXn9OIeZJ
sk-learn, sk_buff and the sk-SK locale
hf_hub_download(repo_id)
npm_config_registry=https://registry.example/
xoxo, your friend
ghp_ is the prefix of personal tokens
Asia and Africa; patents pending; re_compile
eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9
eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c
IMEI 490154203237518
4111 1111 1111 1112
1234 5678 9012 3456
0000 0000 0000 0000
DE00 3704 0044 0532 0130 00
GB82 WEST 1234 5698 7654 33
536-90-4399
IP 100-200-3000
ZIP 94103-1234
room 415-555
123-456-7890
555-1234 is an order
(c) 2004-2026 The Authors
(1998) 123-4567
Phil. Trans. R. Soc. (2011) 369, 3730-3741
PMID: 12345678
PostgreSQL 15.20, libpq 5.15, OID 16384
1 000 000 000 rows, 16 777 216 colours
0x1f8b0800 0xdeadbeef
A4-210-297, B5-176-250
license key XXXXX-XXXXX-XXXXX-XXXXX
window.__NEXT_DATA__={"buildId":"x7Kd9-2mQpLrT"}
class="css-1q2w3e4r5t jss42"
.a1b2c3d4{margin:0}.e5f6a7b8{padding:4px}
UTF-8, ISO-8859-15, EPSG:4326
E = 1.602176634e-19
kWh 2 345,67
lot 20251121-0042-77
`

// The table of what is found is a golden file, so that a rule which loses a kind
// shows in a review. WSTK_GOLDEN=update writes it.
func TestRedactLabelled(t *testing.T) {
	type count struct{ n, found int }
	kinds := map[string]*count{}
	all := labelledSecrets()
	for _, c := range all {
		k := kinds[c.kind]
		if k == nil {
			k = &count{}
			kinds[c.kind] = k
		}
		k.n++
		in := "Ünïcode first.\n" + c.before + c.secret + c.after + "\nThe end."
		out := Redact(in)
		if strings.Contains(out, c.secret) || !strings.Contains(out, markerStart) ||
			leaks(out, c.secret) {
			t.Errorf("%s: %q became %q", c.kind, in, out)
			continue
		}
		k.found++
		if !strings.HasPrefix(out, "Ünïcode first.\n") || !strings.HasSuffix(out, "The end.") {
			t.Errorf("%s: too much is gone: %q", c.kind, out)
		}
	}
	same := lookAlikes()
	alarms := 0
	for _, s := range same {
		if out := Redact(s); out != s {
			alarms++
			t.Errorf("look-alike %q became %q", s, out)
		}
	}
	if len(all) < 150 || len(same) < 150 {
		t.Errorf("%d secrets and %d look-alikes", len(all), len(same))
	}
	var b strings.Builder
	var total count
	var names []string
	for name := range kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(&b, "%-12s %3d of %3d\n", name, kinds[name].found, kinds[name].n)
		total.n, total.found = total.n+kinds[name].n, total.found+kinds[name].found
	}
	fmt.Fprintf(&b, "%-12s %3d of %3d\n%-12s %3d of %3d\n", "all", total.found, total.n, "false alarms", alarms, len(same))
	const golden = "testdata/redact.golden"
	if os.Getenv("WSTK_GOLDEN") == "update" {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, _ := os.ReadFile(golden); string(want) != b.String() {
		t.Errorf("the table is\n%swant\n%s", b.String(), want)
	}
}

// leaks reports whether a long piece of the secret is still there.
func leaks(out, secret string) bool {
	const piece = 12
	for i := 0; i+piece <= len(secret); i += piece {
		if p := secret[i : i+piece]; strings.Contains(out, p) && !strings.Contains(p, "PRIVATE") &&
			!strings.Contains(p, "BEGIN") {
			return true
		}
	}
	return false
}

func TestRedactJSON(t *testing.T) {
	key := "gh" + "p_" + madeUp(7, alnum, 36)
	in := `{ "data":{"text_sha256":"` + madeUp(1, hexDigits, 64) + `","` + key + `":1.50,
  "url":"https://x.example/?a=1\u0026token=` + madeUp(2, alnum, 20) + `9z1",
  "headers":{"Authorization":"hunt` + `er2","set-cookie":"sid=` + madeUp(3, alnum, 20) + `77; Path=/"},
  "password":"Kaffee` + `42x","list":["<b>` + key + `</b>",12345678901234567890,null,true,"ü"],"id":"run_01ABC"},"n":[]}`
	out, n, err := RedactJSON([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	if n != 5 {
		t.Errorf("%d places", n)
	}
	for _, want := range []string{`"` + key + `":1.50`, `12345678901234567890,null,true,"ü"`, `"id":"run_01ABC"`, `<b>[redacted:github_token]</b>`, `"password":"[redacted:assigned_secret]"`, `token=[redacted:url_parameter]`, `"Authorization":"[redacted:authorization_header]"`, `"sid=[redacted:`, madeUp(1, hexDigits, 64)} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s lacks %s", out, want)
		}
	}
	if !json.Valid(out) {
		t.Errorf("no JSON: %s", out)
	}
	again, n, err := RedactJSON(out)
	if err != nil || n != 0 || string(again) != string(out) {
		t.Errorf("twice: %d places, %v\n%s", n, err, again)
	}
	if _, _, err := RedactJSON([]byte(`{"a":`)); wstk.CodeOf(err) != wstk.Invalid {
		t.Errorf("no JSON: %v", err)
	}
}

func TestSecretURL(t *testing.T) {
	r := func(n int) string { return madeUp(uint64(n), alnum, n) + "4z9" }
	for address, want := range map[string]string{
		"https://a.example/cb?code=" + r(20) + "&state=xyz1":                                                                    "code",
		"https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=" + r(20) + "&X-Amz-Signature=" + r(60): "X-Amz-Credential X-Amz-Signature",
		"https://s.googleapis.com/b?X-Goog-Signature=" + r(80):                                                                  "X-Goog-Signature",
		"https://a.blob.core.windows.net/c?sv=2024-11-04&se=2026-01-01&sig=" + r(40) + "%3D":                                    "sig",
		"https://user:secret@a.example/":                                                                                        "userinfo",
		"https://a.example/#access_token=" + r(30) + "&x=1":                                                                     "access_token",
		"https://a.example/#/cb?id_token=" + r(30):                                                                              "id_token",
		"https://a.example/p;jsessionid=" + r(29):                                                                               "jsessionid",
		"https://a.example/?PHPSESSID=" + r(23):                                                                                 "PHPSESSID",
		"https://a.example/?pass%77ord=abcd":                                                                                    "password",
		"https://a.example/?key=" + r(30) + "&token=" + r(9):                                                                    "key token",
		"https://a.example/cb?code=SplxlOBeZQ&state=xyz":                                                                        "code",
		"https://a.example/?code=200&page_token=" + r(20):                                                                       "",
		"https://a.example/?q=token&key=name":                                                                                   "",
		"https://a.example/?token=YOUR_TOKEN":                                                                                   "",
		"https://user@a.example/":                                                                                               "",
		"https://a.example/token/secret?x=1":                                                                                    "",
		"https://a.example/?state=CA&code=90210":                                                                                "",
		"::not a url::":                                                                                                         "",
	} {
		names := SecretURL(address)
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// Redacting twice is redacting once, whole code points stay whole, and what is valid
// stays valid; so it is for the JSON around it.
func FuzzRedact(f *testing.F) {
	for i, c := range labelledSecrets() {
		if i%3 == 0 {
			f.Add(c.before + c.secret + c.after)
		}
	}
	for _, s := range lookAlikes()[:40] {
		f.Add(s)
	}
	f.Add("Cookie: sid=[redacted:jwt]x1y2z3w4; a=[redacted:nothing]; [redacted:jwt")
	f.Add("password='[redacted:email]a1B2c3d4'\xff\xc3 +49 30 901820")
	f.Fuzz(func(t *testing.T, s string) {
		once, n := redact(s)
		if (n == 0) != (once == s) {
			t.Fatalf("%d places, %q became %q", n, s, once)
		}
		if twice, n := redact(once); twice != once || n != 0 {
			t.Fatalf("%q\nonce  %q\ntwice %q", s, once, twice)
		}
		if utf8.ValidString(s) != utf8.ValidString(once) && utf8.ValidString(s) {
			t.Fatalf("%q became %q", s, once)
		}
		data, _ := json.Marshal(map[string]any{"a": s, "token": []string{s}})
		out, _, err := RedactJSON(data)
		if err != nil || !json.Valid(out) {
			t.Fatalf("%s became %s, %v", data, out, err)
		}
		if again, n, _ := RedactJSON(out); n != 0 || string(again) != string(out) {
			t.Fatalf("%s\nonce  %s\ntwice %s", data, out, again)
		}
		SecretURL(s)
	})
}

// Texts made of secrets, look-alikes, markers and what stands between them, in any
// order and glued together: the same laws hold.
func TestRedactAnyMixture(t *testing.T) {
	secrets, plain := labelledSecrets(), lookAlikes()
	glue := []string{"", " ", "\n", ", ", "\"", "'", "=", ": ", "&", "?", ";", "@", "[", "]", "://", "\\n", "é", "\u200b", marker("jwt"), marker("email"), "[redacted:", "[redacted:nobody]", "password=", "Cookie: ", "Authorization: Bearer "}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 12).Draw(t, "pieces") {
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				c := secrets[rapid.IntRange(0, len(secrets)-1).Draw(t, "secret")]
				b.WriteString(c.before + c.secret + c.after)
			case 1:
				b.WriteString(plain[rapid.IntRange(0, len(plain)-1).Draw(t, "plain")])
			default:
				b.WriteString(glue[rapid.IntRange(0, len(glue)-1).Draw(t, "glue")])
			}
		}
		s := b.String()
		once, _ := redact(s)
		if twice := Redact(once); twice != once {
			t.Fatalf("%q\nonce  %q\ntwice %q", s, once, twice)
		}
		if !utf8.ValidString(once) {
			t.Fatalf("%q became %q", s, once)
		}
	})
}

// An address that repeats words of a page repeats no secret, though it escapes what is beside one.
func TestRedactInAddresses(t *testing.T) {
	token := "gh" + "p_" + madeUp(7, alnum, 36)
	for in, want := range map[string]string{
		"https://a.example/#:~:text=The%20key%20is%20" + token + "%2C%20they%20say": "https://a.example/#:~:text=The%20key%20is%20[redacted:github_token]%2C%20they%20say",
		"https://a.example/?to=jane.doe%40pumps.example.org%2Cnow":                  "https://a.example/?to=[redacted:email]%2Cnow",
		"100%25 of it, 5%2 and %zz stay":                                            "100%25 of it, 5%2 and %zz stay",
	} {
		if got := Redact(in); got != want {
			t.Errorf("%s became %s, want %s", in, got, want)
		}
	}
}
