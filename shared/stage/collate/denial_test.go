package collate

import (
	"slices"
	"strings"
	"testing"

	"wstk/shared/wstk"
)

// denied are passages that take back, or leave open, what stands between the braces; what
// follows " // " stands in the next block, what stands before " \\ " in the one before.
var denied = []string{
	"It is not true that {the drug is safe}.",
	"X denied that {the drug is safe}.",
	"The ministry denies that {the drug is safe}.",
	"Contrary to the claim that {the drug is safe}, it harms.",
	"There is no evidence that {the drug is safe}.",
	"If it is taken with water, {the drug is safe}.",
	"{The drug is safe} if it is taken with water.",
	"{The drug is safe}, unless it is taken with milk.",
	"Unless you are pregnant, {the drug is safe}.",
	"It was once said that {the drug is safe}.",
	"Myth: {the drug is safe}.",
	"False: {the drug is safe}.",
	"It is not recommended to {take the drug daily}.",
	"That {the drug is safe} is false.",
	"{The drug is safe} is a myth.",
	"The rule that {the drug is safe} is no longer the case.",
	"Nobody believes that {the drug is safe}.",
	"According to a hoax, {the drug is safe}.",
	"Is it true that {the drug is safe}?",
	"{Is the drug safe}? No.",
	"Who says that {the drug is safe}?",
	"The company claims that {the drug is safe}.",
	"Allegedly {the drug is safe}.",
	"He pretended that {the drug is safe}.",
	"Critics dispute that {the drug is safe}.",
	"It has never been shown that {the drug is safe}.",
	"Scientists rejected the idea that {the drug is safe}.",
	"Many people wrongly believe {the drug is safe}.",
	"{The drug is safe}, said nobody ever.",
	"{The drug is safe} for no one.",
	"{The drug is safe} only in theory.",
	"{The drug is safe}, which is wrong.",
	"It is a common misconception, spread by ads, that {the drug is safe}.",
	"Not all doctors think that {the drug is safe}.",
	"We cannot say that {the drug is safe}.",
	"{The drug is safe}. That is false.",
	"{The drug is safe.} This is a myth.",
	"{The drug is safe.} This claim has been debunked.",
	"{The drug is safe.} // This is not true.",
	"{The drug is safe.} Wrong!",
	"{The drug is safe.} That is no longer the case.",
	"The following is false: \\ {The drug is safe.}",
	"Common myths: \\ {The drug is safe.}",
	"In the novel, {the drug is safe}.",
	"It would be nice if {the drug were safe}.",
	"Don't assume that {the drug is safe}.",
	"{The drug is safe}\tFalse",
	"{The drug is safe}\tMyth",
	"{Vaccines cause autism} // Rating: False",
	"{Vaccines cause autism} // Verdict: Mostly false",
	"{Vaccines cause autism} // We rate this Pants on Fire.",
	"{Vaccines cause autism} // There is no evidence for this.",
	"{Vaccines cause autism} // Experts call this nonsense.",
	"{Vaccines cause autism.} Doctors deny it.",
	"{Vaccines cause autism.} Or so they said for years. Scientists have shown the contrary.",
	"{Vaccines cause autism.} Scientists have long since debunked this claim.",
	"{Vaccines cause autism.} Not so.",
	"{Vaccines cause autism.} Wrong again.",
	"{Vaccines cause autism.} Or so he lied.",
	"{Vaccines cause autism.} PS: I made this up.",
	"{Vaccines cause autism.} Nothing of this is so.",
	"{Vaccines cause autism.} Which is nonsense.",
	"{Vaccines cause autism.} Of course not.",
	"{Vaccines cause autism.} Busted!",
	"{Vaccines cause autism.} At least they say so.",
	"{Vaccines cause autism.} Not!",
	"{Vaccines cause autism.} 🚫",
	"{Vaccines cause autism.} // 👎",
	"{Vaccines cause autism.} // ❌",
	"Imagine this. {Vaccines cause autism.}",
	"Let us assume the following. {Vaccines cause autism.}",
	"What if? \\ {Vaccines cause autism.}",
	"MYTH \\ {Vaccines cause autism.}",
	"Myth #1 \\ {Vaccines cause autism.}",
	"{Vaccines cause autism}\tMostly false",
	"{Vaccines cause autism}\tPants on Fire",
	"{Vaccines cause autism}\tNo evidence",
	"{Vaccines cause autism}\tDebunked in 2010",
	"{Vaccines cause autism}\tRefuted",
	"{Vaccines cause autism}\tF",
	"{Vaccines cause autism}\tBusted",
	// other languages
	"Es ist nicht wahr, dass {das Mittel sicher ist}.",
	"Der Hersteller bestreitet, dass {das Mittel sicher ist}.",
	"Dass {das Mittel sicher ist}, stimmt nicht.",
	"Angeblich {ist das Mittel sicher}.",
	"{Das Mittel ist sicher.} Das ist falsch.",
	"Il est faux que {le produit soit sûr}.",
	"Aucune preuve que {le produit soit sûr}.",
	"Le ministre nie que {le produit soit sûr}.",
	"No es cierto que {el producto sea seguro}.",
	"Según un bulo, {el producto es seguro}.",
	"Non è vero che {il prodotto sia sicuro}.",
	"Não é verdade que {o produto seja seguro}.",
	"Het is niet waar dat {het middel veilig is}.",
	"Неправда, что {препарат безопасен}.",
	"Производитель отрицает, что {препарат безопасен}.",
	"Nieprawda, że {lek jest bezpieczny}.",
	"谣言称{这种药是安全的}。",
	"并非{所有药都是安全的}。",
	"{この薬は安全}ではありません。",
	"{この薬は安全だ}というのは嘘だ。",
	"{이 약은 안전하다}는 것은 거짓이다.",
	"ليس صحيحا أن {الدواء آمن}.",
	"यह सच नहीं है कि {दवा सुरक्षित है}।",
	"{İlaç güvenlidir} iddiası doğru değil.",
}

