package text

import (
	_ "embed"
	"strings"
	"sync"

	"wstk/shared/lexicon"
)

// abbrKind tells what a full stop behind a word means.
type abbrKind byte

const (
	abbrNone   abbrKind = iota
	abbrNever           // Dr. e.g.: the sentence goes on
	abbrNumber          // No. fig.: it goes on when a number follows
	abbrUpper           // etc.: it ends when a capital follows
	abbrMaybe           // Inc. p.m. U.S.: it ends when a word follows that begins sentences
	abbrUnit            // г. in Russian: a year behind a number, a town before a name
)

//go:embed abbreviations.txt
var abbreviationFile string

// abbreviations are those of abbreviations.txt by language and in lower case. "mul" holds
// those that many languages of the Latin script share.
var abbreviations = sync.OnceValue(func() map[string]map[string]abbrKind {
	m := map[string]map[string]abbrKind{}
	l := lexicon.Parse(abbreviationFile)
	for k, family := range []string{"never", "number", "upper", "maybe", "unit"} {
		for e := range l.Entries(family) {
			if m[e.Lang()] == nil {
				m[e.Lang()] = map[string]abbrKind{}
			}
			m[e.Lang()][e.Phrase()] = abbrNever + abbrKind(k)
		}
	}
	return m
})

// abbreviationsOf returns the tables to ask in turn. Cyrillic ones cannot be
// mistaken for Latin ones, so Russian's always count.
func abbreviationsOf(lang string) []map[string]abbrKind {
	code := Language(lang)
	if code == "nb" || code == "nn" {
		code = "no"
	}
	all := abbreviations()
	own, ok := all[code]
	if !ok || code == "" || code == "ru" {
		own = all["en"]
	}
	return []map[string]abbrKind{own, all["ru"], all["mul"]}
}

// ordinalDots are the languages that write 3. for third.
var ordinalDots = WordSet("de da no nb nn fi hu cs sk sl hr sr bs tr et lv is pl")

// starters are words that begin a sentence and hardly follow an abbreviation or
// an initial within one.
var starters = WordSet(`the a an in on at it its he she they we you i this that these those there here but and or so
	if when while as after
	before although though because since however also then thus therefore moreover furthermore
	meanwhile all both each some many most
	his her their our my your what who where why how for from by with to not no one two such once
	during under according mr mrs ms
	el la los las un una en se su sus es este esta por para con no como cuando aunque sin según
	tras desde y
	le les l une des dans il elle ils elles on ce cette ces son sa ses au aux pour avec sur mais
	comme après selon
	der die das den dem ein eine im am er sie es wir ich dies diese dieser dieses auch aber bei
	nach mit seit doch als wenn zum zur
	il lo gli uno nel nella si è per con ma che questo questa
	o os as um uma no na ele ela
	het een de hij zij ze in op dit deze maar
	det den en ett i på han hon de et som men
	он она оно они мы вы я это этот эта эти в на по с и но а из за для при после также его её их
	как когда если`)

func isStarter(word string) bool { return starters[strings.ToLower(word)] }
