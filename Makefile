# The front door. 'make' builds build/ofw. Targets but 'all' and 'install' first install what they need and this machine lacks
# (scripts/setup); those two say what to run.
.PHONY: all setup demo python check test test-all analyse coverage kill kill-mpi kill-serve hostile-serve \
  slow-serve faults campaigns mutants install dist deb docs site evidence bench bench-cost bench-literal \
  bench-accuracy bench-small-rounds bench-python bench-completion bench-clp bench-large bench-mpi \
  bench-network bench-slepc bench-storage bench-oracles bench-log bench-practical bench-serve pictures \
  example-figures python-figures growth-table1 growth-horizons compare-rivals compare-ada reproduce rivals \
  stream-table uneven-table window-table delay-table float-table likeness ada-design fuzz fuzz-corpus format \
  clean

configure = cmake --preset release > /dev/null || { echo "make: 'make setup-command' installs what is missing (Debian), and then this works" >&2; exit 1; }
all:
	@$(configure)
	@cmake --build --preset release

setup: # what all targets need; 'make setup-demo' and the like: what one needs
	scripts/setup

setup-%:
	@scripts/setup $*

demo: setup-demo
	@cmake --preset release > /dev/null
	@cmake --build --preset release --target ofw
	scripts/demo

# The Python package, importable from build/python (PYTHONPATH=build/python); its first example shows that it is.
python: setup-python
	@cmake --preset python > /dev/null
	@cmake --build --preset python --target python
	PYTHONPATH=build/python /usr/bin/python3 examples/python/first.py

# What a change to one learner, set or stream needs: less than two minutes on two cores. 'make test' is everything.
check: setup-check
	@cmake --preset test > /dev/null
	@cmake --build --preset test --target check
	@ctest --test-dir build -L check -j 2 --output-on-failure --no-tests=error

test: setup-test
	tests/run

# What gcc -fanalyzer, cppcheck and clang-tidy find; cppcheck is part of 'make test', gcc's analyser of CI.
analyse: setup-test all
	@ctest --test-dir build -C Analyse -L analyse --output-on-failure

# How much of src/ the tests reach: build-coverage/coverage.html.
coverage: setup-test
	scripts/coverage

# The command with its manual, the library, its headers, ofw.pc and the CMake package, into $(DESTDIR)$(PREFIX).
PREFIX ?= /usr/local
install:
	@$(configure)
	@cmake --build --preset release --target installed
	@DESTDIR='$(DESTDIR)' cmake --install build --prefix '$(PREFIX)'

# The source release, of the last commit: build/dist/ofw-VERSION.tar.gz, which builds without git, npm and network.
dist: setup-dist
	@scripts/dist

# The Debian packages, which lintian has to find nothing in: build/deb.
deb: setup-deb
	@scripts/deb

# The reference of the public headers: build/docs/html/index.html.
docs: setup-docs
	@cmake --preset library > /dev/null
	@cmake --build --preset library --target docs

# All pages, the manual and both references as a site with search, which opens without a server: build/site/index.html.
site: setup-site
	@cmake --preset release > /dev/null
	@cmake --build --preset release --target site

# The same with every combination of options in the tests that walk the registries.
test-all: setup-test
	OFW_TEST_LEVEL=all tests/run

# Plays that are killed with -9 at random moments and resumed: CYCLES processes, 5000 of them in about five minutes.
CYCLES ?= 500
kill: setup-test all
	/usr/bin/python3 tests/crash/kill.py --ofw build/ofw --cycles $(CYCLES)

# Runs of ofw-mpi one rank of which is killed with -9 at a random moment, and resumed on another number of ranks: KILLS times.
KILLS ?= 20
kill-mpi: setup-test all
	/usr/bin/python3 tests/mpi/kill_ranks.py --mpi build/ofw-mpi --kills $(KILLS)

# A server with 1 000 sessions under load, killed with -9 and started again: CYCLES times, 500 of them in about half an hour.
kill-serve: setup-test all
	$(record) serve-campaigns.json kill /usr/bin/python3 tests/serve/kill_serve.py --ofw build/ofw --cycles $(CYCLES) --json

# Requests that nobody should send, REQUESTS of them, to a server with ASan and UBSan: 10^6 in about half an hour.
REQUESTS ?= 1000000
hostile-serve: setup-test
	@cmake --preset asan > /dev/null
	@cmake --build --preset asan --target ofw
	$(record) serve-campaigns.json hostile /usr/bin/python3 tests/serve/hostile.py --ofw build-asan/ofw --requests $(REQUESTS) --json

