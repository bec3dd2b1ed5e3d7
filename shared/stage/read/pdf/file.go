package pdf

import (
	"bytes"
	"io"

	"wstk/shared/stage/read/deadline"
	"wstk/shared/wstk"
)

// The bounds of one file. They are counts and not times, so that the same file gives the
// same text on every machine.
const (
	maxStream  = 16 << 20  // bytes of one decoded stream
	maxDecoded = 256 << 20 // bytes of all decoded streams
	maxObjects = 1 << 20
	maxPages   = 20_000
	maxLists   = 1024     // of objects: one for each time the file was saved
	maxOps     = 50 << 20 // operators and operands of all pages
	maxGlyphs  = 8 << 20  // of all pages
	maxSteps   = 4 << 20  // entries of the tables of all fonts, and searches in them

	// A small file may cost less than a large one: so many decoded bytes and operators for
	// each byte of the file, and so many besides.
	decodedEach, decodedFree = 12, 8 << 20
	opsEach, opsFree         = 4, 2 << 20
)

// step counts n steps over a table and reports whether the file may take them. Now and then
// it checks whether there is time left.
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
	busy    map[int]bool // objects that are being read; one that contains itself is nil
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

// entry is the place of an object: an offset, or an object stream.
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

// open finds the objects of a PDF by its cross-reference table, or by a search if the table
// is broken.
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

// sound reports whether the pages can be found. Before decryption that is not known: their
// objects may be in object streams, which cannot be read yet.
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

// streamBytes returns the bytes of a stream. The length in its dictionary counts if the
// stream ends there.
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

// value follows references to the object they lead to; nil if there is none.
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
