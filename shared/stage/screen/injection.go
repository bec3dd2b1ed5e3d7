package screen

import "strings"

// injectionRules are the rules for text that addresses a model. Their words and expressions
// are the families of injection.txt.
var injectionRules = []rule{
	{
		family: "dismissed instructions", name: "instruction_override",
		reason: "tells a model to drop its instructions",
		before: 32, after: 140, keep: commands,
	},
	{
		family: "overridden instructions", name: "instruction_override",
		reason: "tells a model to drop its instructions",
		before: 8, after: 120, keep: opens,
	},
	{
		family: "dismissal in one word", name: "instruction_override",
		reason: "tells a model to drop its instructions, in words written as one",
		before: 0, after: 80,
	},
	{
		family: "dismissed orders", name: "instruction_override",
		reason: "tells a model to drop its instructions",
		before: 8, after: 120, keep: opens,
	},
	{
		family: "dismissed reading", name: "instruction_override",
		reason: "tells a model to drop what it read before",
		before: 8, after: 120, keep: opens,
	},
	{
		family: "dismissed request", name: "instruction_override",
		reason: "tells a model to drop what it was asked",
		before: 8, after: 120, keep: opens,
	},
	{
		family: "report only", name: "content_override",
		reason: "tells a model what to report about the page",
		before: 16, after: 60,
	},
	{
		family: "another answer", name: "content_override",
		reason: "tells a model to answer something other than what the page says",
		before: 8, after: 220, keep: opens,
	},
	{
		family: "another report", name: "content_override",
		reason: "tells a model to report something other than what the page says",
		before: 120, after: 160,
	},
	{
		family: "new instructions", name: "new_instructions",
		reason: "claims to replace a model's instructions",
		before: 60, after: 120,
	},
	{
		family: "model addressed", name: "model_addressed",
		reason: "speaks to a language model instead of a reader",
		before: 24, after: 120,
	},
	{
		family: "model spoken to", name: "model_addressed",
		reason: "speaks to a language model instead of a reader",
		before: 80, after: 160,
	},
	{
		family: "page and model", name: "model_addressed",
		reason: "tells a model how to treat this page",
		before: 60, after: 200,
	},
	{
		family: "role play", name: "role_play",
		reason: "tells a model to be someone else",
		before: 100, after: 160,
	},
	{
		family: "authority", name: "authority_claim",
		reason: "claims authority over a model",
		before: 24, after: 200,
	},
	{
		family: "prompt asked for", name: "prompt_disclosure",
		reason: "asks a model to give away its prompt or secrets",
		before: 90, after: 120, keep: commands,
	},
	{
		family: "data sent away", name: "data_exfiltration",
		reason: "asks for private data to be sent away",
		before: 90, after: 260, keep: notTheReaders,
	},
	{
		family: "data in a link", name: "data_exfiltration",
		reason: "asks for data to be carried away in a link",
		before: 60, after: 200,
	},
	{
		family: "payment", name: "payment_request",
		reason: "asks for money to be moved",
		before: 8, after: 200, keep: opens,
	},
	{
		family: "image with data", name: "markdown_image",
		reason: "has an image whose address has a place for data",
		before: 120, after: 400,
	},
	{
		family: "answer dictated", name: "answer_steering",
		reason: "tells a model what to put into its answer",
		before: 180, after: 60, keep: opens,
	},
	{
		family: "words to print", name: "answer_steering",
		reason: "tells a model what to print",
		before: 120, after: 120,
	},
	{
		family: "tools", name: "tool_request",
		reason: "asks a model to use its tools",
		before: 80, after: 160,
	},
	{
		family: "concealment", name: "concealment",
		reason: "tells a model to hide something from its user",
		before: 60, after: 140, keep: opens,
	},
	{
		family: "false delimiters", name: "delimiter_spoofing",
		reason: "imitates the marks between a prompt and its data",
		before: 24, after: 120,
	},
	{
		family: "false turns", name: "turn_spoofing",
		reason: "imitates a turn of a conversation with a model",
		before: 12, after: 260,
	},
	{
		family: "invented world", name: "fictional_frame",
		reason: "invents a world in which something other than what the page says is true",
		before: 200, after: 80,
	},
	{
		family: "story for data", name: "fictional_frame",
		reason: "asks a model for private data within a story",
		before: 8, after: 400,
	},
	{
		family: "things of the user", name: "acts_for_user",
		reason: "asks, in the name of the user, for something to be done " +
			"with the user's own things",
		before: 8, after: 260, keep: opens,
	},
	{
		family: "cipher", name: "cipher_text",
		reason:   "holds an instruction in a simple cipher",
		keywords: append([]string{"snoitcurtsni", "noitcurtsni"}, shifted("instructions")...),
		before:   0, after: 16,
	},
	{
		family: "code to follow", name: "encoded_payload",
		reason: "asks a model to decode and follow something",
		before: 120, after: 260,
	},
}

