package recall

import (
	"slices"
	"strings"
	"sync"

	"wstk/shared/text"
)

// Words that ask for the same thing. The lists are general on purpose: nothing in
// them is particular to a site or a subject.
var synonymLists = map[string][]string{
	"en": {
		"price cost fee charge rate",
		"cheap affordable inexpensive",
		"phone telephone call tel",
		"contact email reach",
		"address location located",
		"opening open hours closed",
		"job career vacancy position employment hiring",
		"salary pay wage",
		"buy purchase order",
		"refund return reimbursement",
		"delivery shipping ship",
		"staff team employee",
		"founder founded established",
		"maximum max limit largest upper",
		"minimum min smallest least lower",
		"default standard initial",
		"error failure problem",
		"fix solve repair resolve",
		"remove delete drop erase",
		"create make add new",
		"change modify alter edit update",
		"enable activate",
		"disable deactivate",
		"fast quick speed performance",
		"size length large",
		"option setting parameter flag",
		"configure configuration setup",
		"install installation setup",
		"begin start",
		"stop end terminate",
		"show display list",
		"directory folder",
		"picture image photo",
		"doctor physician",
		"car vehicle automobile",
		"movie film",
		"licence license copyright",
		"author writer created",
		"version release",
		"difference differ versus compare comparison",
		"support supported compatible",
		"require required requirement need",
		"forbid prohibited disallow",
		"volunteer volunteering",
		"course class lesson",
		"child kid",
	},
	"de": {
		"preis kosten gebühr tarif", "telefon anrufen rufnummer", "kontakt email erreichen", "adresse anschrift standort",
		"öffnungszeiten geöffnet", "stelle job karriere stellenangebot", "kaufen bestellen", "maximal höchstens grenze",
		"minimal mindestens", "fehler problem", "löschen entfernen", "ändern bearbeiten", "auto fahrzeug",
	},
	"fr": {
		"prix coût tarif frais", "téléphone appeler numéro", "contact courriel email", "adresse lieu", "horaires ouverture ouvert",
		"emploi poste carrière recrutement", "acheter commander", "maximum limite", "minimum moins", "erreur problème",
		"supprimer effacer", "modifier changer", "voiture véhicule",
	},
	"es": {
		"precio costo coste tarifa", "teléfono llamar", "contacto correo email", "dirección ubicación", "horario abierto apertura",
		"empleo trabajo vacante puesto", "comprar pedir", "máximo límite", "mínimo menos", "error problema fallo",
		"eliminar borrar", "cambiar modificar", "coche auto vehículo",
	},
}

type wordGroup struct{ words, tokens []string }

var thesaurusCache sync.Map // language → []wordGroup

// thesaurus returns the lists of lang as tokens, none for a language without.
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
