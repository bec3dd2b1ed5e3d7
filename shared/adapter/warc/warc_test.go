package warc

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"io"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

func loaded(_ context.Context, c wstk.Capture) (wstk.Capture, error) { return c, nil }

type read struct {
	textproto.MIMEHeader
	block []byte
}

// readAll reads an archive record by record, as the standard says they are laid out, and
// checks each block against its digest.
func readAll(t *testing.T, path string) []read {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		var plain bytes.Buffer
		members := 0
		for in := bufio.NewReader(bytes.NewReader(data)); ; members++ {
			z, err := gzip.NewReader(in)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			z.Multistream(false)
			start := plain.Len()
			if _, err := io.Copy(&plain, z); err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(plain.Bytes()[start:], []byte("WARC/1.1\r\n")) {
				t.Fatal("a member of the gzip file is not one record")
			}
		}
		data = plain.Bytes()
	}
	var out []read
	in := bufio.NewReader(bytes.NewReader(data))
	for {
		version, err := in.ReadString('\n')
		if errors.Is(err, io.EOF) {
			return out
		}
		if version != "WARC/1.1\r\n" {
			t.Fatalf("a record begins with %q", version)
		}
		head, err := textproto.NewReader(in).ReadMIMEHeader()
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.Atoi(head.Get("Content-Length"))
		if err != nil {
			t.Fatal(err)
		}
		block := make([]byte, n+4)
		if _, err := io.ReadFull(in, block); err != nil || string(block[n:]) != "\r\n\r\n" {
			t.Fatalf("a record ends with %q: %v", block[n:], err)
		}
		sum := sha256.Sum256(block[:n])
		if want := "sha256:" + base32.StdEncoding.EncodeToString(sum[:]); head.Get("WARC-Block-Digest") != want {
			t.Errorf("digest %s, want %s", head.Get("WARC-Block-Digest"), want)
		}
		out = append(out, read{head, block[:n]})
	}
}

func TestWrite(t *testing.T) {
	at := time.Date(2026, 5, 1, 12, 0, 0, 5e6, time.UTC)
	body := []byte("<p>gr\xfc\xdfe</p>")
	page := wstk.Capture{Manifest: wstk.CaptureManifest{CapturedAt: at,
		Snapshot: wstk.Snapshot{URL: "https://a.example/", FinalURL: "https://a.example/x", Status: 200,
			Method: wstk.MethodHTTP, Headers: map[string]string{"content-type": "text/html; charset=latin1", "content-encoding": "gzip", "content-length": "7", "x-evil": "a\r\nB: c"}},
		Files: []wstk.CaptureFile{{Role: wstk.RoleBody, ContentType: "text/html", Data: body},
			{Role: wstk.RoleMarkdown, ContentType: "text/markdown", Data: []byte("grüße\n")}}}}
	shown := wstk.Capture{Manifest: wstk.CaptureManifest{CapturedAt: at,
		Snapshot: wstk.Snapshot{FinalURL: "https://b.example/", Status: 200, Method: wstk.MethodBrowser},
		Files: []wstk.CaptureFile{{Role: wstk.RoleBody, ContentType: "text/html",
			Data: []byte("<p>dom")}, {Role: wstk.RoleScreenshot, ContentType: "image/png", Data: []byte("png")}}}}
	for _, name := range []string{"a.warc", "a.warc.gz"} {
		path := filepath.Join(t.TempDir(), name)
		n, err := Write(t.Context(), path, "wstk 1", []wstk.Capture{page, shown}, loaded)
		if err != nil {
			t.Fatal(err)
		}
		records := readAll(t, path)
		var kinds []string
		ids := map[string]bool{}
		for _, r := range records {
			kinds = append(kinds, r.Get("WARC-Type"))
			ids[r.Get("WARC-Record-ID")] = true
		}
		if got := strings.Join(kinds, " "); got != "warcinfo response conversion metadata resource resource metadata" || n != len(records) {
			t.Fatalf("%d records: %s", n, got)
		}
		if len(ids) != n {
			t.Error("an id is used twice")
		}
		resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(records[1].block)), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		if err != nil || !bytes.Equal(got, body) || resp.Header.Get("Content-Encoding") != "" ||
			resp.Header.Get("B") != "" || resp.StatusCode != 200 {
			t.Errorf("response %q, headers %v, %v", got, resp.Header, err)
		}
		if r := records[1]; r.Get("WARC-Target-URI") != "https://a.example/x" || r.Get("WARC-Date") != "2026-05-01T12:00:00.005Z" {
			t.Errorf("head %v", r.MIMEHeader)
		}
		if records[2].Get("WARC-Refers-To") != records[1].Get("WARC-Record-ID") || records[3].Get("WARC-Refers-To") != records[1].Get("WARC-Record-ID") {
			t.Error("Markdown and manifest do not refer to the response")
		}
	}
}

// An archive that cannot be written whole is not there.
func TestWriteWholeOrNotAtAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.warc")
	broken := func(context.Context, wstk.Capture) (wstk.Capture, error) {
		return wstk.Capture{}, wstk.Errorf(wstk.Conflict, "", "changed")
	}
	if _, err := Write(t.Context(), path, "wstk 1", []wstk.Capture{{}},
		broken); wstk.CodeOf(err) != wstk.Conflict {
		t.Errorf("error %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	for name, make := range map[string]func(string) error{
		"notes.txt": func(p string) error { return os.WriteFile(p, []byte("keep me"), 0o600) },
		"link.warc": func(p string) error { return os.Symlink("notes.txt", p) },
	} {
		taken := filepath.Join(filepath.Dir(path), name)
		if err := make(taken); err != nil {
			t.Fatal(err)
		}
		if _, err := Write(t.Context(), taken, "wstk 1", nil, loaded); wstk.CodeOf(err) != wstk.Invalid {
			t.Errorf("%s is replaced: %v", name, err)
		}
	}
	again := filepath.Join(filepath.Dir(path), "again.warc.gz")
	for range 2 {
		if _, err := Write(t.Context(), again, "wstk 1", nil, loaded); err != nil {
			t.Errorf("an archive written again: %v", err)
		}
	}
	if _, err := Write(t.Context(), filepath.Join(path, "no", "folder.warc"), "wstk 1", nil,
		loaded); wstk.CodeOf(err) != wstk.Unavailable {
		t.Errorf("no folder: %v", err)
	}
}
