# gompi: builds into build/, which has the shape of an installation (bin, lib,
# include) and works from where it stands. `make help` lists what can be made.

VERSION := 0.1.0

PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR    ?= $(PREFIX)/share
DESTDIR    ?=

GO ?= go

BUILD := build

# The names of one program each.
WRAPPERS := mpicxx mpic++ mpiCC mpicc_abi mpicxx_abi mpifort mpif77 mpif90 mpifort_abi
# The library's other names. There is no libmpi.so: programs that look for one
# expect MPICH's or Open MPI's ABI behind it.
LIBLINKS := libmpi_abi.so libmpi_abi.so.1 libmpi_abi.so.0

# The launcher and the wrapper contain no C, so they start quickly and run everywhere. gompi-info opens
# libfabric. Flags of the environment (GOFLAGS) make no other kind of program of them, and no version control is
# asked: that fails where the sources belong to somebody else.
GOLINK := $(GO) build -trimpath -buildmode=exe -buildvcs=false -ldflags '-s -w -X main.version=$(VERSION)
GOCMD := CGO_ENABLED=0 $(GOLINK)

# scripts/portable-tree says how gompi-info is linked for older systems.
INFO_LINK ?=

# mpiexec keeps its symbols, by which parallel debuggers find the ranks (launch/mpir). It looks at the limits
# ahead of the runtime where there is assembly for that.
ENTRY := $(if $(filter amd64,$(shell $(GO) env GOARCH)),-E main.look)

.PHONY: all lib commands go-is-here run run-fortran run-io test check nightly arm64 sanitize lint base bench bench-quick bench-report soak soak-hour conformance conformance-check generate install packages clean help manual site release FORCE
.DEFAULT_GOAL := all

all: lib commands manual ## build the library, the compiler wrappers, the launcher and the manual into build/

lib: $(BUILD)/lib/libmpifort_abi.so.1 $(BUILD)/lib/libgompi-trace.so $(BUILD)/include/mpi.h $(BUILD)/lib/pkgconfig/gompi.pc

commands: $(BUILD)/bin/mpicc $(BUILD)/bin/mpiexec $(BUILD)/bin/gompi-info $(BUILD)/bin/gompi-top

# The pages of man, of the description of the interface and of the help of the commands.
manual: | go-is-here
	@GO=$(GO) scripts/build-manual $(CURDIR)/$(BUILD) $(VERSION)

site: manual ## the pages of docs and of the manual as a web site, in build/site
	@cd site && $(GO) run -trimpath . .. $(CURDIR)/$(BUILD)/share/man/manual.json $(CURDIR)/$(BUILD)/site
	@echo 'the site is build/site/index.html'

go-is-here:
	@command -v $(GO) >/dev/null || { echo "gompi needs Go 1.26 or later: https://go.dev/dl" >&2; exit 1; }

# Go knows best what has changed, so it is asked each time. The library takes the
# place of the old one in one step: programs that run keep the one they have.
$(BUILD)/lib/libgompi.so: FORCE | go-is-here
	@mkdir -p $(BUILD)/lib $(BUILD)/obj
	@[ -e $@ ] || echo 'building the library (the first time takes a minute)'
	@GO=$(GO) scripts/build-library $(BUILD)/obj/libgompi.so
	@cmp -s $(BUILD)/obj/libgompi.so $@ || ln -f $(BUILD)/obj/libgompi.so $@
	@for link in $(LIBLINKS); do ln -sfn libgompi.so $(BUILD)/lib/$$link; done

# The routines of Fortran, in C, over the library; the sources of the modules are compiled by mpifort.
$(BUILD)/lib/libmpifort_abi.so.1: $(BUILD)/lib/libgompi.so FORCE
	@scripts/build-fortran $(CURDIR)/$(BUILD)

# What mpiexec --trace preloads.
$(BUILD)/lib/libgompi-trace.so: FORCE
	@scripts/build-trace $(CURDIR)/$(BUILD)

$(BUILD)/include/mpi.h: include/mpi.h include/mpicxx.h include/mpi-ext.h
	@mkdir -p $(BUILD)/include
	@cp $^ $(BUILD)/include/