# Slow clients on loopback, by slowhttptest, in its four ways at once: 200 connections in each, for a minute.
slow-serve: setup-test all
	$(record) serve-campaigns.json slow /usr/bin/python3 tests/serve/slow.py --ofw build/ofw --json

# Every system call on ofw's files fails once: all of what 'make test' tries some of.
faults: setup-test
	@cmake --preset test > /dev/null
	@cmake --build --preset test --target ofw inject
	/usr/bin/python3 tests/crash/test_faults_below.py --ofw build/ofw --inject build/tests/inject

# Both, and how much the tests of power cuts and failing calls try: the counts of docs/reliability.md, in a quarter of an hour.
campaigns: setup-test
	@cmake --preset test > /dev/null
	@cmake --build --preset test
	$(record) campaigns.json counts tests/crash/counts.py build/tests
	$(record) campaigns.json kill /usr/bin/python3 tests/crash/kill.py --ofw build/ofw --cycles $(CYCLES) --json
	$(record) campaigns.json faults /usr/bin/python3 tests/crash/test_faults_below.py --ofw build/ofw --inject build/tests/inject --json
	@$(MAKE) -s evidence

# Wrong changes of tests/mutants/list.toml, one at a time, in copies of the tree below build-mutants: which of them does no test see?
# ONLY=REGEX: only those whose name or file it is found in. The same command resumes an interrupted campaign.
mutants: setup-test
	/usr/bin/python3 tests/mutants/run.py --only '$(ONLY)'

# Targets that measure keep the results below docs/results, and evidence makes the tables of docs from them.
record = /usr/bin/python3 bench/record.py
evidence:
	/usr/bin/python3 docs/evidence.py

# ofw beside its peers: docs/performance.md.
bench: setup-bench all
	$(record) performance.json kernel build/ofw-bench kernel --json
	$(record) performance.json oracle build/ofw-bench oracle --json
	for seed in 2 3 4; do $(record) performance.json oracle-$$seed build/ofw-bench oracle --seed $$seed --json || exit 1; done
	for rounds in 100 200; do for seed in 1 2 3 4; do for learner in scofw-tvc ofw-tvc ofw-ada; do \
	  $(record) performance.json round-$$learner-$$rounds-$$seed \
	    build/ofw-bench round --learner $$learner --rounds $$rounds --repeats 6 --seed $$seed --json || exit 1; done; done; done
	$(record) performance.json small-rounds build/bench/bench_small_rounds --json
	OPENBLAS_NUM_THREADS=1 $(record) performance.json polytopes /usr/bin/python3 bench/polytopes.py --bench build/ofw-bench
	$(record) performance.json ratios bench/ratios.py
	@$(MAKE) -s evidence

# What a round costs against the size of the matrix and against its number.
bench-cost: setup-bench all
	$(record) cost.txt /usr/bin/python3 bench/cost.py --ofw build/ofw
	@$(MAKE) -s evidence

# What a round over all ratings costs beside one over a batch of 250: docs/reproduction.md. FILE: ratings; without it they are generated.
bench-literal: setup-bench all
	$(record) literal.txt /usr/bin/python3 bench/literal.py --ofw build/ofw $(if $(FILE),--file $(FILE))
	@$(MAKE) -s evidence

# Whether the oracle's default accuracy is enough: on MovieLens-100k if it has been imported, half an hour.
bench-accuracy: setup-bench all
	$(record) accuracy.txt /usr/bin/python3 bench/accuracy.py --ofw build/ofw
	@$(MAKE) -s evidence

# Ratings of MovieLens-25M's shape, 1 000 rounds of two learners, half an hour: docs/scale.md.
bench-large: setup-bench all
	$(record) large.txt /usr/bin/python3 bench/scale.py large --ofw build/ofw
	@$(MAKE) -s evidence

# ofw-mpi on one, two and four ranks beside ofw run, and a game of 10^7 x 10^5: docs/scale.md. Needs an idle machine of 24 GiB.
bench-mpi: setup-test all
	$(record) mpi.txt /usr/bin/python3 bench/ranks.py shape
	$(record) mpi-large.txt /usr/bin/python3 bench/ranks.py large
	@$(MAKE) -s evidence

