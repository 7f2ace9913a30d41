# Every target installs what it needs, configures and builds; done a second time, it does nothing twice.
#   JOBS=n      compile and test with n processes (default: all processors)
#   WERROR=ON   treat warnings as errors (default: as the build directory was configured; OFF in a new one)
#   PREFIX=dir  where `make install` installs
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
warnings := $(if $(WERROR),SINEW_WARNINGS_AS_ERRORS=$(WERROR),'SINEW_WARNINGS_AS_ERRORS?=OFF')
without_tests := 'SINEW_BUILD_TESTS?=OFF'
with_tests := SINEW_BUILD_TESTS=ON
with_python := SINEW_PYTHON=$(CURDIR)/build/venv/bin/python
build = cmake --build --preset $(1) --parallel $(JOBS)
test = ctest --preset $(1) --parallel $(JOBS)

.PHONY: help demo test test-viewer build viewer gallery reproduce compare dev asan asan-quick tsan coverage bench bench-peers bench-viewer install check check-format check-tidy check-text format clean

help:  ## list the targets
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z-]*\):.*  ## \(.*\)/  \1\t\2/p' Makefile | expand -t 16

demo: build  ## build the release, run the showcase scene and turn it into a page to look at
	@tools/build_viewer --if-possible
	@mkdir -p out
	build/release/bin/sinew run showcase --record out/showcase.mcap --report out/showcase.json
	@if [[ -f build/viewer/viewer.html ]]; then build/release/bin/sinew render out/showcase.mcap -o out/showcase.html; fi
	@echo "recording: out/showcase.mcap   report: out/showcase.json   (see build/release/bin/sinew --help)"

test:  ## build the release with its tests and run them all but those of the web viewer
	@tools/install_packages build test
	@tools/make_venv
	@tools/configure release $(warnings) $(with_tests) $(with_python) SINEW_VIEWER_TESTS=OFF
	@$(call build,release)
	@$(call test,release)

test-viewer: build viewer  ## tests of the web viewer, under Node.js and in Chromium
	@tools/install_packages build test browser
	@tools/make_venv
	@tools/configure release $(warnings) $(with_tests) $(with_python) SINEW_VIEWER_TESTS=ON
	@$(call build,release)
	@ctest --preset release -L viewer --verbose

build:  ## build the release: build/release/bin/sinew
	@tools/install_packages build
	@tools/configure release $(warnings) $(without_tests)
	@$(call build,release)

viewer:  ## build the web viewer: build/viewer/viewer.html (needs Node.js)
	@tools/build_viewer
	@echo "build/viewer/viewer.html"

gallery: build viewer  ## run the scenes of docs/gallery, draw their pictures there, and their replays in out/gallery
	@tools/install_packages browser
	@tools/make_gallery build/release/bin/sinew

reproduce: build  ## run the experiments of the sources again: data, pictures and verdicts in docs/reproduce (about ten minutes)
	@build/release/bin/sinew reproduce all --out docs/reproduce

compare: build  ## run scenes by several steppers and compare them: docs/compare.md (about two minutes)
	@tools/compare_scenes build/release/bin/sinew

dev:  ## build and test with assertions, debuggable: build/dev
	@tools/install_packages build test
	@tools/make_venv
	@tools/configure dev $(warnings) $(with_tests) $(with_python)
	@$(call build,dev)
	@$(call test,dev)

asan:  ## unit tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@tools/install_packages build test sanitize
	@tools/configure asan $(with_tests)
	@$(call build,asan)
	@$(call test,asan)

asan_folders = core spatial linalg geometry joints solvers
asan-quick:  ## of these the ones below the dynamics, what .ci/run has time for
	@tools/install_packages build test sanitize
	@tools/configure asan $(with_tests)
	@cmake --build build/asan -j $(JOBS) --target $(asan_folders:%=%_test)
	@cd build/asan && ctest -j $(JOBS) --output-on-failure -R "^($$(echo $(asan_folders) | tr ' ' '|'))/"

tsan:  ## unit tests under ThreadSanitizer
	@tools/install_packages build test sanitize
	@tools/configure tsan $(with_tests)
	@$(call build,tsan)
	@$(call test,tsan)

coverage:  ## line coverage of the tests: out/coverage/index.html
	@tools/install_packages build test coverage
	@tools/make_venv
	@tools/configure coverage $(with_tests) $(with_python)
	@$(call build,coverage)
	@find build/coverage -name '*.gcda' -delete
	@$(call test,coverage)
	@mkdir -p out/coverage
	@gcovr --root . --filter src/ --filter apps/ --exclude-throw-branches -j $(JOBS) --html-details out/coverage/index.html --print-summary build/coverage
	@echo "out/coverage/index.html"

bench:  ## build and run the benchmarks
	@tools/install_packages build bench
	@tools/configure release $(warnings) $(without_tests) SINEW_BUILD_BENCHMARKS=ON
	@$(call build,release)
	@for program in build/release/bin/*_benchmark; do echo "--- $$program"; $$program; done

bench-peers:  ## compare with MuJoCo, Pinocchio and other solvers: pages in benchmarks/results (about forty minutes)
	@tools/install_packages build bench
	@tools/make_venv build/venv-peers benchmarks/peers/python_packages.txt
	@tools/configure release $(warnings) $(without_tests) SINEW_BUILD_BENCHMARKS=ON
	@$(call build,release)
	@for script in tree_dynamics quadratic_programs four_bar pendulums sphere_chain compare; do \
	  OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 build/venv-peers/bin/python benchmarks/peers/$$script.py build/release/bin; done

bench-viewer: viewer  ## pictures a second of the web viewer in headless Chromium: benchmarks/results/viewer.md (about six minutes)
	@tools/install_packages browser
	@cd viewer && npm run --silent bench -- --page ../benchmarks/results/viewer.md

install: build  ## install library, tool and scenes below PREFIX
	@cmake --install build/release --prefix $(PREFIX)

check: check-format check-text check-tidy  ## format, layers, citations, links, scripts, clang-tidy

sources = $(shell find src apps tests benchmarks -name '*.h' -o -name '*.cpp')
scripts = $(shell grep -lsE '^\#!.*bash' tools/* .ci/* tests/*/* scripts/*)

check-format:  ## is every C++ file laid out as .clang-format says?
	@tools/install_packages check
	@clang-format-19 --dry-run -Werror $(sources) && echo "format: every file is laid out as .clang-format says"

check-text:  ## layers, citations, links, file heads and lengths, shell scripts
	@tools/install_packages check
	@status=0; for check in layers citations links files; do tools/check_$$check || status=1; done; \
	  shellcheck $(scripts) && echo "scripts: shellcheck has nothing to say" || status=1; exit $$status

check-tidy:  ## clang-tidy; files it has passed before are not read again
	@tools/install_packages build check
	@tools/configure tidy
	@cmake --build build/tidy --target sinew_version >/dev/null
	@tools/check_tidy --jobs $(JOBS) build/tidy

format:  ## lay out every C++ file
	@tools/install_packages check
	@clang-format-19 -i $(sources)

clean:  ## remove everything that was built
	rm -rf build out
