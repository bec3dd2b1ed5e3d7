// Package warc writes evidence as a WARC 1.1 file (ISO 28500:2017), the format of web archives
// and their tools.
package warc

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"wstk/shared/wstk"
)

// Write writes captures, whose files are loaded one by one, to path, which appears whole
// or not at all, and returns how many records there are. A name that ends in .gz is
// compressed record by record.
//
// What came over HTTP is a response record: status line, the headers that were kept, and
// the body as it is stored, decoded; so Content-Encoding, Transfer-Encoding and
// Content-Length are made to fit it. Other bodies and screenshots are resource records,
// Markdown is conversion, and each manifest a metadata record.
func Write(
	ctx context.Context, path, tool string, captures []wstk.Capture,
	load func(context.Context, wstk.Capture) (wstk.Capture, error),
) (records int, err error) {
	const op = "writing the archive"
	if err := replaceable(path); err != nil {
		return 0, wstk.Wrap(wstk.Invalid, op, err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".warc-*")
	if err != nil {
		var cause *fs.PathError
		if errors.As(err, &cause) { // its path is a name of no interest
			err = cause.Err
		}
		return 0, wstk.Errorf(wstk.Unavailable, op, "no file can be made in the folder %s: %w",
			filepath.Dir(path), err).
			Try(wstk.Advice("choose an existing folder that you may write to"))
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err == nil {
			err = os.Rename(f.Name(), path)
		}
		if err != nil {
			os.Remove(f.Name())
			err = wstk.Wrap(wstk.Unavailable, op, err)
		}
	}()
	w := &writer{out: f, zip: strings.HasSuffix(path, ".gz")}
	info := "software: " + tool + "\r\nformat: WARC File Format 1.1\r\n" +
		"description: responses are written from the kept headers and the decoded body\r\n"
	w.record(record{kind: "warcinfo", at: time.Now(), contentType: "application/warc-fields",
		body:   []byte(info),
		fields: [][2]string{{"WARC-Filename", filepath.Base(path)}}})
	for _, c := range captures {
		if c, err = load(ctx, c); err != nil {
			return 0, err
		}
		if err := w.capture(c); err != nil {
			return 0, err
		}
	}
	return w.records, w.err
}

// replaceable refuses a path at which there is something else than an archive.
func replaceable(path string) error {
	st, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !st.Mode().IsRegular() {
		return wstk.Errorf(wstk.Invalid, "", "%s is not a regular file", path).
			Try(wstk.Advice("name a new file"))
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 5)
	n, _ := io.ReadFull(f, head)
	if n > 0 && string(head) != "WARC/" && !bytes.HasPrefix(head, []byte{0x1f, 0x8b}) {
		return wstk.Errorf(wstk.Invalid, "", "%s exists and is not an archive", path).
			Try(wstk.Advice("name a new file"))
	}
	return nil
}

// writer writes records and remembers its first error.
type writer struct {
	out     io.Writer
	zip     bool
	records int
	err     error
}

type record struct {
	kind, uri, contentType string
	at                     time.Time
	fields                 [][2]string
	body                   []byte
}

func (w *writer) capture(c wstk.Capture) error {
	snap := c.Manifest.Snapshot
	uri := snap.FinalURL
	base := record{uri: uri, at: c.Manifest.CapturedAt}
	main := ""
	for _, f := range c.Manifest.Files {
		r := base
		r.contentType, r.body = f.ContentType, f.Data
		switch {
		case f.Role == wstk.RoleBody && snap.Method == wstk.MethodHTTP && snap.Status != 0:
			r.kind, r.contentType, r.body = "response", "application/http;msgtype=response",
				response(snap, f.Data)
			r.fields = [][2]string{{"WARC-Payload-Digest", digest(f.Data)}}
			main = w.record(r)
			continue
		case f.Role == wstk.RoleMarkdown:
			r.kind = "conversion"
		default:
			r.kind = "resource"
		}
		if f.Role == wstk.RoleScreenshot || f.Role == wstk.RoleVisibility {
			r.uri = "urn:X-wstk:" + f.Role + ":" + url.PathEscape(uri)
		}
		if main != "" {
			r.fields = [][2]string{{"WARC-Refers-To", main}}
		}
		if id := w.record(r); main == "" {
			main = id
		}
	}
	manifest, err := json.Marshal(c.Manifest)
	if err != nil {
		return wstk.Wrap(wstk.Internal, "writing the archive", err)
	}
	base.kind, base.contentType, base.body = "metadata", "application/json", manifest
	if main != "" {
		base.fields = [][2]string{{"WARC-Refers-To", main}}
	}
	w.record(base)
	return w.err
}

// response is the HTTP message of a snapshot with its decoded body.
func response(snap wstk.Snapshot, body []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", snap.Status, http.StatusText(snap.Status))
	for _, name := range slices.Sorted(maps.Keys(snap.Headers)) {
		switch strings.ToLower(name) {
		case "content-encoding", "transfer-encoding", "content-length":
			continue
		}
		fmt.Fprintf(&b, "%s: %s\r\n", http.CanonicalHeaderKey(name), line(snap.Headers[name]))
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", len(body))
	b.Write(body)
	return b.Bytes()
}

// line is a value without line ends, which would begin another header.
func line(s string) string { return strings.NewReplacer("\r", " ", "\n", " ").Replace(s) }

// digest is as readers of WARC compare it: base32 of RFC 4648, padded.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + base32.StdEncoding.EncodeToString(sum[:])
}

// record writes one record and returns its id.
func (w *writer) record(r record) string {
	at := r.at.UTC().Format("2006-01-02T15:04:05.000Z")
	w.records++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s %d %s", r.kind, r.uri, at,
		w.records, digest(r.body)))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // RFC 9562: version 8, our own; variant
	id := fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", sum[:4], sum[4:6], sum[6:8],
		sum[8:10], sum[10:16])
	var b bytes.Buffer
	b.WriteString("WARC/1.1\r\n")
	head := [][2]string{{"WARC-Type", r.kind}, {"WARC-Record-ID", id}, {"WARC-Date", at}}
	if r.uri != "" {
		head = append(head, [2]string{"WARC-Target-URI", line(r.uri)})
	}
	head = append(head, r.fields...)
	head = append(head, [2]string{"WARC-Block-Digest", digest(r.body)},
		[2]string{"Content-Type", line(r.contentType)},
		[2]string{"Content-Length", strconv.Itoa(len(r.body))})
	for _, h := range head {
		b.WriteString(h[0] + ": " + h[1] + "\r\n")
	}
	b.WriteString("\r\n")
	b.Write(r.body)
	b.WriteString("\r\n\r\n")
	if w.err == nil {
		w.err = w.write(b.Bytes())
	}
	return id
}

func (w *writer) write(data []byte) error {
	if !w.zip {
		_, err := w.out.Write(data)
		return err
	}
	z := gzip.NewWriter(w.out)
	if _, err := z.Write(data); err != nil {
		return err
	}
	return z.Close()
}