# What a round of ofw-mpi costs by the model of docs/scale.md and by the clock, over a network of 1 Gb/s too. As root, on an idle machine.
bench-network: setup-ranks all
	OPENBLAS_NUM_THREADS=1 $(record) network.txt /usr/bin/python3 bench/network.py
	@$(MAKE) -s evidence

# The top singular pair of a matrix that two ranks share, by ofw and by SLEPc.
bench-slepc: setup-ranks all
	OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 $(record) slepc.txt mpirun -n 2 build/bench/bench_slepc
	@$(MAKE) -s evidence

# Matrices kept as factors and kept whole: time against size, accuracy against rank.
bench-storage: setup-bench all
	$(record) storage.txt /usr/bin/python3 bench/scale.py storage --ofw build/ofw
	$(record) ranks.txt /usr/bin/python3 bench/scale.py ranks --ofw build/ofw
	@$(MAKE) -s evidence

# Ad budgets, ratings and routes beside the standard methods of each field: docs/practical.md.
bench-practical: setup-bench all
	OPENBLAS_NUM_THREADS=1 /usr/bin/python3 bench/practical/practical.py --ofw build/ofw
	@$(MAKE) -s evidence

# Every set's oracle against its size: docs/performance.md.
bench-oracles: setup-bench all
	$(record) oracles.txt /usr/bin/python3 bench/oracles.py --bench build/ofw-bench
	@$(MAKE) -s evidence

# The figures of examples/routing.c, examples/pacing.c and 'ofw pace': docs/routing.svg, docs/pacing.svg, docs/pace.svg.
example-figures: setup-demo all
	scripts/example-figures

# The pictures that explain: docs/loop.svg, frank-wolfe.svg, price.svg, growth.svg, and report.png and serve.png, screenshots in Chromium.
pictures: setup-test all
	/usr/bin/python3 docs/pictures.py --ofw build/ofw
	node docs/report-shot.mjs build/ofw docs/report.png
	node docs/serve-shot.mjs build/ofw docs/serve.png

