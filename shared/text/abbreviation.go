package text

import (
	"strings"
	"sync"
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

// abbreviations by language, in lower case and without the last point. "" holds
// those that many languages of the Latin script share.
var abbreviations = sync.OnceValue(func() map[string]map[string]abbrKind {
	return map[string]map[string]abbrKind{
		"": abbrTable(
			`dr prof st vs cf e.g i.e eg ie ca approx viz resp`,
			`p pp fig figs vol no nos nr art ch chap sec par ed eds eq ref refs tab`,
			`etc`,
			`inc ltd co corp jr sr u.s u.k u.s.a d.c a.m p.m ph.d m.d b.a m.a b.c a.d jan feb mar apr jun jul aug sep sept oct nov dec dept al`),
		"en": abbrTable(
			`mr mrs ms messrs gen col sgt capt lt cmdr adm maj rev hon sen rep gov pres supt mt ft fr est incl excl misc
		 jan feb apr aug sept oct nov dec orig univ assn bros mph mme mlle`,
			`nos vols ver rev sect art op ave`,
			``,
			`ave blvd rd calif max min avg ft`),
		"es": abbrTable(
			`sr sra srta srs sres dr dra drs d da dña ud uds vd vds av avda avd c prof profa gral lic ing arq pte sto sta mons fr exc excmo
		 p.ej ej ee ff rr aprox depto dpto tel tfno máx mín gob s.m pcia cía`,
			`pág págs núm núms nº art arts vol cap fig s p`,
			`etc a.c d.c a.m p.m`,
			`ee.uu uu aa hh s.a s.l cía jr`),
		"fr": abbrTable(
			`m mm mme mmes mlle mlles me mgr dr pr st ste av apr env cf ex p.ex c.-à-d éd hab bd boul tél chap incl excl min max janv févr juil sept oct nov déc`,
			`art p pp fig vol n no nos chap t`,
			`etc j.-c`,
			`s.a`),
		"de": abbrTable(
			`z.b d.h u.a u.u o.ä u.ä s.o s.u i.d.r i.a v.a z.t z b d h bzw ca dr prof dipl ing hr hrn fr frl st evtl ggf inkl exkl vgl bspw
		 zzgl lt exkl inh mwst lfd gem ges zzt zz excl incl
		 insb usf sog mind geb gest verh tel str abt allg bes bzgl ehem einschl engl entspr franz griech lat u
		 jan feb apr aug sept okt nov dez sen hg hrsg red orig i v n chr`,
			`nr s abs art bd kap abb tab anm aufl jg ziff par bl`,
			`usw etc`,
			`mio mrd max min jr jh jhd jhdt std u.s.w n.chr v.chr g.m.b.h`),
		"it": abbrTable(
			`sig sigg sig.ra dott dott.ssa prof prof.ssa ing avv geom rag on egr gent spett p.es c.a ca s ss v vv tel f.lli`,
			`pag pagg art artt cap fig vol n num`,
			`ecc a.c d.c`,
			`s.p.a s.r.l`),
		"pt": abbrTable(
			`sr sra srs sras srta dr dra drs prof profa d exmo exma eng arq av r ltda p.ex ex aprox tel máx mín séc gov gen cel`,
			`pág págs p pp núm nº n art arts vol cap fig`,
			`etc a.c d.c`,
			`s.a ltda`),
		"nl": abbrTable(
			`dhr mevr mw dr drs ir ing mr prof bijv bv d.w.z o.a o.m i.p.v m.b.t t.a.v a.u.b ca incl excl resp vgl zgn zg max min jl st geb ong
		 t.o.v i.v.m n.a.v enz`,
			`nr blz p pag art hfdst fig afb`,
			`etc enz`,
			`n.v b.v n.chr v.chr`),
		"sv": abbrTable(
			`t.ex bl.a dvs d.v.s s.k f.d p.g.a t.o.m fr.o.m m.fl ca dr prof st resp inkl exkl max min jfr ev f ggr kl tel`,
			`nr s sid kap fig art bd`,
			`osv m.m etc`,
			`f.kr e.kr`),
		"no": abbrTable(
			`f.eks bl.a dvs d.v.s s.k p.g.a t.o.m f.o.m ca dr prof st resp inkl ekskl maks min jf ev kl tlf m.a iht ift mht pga`,
			`nr s kap fig art bd`,
			`osv m.m m.v mv etc`,
			`f.kr e.kr`),
		"da": abbrTable(
			`f.eks fx bl.a dvs d.v.s s.k p.g.a t.o.m ca dr prof skt resp inkl ekskl maks min jf evt kl tlf ifm ift mht pga`,
			`nr s kap fig art bd`,
			`osv m.m m.v mv etc`,
			`f.kr e.kr`),
		"ru": func() map[string]abbrKind {
			m := abbrTable(
				`т.е т.к т.н т.о и.о см ср напр ул пер просп пл проф акад доц ген полк кап св гр гл д кв корп стр рис табл род ум англ нем фр
			 лат греч итал исп яп кит рус тел факс прибл ок м.б зам зав`,
				`ст п пп с № разд ч т`,
				`т.д т.п др пр руб коп тыс млн млрд трлн н.э до.н.э э чел обл р-н шт экз`,
				`им мин макс`)
			for _, w := range strings.Fields("г гг в вв") {
				m[w] = abbrUnit
			}
			return m
		}(),
	}
})

// abbrTable reads four lists; in doubt a later one counts.
func abbrTable(never, number, upper, maybe string) map[string]abbrKind {
	m := map[string]abbrKind{}
	for k, list := range []string{never, number, upper, maybe} {
		for _, w := range strings.Fields(list) {
			m[w] = abbrNever + abbrKind(k)
		}
	}
	return m
}

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
	return []map[string]abbrKind{own, all["ru"], all[""]}
}

// ordinalDots are the languages that write 3. for third.
var ordinalDots = WordSet("de da no nb nn fi hu cs sk sl hr sr bs tr et lv is pl")

// starters are words that begin a sentence and hardly follow an abbreviation or
// an initial within one.
var starters = WordSet(`the a an in on at it its he she they we you i this that these those there here but and or so if when while as after
	before although though because since however also then thus therefore moreover furthermore meanwhile all both each some many most
	his her their our my your what who where why how for from by with to not no one two such once during under according mr mrs ms
	el la los las un una en se su sus es este esta por para con no como cuando aunque sin según tras desde y
	le les l une des dans il elle ils elles on ce cette ces son sa ses au aux pour avec sur mais comme après selon
	der die das den dem ein eine im am er sie es wir ich dies diese dieser dieses auch aber bei nach mit seit doch als wenn zum zur
	il lo gli uno nel nella si è per con ma che questo questa
	o os as um uma no na ele ela
	het een de hij zij ze in op dit deze maar
	det den en ett i på han hon de et som men
	он она оно они мы вы я это этот эта эти в на по с и но а из за для при после также его её их как когда если`)

func isStarter(word string) bool { return starters[strings.ToLower(word)] }
