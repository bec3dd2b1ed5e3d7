package event

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"wstk/shared/app/crawling"
	"wstk/shared/wstk"
)

// The messages of a call are worked on at once, and each has what became of it.
func TestMessagesThatAreWorkedOnTogether(t *testing.T) {
	calls := 0
	batch := func(_ context.Context, bodies []json.RawMessage) []crawling.Handled {
		calls++
		out := make([]crawling.Handled, len(bodies))
		for i, b := range bodies {
			if string(b) == "2" {
				out[i].Err = wstk.Errorf(wstk.Unavailable, "", "later")
				continue
			}
			out[i].Next = []wstk.Message{{Queue: "index", Body: b}}
		}
		return out
	}
	do := together(t.Context(), batch,
		[]events.SQSMessage{{Body: "1"}, {Body: "2"}, {Body: "3"}})
	var got []string
	for _, body := range []string{"1", "2", "3"} {
		next, err := do(t.Context(), json.RawMessage(body))
		for _, m := range next {
			got = append(got, string(m.Body))
		}
		if err != nil {
			got = append(got, "failed "+body)
		}
	}
	if want := "[1 failed 2 3]"; fmt.Sprint(got) != want || calls != 1 {
		t.Errorf("got %v in %d calls, want %s in one", got, calls, want)
	}
}
