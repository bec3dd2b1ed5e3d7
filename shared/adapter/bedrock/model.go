package bedrock

import (
	"context"
	"encoding/json"
	"strings"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"wstk/shared/wstk"
)

// Model is a language model behind Converse. JSON comes as the input of a tool that has the
// wanted schema. Make one with NewModel.
type Model struct {
	client *Client
	model  string

	learned atomic.Uint32 // the form that Bedrock took last
}

var _ wstk.Model = (*Model)(nil)

// NewModel returns the model with this id, or ARN, of a foundation model or an inference
// profile. It sends no request.
func NewModel(c *Client, model string) *Model { return &Model{client: c, model: model} }

// form is how a request is written: what is left out since the model does not take it.
type form uint32

const (
	noTemperature form = 1 << iota
	noChoice           // the tool is offered, and its use not demanded
	noTool             // the schema stands in the instructions
)

// refusals are words, in lower case, of a request that was refused, and the form in which it
// may be taken; the more special ones first.
var refusals = []struct {
	words string
	form  form
}{{"temperature", noTemperature}, {"toolchoice", noChoice}, {"tool_choice", noChoice},
	{"tool", noTool}}

// Info names the model.
func (m *Model) Info() wstk.ModelInfo { return wstk.ModelInfo{Provider: Vendor, Model: m.model} }

// Complete sends the instructions as the system's prompt and the words as the user's. It asks
// once, and again for what the model does not take, without that.
func (m *Model) Complete(ctx context.Context, r wstk.ModelRequest) (wstk.ModelReply, error) {
	for f := form(m.learned.Load()); ; {
		reply, err := m.once(ctx, r, f)
		if wanted := humbler(err) &^ f; wanted != 0 && ctx.Err() == nil {
			f |= wanted
			continue
		}
		if err == nil || wstk.CodeOf(err) == wstk.ModelFailed {
			m.learned.Or(uint32(f))
		}
		return reply, err
	}
}

// humbler is what a request has to do without after an error.
func humbler(err error) form {
	if wstk.CodeOf(err) != wstk.Invalid {
		return 0
	}
	said := strings.ToLower(err.Error())
	for _, known := range refusals {
		if strings.Contains(said, known.words) {
			return known.form
		}
	}
	return 0
}

// once sends one request.
func (m *Model) once(
	ctx context.Context, r wstk.ModelRequest, f form,
) (wstk.ModelReply, error) {
	if f&noTool != 0 && r.Schema != nil {
		r.System += "\n\nThe reply is one JSON value and nothing else. It fits this JSON " +
			"Schema:\n" + string(r.Schema)
		r.Schema = nil
	}
	in, err := m.request(r, f)
	if err != nil {
		return wstk.ModelReply{}, err
	}
	started := m.client.now()
	answer, err := m.client.api.Converse(ctx, in)
	if err != nil {
		return wstk.ModelReply{}, failed(ctx, err)
	}
	message, ok := answer.Output.(*types.ConverseOutputMemberMessage)
	if !ok {
		return wstk.ModelReply{}, garbled()
	}
	out := wstk.ModelReply{Usage: usageOf(answer.Usage)}
	out.Usage.DurationMS = m.client.now().Sub(started).Milliseconds()
	if err := stopped(answer.StopReason); err != nil {
		return out, err
	}
	tool := ""
	if r.Schema != nil {
		tool = r.Name
	}
	if out.Text, ok = textOf(message.Value.Content, tool); !ok {
		return out, garbled()
	}
	return out, nil
}

// request is r in the form of Converse.
func (m *Model) request(r wstk.ModelRequest, f form) (*bedrockruntime.ConverseInput, error) {
	in := &bedrockruntime.ConverseInput{ModelId: &m.model,
		InferenceConfig: &types.InferenceConfiguration{MaxTokens: aws.Int32(int32(r.MaxTokens))},
		Messages: []types.Message{{Role: types.ConversationRoleUser,
			Content: []types.ContentBlock{&types.ContentBlockMemberText{Value: r.User}}}}}
	if f&noTemperature == 0 {
		in.InferenceConfig.Temperature = aws.Float32(0)
	}
	if strings.TrimSpace(r.System) != "" { // a blank one is refused
		in.System = []types.SystemContentBlock{
			&types.SystemContentBlockMemberText{Value: r.System}}
	}
	if r.Schema == nil {
		return in, nil
	}
	var schema any
	if err := json.Unmarshal(r.Schema, &schema); err != nil {
		return nil, wstk.Errorf(wstk.Invalid, op, "the schema is not JSON: %w", err)
	}
	in.ToolConfig = &types.ToolConfiguration{
		Tools: []types.Tool{&types.ToolMemberToolSpec{Value: types.ToolSpecification{
			Name: &r.Name, Description: aws.String("Takes the reply."),
			InputSchema: &types.ToolInputSchemaMemberJson{
				Value: document.NewLazyDocument(schema)}}}}}
	if f&noChoice == 0 {
		in.ToolConfig.ToolChoice = &types.ToolChoiceMemberTool{
			Value: types.SpecificToolChoice{Name: &r.Name}}
	}
	return in, nil
}

func usageOf(u *types.TokenUsage) wstk.Usage {
	if u == nil {
		return wstk.Usage{Calls: 1}
	}
	return wstk.Usage{Calls: 1, InputTokens: max(0, int(aws.ToInt32(u.InputTokens))),
		OutputTokens: max(0, int(aws.ToInt32(u.OutputTokens)))}
}

// stopped is the error for a reply that did not come to its own end; nil for one that did. A
// reason that is missing or not known is no end.
func stopped(reason types.StopReason) error {
	switch reason {
	case types.StopReasonEndTurn, types.StopReasonToolUse, types.StopReasonStopSequence:
		return nil
	case types.StopReasonMaxTokens:
		return fault(wstk.ModelFailed, "its reply was cut off at the limit of tokens")
	case types.StopReasonModelContextWindowExceeded:
		return fault(wstk.ModelFailed, "the request and the reply exceed the model's context")
	case types.StopReasonGuardrailIntervened, types.StopReasonContentFiltered, "refusal":
		return fault(wstk.ModelFailed, "it refused to answer")
	case "":
		return fault(wstk.ModelFailed, "its reply ended without a reason")
	}
	return fault(wstk.ModelFailed, "its reply ended because of "+string(reason))
}

// textOf is what a model said: the input of the tool with this name, or its text. Reasoning and
// calls of other tools are passed over.
func textOf(blocks []types.ContentBlock, tool string) (string, bool) {
	var said strings.Builder
	found := false
	for _, b := range blocks {
		switch b := b.(type) {
		case *types.ContentBlockMemberToolUse:
			if tool == "" || aws.ToString(b.Value.Name) != tool || b.Value.Input == nil {
				continue
			}
			if data, err := b.Value.Input.MarshalSmithyDocument(); err == nil {
				return string(data), true
			}
		case *types.ContentBlockMemberText:
			said.WriteString(b.Value)
			found = true
		}
	}
	return said.String(), found
}
