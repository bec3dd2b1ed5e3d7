package rest

import (
	"compress/gzip"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// worthIt is the size of a body, in bytes, from which it is compressed.
const worthIt = 1 << 10

// compressor sends bodies of text with gzip to those who take it. It decides when the
// header is written, by the header alone: the body must have a Content-Length.
type compressor struct {
	http.ResponseWriter
	accepted bool // the client takes gzip
	bodyless bool // the client wants the header alone
	zip      *gzip.Writer
	begun    bool
}

var zips = sync.Pool{New: func() any {
	z, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed) // the level is one there is
	return z
}}

func (c *compressor) WriteHeader(status int) {
	if !c.begun {
		c.begun = true
		c.decide(status)
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *compressor) decide(status int) {
	h := c.Header()
	if status == http.StatusNotModified && c.accepted { // of the body that was sent compressed
		weaken(h)
		h.Add("Vary", "Accept-Encoding")
		return
	}
	n, err := strconv.Atoi(h.Get("Content-Length"))
	if err != nil || n < worthIt || status == http.StatusPartialContent ||
		h.Get("Content-Encoding") != "" || !compressible(h.Get("Content-Type")) {
		return
	}
	h.Add("Vary", "Accept-Encoding")
	if !c.accepted {
		return
	}
	weaken(h)
	h.Set("Content-Encoding", "gzip")
	h.Del("Content-Length")
	h.Del("Accept-Ranges") // ranges are of the body as it is stored
	if !c.bodyless {
		c.zip = zips.Get().(*gzip.Writer)
		c.zip.Reset(c.ResponseWriter)
	}
}

// weaken makes the ETag that of a body that means the same: its bytes are others now.
func weaken(h http.Header) {
	if tag := h.Get("ETag"); strings.HasPrefix(tag, `"`) {
		h.Set("ETag", "W/"+tag)
	}
}

func (c *compressor) Write(b []byte) (int, error) {
	if !c.begun {
		c.WriteHeader(http.StatusOK)
	}
	if c.zip == nil {
		return c.ResponseWriter.Write(b)
	}
	return c.zip.Write(b)
}

// close ends the body.
func (c *compressor) close() {
	if c.zip != nil {
		c.zip.Close() // what fails fails in the connection
		c.drop()
	}
}

// drop leaves the body as it is, without its end.
func (c *compressor) drop() {
	if c.zip != nil {
		c.zip.Reset(io.Discard)
		zips.Put(c.zip)
		c.zip = nil
	}
}

// Unwrap is for http.ResponseController.
func (c *compressor) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// compressible reports whether bodies of a content type become smaller. Streams of
// events are sent as they happen.
func compressible(contentType string) bool {
	kind, _, err := mime.ParseMediaType(contentType)
	return err == nil && (strings.HasPrefix(kind, "text/") && kind != eventStream ||
		kind == "application/json")
}

// takesGzip reports whether a client wants gzip rather than bodies as they are
// (RFC 9110 §12.5.3).
func takesGzip(r *http.Request) bool {
	weight := map[string]float64{}
	for _, item := range strings.Split(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, parameter, _ := strings.Cut(item, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		q := 1.0
		if key, value, ok := strings.Cut(parameter, "="); ok &&
			strings.EqualFold(strings.TrimSpace(key), "q") {
			var err error
			if q, err = strconv.ParseFloat(strings.TrimSpace(value), 64); err != nil ||
				!(q >= 0 && q <= 1) {
				q = 0
			}
		}
		if name == "x-gzip" {
			name = "gzip"
		}
		if name != "" {
			weight[name] = q
		}
	}
	zipped, named := weight["gzip"]
	if !named {
		zipped = weight["*"]
	}
	return zipped > 0 && zipped >= weight["identity"]
}
