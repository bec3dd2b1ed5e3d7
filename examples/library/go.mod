module example.com/research

go 1.26.0

require wstk v0.0.0

replace wstk => ../..

// The same stand-ins as in the go.mod of wstk itself: a replace counts only in the
// module one builds from.
replace (
	github.com/go-shiori/go-readability => ../../third_party/go-readability
	github.com/markusmobius/go-domdistiller => ../../third_party/go-domdistiller
	github.com/markusmobius/go-htmldate => ../../third_party/go-htmldate
)
