package pdf

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"strconv"

	"wstk/shared/stage/read/deadline"
	"wstk/shared/wstk"
)

// What one file may cost, whatever it says. The bounds count, they do not measure
// time: the same file gives the same text on every machine.
const (
	maxStream  = 16 << 20  // bytes of one decoded stream
	maxDecoded = 256 << 20 // bytes of all decoded streams
	maxObjects = 1 << 20
	maxPages   = 20_000
	maxLists   = 1024     // of objects: one for each time the file was saved
	maxOps     = 50 << 20 // operators and operands of all pages
	maxGlyphs  = 8 << 20  // of all pages
	maxSteps   = 4 << 20  // entries of the tables of all fonts, and looks into them

	// A file that is small may not cost as much as one that is large: this many bytes
	// and operators for each byte of the file, over what any file may cost.
	decodedEach, decodedFree = 12, 8 << 20
	opsEach, opsFree         = 4, 2 << 20
)

// step counts n steps over a table and reports whether the file may take them. It looks
// now and then whether there is time left.
func (f *File) step(n int) bool {
	if f.steps>>12 != (f.steps+n)>>12 {
		f.stop.Check()
	}
	f.steps += n
	if f.steps > maxSteps {
		f.spent = true
	}
	return !f.spent
}

// File is an open PDF.
type File struct {
	stop    *deadline.Stop
	src     []byte
	xref    map[int]entry
	trailer dict
	cache   map[int]any
	packs   map[int]*pack
	busy    map[int]bool // objects being read, to break circles
	crypt   *crypt
	budget  int // bytes that may still be decoded
	ops     int
	maxOps  int
	steps   int
	looks   int
	spent   bool // a table holds more than is read
	packed  int  // objects in the object streams that were opened
	unpack  io.ReadCloser
	glyphs  int
	fonts   map[ref]*font
	off     map[ref]bool // layers that are not shown
	ground  ground
}

// entry says where an object stands: at an offset, or in an object stream.
type entry struct {
	offset int
	in     int // number of the object stream, 0 for none
	index  int
}

// pack is a decoded object stream.
type pack struct {
	data    []byte
	numbers []int
	offsets []int
}

// open finds the objects of a PDF: by its cross-reference table, and where that is
// broken by looking for them.
func open(stop *deadline.Stop, body []byte) (*File, error) {
	f := &File{stop: stop, src: body, budget: min(maxDecoded, decodedFree+decodedEach*len(body)),
		maxOps: min(maxOps, opsFree+opsEach*len(body))}
	f.reset()
	if i := bytes.Index(body[:min(len(body), 1024)], []byte("%PDF-")); i > 0 {
		f.src = body[i:] // offsets count from the header
	}
	f.readXref()
	if !f.sound() {
		f.reset()
		f.rebuild()
	}
	if e := f.dict(f.trailer["Encrypt"]); e != nil {
		if err := f.decrypt(e); err != nil {
			return nil, err
		}
		f.cache, f.packs = map[int]any{}, map[int]*pack{}
		if !f.sound() {
			f.rebuild()
		}
	}
	if len(f.xref) == 0 || !f.sound() {
		return nil, wstk.Errorf(wstk.UnsupportedMediaType, "reading page",
			"the PDF is damaged: no list of its pages can be found")
	}
	f.hiddenLayers()
	return f, nil
}

func (f *File) reset() {
	f.xref, f.trailer = map[int]entry{}, dict{}
	f.cache, f.packs, f.busy, f.fonts = map[int]any{}, map[int]*pack{},
		map[int]bool{}, map[ref]*font{}
}

// sound reports whether the pages can be found. What is encrypted and was not
// decrypted yet may stand in object streams that cannot be read.
func (f *File) sound() bool {
	if f.crypt == nil && f.trailer["Encrypt"] != nil && f.dict(f.trailer["Encrypt"]) != nil {
		return true
	}
	pages := f.dict(f.dict(f.trailer["Root"])["Pages"])
	if pages == nil {
		return false
	}
	kids := f.list(pages["Kids"])
	return len(kids) > 0 && f.dict(kids[0]) != nil
}

func (f *File) spend(n int) { f.budget = max(0, f.budget-n) }

