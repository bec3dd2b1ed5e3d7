package text

import (
	"context"
	"strings"
	"testing"
)

// written makes the text and the outline of a page from lines: "# " is a heading, "- "
// an item of a list, "> " a quote, "` " code, "? " a term, "! " a definition, "| " a row
// of a table, "% " a comment of a visitor. Lines that begin with "+ " go on with the
// block before.
func written(page string) (string, Outline) {
	type block struct {
		kind       string
		level      int
		start, end int
	}
	kinds := map[byte]string{'-': "list_item", '>': "quote", '`': "code", '?': "term", '!': "definition", '|': "table_row", '%': "comment"}
	var b strings.Builder
	var blocks []block
	for line := range strings.SplitSeq(page, "\n") {
		if line == "" {
			continue
		}
		k := block{kind: "paragraph"}
		marks := len(line) - len(strings.TrimLeft(line, "#"))
		more := strings.HasPrefix(line, "+ ")
		switch {
		case marks > 0:
			k.kind, k.level, line = "heading", marks, line[marks+1:]
		case len(line) > 1 && line[1] == ' ' && kinds[line[0]] != "":
			k.kind, line = kinds[line[0]], line[2:]
		case more:
			line = line[2:]
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		k.start = b.Len()
		b.WriteString(strings.ReplaceAll(line, " | ", "\t"))
		k.end = b.Len()
		if more {
			blocks[len(blocks)-1].end = k.end
			continue
		}
		blocks = append(blocks, k)
	}
	text := b.String()
	return text, func(section func(string, int), put func(string, int, int, int)) {
		var stack, levels []int
		of := make([]int, len(blocks))
		n := 0
		for i, k := range blocks {
			if k.kind == "heading" {
				for len(stack) > 0 && levels[len(levels)-1] >= k.level {
					stack, levels = stack[:len(stack)-1], levels[:len(levels)-1]
				}
				parent := -1
				if len(stack) > 0 {
					parent = stack[len(stack)-1]
				}
				section(text[k.start:k.end], parent)
				stack, levels = append(stack, n), append(levels, k.level)
				n++
			}
			of[i] = -1
			if len(stack) > 0 {
				of[i] = stack[len(stack)-1]
			}
		}
		for i, k := range blocks {
			put(k.kind, of[i], k.start, k.end)
		}
	}
}

// X stands for a sentence that a page could state.
const said = "The reading room opens at nine on Sundays."

func settingOf(t *testing.T, page, title, kind string) (*Setting, int) {
	t.Helper()
	words, outline := written(strings.ReplaceAll(page, "X", said))
	at := strings.Index(words, "opens at nine")
	if at < 0 {
		if at = strings.Index(words, "*"); at < 0 {
			t.Fatalf("nothing to look at in %q", words)
		}
	}
	return NewSetting(context.Background(), words, title, kind, "", outline), at
}

// Each of these pages holds the sentence and takes it back.
var takenBack = []string{
	// by a line before
	"The following is false:\nX", "The following statements are wrong:\n- X\n- Other words stand here.", "The following is not true.\nX",
	"None of the following is true:\n- Other words stand here.\n- X", "What follows is no longer correct:\nX", "The following information is outdated:\n> X",
	"Here are some false claims:\n- X", "Here is a wrong answer:\nX", "Do not do this:\n` X", "Don't say things like this:\n> X", "Never write this:\nX",
	"Many people wrongly believe:\nX", "He falsely claimed:\n> X", "Common misconceptions:\n- X", "Myths about the library:\n- X\n- Y", "Ignore the following:\nX",
	"An earlier version of this article said:\n> X", "It used to say:\nX", "Deleted text:\nX", "Bad example:\n` X", "Wrong:\nX", "What not to do:\n- X", "Everything below is made up.\nX",
	"All of the following is satire:\nX", "Disclaimer: the following is a joke.\nX", "Note: the following statement is no longer valid:\nX",
	// by words in its own block
	"The following is false. X", "Myth: X", "MYTH #3: X", "Common myth: X", "Wrong: X", "False: X", "Incorrect: X", "Outdated: X", "[Outdated] X", "(Retracted) X", "Obsolete: X",
	"Retracted: X", "Satire: X", "Fiction — X", "Don't: X", "True or false: X", "Rumour: X", "Misconception 2: X", "No longer true: X",
	"It is wrong that the reading room opens at nine.", "It is not true that the reading room opens at nine.", "It's a myth that the reading room opens at nine on Sundays.",
	"It is no longer true that the reading room opens at nine.", "It isn't true that the reading room opens at nine.", "The claim that the reading room opens at nine is false.",
	"A common misconception is that the reading room opens at nine.", "The newspaper wrongly reported that the reading room opens at nine.", "Rumour has it that the reading room opens at nine.",
	"The reading room opens at nine, which is false.", "The reading room opens at nine (no longer true).", "The reading room opens at nine … NOT!", "Do not believe that the reading room opens at nine.",
	"An earlier version of this page said that the reading room opens at nine.", "That the reading room opens at nine is a myth.",
	// by words behind it
	"X This is false.", "X That is no longer true.", "X Not true!", "X\nThis is wrong.", "X\nFalse.", "X\nThe above is outdated.", "X\nOther words stand here.\nAll of the above is made up.", "X This statement has been retracted.",
	"X Correction: it opens at ten.", "X\nCorrection: it opens at ten.", "X But that is not correct.", "Claim: X\nVerdict: False", "X\nOur ruling: Pants on Fire", "X\nJust kidding!",
	// by what it stands under
	"# Common myths\nX", "# Myths about us\n- Other words stand here.\n- X", "# What not to do\nX", "# Misconceptions\n## Hours\nX", "# Library\n## Wrong answers\nX", "# Obsolete\nX", "# Hours (outdated)\nX",
	"# Retracted\nX", "# Don'ts\n- X", "# Bad examples\n` X", "# Fake news\nX", "# The following is false\nX",
	"# What we got wrong\nX", "# What people used to believe\nX", "# Rejected claims\nX",
	// by a notice
	"# Hours\nThis section is obsolete.\nX", "# Hours\nX\nThis section has been superseded.", "# Library\nThis page is outdated.\n## Hours\nX", "This article is satire.\nOther words stand here.\nX",
	"# Library\nThis article has been retracted.\nOther words.\nX", "Warning: The information on this page is no longer correct.\nOther words.\nX", "Note: this section is out of date.\nX", "Satire\n# Library\nX\nOther words stand here.", "This paragraph is outdated. X",
	// by a table, a list of terms, a remark in code
	"| Claim | Verdict\n| X | False", "| Statement | True or false?\n| X | Mostly false", "| Myth | X", "| Myth | Fact\n| X | It opens at ten.", "| Topic | Common error | Correct\n| Hours | Other words. | It opens at ten.\n| Hours | X | It opens at ten.", "| Don't | Do\n| X | Ask.",
	"| Wrong | Right\n| X | Ask.", "| Irrtum | Tatsache\n| X | Sie schließt.", "? Myth\n! X\n? Fact\n! Other words.", "` # Wrong:\n+ X\n+ # Right:\n+ other words",
	// in other languages
	"Das Folgende ist falsch:\nX", "Falsch: X", "Mythos: X", "Es ist falsch, dass the reading room opens at nine.", "# Häufige Irrtümer\nX", "Dieser Abschnitt ist veraltet.\nX", "X Das stimmt nicht.",
	"Ce qui suit est faux :\nX", "Faux : X", "Il est faux que the reading room opens at nine.", "# Idées reçues\nX", "Cette section est obsolète.\nX",
	"Lo siguiente es falso:\nX", "Mito: X", "Es falso que the reading room opens at nine.", "# Mitos comunes\nX", "Esta sección está obsoleta.\nX",
	"O seguinte é falso:\nX", "Non è vero che the reading room opens at nine.", "Het volgende is onwaar:\nX", "Миф: X", "Неверно, что the reading room opens at nine.", "# Мифы о библиотеке\nX",
	"以下说法是错误的：\nX", "误解：X", "以下の内容は誤りです：\nX", "다음 내용은 거짓입니다:\nX",
}

// Each of these holds the sentence, or the value at the star, and stands by it.
var standing = []string{
	"X", "Hours:\nX", "# Hours\nX", "The following is true:\nX", "Note: X", "Fact: X", "Correction: X", "Truth: X", "New: X", "Correct: X",
	"# Common myths\nIt never opens.\n# Hours\nX", "Common myths:\n- It never opens.\n# Hours\nX", "Common myths:\n- It never opens.\n- It is closed.\nX", "Myth: It never opens.\nX", "Myth: It never opens.\nFact: X",
	"# Common myths\nMyth: It never opens.\nFact: X", "Wrong: It never opens.\nRight: X", "It is wrong that it never opens. X", "The following is false: it never opens.\nX",
	"X It never closes early.", "X It is not far.", "X The default is false.", "*The default is false.", "*Returns false when the file is missing.", "*The value is false by default.", "*This is false by default.",
	"*If the value is false, nothing is written.", "*false: nothing is written", "? false\n! *Nothing is written.", "| Option | Default\n| *cache | false", "- false: *nothing is written", "*Set it to false:\n` cache = false",
	"*The following values are not allowed:\n- zero", "The following errors are possible:\n- *wrong password", "*This option is obsolete.", "The following parameters are obsolete:\n- *cache_size", "# Obsolete features\n*The cache was removed in version 3.",
	"# Myths about the library\n## Myth: It never opens\nX", "# Myths about the library\nMyth: It never opens.\nIn fact, it does.\nX", "People say it is open, and that is true. X", "*The reverse, however, is not true.", "# The square root of NOT\nX", "# How not to age\nX", "# What not to flush\nX",
	"X It's true!", "X That is correct.", "- Common misconceptions\n- *Accounts", "*It warns when names are given incorrectly and suggests a fix.", "Links to previous versions of the patch help reviewers:\n` *message",
	"# Wrong password\nX", "# Rejected payments\nX", "# What we got\nX", "# What we believe\nX", "# Debunked by Anna Bell, a novel\nX", "# Error messages\n- *Incorrect user name", "# Troubleshooting\nX", "# Facts and myths\nX", "# Bad weather\nX", "# Lies, a novel\nX",
	"*You are viewing an outdated version of the manual.", "*This version is no longer supported.", "Deprecated: X", "X The old hours are no longer valid.", "Note: this section is about hours.\nX", "This section is not long.\nX",
	"# Hours\nX\n# Fees\nThis section is obsolete.", "# Fees\nThis section is outdated.\n# Hours\nX", "X\n% This article is false.", "X\n% This is wrong.", "X\n% Fake news!", "% The following is false:\nX",
	"X An earlier version of this page said that it opens at eight.", "X\nCorrection (3 May): An earlier version of this article said that it opens at eight.", "# Never\nX", "Never: X", "? Never\n! X",
	"*It is not possible to say when.", "*It is wrong to steal.", "Do not run with:\n- *scissors", "*Do not use this after the date below:\n2030", "| Claim | Verdict\n| X | True", "| Name | Default\n| *verbose | False", "| Myth | Fact\n| It never opens. | X", "| Error | Cause\n| X | A bug.", "| Myth | Fact\n| It never opens. | It does.\nX",
	"| False | True\n| *12 | 5", "` # Right:\n+ X", "` # Bad luck is handled here\n+ x = 1\n+ # X",
	"*The test is wrong for short lists.", "*True and false are the two values.", "*He was not wrong.", "*A myth is a story that a people tells of its gods.", "- Fiction\n- *Satire", "Fiction\nX", "# Satire\n*A satire mocks.", "# Myth\n*A myth is a story of gods.", "*The Greek myths were written down late.",
	"Er liegt falsch.\nX", "Falschgeld ist verboten.\nX", "La puerta falsa está cerrada.\nX", "Il est vrai que the reading room opens at nine.", "Es stimmt, dass the reading room opens at nine.", "错误信息如下：\n- *0x80",
}

func TestTakenBack(t *testing.T) {
	for _, page := range takenBack {
		s, at := settingOf(t, page, "", "")
		if end := at + len("opens at nine"); !s.TakenBack(at, end) {
			t.Errorf("the sentence stands:\n%s", page)
		}
	}
	t.Logf("%d ways to take a sentence back", len(takenBack))
}

func TestWhatStandsIsNotTakenBack(t *testing.T) {
	for _, page := range standing {
		s, at := settingOf(t, page, "", "")
		if s.TakenBack(at, at+len("opens")) {
			t.Errorf("the sentence was taken back:\n%s", page)
		}
	}
	t.Logf("%d controls", len(standing))
}

// What a page says of itself in its title or its kind holds for all of it.
func TestAPageTakesItselfBack(t *testing.T) {
	for _, c := range []struct {
		title, kind string
		want        bool
	}{
		{"RETRACTED: Hours of libraries", "", true}, {"Hours of libraries [Retracted]", "", true}, {"Satire: Library never closes", "", true},
		{"Library never closes", "SatiricalArticle", true}, {"Library hours", "Article", false}, {"The retracted landing gear", "", false}, {"Satire in Rome", "", false}, {"Outdated software", "", false},
	} {
		s, at := settingOf(t, "X", c.title, c.kind)
		if got := s.TakenBack(at, at+4); got != c.want {
			t.Errorf("%q, %q: taken back %v", c.title, c.kind, got)
		}
	}
}
