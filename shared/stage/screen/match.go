package screen

// matcher finds many keywords in one pass, whatever their number: the automaton
// of Aho and Corasick (1975) with all transitions filled in, so that each byte of
// the text costs one table look-up. ASCII letters match in either case, all other
// bytes as they are.
type matcher struct {
	class   [256]uint8 // byte → column of next; 0 is any byte that no keyword has
	columns int
	next    []uint16 // state*columns + class → state
	out     [][]hit  // by state: the keywords that end here
	any     []bool   // by state: len(out) > 0
}

// hit is a keyword that ended: which list it is from, and its length.
type hit struct {
	list   int
	length int
}

// newMatcher builds the automaton for lists of keywords. Keywords are not empty;
// together they use fewer than 256 different bytes after lower-casing and have
// fewer than 65,536 bytes.
func newMatcher(lists [][]string) *matcher {
	m := &matcher{columns: 1}
	for _, list := range lists {
		for _, word := range list {
			for i := 0; i < len(word); i++ {
				c := lowerByte(word[i])
				if m.class[c] == 0 {
					m.class[c] = uint8(m.columns)
					m.columns++
				}
			}
		}
	}
	for c := 'A'; c <= 'Z'; c++ {
		m.class[c] = m.class[c+'a'-'A']
	}
	t := trie{columns: m.columns}
	t.addState()
	for n, list := range lists {
		for _, word := range list {
			state := int32(0)
			for i := 0; i < len(word); i++ {
				at := int(state)*m.columns + int(m.class[word[i]])
				if t.next[at] < 0 {
					next := t.addState() // may move t.next
					t.next[at] = next
				}
				state = t.next[at]
			}
			t.out[state] = append(t.out[state], hit{n, len(word)})
		}
	}
	t.fillIn()
	m.out = t.out
	m.next = make([]uint16, len(t.next))
	for i, s := range t.next {
		m.next[i] = uint16(s)
	}
	m.any = make([]bool, len(m.out))
	for s, hits := range m.out {
		m.any[s] = len(hits) > 0
	}
	return m
}

// trie is the automaton in the making.
type trie struct {
	columns int
	next    []int32 // -1: none yet
	out     [][]hit
}

func (t *trie) addState() int32 {
	for range t.columns {
		t.next = append(t.next, -1)
	}
	t.out = append(t.out, nil)
	return int32(len(t.out) - 1)
}

// fillIn turns the trie into the automaton, breadth first: a missing transition
// goes where the longest proper suffix goes.
func (t *trie) fillIn() {
	fail := make([]int32, len(t.out))
	var queue []int32
	for c := range t.columns {
		if s := t.next[c]; s < 0 {
			t.next[c] = 0
		} else {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		t.out[s] = append(t.out[s], t.out[fail[s]]...)
		for c := range t.columns {
			at := int(s)*t.columns + c
			other := t.next[int(fail[s])*t.columns+c]
			if to := t.next[at]; to < 0 {
				t.next[at] = other
			} else {
				fail[to] = other
				queue = append(queue, to)
			}
		}
	}
}

// scan calls found with each keyword in text, in the order of their ends.
func scan[T string | []byte](m *matcher, text T, found func(list, start, end int)) {
	state := uint16(0)
	for i := 0; i < len(text); i++ {
		state = m.next[int(state)*m.columns+int(m.class[text[i]])]
		if m.any[state] {
			for _, h := range m.out[state] {
				found(h.list, i+1-h.length, i+1)
			}
		}
	}
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
