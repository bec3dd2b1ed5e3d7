package prompted

import (
	"encoding/json"
	"fmt"

	"wstk/shared/text"
)

// What models are asked to reply, as JSON Schema in the subset that all vendors know: every
// object lists all of its fields as required and takes no others.
var (
	classifySchema = json.RawMessage(`{"type":"object","additionalProperties":false,
"required":["strategy"],
"properties":{"strategy":{"type":"string","enum":["collection","singular","narrative"]}}}`)

	partitionSchema = json.RawMessage(`{"type":"object","additionalProperties":false,
"required":["items"],"properties":{"items":{"type":"array","items":{
"type":"object","additionalProperties":false,"required":["title","pages","rationale"],
"properties":{"title":{"type":"string"},"pages":{"type":"array","items":{"type":"integer"}},
"rationale":{"type":"string"}}}}}}`)

	extractSchema = json.RawMessage(`{"type":"object","additionalProperties":false,
"required":["claims","gaps"],"properties":{
"claims":{"type":"array","items":{"type":"object","additionalProperties":false,
"required":["field","statement","support","quotes"],"properties":{
"field":{"type":"string"},"statement":{"type":"string"},
"support":{"type":"string","enum":["direct","inferred","assumed"]},
"quotes":{"type":"array","items":{"type":"object","additionalProperties":false,
"required":["page","words"],"properties":{
"page":{"type":"integer"},"words":{"type":"string"}}}}}}},
"gaps":{"type":"array","items":{"type":"object","additionalProperties":false,
"required":["field","query"],"properties":{
"field":{"type":"string"},"query":{"type":"string"}}}}}}`)
)

type (
	partitionReply struct {
		Items []struct {
			Title     string `json:"title"`
			Pages     []int  `json:"pages"`
			Rationale string `json:"rationale"`
		} `json:"items"`
	}
	extractReply struct {
		Claims []repliedClaim `json:"claims"`
		Gaps   []struct {
			Field string `json:"field"`
			Query string `json:"query"`
		} `json:"gaps"`
	}
	repliedClaim struct {
		Field     string `json:"field"`
		Statement string `json:"statement"`
		Support   string `json:"support"`
		Quotes    []struct {
			Page  int    `json:"page"`
			Words string `json:"words"`
		} `json:"quotes"`
	}
)

// cuts counts what is left out of a reply because it goes beyond its bounds.
type cuts struct{ items, texts int }

// text cuts s to at most n bytes.
func (c *cuts) text(s string, n int) string {
	short := text.Prefix(s, n)
	if len(short) < len(s) {
		c.texts++
	}
	return short
}

// first returns at most n items of list.
func first[T any](c *cuts, list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	c.items += len(list) - n
	return list[:n:n]
}

func (c *cuts) String() string {
	return fmt.Sprintf("%d items were left out and %d texts were shortened", c.items, c.texts)
}
