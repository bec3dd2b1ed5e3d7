package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"wstk/shared/app/answering"
	"wstk/shared/wstk"
)

// verifyTool checks quotes again on stored bytes.
var verifyTool = tool{
	name: "verify",
	about: "Check every quote, statement and grade again on the stored bytes: of a run or one " +
		"evidence by its id, or of a result that is passed whole.",
	scope: wstk.ScopeRead,
	hints: sdk.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: no},
	input: json.RawMessage(`{"type":"object","properties":{` +
		`"id":{"type":"string","description":"run.id of an ask or answer, or id of an evidence"},` +
		`"result":{"type":"object"}}}`),
	output: json.RawMessage(`{"type":"object","required":["verified","failed","checks"]}`),
	work:   verifyResult,
}

// verified is what a check came to.
type verified struct {
	answering.VerifyReport
	Problems []string `json:"problems"`
	Trust    string   `json:"content_trust"`
}

func verifyResult(ctx context.Context, c *call) (reply, error) {
	var in struct {
		ID     string          `json:"id"`
		Result json.RawMessage `json:"result"`
	}
	if err := c.read(&in); err != nil {
		return reply{}, err
	}
	data := []byte(in.Result)
	switch {
	case (in.ID == "") == (len(data) == 0):
		return reply{}, wstk.Errorf(wstk.Invalid, "", "give id or result, one of them")
	case in.ID != "":
		var err error
		if data, err = c.saved(ctx, in.ID); err != nil {
			return reply{}, err
		}
	}
	if err := aPart(data); err != nil {
		return reply{}, err
	}
	rep, err := c.app.Answering.VerifySaved(ctx, data)
	if err != nil {
		return reply{}, err
	}
	if len(rep.Checks) == 0 {
		return reply{}, wstk.Errorf(wstk.Empty, "", "it holds no evidence").
			Try(wstk.Advice("pass the id of an evidence, or of a run that has an answer"))
	}
	rep.File = in.ID
	out := verified{VerifyReport: rep, Problems: rep.Problems(), Trust: trust}
	if out.Problems == nil {
		out.Problems = []string{}
	}
	return reply{data: out}, nil
}

// aPart is the error for a part of a reply: what it says of the whole cannot be checked in it.
func aPart(data []byte) error {
	var in struct {
		Next       *string         `json:"next_cursor"`
		References json.RawMessage `json:"references"`
		Content    json.RawMessage `json:"content"`
		Run        struct {
			ID string `json:"id"`
		} `json:"run"`
	}
	if json.Unmarshal(data, &in) != nil { // what is no result is told apart later
		return nil
	}
	if last := in.References != nil && in.Content == nil; in.Next == nil && !last {
		return nil
	}
	call, err := encode(map[string]string{"id": in.Run.ID})
	if err != nil {
		return err
	}
	return wstk.Errorf(wstk.Invalid, "", "this is a part of an answer, and the whole is to be checked").
		Try(wstk.Advice("verify " + string(call)))
}

// saved is the JSON of a run's answer, or of one evidence.
func (c *call) saved(ctx context.Context, id string) ([]byte, error) {
	read := readEvidence
	if wstk.RunID(id).Valid() {
		read = readRun
	}
	v, err := read(ctx, c.door, id)
	if err != nil {
		return nil, err
	}
	switch run := v.(type) { // without what this door adds
	case asked:
		v = run.ExtractionRun
	case answered:
		v = run.AnswerRun
	}
	return encode(v)
}
