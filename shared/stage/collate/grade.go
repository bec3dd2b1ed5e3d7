package collate

import "wstk/shared/wstk"

// grade says how well an extraction is grounded. Conflicts come before inference,
// inference before agreement of independent sources, and that before a single
// one. An extraction without statements is a single source's at best; whoever
// shows it shows its gaps.
func grade(x wstk.Extraction, w weights) wstk.Grade {
	if len(x.Conflicts) > 0 {
		return wstk.Conflicted
	}
	for _, s := range x.Statements {
		if s.Support != wstk.SupportDirect {
			return wstk.Inferred
		}
	}
	if w.backing >= 2 {
		return wstk.Verified
	}
	return wstk.SingleSource
}
