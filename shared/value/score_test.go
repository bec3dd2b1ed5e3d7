package value

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"wstk/shared/text"
)

// TestFindScore measures Find on labelled texts. It needs the folder that
// holds quantities/recognizers.jsonl.gz (microsoft/Recognizers-Text) and
// quantities/quantulum3.jsonl.gz (nielstron/quantulum3) in WSTK_CORPORA and is
// skipped without; WSTK_CORPORA_SHOW=LANG/KIND prints what was missed. A hit
// overlaps the label and has its value, converted to the base unit.
func TestFindScore(t *testing.T) {
	dir := os.Getenv("WSTK_CORPORA")
	if dir == "" {
		t.Skip("WSTK_CORPORA is not set")
	}
	show := os.Getenv("WSTK_CORPORA_SHOW")
	scores := map[string]*score{}
	for _, file := range []string{"recognizers", "quantulum3"} {
		readLines(t, filepath.Join(dir, "quantities", file+".jsonl.gz"), func(line []byte) {
			var row scoreRow
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatal(err)
			}
			row.score(scores, show)
		})
	}
	var keys []string
	for k := range scores {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		s := scores[k]
		fmt.Printf("%-24s gold %5d  hit %5d  extra %4d   precision %.3f  recall %.3f\n", k, s.gold, s.hit, s.extra,
			float64(s.hit)/math.Max(1, float64(s.hit+s.extra)),
			float64(s.hit)/math.Max(1, float64(s.gold)))
	}
}

type score struct{ gold, hit, extra int }

type scoreRow struct {
	Src, Lang, Model, Text string
	Gold                   []struct {
		Text, Surface string
		Start         int
		Resolution    struct{ Value, Unit, IsoCurrency, RelativeTo *string }
		Value         *float64
		Unit          string
	}
}

var scoreLangs = map[string]string{"English": "en", "Spanish": "es", "SpanishMexican": "es-MX", "French": "fr", "German": "de", "Italian": "it", "Portuguese": "pt",
	"Dutch": "nl", "Swedish": "sv", "Turkish": "tr", "Chinese": "zh", "Japanese": "ja", "Korean": "ko", "Arabic": "ar", "Hindi": "hi"}

var scoreKinds = map[string]string{"NumberModel": "number", "PercentModel": "percent", "CurrencyModel": "currency", "DimensionModel": "dimension",
	"TemperatureModel": "temperature", "AgeModel": "age", "OrdinalModel": "ordinal", "OrdinalModelSuppressExtendedTypes": "ordinal"}

func (r *scoreRow) score(scores map[string]*score, show string) {
	lang, kind := scoreLangs[r.Lang], scoreKinds[r.Model]
	if r.Src == "quantulum3" {
		lang, kind = "en", "quantulum3"
	}
	if lang == "" || kind == "" {
		return
	}
	tally := func(surface string) *score {
		key := lang + " " + kind
		if kind == "number" && !strings.ContainsFunc(surface, unicode.IsDigit) {
			key += " words"
		}
		if scores[key] == nil {
			scores[key] = &score{}
		}
		return scores[key]
	}
	vals := Find(r.Text, lang)
	used := make([]bool, len(vals))
	lower := strings.ToLower(r.Text)
	from := 0
	for _, g := range r.Gold {
		surface, value, unitName := g.Text, math.NaN(), g.Unit
		if r.Src == "quantulum3" {
			surface = g.Surface
			if g.Value != nil {
				value = *g.Value
			}
		} else {
			if g.Resolution.Value == nil {
				continue
			}
			text := strings.TrimSuffix(*g.Resolution.Value, "%")
			if lang != "en" { // labels write as their language does
				text = strings.Replace(text, ",", ".", 1)
			}
			f, err := strconv.ParseFloat(text, 64)
			if err != nil {
				continue
			}
			value = f
			if g.Resolution.Unit != nil {
				unitName = *g.Resolution.Unit
			}
		}
		if math.IsNaN(value) {
			continue
		}
		s := tally(surface)
		s.gold++
		at := strings.Index(lower[from:], strings.ToLower(surface))
		if at < 0 {
			at, from = strings.Index(lower, strings.ToLower(surface)), 0
		}
		hit := false
		var r0 text.Range
		if at >= 0 {
			r0 = text.Range{Start: from + at, End: from + at + len(surface)}
			from = r0.End
		} else if f := text.Fold(r.Text); strings.Contains(f.Text, surface) {
			// labels are in half width
			k := strings.Index(f.Text, surface)
			r0 = f.Original(k, k+len(surface))
			from = 0
		}
		if r0.End > 0 {
			start, end := r0.Start, r0.End
			for k, v := range vals {
				if !used[k] && v.Start < end && v.End > start &&
					scoreMatches(kind, lang, v, value, unitName) {
					used[k], hit = true, true
					break
				}
			}
		}
		if hit {
			s.hit++
		} else if show == lang+"/"+kind {
			fmt.Printf("MISS %q = %v %s in %q: %s\n", surface, value, unitName, r.Text, showValues(vals))
		}
	}
	for k, v := range vals {
		if used[k] {
			continue
		}
		if scoreClaims(kind, v) {
			tally(v.Text).extra++
			if show == lang+"/"+kind {
				fmt.Printf("EXTRA %q = %s in %q\n", v.Text, v.Norm, r.Text)
			}
		}
	}
}

