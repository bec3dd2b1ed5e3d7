package serve

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

func TestEnd(t *testing.T) {
	for name, c := range map[string]struct {
		work   func(w http.ResponseWriter)
		said   []string
		status int
		cut    bool
	}{
		"well": {func(w http.ResponseWriter) { w.Write([]byte("x")) },
			[]string{"whole"}, 200, false},
		"nothing said": {func(http.ResponseWriter) {}, []string{"whole"}, 0, false},
		"a status": {func(w http.ResponseWriter) {
			w.WriteHeader(404)
			w.Write([]byte("x"))
		}, []string{"whole"}, 404, false},
		"a panic":             {func(http.ResponseWriter) { panic("oh") }, []string{"oh", "fail", "whole"}, 500, false},
		"a panic in the body": {func(w http.ResponseWriter) { w.Write([]byte("x")); panic("oh") }, []string{"oh", "cut"}, 200, true},
		"given up": {func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
			[]string{"cut"}, 0, true},
	} {
		w := &Writer{ResponseWriter: httptest.NewRecorder()}
		var said []string
		var p any
		func() {
			defer func() { p = recover() }()
			defer End(w, func(panicked, stack string) {
				if said = append(said, panicked); !strings.Contains(stack, "TestEnd") {
					t.Errorf("%s: the stack is %s", name, stack)
				}
			}, func() {
				said = append(said, "fail")
				w.WriteHeader(500)
			}, func(whole bool) { said = append(said, map[bool]string{true: "whole", false: "cut"}[whole]) })
			c.work(w)
		}()
		if !slices.Equal(said, c.said) || w.Status != c.status ||
			(p == http.ErrAbortHandler) != c.cut || p != nil && !c.cut {
			t.Errorf("%s: %v, status %d, panic %v", name, said, w.Status, p)
		}
	}
}

func TestBodyless(t *testing.T) {
	rec := httptest.NewRecorder()
	w := &Writer{ResponseWriter: rec, Bodyless: true}
	if n, err := w.Write([]byte("abc")); n != 3 || err != nil || rec.Body.Len() != 0 ||
		w.Status != 200 || rec.Code != 200 {
		t.Errorf("%d, %v, %q, status %d", n, err, rec.Body, w.Status)
	}
}
