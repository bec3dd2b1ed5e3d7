package recall

import (
	"slices"
	"strings"
	"sync"

	"wstk/shared/text"
)

// synonymLists are words that ask for the same thing, a list on each line, by language.
// The lists are general on purpose: none belongs to one site or subject.
var synonymLists = map[string][]string{
	"en": {
		"price cost fee charge",
		"cheap affordable inexpensive",
		"phone telephone tel",
		"email mail contact",
		"address location",
		"hours opening open",
		"job career vacancy employment hiring",
		"salary pay wage",
		"buy purchase order",
		"refund reimbursement return",
		"delivery shipping",
		"staff employee team",
		"founder founded established",
		"maximum max limit largest",
		"minimum min smallest least",
		"default standard",
		"error failure problem",
		"fix repair resolve",
		"remove delete drop erase",
		"shrink reduce smaller",
		"grow increase larger bigger",
		"create add make",
		"change modify alter edit update",
		"enable activate",
		"disable deactivate",
		"fast quick speed performance",
		"slow speed performance",
		"option setting parameter flag",
		"configure configuration setup",
		"install installation setup",
		"begin start",
		"stop end terminate",
		"show display",
		"directory folder",
		"picture image photo",
		"doctor physician",
		"car vehicle automobile",
		"movie film",
		"license copyright",
		"author writer",
		"version release",
		"difference differ compare comparison",
		"support supported compatible",
		"require required requirement need",
		"forbid forbidden prohibited",
		"allow allowed permit permitted",
		"volunteer volunteering",
		"course class lesson",
		"child kid",
	},
	"de": {
		"preis kosten gebühr tarif", "telefon anrufen rufnummer", "kontakt email erreichen",
		"adresse anschrift standort",
		"öffnungszeiten geöffnet", "stelle job karriere stellenangebot", "kaufen bestellen",
		"maximal höchstens grenze",
		"minimal mindestens", "fehler problem", "löschen entfernen",
		"ändern bearbeiten", "auto fahrzeug",
	},
	"fr": {
		"prix coût tarif frais", "téléphone appeler numéro", "contact courriel email",
		"adresse lieu", "horaires ouverture ouvert",
		"emploi poste carrière recrutement", "acheter commander", "maximum limite",
		"minimum moins", "erreur problème",
		"supprimer effacer", "modifier changer", "voiture véhicule",
	},
	"es": {
		"precio costo coste tarifa", "teléfono llamar", "contacto correo email",
		"dirección ubicación", "horario abierto apertura",
		"empleo trabajo vacante puesto", "comprar pedir", "máximo límite", "mínimo menos",
		"error problema fallo",
		"eliminar borrar", "cambiar modificar", "coche auto vehículo",
	},
}

type wordGroup struct{ words, tokens []string }

var thesaurusCache sync.Map // language → []wordGroup

// thesaurus returns the lists of lang as tokens, and nil if lang has no lists.
func thesaurus(lang string) []wordGroup {
	if l, ok := thesaurusCache.Load(lang); ok {
		return l.([]wordGroup)
	}
	var out []wordGroup
	for _, line := range synonymLists[lang] {
		var g wordGroup
		for _, w := range strings.Fields(line) {
			ts := text.Tokenize(w, lang)
			if len(ts) == 1 && !slices.Contains(g.tokens, ts[0].Text) {
				g.words = append(g.words, w)
				g.tokens = append(g.tokens, ts[0].Text)
			}
		}
		out = append(out, g)
	}
	thesaurusCache.Store(lang, out)
	return out
}
