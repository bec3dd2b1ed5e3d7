package search

// languageList are languages by ISO 639-1 code, named in English, German, French, Spanish,
// Italian, Portuguese, Dutch and in themselves; what is spelled like one before is left
// out.
const languageList = `
en English|Englisch|Englischer|anglais|inglés|inglese|inglês|Engels
de German|Deutsch|Deutscher|allemand|alemán|tedesco|tedesca|alemão|Duits
fr French|Französisch|Französischer|français|francés|francese|francês|Frans
es Spanish|Spanisch|Spanischer|espagnol|español|castellano|spagnolo|spagnola|espanhol|castelhano|Spaans
it Italian|Italienisch|Italienischer|italien|italiano|italiana|Italiaans
pt Portuguese|Portugiesisch|portugais|portugués|portoghese|português|Portugees
nl Dutch|Niederländisch|Holländisch|néerlandais|neerlandés|holandés|olandese|holandês|neerlandês|Nederlands
sv Swedish|Schwedisch|suédois|sueco|svedese|Zweeds|svenska
no Norwegian|Norwegisch|norvégien|noruego|norvegese|norueguês|Noors|norsk
da Danish|Dänisch|danois|danés|danese|dinamarquês|Deens|dansk
fi Finnish|Finnisch|finnois|finlandés|finés|finlandese|finlandês|Fins|suomeksi
pl Polish|Polnisch|polonais|polaco|polacco|polonês|Pools|polski
cs Czech|Tschechisch|tchèque|checo|ceco|tcheco|Tsjechisch|čeština
hu Hungarian|Ungarisch|hongrois|húngaro|ungherese|Hongaars|magyarul
ro Romanian|Rumänisch|roumain|rumano|rumeno|romeno|Roemeens|română
el Greek|Griechisch|grec|griego|greco|grego|Grieks
bg Bulgarian|Bulgarisch|bulgare|búlgaro|bulgaro|Bulgaars
ru Russian|Russisch|russe|ruso|russo|русском
uk Ukrainian|Ukrainisch|ukrainien|ucraniano|ucraino|Oekraïens
tr Turkish|Türkisch|turc|turco|Turks|türkçe
ar Arabic|Arabisch|arabe|árabe|arabo
he Hebrew|Hebräisch|hébreu|hebreo|ebraico|hebraico|Hebreeuws
fa Persian|Farsi|Persisch|persan|persa|persiano|Perzisch
hi Hindi|hindou
zh Chinese|Mandarin|Chinesisch|chinois|chino|cinese|chinês|Chinees
ja Japanese|Japanisch|japonais|japonés|giapponese|japonês|Japans
ko Korean|Koreanisch|coréen|coreano|Koreaans
vi Vietnamese|Vietnamesisch|vietnamien|vietnamita|Vietnamees
th Thai|Thailändisch|thaï|tailandés|tailandese|tailandês
id Indonesian|Indonesisch|indonésien|indonesio|indonesiano|indonésio
ca Catalan|Katalanisch|catalán|català|catalano|catalão|Catalaans
`

// languageCodes are the codes that lang: takes.
var languageCodes = []string{"af", "am", "ar", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "en", "eo", "es", "et", "eu", "fa", "fi", "fr",
	"ga", "gl", "gu", "he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka", "kk", "km", "kn", "ko", "ky", "la", "lb", "lo", "lt", "lv", "mk", "ml", "mn",
	"mr", "ms", "mt", "my", "nb", "ne", "nl", "nn", "no", "pa", "pl", "ps", "pt", "ro", "ru", "si", "sk", "sl", "sq", "sr", "sv", "sw", "ta", "te", "tg", "th",
	"tl", "tr", "uk", "ur", "uz", "vi", "zh", "zu"}

