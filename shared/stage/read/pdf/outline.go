package pdf

import "strings"

const maxEntries = 10_000

// outline reads the outline, in order.
func (f *File) outline(d *Document, numbers map[ref]int) {
	type todo struct {
		v     any
		level int
	}
	to := destinations{File: f, pages: len(d.Pages), numbers: numbers}
	stack := []todo{{f.dict(f.dict(f.trailer["Root"])["Outlines"])["First"], 1}}
	seen := map[ref]bool{}
	for len(stack) > 0 && len(d.Outline) < maxEntries {
		f.look()
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		id, ok := t.v.(ref)
		if !ok || seen[id] {
			continue
		}
		seen[id] = true
		item := f.dict(t.v)
		if item == nil {
			continue
		}
		stack = append(stack, todo{item["Next"], t.level}, todo{item["First"], t.level + 1})
		s, _ := f.value(item["Title"]).(str)
		e := Entry{Title: strings.Join(strings.Fields(textString(s)), " "),
			Level: min(t.level, 100)}
		if e.Page, e.Y = to.find(item); e.Title != "" {
			d.Outline = append(d.Outline, e)
		}
	}
}

// destinations finds the places in the file that entries lead to.
type destinations struct {
	*File
	pages   int
	numbers map[ref]int
	names   map[string]any // nil until one is asked for
}

// find returns the page, from 1, and the height on it, that an entry of the outline leads
// to: 0 and -1 if they are not known.
func (to *destinations) find(item dict) (page int, y float64) {
	a, _ := to.resolve(item).(array)
	if len(a) == 0 {
		return 0, -1
	}
	switch v := a[0].(type) {
	case ref:
		page = to.numbers[v]
	case float64:
		page = int(v) + 1
	}
	if page < 0 || page > to.pages {
		page = 0
	}
	return page, to.height(a)
}

// resolve follows names to what they stand for.
func (to *destinations) resolve(item dict) any {
	dest := to.value(item["Dest"])
	if dest == nil {
		dest = to.value(to.dict(item["A"])["D"])
	}
	if key, ok := destName(dest); ok {
		if to.names == nil {
			to.names = to.destinationNames(to.dict(to.trailer["Root"]))
		}
		dest = to.value(to.names[key])
	}
	if d, ok := dest.(dict); ok {
		dest = to.value(d["D"])
	}
	return dest
}

// height is the height that a destination names, -1 if it names none.
func (to *destinations) height(a array) float64 {
	if len(a) < 2 {
		return -1
	}
	switch kind := to.value(a[1]); {
	case kind == name("XYZ") && len(a) > 3:
		return to.number(a[3], -1)
	case (kind == name("FitH") || kind == name("FitBH")) && len(a) > 2:
		return to.number(a[2], -1)
	}
	return -1
}

func destName(v any) (string, bool) {
	switch v := v.(type) {
	case str:
		return string(v), true
	case name:
		return string(v), true
	}
	return "", false
}

// destinationNames reads the names that places in the file have.
func (f *File) destinationNames(root dict) map[string]any {
	out := map[string]any{}
	for k, v := range f.dict(root["Dests"]) {
		out[k] = v
	}
	stack := []any{f.dict(root["Names"])["Dests"]}
	seen := map[ref]bool{}
	for len(stack) > 0 && len(out) < maxItems {
		f.look()
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if r, ok := v.(ref); ok {
			if seen[r] {
				continue
			}
			seen[r] = true
		} else if len(stack) > maxNesting {
			continue
		}
		d := f.dict(v)
		pairs := f.list(d["Names"])
		for i := 0; i+1 < len(pairs); i += 2 {
			if k, ok := f.value(pairs[i]).(str); ok {
				out[string(k)] = pairs[i+1]
			}
		}
		stack = append(stack, f.list(d["Kids"])...)
	}
	return out
}
