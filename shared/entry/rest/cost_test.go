package rest

import (
	"encoding/json"
	"strings"
	"testing"

	"wstk/shared/app/answering"
	"wstk/shared/wstk"
)

// What a service cost that ranked passages is told, and nothing where none was asked.
func TestHitsNameTheirCost(t *testing.T) {
	for _, calls := range []int{0, 2} {
		data, err := json.Marshal(newHits(answering.RecallResult{
			Usage: wstk.Usage{Calls: calls, DurationMS: 4}}))
		if err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(string(data), `"usage":{"calls":2,`); told != (calls == 2) ||
			calls == 0 && strings.Contains(string(data), "usage") {
			t.Errorf("after %d calls: %s", calls, data)
		}
	}
}
