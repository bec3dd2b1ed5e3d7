package text

import (
	"context"
	"strings"
	"testing"
)

// written makes the text and the outline of a page from lines: "# " is a heading, "- "
// an item of a list, "> " a quote, "` " code, "? " a term, "! " a definition, "| " a row
// of a table, "% " a comment of a visitor, "= " a caption. Lines that begin with "+ " go on with
// the block before.
func written(page string) (string, Outline) {
	type block struct {
		kind       string
		level      int
		start, end int
	}
	kinds := map[byte]string{'-': "list_item", '>': "quote", '`': "code", '?': "term", '!': "definition", '|': "table_row", '%': "comment", '=': "caption"}
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
	// by a note, a remark of the editors, a mark
	"X*\n* This figure is wrong.", "X [2]\nOther words stand here.\n[2] This claim has been retracted.", "X 1\nOther words stand here.\n1 This statement is incorrect.", "X\n[Editor's note: we could not confirm this and have removed it.]", "X\n(Anm. d. Red.: Diese Aussage ist falsch.)",
	"X\n[NDLR : cette affirmation est inexacte.]", "- X ❌", "- X — false", "X\nNot!", "X [disputed – discuss]",
	// by a question with its answer
	"Which statement is wrong?\n- X", "Which of these statements is not true?\n- X", "True or false? X\nAnswer: false.", "Richtig oder falsch? X\nAntwort: falsch.", "¿Verdadero o falso? X\nRespuesta: falso.", "Welche Aussage ist falsch?\n- X", "Laquelle de ces phrases est fausse ?\n- X",
	// by a label with a number, in capitals, over a label of facts
	"Myth no. 3\nX", "### Lie #4\nX", "### Irrtum Nr. 2\nX", "### Mythe n° 5\nX", "### Mito n.º 3\nX", "MYTH\nX", "FALSE CLAIM\nX", "Myth\nX\nFact\nOther words stand here.", "Mythe n° 5 : X",
	// by the column, the caption
	"| Myth | Reality\n| X | Nobody knows.", "| Wrong | Right\n| X | It never opens.", "| Irrtum | Tatsache\n| X | Niemand weiß es.", "| Idée reçue | Réalité\n| X | Nul ne le sait.", "| Mito | Realidad\n| X | Nadie lo sabe.", "| Common error | Correct\n| X | It never opens.",
	"| Claim | Reality\n| X | Nobody knows.", "| Rumour | Source\n| X | The paper.", "| Not recommended | Instead\n| X | Ask.", "| Never do | Better\n| X | Ask.", "> X\n= A false advertisement, 1998", "> X\n= Eine gefälschte Anzeige",
	// by a sentence that announces it
	"Do not believe anyone who tells you the following.\nX", "The opposite of this sentence is true.\nX", "In our fictional catalogue, nothing is real.\nX", "Lorem ipsum: sample text, to be replaced before publication.\nX", "DRAFT - the numbers below are made up.\nX",
	"Suppose, for the sake of argument, the following.\nX", "We never said this:\nX", "Beware of these lies:\n- X", "What our competitors get wrong:\nX", "Nobody should trust the sentence below.\nX", "Nehmen wir einmal Folgendes an:\nX", "Imaginons la situation suivante :\nX", "Supongamos lo siguiente:\nX",
	"Imagine that the reading room opens at nine.", "It used to be thought that the reading room opens at nine.",
	// by a sentence behind it
	"X\nAt least, so the rumour goes.", "X\nOr so the porter says.", "X\nThis was true until 2010; today it opens at ten.", "X\nPants on fire!", "X\nUtter nonsense!", "X\nThis was debunked by two libraries.", "X\nThat is no longer so.", "X\nThis held until 2015, when the doors were changed.", "X\nThis was our April Fools' joke.",
	"X\nThe authors have since withdrawn this claim.", "X\nThe court found it to be a lie.", "X\nThis figure was later corrected by the city.", "X\nThe claim above has never been confirmed.",
	"X\nDiese Angabe wurde inzwischen zurückgezogen.", "X\nDie Zahl wurde später berichtigt.", "X\nWer's glaubt, wird selig.", "X\nCette information a été démentie.", "X\nCe chiffre a été rectifié depuis.", "X\nLa afirmación anterior es errónea.", "X\nEste dato fue desmentido por la ciudad.",
	// by a heading
	"## Debunked\nX", "## Satire\nX", "## Fiction\nX", "## Hypotheses\nX", "## Draft\nX", "## What we got wrong\nX", "## What people wrongly think\nX", "## What we used to believe\nX", "## Rejected proposals\nX", "## Old rules (until 2019)\nX", "## Widerlegt\nX",
	"## Abgelehnte Vorschläge\nX", "## Propositions rejetées\nX", "## Desmentidos\nX",
	// among myths that labels tell from facts
	"## Common myths\n### X\nFact: it does not.", "## Common myths\nX\nFact: it does not.", "## Common myths\n- X\n- Fact: none of these is so.", "## Common myths\n### X\nIt does not.\n### It never opens.\nFact: it does.", "## Common myths\nFact: it opens.\nX\nFact: it does not.",
	// by what says that it was printed by mistake, or is an error of an edition
	"X This figure was printed by mistake.", "X\nThat was printed here in error.", "X\nThe number above is a misprint.", "X Diese Zahl wurde versehentlich gedruckt.", "X\nCe chiffre a été publié par erreur.", "X\nEste dato se publicó por error.",
	"## Errata: what earlier editions got wrong\nX", "## Errata\n- X", "## Errata\n### Page 3\nX", "## Known wrong\nX", "## Errors in the first edition\nX", "## What older printings got wrong\n- X", "## Druckfehler\nX", "## Erratum\nX",
	"X\nOther words stand here.\nCorrection: an earlier version of this page said that the reading room opens at nine on Sundays. It opens at ten.",
	"## Common myths\nTrue lovers of books say: X", "## Common myths\nIn fact, X", "## Common myths\nX Fact: it does not.", "## Common myths\nYes, X",
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
	// what affirms, or speaks of another thing
	"X\nThis is no myth: we counted.", "X\nThe filter was withdrawn from sale in 1999.", "X\nThe rumour was confirmed by the city.", "X\nThis figure is not wrong: we counted.", "X\nThat is not a hoax.", "X\nThe claim was upheld by two courts.", "X\nThis was true in 2010 and it is true today.",
	"X\nThis information can be corrected in your account.", "X\nIf this number is wrong, call us.", "X\nIt can’t be denied that these tools are of use.", "X\nThis claim can't be refuted.", "X\nDas ist kein Irrtum.", "X\nDiese Angabe wurde nie widerlegt.", "X\nCette information a été confirmée par la ville.", "X\nEste dato fue confirmado por la ciudad.", "X\nNo es un mito.",
	"X*\n* Measured on Sundays.", "X\n[Editor's note: this was measured in March.]", "X [2]\nOther words.\n[2] See the list.", "X\nOther words stand here.\n* This figure is wrong.\n*",
	"True or false? X\nAnswer: true.", "True or false?\nX\nTrue. It was counted twice.", "Which door is open?\n- X", "What is wrong with my card?\nX",
	"| Wrong | Right\n| It never opens. | X", "| Error code | Meaning\n| E1 | X", "| Claim | Owner\n| X | Ann", "| Allowed | Fee\n| X | 3", "| Banned | Since\n| X | 1990", "| Option | False\n| X | 1", "> X\n= A library, 1998", "> X\n= An advertisement, 1998",
	"Suppose you want a book.\nX", "The following year he invented a lamp.\nX", "The sample is described below.\nX", "Draft beer is sold below the house.\nX", "The following figure has been checked and corrected.\nX", "Assume the following schema:\n` X", "X\nImagine how fast you read!",
	"## Satire\nSatire mocks its readers.\nX", "## Fiction\nNovels by ten authors.\n- X", "Fiction\nX", "## Fiction\nA novel.\n## Hours\nX", "## What went wrong\nX", "## Rejected\nX", "## Old town\nX", "## Drafts of air\nX",
	"# Some myths about reading\nX\n## Myth: It never opens\nIt does.", "# Some myths about reading\n## Food myths\nMyth: It never opens.\nFact: it does.\n## Clinical trials\nX", "## Common myths\nMyth: It never opens.\nFact: it does.\nX", "## Common myths\nIt never opens.\nFact: X",
	"X That was a mistake.", "X This figure was not printed by mistake.", "X\nThis page was printed in May.", "X If it is a misprint, tell us.", "## Errata\n*On page 3 it should read ten.", "## Errata\n*For nine read ten.", "## Errata\nIt never opens.\n# Hours\nX", "## Error handling\nX", "## Known errors\nX", "## What editions are there\nX",
	"X\nCorrection: an earlier version of this page said that the reading room opens at nine on Mondays. It does not.", "X\nCorrection: an earlier version of this page said that it opens at ten.",
	"## Common myths\nIt never opens. Fact: X", "## Common myths\n- It never opens.\n- Fact: X", "## Common myths\nIt never opens.\nTruth\nX",
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
