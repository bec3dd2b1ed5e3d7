package collate

import (
	"wstk/shared/stage/collate/page"
	"wstk/shared/wstk"
)

// grade says how well an extraction is grounded, and in words what was counted for it.
// Conflicts come before inference, inference before the agreement of two sources, and that
// before a single source. An extraction without statements has a single source at best; a
// caller that shows it shows its gaps.
//
// Verified means that two sites agree on the leading statement: same subject, attribute and
// value, and no opposite sense (see package proposition). A shared word or number is not enough,
// and pages of one site never confirm each other. If fewer than two sites say another statement,
// the words say that the agreement is on the first.
func grade(x wstk.Extraction, w weights, p *page.Set) (wstk.Grade, string) {
	if len(x.Conflicts) > 0 {
		var sides []int
		for _, c := range x.Conflicts {
			for _, s := range c.Claims {
				sides = append(sides, s.Evidence...)
			}
		}
		return wstk.Conflicted, w.counted(x, sides, p)
	}
	said := w.counted(x, w.backing, p)
	for _, s := range x.Statements {
		if s.Support != wstk.SupportDirect {
			return wstk.Inferred, said
		}
	}
	if len(w.independent(x, w.backing, p)) < 2 {
		return wstk.SingleSource, said
	}
	for _, s := range x.Statements {
		if s.Field != page.TitleField && len(w.independent(x, w.quotes.Backing(s), p)) < 2 {
			return wstk.Verified, said + wstk.OnFirst
		}
	}
	return wstk.Verified, said
}
