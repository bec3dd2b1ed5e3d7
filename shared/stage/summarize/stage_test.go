package summarize_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"wstk/shared/adapter/memory"
	"wstk/shared/stage/summarize"
	"wstk/shared/wstk"
	"wstk/shared/wstk/wstktest"
)

var ctx = context.Background()

// page makes a document of lines: "# " and "## " begin headings, "- " list items,
// "| " table rows, "> " what is not main content, "[text](url)" alone is a link.
func page(title, lang string, lines ...string) *wstk.Document {
	d := &wstk.Document{URL: "https://example.org/" + title, Meta: wstk.Metadata{Title: title, Language: lang}}
	section := -1
	for _, s := range lines {
		b := wstk.Block{Kind: wstk.BlockParagraph, Main: true}
		if s, ok := strings.CutPrefix(s, "> "); ok {
			b.Main = false
			add(d, b, s, section)
			continue
		}
		for prefix, k := range map[string]wstk.BlockKind{"# ": wstk.BlockHeading,
			"## ": wstk.BlockHeading, "- ": wstk.BlockListItem, "| ": wstk.BlockTableRow} {
			if t, ok := strings.CutPrefix(s, prefix); ok {
				b.Kind, s = k, t
				if k == wstk.BlockHeading {
					b.Level = len(prefix) - 1
					d.Sections = append(d.Sections,
						wstk.Section{Title: t, Level: b.Level, Parent: -1})
					section = len(d.Sections) - 1
				}
				break
			}
		}
		add(d, b, s, section)
	}
	d.TextSHA256 = wstk.HashOf([]byte(d.Text))
	return d
}

func add(d *wstk.Document, b wstk.Block, s string, section int) {
	if d.Text != "" {
		d.Text += "\n"
	}
	b.Section, b.ByteStart, b.CharStart = section, len(d.Text), utf8.RuneCountInString(d.Text)
	d.Text += s
	b.ByteEnd, b.CharEnd = len(d.Text), utf8.RuneCountInString(d.Text)
	d.Blocks = append(d.Blocks, b)
}

func one(t *testing.T, d *wstk.Document) wstk.Summary {
	t.Helper()
	s := summarize.Stage{Now: func() time.Time { return time.Unix(1, 0) }}
	out, err := s.Do(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	return out[0]
}

func has(list []string, part string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, part) })
}

func TestServicePage(t *testing.T) {
	d := page("Lakeside Yoga", "en",
		"# Lakeside Yoga",
		"Lakeside Yoga is a small studio in Zurich where Maria Keller has taught since 2009.",
		"## Our services",
		"- Hatha classes for beginners",
		"- Private lessons",
		"## Prices",
		"| Single class\tCHF 25",
		"Students pay half.",
		"## Volunteers",
		"We are looking for helpers at the summer camp. Please send your name by the end of May.",
		"[Sign up]",
		"> Contact us",
		"> Call +41 44 123 45 67 or write to hello@lakeside.example",
	)
	d.Blocks[len(d.Blocks)-3].Kind = wstk.BlockOther
	d.Links = []wstk.Link{{URL: "https://example.org/book", Text: "Contact us"}, {URL: "x", Text: "Book now on another page"}}
	s := one(t, d)
	if !strings.HasPrefix(s.Text, "Lakeside Yoga\n") || !strings.Contains(s.Text, "Maria Keller has taught") || !strings.Contains(s.Text, "Prices") {
		t.Errorf("text:\n%s", s.Text)
	}
	for _, w := range []string{"Hatha classes", "Private lessons", "CHF 25"} {
		if !has(s.Signals.Offers, w) {
			t.Errorf("offers %q lack %q", s.Signals.Offers, w)
		}
	}
	if !has(s.Signals.Asks, "looking for helpers") || !has(s.Signals.Asks, "Please send your name") {
		t.Errorf("asks %q", s.Signals.Asks)
	}
	if !has(s.Signals.CallsToAction, "Contact us") || has(s.Signals.CallsToAction, "Book now on another page") {
		t.Errorf("calls %q: what does not stand on the page is no call", s.Signals.CallsToAction)
	}
	for _, w := range []string{"Maria Keller", "hello@lakeside.example", "+41 44 123 45 67"} {
		if !has(s.Signals.Entities, w) {
			t.Errorf("entities %q lack %q", s.Signals.Entities, w)
		}
	}
	if s.Language != "en" || s.Engine != "heuristic" || s.PromptHash == "" || s.URL != d.URL ||
		s.TextSHA256 != d.TextSHA256 {
		t.Errorf("the summary is %+v, want the language, engine and text of its page", s)
	}
}

