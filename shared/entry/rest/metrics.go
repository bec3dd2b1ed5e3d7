package rest

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"

	"wstk/shared/wstk"
)

// metrics are the numbers of this process for Prometheus. A function of the cloud lives
// too short to be asked, and writes its numbers to its log.
func (h *handler) metrics(r *http.Request) (reply, error) {
	if err := noQuery(r); err != nil {
		return reply{}, err
	}
	if h.app.Metrics.Out != nil {
		return reply{}, wstk.Errorf(wstk.NotFound, "", "this server keeps no metrics").
			Try(wstk.Advice("look them up in CloudWatch, under the namespace wstk"))
	}
	if err := h.app.Crawling.MeasureQueues(r.Context()); err != nil {
		return reply{}, err
	}
	var text bytes.Buffer
	if err := h.app.Metrics.Prometheus(&text); err != nil {
		return reply{}, err
	}
	return reply{serve: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(text.Len()))
		w.Write(text.Bytes())
	}}, nil
}

// measure counts a request that was answered.
func (h *handler) measure(r *http.Request, status int, took time.Duration) {
	if strings.HasSuffix(r.Pattern, "/events") {
		took = -1
	}
	h.app.Metrics.HTTP(r.Method, r.Pattern, status, took)
}
