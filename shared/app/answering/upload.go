package answering

import (
	"bytes"
	"context"
	"encoding/json"
	"mime"
	"path"
	"strings"

	"wstk/shared/app/reading"
	"wstk/shared/wstk"
)

// Upload is a page that was handed in as an object.
type Upload struct {
	Name    string // of the object, under its inbox
	URL     string // names the page: s3://bucket/inbox/name
	Body    []byte
	Type    string // content type; "" is guessed from the name
	Request []byte // of the sidecar <name>.request.json; nil when there is none
}

// RequestSuffix ends the name of a sidecar that asks for an extraction.
const RequestSuffix = ".request.json"

// Uploaded is what became of an upload.
type Uploaded struct {
	URL     string       `json:"url"`
	Verdict wstk.Verdict `json:"verdict"`
	Reason  string       `json:"reason,omitempty"`
	Run     wstk.RunID   `json:"run_id,omitempty"` // of the extraction that was asked for
}

// Provide stores, reads and indexes an uploaded page, and begins the extraction that
// its sidecar asks for: a JSON object with the fields of AskQuery, whose result is
// delivered as <name>.result.json. An invalid sidecar is answered by a
// delivered error.
func (a *Room) Provide(ctx context.Context, u Upload) (Uploaded, error) {
	out := Uploaded{URL: u.URL}
	if u.Type == "" || u.Type == "binary/octet-stream" || u.Type == "application/octet-stream" {
		// it says utf-8 of every text
		u.Type, _, _ = strings.Cut(mime.TypeByExtension(path.Ext(u.Name)), ";")
	}
	res, err := a.Fetch.Provided(ctx, u.URL, u.Body, u.Type)
	if err != nil {
		return out, err
	}
	var p reading.Read
	if err := a.Reading.Take(ctx, "", res, &p); err != nil {
		return out, err
	}
	out.Verdict, out.Reason = p.Snapshot.Verdict, p.Snapshot.Reason
	if v := p.Screening.Verdict; v != "" {
		out.Verdict, out.Reason = v, p.Screening.Reason
	}
	if p.Unreadable != nil {
		out.Reason = p.Unreadable.Error()
	}
	if p.Document != nil {
		page, why, err := a.Reading.Ensure(ctx, p.Document.URL)
		if err == nil {
			err = why
		}
		if err != nil {
			return out, err
		}
		out.URL = page
	}
	if u.Request == nil {
		return out, nil
	}
	q := wstk.AskQuery{Strict: true}
	d := json.NewDecoder(bytes.NewReader(u.Request))
	d.DisallowUnknownFields()
	err = d.Decode(&q)
	if err == nil && p.Document == nil {
		err = wstk.Errorf(wstk.Unprocessable, "", "the page has no text to answer from: %s %s",
			out.Verdict, out.Reason)
	} else if err != nil {
		err = wstk.Errorf(wstk.Invalid, "", "%s%s is not a valid question: %w", u.Name,
			RequestSuffix, err)
	}
	if err == nil {
		q.From = []string{out.URL}
		var run wstk.Run
		run, err = a.startExtraction(ctx, Request{AskQuery: q, Deliver: ResultName(u.Name)})
		out.Run = run.ID
	}
	if err != nil && !wstk.IsTransient(err) {
		return out, a.deliverFailure(ctx, ResultName(u.Name), err)
	}
	return out, err
}

// ResultName is where the result of an upload is delivered.
func ResultName(name string) string { return strings.TrimPrefix(name, "/") + ".result.json" }

func (a *Room) deliverFailure(ctx context.Context, name string, failure error) error {
	data, err := json.Marshal(
		map[string]any{"error": failure.Error(), "code": wstk.CodeOf(failure)})
	if err != nil {
		return err
	}
	return a.Outbox.Deliver(ctx, name, data)
}
