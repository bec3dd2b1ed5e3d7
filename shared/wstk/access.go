package wstk

import (
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// AccessKind is how a page is asked for.
type AccessKind string

const (
	AccessPublic  AccessKind = "public"  // as every reader may ask
	AccessHeaders AccessKind = "headers" // with headers of the operator's, such as a cookie
	AccessAPI     AccessKind = "api"     // from an official API that gives the same page
)

// AccessKinds lists the kinds that a rule of an operator may have.
func AccessKinds() []AccessKind { return []AccessKind{AccessHeaders, AccessAPI} }

// Way is how one page is asked for.
type Way struct {
	Kind   AccessKind
	Rule   string // the operator's name for the rule; "" for public
	Page   string // the page that was named, canonical
	URL    string // what is requested, canonical: Page, or where an API gives it
	Accept string // the Accept header that URL needs; "" leaves it open
	ReadAs string // media type as which the body is read; "" means that of the reply

	// Credential is sent with the request; nil means that none is.
	Credential *Credential
}

// Permit is the mark of a Way on what it brought; nil for public.
func (w Way) Permit() *Permit {
	if w.Kind == AccessPublic {
		return nil
	}
	return &Permit{Kind: w.Kind, Rule: w.Rule, Page: w.Page, Private: w.Credential != nil}
}

// Permit says which rule of the operator's had a page asked for. What has one is not what
// every reader of the page gets.
type Permit struct {
	Kind AccessKind `json:"kind"`
	Rule string     `json:"rule"`
	// the page that was named. Of an API, only the API says that it gives the same page.
	Page string `json:"page"`
	// a credential was sent: the reply may be meant for its owner alone
	Private bool `json:"private"`
}

// AccessInfo says what a rule is for. It holds no secret.
type AccessInfo struct {
	Kind      AccessKind
	Rule      string
	Pages     string   // the address under which its pages lie; "" for all pages
	Asks      string   // where the API gives them, with placeholders; "" for the pages themselves
	Headers   []string // names of the headers that are sent
	Variables []string // of the environment that hold them
	Missing   []string // those of Variables that are not set
}

// Access is a permission router: it says how a page may be asked for. It sends no request,
// and is safe for concurrent use.
type Access interface {
	// Info lists the rules, in the order in which they are tried.
	Info() []AccessInfo

	// Way returns how the page at a canonical URL is asked for. The page is as given, and so is
	// the URL of every kind but api. A credential covers the URL that it comes with. NotFound
	// means that the router is not for this page; Unprocessable that it is, and a variable of
	// its credential is not set: the page is then not asked for in another way. The errors
	// hold no secret.
	Way(page string) (Way, error)
}

// Credential is headers of the operator's for one place: an origin, and the paths under one
// path of it. Only a Client sends it, and only where Covers is true. However it is printed or
// encoded, it is hidden. It never changes.
type Credential struct {
	under  string
	reveal func() http.Header // a function, so that no printer finds the values
}

// NewCredential returns the credential for what lies under an address without query and
// placeholders, in canonical form. Codes: Invalid for an address that is neither https nor http
// on a loopback address, and for headers that CheckCredential refuses.
func NewCredential(under string, header http.Header) (*Credential, error) {
	if err := checkPlace(under); err != nil {
		return nil, err
	}
	if len(header) == 0 {
		return nil, Errorf(Invalid, "", "there is no header")
	}
	own := http.Header{}
	for name, values := range header {
		for _, v := range values {
			if err := CheckCredential(name, v); err != nil {
				return nil, err
			}
			own.Add(name, v)
		}
	}
	return &Credential{under, func() http.Header { return own.Clone() }}, nil
}

// checkPlace returns an error for an address to which no credential may go.
func checkPlace(under string) error {
	u, err := url.Parse(under)
	if err != nil || u.Host == "" || u.User != nil || strings.ContainsAny(under, "*?#{}") {
		return Errorf(Invalid, "", "a credential is for one address without wildcards and query")
	}
	addr, _ := netip.ParseAddr(u.Hostname())
	if u.Scheme != "https" && !(u.Scheme == "http" && addr.IsLoopback()) {
		return Errorf(Invalid, "", "a credential goes over https only, or over http to a loopback "+
			"address such as 127.0.0.1")
	}
	return nil
}

// Covers reports whether the credential may be sent to a canonical URL: scheme, host and port
// are the same, and the path lies under its own. nil covers nothing.
func (c *Credential) Covers(url string) bool { return c != nil && Under(url, c.under) }

// Under reports whether a canonical URL is that of a place or lies under it: "https://a.org/x"
// holds itself, "https://a.org/x?q" and "https://a.org/x/y", not "https://a.org/xy".
func Under(url, place string) bool {
	rest, ok := strings.CutPrefix(url, place)
	return ok && (rest == "" || strings.HasSuffix(place, "/") || rest[0] == '/' || rest[0] == '?')
}

// Reveal is the headers, for the request that carries them.
func (c *Credential) Reveal() http.Header { return c.reveal() }

// shortestSecret is the shortest text that counts as a secret where it is found again.
const shortestSecret = 8

// In reports whether a text repeats a secret of the credential: the value of a header, what
// follows its scheme ("Bearer …"), or the value of a cookie. Secrets of under 8 bytes do not
// count. nil is in nothing.
func (c *Credential) In(text string) bool {
	if c == nil {
		return false
	}
	for _, values := range c.reveal() {
		for _, v := range values {
			parts := []string{v}
			for part := range strings.SplitSeq(v, ";") {
				_, cookie, _ := strings.Cut(part, "=")
				parts = append(parts, strings.Trim(cookie, ` "`))
			}
			_, token, _ := strings.Cut(v, " ")
			if slices.ContainsFunc(append(parts, token), func(s string) bool {
				return len(s) >= shortestSecret && strings.Contains(text, s)
			}) {
				return true
			}
		}
	}
	return false
}

func (c *Credential) String() string { return "hidden" }

// Format makes every verb of fmt print what String says.
func (c *Credential) Format(f fmt.State, _ rune) { io.WriteString(f, c.String()) }

func (c *Credential) MarshalJSON() ([]byte, error) { return []byte(strconv.Quote(c.String())), nil }
