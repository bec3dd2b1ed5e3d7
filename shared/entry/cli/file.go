package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"wstk/shared/app/answering"
	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// What a command reads from a file or from standard input.

// maxProvided bounds a file or standard input given to extract, in bytes.
const maxProvided = 64 << 20

// maxManifest bounds the manifest of a capture, in bytes.
const maxManifest = 1 << 20

// handedIn is the page in a file, or of standard input for "-": as it is, as a file of evidence,
// or as a saved result.
func handedIn(c config.Config, target string, stdin io.Reader) (reading.Given, error) {
	in, name := stdin, reading.StdinName
	if target != "-" {
		f, err := os.Open(target)
		if err != nil {
			shown := text.HideUser(target)
			if target == "" {
				return reading.Given{}, wstk.Errorf(wstk.Invalid, "",
					"the name of the page is empty").
					Try(wstk.Advices("wstk extract URL", "wstk extract FILE",
						"wstk extract - < FILE")...)
			}
			e := wstk.Errorf(wstk.Invalid, "", "there is no file %q: %w", shown, errors.Unwrap(err))
			if strings.ContainsAny(target, ".:") && !strings.ContainsAny(target[:1], "/.~") {
				e = e.Try(wstk.Advice("for a web address write the scheme too: wstk extract " +
					text.WithScheme(shown)))
			}
			return reading.Given{}, e
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return reading.Given{}, wstk.Errorf(wstk.Invalid, "",
				"%q is a folder, and one page is read at a time", text.HideUser(target)).
				Try(wstk.Advice("name a file in it: wstk extract FILE"))
		}
		abs, err := filepath.Abs(target)
		if err != nil {
			return reading.Given{}, wstk.Wrap(wstk.Invalid, "opening the file", err)
		}
		in, name = f, (&url.URL{Scheme: "file", Path: filepath.ToSlash(abs)}).String()
	}
	body, err := io.ReadAll(io.LimitReader(in, maxProvided+1))
	if err != nil {
		return reading.Given{}, wstk.Wrap(wstk.Invalid, "reading "+target, err)
	}
	if len(body) > maxProvided {
		return reading.Given{}, wstk.Errorf(wstk.TooLarge, "reading "+target,
			"it is over %d bytes", maxProvided)
	}
	// The table of endings says utf-8 of every text, which it cannot know.
	contentType, _, _ := strings.Cut(mime.TypeByExtension(filepath.Ext(target)), ";")
	var warnings []wstk.Warning
	snap, found, ours := captured(c.Evidence(), target, body)
	if found && !ours {
		warnings = append(warnings, wstk.Warning{Code: "foreign_manifest", URL: name,
			Message: "The manifest beside the file says that it is the page " + snap.FinalURL +
				". The manifest was ignored, since it is not in your evidence folder. If the " +
				"folder " +
				"is yours, name it with --evidence-dir."})
	}
	if ours { // what it says of itself is the page's, however it looks
		name, contentType = snap.FinalURL, snap.ContentType
		if snap.Charset != "" {
			contentType += "; charset=" + snap.Charset
		}
	} else if url, saved, recognised := savedDocument(body); recognised {
		if saved == nil {
			return reading.Given{}, wstk.Errorf(wstk.Invalid, "reading "+target,
				"the saved result contains neither a page nor the path of a page").
				Try(wstk.Advices("wstk fetch URL --json --include-body", "wstk extract URL")...)
		}
		warnings = append(warnings, wstk.Warning{Code: "saved_result", URL: url,
			Message: "Read from a saved result. Only the result says which page it is; this was " +
				"not checked."})
		name, body, contentType = url, saved, "" // found out from the body
	}
	return reading.Given{Name: name, Body: body, ContentType: contentType, Warnings: warnings}, nil
}

// captured finds what the manifest beside a file of evidence says of the page, when it
// names this file and its hash. ours reports whether both lie in this operator's evidence:
// elsewhere anybody may have written the manifest, and it decides nothing.
func captured(evidence, path string, data []byte) (snap wstk.Snapshot, found, ours bool) {
	snap, found = manifestOf(path, data)
	return snap, found, found && inFolder(path, evidence)
}

