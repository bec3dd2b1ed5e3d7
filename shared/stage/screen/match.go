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
// fewer than 65,536 bytes. It is built at the start of many a short process, so it is
// laid out once: at most one state for each byte of a keyword.
func newMatcher(lists [][]string) *matcher {
	m := &matcher{columns: 1}
	most := 1
	for _, list := range lists {
		for _, word := range list {
			most += len(word)
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
	// 0 is the first state, to which no keyword leads, so it says that there is no
	// transition yet.
	m.next = make([]uint16, most*m.columns)
	m.out = make([][]hit, 1, most)
	for n, list := range lists {
		for _, word := range list {
			state := 0
			for i := 0; i < len(word); i++ {
				at := state*m.columns + int(m.class[word[i]])
				if m.next[at] == 0 {
					m.next[at] = uint16(len(m.out))
					m.out = append(m.out, nil)
				}
				state = int(m.next[at])
			}
			m.out[state] = append(m.out[state], hit{n, len(word)})
		}
	}
	m.fillIn()
	m.any = make([]bool, len(m.out))
	for s, hits := range m.out {
		m.any[s] = len(hits) > 0
	}
	return m
}

// fillIn turns the tree of keywords into the automaton, breadth first: a missing
// transition goes where the longest proper suffix goes.
func (m *matcher) fillIn() {
	fail := make([]uint16, len(m.out))
	queue := make([]uint16, 0, len(m.out))
	for _, s := range m.next[:m.columns] {
		if s != 0 {
			queue = append(queue, s)
		}
	}
	for i := 0; i < len(queue); i++ {
		s := queue[i]
		m.out[s] = append(m.out[s], m.out[fail[s]]...)
		for c := range m.columns {
			at := int(s)*m.columns + c
			other := m.next[int(fail[s])*m.columns+c]
			if to := m.next[at]; to == 0 {
				m.next[at] = other
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
