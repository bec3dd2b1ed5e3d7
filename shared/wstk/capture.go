package wstk

import (
	"context"
	"time"
)

// Capture is what a command saw of one page, as it is kept for a person to look at: a
// folder with the body, the Markdown made of it, a screenshot, and a manifest with the
// hash of each.
type Capture struct {
	Dir      string          `json:"-"` // where the folder is
	Manifest CaptureManifest `json:"manifest"`
}

// CaptureManifest is the file manifest.json of a Capture.
type CaptureManifest struct {
	Format   string   `json:"format"` // CaptureFormat
	Tool     string   `json:"tool"`   // name and version of the program
	Snapshot Snapshot `json:"snapshot"`
	// of the whole visible text, where it was read
	TextSHA256 Hash `json:"text_sha256,omitempty"`
	// name and version of the reader, and what it chose
	Reader string `json:"reader,omitempty"`
	// the text is a teaser: the page breaks off behind a paywall
	Partial    bool          `json:"partial,omitempty"`
	CapturedAt time.Time     `json:"captured_at"`
	Files      []CaptureFile `json:"files"`
}

// CaptureFormat names the form of a CaptureManifest.
const CaptureFormat = "wstk-evidence/1"

// CaptureFile is one file of a Capture.
type CaptureFile struct {
	Name        string `json:"name"` // in the folder
	Role        string `json:"role"` // body, markdown, screenshot, visibility
	ContentType string `json:"content_type"`
	SHA256      Hash   `json:"sha256"`
	Bytes       int64  `json:"bytes"`
	Data        []byte `json:"-"`
}

// Roles of the files of a Capture.
const (
	RoleBody       = "body"
	RoleMarkdown   = "markdown"
	RoleScreenshot = "screenshot"
	RoleVisibility = "visibility" // a Visibility as JSON
)

// File returns the file with a role, and whether there is one.
func (c Capture) File(role string) (CaptureFile, bool) {
	for _, f := range c.Manifest.Files {
		if f.Role == role {
			return f, true
		}
	}
	return CaptureFile{}, false
}

// CaptureStore keeps captures for people and programs to look at. All methods may be
// called concurrently, also by several processes on one store.
type CaptureStore interface {
	// Put stores the files and the manifest of c and returns c with its folder, and with
	// name, hash and size of each file. The same capture again is the folder that is
	// there. A reader sees a whole folder or none; a full disk is Unavailable.
	Put(ctx context.Context, c Capture) (Capture, error)

	// List returns the captures, newest first, without the data of their files. One whose
	// manifest cannot be read has an empty manifest: it is not what was captured.
	List(ctx context.Context) ([]Capture, error)

	// Load returns c with the data of its files, each checked against its hash. A file, or
	// the manifest, that is missing or has changed is Conflict.
	Load(ctx context.Context, c Capture) (Capture, error)
}
