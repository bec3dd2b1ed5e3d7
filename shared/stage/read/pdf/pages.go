package pdf

import (
	"maps"
	"slices"
)

// pageDict is a page with what it inherits.
type pageDict struct {
	dict
	id ref
}

var inherited = []string{"Resources", "MediaBox", "CropBox", "Rotate"}

// pageNode is a node of the tree of pages, with what it inherits.
type pageNode struct {
	v    any
	from dict
}

// pages returns the pages in order, and whether there are more than the bound.
func (f *File) pages() (out []pageDict, cut bool) {
	seen := map[ref]bool{}
	stack := []pageNode{{f.dict(f.trailer["Root"])["Pages"], nil}}
	for len(stack) > 0 {
		f.look()
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		id, isRef := n.v.(ref)
		if isRef && seen[id] {
			continue
		}
		if isRef {
			seen[id] = true
		}
		d := f.dict(n.v)
		if d == nil {
			continue
		}
		own := make(dict, len(d)+4)
		inherit(own, n.from)
		if kids, isNode := f.value(d["Kids"]).(array); isNode && d["Type"] != name("Page") {
			inherit(own, d)
			stack = pushKids(stack, kids, own)
			if len(stack) > 4*maxPages {
				return out, true
			}
			continue
		}
		if len(out) == maxPages {
			return out, true
		}
		maps.Copy(own, d)
		out = append(out, pageDict{own, id})
	}
	return out, false
}

// inherit copies what pages have from the nodes above them.
func inherit(own, from dict) {
	for _, k := range inherited {
		if v, ok := from[k]; ok {
			own[k] = v
		}
	}
}

// pushKids puts the kids of a node on the stack, so that the first is taken first.
func pushKids(stack []pageNode, kids array, from dict) []pageNode {
	for _, kid := range slices.Backward(kids) {
		if _, ok := kid.(ref); ok || len(stack) < maxNesting {
			stack = append(stack, pageNode{kid, from})
		}
	}
	return stack
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

// unviewed notes the layers that are marked as not for the screen.
func (f *File) unviewed(layers array) {
	for _, v := range layers {
		usage := f.dict(f.dict(f.dict(v)["Usage"])["View"])
		if r, ok := v.(ref); ok && f.value(usage["ViewState"]) == name("OFF") {
			f.off[r] = true
		}
	}
}
