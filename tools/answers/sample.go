package main

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// readSample reads an archive of pages.
func readSample(name string) (pages, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	out := pages{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if out[h.Name], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
}

// pack writes the sample of each manual: the pages that its .pages names.
func pack(o options) error {
	for _, m := range manuals {
		base := filepath.Join(o.eval, "manuals", m.Name)
		list, err := os.ReadFile(base + ".pages")
		if err != nil {
			return err
		}
		files, err := readFolder(filepath.Join(o.sites, m.Name), strings.Fields(string(list)))
		if err == nil {
			err = writeSample(base+".tar.zst", files)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeSample writes an archive of pages, the same bytes for the same pages.
func writeSample(name string, files pages) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithWindowSize(zstd.MaxWindowSize>>6), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	w := tar.NewWriter(z)
	for _, path := range files.paths() {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: path, Mode: 0o644,
			Size: int64(len(files[path]))}); err != nil {
			return err
		}
		if _, err := w.Write(files[path]); err != nil {
			return err
		}
	}
	return errors.Join(w.Close(), z.Close(), f.Close())
}
