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
	Gold                   []scoreLabel
}

// scoreLabel is what a labelled text says of one of its values.
type scoreLabel struct {
	Text, Surface string
	Start         int
	Resolution    struct{ Value, Unit, IsoCurrency, RelativeTo *string }
	Value         *float64
	Unit          string
}

var scoreLangs = map[string]string{"English": "en", "Spanish": "es", "SpanishMexican": "es-MX",
	"French": "fr", "German": "de", "Italian": "it", "Portuguese": "pt", "Dutch": "nl",
	"Swedish": "sv", "Turkish": "tr", "Chinese": "zh", "Japanese": "ja", "Korean": "ko",
	"Arabic": "ar", "Hindi": "hi"}

var scoreKinds = map[string]string{"NumberModel": "number", "PercentModel": "percent",
	"CurrencyModel": "currency", "DimensionModel": "dimension", "TemperatureModel": "temperature",
	"AgeModel": "age", "OrdinalModel": "ordinal", "OrdinalModelSuppressExtendedTypes": "ordinal"}

// scoring is the scoring of one text.
type scoring struct {
	kind, lang, text string
	scores           map[string]*score
	vals             []Value
	used             []bool // values that a label has
	from             int    // where to look for the next label
	show             bool   // print what is missed
}

func (r *scoreRow) score(scores map[string]*score, show string) {
	lang, kind := scoreLangs[r.Lang], scoreKinds[r.Model]
	if r.Src == "quantulum3" {
		lang, kind = "en", "quantulum3"
	}
	if lang == "" || kind == "" {
		return
	}
	vals := Find(r.Text, lang)
	s := &scoring{kind: kind, lang: lang, text: r.Text, scores: scores, vals: vals,
		used: make([]bool, len(vals)), show: show == lang+"/"+kind}
	for _, g := range r.Gold {
		s.label(g)
	}
	for k, v := range vals {
		if s.used[k] || !scoreClaims(kind, v) {
			continue
		}
		s.tally(v.Text).extra++
		if s.show {
			fmt.Printf("EXTRA %q = %s in %q\n", v.Text, v.Norm, r.Text)
		}
	}
}

// tally returns the score that a part of the text counts for.
func (s *scoring) tally(surface string) *score {
	key := s.lang + " " + s.kind
	if s.kind == "number" && !strings.ContainsFunc(surface, unicode.IsDigit) {
		key += " words"
	}
	if s.scores[key] == nil {
		s.scores[key] = &score{}
	}
	return s.scores[key]
}

// label scores one label, unless it states no number.
func (s *scoring) label(g scoreLabel) {
	surface, value, unitName := g.stated(s.kind, s.lang)
	if math.IsNaN(value) {
		return
	}
	score := s.tally(surface)
	score.gold++
	r := s.find(surface)
	for k, v := range s.vals {
		if !s.used[k] && v.Start < r.End && v.End > r.Start &&
			scoreMatches(s.kind, s.lang, v, value, unitName) {
			s.used[k] = true
			score.hit++
			return
		}
	}
	if s.show {
		fmt.Printf("MISS %q = %v %s in %q: %s\n", surface, value, unitName, s.text,
			showValues(s.vals))
	}
}

// stated returns the words of a label, its number (NaN for none) and the name of its unit.
func (g *scoreLabel) stated(kind, lang string) (surface string, value float64, unitName string) {
	value = math.NaN()
	if kind == "quantulum3" {
		if g.Value != nil {
			value = *g.Value
		}
		return g.Surface, value, g.Unit
	}
	if g.Resolution.Value == nil {
		return g.Text, value, g.Unit
	}
	number := strings.TrimSuffix(*g.Resolution.Value, "%")
	if lang != "en" { // labels write as their language does
		number = strings.Replace(number, ",", ".", 1)
	}
	if f, err := strconv.ParseFloat(number, 64); err == nil {
		value = f
	}
	unitName = g.Unit
	if g.Resolution.Unit != nil {
		unitName = *g.Resolution.Unit
	}
	return g.Text, value, unitName
}

// find returns where the words of a label stand, behind those of the label before if they do.
func (s *scoring) find(surface string) (r text.Range) {
	lower, low := strings.ToLower(s.text), strings.ToLower(surface)
	at := strings.Index(lower[s.from:], low)
	if at < 0 {
		at, s.from = strings.Index(lower, low), 0
	}
	if at >= 0 {
		r = text.Range{Start: s.from + at, End: s.from + at + len(surface)}
		s.from = r.End
	} else if f := text.Fold(s.text); strings.Contains(f.Text, surface) {
		// labels are in half width
		k := strings.Index(f.Text, surface)
		r = f.Original(k, k+len(surface))
		s.from = 0
	}
	return r
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

// near reports whether two numbers differ by a thousandth at the most.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-3*math.Max(math.Abs(a), math.Abs(b))+1e-12
}

// scoreMatches reports whether v has the value of a label.
func scoreMatches(kind, lang string, v Value, value float64, unitName string) bool {
	switch kind {
	case "number":
		return v.Number != nil && v.Type == "number" && near(*v.Number, value) ||
			statesNumber(v.Text, lang, value)
	case "ordinal":
		return v.Unit == "ordinal" && near(*v.Number, value)
	case "percent":
		return v.Unit == "%" && near(*v.Number, value)
	case "currency": // the set counts cents as such
		return v.Type == "money" && (near(*v.Number, value) || near(*v.Number*100, value))
	}
	return measureMatches(kind, lang, v, value, unitName)
}

// measureMatches is scoreMatches for what is measured: a quantity in the named unit, an
// amount, or a year.
func measureMatches(kind, lang string, v Value, value float64, unitName string) bool {
	switch {
	case v.Number == nil:
		f, err := strconv.ParseFloat(v.Norm, 64)
		return v.Type == "date" && (unitName == "dimensionless" || kind == "quantulum3") &&
			err == nil && f == value
	case v.Type == "money" || v.Type == "number":
		return near(*v.Number, value) && (kind == "quantulum3" || v.Type != "number")
	}
	return quantityMatches(lang, v, value, unitName)
}

// statesNumber reports whether s states a number, be it that of a quantity or a year.
func statesNumber(s, lang string, value float64) bool {
	v := newValuer(s, lang)
	v.lex = lex(nil, s, 0, len(s))
	v.free, v.carryAt = -1, -1
	for i := range v.lex {
		if x := v.number(i); x.to > 0 && near(x.value, value) {
			return true
		}
	}
	return false
}

// scoreUnits are names of units that the labels write in another way.
var scoreUnits = map[string]string{"c": "celsius", "f": "fahrenheit", "k": "kelvin",
	"count per week": "%"}

// quantityMatches reports whether a quantity is value in the named unit.
func quantityMatches(lang string, v Value, value float64, unitName string) bool {
	name := strings.ToLower(unitName)
	if other := scoreUnits[name]; other != "" {
		name = other
	}
	key, _ := unitKey(strings.Replace(name, "pound-mass", "pound", 1))
	u, ok := unitsUS().names[key]
	switch {
	case !ok && lang != "en":
		// Labels name units in their language: compare the stated number.
		return scoreMatches("number", lang, v, value, "")
	case !ok, v.Unit == "mo" && u.base == "s", v.Unit == "s" && u.base == "mo":
		return false
	}
	x, _ := u.toBase(value)
	return near(*v.Number, x)
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
