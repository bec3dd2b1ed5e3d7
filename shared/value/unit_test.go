package value

import (
	"strings"
	"testing"
)

// TestUnitsStandOnce: units.txt gives each spelling one meaning, Britain's apart, and each
// quantity has a base unit that is one of itself.
func TestUnitsStandOnce(t *testing.T) {
	seen, bases := map[string]string{}, map[string]bool{}
	for _, columns := range columnsOf(unitsFile) {
		line := strings.Join(columns, " | ")
		if len(columns) != 4 {
			t.Fatalf("%d columns, want 4: %s", len(columns), line)
		}
		if strings.HasPrefix(line, "GB ") {
			continue
		}
		bases[columns[0]] = bases[columns[0]] || columns[1] == "1"
		for k, list := range columns[2:] {
			for _, spelling := range listed(list) {
				key, _ := unitKey(spelling)
				key = []string{"symbol ", "name "}[k] + key
				if old := seen[key]; old != "" {
					t.Errorf("%s stands twice:\n%s\n%s", key, old, line)
				}
				seen[key] = line
			}
		}
	}
	for base, ok := range bases {
		if !ok {
			t.Errorf("no row says what 1 %s is", base)
		}
	}
}

// TestUnitsInAnyLetters: a symbol in other letters than its own means one unit each time.
func TestUnitsInAnyLetters(t *testing.T) {
	for in, want := range map[string]string{"17gb": "17000000000 B", "5 KG": "5 kg", "30 MPH": "13.4112 m/s", "3 Km": "3000 m", "8 mb": "8000000 B"} {
		for range 20 {
			v := &valuer{s: in, units: buildUnits(false)}
			v.lex = lex(nil, in, 0, len(in))
			u, to := v.unit(1)
			if x, _ := u.toBase(float64(v.smallNumber(0))); to == 0 ||
				formatNumber(roundTo(x, 6))+" "+u.base != want {
				t.Fatalf("%s: %v %s, want %s", in, x, u.base, want)
			}
		}
	}
}
