# Two commands matter: make demo shows the main job, make test runs every test.
# A fresh machine needs Go alone. Everything made lands in bin/ and .cache/.

export CGO_ENABLED := 0
VERSION := $(shell sed -n "s/^const Version = \"\(.*\)\"/\1/p" shared/app/config.go)
LDFLAGS := -s -w -X main.version=$(VERSION)

.PHONY: build test emulator demo bench golden fuzz clean

build:
	@mkdir -p bin
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/wstk ./cmd/wstk

# Builds, serves the bundled site on loopback, ingests it, asks, verifies.
demo: build
	go run ./tools/demo -wstk bin/wstk -site testdata/sites/sqlite

# Every test, beside what stands in for the cloud. The first run installs that.
test: emulator
	go vet ./...
	bin/emulator run -- go test ./...

# A program, not go run, which passes on neither signals nor exit codes.
emulator:
	@mkdir -p bin
	go build -o bin/emulator ./tools/emulator

# Rewrites the golden files; their diff is part of the review.
golden:
	WSTK_GOLDEN=update go test ./shared/app/... ./shared/archtest ./shared/stage/...

# Numbers for docs/benchmarks.
bench: build
	go test -run '^$$' -bench . -benchmem ./shared/...

# A minute on each law.
fuzz:
	go test -run '^$$' -fuzz FuzzFind -fuzztime 60s ./shared/stage/verify

clean:
	rm -rf bin .cache
