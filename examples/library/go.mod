module example.com/research

go 1.26.0

require wstk v0.0.0

replace wstk => ../..

replace github.com/markusmobius/go-htmldate => ../../third_party/go-htmldate