// readXref follows the cross-reference sections from the newest to the oldest.
func (f *File) readXref() {
	tail := f.src[max(0, len(f.src)-2048):]
	i := bytes.LastIndex(tail, []byte("startxref"))
	if i < 0 {
		return
	}
	s := &scanner{src: tail, pos: i + len("startxref")}
	v, _ := s.next(false)
	at, _ := v.(float64)
	seen := map[int]bool{}
	todo := []int{int(at)}
	for len(todo) > 0 && len(seen) < maxLists {
		at := todo[0]
		todo = todo[1:]
		if at <= 0 || at >= len(f.src) || seen[at] {
			continue
		}
		seen[at] = true
		s := &scanner{src: f.src, pos: at}
		s.skipSpace()
		var t dict
		if bytes.HasPrefix(f.src[s.pos:], []byte("xref")) {
			s.pos += 4
			t = f.xrefTable(s)
		} else {
			t = f.xrefStream(s.pos)
		}
		for k, v := range t {
			if _, ok := f.trailer[k]; !ok {
				f.trailer[k] = v
			}
		}
		for _, k := range []string{"XRefStm", "Prev"} {
			if v, ok := t[k].(float64); ok {
				todo = append(todo, int(v))
			}
		}
	}
}

func (f *File) xrefTable(s *scanner) dict {
	for {
		v, ok := s.next(false)
		if !ok {
			return nil
		}
		if v == op("trailer") {
			t, _ := s.next(true)
			d, _ := t.(dict)
			return d
		}
		first, ok := v.(float64)
		if !ok {
			return nil
		}
		n, _ := s.next(false)
		count, ok := n.(float64)
		if !ok {
			return nil
		}
		for i := range int(min(count, maxObjects)) {
			offset, ok := s.next(false)
			if _, isNumber := offset.(float64); !ok || !isNumber {
				return nil
			}
			_, _ = s.next(false)
			kind, ok := s.next(false)
			if !ok {
				return nil
			}
			if kind == op("n") {
				f.note(int(first)+i, entry{offset: int(offset.(float64))})
			}
		}
	}
}

// note keeps the first entry of an object: newer sections come first.
func (f *File) note(num int, e entry) {
	if _, ok := f.xref[num]; !ok && num > 0 && len(f.xref) < maxObjects {
		f.xref[num] = e
	}
}

func (f *File) xrefStream(at int) dict {
	_, v := f.objectAt(at, 0)
	st, ok := v.(*stream)
	if !ok {
		return nil
	}
	data := f.decode(st)
	var w [3]int
	for i, v := range f.list(st.dict["W"]) {
		if n, ok := v.(float64); ok && i < 3 && n >= 0 && n <= 8 {
			w[i] = int(n)
		}
	}
	size := w[0] + w[1] + w[2]
	if size == 0 {
		return nil
	}
	index := f.list(st.dict["Index"])
	if len(index) == 0 {
		index = array{0.0, float64(f.int(st.dict["Size"], 0))}
	}
	field := func(n, def int) int {
		if n == 0 {
			return def
		}
		v := 0
		for _, c := range data[:n] {
			v = v<<8 | int(c)
		}
		data = data[n:]
		return v
	}
	for k := 0; k+1 < len(index); k += 2 {
		first, _ := index[k].(float64)
		count, _ := index[k+1].(float64)
		for i := 0; i < int(count) && len(data) >= size; i++ {
			kind, a, b := field(w[0], 1), field(w[1], 0), field(w[2], 0)
			switch kind {
			case 1:
				f.note(int(first)+i, entry{offset: a})
			case 2:
				f.note(int(first)+i, entry{in: a, index: b})
			}
		}
	}
	return st.dict
}

// rebuild looks through the whole file for "12 0 obj"; of two objects of one number
// the later one counts.
func (f *File) rebuild() {
	old := f.trailer
	f.reset()
	var streams []int
	lists := 0
	for at := 0; ; {
		f.look()
		i := bytes.Index(f.src[at:], []byte("obj"))
		if i < 0 {
			break
		}
		i += at
		at = i + 3
		if i >= 3 && bytes.HasPrefix(f.src[i-3:], []byte("endobj")) {
			continue
		}
		k := i
		back := func(ok func(byte) bool) int {
			start := k
			for k > 0 && start-k < 12 && ok(f.src[k-1]) {
				k--
			}
			return start - k
		}
		isDigit := func(c byte) bool { return c >= '0' && c <= '9' }
		back(isSpace)
		if back(isDigit) == 0 || back(isSpace) == 0 {
			continue
		}
		end := k
		if back(isDigit) == 0 {
			continue
		}
		num, err := strconv.Atoi(string(f.src[k:end]))
		if err != nil || len(f.xref) >= maxObjects {
			continue
		}
		f.xref[num] = entry{offset: k}
		head := f.src[i:min(len(f.src), i+300)]
		if bytes.Contains(head, []byte("/ObjStm")) {
			streams = append(streams, num)
		}
		if lists <= maxLists && bytes.Contains(head, []byte("/XRef")) {
			lists++
			if _, v := f.objectAt(k, 0); v != nil {
				if st, ok := v.(*stream); ok {
					f.adopt(st.dict)
				}
			}
		}
	}
	for at, found := 0, 0; found < maxLists; found++ {
		f.look()
		i := bytes.Index(f.src[at:], []byte("trailer"))
		if i < 0 {
			break
		}
		at += i + len("trailer")
		if v, ok := (&scanner{src: f.src, pos: at}).next(true); ok {
			if d, ok := v.(dict); ok {
				f.adopt(d)
			}
		}
	}
	for k, v := range old {
		if _, ok := f.trailer[k]; !ok {
			f.trailer[k] = v
		}
	}
	for _, n := range streams {
		if p := f.pack(n); p != nil {
			for i, num := range p.numbers {
				if _, ok := f.xref[num]; !ok && len(f.xref) < maxObjects {
					f.xref[num] = entry{in: n, index: i}
				}
			}
		}
	}
	if f.dict(f.trailer["Root"]) == nil {
		// The newest catalog: not the map's order, and none at all where they are too many.
		for _, num := range slices.Backward(slices.Sorted(maps.Keys(f.xref))) {
			if !f.step(64) {
				return
			}
			if d := f.dict(ref{num: num}); d != nil && d["Type"] == name("Catalog") {
				f.trailer["Root"] = ref{num: num}
				return
			}
		}
	}
}

