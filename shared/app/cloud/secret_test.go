package cloud_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"

	"wstk/shared/adapter/dynamodb"
	"wstk/shared/app/cloud"
	"wstk/shared/wstk"
)

// The keys of the secret that WSTK_PROVIDER_SECRET names switch providers on; without the
// variable no secret is read.
func TestProviderSecret(t *testing.T) {
	s := deploy(t)
	secrets, name := secretsmanager.NewFromConfig(s.cfg), "test/"+rand.Text()
	keep := func(value string) {
		t.Helper()
		_, err := secrets.PutSecretValue(t.Context(),
			&secretsmanager.PutSecretValueInput{SecretId: &name, SecretString: &value})
		must(t, err)
	}
	_, err := secrets.CreateSecret(t.Context(),
		&secretsmanager.CreateSecretInput{Name: &name, SecretString: aws.String("{}")})
	must(t, err)
	t.Cleanup(func() {
		secrets.DeleteSecret(context.Background(),
			&secretsmanager.DeleteSecretInput{SecretId: &name,
				ForceDeleteWithoutRecovery: aws.Bool(true)})
	})
	t.Setenv("AWS_ENDPOINT_URL", os.Getenv("WSTK_AWS_ENDPOINT"))
	t.Setenv("AWS_REGION", "us-east-1")
	t.Setenv("HOME", t.TempDir())
	for _, variable := range []string{"BRAVE_API_KEY", "BRAVE_KEY", "BRAVE_SEARCH_API_KEY", "SERPER_API_KEY"} {
		t.Setenv(variable, "")
	}
	t.Setenv("SERPER_KEY", "of-the-environment")

	keep(`{"BRAVE_API_KEY": "of-the-secret", "SERPER_API_KEY": "of-the-secret", "SERPER_BASE_URL": "http://serper.example"}`)
	for _, set := range []string{"", name} {
		want := ""
		if set != "" {
			want = "of-the-secret"
		}
		t.Setenv("WSTK_PROVIDER_SECRET", set)
		system, err := cloud.Open(t.Context())
		must(t, err)
		p := system.Config.Providers
		if p["brave_api"].Key.Reveal() != want || p["serper"].Key.Reveal() != "of-the-environment" {
			t.Errorf("with the secret %q the keys are %q and %q", set, p["brave_api"].Key.Reveal(), p["serper"].Key.Reveal())
		}
	}

	keep(`{"BRAVE_API_KEI": "of-the-secret"}`)
	if _, err := cloud.Open(t.Context()); wstk.CodeOf(err) != wstk.Invalid ||
		!strings.Contains(err.Error(), "BRAVE_API_KEI") || strings.Contains(err.Error(), "of-the-secret") {
		t.Errorf("a name that is no setting: %v", err)
	}
	t.Setenv("WSTK_PROVIDER_SECRET", name+"-other")
	if _, err := cloud.Open(t.Context()); wstk.CodeOf(err) != wstk.Unavailable ||
		len(wstk.StepsOf(err)) == 0 {
		t.Errorf("a secret that is not there: %v", err)
	}
}

// vendor is a search vendor that can have had enough.
type vendor struct {
	*httptest.Server
	asked atomic.Int32
	tired atomic.Bool
}

func newVendor(t *testing.T) *vendor {
	v := &vendor{}
	v.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		v.asked.Add(1)
		if v.tired.Load() {
			w.Header().Set("Retry-After", "600")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		fmt.Fprint(w, `{"organic": [{"title": "Tides", "link": "https://a.example/tides", "snippet": "s", "position": 1}]}`)
	}))
	t.Cleanup(v.Close)
	return v
}

// system is another process of the stack.
func (s *stack) system(t *testing.T) *cloud.System {
	t.Helper()
	system, err := cloud.New(s.config, s.cfg, slog.New(slog.DiscardHandler))
	must(t, err)
	return system
}

// What one process learns of a provider, another one knows: who rests, and what was
// answered, stand in the table.
func TestProcessesShareWhatProvidersSaid(t *testing.T) {
	s := deploy(t)
	vendor := newVendor(t)
	must(t, s.config.Set("providers.serper.base_url", vendor.URL, "test"))
	must(t, s.config.Set("providers.serper.key", "made-"+"up", "test"))
	ask := func(words string) (wstk.SearchReply, error) {
		t.Helper()
		system := s.system(t)
		if _, ok := system.SearchRows.(dynamodb.SearchRows); !ok || system.Templates == nil {
			t.Fatal("search runs have no store")
		}
		for _, p := range system.WebSearch.Providers {
			if p.Info().ID == "serper" {
				return p.Search(t.Context(), wstk.SearchQuery{Words: words})
			}
		}
		t.Fatal("there is no serper")
		return wstk.SearchReply{}, nil
	}
	first, err := ask("tides")
	must(t, err)
	again, err := ask("tides")
	must(t, err)
	if vendor.asked.Load() != 1 || first.Cached || !again.Cached || len(again.Results) != 1 {
		t.Errorf("asked %d times, cached %v then %v, %d results", vendor.asked.Load(), first.Cached, again.Cached, len(again.Results))
	}
	vendor.tired.Store(true)
	if _, err := ask("pumps"); wstk.CodeOf(err) != wstk.RateLimited {
		t.Errorf("a vendor that has had enough: %v", err)
	}
	asked := vendor.asked.Load()
	if _, err := ask("hoses"); wstk.CodeOf(err) != wstk.RateLimited || vendor.asked.Load() != asked {
		t.Errorf("another process asks all the same: %v", err)
	}
}
