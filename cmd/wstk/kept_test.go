package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

// kept looks for words in all files of a cache directory, in any case, as they are and as
// the cache compresses them: kept DIR WORDS. Whether there is nothing can only be asked of
// a directory in which something is, all of which can be read.
func kept(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: [!] kept DIR WORDS")
	}
	unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	ts.Check(err)
	defer unpack.Close()
	words := []byte(strings.ToLower(args[1]))
	entries, found := 0, ""
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(path, "/entries") { // a line of JSON, then the value
			head, value, _ := bytes.Cut(data, []byte{'\n'})
			plain, err := unpack.DecodeAll(value, nil)
			if err != nil {
				ts.Fatalf("%s cannot be read: %v", path, err)
			}
			data = append(head, plain...)
			entries++
		}
		if bytes.Contains(bytes.ToLower(data), words) {
			found = path
		}
		return nil
	}))
	switch {
	case entries == 0:
		ts.Fatalf("%s has no entry of a cache", args[0])
	case neg && found != "":
		ts.Fatalf("%q is kept, in %s", args[1], found)
	case !neg && found == "":
		ts.Fatalf("%q is in none of %d entries", args[1], entries)
	}
}
