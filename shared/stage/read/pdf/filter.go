package pdf

import (
	"bytes"
	"compress/flate"
	"io"
)

// filterCost is what undoing a filter costs besides the bytes it gives, in bytes.
const filterCost = 2 << 10

// decode undoes the filters of a stream. What a broken stream still gives is
// returned. Filters of images are not undone: there is no text in them.
func (f *File) decode(s *stream) []byte {
	data := s.raw
	if f.crypt != nil && s.id.num > 0 && f.value(s.dict["Type"]) != name("XRef") {
		data = f.crypt.stream(s.id, data)
	}
	filters := f.list(s.dict["Filter"])
	params := f.list(s.dict["DecodeParms"])
	if len(filters) > 8 {
		return nil
	}
	for i, v := range filters {
		n, _ := f.value(v).(name)
		var p dict
		if i < len(params) {
			p = f.dict(params[i])
		}
		f.look()
		f.spend(filterCost)
		limit := min(maxStream, f.budget)
		if limit == 0 {
			return nil
		}
		var out []byte
		switch n {
		case "FlateDecode", "Fl":
			out = predict(f.inflate(data, limit), f, p)
		case "LZWDecode", "LZW":
			early := 1
			if v, ok := f.value(p["EarlyChange"]).(float64); ok {
				early = int(v)
			}
			out = predict(unlzw(data, early, limit), f, p)
		case "ASCII85Decode", "A85":
			out = ascii85(data[:min(len(data), 2*limit)])
		case "ASCIIHexDecode", "AHx":
			out = []byte((&scanner{src: append([]byte{'<'}, data...)}).hex())
		case "RunLengthDecode", "RL":
			out = runs(data, limit)
		case "Crypt":
			out = data
		default:
			return nil
		}
		f.spend(len(out))
		data = out
	}
	return data
}

// inflate reads zlib data, leniently: a wrong header or checksum or a missing end
// costs nothing that can be read.
func (f *File) inflate(data []byte, limit int) []byte {
	try := func(src []byte) []byte {
		if f.unpack == nil {
			f.unpack = flate.NewReader(bytes.NewReader(src))
		} else if err := f.unpack.(flate.Resetter).Reset(bytes.NewReader(src), nil); err != nil {
			return nil
		}
		var out bytes.Buffer
		// what came before the fault counts
		_, _ = io.Copy(&out, io.LimitReader(f.unpack, int64(limit)))
		return out.Bytes()
	}
	for len(data) > 0 && isSpace(data[0]) && data[0] != 0 {
		data = data[1:]
	}
	if len(data) > 2 {
		if out := try(data[2:]); len(out) > 0 {
			return out
		}
	}
	return try(data)
}

// unlzw is LZW as PDF has it: codes of 9 to 12 bits, the high bit first.
func unlzw(data []byte, early, limit int) []byte {
	type entry struct {
		prev int16
		last byte
		size int32
	}
	var table [4096]entry
	for i := range 256 {
		table[i] = entry{-1, byte(i), 1}
	}
	next, width, prev := 258, uint(9), -1
	var out []byte
	var acc uint32
	var bits uint
	write := func(code int) byte {
		n := int(table[code].size)
		at := len(out) + n
		out = append(out, make([]byte, n)...)
		first := byte(0)
		for c := code; c >= 0; c = int(table[c].prev) {
			at--
			first = table[c].last
			out[at] = first
		}
		return first
	}
	for _, b := range data {
		acc = acc<<8 | uint32(b)
		bits += 8
		for bits >= width {
			code := int(acc >> (bits - width) & (1<<width - 1))
			bits -= width
			switch {
			case code == 256:
				next, width, prev = 258, 9, -1
				continue
			case code == 257 || len(out) > limit:
				return out
			case prev < 0 && code < 256:
				write(code)
			case prev >= 0 && code < next:
				first := write(code)
				if next < 4096 {
					table[next] = entry{int16(prev), first, table[prev].size + 1}
					next++
				}
			case prev >= 0 && code == next && next < 4096:
				c := prev
				for table[c].prev >= 0 {
					c = int(table[c].prev)
				}
				table[next] = entry{int16(prev), table[c].last, table[prev].size + 1}
				next++
				write(code)
			default:
				return out
			}
			prev = code
			for width < 12 && next+early >= 1<<width {
				width++
			}
		}
	}
	return out
}

func ascii85(data []byte) []byte {
	var out []byte
	var group [5]byte
	n := 0
	flush := func() {
		if n < 2 {
			n = 0
			return
		}
		for i := n; i < 5; i++ {
			group[i] = 84
		}
		v := uint32(0)
		for _, c := range group {
			v = v*85 + uint32(c)
		}
		for i := range n - 1 {
			out = append(out, byte(v>>(24-8*i)))
		}
		n = 0
	}
	data = bytes.TrimPrefix(bytes.TrimLeft(data, " \r\n\t"), []byte("<~"))
	for _, c := range data {
		switch {
		case c == '~':
			flush()
			return out
		case c == 'z' && n == 0:
			out = append(out, 0, 0, 0, 0)
		case c >= '!' && c <= 'u':
			group[n] = c - '!'
			if n++; n == 5 {
				flush()
			}
		}
	}
	flush()
	return out
}

func runs(data []byte, limit int) []byte {
	var out []byte
	for i := 0; i < len(data) && len(out) < limit; {
		n := int(data[i])
		i++
		switch {
		case n == 128:
			return out
		case n < 128:
			end := min(len(data), i+n+1)
			out = append(out, data[i:end]...)
			i = end
		case i < len(data):
			out = append(out, bytes.Repeat(data[i:i+1], 257-n)...)
			i++
		}
	}
	return out
}

// predict undoes the PNG and TIFF predictors.
func predict(data []byte, f *File, p dict) []byte {
	kind := f.int(p["Predictor"], 1)
	if kind < 2 {
		return data
	}
	colors, bpc, columns := f.int(p["Colors"], 1), f.int(p["BitsPerComponent"], 8),
		f.int(p["Columns"], 1)
	if colors < 1 || colors > 64 || bpc < 1 || bpc > 16 || columns < 1 || columns > 1<<20 {
		return nil
	}
	size, row := max(1, colors*bpc/8), (colors*bpc*columns+7)/8
	if kind == 2 {
		if bpc == 8 {
			for at := 0; at+row <= len(data); at += row {
				for i := size; i < row; i++ {
					data[at+i] += data[at+i-size]
				}
			}
		}
		return data
	}
	out := make([]byte, 0, len(data))
	above := make([]byte, row)
	for at := 0; at < len(data); at += row + 1 {
		cur := make([]byte, row)
		copy(cur, data[at+1:min(len(data), at+1+row)])
		for i := range cur {
			left, upLeft := byte(0), byte(0)
			if i >= size {
				left, upLeft = cur[i-size], above[i-size]
			}
			switch data[at] {
			case 1:
				cur[i] += left
			case 2:
				cur[i] += above[i]
			case 3:
				cur[i] += byte((int(left) + int(above[i])) / 2)
			case 4:
				cur[i] += paeth(left, above[i], upLeft)
			}
		}
		out = append(out, cur...)
		above = cur
	}
	return out
}

func paeth(a, b, c byte) byte {
	p := int(a) + int(b) - int(c)
	pa, pb, pc := abs(p-int(a)), abs(p-int(b)), abs(p-int(c))
	switch {
	case pa <= pb && pa <= pc:
		return a
	case pb <= pc:
		return b
	}
	return c
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
