package extract

import "strings"

// synonymGroups are words that English texts use for one another when they ask
// for facts and when they state them. A synonym counts less than the query's own
// word, so a wrong one costs little. Nothing here is particular to a subject.
var synonymGroups = []string{
	// how much, how large, how long
	"maximum max largest highest biggest most limit greatest upper longest widest",
	"minimum min smallest lowest least fewest oldest earliest lower",
	"limit maximum bound cap limited limits restriction exceed", "big large size huge",
	"small smaller little tiny", "long length longer lasts duration",
	"deep deeply depth levels nesting", "wide width wider", "high height tall",
	"heavy weight weighs", "fast quick quickly faster speed performance", "slow slower slowly",
	"many number count several multiple", "cost price fee charge costs pay paid",
	"save saves saving less fewer reduce reduces reduction",
	"grow increase increases increased larger",
	"shrink smaller reduce compact", "age old years",
	// when, since when
	"begin start started starting began begun beginning", "end finish stop ended terminate",
	"introduced added new available since arrived arrive appeared appear",
	"released release published launched",
	"founded founder established started begun created formed", "died death deceased", "born birth",
	"oldest earliest first", "latest newest current recent",
	"often frequently every interval periodically", "wait waits timeout sleep delay",
	// what happens
	"remove delete drop erase removing deleting deleted removed purge discard",
	"create make build generate creates made constructed",
	"change modify alter edit update changed modified switch set",
	"replace replaced replaces substitute instead superseded took",
	"cut truncate truncated shorten trim truncation",
	"allow allowed permit permitted may let lets permits",
	"forbid forbidden prohibited disallowed disallow",
	"require required requires need needs needed must necessary mandatory",
	"enable enabled activate on turn switch toggle",
	"disable disabled deactivate off turn switch toggle",
	"reject rejected refuse refused invalid error malformed",
	"fail fails failure error failed crash", "fix repair solve resolve correct",
	"use used uses using utilize employ", "work works operate function",
	"support supported supports compatible", "store stored keep keeps kept save saved hold",
	"send sent transmit", "receive get gets obtain", "show display displays shown list lists print",
	"contain contains include includes holds comprise", "write written wrote", "read reading reads",
	"cause causes reason because", "check checks checked test verify",
	"run runs running execute executes executed", "restart reload graceful",
	"undo revert reverse rollback", "recover recovery restore restored",
	"move migrate upgrade transfer", "split divide partition", "join combine merge connect",
	"lock locked locking", "wrap enclose escape escaped", "sell distribute redistribute " +
		"commercial", "ship distribute deliver shipping delivery", "buy purchase order",
	"win won winner", "lose lost defeated", "lead led head chief leads", "teach taught teacher",
	"study studied student",
	// who, where
	"author written wrote writer", "creator created founder invented inventor designed",
	"located location address situated based", "maintain maintained maintainer maintainers",
	"company firm corporation business", "job position vacancy career employment",
	"salary pay wage compensation", "doctor physician", "car vehicle automobile", "film movie",
	"child kid children", "staff team employees personnel", "customer client user",
	"owner owned owns belongs",
	// how it is called, what it is
	"called named name known term", "kind type sort category", "meaning means mean stands",
	"abbreviation abbreviated stands short", "licence license licensing licensed copyright",
	"difference differ different versus", "advantage advantages benefit benefits good pro",
	"disadvantage disadvantages drawback drawbacks bad con",
	"default defaults initially initial unless standard", "option setting parameter flag",
	"mistake bug error problem issue", "folder directory", "picture image photo",
	"part portion subset some partial", "whole entire complete full", "same equal identical",
	"contact reach", "phone telephone tel", "email e-mail mail", "open opening opens hours",
	"close closing closes closed",
	"apostrophe quote quotes quotation single-quote", "text string strings", "literal constant",
	"built-in builtin native included", "optional optionally", "safe safely secure",
	"free gratis charge", "permission permissions rights",
	"simultaneous simultaneously concurrent concurrently concurrency same",
	"automatic automatically auto", "manual manually",
}

var synonymIndex = func() map[string][]string {
	m := map[string][]string{}
	for _, g := range synonymGroups {
		ws := strings.Fields(g)
		for _, a := range ws {
			for _, b := range ws {
				if a != b {
					m[a] = append(m[a], b)
				}
			}
		}
	}
	return m
}()

func synonymsOf(w string) []string { return synonymIndex[strings.ToLower(w)] }

// lightWords carry a question along and say little about its answer; a page that
// answers often does without them.
var lightWords = set(`make makes making put get gets getting use uses used using work works do does
	done let take takes taken took come comes go goes give gives keep keeps find want need needs
	have has had many much one ones any some first current currently inside possible possibly ever
	still also already actually really other another different certain thing things way ways
	something someone anything else time times kind kinds happen happens happened mean means called
	known exactly right good bad best better like able available there without within between during
	after before under over up down out through long big large small number value values set sets
	say says said see tell know change changes allow allowed specific given several each per both
	various main own together whether single normally usually often deep deeply old far tall high
	wide heavy fast quickly frequently soon late early look looks looked looking meant intended
	supposed run runs running`)
