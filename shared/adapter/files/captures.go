package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"wstk/shared/wstk"
)

const manifestFile = "manifest.json"

var _ wstk.CaptureStore = Captures{}

// Captures is a wstk.CaptureStore in the directory Dir, a folder each:
// Dir/2026-01-31/120102.123-example.org-1a2b3c4d/manifest.json, body.html, page.md,
// screenshot.png. A folder whose name begins with a dot is not finished.
type Captures struct{ Dir string }

func (s Captures) Put(ctx context.Context, c wstk.Capture) (_ wstk.Capture, err error) {
	const op = "keeping evidence"
	if err := ctx.Err(); err != nil {
		return c, wstk.Wrap(wstk.Cancelled, op, err)
	}
	m := c.Manifest
	m.Format = wstk.CaptureFormat
	m.Files = slices.Clone(m.Files)
	for i := range m.Files {
		f := &m.Files[i]
		f.SHA256, f.Bytes = wstk.HashOf(f.Data), int64(len(f.Data))
		f.Name = f.Role + extension(f.ContentType)
		if f.Role == wstk.RoleMarkdown {
			f.Name = "page.md"
		}
	}
	data, err := manifest(m)
	if err != nil {
		return c, wstk.Wrap(wstk.Internal, op, err)
	}
	c.Manifest = m
	day := filepath.Join(s.Dir, m.CapturedAt.UTC().Format(time.DateOnly))
	c.Dir = filepath.Join(day, m.CapturedAt.UTC().
		Format("150405.000")+"-"+host(m.Snapshot.FinalURL)+"-"+string(wstk.HashOf(data)[:8]))
	if _, err := os.Stat(c.Dir); err == nil {
		return c, nil
	}
	if err := os.MkdirAll(day, 0o700); err != nil {
		return c, failed(op, s.Dir, err)
	}
	tmp, err := os.MkdirTemp(day, newFolder+"*")
	if err != nil {
		return c, failed(op, s.Dir, err)
	}
	defer os.RemoveAll(tmp)
	for _, f := range append(m.Files, wstk.CaptureFile{Name: manifestFile, Data: data}) {
		if err := os.WriteFile(filepath.Join(tmp, f.Name), f.Data, 0o600); err != nil {
			return c, failed(op, s.Dir, err)
		}
	}
	if err := os.Rename(tmp, c.Dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return c, failed(op, s.Dir, err)
	}
	return c, nil
}

// manifest is m as its file holds it.
func manifest(m wstk.CaptureManifest) ([]byte, error) {
	data, err := json.MarshalIndent(m, "", "  ")
	return append(data, '\n'), err
}

// Bytes is what the files of c take, its manifest with them.
func Bytes(c wstk.Capture) int64 {
	data, _ := manifest(c.Manifest) // Put has written it
	n := int64(len(data))
	for _, f := range c.Manifest.Files {
		n += f.Bytes
	}
	return n
}

// newFolder begins the name of a folder that is being written, or whose writer has died.
const newFolder = ".new-"

func unfinished(folder string) bool { return strings.HasPrefix(filepath.Base(folder), newFolder) }

// folders finds the folders of captures, also those without a manifest and those that are
// not finished, by the names that Put gives.
func (s Captures) folders() ([]string, error) {
	days, err := os.ReadDir(s.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []string
	for _, day := range days {
		if _, err := time.Parse(time.DateOnly, day.Name()); err != nil {
			continue
		}
		list, err := os.ReadDir(filepath.Join(s.Dir, day.Name()))
		if err != nil {
			continue // pruned meanwhile
		}
		for _, f := range list {
			if name := filepath.Join(s.Dir, day.Name(), f.Name()); f.IsDir() &&
				(unfinished(name) || f.Name()[0] != '.') {
				out = append(out, name)
			}
		}
	}
	return out, nil
}

// host is the host of a URL as part of a file name: letters, digits, dots and dashes.
func host(raw string) string {
	name := "provided"
	if u, err := url.Parse(raw); err == nil && u.Hostname() != "" {
		name = strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
				return r
			}
			return '_'
		}, strings.ToLower(u.Hostname()))
	}
	return name[:min(len(name), 60)]
}

func (s Captures) List(ctx context.Context) ([]wstk.Capture, error) {
	const op = "listing evidence"
	folders, err := s.folders()
	if err != nil {
		return nil, failed(op, s.Dir, err)
	}
	folders = slices.DeleteFunc(folders, unfinished)
	slices.Sort(folders)
	slices.Reverse(folders)
	var out []wstk.Capture
	for _, folder := range folders {
		if err := ctx.Err(); err != nil {
			return nil, wstk.Wrap(wstk.Cancelled, op, err)
		}
		if _, err := os.Stat(folder); err != nil {
			continue // pruned meanwhile
		}
		c := wstk.Capture{Dir: folder}
		data, err := regular(filepath.Join(folder, manifestFile))
		if err != nil || json.Unmarshal(data, &c.Manifest) != nil ||
			!strings.HasPrefix(c.Manifest.Format, "wstk-evidence/") {
			c.Manifest = wstk.CaptureManifest{}
		}
		out = append(out, c)
	}
	return out, nil
}

// regular reads an ordinary file: another kind, which may never end, is an error.
func regular(path string) ([]byte, error) {
	st, err := os.Lstat(path)
	if err == nil && !st.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", filepath.Base(path))
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

func (s Captures) Load(ctx context.Context, c wstk.Capture) (wstk.Capture, error) {
	const op = "reading evidence"
	// The folder's name ends with the beginning of its manifest's hash.
	data, err := regular(filepath.Join(c.Dir, manifestFile))
	mark := c.Dir[strings.LastIndexByte(c.Dir, '-')+1:]
	if err == nil && wstk.HashOf(data)[:8] != wstk.Hash(mark) &&
		wstk.HashOf(bytes.TrimSuffix(data, []byte{'\n'}))[:8] != wstk.Hash(mark) {
		err = fmt.Errorf("%s is not what was captured: its bytes have another hash", manifestFile)
	}
	if err != nil {
		return c, wstk.Errorf(wstk.Conflict, op, "%w", err)
	}
	c.Manifest.Files = slices.Clone(c.Manifest.Files)
	for i := range c.Manifest.Files {
		if err := ctx.Err(); err != nil {
			return c, wstk.Wrap(wstk.Cancelled, op, err)
		}
		f := &c.Manifest.Files[i]
		data, err := regular(filepath.Join(c.Dir, filepath.Base(f.Name)))
		if err == nil && wstk.HashOf(data) != f.SHA256 {
			err = fmt.Errorf("%s is not what was captured: its bytes have another hash", f.Name)
		}
		if err != nil {
			return c, wstk.Errorf(wstk.Conflict, op, "%w", err)
		}
		f.Data = data
	}
	return c, nil
}

// extension is a file ending for a media type, so that other programs know what they
// are given.
func extension(contentType string) string {
	switch contentType {
	case "text/html", "application/xhtml+xml":
		return ".html"
	case "text/plain":
		return ".txt"
	case "text/markdown":
		return ".md"
	case "application/json":
		return ".json"
	case "application/pdf":
		return ".pdf"
	case "image/png":
		return ".png"
	}
	if list, err := mime.ExtensionsByType(contentType); err == nil && len(list) > 0 {
		return list[0]
	}
	return ".bin"
}
