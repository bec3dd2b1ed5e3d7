package safehttp

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

const (
	acceptEncoding = "gzip, deflate, br, zstd"
	// maxEncodings is how many encodings may be chained. Two occur by mistake on
	// real sites (a compressed file compressed again); more is an attack.
	maxEncodings = 2
	// maxWindow is the largest zstd window, in bytes: what RFC 9659 allows on the web.
	maxWindow = 8 << 20
	// wireSlack is how much more than the cap may come in undecoded: streams that
	// decode to nothing would otherwise never end.
	wireSlack = 64 << 10
)

// wire counts what comes in and stops at its limit.
type wire struct {
	r    io.Reader
	left int64
	n    atomic.Int64
	err  error // what the connection or the limit said; io.EOF when nothing is missing
}

func (w *wire) Read(p []byte) (int, error) {
	if w.left <= 0 {
		w.err = errTooMuch
		return 0, errTooMuch
	}
	if int64(len(p)) > w.left {
		p = p[:w.left]
	}
	n, err := w.r.Read(p)
	w.left -= int64(n)
	w.n.Add(int64(n))
	if err != nil {
		w.err = err
	}
	return n, err
}

// readBody reads and decodes the whole body, or fails. size is the most bytes it
// may decode to; with mayCut the first size bytes of a longer one are returned, and cut.
func readBody(
	resp *http.Response, in *wire, size int64, mayCut bool,
) (body []byte, cut bool, err error) {
	if resp.ContentLength > size && !mayCut {
		return nil, false, errTooMuch
	}
	in.left = size + wireSlack
	codings, err := encodings(resp.Header)
	if err != nil {
		return nil, false, err
	}
	src := bufio.NewReader(in)
	if _, err := src.Peek(1); err == io.EOF {
		return []byte{}, false, nil // nothing is nothing in every encoding
	} else if err != nil {
		return nil, false, err
	}
	body, err = readDecoded(src, codings, min(resp.ContentLength, size), size)
	switch {
	case errors.Is(err, errTooMuch) && mayCut && int64(len(body)) == size:
		return body, true, nil
	case errors.Is(err, errTooMuch):
		return nil, false, errTooMuch
	case in.err != nil && in.err != io.EOF:
		return nil, false, in.err
	case err != nil: // the connection was fine, so it is the decoder that complains
		return nil, false, fmt.Errorf("%w: the body's compression (%s) is broken or cut off",
			errNetwork, strings.Join(codings, ", "))
	}
	return body, false, nil
}

// readDecoded decodes a body. One of more than size bytes is errTooMuch, with its first
// size bytes.
func readDecoded(src *bufio.Reader, codings []string, length, size int64) ([]byte, error) {
	layers, done, err := decode(src, codings, size)
	defer done()
	if err != nil {
		return nil, err
	}
	decoded := layers[len(layers)-1]
	var buf bytes.Buffer
	if length > 0 && len(codings) == 0 {
		buf.Grow(int(length) + bytes.MinRead)
	}
	n, err := buf.ReadFrom(io.LimitReader(decoded, size+1))
	if err != nil {
		return nil, err
	}
	if n > size {
		return buf.Bytes()[:size], errTooMuch
	}
	// A decoder may be done before what feeds it is. Only when every layer's end was
	// seen is it known that nothing was cut off.
	for i := len(layers) - 2; i >= 0; i-- {
		if _, err := io.Copy(io.Discard, layers[i]); err != nil {
			return nil, err
		}
	}
	return buf.Bytes(), nil
}

// encodings returns the codings of a body, in the order in which they were
// applied. Words that are no content coding (servers send charsets and "none")
// are ignored, as browsers do; a real coding that we did not ask for is an error.
func encodings(h http.Header) ([]string, error) {
	var out []string
	for _, word := range strings.Split(strings.Join(h.Values("Content-Encoding"), ","), ",") {
		switch word = strings.ToLower(strings.TrimSpace(word)); word {
		case "gzip", "x-gzip":
			out = append(out, "gzip")
		case "deflate", "br", "zstd":
			out = append(out, word)
		case "compress", "x-compress", "dcb", "dcz", "aes128gcm", "exi", "pack200-gzip":
			return nil, fmt.Errorf("%w: the body came in the encoding %s, which was not asked for",
				errNetwork, word)
		}
	}
	if len(out) > maxEncodings {
		return nil, fmt.Errorf("%w: the body is encoded %d times over", errNetwork, len(out))
	}
	return out, nil
}

// decode returns the layers of a body, from what came in to what is wanted: src,
// then one reader for each coding undone. Every layer but the last is bounded as
// src is. done frees the decoders.
func decode(
	src *bufio.Reader, codings []string, size int64,
) (layers []io.Reader, done func(), err error) {
	done = func() {}
	layers = []io.Reader{src}
	in := src
	for i := len(codings) - 1; i >= 0; i-- {
		var r io.Reader
		switch codings[i] {
		case "gzip":
			r, err = newGunzip(in)
		case "deflate":
			r, err = newInflate(in)
		case "br":
			r = brotli.NewReader(in)
		case "zstd":
			var z *zstd.Decoder
			z, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1),
				zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
			if err == nil {
				r, done = z, both(done, z.Close)
			}
		}
		if err != nil {
			return layers, done, err
		}
		if i > 0 {
			in = bufio.NewReader(&wire{r: r, left: size + wireSlack})
			r = in
		}
		layers = append(layers, r)
	}
	return layers, done, nil
}

func both(f, g func()) func() { return func() { g(); f() } }

// gunzip reads all members of a gzip stream and ignores what follows the last one,
// as browsers do; every member's checksum and length are verified.
type gunzip struct {
	in *bufio.Reader
	z  *gzip.Reader
}

func newGunzip(in *bufio.Reader) (*gunzip, error) {
	z, err := gzip.NewReader(in)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &gunzip{in, z}, nil
}

func (g *gunzip) Read(p []byte) (int, error) {
	for {
		n, err := g.z.Read(p)
		if err != io.EOF {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
		magic, err := g.in.Peek(2)
		if err != nil && err != io.EOF {
			return 0, err
		}
		if len(magic) < 2 || magic[0] != 0x1f || magic[1] != 0x8b {
			return 0, io.EOF
		}
		if err := g.z.Reset(g.in); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		g.z.Multistream(false)
	}
}

// newInflate reads "deflate", which is zlib by the standard and raw deflate on
// many servers.
func newInflate(in *bufio.Reader) (io.Reader, error) {
	head, err := in.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if len(head) == 2 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0 {
		return zlib.NewReader(in)
	}
	return flate.NewReader(in), nil
}