func TestManualPage(t *testing.T) {
	d := page("Write-Ahead Logging", "en",
		"# Write-Ahead Logging",
		"The write-ahead log is an alternative to the rollback journal.",
		"Call wal_checkpoint_v2 to run a checkpoint. The function wal_checkpoint_v2 requires an open connection.",
		"A checkpoint moves the content of the log into the database. The log provides more concurrency.")
	s := one(t, d)
	if !has(s.Signals.Entities, "wal_checkpoint_v2") {
		t.Errorf("entities %q", s.Signals.Entities)
	}
	if !has(s.Signals.Asks, "requires an open connection") || !has(s.Signals.Offers, "provides more concurrency") {
		t.Errorf("asks %q, offers %q", s.Signals.Asks, s.Signals.Offers)
	}
}

func TestOtherLanguages(t *testing.T) {
	for _, c := range []struct {
		doc              *wstk.Document
		lang             string
		offer, ask, call string
	}{
		{page("Zimmer", "", "Wir bieten Zimmer mit Blick auf den See und das Frühstück ist im Preis enthalten.", "Bitte melden Sie sich bis zum Freitag an.", "Jetzt buchen"),
			"de", "Wir bieten Zimmer", "Bitte melden", "Jetzt buchen"},
		{page("服务", "zh", "我们提供数据库咨询服务。", "请在星期五之前申请。", "立即注册"), "zh", "我们提供", "请在星期五", "立即注册"},
		{page("Услуги", "ru", "Мы предлагаем уроки музыки для детей.", "Пожалуйста, отправьте заявку до пятницы.", "Записаться"), "ru", "предлагаем", "Пожалуйста", "Записаться"},
	} {
		s := one(t, c.doc)
		if s.Language != c.lang || !has(s.Signals.Offers, c.offer) || !has(s.Signals.Asks, c.ask) ||
			!has(s.Signals.CallsToAction, c.call) {
			t.Errorf("%s: the summary is %+v, want an offer, an ask and a call", c.lang, s)
		}
	}
}

// FuzzHeuristic: every signal stands on the page word for word, and a summary is short.
func FuzzHeuristic(f *testing.F) {
	f.Add("# Head\nWe offer free lessons, please apply.\n- item $5\nSign up", "en")
	f.Add("Ⱥ free ⱥ offers \xff please\xfe apply", "")
	f.Add(strings.Repeat("请提供 ", 500), "zh")
	f.Add("call (555) 123-4567 getElementById _x_ a_b a_b", "xx-YY")
	f.Fuzz(func(t *testing.T, s, lang string) {
		d := page("T", lang, strings.Split(s, "\n")...)
		got, _, err := summarize.Heuristic{}.Summarize(ctx, []*wstk.Document{d})
		if err != nil || len(got) != 1 {
			t.Fatal(err, len(got), "want err == nil && len(got) == 1")
		}
		sig := got[0].Signals
		for _, p := range slices.Concat(sig.Offers, sig.Asks, sig.CallsToAction, sig.Entities) {
			if p == "" || !strings.Contains(d.Text, p) {
				t.Fatalf("%q does not stand on the page", p)
			}
			if utf8.RuneCountInString(p) > 121 {
				t.Fatalf("a phrase of %d code points", utf8.RuneCountInString(p))
			}
		}
		if sig.Offers == nil || sig.Asks == nil || sig.CallsToAction == nil || sig.Entities == nil {
			t.Fatal("a list is null")
		}
		if n := len(strings.Fields(got[0].Text)); n > 200 {
			t.Fatalf("%d words", n)
		}
	})
}

// writer is an engine under test.
type writer struct {
	calls *[]int
	got   func(docs []*wstk.Document) ([]wstk.Summary, error)
}

func (writer) Name() string       { return "test" }
func (writer) Model() string      { return "m" }
func (writer) PromptHash() string { return "p" }
func (w writer) Summarize(
	_ context.Context, docs []*wstk.Document,
) ([]wstk.Summary, wstk.Usage, error) {
	*w.calls = append(*w.calls, len(docs))
	if w.got != nil {
		out, err := w.got(docs)
		return out, wstk.Usage{Calls: 1}, err
	}
	return make([]wstk.Summary, len(docs)), wstk.Usage{Calls: 1}, nil
}

func pages(n int) []*wstk.Document {
	var out []*wstk.Document
	for i := range n {
		out = append(out, page(fmt.Sprint("p", i), "en", fmt.Sprintf("This is page number %d.", i)))
	}
	return out
}

func TestCacheAndBatches(t *testing.T) {
	var calls []int
	cost := 0
	s := summarize.Stage{Engine: writer{calls: &calls}, Summaries: memory.NewSummaries(), Batch: 5,
		Report: func(u wstk.Usage) { cost += u.Calls }}
	docs := pages(12)
	first, err := s.Do(ctx, docs...)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(calls) != "[5 5 2]" || cost != 3 {
		t.Errorf("calls %v, reported %d", calls, cost)
	}
	again, err := s.Do(ctx, append(docs[6:], pages(13)[12])...)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(calls) != "[5 5 2 1]" {
		t.Errorf("calls %v: what is stored is asked for again", calls)
	}
	for i := range again[:6] {
		if again[i].Key() != first[6+i].Key() || !again[i].CreatedAt.Equal(first[6+i].CreatedAt) {
			t.Errorf("%d: order or content differs", i)
		}
	}
}