# The figures of examples/python: docs/python-*.svg.
python-figures: setup-figures python
	cd docs && for script in ../examples/python/*.py; do PYTHONPATH=../build/python MPLBACKEND=Agg /usr/bin/python3 $$script > /dev/null || exit; done

# Polytopes by CLP alone: docs/performance.md.
bench-clp: setup-bench all
	OPENBLAS_NUM_THREADS=1 $(record) clp.txt build/bench/bench_clp
	@$(MAKE) -s evidence

# What a round of ten numbers costs.
bench-small-rounds: setup-bench all
	build/bench/bench_small_rounds

# What 'ofw serve' can do with 64 connections on this machine, and a large session beside 'ofw run': docs/service.md.
bench-serve: setup-bench all
	$(record) serve.json serve /usr/bin/python3 bench/serve.py --ofw build/ofw --client build/bench/bench_serve
	@$(MAKE) -s evidence

# What Python adds to a round and to NumPy's import: docs/python.md.
bench-python: setup-bench all
	PYTHONPATH=build/python OPENBLAS_NUM_THREADS=1 $(record) python-cost.json python /usr/bin/python3 bench/python.py --peer build/bench/bench_python --json -
	@$(MAKE) -s evidence

# Errors of ofw.OnlineMatrixCompletion on MovieLens-100k, which has to be imported: docs/python.md.
bench-completion: setup-bench all
	PYTHONPATH=build/python $(record) completion.txt /usr/bin/python3 bench/completion.py
	@$(MAKE) -s evidence

# What a log costs on the disk of this folder: docs/reliability.md.
bench-log: setup-bench all
	$(record) log-cost.txt /usr/bin/python3 bench/log_cost.py --ofw build/ofw
	@$(MAKE) -s evidence

# Table 1 of the paper, measured: T = 10^3 .. 10^5, 16 seeds: docs/table1.md. The same command resumes an interrupted run.
growth-table1: setup-demo all
	@mkdir -p out/growth-table1
	build/ofw growth --suite table1 --output out/growth-table1 --csv out/growth-table1/plays.csv \
	  --figure out/growth-table1/growth.svg --json > out/growth-table1/growth.json
	@$(record) growth-table1.txt build/ofw growth --suite table1 --output out/growth-table1 -q
	@$(MAKE) -s evidence

# The paper's learners and theirs, tuned alike, on every stream: docs/rivals.md.
compare-rivals: setup-demo all
	$(record) compare-rivals.txt build/ofw compare --suite rivals --output out/rivals
	@$(MAKE) -s evidence

# The parameter-free learners beside tuned ones, on streams that nobody had looked at: docs/rivals.md.
compare-ada: setup-demo all
	$(record) compare-ada.txt build/ofw compare --suite ada --seed 401 --output out/ada -q
	@$(MAKE) -s evidence

# Growth with a known horizon, with other constants, and with --horizon auto: docs/errata.md, docs/algorithms.md.
HORIZONS = --learner ofw-tvc --learner scofw-tvc --learner bfw-tvc --learner scbfw-tvc --stream linear --stream quadratic \
  --domain l2-ball:dim=10 --rounds 1000,2000,4000,8000,16000,32000,64000 --seeds 8
growth-horizons: setup-demo all
	$(record) growth-horizons.json known build/ofw growth $(HORIZONS) --constants theorem,sigma=line-search,guess=paper,tight --json -q
	$(record) growth-horizons.json auto build/ofw growth $(HORIZONS) --constants theorem --horizon auto --json -q
	$(record) guess.txt /usr/bin/python3 bench/guess.py --ofw build/ofw
	@$(MAKE) -s evidence

# The paper's two experiments in full, hours; READING is one of 'man ofw-reproduce', or all of them, which takes a day. The same
# command resumes a killed one: docs/reproduction.md.
READING ?= literal
reproduce: setup-demo all
	build/ofw reproduce movielens --reading $(READING) --output out/reproduce/movielens
	build/ofw reproduce filmtrust --reading $(READING) --output out/reproduce/filmtrust

# Every learner with its defaults on the same streams: the table in docs/algorithms.md.
rivals: setup-bench all
	$(record) defaults.txt /usr/bin/python3 bench/rivals.py --ofw build/ofw
	@$(MAKE) -s evidence

# Regret and violation on every stream with an exact comparator: docs/streams.md.
stream-table: setup-bench all
	$(record) streams.txt /usr/bin/python3 bench/streams.py --ofw build/ofw
	@$(MAKE) -s evidence

# Limits that come late, seldom or in changing lengths: docs/theory.md.
uneven-table: setup-bench all
	$(record) uneven.txt /usr/bin/python3 bench/uneven.py --ofw build/ofw
	@$(MAKE) -s evidence

# How far storage=float is from doubles: docs/algorithms.md.
float-table: setup-bench all
	$(record) floats.txt /usr/bin/python3 bench/floats.py --ofw build/ofw
	@$(MAKE) -s evidence

# Windows of ofw-ada: the table in docs/algorithms.md.
window-table: setup-bench all
	$(record) windows.txt /usr/bin/python3 bench/windows.py --ofw build/ofw
	@$(MAKE) -s evidence

# What late feedback costs: the tables in docs/theory.md.
delay-table: setup-bench all
	$(record) delay.txt /usr/bin/python3 bench/delay.py --ofw build/ofw
	@$(MAKE) -s evidence

# How much 'ofw data generate' is like the sets, which have to be imported: the tables of docs/data.md.
likeness: setup-bench all
	$(record) likeness.txt /usr/bin/python3 bench/likeness.py --ofw build/ofw
	@$(MAKE) -s evidence

# Every form that ofw-ada might have had, on the design streams: experiments/ada.
ada-design: setup-bench all
	/usr/bin/python3 experiments/ada/design.py --candidates build/experiments/ada/ada_candidates --csv experiments/ada/design.csv

# Bytes of all kinds for the parsers, and calls of all kinds for the learners: SECONDS of CPU time per target, or only the one TARGET.
SECONDS ?= 60
fuzz: setup-test
	@cmake --preset fuzz > /dev/null
	@cmake --build --preset fuzz
	/usr/bin/python3 tests/fuzz/run.py --build build-fuzz --seconds $(SECONDS) $(TARGET)

# Of the inputs that such runs have found, those that reach what none in the tree does, into the archives of tests/fuzz/corpus.
fuzz-corpus: setup-test
	/usr/bin/python3 tests/fuzz/run.py --build build-fuzz --merge $(TARGET)

format: setup-format
	git ls-files -co --exclude-standard '*.c' '*.h' | xargs clang-format -i
	web/node_modules/.bin/prettier --config web/.prettierrc --log-level warn --write 'web/*/*.js' 'tests/report/*.mjs' 'tests/serve/*.mjs' 'tests/site/*.mjs' 'docs/*.mjs' 'docs/site/*.js' 'examples/*.js'

clean:
	rm -rf build build-*