// look ends the reading when there is no time left.
func (f *File) look() {
	if f.looks++; f.looks&255 == 0 {
		f.stop.Check()
	}
}

// adopt takes over what a later trailer says.
func (f *File) adopt(d dict) {
	for _, k := range []string{"Root", "Info", "Encrypt", "ID"} {
		if v, ok := d[k]; ok {
			f.trailer[k] = v
		}
	}
}

// objectAt reads the object that stands at an offset and returns its number; want
// is the number it should have, 0 for any.
func (f *File) objectAt(at, want int) (int, any) {
	if at < 0 || at >= len(f.src) {
		return 0, nil
	}
	s := &scanner{src: f.src, pos: at}
	n, _ := s.next(false)
	num, ok := n.(float64)
	g, _ := s.next(false)
	gen, ok2 := g.(float64)
	kw, _ := s.next(false)
	if !ok || !ok2 || kw != op("obj") || want > 0 && int(num) != want {
		return 0, nil
	}
	id := ref{int(num), int(gen)}
	v, ok := s.next(true)
	if !ok {
		return 0, nil
	}
	d, isDict := v.(dict)
	if !isDict {
		return id.num, v
	}
	s.skipSpace()
	if !bytes.HasPrefix(f.src[s.pos:], []byte("stream")) {
		return id.num, v
	}
	s.pos += len("stream")
	if s.pos < len(f.src) && f.src[s.pos] == '\r' {
		s.pos++
	}
	if s.pos < len(f.src) && f.src[s.pos] == '\n' {
		s.pos++
	}
	return id.num, &stream{dict: d, raw: f.streamBytes(d, s.pos), id: id}
}

// streamBytes trusts the length of a stream where the end stands behind it.
func (f *File) streamBytes(d dict, at int) []byte {
	if n := f.int(d["Length"], -1); n >= 0 && n <= len(f.src)-at {
		rest := bytes.TrimLeft(f.src[at+n:min(len(f.src), at+n+20)], "\r\n \t\x00")
		if bytes.HasPrefix(rest, []byte("endstream")) || bytes.HasPrefix(rest, []byte("endobj")) {
			return f.src[at : at+n]
		}
	}
	rest := f.src[at:]
	if f.spent {
		return nil
	}
	end := bytes.Index(rest, []byte("endstream"))
	f.step(max(end, 0) >> 10)
	if end < 0 {
		f.step(len(rest) >> 10)
		return rest
	}
	rest = rest[:end]
	rest = bytes.TrimSuffix(rest, []byte("\n"))
	return bytes.TrimSuffix(rest, []byte("\r"))
}

// value follows references to what they lead to; nil where that is nothing.
func (f *File) value(v any) any {
	for range 16 {
		r, ok := v.(ref)
		if !ok {
			return v
		}
		v = f.load(r.num)
	}
	return nil
}

func (f *File) load(num int) any {
	if v, ok := f.cache[num]; ok {
		return v
	}
	e, ok := f.xref[num]
	if !ok || f.busy[num] {
		return nil
	}
	f.look()
	f.busy[num] = true
	defer delete(f.busy, num)
	var v any
	if e.in > 0 {
		if p := f.pack(e.in); p != nil {
			i := e.index
			if i < 0 || i >= len(p.numbers) || p.numbers[i] != num {
				for i = 0; i < len(p.numbers) && p.numbers[i] != num; i++ {
				}
			}
			if i < len(p.numbers) && p.offsets[i] < len(p.data) {
				v, _ = (&scanner{src: p.data, pos: p.offsets[i]}).next(true)
			}
		}
	} else {
		got := 0
		got, v = f.objectAt(e.offset, num)
		if f.crypt != nil && got == num {
			v = f.crypt.strings(f, num, v, 0)
		}
	}
	f.cache[num] = v
	return v
}

