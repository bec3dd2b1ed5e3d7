package screen

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

func TestScratchDev(t *testing.T) {
	f, err := os.Open("/work/shared/corpora/injection-dev.jsonl.gz")
	if err != nil {
		t.Skip()
	}
	z, _ := gzip.NewReader(f)
	dec := json.NewDecoder(z)
	hit, all := map[string]int{}, map[string]int{}
	for dec.More() {
		var r struct {
			ID, Kind, Text string
			Label          int
		}
		dec.Decode(&r)
		doc := &wstk.Document{Text: r.Text, Hidden: nil}
		s, err := Stage{}.Do(t.Context(), Input{Document: doc, Body: []byte(r.Text)})
		if err != nil {
			t.Fatal(err)
		}
		k := fmt.Sprint(r.Label, " ", r.Kind)
		all[k]++
		got := ""
		for _, f := range s.Findings {
			if f.Kind == wstk.FindingInjection {
				got += f.Rule + "(" + f.Excerpt + ") "
			}
		}
		if got != "" {
			hit[k]++
		}
		if os.Getenv("SHOW") == "1" && r.Label == 1 && got == "" || r.Label == 0 && got != "" || os.Getenv("SHOW") == "2" {
			t.Logf("%s %s %s | %.200q", r.ID, k, got, r.Text)
		}
	}
	var ks []string
	for k := range all {
		ks = append(ks, k)
	}
	sort.Strings(ks)
	for _, k := range ks {
		t.Logf("%s %d/%d", k, hit[k], all[k])
	}
}

func TestScratchPages(t *testing.T) {
	roots := filepath.SplitList(os.Getenv("PAGES"))
	if len(roots) == 0 {
		t.Skip()
	}
	verdicts := map[wstk.Verdict]int{}
	rules := map[string]int{}
	shown := map[string]int{}
	n := 0
	for _, root := range roots {
		filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(p, ".html") {
				return nil
			}
			body, err := os.ReadFile(p)
			if err != nil {
				return nil
			}
			n++
			doc := readHTML(t, "https://example.org/"+filepath.Base(p), body)
			s, _ := Stage{}.Do(t.Context(), Input{Document: doc, Body: body, Snapshot: wstk.Snapshot{URL: doc.URL, FinalURL: doc.URL, Status: 200, ContentType: "text/html", Verdict: wstk.VerdictOK}})
			verdicts[s.Verdict]++
			if s.Verdict != wstk.VerdictOK {
				t.Logf("VERDICT %s %s %s | %q | %d %.150q", p, s.Verdict, s.Reason, doc.Meta.Title, len(doc.Text), doc.Text)
			}
			for _, f := range s.Findings {
				if f.Kind == wstk.FindingHidden {
					continue
				}
				k := string(f.Kind) + " " + f.Rule
				rules[k]++
				if shown[k]++; shown[k] <= 12 {
					ex := f.Excerpt
					if f.Kind == wstk.FindingSecret && f.Span != nil {
						ex = "SECRET " + doc.Text[max(0, f.Span.ByteStart-40):min(len(doc.Text), f.Span.ByteEnd+5)]
					} else if f.Span != nil {
						ex = "…" + doc.Text[max(0, f.Span.ByteStart-60):f.Span.ByteStart] + "[[" + ex + "]]"
					}
					t.Logf("FIND %s %s hidden=%v %q", p, k, f.Hidden, ex)
				}
			}
			return nil
		})
	}
	t.Log(n, verdicts)
	t.Log(rules)
}
