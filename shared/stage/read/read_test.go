package read

import (
	"reflect"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// TestRead shows what goes into the room and what comes out.
func TestRead(t *testing.T) {
	const page = `<!doctype html><html lang="en"><head><title>Red kettle - Shop</title></head><body>
<h1>Red kettle</h1><p>It boils two litres in four minutes.</p><p hidden>Nobody sees this.</p>
<table><tr><th>Colour</th><th>Price</th></tr><tr><td>red</td><td>$80</td></tr></table>
<p>See the <a href="/manual.html">manual</a>.</p></body></html>`
	d := readString(t, page)

	t.Run("TheTextIsWhatAVisitorSees", func(t *testing.T) {
		want := "Red kettle\nIt boils two litres in four minutes.\nColour\tPrice\nred\t$80\nSee the manual."
		if d.Text != want {
			t.Errorf("the text is %q, want %q", d.Text, want)
		}
	})
	t.Run("HiddenTextIsListedWithItsReason", func(t *testing.T) {
		if len(d.Hidden) != 1 || d.Hidden[0].Text != "Nobody sees this." ||
			d.Hidden[0].Reason != reasonAttribute {
			t.Errorf("hidden text is %+v, want the second paragraph, hidden by its attribute",
				d.Hidden)
		}
	})
	t.Run("BlocksAreTheTextAtTheirOffsets", func(t *testing.T) {
		lines := strings.Split(d.Text, "\n")
		var kinds []wstk.BlockKind
		for i, b := range d.Blocks {
			kinds = append(kinds, b.Kind)
			if got := d.Text[b.ByteStart:b.ByteEnd]; got != lines[i] {
				t.Errorf("block %d is %q, want line %q", i, got, lines[i])
			}
		}
		want := []wstk.BlockKind{wstk.BlockHeading, wstk.BlockParagraph, wstk.BlockTableRow,
			wstk.BlockTableRow, wstk.BlockParagraph}
		if !reflect.DeepEqual(kinds, want) {
			t.Errorf("the kinds of the blocks are %q, want %q", kinds, want)
		}
	})
	t.Run("LinksAreAbsolute", func(t *testing.T) {
		if len(d.Links) != 1 || d.Links[0].URL != "https://site.example/manual.html" {
			t.Errorf("the links are %+v, want the manual's address on the page's host", d.Links)
		}
	})
	t.Run("TheSameInputGivesTheSameDocument", func(t *testing.T) {
		if again := readString(t, page); !reflect.DeepEqual(d, again) {
			t.Error("two readings of one body differ")
		}
	})
	t.Run("WhatIsReplacedIsNamed", func(t *testing.T) {
		d := readString(t, "<meta charset=utf-8><p>caf\xe9")
		if len(d.Warnings) != 1 || d.Warnings[0].Code != "undecodable" {
			t.Errorf("the warnings are %+v, want one of a byte that is no UTF-8", d.Warnings)
		}
	})
	t.Run("AnUnknownTypeIsRefused", func(t *testing.T) {
		_, err := new(Stage).Do(t.Context(), Input{URL: "https://site.example/a.png",
			ContentType: "image/png", Body: []byte("\x89PNG\r\n\x1a\n")})
		if code := wstk.CodeOf(err); code != wstk.UnsupportedMediaType {
			t.Errorf("reading a picture fails with %v, want %v", code, wstk.UnsupportedMediaType)
		}
	})
}