// plain are passages that say what stands between the braces.
var plain = []string{
	"{The drug is safe.}",
	"{The drug is safe}.",
	"{It is not true that the drug is safe.}",
	"{If it is taken with water, the drug is safe.}",
	"{The drug is not safe.}",
	"{The drug is safe.} It costs $5.",
	"{The drug is safe.} It does not cost much.",
	"{The drug is safe.} This means that adults may take it.",
	"The price is not known. {The drug is safe.}",
	"{The drug is safe.} // It is wrong to hurry here.",
	"{The drug is safe.} It is false that it costs much.",
	"Is the drug safe? {The drug is safe.}",
	"The drug\t{safe for adults}\t$5",
	"{The drug is safe}\tYes",
	"{Das Mittel ist sicher.} Es kostet nicht viel.",
	"{Le produit est sûr.}",
	"{这种药是安全的。}",
	"{この薬は安全です。}",
	"Note: {the drug is safe for adults}.",
	"Price and safety: \\ {The drug is safe.}",
	"{The drug is safe.} No booking is needed.",
	"{The drug is safe.} Note that false positives occur.",
	"{The drug is safe.} Set it to false to switch it off.",
	"{The drug is safe.} // Status: open",
	"{The drug is safe.} // Rating: 5 of 5",
	"{The drug is safe.} // Verdict: true",
	"{The drug is safe.} // Parking: no car may stand here",
	"{The drug is safe.} If it is wrong, call us.",
	"{The drug is safe.} When in doubt, ask a doctor about it.",
	"{The drug is safe.} Late entries are rejected.",
	"{The drug is safe.} Ruins lie nearby.",
	"{The drug is safe.} Claim it now.",
	"{The drug is safe.} // Fake news of the week",
	"{The drug is safe.} So say all doctors.",
	"{The drug is safe.} At least they say that 5 EUR is enough.",
	"{The drug is safe.} The drug is used to treat colds.",
	"{The drug is safe.} Older drugs failed to work.",
	"{The drug is safe.} // client: false",
	"{The call returns true for drugs.} Otherwise, it returns false.",
	"{The drug is safe.} Doctors say it is no longer needed.",
	"{The drug is safe.} Drugs with these known defects are rejected.",
	"Myth and truth about pills \\ {The drug is safe.}",
	"Fact #1 \\ {The drug is safe.}",
	"We do not imagine this. {The drug is safe.}",
	"{The drug is safe}\tRefunded in 2010",
	"{Storage}\tMostly denied",
}