// scoreClaims reports whether a value is of the kind that is scored, so that it
// counts against precision where there is no label.
func scoreClaims(kind string, v Value) bool {
	switch kind {
	case "number":
		return v.Type == "number" && v.Unit == ""
	case "percent":
		return v.Unit == "%"
	case "currency":
		return v.Type == "money"
	case "dimension":
		return v.Type == "quantity" && v.Unit != "%" && v.Unit != "°C"
	case "temperature":
		return v.Unit == "°C"
	case "age":
		return v.Type == "duration"
	case "ordinal":
		return v.Unit == "ordinal"
	}
	return v.Number != nil || v.Type == "date"
}

func scoreMatches(kind, lang string, v Value, value float64, unitName string) bool {
	near := func(a, b float64) bool {
		return math.Abs(a-b) <= 1e-3*math.Max(math.Abs(a), math.Abs(b))+1e-12
	}
	switch kind {
	case "number":
		if v.Number != nil && v.Type == "number" && near(*v.Number, value) {
			return true
		}
		// The number of a quantity, an amount or a year.
		n := newValuer(v.Text, lang)
		n.lex = lex(nil, v.Text, 0, len(v.Text))
		n.free, n.carryAt = -1, -1
		for i := range n.lex {
			if x := n.number(i); x.to > 0 && near(x.value, value) {
				return true
			}
		}
		return false
	case "ordinal":
		return v.Unit == "ordinal" && near(*v.Number, value)
	case "percent":
		return v.Unit == "%" && near(*v.Number, value)
	case "currency":
		if v.Type != "money" {
			return false
		}
		x := *v.Number
		return near(x, value) || near(x*100, value) // the set counts cents as such
	}
	if v.Number == nil {
		if v.Type == "date" && (unitName == "dimensionless" || kind == "quantulum3") {
			f, err := strconv.ParseFloat(v.Norm, 64)
			return err == nil && f == value
		}
		return false
	}
	if v.Type == "money" || v.Type == "number" {
		return near(*v.Number, value) && (kind == "quantulum3" || v.Type != "number")
	}
	name := strings.ToLower(unitName)
	if m := map[string]string{"c": "celsius", "f": "fahrenheit", "k": "kelvin", "degree": "degree", "count per week": "%"}[name]; m != "" {
		name = m
	}
	name = strings.Replace(name, "pound-mass", "pound", 1)
	k, _ := unitKey(name)
	u, ok := unitsUS().names[k]
	if !ok && lang != "en" {
		// Labels name units in their language: compare the stated number.
		return scoreMatches("number", lang, v, value, "")
	}
	if !ok {
		return false
	}
	x, _ := u.toBase(value)
	got := *v.Number
	if v.Unit == "mo" && u.base == "s" || v.Unit == "s" && u.base == "mo" {
		return false
	}
	return near(got, x)
}

func readLines(t *testing.T, path string, each func([]byte)) {
	f, err := os.Open(path)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	sc := bufio.NewScanner(z)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		each(sc.Bytes())
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
}
