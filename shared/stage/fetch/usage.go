package fetch

import (
	"net/http"

	"wstk/shared/wstk"
)

// mayUse applies the task's UsagePolicy: under respect, a page that its site does not allow
// as input of a model is refused. It notes rights in the snapshot, also if they refuse
// nothing, and reports whether to go on.
func (f *fetch) mayUse(rights wstk.Rights) bool {
	f.snap.Rights = nil
	if len(rights.Signals) > 0 {
		f.snap.Rights = &rights
	}
	if f.task.Usage != wstk.UsageRespect {
		return true
	}
	reason, refused := rights.Refuses(wstk.PurposeAIInput)
	if refused {
		f.end(wstk.VerdictRefusedPolicy, reason)
	}
	return !refused
}

// mayKeep adds what the reply's headers say to what robots.txt said. A reply that is refused
// is not kept: neither its body nor the copy that it says is current.
func (f *fetch) mayKeep(h http.Header) {
	verdict, reason := f.snap.Verdict, f.snap.Reason
	if f.mayUse(f.rights.With(wstk.HeaderSignals(h, wstk.ProductToken(f.userAgent()))...)) {
		return
	}
	if verdict.Readable() || verdict == wstk.VerdictNotModified {
		f.body, f.held = nil, nil
		f.snap.ContentType, f.snap.Charset = "", ""
		return
	}
	f.end(verdict, reason) // there is nothing to use
}
