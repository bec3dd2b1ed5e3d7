package pdf

import (
	"bytes"
	"compress/flate"
	"io"
)

// filterCost is what each filter costs besides the bytes it gives, in bytes.
const filterCost = 2 << 10

// decode undoes the filters of a stream. Of a broken stream it returns what can be read.
// Filters of images are not undone: there is no text in them.
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

// inflate reads zlib data leniently: a wrong header or checksum or a missing end does not
// undo what was read.
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

// ascii85 reads groups of five characters as four bytes.
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

// runs reads bytes as they are and bytes that are repeated, each with their number before.
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
	colors, bits, columns := f.int(p["Colors"], 1), f.int(p["BitsPerComponent"], 8),
		f.int(p["Columns"], 1)
	if colors < 1 || colors > 64 || bits < 1 || bits > 16 || columns < 1 || columns > 1<<20 {
		return nil
	}
	size, row := max(1, colors*bits/8), (colors*bits*columns+7)/8
	switch {
	case kind != 2:
		return predictPNG(data, size, row)
	case bits == 8:
		predictTIFF(data, size, row)
	}
	return data
}

// predictTIFF adds to each byte of a row the one of the pixel before it.
func predictTIFF(data []byte, size, row int) {
	for at := 0; at+row <= len(data); at += row {
		for i := size; i < row; i++ {
			data[at+i] += data[at+i-size]
		}
	}
}

// predictPNG undoes for each row what its first byte says was done to it.
func predictPNG(data []byte, size, row int) []byte {
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

// paeth returns that of three neighbours which is nearest to a + b - c.
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
