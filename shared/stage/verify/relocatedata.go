package verify

import (
	"cmp"
	"slices"

	"wstk/shared/wstk"
)

// A value of structured data has no words around it. It is the same value where it has the same
// name in the same item. Elements and pointers shift when something is inserted before them, so an
// item is found again by its other values.

// datum is a leaf of an item of a page.
type datum struct {
	item *wstk.DataItem
	leaf wstk.DataLeaf
}

// data says what became of a value of structured data.
func (r *Relocator) data(e wstk.Evidence, out *wstk.Relocation) {
	put := func(state wstk.RelocationState, reason wstk.RelocationReason, v *datum) {
		if out.State, out.Reason = state, reason; v != nil {
			element := v.leaf.Element
			out.Now = &wstk.Relocated{URL: r.now.URL, Words: v.leaf.Literal,
				TextSHA256: r.now.TextSHA256, SnapshotSHA256: r.now.SnapshotSHA256,
				SectionPath: []string{}, Element: &element, Pointer: v.leaf.Pointer, Link: r.now.URL}
		}
	}
	mine, names := itemOf(r.was, e)
	at := valuesAt(r.now, e)
	same := slices.IndexFunc(at, func(v datum) bool {
		return v.leaf.Literal == e.Literal && (mine == nil || slices.Contains(names, v.leaf.Name))
	})
	if same >= 0 {
		put(wstk.RelocationIntact, "", &at[same])
		return
	}
	if mine == nil {
		r.unnamed(e, put)
		return
	}
	item := r.sameItem(mine, names, e)
	if item == nil {
		put(wstk.RelocationGone, wstk.ReasonNotInData, nil)
		return
	}
	now, was := leavesNamed(item, names), leavesNamed(mine, names)
	i := slices.IndexFunc(now, func(l wstk.DataLeaf) bool { return l.Literal == e.Literal })
	switch {
	case i >= 0:
		put(wstk.RelocationMoved, "", &datum{item, now[i]})
	case len(now) == 0:
		put(wstk.RelocationGone, wstk.ReasonNotInData, nil)
	case len(now) == len(was):
		i = slices.IndexFunc(was, func(l wstk.DataLeaf) bool { return isAt(l, e) })
		put(wstk.RelocationAltered, wstk.ReasonValue, &datum{item, now[i]})
	default: // of a list it cannot be said which value took which place
		put(wstk.RelocationUnchecked, wstk.ReasonSeveral, nil)
	}
}

// unnamed says what became of a value whose name is not known any more.
func (r *Relocator) unnamed(
	e wstk.Evidence, put func(wstk.RelocationState, wstk.RelocationReason, *datum),
) {
	any := false
	for i := range r.now.Data {
		for _, l := range r.now.Data[i].Leaves {
			any = any || l.Pointer == e.Pointer
			if l.Pointer == e.Pointer && l.Literal == e.Literal {
				put(wstk.RelocationMoved, "", &datum{&r.now.Data[i], l})
				return
			}
		}
	}
	if any {
		put(wstk.RelocationUnchecked, wstk.ReasonSeveral, nil)
		return
	}
	put(wstk.RelocationGone, wstk.ReasonNotInData, nil)
}

func isAt(l wstk.DataLeaf, e wstk.Evidence) bool {
	return e.Element != nil && l.Element == *e.Element && l.Pointer == e.Pointer
}

// valuesAt are the leaves at the place that an Evidence names.
func valuesAt(d *wstk.Document, e wstk.Evidence) (out []datum) {
	for i := range d.Data {
		for _, l := range d.Data[i].LeavesOf(e) {
			out = append(out, datum{&d.Data[i], l})
		}
	}
	return out
}

// itemOf returns the item that held a value, and the names it had; nil if that is not known.
func itemOf(was *wstk.Document, e wstk.Evidence) (item *wstk.DataItem, names []string) {
	if was == nil {
		return nil, nil
	}
	for _, v := range valuesAt(was, e) {
		if v.leaf.Literal == e.Literal && (item == nil || item == v.item) {
			item, names = v.item, append(names, v.leaf.Name)
		}
	}
	return item, names
}

// leavesNamed are the leaves of an item with one of some names, each place once.
func leavesNamed(it *wstk.DataItem, names []string) (out []wstk.DataLeaf) {
	for _, l := range it.Leaves {
		if slices.Contains(names, l.Name) && !slices.ContainsFunc(out, func(o wstk.DataLeaf) bool {
			return o.Element == l.Element && o.Pointer == l.Pointer
		}) {
			out = append(out, l)
		}
	}
	return out
}

// sameItem returns the item of the new version that is the one that held a value: of its format
// and type, with at least half of the values that distinguish it, and no other old item has more in common with
// it. The only one of its type needs no other values. It is nil for none.
func (r *Relocator) sameItem(mine *wstk.DataItem, names []string, e wstk.Evidence) *wstk.DataItem {
	kin := func(it *wstk.DataItem) bool { return it.Format == mine.Format && it.Type == mine.Type }
	var old []*wstk.DataItem
	for i := range r.was.Data {
		if it := &r.was.Data[i]; kin(it) {
			old = append(old, it)
		}
	}
	common := inAll(old) // a currency that all of them have distinguishes none
	own := pairs(mine, common, func(l wstk.DataLeaf) bool { return isAt(l, e) })
	type match struct {
		item *wstk.DataItem
		same int
	}
	var all []match
	for i := range r.now.Data {
		if it := &r.now.Data[i]; kin(it) {
			all = append(all, match{it, shared(own, it)})
		}
	}
	slices.SortStableFunc(all, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.same, a.same), cmp.Compare(
			abs(a.item.Element-mine.Element), abs(b.item.Element-mine.Element)))
	})
	total := 0
	for _, n := range own {
		total += n
	}
	for _, m := range all[:min(len(all), maxTries)] {
		if (len(old) > 1 || len(all) > 1) && 2*m.same < total {
			break
		}
		if !slices.ContainsFunc(old, func(o *wstk.DataItem) bool {
			return o != mine && shared(pairs(o, common, nil), m.item) > m.same
		}) {
			return m.item
		}
	}
	return nil
}

// named is a name and a literal.
type named struct{ name, literal string }

// pairs are the names and literals of an item, but for common ones and the leaves left out.
func pairs(
	it *wstk.DataItem, common map[named]int, out func(wstk.DataLeaf) bool,
) map[named]int {
	m := map[named]int{}
	for _, l := range it.Leaves {
		if p := (named{l.Name, l.Literal}); common[p] == 0 && (out == nil || !out(l)) {
			m[p]++
		}
	}
	return m
}

// inAll are the pairs that each of several items has.
func inAll(items []*wstk.DataItem) map[named]int {
	if len(items) < 2 {
		return nil
	}
	all := pairs(items[0], nil, nil)
	for _, it := range items[1:] {
		has := pairs(it, nil, nil)
		for p := range all {
			if has[p] == 0 {
				delete(all, p)
			}
		}
	}
	return all
}

// shared is how many of some pairs an item has.
func shared(some map[named]int, it *wstk.DataItem) (n int) {
	for p, k := range pairs(it, nil, nil) {
		n += min(k, some[p])
	}
	return n
}