// inFolder reports whether a file lies below a folder, wherever links lead.
func inFolder(path, folder string) bool {
	path, err := filepath.Abs(path)
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return false
	}
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return false
	}
	inside, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(inside)
}

func manifestOf(path string, data []byte) (wstk.Snapshot, bool) {
	if path == "-" {
		return wstk.Snapshot{}, false
	}
	text, err := config.ReadRegular(filepath.Join(filepath.Dir(path), "manifest.json"), maxManifest)
	if err != nil {
		return wstk.Snapshot{}, false
	}
	var m wstk.CaptureManifest
	if json.Unmarshal(text, &m) != nil || !strings.HasPrefix(m.Format, "wstk-evidence/") {
		return wstk.Snapshot{}, false
	}
	for _, f := range m.Files {
		if f.Role == wstk.RoleBody && f.Name == filepath.Base(path) &&
			f.SHA256 == wstk.HashOf(data) {
			return m.Snapshot, true
		}
	}
	return wstk.Snapshot{}, false
}

// savedDocument finds the page in what fetch or render printed with --json, or in the data
// of that: the body it holds, or else the one it names. The body is nil where there is
// none, as in the result of a fetch that failed.
func savedDocument(data []byte) (url string, body []byte, recognised bool) {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return "", nil, false
	}
	var saved struct {
		Command string               `json:"command"`
		OK      *bool                `json:"ok"`
		Data    *reading.FetchResult `json:"data"`
		reading.FetchResult
	}
	if json.Unmarshal(data, &saved) != nil {
		return "", nil, false
	}
	doc := saved.FetchResult
	if saved.Data != nil {
		doc = *saved.Data
	}
	if doc.URL == "" || doc.FetchMethod == "" {
		return "", nil, saved.OK != nil && saved.Command != ""
	}
	switch {
	case doc.RawHTML != nil:
		body = []byte(*doc.RawHTML)
	case doc.Body != nil && doc.Body.Path != nil:
		// No other file: the result may be another user's words.
		if kept, err := os.ReadFile(*doc.Body.Path); err == nil &&
			wstk.HashOf(kept) == doc.Body.SHA256 {
			if _, ok := manifestOf(*doc.Body.Path, kept); ok {
				body = kept
			}
		}
	}
	return doc.HTTP.FinalURL, body, true
}

var zipHead = []byte("PK\x03\x04")

// folderExists refuses to write a file into a folder that does not exist, before the work whose
// result it would hold. An empty path is none.
func folderExists(path string) error {
	dir := filepath.Dir(path)
	if st, err := os.Stat(dir); path == "" || err == nil && st.IsDir() {
		return nil
	}
	return wstk.Errorf(wstk.Unavailable, "", "there is no folder %s", dir).
		Try(wstk.Advice("name a file in a folder that exists"))
}

// isBundle reports whether the file at path begins as a bundle does.
// "-" is standard input, also if a file has that name.
func isBundle(path string) bool {
	if path == "-" {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(zipHead))
	n, _ := io.ReadFull(f, head)
	return bytes.Equal(head[:n], zipHead)
}

// savedResult reads the saved JSON of a command from a file, or from standard input for "-".
func savedResult(path string, stdin io.Reader) ([]byte, error) {
	in := stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, wstk.Errorf(wstk.Invalid, "opening the result", "%w", err).
				Try(wstk.Advice("name a bundle or the saved JSON of a command"))
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, answering.MaxResult+1))
	if err != nil {
		return nil, wstk.Errorf(wstk.Invalid, "reading the result", "%w", err)
	}
	if len(data) > answering.MaxResult {
		return nil, wstk.Errorf(wstk.TooLarge, "reading the result", "it is over %d bytes",
			answering.MaxResult)
	}
	if bytes.HasPrefix(data, zipHead) {
		return nil, wstk.Errorf(wstk.Invalid, "reading the result", "this is a bundle").
			Try(wstk.Advice("name the bundle's file: wstk verify FILE"))
	}
	return data, nil
}
