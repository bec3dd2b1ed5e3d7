package shape

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"wstk/shared/wstk"
)

var fetched = time.Date(2026, 11, 22, 11, 16, 37, 0, time.UTC)

func quote(id, url, words string) wstk.Evidence {
	return wstk.Evidence{ID: id, URL: url, Quote: words, FetchedAt: fetched}
}

// answered is an answer with letters of several bytes before its marks, a mark that the words of a
// page imitate, two quotes of one page side by side, and a page without a title.
func answered() Finished {
	x := wstk.Extraction{
		Content: "Zürich’s pumps 🜄 reach 9 bar. [1][2] See \\[1]. They weigh 14 kg. [3]",
		Statements: []wstk.Statement{{Statement: "They reach 9 bar.", Evidence: []int{0, 1}},
			{Statement: "They weigh 14 kg.", Evidence: []int{2}}},
		Evidence: []wstk.Evidence{quote("ev_1", "https://a.example/", "Zürich’s pumps\n 🜄 reach 9 bar."),
			quote("ev_2", "https://a.example/", "9 bar"), quote("ev_3", "https://b.example/", "14 kg")},
		Sources: []wstk.Source{{URL: "https://a.example/", Title: "Pumps"}},
	}
	ask := wstk.AskResult{Query: "q", Extractions: []wstk.Extraction{x},
		Usage: wstk.Usage{Calls: 2, InputTokens: 30, OutputTokens: 12}}
	return Finished{Run: wstk.Run{ID: "run_1", Kind: wstk.RunAnswer, State: wstk.RunComplete,
		StartedAt: fetched, EndedAt: fetched.Add(time.Second)}, Result: Cited(ask)}
}

// D8: each annotation covers a mark [n] of the content, in code points, and names the page of
// reference n; a mark that a page imitates is none.
func TestAnnotationsCoverTheMarks(t *testing.T) {
	f := answered()
	c := Chat(f)
	m := c.Choices[0].Message
	points := []rune(m.Content)
	var got []string
	for _, a := range m.Annotations {
		if a.Type != "url_citation" {
			t.Errorf("type %q", a.Type)
		}
		got = append(got, string(points[a.Citation.Start:a.Citation.End])+" "+a.Citation.Title+" "+
			a.Citation.URL)
	}
	want := []string{"[1] Pumps https://a.example/", "[2] https://b.example/ https://b.example/"}
	if !slices.Equal(got, want) || m.Content != f.Result.Content {
		t.Errorf("%q of %q, want %q", got, m.Content, want)
	}
	if c.ID != "run_1" || c.Created != fetched.Unix()+1 || c.Choices[0].Finish != "stop" ||
		c.Usage != (Tokens{30, 12, 42}) || !c.Wstk.Answered || c.Wstk.Kind != wstk.RunAnswer {
		t.Errorf("%+v", c)
	}
}

// Without an answer the message is one sentence that says so, and cites nothing, whatever
// passages lie near.
func TestAnHonestNoAsAChat(t *testing.T) {
	for kind, want := range map[wstk.RunKind]string{
		wstk.RunAnswer:     "The pages that were read do not answer this question.",
		wstk.RunExtraction: "The stored pages do not answer this question.",
	} {
		c := Chat(Finished{Run: wstk.Run{Kind: kind}, Result: wstk.AnswerResult{Content: "near",
			AskResult: wstk.AskResult{Passages: []wstk.Passage{{Evidence: quote("ev_1", "u", "near")}}}}})
		data, err := json.Marshal(c)
		if m := c.Choices[0].Message; err != nil || m.Content != want || m.Annotations == nil ||
			len(m.Annotations) != 0 || c.Wstk.Answered || c.Choices[0].Finish != "stop" ||
			!strings.Contains(string(data), `"warnings":[]`) || c.Usage.Total != 0 {
			t.Errorf("%s: %s, %v", kind, data, err)
		}
	}
}

// The pieces of a stream put together are the completion; its tokens come where they are asked for.
func TestChunksAreTheCompletion(t *testing.T) {
	c := Chat(answered())
	for _, tokens := range []bool{false, true} {
		var role, content, finish string
		var notes []Annotation
		var used *Tokens
		for _, k := range Chunks(c, tokens) {
			if k.Object != "chat.completion.chunk" || k.ID != c.ID || k.Model != Model ||
				k.Choices == nil {
				t.Errorf("%+v", k)
			}
			for _, x := range k.Choices {
				role, content = role+x.Delta.Role, content+x.Delta.Content
				notes = append(notes, x.Delta.Annotations...)
				if x.Finish != nil {
					finish += *x.Finish
				}
			}
			if k.Usage != nil {
				used = k.Usage
			}
		}
		m := c.Choices[0].Message
		if role != "assistant" || content != m.Content || !slices.Equal(notes, m.Annotations) ||
			finish != "stop" || (used != nil) != tokens || tokens && *used != c.Usage {
			t.Errorf("tokens %v: %q %q %v %q %v", tokens, role, content, notes, finish, used)
		}
	}
}

// D8: a block has the quotes of its reference word for word, each once; nothing that is not cited
// has one.
func TestSearchResultsAreTheReferences(t *testing.T) {
	f := answered()
	got, err := json.Marshal(SearchResults(f.Result))
	const want = `[{"type":"search_result","source":"https://a.example/","title":"Pumps","content":[` +
		`{"type":"text","text":"Zürich’s pumps\n 🜄 reach 9 bar."},{"type":"text","text":"9 bar"}],` +
		`"citations":{"enabled":true}},{"type":"search_result","source":"https://b.example/",` +
		`"title":"https://b.example/","content":[{"type":"text","text":"14 kg"}],` +
		`"citations":{"enabled":true}}]`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
	if none := SearchResults(wstk.AnswerResult{}); none == nil || len(none) != 0 {
		t.Errorf("%v of an answer that cites nothing", none)
	}
	f.Result.Extractions[0].Evidence[2].Quote = ""
	if some := SearchResults(f.Result); len(some) != 1 {
		t.Errorf("%v: a block without a text is refused by its readers", some)
	}
}

// The page of a message is its first address, without the punctuation around it; the question is
// the rest.
func TestTheAddressInAMessage(t *testing.T) {
	for message, want := range map[string][2]string{
		"How fast is it?":                                   {"", "How fast is it?"},
		" https://a.example/x  How fast is it? ":            {"https://a.example/x", "How fast is it?"},
		"How fast is it? See https://a.example/x.":          {"https://a.example/x", "How fast is it? See ."},
		"Read (https://a.example/x?a=1&b=2), how fast?":     {"https://a.example/x?a=1&b=2", "Read ( ), how fast?"},
		"https://a.example/Go_(game)?":                      {"https://a.example/Go_(game)", "?"},
		"[docs](HTTP://a.example/x)! or https://b.example/": {"HTTP://a.example/x", "[docs]( )! or https://b.example/"},
		"https://a.example/中文，how?":                         {"https://a.example/中文", "，how?"},
		"`https://a.example/x`\nhow?":                       {"https://a.example/x", "` ` how?"},
		"ftp://a.example/ http:// how?":                     {"", "ftp://a.example/ http:// how?"},
	} {
		if url, question := Asked(message); url != want[0] || question != want[1] {
			t.Errorf("%q: %q and %q, want %q", message, url, question, want)
		}
	}
}
