package local_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"wstk/shared/wstk"
)

// HTML that came as plain text is read as plain text, and verify says so: words that its
// page hides stand in it.
func TestMarkupReadAsTextIsNamed(t *testing.T) {
	const words = "The pump of the town runs at night."
	for kind, named := range map[string]bool{"text/html": false, "text/plain": true, "text/csv": true, "text/markdown": true} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/pump" {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write([]byte("<!doctype html>\n<html lang=en><head><title>Pump</title></head><body>\n<p>\n\n" + words + "\n\n</p>\n</body></html>\n"))
		}))
		defer server.Close()
		a := open(t, testConfig(t))
		ingest(t, a, server.URL+"/pump")
		data := marshal(t, made(t, a, "When does the pump run?", wstk.Claim{Statement: words, Support: wstk.SupportDirect,
			Proposed: []wstk.Proposal{{Kind: wstk.EvidenceText, URL: server.URL + "/pump",
				Words: words, ByteStart: -1}}}))
		inStores, err := inStore(t, a, data)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := inBundle(t, bundled(t, a, data))
		if err != nil || rep.Verified == 0 || rep.Failed > 0 {
			t.Errorf("%s: %+v, %v", kind, rep, err)
		}
		if (uncheckedNames(rep)["content_type"] != "") != named || (uncheckedNames(inStores)["content_type"] != "") != named {
			t.Errorf("%s: unchecked are %v, and in the store %v", kind, uncheckedNames(rep), uncheckedNames(inStores))
		}
	}
}
