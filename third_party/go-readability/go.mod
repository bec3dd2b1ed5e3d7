module github.com/go-shiori/go-readability

go 1.26.0

require golang.org/x/net v0.62.0
