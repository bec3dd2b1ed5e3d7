package minilm

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"unsafe"

	"wstk/shared/wstk"
)

// tensors is a safetensors file in memory: the length of the header (8 bytes), the
// header (JSON, what lies where), and numbers. Nothing in it is code.
type tensors struct {
	header map[string]json.RawMessage
	data   []byte
}

// tensorPlace is an entry of the header.
type tensorPlace struct {
	Type    string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

const readingTensors = "reading safetensors"

func notTensors(format string, args ...any) error {
	return wstk.Errorf(wstk.Invalid, readingTensors, format, args...)
}

// parseTensors reads the header of a file. Codes: Invalid.
func parseTensors(file []byte) (*tensors, error) {
	if len(file) < 8 {
		return nil, notTensors("the file has %d bytes, which is too few", len(file))
	}
	n := binary.LittleEndian.Uint64(file)
	if n > uint64(len(file)-8) {
		return nil, notTensors("the header claims %d bytes in a file of %d", n, len(file))
	}
	t := &tensors{data: file[8+n:]}
	if err := json.Unmarshal(file[8:8+n], &t.header); err != nil {
		return nil, notTensors("the header: %w", err)
	}
	return t, nil
}

// get returns a tensor of float32 with this shape. It shares the file's memory where
// that is possible.
func (t *tensors) get(name string, shape ...int) ([]float32, error) {
	var p tensorPlace
	raw, ok := t.header[name]
	if !ok {
		return nil, notTensors("there is no tensor %s", name)
	}
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, notTensors("the header of %s: %w", name, err)
	}
	if p.Type != "F32" {
		return nil, notTensors("%s has the type %s, not F32", name, p.Type)
	}
	size, same := 4, len(p.Shape) == len(shape)
	for i := range shape {
		same = same && p.Shape[i] == shape[i]
		size *= shape[i]
	}
	if !same {
		return nil, notTensors("%s has the shape %v, not %v", name, p.Shape, shape)
	}
	begin, end := p.Offsets[0], p.Offsets[1]
	if begin < 0 || end > len(t.data) || end-begin != size {
		return nil, notTensors("%s lies at %d to %d of %d bytes and has %d", name, begin, end,
			len(t.data), size)
	}
	return floats(t.data[begin:end]), nil
}

// littleEndian reports whether this processor stores numbers as the file does.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// floats views bytes as numbers, or copies them where they are not aligned.
func floats(b []byte) []float32 {
	if len(b) == 0 {
		return nil
	}
	if p := unsafe.Pointer(&b[0]); littleEndian && uintptr(p)%4 == 0 {
		return unsafe.Slice((*float32)(p), len(b)/4)
	}
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}
