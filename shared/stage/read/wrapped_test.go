package read

import (
	"strings"
	"testing"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// Prose that was wrapped at a width in <pre> is prose, and its sentences go on over its
// lines; programs, tables and what a terminal shows stay code.
func TestWrappedProseInPre(t *testing.T) {
	const kettle = "The kettle is filled through its spout and may then be put on its\n" +
		"base. It switches itself off when the water boils, and it may be\nswitched on again after a minute."
	for _, c := range []struct {
		name, pre string
		want      wstk.BlockKind
	}{
		{"wrapped", kettle, wstk.BlockParagraph},
		{"indented", "   " + strings.ReplaceAll(kettle, "\n", "\n   "), wstk.BlockParagraph},
		{"justified", "The kettle  is filled  through  its spout  and may then be put  on\n" +
			"its  base.  It  switches itself off when the  water boils,  and it\nmay be switched on again.", wstk.BlockParagraph},
		{"two paragraphs with a title", "USE\n\n" + kettle + "\n\n" + kettle, wstk.BlockParagraph},
		{"of a language", kettle, wstk.BlockCode},
		{"a program", "for _, kettle := range kettles {\n\tif err := kettle.Boil(ctx, water); err != nil {\n\t\treturn err\n\t}\n}", wstk.BlockCode},
		{"its comment", "# " + strings.ReplaceAll(kettle, "\n", "\n# "), wstk.BlockCode},
		{"commands", "kettle create --temperature high --lid closed first kettle here\n" +
			"kettle create --temperature low --lid closed second kettle here.", wstk.BlockCode},
		{"imports", "import system from the library of the kettle makers of old here\n" +
			"import water from the library of the kettle makers of old here.", wstk.BlockCode},
		{"one line", "The kettle is filled through its spout and may then be put on its base.", wstk.BlockCode},
		{"short lines", "The rain is here,\nand so are we,\nand all the land\nis wet with rain\nand so are we.", wstk.BlockCode},
		{"a table", "red kettle      20 pounds    made of steel and of glass by hand\n" +
			"blue kettle     30 pounds    made of glass and of steel by hand", wstk.BlockCode},
	} {
		class := ""
		if c.name == "of a language" {
			class = ` class="language-sh"`
		}
		d := readString(t, "<h1>Kettles</h1><pre"+class+">"+c.pre+"</pre><p>The end of the page.</p>")
		checkDocument(t, d)
		b := d.Blocks[1]
		if b.Kind != c.want {
			t.Errorf("%s: %s, want %s", c.name, b.Kind, c.want)
		}
		if !strings.Contains(d.Text, strings.TrimRight(c.pre, " ")) {
			t.Errorf("%s: the text is another one: %q", c.name, d.Text)
		}
		if c.name == "wrapped" {
			rs := text.Sentences(d.BlockText(1), "en")
			if len(rs) != 2 || !strings.HasSuffix(d.BlockText(1)[:rs[0].End], "its\nbase.") {
				t.Errorf("%s: %d sentences, want 2: %v", c.name, len(rs), rs)
			}
		}
	}
}
