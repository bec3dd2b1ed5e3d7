package research_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"

	"wstk/shared/research"
	"wstk/shared/wstk"
)

// pump serves a site of two pages.
func pump() *httptest.Server {
	pages := map[string]string{
		"/": `<title>The P-9 pump</title><main><h1>The P-9 pump</h1>
<p>The maximum pressure of the P-9 pump is 9 bar.</p>
<p>It is our smallest pump. See <a href="/service">who repairs it</a>.</p></main>`,
		"/service": `<title>Service</title><main><h1>Service</h1>
<p>The warranty of the P-9 pump lasts three years.</p>
<p>Write to service@pumps.example if a seal leaks.</p></main>`,
	}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<html lang="en">`+body+"</html>")
	}))
}

// onLoopback opens loopback, where the sites of these examples are.
var onLoopback = map[string]string{"fetch.allow_private": "true"}

// Ingest a site into a folder. Each address that was found has an outcome, and they add up.
func Example_ingest() {
	ctx := context.Background()
	site := pump()
	defer site.Close()
	dir, err := os.MkdirTemp("", "research-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	r, err := research.Open(ctx, research.Options{Dir: dir, Settings: onLoopback})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()

	crawl, err := r.Ingest(ctx, site.URL+"/", research.Crawl{MaxPages: 10})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(crawl.Pages, "pages, adds up:", crawl.Accounting.Balanced())

	pages, err := r.Search(ctx, "warranty of the pump", 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("best page:", pages[0].Title)
	// Output:
	// 2 pages, adds up: true
	// best page: Service
}

// Ask a question, take each extraction as it comes, and check the quotes of an answer again.
func Example_extract() {
	ctx := context.Background()
	site := pump()
	defer site.Close()
	r, err := research.Open(ctx, research.Options{Settings: onLoopback}) // all in memory
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Ingest(ctx, site.URL+"/", research.Crawl{}); err != nil {
		log.Fatal(err)
	}

	for x, err := range r.Stream(ctx, "What is the maximum pressure of the pump?") {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(x.Grounding, "-", x.Statements[0].Statement)
	}

	answer, err := r.Ask(ctx, "How long does the warranty last?")
	if err != nil {
		log.Fatal(err)
	}
	report, err := r.Verify(ctx, answer)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Verified, "quote verified,", report.Failed, "failed")
	// Output:
	// single_source - The maximum pressure of the P-9 pump is 9 bar.
	// 1 quote verified, 0 failed
}

// Ask about a page that was never read. Turns say what is read on the way; the answer cites sections
// of pages, and what is checked again is all of it.
func Example_answer() {
	ctx := context.Background()
	site := pump()
	defer site.Close()
	r, err := research.Open(ctx, research.Options{Settings: onLoopback})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()

	answer, err := r.AnswerTurns(ctx, site.URL+"/", "How long is the warranty?",
		func(t wstk.Turn) { fmt.Println("turn", t.N, "-", t.Move) })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Content)
	for _, ref := range answer.References {
		fmt.Printf("[%d] %s\n", ref.N, ref.Title)
	}
	report, err := r.Verify(ctx, answer)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.PagesRead, "pages read;", report.Verified, "quote verified,",
		len(report.Problems()), "problems")
	// Output:
	// turn 1 - expand_breadth
	// turn 2 - stop
	// The warranty of the P-9 pump lasts three years. [1]
	// [1] Service
	// 2 pages read; 1 quote verified, 0 problems
}

// Refine an answer as an agent does: it asks, sees what is missing, searches for that, reads
// what was found, and asks only there. The library never does so by itself.
func Example_refine() {
	ctx := context.Background()
	site := pump()
	defer site.Close()
	r, err := research.Open(ctx, research.Options{Settings: onLoopback})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Ingest(ctx, site.URL+"/", research.Crawl{}); err != nil {
		log.Fatal(err)
	}

	// only the first page is asked, which names no warranty
	first, err := r.Read(ctx, site.URL+"/")
	if err != nil {
		log.Fatal(err)
	}
	answer, err := r.ExtractFrom(ctx, "How long is the warranty?", first...)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("answered:", answer.HasAnswer())

	for _, gap := range gapsOf(answer) {
		found, err := r.SearchForGap(ctx, gap)
		if err != nil {
			log.Fatal(err)
		}
		for _, page := range found {
			read, err := r.Read(ctx, page.URL)
			if err != nil {
				log.Fatal(err)
			}
			more, err := r.ExtractFrom(ctx, answer.Query, read...)
			if err != nil {
				log.Fatal(err)
			}
			for _, x := range more.Extractions {
				fmt.Printf("%s: %s\n", page.Title, x.Statements[0].Statement)
			}
		}
	}
	// Output:
	// answered: false
	// Service: The warranty of the P-9 pump lasts three years.
}

// gapsOf are all gaps of an answer: of the question, and of each extraction.
func gapsOf(a wstk.AskResult) []wstk.Gap {
	gaps := a.Gaps
	for _, x := range a.Extractions {
		gaps = append(gaps, x.Gaps...)
	}
	return gaps
}

// An honest no is a result. A caller that wants an error gets a *NoAnswer, with what was nearest
// and what is lacking.
func ExampleUnanswered() {
	ctx := context.Background()
	site := pump()
	defer site.Close()
	r, err := research.Open(ctx, research.Options{Settings: onLoopback})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Ingest(ctx, site.URL+"/", research.Crawl{}); err != nil {
		log.Fatal(err)
	}
	answer, err := r.Ask(ctx, "Who painted the ceiling of the chapel?")
	if err == nil {
		err = research.Unanswered(answer)
	}
	var no *research.NoAnswer
	if errors.As(err, &no) {
		fmt.Println(no)
		fmt.Println("lacking:", no.Gaps[0].Query)
	}
	// Output:
	// what is stored does not answer "Who painted the ceiling of the chapel?"
	// lacking: painted the ceiling of the chapel
}

// Each error says what may help, as data. A crawler that is not set up is refused before the site is
// asked.
func ExampleSteps() {
	ctx := context.Background()
	site := pump()
	defer site.Close()
	r, err := research.Open(ctx, research.Options{Settings: onLoopback})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	_, err = r.Ingest(ctx, site.URL+"/", research.Crawl{Query: "How long is the warranty?",
		Crawler: wstk.CrawlerTavily})
	fmt.Println(wstk.CodeOf(err), "-", err)
	for _, s := range research.Steps(err) {
		fmt.Println("try:", s)
	}
	// Output:
	// unprocessable - the crawler tavily cannot be used: no key is set
	// try: configure TAVILY_API_KEY
}