// otherLanguages are rules that hold several languages each; there are more in overrides.txt.
var otherLanguages = []rule{
	{
		family: "order to send, reported", name: "data_exfiltration",
		reason: "claims that a model was ordered to send data away",
		before: 8, after: 400,
	},
	{
		family: "prompt asked for, other languages", name: "prompt_disclosure",
		reason: "asks a model to give away its prompt",
		before: 60, after: 90,
	},
}

// shifted returns word under the 25 Caesar ciphers.
func shifted(word string) []string {
	var out []string
	for n := 1; n < 26; n++ {
		b := []byte(word)
		for i := range b {
			b[i] = 'a' + (b[i]-'a'+byte(n))%26
		}
		out = append(out, string(b))
	}
	return out
}

// notTheReaders leaves out what a page asks its reader for: your bank details.
// An order to a model is about my data, the user's or all of them.
func notTheReaders(s string, start, end int) bool {
	return commands(s, start, end) && !pattern("own of the reader").MatchString(s[start:end])
}

// commands reports whether the words at text[start:end] are an order rather than a
// report of one, a permission or a quotation.
func commands(s string, start, end int) bool {
	before := s[max(0, start-200):start]
	if !pattern("orders all the same").MatchString(before) && pattern("tells").MatchString(before) {
		return false
	}
	return !pattern("mentions").
		MatchString(before) && !quoted(s, start, end) && !pattern("depends").
		MatchString(s[end:min(len(s), end+100)])
}

// opens reports whether the words open a sentence or clause, as an order does.
func opens(s string, start, end int) bool {
	if !commands(s, start, end) {
		return false
	}
	if pattern("condition").MatchString(s[max(0, start-160):start]) {
		return false
	}
	before := strings.TrimRight(s[max(0, start-24):start], " \t\u00a0")
	if before == "" {
		return true
	}
	switch c := before[len(before)-1]; {
	case strings.IndexByte(".!?:;,>)]}*#-|\"'`/\n\r(", c) >= 0:
		return true
	case c >= 0x80:
		return true // a quote mark, a full stop of another script, an emoji
	}
	for _, word := range []string{"and", "then", "please", "just", "now", "so", "must", "should",
		"instead", "also", "always"} {
		if hasWordSuffix(before, word) {
			return true
		}
	}
	return false
}

// quoted reports whether exactly these words stand in quotation marks: a mention.
func quoted(s string, start, end int) bool {
	if start == 0 || end >= len(s) {
		return false
	}
	for _, marks := range [][2]string{{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"‘", "’"},
		{"«", "»"}, {"„", "“"}} {
		if strings.HasSuffix(s[:start], marks[0]) &&
			strings.HasPrefix(strings.TrimLeft(s[end:min(len(s), end+8)], ".,"), marks[1]) {
			return true
		}
	}
	return false
}

func hasWordSuffix(s, word string) bool {
	if len(s) < len(word) || !strings.EqualFold(s[len(s)-len(word):], word) {
		return false
	}
	return len(s) == len(word) || !wordByte(s[len(s)-len(word)-1])
}