$(BUILD)/lib/pkgconfig/gompi.pc: $(wildcard cmake/*.in) scripts/package-files Makefile
	@scripts/package-files '' $(CURDIR)/$(BUILD)/lib $(CURDIR)/$(BUILD)/include $(CURDIR)/$(BUILD)/bin $(VERSION)

$(BUILD)/bin/mpicc: FORCE | go-is-here
	@mkdir -p $(BUILD)/bin
	@[ -e $@ ] || echo 'building the compiler wrapper'
	@$(GOCMD)' -o $@ ./cmd/mpicc
	@for link in $(WRAPPERS); do ln -sfn mpicc $(BUILD)/bin/$$link; done

$(BUILD)/bin/mpiexec: FORCE | go-is-here
	@mkdir -p $(BUILD)/bin
	@[ -e $@ ] || echo 'building the launcher'
	@$(subst -s -w,-w,$(GOCMD)) $(ENTRY)' -o $@ ./cmd/mpiexec
	@ln -sfn mpiexec $(BUILD)/bin/mpirun

$(BUILD)/bin/gompi-info: FORCE | go-is-here
	@mkdir -p $(BUILD)/bin
	@CGO_ENABLED=1 $(GOLINK) $(INFO_LINK)' -o $@ ./cmd/gompi-info

$(BUILD)/bin/gompi-top: FORCE | go-is-here
	@mkdir -p $(BUILD)/bin
	@$(GOCMD)' -o $@ ./cmd/gompi-top

run: all ## compile the first example, run it on 4 ranks and show what it did
	@scripts/need gcc=build-essential
	@examples/run.sh $(CURDIR)/$(BUILD)/bin

run-fortran: all ## the same program in Fortran, with the module mpi_f08
	@scripts/need gcc=build-essential gfortran=gfortran
	@examples/run.sh $(CURDIR)/$(BUILD)/bin fortran

run-io: all ## the same for the examples on files: a log in the order of the ranks, a picture in blocks
	@scripts/need gcc=build-essential
	@examples/run-io.sh $(CURDIR)/$(BUILD)/bin

test: all ## run the tests that a change has to pass; ALSO= names further parts (tests/parts); installs what they need
	@GO=$(GO) scripts/test $(BUILD) test $(ALSO)

check: all ## between two edits, in 3 minutes: the tests of what has changed since the commit BASE= (HEAD)
	@GO=$(GO) scripts/check $(BUILD)

nightly: all ## run everything in full, for hours; PARTS= chooses from tests/parts
	@GO=$(GO) FULL=1 scripts/test $(BUILD) $(or $(PARTS),nightly)

arm64: all ## build the library for arm64 and run a part of the tests under qemu
	@GO=$(GO) BUILD=$(CURDIR)/$(BUILD) scripts/arm64 run

sanitize: all ## run tests in C with the library's C under the sanitizers of addresses and undefined behaviour
	@GO=$(GO) scripts/parts $(BUILD) engine sanitize

lint: | go-is-here ## check format, staticcheck, other architectures and generated files
	@GO=$(GO) scripts/lint

bench: all $(if $(BASE),base) ## measure gompi beside MPICH and Open MPI, in 15 minutes; ONLY=rma,latency chooses; BASE=commit compares; NODES=2 on hosts
	@$(GO) build -o $(BUILD)/bench-driver ./bench/driver
	@$(if $(NODES),$(BENCH_ON_NODES),$(BUILD)/bench-driver -gompi $(BUILD) $(if $(BASE),-base $(BUILD)/base/tree/build))

# What is within a host is measured without pretended hosts.
NODE_BENCHMARKS := latency,fabric,wake,bandwidth,bothways,rate,allreduce,startup,memory
NODE_REPORT := -out docs/reports/nodes -charts $(BUILD)/bench/nodes
BENCH_ON_NODES = $(ON_NODES) $(BUILD)/bench-driver -gompi $(BUILD) -install=false $(NODE_REPORT) \
	-only $(or $(ONLY),$(NODE_BENCHMARKS))

base: | go-is-here ## build the commit BASE below build/base, for make bench
	@scripts/build-base '$(BASE)' '$(CURDIR)/$(BUILD)/base'

bench-quick: all ## the same in 90 seconds, with fewer points and one round
	@$(GO) run ./bench/driver -gompi $(BUILD) -quick

bench-report: | go-is-here ## write the reports of make bench from the files of results, with all charts below build/bench
	@$(GO) build -o $(BUILD)/bench-driver ./bench/driver
	@$(BUILD)/bench-driver -report
	@$(BUILD)/bench-driver -report $(NODE_REPORT)

# With NODES= a command runs where mpiexec finds as many pretended hosts. Each has one processor: hosts that
# share all of them would not know of each other's ranks, and wait as if they had them to themselves.
ON_NODES = $(if $(NODES),PIN=1 scripts/on-nodes $(CURDIR)/$(BUILD) $(NODES))

soak: all ## random messages and collectives for 10 minutes, every byte checked, then any calls for 5; SOAK_SECONDS= SOAK_SEED= NODES=
	@GO=$(GO) BUILD=$(CURDIR)/$(BUILD) $(ON_NODES) scripts/soak

soak-hour: all ## everything at once for SOAK_SECONDS= (3600): checks, traces, reports, kills; writes docs/reports/soak
	@$(GO) build -o $(BUILD)/soak-runner ./tests/soak
	@SOAK_SECONDS=$${SOAK_SECONDS:-3600} SOAK_REPORT=$${SOAK_REPORT-docs/reports/soak/README.md} $(BUILD)/soak-runner

conformance: all ## run MPICH's test suite; DIRS= ONLY= NP_MAX= JOBS= choose from it; NODES=2 spreads ranks over hosts
	@$(GO) build -o $(BUILD)/conformance-runner ./tests/conformance
	@$(if $(NODES),$(BUILD)/conformance-runner OBTAIN=1) # the hosts have no network but their own
	@$(ON_NODES) $(BUILD)/conformance-runner

conformance-check: all ## run what has to pass of it: PART=rotate a quarter, PART=whole all; DIRS=C,Fortran,C++ NODES=2
	@GO=$(GO) scripts/conformance-check $(CURDIR)/$(BUILD)

generate: | go-is-here ## write again what is generated from api/
	@$(GO) generate ./...

# Root often has no Go: then what was built before is installed.
install: $(if $(shell command -v $(GO)),all) ## install under PREFIX (default /usr/local); DESTDIR for packages
	@scripts/install '$(CURDIR)/$(BUILD)' '$(DESTDIR)' '$(PREFIX)' '$(BINDIR)' '$(LIBDIR)' '$(INCLUDEDIR)' '$(DATADIR)' '$(VERSION)'

# What packages are made of. TREES= takes other trees, such as amd64=build for the tree of this system.
PACKAGES := amd64 arm64
TREES    ?=
PACKAGE_TREES = $(or $(TREES),$(foreach arch,$(PACKAGES),$(arch)=$(BUILD)/portable/$(arch)))

$(BUILD)/packaging: FORCE | go-is-here
	@cd packaging && $(GO) build -trimpath -o $(CURDIR)/$@ .

packages: $(BUILD)/packaging ## write deb, rpm, a tarball and a wheel for amd64 and arm64 into build/packages; ONLY=deb,rpm TREES=
	@$(if $(TREES),,$(foreach arch,$(PACKAGES),GO=$(GO) scripts/portable-tree $(arch) $(BUILD)/portable/$(arch) $(VERSION) &&) :)
	@$(BUILD)/packaging -version $(VERSION) -out $(BUILD)/packages -sources . $(if $(ONLY),-only $(ONLY)) $(PACKAGE_TREES)
	@ls -1 $(BUILD)/packages

release: $(BUILD)/packaging ## write a release of this commit into build/release: packages, sources, changes, SBOM, checksums
	@GO=$(GO) scripts/release $(BUILD) $(VERSION)

clean: ## remove build/
	@rm -rf $(BUILD)

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