// countryList are countries by ISO 3166-1 code, and the EU, named in English, German,
// French, Spanish, Italian, Portuguese, Dutch and in themselves. Georgia is not there: it
// may be the state.
const countryList = `
EU EU|E.U|UE|European Union|Europäische Union|Europäischen Union|Union européenne|Unión Europea|Unione Europea|União Europeia|Europese Unie
US US|U.S|USA|U.S.A|United States|United States of America|Vereinigte Staaten|Vereinigten Staaten|États-Unis|EE.UU|EEUU|Estados Unidos|Stati Uniti|EUA|Verenigde Staten|VS
GB UK|U.K|United Kingdom|Great Britain|Britain|Vereinigtes Königreich|Vereinigten Königreich|Großbritannien|Royaume-Uni|Grande-Bretagne|Reino Unido|Gran Bretaña|Regno Unito|Gran Bretagna|Grã-Bretanha|Verenigd Koninkrijk|Groot-Brittannië
DE Germany|Deutschland|Allemagne|Alemania|Germania|Alemanha|Duitsland
AT Austria|Österreich|Autriche|Áustria|Oostenrijk
CH Switzerland|Schweiz|Suisse|Suiza|Svizzera|Suíça|Zwitserland
FR France|Frankreich|Francia|França|Frankrijk
ES Spain|Spanien|Espagne|España|Spagna|Espanha|Spanje
IT Italy|Italien|Italie|Italia|Itália|Italië
PT Portugal|Portogallo
NL Netherlands|Holland|Niederlande|Niederlanden|Pays-Bas|Países Bajos|Paesi Bassi|Olanda|Países Baixos|Holanda|Nederland
BE Belgium|Belgien|Belgique|Bélgica|Belgio|België
LU Luxembourg|Luxemburg|Luxemburgo|Lussemburgo
IE Ireland|Irland|Irlande|Irlanda|Ierland
DK Denmark|Dänemark|Danemark|Dinamarca|Danimarca|Denemarken
SE Sweden|Schweden|Suède|Suecia|Svezia|Suécia|Zweden
NO Norway|Norwegen|Norvège|Noruega|Norvegia|Noorwegen
FI Finland|Finnland|Finlande|Finlandia|Finlândia
IS Iceland|Island|Islande|Islandia|Islanda|Islândia|IJsland
PL Poland|Polen|Pologne|Polonia|Polônia|Polónia
CZ Czech Republic|Czechia|Tschechien|République tchèque|Tchéquie|República Checa|Repubblica Ceca|Cechia|Chéquia|Tchéquia|Tsjechië
SK Slovakia|Slowakei|Slovaquie|Eslovaquia|Slovacchia|Eslováquia|Slowakije
HU Hungary|Ungarn|Hongrie|Hungría|Ungheria|Hungria|Hongarije
RO Romania|Rumänien|Roumanie|Rumania|Rumanía|Roménia|Romênia|Roemenië
BG Bulgaria|Bulgarien|Bulgarie|Bulgária|Bulgarije
GR Greece|Griechenland|Grèce|Grecia|Grécia|Griekenland
HR Croatia|Kroatien|Croatie|Croacia|Croazia|Croácia|Kroatië
UA Ukraine|Ucrania|Ucraina|Ucrânia|Oekraïne
RU Russia|Russland|Russie|Rusia|Rússia|Rusland
TR Turkey|Türkiye|Türkei|Turquie|Turquía|Turchia|Turquia|Turkije
CA Canada|Kanada|Canadá
MX Mexico|Mexiko|Mexique|México|Messico
BR Brazil|Brasilien|Brésil|Brasil|Brasile|Brazilië
AR Argentina|Argentinien|Argentine|Argentinië
CL Chile|Chili|Cile
CO Colombia|Kolumbien|Colombie|Colômbia
AU Australia|Australien|Australie|Austrália|Australië
NZ New Zealand|Neuseeland|Nouvelle-Zélande|Nueva Zelanda|Nueva Zelandia|Nuova Zelanda|Nova Zelândia|Nieuw-Zeeland
IN India|Indien|Inde|Índia
CN China|Chine|Cina
JP Japan|Japon|Japón|Giappone|Japão
KR South Korea|Südkorea|Corée du Sud|Corea del Sur|Corea del Sud|Coreia do Sul|Zuid-Korea
ID Indonesia|Indonesien|Indonésie|Indonésia|Indonesië
SG Singapore|Singapur|Singapour|Cingapura|Singapura
IL Israel|Israël|Israele
AE UAE|United Arab Emirates|Vereinigte Arabische Emirate|Vereinigten Arabischen Emiraten|Émirats arabes unis|Emiratos Árabes Unidos|Emirati Arabi Uniti|Emirados Árabes Unidos|Verenigde Arabische Emiraten
SA Saudi Arabia|Saudi-Arabien|Arabie saoudite|Arabia Saudí|Arabia Saudita|Arábia Saudita|Saoedi-Arabië
ZA South Africa|Südafrika|Afrique du Sud|Sudáfrica|Sudafrica|África do Sul|Zuid-Afrika
EG Egypt|Ägypten|Égypte|Egipto|Egitto|Egito|Egypte
NG Nigeria|Nigéria
KE Kenya|Kenia|Quênia
MA Morocco|Marokko|Maroc|Marruecos|Marocco|Marrocos
VN Vietnam|Viêt Nam|Vietname|Vietnã
TH Thailand|Thaïlande|Tailandia|Thailandia|Tailândia
PH Philippines|Philippinen|Filipinas|Filippine|Filipijnen
PK Pakistan|Pakistán|Paquistão
`

// countryCodes are the codes that geo: takes, each with a space behind: those of ISO 3166-1
// and EU.
const countryCodes = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL " +
	"CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET EU FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM " +
	"HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN " +
	"MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH " +
	"SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW "
