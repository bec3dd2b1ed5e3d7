package bedrock

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"wstk/shared/wstk"
)

// Model is a language model behind Converse. It must be one that can be made to call a tool
// (Amazon Nova, Anthropic Claude, Mistral Large): JSON comes as the input of a tool that has
// the wanted schema.
type Model struct {
	Client *Client
	Model  string // id or ARN of a foundation model or an inference profile
}

var _ wstk.Model = Model{}

// Info names the model.
func (m Model) Info() wstk.ModelInfo { return wstk.ModelInfo{Provider: Vendor, Model: m.Model} }

// Complete sends the instructions as the system's prompt and the words as the user's.
func (m Model) Complete(ctx context.Context, r wstk.ModelRequest) (wstk.ModelReply, error) {
	in, err := m.request(r)
	if err != nil {
		return wstk.ModelReply{}, err
	}
	started := m.Client.now()
	answer, err := m.Client.api.Converse(ctx, in)
	if err != nil {
		return wstk.ModelReply{}, failed(ctx, err)
	}
	message, ok := answer.Output.(*types.ConverseOutputMemberMessage)
	if !ok {
		return wstk.ModelReply{}, garbled()
	}
	out := wstk.ModelReply{Usage: usageOf(answer.Usage)}
	out.Usage.DurationMS = m.Client.now().Sub(started).Milliseconds()
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
func (m Model) request(r wstk.ModelRequest) (*bedrockruntime.ConverseInput, error) {
	in := &bedrockruntime.ConverseInput{ModelId: &m.Model,
		InferenceConfig: &types.InferenceConfiguration{MaxTokens: aws.Int32(int32(r.MaxTokens))},
		Messages: []types.Message{{Role: types.ConversationRoleUser,
			Content: []types.ContentBlock{&types.ContentBlockMemberText{Value: r.User}}}}}
	if takesTemperature(m.Model) {
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
				Value: document.NewLazyDocument(schema)}}}},
		ToolChoice: &types.ToolChoiceMemberTool{Value: types.SpecificToolChoice{Name: &r.Name}}}
	return in, nil
}

// temperate are the models of Anthropic that take a temperature. Later ones refuse it.
var temperate = []string{"claude-3", "claude-v2", "claude-instant", "claude-haiku-4-5",
	"claude-sonnet-4-2", "claude-sonnet-4-5", "claude-sonnet-4-6", "claude-opus-4-2",
	"claude-opus-4-1", "claude-opus-4-5", "claude-opus-4-6"}

// takesTemperature reports whether a model takes a temperature. An ARN that does not name its
// model counts as one that does.
func takesTemperature(model string) bool {
	_, name, found := strings.Cut(model, "anthropic.")
	if !found {
		return true
	}
	for _, t := range temperate {
		if strings.HasPrefix(name, t) {
			return true
		}
	}
	return false
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