func TestEngineThatMisbehaves(t *testing.T) {
	var calls []int
	for name, c := range map[string]struct {
		got  func([]*wstk.Document) ([]wstk.Summary, error)
		code wstk.Code
	}{
		"too few": {func([]*wstk.Document) ([]wstk.Summary, error) { return nil, nil }, wstk.ModelFailed},
		"fails": {func([]*wstk.Document) ([]wstk.Summary, error) {
			return nil, fmt.Errorf("no JSON")
		}, wstk.ModelFailed},
		"busy": {func([]*wstk.Document) ([]wstk.Summary, error) {
			return nil, wstk.Errorf(wstk.Unavailable, "", "later")
		}, wstk.Unavailable},
	} {
		s := summarize.Stage{Engine: writer{&calls, c.got}}
		if _, err := s.Do(ctx, pages(1)...); wstk.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %v", name, err, c.code)
		}
	}
	invents := func(docs []*wstk.Document) ([]wstk.Summary, error) {
		return []wstk.Summary{{Text: "x", URL: "https://elsewhere",
			Signals: wstk.Signals{Offers: []string{"page  NUMBER", "free beer", ""}, Entities: []string{"number 0"}}}}, nil
	}
	s := summarize.Stage{Engine: writer{&calls, invents}}
	got, err := s.Do(ctx, pages(1)...)
	if err != nil {
		t.Fatal(err)
	}
	if sig := got[0].Signals; fmt.Sprintf("%q", sig.Offers) != `["page  NUMBER"]` ||
		fmt.Sprintf("%q", sig.Entities) != `["number 0"]` || sig.Asks == nil {
		t.Errorf("%+v: what does not stand on the page must go", sig)
	}
	if got[0].URL != "https://example.org/p0" {
		t.Errorf("url %s", got[0].URL)
	}
}

func TestHalfDoneIsKept(t *testing.T) {
	var calls []int
	store := memory.NewSummaries()
	fails := func(docs []*wstk.Document) ([]wstk.Summary, error) {
		if len(calls) == 2 {
			return nil, wstk.Errorf(wstk.Unavailable, "", "later")
		}
		return make([]wstk.Summary, len(docs)), nil
	}
	s := summarize.Stage{Engine: writer{&calls, fails}, Summaries: store, Batch: 2}
	if _, err := s.Do(ctx, pages(4)...); wstk.CodeOf(err) != wstk.Unavailable {
		t.Fatal(err)
	}
	if _, err := s.Do(ctx, pages(4)...); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(calls) != "[2 2 2]" {
		t.Errorf("calls %v: the first two were lost", calls)
	}
}

func TestHugePage(t *testing.T) {
	d := page("huge", "en", strings.Repeat("Word and word again ", 250_000))
	s := one(t, d)
	if n := len(strings.Fields(s.Text)); n > 200 || n < 20 {
		t.Errorf("%d words", n)
	}
}

func TestCancelled(t *testing.T) {
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := (&summarize.Stage{}).Do(done, pages(1)...); wstk.CodeOf(err) != wstk.Cancelled {
		t.Error(err)
	}
}

// TestSummarizingStops ends the time in the middle of a page: the work ends there, says so,
// and stores no summary.
func TestSummarizingStops(t *testing.T) {
	d := page("long", "en", strings.Repeat("The harbour of Vellmar offers berths. ", 1000))
	for i := range 500 {
		d.Links = append(d.Links, wstk.Link{Text: fmt.Sprint("Book berth ", i)})
	}
	whole := &wstktest.Countdown{Context: ctx, Left: 1 << 30}
	if _, err := (&summarize.Stage{}).Do(whole, d); err != nil {
		t.Fatal(err)
	}
	looks := 1<<30 - whole.Left
	if looks < 3*600 {
		t.Errorf("looked %d times whether to go on", looks)
	}
	for _, after := range []int{0, 1, looks / 4, looks / 2, looks - 1} {
		ending, store := &wstktest.Countdown{Context: ctx, Left: after}, memory.NewSummaries()
		s := summarize.Stage{Summaries: store}
		if _, err := s.Do(ending, d); wstk.CodeOf(err) != wstk.Cancelled {
			t.Errorf("ended after %d looks of %d: %v", after, looks, err)
		}
		if ending.Late > 20 {
			t.Errorf("ended after %d looks, and looked %d times more", after, ending.Late)
		}
		h := summarize.Heuristic{}
		if _, err := store.Get(ctx, wstk.SummaryKey{URL: d.URL, TextSHA256: d.TextSHA256,
			Engine: h.Name(), PromptHash: h.PromptHash()}); wstk.CodeOf(err) != wstk.NotFound {
			t.Errorf("ended after %d looks of %d, and stored a summary: %v", after, looks, err)
		}
	}
}
