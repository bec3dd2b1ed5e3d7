package wstktest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// ModelVendor is the service behind a Model, as the suite plays it.
type ModelVendor struct {
	// Open returns the model, new for every sub-test. It reaches its vendor through
	// transport alone.
	Open func(t *testing.T, transport http.RoundTripper) wstk.Model

	// Replies is the folder of recorded replies: ordinary, cut (at the limit of tokens),
	// withheld (the model refuses), unfinished (without a reason why the reply ends) and hostile
	// (the text of ordinary, among what no one asked for, with numbers below 0), each .json.
	Replies string

	Text string // of ordinary
	Key  string // given by Open; it must never show
}

// Model checks what wstk.Model promises.
func Model(t *testing.T, v ModelVendor) {
	request := wstk.ModelRequest{System: "Do as you are told.", User: `{"wish": "tide tables"}`,
		Name: "wish", Schema: json.RawMessage(`{"type":"object"}`), MaxTokens: 77}
	recorded := func(t *testing.T, name string) []byte {
		data, err := os.ReadFile(filepath.Join(v.Replies, name+".json"))
		must(t, err)
		return data
	}
	answer := func(status int, header http.Header, body []byte) modelService {
		return func(*http.Request) (*http.Response, error) {
			if header == nil {
				header = http.Header{}
			}
			return &http.Response{StatusCode: status, Header: header,
				Body: io.NopCloser(bytes.NewReader(body))}, nil
		}
	}

	t.Run("InfoSendsNoRequest", func(t *testing.T) {
		m := v.Open(t, modelService(func(*http.Request) (*http.Response, error) {
			t.Error("it was asked")
			return nil, errors.New("no")
		}))
		if info := m.Info(); info.Provider == "" || info.Model == "" {
			t.Errorf("info is %+v", info)
		}
	})

	t.Run("CompleteAsksOnceAndCounts", func(t *testing.T) {
		asked := 0
		var sent string
		m := v.Open(t, modelService(func(r *http.Request) (*http.Response, error) {
			asked++
			body, err := io.ReadAll(r.Body)
			must(t, err)
			sent = r.URL.Path + string(body)
			if strings.Contains(r.URL.String()+sent, v.Key) {
				t.Error("the key stands outside a header")
			}
			return answer(200, nil, recorded(t, "ordinary"))(r)
		}))
		reply, err := m.Complete(bg, request)
		must(t, err)
		if reply.Text != v.Text || asked != 1 {
			t.Errorf("asked %d times, got %q", asked, reply.Text)
		}
		if u := reply.Usage; u.Calls != 1 || u.InputTokens == 0 || u.OutputTokens == 0 {
			t.Errorf("usage is %+v", u)
		}
		for _, part := range []string{request.System, `{\"wish\": \"tide tables\"}`,
			"77", m.Info().Model} {
			if !strings.Contains(sent, part) {
				t.Errorf("%q was not sent: %s", part, sent)
			}
		}
	})

	t.Run("FailuresHaveCodes", func(t *testing.T) {
		for status, code := range map[int]wstk.Code{401: wstk.Unauthorized, 403: wstk.Unauthorized,
			400: wstk.Invalid, 429: wstk.RateLimited,
			500: wstk.Unavailable, 503: wstk.Unavailable, 302: wstk.HTTPError,
			404: wstk.HTTPError} {
			m := v.Open(t, answer(status, http.Header{"Retry-After": {"7"}},
				fmt.Appendf(nil, `{"error":{"message":"no, not with %s"}}`, v.Key)))
			_, err := m.Complete(bg, request)
			wantCode(t, fmt.Sprint("status ", status), err, code)
			if strings.Contains(err.Error(), v.Key) {
				t.Errorf("the error shows the key: %v", err)
			}
			if status == 429 && wstk.RetryAfterOf(err).Seconds() != 7 {
				t.Errorf("429 is to be tried again after %s", wstk.RetryAfterOf(err))
			}
		}
		for name, c := range map[string]struct {
			body []byte
			code wstk.Code
		}{
			"cut":      {recorded(t, "cut"), wstk.ModelFailed},
			"withheld": {recorded(t, "withheld"), wstk.ModelFailed},
			// a connection that was cut looks like a reply without a reason why it ends
			"unfinished": {recorded(t, "unfinished"), wstk.ModelFailed},
			"no JSON":    {[]byte("<html>busy</html>"), wstk.HTTPError},
			"no text":    {[]byte("{}"), wstk.HTTPError},
			"a bomb":     {bytes.Repeat([]byte("a"), 50<<20), wstk.TooLarge},
		} {
			_, err := v.Open(t, answer(200, nil, c.body)).Complete(bg, request)
			wantCode(t, name, err, c.code)
		}
		_, err := v.Open(t, modelService(func(*http.Request) (*http.Response, error) {
			return nil, errors.New("reset by " + v.Key)
		})).Complete(bg, request)
		wantCode(t, "no connection", err, wstk.Network)
		if strings.Contains(err.Error(), v.Key) {
			t.Errorf("the error shows the key: %v", err)
		}
	})

	t.Run("TextIsOfTheReplyAlone", func(t *testing.T) {
		reply, err := v.Open(t, answer(200, nil, recorded(t, "hostile"))).Complete(bg, request)
		must(t, err)
		if reply.Text != v.Text {
			t.Errorf("the text is %q", reply.Text)
		}
		if u := reply.Usage; u.Calls != 1 || u.InputTokens < 0 || u.OutputTokens < 0 {
			t.Errorf("usage is %+v", u)
		}
	})

	t.Run("CompleteEndsWithItsContext", func(t *testing.T) {
		hanging := modelService(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		ctx, cancel := context.WithCancel(bg)
		cancel()
		_, err := v.Open(t, hanging).Complete(ctx, request)
		wantCode(t, "cancelled", err, wstk.Cancelled)
		ctx, cancel = context.WithTimeout(bg, 1)
		defer cancel()
		_, err = v.Open(t, hanging).Complete(ctx, request)
		wantCode(t, "late", err, wstk.Timeout)
	})
}

// modelService answers requests.
type modelService func(*http.Request) (*http.Response, error)

func (s modelService) RoundTrip(r *http.Request) (*http.Response, error) { return s(r) }