// passage makes a claim of what stands between the braces.
func passage(s string) Input {
	var d wstk.Document
	d.URL, d.CanonicalURL, d.Meta.Language = "https://a.example/1", "https://a.example/1", ""
	blocks := strings.NewReplacer(" // ", "\n", ` \ `, "\n").Replace(s)
	i, j := strings.Index(blocks, "{"), strings.Index(blocks, "}")
	quote := blocks[i+1 : j]
	d.Text = strings.NewReplacer("{", "", "}", "").Replace(blocks)
	at := 0
	for _, b := range strings.Split(d.Text, "\n") {
		blk := wstk.Block{Kind: wstk.BlockParagraph, Section: -1, Main: true}
		blk.ByteStart, blk.ByteEnd = at, at+len(b)
		d.Blocks = append(d.Blocks, blk)
		at += len(b) + 1
	}
	d.TextSHA256, d.SnapshotSHA256 = wstk.HashOf([]byte(d.Text)), wstk.HashOf([]byte("raw "+d.Text))
	return Input{Query: "q", Strategy: wstk.Singular, Strict: true, Pages: []*wstk.Document{&d},
		Items: []Item{claimOf(&d, quote, "")}}
}

// Law 1: a clause that was cut off its denial is no direct answer; support is read off the
// whole sentence, and off the next one where it takes it back.
func TestSupportIsReadOffTheWholeSentence(t *testing.T) {
	if len(denied) < 60 || len(plain) < 20 {
		t.Fatalf("%d and %d passages", len(denied), len(plain))
	}
	for _, s := range denied {
		neverDirect(t, s, passage(s))
	}
	for _, s := range plain {
		if x := collated(passage(s)); len(x.Statements) != 1 ||
			x.Statements[0].Support != wstk.SupportDirect || x.Grounding != wstk.SingleSource {
			t.Errorf("%q: %+v, %s; want len(x.Statements) == 1 && x.Statements[0].Support == wstk.SupportDirect && x.Grounding == wstk.SingleSource", s, x.Statements, x.Grounding)
		}
	}
	// The quote shows the denial, the statement leaves it out.
	d := document(say{url: "https://a.example/1", text: "It is not true that the drug is safe."})
	it := claimOf(d, d.Text, "")
	it.Claim.Statement = "the drug is safe"
	if x := collated(Input{Query: "q", Items: []Item{it},
		Pages: []*wstk.Document{d}}); len(x.Statements) != 1 || x.Statements[0].Statement != d.Text ||
		x.Unsupported[0].Reason != "not_borne" {
		t.Errorf("a part of a quoted denial is stated: %+v", x.Statements)
	}
}

