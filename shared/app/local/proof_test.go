package local_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wstk/shared/app"
	"wstk/shared/app/local"
	"wstk/shared/wstk"
)

// forgeries change one thing in a saved answer. Each must be found.
var forgeries = map[string]func(x map[string]any){
	"content":           func(x map[string]any) { x["content"] = strings.ReplaceAll(x["content"].(string), "9 bar", "99 bar") },
	"content, added to": func(x map[string]any) { x["content"] = x["content"].(string) + "\n\nIt is free." },
	"no content":        func(x map[string]any) { delete(x, "content") },
	"no statements":     func(x map[string]any) { delete(x, "statements") },
	"statement": func(x map[string]any) {
		s := first(x, "statements")
		said := s["statement"].(string)
		s["statement"] = strings.ReplaceAll(said, "9 bar", "99 bar")
		x["content"] = strings.ReplaceAll(x["content"].(string), "9 bar", "99 bar")
	},
	"statement that follows": func(x map[string]any) {
		s := first(x, "statements")
		s["statement"], s["support"] = strings.ReplaceAll(s["statement"].(string), "9 bar", "99 bar"), "inferred"
		x["content"] = strings.ReplaceAll(x["content"].(string), "9 bar", "99 bar")
	},
	"mark":  func(x map[string]any) { first(x, "statements")["evidence"] = []any{7} },
	"quote": func(x map[string]any) { first(x, "evidence")["quote"] = "It is free." },
	"quote, no hash": func(x map[string]any) {
		e := first(x, "evidence")
		e["quote"] = "It is free."
		delete(e, "text_sha256")
	},
	"no hash":           func(x map[string]any) { delete(first(x, "evidence"), "text_sha256") },
	"no id":             func(x map[string]any) { delete(first(x, "evidence"), "id") },
	"form":              func(x map[string]any) { first(x, "evidence")["char_start"] = "here" },
	"link":              func(x map[string]any) { first(x, "evidence")["link"] = "http://evil.example/" },
	"canonical_url":     func(x map[string]any) { first(x, "evidence")["canonical_url"] = "http://evil.example/" },
	"fetched_at":        func(x map[string]any) { first(x, "evidence")["fetched_at"] = "2001-01-01T00:00:00Z" },
	"published_at":      func(x map[string]any) { first(x, "evidence")["published_at"] = "2001-01-01T00:00:00Z" },
	"section_path":      func(x map[string]any) { first(x, "evidence")["section_path"] = []any{"Law"} },
	"status":            func(x map[string]any) { first(x, "evidence")["status"] = "certain" },
	"snapshot_sha256":   func(x map[string]any) { first(x, "evidence")["snapshot_sha256"] = wstk.HashOf([]byte("x")) },
	"a second evidence": func(x map[string]any) { again(x)["url"] = "http://evil.example/" },
	"a second hash":     func(x map[string]any) { again(x)["text_sha256"] = wstk.HashOf([]byte("x")) },
}

func first(x map[string]any, key string) map[string]any { return x[key].([]any)[0].(map[string]any) }

// again adds the first evidence once more.
func again(x map[string]any) map[string]any {
	var e map[string]any
	data, _ := json.Marshal(first(x, "evidence"))
	json.Unmarshal(data, &e)
	x["evidence"] = append(x["evidence"].([]any), e)
	return e
}

// forged is an answer in which one thing was changed.
func forged(t *testing.T, answer []byte, forge func(x map[string]any)) []byte {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(answer, &m); err != nil {
		t.Fatal(err)
	}
	if forge != nil {
		forge(first(m, "extractions"))
	}
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Law 1: whatever was changed in an answer is found, in the store and in a bundle.
func TestForgeriesAreFound(t *testing.T) {
	ctx := context.Background()
	a := open(t, testConfig(t))
	root := serve(t, quick())
	ingest(t, a, root+"/")
	answer, err := json.Marshal(ask(t, a, "What is the maximum pressure of the P-9?"))
	if err != nil || !bytes.Contains(answer, []byte("9 bar")) {
		t.Fatalf("%s, %v", answer, err)
	}
	proof := filepath.Join(t.TempDir(), "proof.zip")
	if err := a.WriteBundle(ctx, proof, answer); err != nil {
		t.Fatal(err)
	}
	store := func(data []byte) app.VerifyReport {
		rep, err := a.VerifyFile(ctx, "-", bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	inBundle := func(data []byte) app.VerifyReport {
		b, err := local.OpenBundle(rewritten(t, proof, data))
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		rep, err := app.VerifyBundle(ctx, b)
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	for against, check := range map[string]func([]byte) app.VerifyReport{"store": store, "bundle": inBundle} {
		rep := check(answer)
		if len(rep.Problems()) > 0 || rep.Verified == 0 || len(rep.Statements) < 2 || rep.Against != against {
			t.Errorf("%s: the true answer: %+v", against, rep)
		}
		for _, u := range rep.Unchecked { // all that both hold was checked
			if u.What != "status" && !strings.HasPrefix(u.What, "title") {
				t.Errorf("%s: %s was not checked: %s", against, u.What, u.Reason)
			}
		}
		for name, forge := range forgeries {
			if rep := check(forged(t, answer, forge)); len(rep.Problems()) == 0 {
				t.Errorf("%s: %s: a forgery passes: %+v", against, name, rep)
			}
		}
	}
}

// What cannot be checked is said: here, a bundle without the structure of its pages.
func TestWhatIsNotCheckedIsSaid(t *testing.T) {
	ctx := context.Background()
	a := open(t, testConfig(t))
	ingest(t, a, serve(t, quick())+"/")
	answer, err := json.Marshal(ask(t, a, "What is the maximum pressure of the P-9?"))
	if err != nil {
		t.Fatal(err)
	}
	save := a.SaveBundle
	a.SaveBundle = func(ctx context.Context, path string, result []byte, blobs wstk.BlobStore, hashes, _ []wstk.Hash) error {
		return save(ctx, path, result, blobs, hashes, nil)
	}
	proof := filepath.Join(t.TempDir(), "proof.zip")
	if err := a.WriteBundle(ctx, proof, answer); err != nil {
		t.Fatal(err)
	}
	b, err := local.OpenBundle(proof)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	rep, err := app.VerifyBundle(ctx, b)
	if err != nil || len(rep.Problems()) > 0 {
		t.Fatalf("%+v, %v", rep, err)
	}
	said := map[string]bool{}
	for _, u := range rep.Unchecked {
		said[u.What] = u.Reason != ""
	}
	for _, field := range []string{"canonical_url", "fetched_at", "published_at", "section_path", "snapshot_sha256", "status"} {
		if !said[field] {
			t.Errorf("nobody checked %s, and nobody says so: %v", field, rep.Unchecked)
		}
	}
}

// rewritten is a bundle with another result.
func rewritten(t *testing.T, bundle string, result []byte) string {
	t.Helper()
	in, err := zip.OpenReader(bundle)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range in.File {
		if f.Name == "result.json" {
			w, _ := z.Create(f.Name)
			w.Write(result)
		} else if err := z.Copy(f); err != nil {
			t.Fatal(err)
		}
	}
	z.Close()
	name := filepath.Join(t.TempDir(), "forged.zip")
	if err := os.WriteFile(name, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
