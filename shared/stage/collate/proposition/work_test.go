package proposition

import (
	"fmt"
	"strings"
	"testing"

	"wstk/shared/value"
)

// row is a unit of n cells with names, attributes and values.
func row(n int, about string) Unit {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", about)
	for i := range n {
		fmt.Fprintf(&b, "\tthe Orm Mill %d is %d m high, and costs £%d", i, 100+i, i)
	}
	return Unit{Words: b.String(), Lang: "en", Title: "Orm", Above: []string{"Mills of Orm"},
		Labels: []string{"Height"}}
}

// What Of notes of a unit is not read again for each other unit: an answer compares all pairs.
func TestComparingReadsNothingAgain(t *testing.T) {
	q := Ask("How high is the Orm mill?")
	for _, n := range []int{1, 10, 100} {
		a, b := Of(row(n, "East Mill")), Of(row(n, "West Mill"))
		for name, compared := range map[string]func(){
			"Differ":  func() { Differ(a, b, q) },
			"Compare": func() { Compare(a, b, q) },
		} {
			compared()       // reads the question
			const most = 100 // lists of what answers, which grow by doubling
			if got := testing.AllocsPerRun(20, compared); got > most {
				t.Errorf("%s of units of %d cells allocates %v times; want at most %d", name, n, got,
					most)
			}
		}
	}
}

// Of takes apart ten times the words in about ten times the work.
func TestOfIsLinear(t *testing.T) {
	work := func(n int) float64 {
		u := row(n, "East Mill")
		return testing.AllocsPerRun(3, func() { Of(u) }) -
			testing.AllocsPerRun(3, func() { value.Find(u.Words, u.Lang) })
	}
	if one, ten := work(100), work(1000); ten > 15*one {
		t.Errorf("ten times the words allocate %v times, one time %v", ten, one)
	}
}

func BenchmarkCompare(b *testing.B) {
	q := Ask("How high is the Orm mill?")
	for _, n := range []int{1, 100, 10000} {
		b.Run(fmt.Sprint(n, " cells"), func(b *testing.B) {
			x, y := Of(row(n, "East Mill")), Of(row(n, "West Mill"))
			for b.Loop() {
				Compare(x, y, q)
			}
		})
	}
}

func BenchmarkOf(b *testing.B) {
	for _, n := range []int{1, 100, 10000} {
		b.Run(fmt.Sprint(n, " cells"), func(b *testing.B) {
			u := row(n, "East Mill")
			for b.Loop() {
				Of(u)
			}
		})
	}
}
