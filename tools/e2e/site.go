package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// site is a folder served on loopback that remembers its visitors.
type site struct {
	url   string
	close func()

	mu        sync.Mutex
	arrivals  []time.Time // of requests for pages
	inFlight  int
	most      int // requests at once
	unchanged int // replies that said: not modified
}

func serve(folder string) *site {
	s := &site{}
	files := http.FileServer(http.Dir(folder))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		// those come before the first slot
		if !strings.HasPrefix(r.URL.Path, "/robots") && !strings.Contains(r.URL.Path, "sitemap") {
			s.arrivals = append(s.arrivals, time.Now())
		}
		s.inFlight++
		s.most = max(s.most, s.inFlight)
		s.mu.Unlock()
		time.Sleep(5 * time.Millisecond) // so that two at once would meet
		rec := &status{ResponseWriter: w}
		files.ServeHTTP(rec, r)
		s.mu.Lock()
		s.inFlight--
		if rec.code == http.StatusNotModified {
			s.unchanged++
		}
		s.mu.Unlock()
	}))
	s.url, s.close = server.URL+"/", server.Close
	return s
}

type status struct {
	http.ResponseWriter
	code int
}

func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code)
}

// visits starts the memory again and returns what was remembered.
func (s *site) visits() (arrivals []time.Time, most, notModified int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	arrivals, most, notModified = s.arrivals, s.most, s.unchanged
	s.arrivals, s.most, s.unchanged = nil, 0, 0
	return arrivals, most, notModified
}
