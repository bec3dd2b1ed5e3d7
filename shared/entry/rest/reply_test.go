package rest

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/reading"
	"wstk/shared/wstk"
)

// Every error has the same shape: what is wrong, more about it, its code, and what to try.
func TestShapeOfErrors(t *testing.T) {
	h := &handler{app: app.New(app.Home{Base: reading.Base{Log: slog.New(slog.DiscardHandler)}})}
	for _, c := range []struct {
		err  error
		want string
	}{
		{wstk.Errorf(wstk.Invalid, "", "the url is missing"), `400 {"error":"the url is missing","details":"","code":"invalid","request_id":""}`},
		{wstk.Errorf(wstk.NotFound, "reading", "it is gone").
			Try(wstk.Step{Do: wstk.DoListSites}, wstk.Step{Do: wstk.DoDoctor}),
			`404 {"error":"reading: it is gone","details":"","code":"not_found","request_id":"","next":["GET /sites","on the server, run ` + "`wstk doctor`" + `"]}`},
		{summed("LLM call failed", wstk.Errorf(wstk.ModelFailed, "", "timeout after 5s").Try(wstk.Advice("try again"))),
			`502 {"error":"LLM call failed","details":"timeout after 5s","code":"model_failed","request_id":"","next":["try again"]}`},
		{summed("invalid schema", wstk.Errorf(wstk.Invalid, "", "unknown placeholder {PAST_2_WEEKS}")),
			`400 {"error":"invalid schema","details":"unknown placeholder {PAST_2_WEEKS}","code":"invalid","request_id":""}`},
		{wstk.Wrap(wstk.ProvidersFailed, "", summed("providers failed", wstk.Errorf(wstk.ProvidersFailed, "", "serper:403; google:quota"))),
			`502 {"error":"providers failed","details":"serper:403; google:quota","code":"providers_failed","request_id":""}`},
		{summed("providers failed", errors.New("secret of the inside")),
			`500 {"error":"an internal error occurred; the log has details under this request_id","details":"","code":"internal","request_id":""}`},
		{wstk.Errorf(wstk.Timeout, "", "30s passed"), `504 {"error":"the request took too long","details":"","code":"timeout","request_id":""}`},
	} {
		w := httptest.NewRecorder()
		h.fail(w, httptest.NewRequest("GET", "/", nil), c.err)
		if got := fmt.Sprintf("%d %s", w.Code, strings.TrimSpace(w.Body.String())); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	if summed("nothing", nil) != nil {
		t.Error("a summary of no error")
	}
}
