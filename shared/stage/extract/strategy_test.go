package extract

import (
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// Each list is written as people ask; the first lines of each are the examples of
// the system's own description.
var phrasings = map[wstk.Strategy][]string{
	wstk.Collection: {
		"Find volunteer opportunities",
		"volunteer opportunities",
		"volunteer opportunities, services, events",
		"find all X",
		"engineering positions",
		"items under $50",
		"machine learning papers from 2024",
		"3 bedroom houses downtown",
		"job listings",
		"events",
		"find products",
		"list of members of the board",
		"List the companies known to use SQLite and what they use it for",
		"All tokenizers that come with FTS5",
		"Which threading modes are there?",
		"Which locking states can a database file be in?",
		"which courses are offered in autumn",
		"What services do you offer?",
		"What kinds of membership are there?",
		"what types of accounts can I open",
		"Are there any free workshops?",
		"show me all open positions",
		"give me a list of the speakers",
		"enumerate the supported formats",
		"every restaurant in the old town",
		"names of all contributors",
		"get all press releases",
		"extract all contact persons",
		"please list the opening ceremonies",
		"what are the storage classes of SQLite?",
		"What are the available plans?",
		"apartments for rent near the station",
		"upcoming concerts",
		"lista de precios",
		"todos los cursos disponibles",
		"liste des membres du conseil",
		"toutes les formations",
		"Liste der Mitglieder",
		"alle Veranstaltungen im Mai",
		"список сотрудников",
		"перечисли все тарифы",
		"列出所有会员",
		"有哪些课程？",
		"elenco dei prodotti",
		"todos os eventos",
	},
	wstk.Singular: {
		"What is their phone number?",
		"contact email for the volunteer coordinator",
		"the contact email for the volunteer coordinator",
		"what is the default page size",
		"default page size bytes",
		"What is the largest number of tables a join can have?",
		"How many bind parameters may one statement have in current versions?",
		"On what date did write-ahead logging first become available?",
		"May I ship SQLite inside a product I sell, without paying anyone?",
		"what is a hot journal",
		"How do I put an apostrophe inside a text literal?",
		"Who started the project and still is its architect?",
		"Which base does the one-argument log() function use?",
		"Since which version are the JSON functions built in rather than an extension?",
		"Cost per year of the annual maintenance subscription?",
		"Which command lists the installed packages?",
		"Which module rewrites URLs?",
		"Which MPM uses no threads?",
		"Which status code does Redirect send by default?",
		"What does sqlite3_step() return?",
		"What does LTS stand for?",
		"What are the opening hours on Saturday?",
		"What are your business hours?",
		"What are the system requirements?",
		"When was the company founded?",
		"where is the head office",
		"who is the director",
		"find the phone number of the clinic",
		"show me the address",
		"return policy",
		"minimum age",
		"price of the premium plan",
		"Is the museum open on Mondays?",
		"Can I cancel my subscription at any time?",
		"Is list.sort() stable?",
		"¿Cuál es el número de teléfono?",
		"¿Quién ganó la Super Bowl XLIX?",
		"Combien coûte un billet ?",
		"Wie viele Mitglieder hat der Verein?",
		"Wann wurde die Firma gegründet?",
		"Сколько стоит билет?",
		"Кто выиграл Суперкубок XLIX?",
		"谁赢得了第 49 届超级碗？",
		"博物馆几点开门？",
		"status of the bus line",
		"quel est le prix du billet",
		"hours",
		"news of the week",
		"",
	},
	wstk.Narrative: {
		"What does this organization do?",
		"summarize the annual report",
		"Summarize/describe",
		"describe the architecture of the storage engine",
		"Describe WAL mode",
		"explain how backups work",
		"overview of the membership programme",
		"tell me about the founders",
		"What is this site about?",
		"How does recovery from a crash in the middle of a commit work with a rollback journal?",
		"How does rollback work",
		"history of the museum",
		"What is the difference between UNION and UNION ALL?",
		"What are the advantages of WAL mode?",
		"What is good and what is bad about memory-mapped I/O and about write-ahead logging?",
		"When would I be better off with a client/server database than with SQLite?",
		"When should I use an index?",
		"Why does SQLite let any kind of value into any column, and can I make it strict?",
		"compare the basic plan and the premium plan",
		"pros and cons of remote work",
		"¿Qué hace esta organización?",
		"resumen de la historia",
		"explícame cómo funciona el servicio",
		"Que fait cette association ?",
		"décris le projet",
		"Was macht der Verein?",
		"erkläre die Funktionsweise",
		"расскажи о компании",
		"чем занимается эта организация?",
		"总结这篇文章",
		"介绍一下这家公司",
	},
}

func TestClassify(t *testing.T) {
	n := 0
	for want, queries := range phrasings {
		for _, q := range queries {
			n++
			got, reason := Classify(q)
			if got != want {
				t.Errorf("%q is %s (%s), want %s", q, got, reason, want)
			}
			if reason == "" || strings.ContainsAny(reason, "\n") {
				t.Errorf("%q: the reason is %q, want one line", q, reason)
			}
		}
	}
	if n < 80 {
		t.Errorf("only %d phrasings", n)
	}
}

func FuzzClassify(f *testing.F) {
	for _, queries := range phrasings {
		for _, q := range queries {
			f.Add(q)
		}
	}
	f.Add("\xff\xfe what 谁")
	f.Fuzz(func(t *testing.T, q string) {
		s, reason := Classify(q)
		if s != wstk.Collection && s != wstk.Singular && s != wstk.Narrative || reason == "" {
			t.Fatalf("%q: %q, %q; want ((s == wstk.Collection || s == wstk.Singular) || s == wstk.Narrative) && reason != \"\"", q, s, reason)
		}
		for _, p := range partsOf(q) {
			if p.start < 0 || p.end > len(q) || p.start >= p.end && q != "" {
				t.Fatalf("%q: the part %v is outside of the query, or empty", q, p)
			}
		}
		for _, x := range append(wantOf(q).asking, wantOf(q).naming...) {
			if x.start < 0 || x.end > len(q) || x.start >= x.end {
				t.Fatalf("%q: the cue at %v is outside of the query, or empty", q, x)
			}
		}
	})
}
