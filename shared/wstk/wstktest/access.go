package wstktest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// AccessOptions say what a router is for.
type AccessOptions struct {
	Mine    []string // canonical URLs of pages that it is for
	Others  []string // canonical URLs of pages that it is not for
	Lacking []string // those that it is for, and that lack a variable
	Secrets []string // values of its variables
}

// Access checks what wstk.Access promises.
func Access(t *testing.T, router wstk.Access, o AccessOptions) {
	t.Run("ThePageIsAsGivenAndOnlyAnAPIAsksElsewhere", func(t *testing.T) {
		for _, page := range o.Mine {
			way, err := router.Way(page)
			if err != nil {
				t.Fatalf("%s: %v", page, err)
			}
			canonical, err := text.Canonical(way.URL)
			if way.Page != page || (way.URL != page) != (way.Kind == wstk.AccessAPI) ||
				err != nil || canonical != way.URL {
				t.Errorf("%s: %+v", page, way)
			}
		}
	})
	t.Run("ACredentialCoversTheURLThatItComesWith", func(t *testing.T) {
		for _, page := range o.Mine {
			way, _ := router.Way(page)
			if way.Credential != nil && !way.Credential.Covers(way.URL) {
				t.Errorf("the credential does not cover %s", way.URL)
			}
			if permit := way.Permit(); (permit == nil) != (way.Kind == wstk.AccessPublic) ||
				permit != nil && permit.Private != (way.Credential != nil) {
				t.Errorf("%s has the permit %+v", page, permit)
			}
		}
	})
	t.Run("AnotherPageIsNotFound", func(t *testing.T) {
		for _, page := range o.Others {
			way, err := router.Way(page)
			if wstk.CodeOf(err) != wstk.NotFound || !reflect.ValueOf(way).IsZero() {
				t.Errorf("%s: %+v, %v", page, way, err)
			}
		}
	})
	t.Run("AMissingVariableIsUnprocessable", func(t *testing.T) {
		for _, page := range o.Lacking {
			way, err := router.Way(page)
			if wstk.CodeOf(err) != wstk.Unprocessable || !reflect.ValueOf(way).IsZero() ||
				len(wstk.StepsOf(err)) == 0 {
				t.Errorf("%s: %+v, %v", page, way, err)
			}
		}
	})
	t.Run("NoSecretIsShown", func(t *testing.T) {
		said := fmt.Sprintf("%+v %#v", router.Info(), router.Info())
		for _, page := range slices.Concat(o.Mine, o.Others, o.Lacking) {
			way, err := router.Way(page)
			data, _ := json.Marshal(way)
			said += fmt.Sprintf("%+v %#v %v %s", way, way, err, data)
		}
		for _, secret := range o.Secrets {
			if strings.Contains(said, secret) {
				t.Errorf("%q is shown: %s", secret, said)
			}
		}
	})
	t.Run("InfoNamesEveryRule", func(t *testing.T) {
		infos := router.Info()
		for _, page := range o.Mine {
			way, _ := router.Way(page)
			if !slices.ContainsFunc(infos, func(i wstk.AccessInfo) bool {
				return i.Kind == way.Kind && i.Rule == way.Rule
			}) {
				t.Errorf("%s goes by the rule %q, which is not listed", page, way.Rule)
			}
		}
	})
}
