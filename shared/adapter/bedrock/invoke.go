package bedrock

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"

	"wstk/shared/wstk"
)

// invoke asks a model with a body of its maker's own, and decodes the reply into out.
func (c *Client) invoke(ctx context.Context, model string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return wstk.Wrap(wstk.Internal, op, err)
	}
	reply, err := c.api.InvokeModel(ctx, &bedrockruntime.InvokeModelInput{ModelId: &model,
		Body: body, ContentType: aws.String("application/json"),
		Accept: aws.String("application/json")})
	if err != nil {
		return failed(ctx, err)
	}
	if json.Unmarshal(reply.Body, out) != nil {
		return garbled()
	}
	return nil
}

// blank is what stands for a text without words, which Bedrock refuses.
const blank = "."

// within is the beginning of s that a model takes, of at most so many bytes, and reports
// whether something was cut off.
func within(s string, bytes int) (string, bool) {
	s = strings.ToValidUTF8(s, "\ufffd")
	if strings.TrimSpace(s) == "" {
		return blank, len(s) > bytes
	}
	if len(s) <= bytes {
		return s, false
	}
	for bytes > 0 && !utf8.RuneStart(s[bytes]) {
		bytes--
	}
	return s[:bytes], true
}