func (f *File) pack(num int) *pack {
	if p, ok := f.packs[num]; ok {
		return p
	}
	f.packs[num] = nil
	if e, ok := f.xref[num]; !ok || e.in > 0 {
		return nil
	}
	st, ok := f.load(num).(*stream)
	if !ok {
		return nil
	}
	p := &pack{data: f.decode(st)}
	n, first := f.int(st.dict["N"], 0), f.int(st.dict["First"], 0)
	s := &scanner{src: p.data}
	for range min(n, len(p.data)/2, maxObjects-f.packed) {
		f.packed++
		f.look()
		a, _ := s.next(false)
		b, _ := s.next(false)
		num, ok := a.(float64)
		off, ok2 := b.(float64)
		if !ok || !ok2 || off < 0 || off > maxStream || first < 0 {
			break
		}
		p.numbers, p.offsets = append(p.numbers, int(num)), append(p.offsets, first+int(off))
	}
	f.packs[num] = p
	return p
}

func (f *File) dict(v any) dict {
	switch d := f.value(v).(type) {
	case dict:
		return d
	case *stream:
		return d.dict
	}
	return nil
}

// list returns an array; a single object is an array of one.
func (f *File) list(v any) array {
	switch a := f.value(v).(type) {
	case nil:
		return nil
	case array:
		return a
	default:
		return array{a}
	}
}

func (f *File) int(v any, def int) int {
	if n, ok := f.value(v).(float64); ok && n > -1e9 && n < 1e9 {
		return int(n)
	}
	return def
}

func (f *File) number(v any, def float64) float64 {
	if n, ok := f.value(v).(float64); ok {
		return n
	}
	return def
}

// pageDict is a page with what it inherits.
type pageDict struct {
	dict
	id ref
}

var inherited = []string{"Resources", "MediaBox", "CropBox", "Rotate"}

// pages returns the pages in order, and whether there are more than the bound.
func (f *File) pages() (out []pageDict, cut bool) {
	type todo struct {
		v    any
		from dict
	}
	seen := map[ref]bool{}
	stack := []todo{{f.dict(f.trailer["Root"])["Pages"], nil}}
	for len(stack) > 0 {
		f.look()
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		id, isRef := t.v.(ref)
		if isRef {
			if seen[id] {
				continue
			}
			seen[id] = true
		}
		d := f.dict(t.v)
		if d == nil {
			continue
		}
		own := make(dict, len(d)+4)
		for _, k := range inherited {
			if v, ok := t.from[k]; ok {
				own[k] = v
			}
		}
		kids, isNode := f.value(d["Kids"]).(array)
		if isNode && d["Type"] != name("Page") {
			for _, k := range inherited {
				if v, ok := d[k]; ok {
					own[k] = v
				}
			}
			for i := len(kids) - 1; i >= 0; i-- {
				if _, ok := kids[i].(ref); ok || len(stack) < maxNesting {
					stack = append(stack, todo{kids[i], own})
				}
			}
			if len(stack) > 4*maxPages {
				return out, true
			}
			continue
		}
		for k, v := range d {
			own[k] = v
		}
		if len(out) == maxPages {
			return out, true
		}
		out = append(out, pageDict{own, id})
	}
	return out, false
}

// hiddenLayers notes the optional content that is off when the file is opened.
func (f *File) hiddenLayers() {
	f.off = map[ref]bool{}
	props := f.dict(f.dict(f.trailer["Root"])["OCProperties"])
	d := f.dict(props["D"])
	if f.value(d["BaseState"]) == name("OFF") {
		for _, v := range f.list(props["OCGs"]) {
			if r, ok := v.(ref); ok {
				f.off[r] = true
			}
		}
	}
	for _, v := range f.list(d["OFF"]) {
		if r, ok := v.(ref); ok {
			f.off[r] = true
		}
	}
	for _, v := range f.list(d["ON"]) {
		if r, ok := v.(ref); ok {
			delete(f.off, r)
		}
	}
	for _, v := range f.list(d["AS"]) { // states that a viewer sets by itself
		if f.value(f.dict(v)["Event"]) == name("View") {
			f.unviewed(f.list(f.dict(v)["OCGs"]))
		}
	}
}

// unviewed notes the layers that say that they are not for the screen.
func (f *File) unviewed(layers array) {
	for _, v := range layers {
		usage := f.dict(f.dict(f.dict(v)["Usage"])["View"])
		if r, ok := v.(ref); ok && f.value(usage["ViewState"]) == name("OFF") {
			f.off[r] = true
		}
	}
}
