package verify

import (
	"context"
	"strings"

	"wstk/shared/wstk"
)

// What the record of a fetch says although its bytes, or the status of the reply, do not
// show it.
const (
	UncheckedType  = "content_type" // the bytes are markup, and were read as something else
	UncheckedReply = "reply"        // the site answered that this is no page
)

// doubts names what the record of a fetch leaves open; again is the fetch, read again. The
// record chooses how the bytes are read: markup that is read as plain text has words that
// no reader of the page sees.
func (b *Binder) doubts(
	ctx context.Context, fetch wstk.Snapshot, again *wstk.Document,
) (out []string, err error) {
	if b.Kind != nil {
		kind, err := b.Kind(ctx, fetch)
		if err != nil {
			return nil, err
		}
		if read, _, _ := strings.Cut(again.Reader, "/"); kind == "html" && read != kind {
			out = append(out, UncheckedType)
		}
	}
	const notModified = 304
	said := fetch.Verdict != "" && !fetch.Verdict.Readable() &&
		fetch.Verdict != wstk.VerdictNotModified
	if said || fetch.Status != 0 && fetch.Status != notModified && fetch.Status/100 != 2 {
		out = append(out, UncheckedReply)
	}
	return out, nil
}