// neverDirect checks that a claim is inferred, or unsupported since its quote does not bear it as it
// is worded, and that it is not direct if its support is forged. In place of such a claim there may
// be the quote.
func neverDirect(t *testing.T, what string, in Input) {
	t.Helper()
	x := collated(in)
	it := in.Items[0]
	switch {
	case len(x.Unsupported) == 1 && x.Unsupported[0].Statement == it.Claim.Statement &&
		slices.Contains([]string{"not_borne", "reworded", "disagrees"}, x.Unsupported[0].Reason) &&
		!slices.ContainsFunc(x.Statements, func(s wstk.Statement) bool {
			return s.Statement != it.Evidence[0].Quote || s.Statement == it.Claim.Statement
		}):
		x.Evidence = it.Evidence
		x.Statements = []wstk.Statement{{Statement: it.Claim.Statement, Evidence: []int{0}}}
	case len(x.Statements) != 1, x.Statements[0].Support != wstk.SupportInferred,
		x.Grounding != wstk.Inferred:
		t.Errorf("%s: %+v, %s; want nothing, the quote, or an inferred statement", what, x.Statements,
			x.Grounding)
		return
	}
	x.Statements[0].Support, x.Grounding = wstk.SupportDirect, wstk.SingleSource // forged
	if r := reviewed(in.Query, x, in.Pages); r.Statements[0].Support == wstk.SupportDirect ||
		r.Grade != wstk.Inferred {
		t.Errorf("%s: a forged direct stands", what)
	}
}

// A fact check states the claim in its heading, and its verdict below.
func TestAHeadingIsReadWithItsVerdict(t *testing.T) {
	for below, want := range map[string]wstk.Support{
		"Rating: False":                       wstk.SupportInferred,
		"Verdict: Mostly false":               wstk.SupportInferred,
		"There is no evidence for this.":      wstk.SupportInferred,
		"Rating: True":                        wstk.SupportDirect,
		"A study of 2010 was read by doctors": wstk.SupportDirect,
	} {
		d := document(say{url: "https://a.example/1", section: "Vaccines cause autism", text: below})
		x := collated(Input{Query: "q", Items: []Item{claimOf(d, "Vaccines cause autism", "")}, Pages: []*wstk.Document{d}})
		if len(x.Statements) != 1 || x.Statements[0].Support != want {
			t.Errorf("%s: %+v; want len(x.Statements) == 1 && x.Statements[0].Support == want", below, x.Statements)
		}
	}
}

func TestAQuoteThatDisagreesIsNotCited(t *testing.T) {
	for _, other := range []string{
		"The drug is unsafe for adults.", "The drug is not safe for adults.", "The drug is never safe for adults in summer.",
		"It is not true that the drug is safe for adults.",
	} {
		in := inputOf(say{url: "https://a.example/1", text: "The drug is safe for adults."}, say{url: "https://b.example/2", text: other})
		one := in
		one.Items = []Item{in.Items[0]}
		one.Items[0].Claim.Proposed =
			append(one.Items[0].Claim.Proposed, in.Items[1].Claim.Proposed...)
		one.Items[0].Evidence = append(one.Items[0].Evidence, in.Items[1].Evidence...)
		x := collated(one)
		if len(x.Statements) != 2 || len(x.Statements[0].Evidence) != 1 ||
			x.Statements[1].Statement != other || x.Grounding == wstk.Verified {
			t.Errorf("%q: %+v, %s; want a statement of its own, and no agreement", other, x.Statements, x.Grounding)
		}
		x.Statements[0].Evidence = []int{0, 1} // forged
		if r := reviewed("q", x, one.Pages); len(r.Statements[0].Evidence) != 1 {
			t.Errorf("%q: a forged citation stands", other)
		}
		// Where it is all there is, nothing is stated.
		alone := one
		alone.Items = []Item{{Claim: wstk.Claim{Statement: "The drug is safe for adults.",
			Support: wstk.SupportDirect, Proposed: in.Items[1].Claim.Proposed},
			Evidence: in.Items[1].Evidence}}
		x = collated(alone)
		if other[0] == 'T' && (len(x.Statements) > 0 || len(x.Unsupported) != 1 || x.Unsupported[0].Reason != "disagrees") {
			t.Errorf("%q alone: %+v, %+v", other, x.Statements, x.Unsupported)
		}
	}
	if x := collated(inputOf(say{url: "https://a.example/1", text: "The drug is safe for adults."},
		say{url: "https://b.example/2", text: "The drug is unsafe for adults."})); x.Grounding != wstk.Conflicted {
		t.Errorf("safe and unsafe: %s", x.Grounding)
	}
}
