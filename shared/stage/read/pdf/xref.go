package pdf

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
)

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

// xrefStream reads a cross-reference section that is a stream: entries of three fields,
// each of so many bytes.
func (f *File) xrefStream(at int) dict {
	_, v := f.objectAt(at, 0)
	st, ok := v.(*stream)
	if !ok {
		return nil
	}
	data := f.decode(st)
	widths := f.fieldWidths(st.dict["W"])
	size := widths[0] + widths[1] + widths[2]
	if size == 0 {
		return nil
	}
	index := f.list(st.dict["Index"])
	if len(index) == 0 {
		index = array{0.0, float64(f.int(st.dict["Size"], 0))}
	}
	for k := 0; k+1 < len(index); k += 2 {
		first, _ := index[k].(float64)
		count, _ := index[k+1].(float64)
		for i := 0; i < int(count) && len(data) >= size; i++ {
			kind, a, b := fields(data[:size], widths)
			data = data[size:]
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

// fieldWidths reads how many bytes each field of an entry has; 0 if that is invalid.
func (f *File) fieldWidths(v any) (widths [3]int) {
	for i, v := range f.list(v) {
		if n, ok := v.(float64); ok && i < 3 && n >= 0 && n <= 8 {
			widths[i] = int(n)
		}
	}
	return widths
}

// fields reads an entry. An entry without a kind is that of an object at an offset.
func fields(data []byte, widths [3]int) (kind, a, b int) {
	out := [3]int{1, 0, 0}
	for i, n := range widths {
		if n == 0 {
			continue
		}
		out[i] = 0
		for _, c := range data[:n] {
			out[i] = out[i]<<8 | int(c)
		}
		data = data[n:]
	}
	return out[0], out[1], out[2]
}

// rebuild looks through the whole file for its objects and for what leads to its pages, if
// the lists of them are broken.
func (f *File) rebuild() {
	old := f.trailer
	f.reset()
	packs := f.findObjects()
	f.findTrailers()
	for k, v := range old {
		if _, ok := f.trailer[k]; !ok {
			f.trailer[k] = v
		}
	}
	for _, n := range packs {
		f.notePacked(n)
	}
	if f.dict(f.trailer["Root"]) == nil {
		f.findCatalog()
	}
}

// findObjects looks for "12 0 obj"; of two objects of one number the later one counts. It
// returns the numbers of the object streams, and adopts what cross-reference streams say.
func (f *File) findObjects() (packs []int) {
	lists := 0
	for at := 0; ; {
		f.look()
		i := bytes.Index(f.src[at:], []byte("obj"))
		if i < 0 {
			return packs
		}
		i += at
		at = i + len("obj")
		num, start, ok := f.objectHead(i)
		if !ok || len(f.xref) >= maxObjects {
			continue
		}
		f.xref[num] = entry{offset: start}
		head := f.src[i:min(len(f.src), i+300)]
		if bytes.Contains(head, []byte("/ObjStm")) {
			packs = append(packs, num)
		}
		if lists <= maxLists && bytes.Contains(head, []byte("/XRef")) {
			lists++
			if _, v := f.objectAt(start, 0); v != nil {
				if st, ok := v.(*stream); ok {
					f.adopt(st.dict)
				}
			}
		}
	}
}

// objectHead reads the "12 0 " before the word obj at i: the number of the object, and
// where it begins.
func (f *File) objectHead(i int) (num, start int, ok bool) {
	if bytes.HasSuffix(f.src[:i], []byte("end")) {
		return 0, 0, false
	}
	rest, _ := cutBack(f.src[:i], isSpace)
	rest, generation := cutBack(rest, isDigit)
	rest, gap := cutBack(rest, isSpace)
	rest, digits := cutBack(rest, isDigit)
	if len(generation) == 0 || len(gap) == 0 {
		return 0, 0, false
	}
	num, err := strconv.Atoi(string(digits))
	return num, len(rest), err == nil
}

// cutBack takes up to 12 bytes of a kind off the end.
func cutBack(src []byte, kind func(byte) bool) (rest, cut []byte) {
	n := len(src)
	for n > 0 && len(src)-n < 12 && kind(src[n-1]) {
		n--
	}
	return src[:n], src[n:]
}

// findTrailers adopts what the trailers say, the last one last.
func (f *File) findTrailers() {
	at := 0
	for range maxLists {
		f.look()
		i := bytes.Index(f.src[at:], []byte("trailer"))
		if i < 0 {
			return
		}
		at += i + len("trailer")
		if v, ok := (&scanner{src: f.src, pos: at}).next(true); ok {
			if d, ok := v.(dict); ok {
				f.adopt(d)
			}
		}
	}
}

// notePacked notes the objects of an object stream that are not found elsewhere.
func (f *File) notePacked(stream int) {
	p := f.pack(stream)
	if p == nil {
		return
	}
	for i, num := range p.numbers {
		if _, ok := f.xref[num]; !ok && len(f.xref) < maxObjects {
			f.xref[num] = entry{in: stream, index: i}
		}
	}
}

// findCatalog takes the catalog with the highest number, or none if that takes too long.
func (f *File) findCatalog() {
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

// look ends the reading if there is no time left; it checks every 256th time.
func (f *File) look() {
	if f.looks++; f.looks&255 == 0 {
		f.stop.Check()
	}
}

// adopt lets a later trailer replace what earlier ones say.
func (f *File) adopt(d dict) {
	for _, k := range []string{"Root", "Info", "Encrypt", "ID"} {
		if v, ok := d[k]; ok {
			f.trailer[k] = v
		}
	}
}
