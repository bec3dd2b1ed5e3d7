package crawl

import (
	"fmt"
	"os"
	"testing"
	"wstk/shared/wstk"
)

var stRuns, stDeaths, stSteps, stURLs, stHeld int
var stBy = map[wstk.Outcome]int{}
var stState = map[wstk.RunState]int{}

func TestMain(m *testing.M) {
	c := m.Run()
	fmt.Println("runs", stRuns, "deaths", stDeaths, "steps", stSteps, "urls", stURLs, stBy, stState)
	os.Exit(c)
}
