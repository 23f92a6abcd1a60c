#!/usr/bin/env bash
# Builds everything and runs all tests. Installs nothing; what cannot run here is counted as skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
# shellcheck source=scripts/compile.sh
. scripts/compile.sh
# Looks at the sources alone, so beside the rest.
format=
if [ "$(cat build/formatted 2>/dev/null)" != "$sources" ]; then
  mvn -B -ntp -q -N spotless:check &
  format=$!
fi
compile_all "$@"

# Those of one group, as the modules have it in skip.tests: tests GROUP [OPTION...]. All is compiled: Mavens that
# generate, compile, or note what they found changed, would be in each other's way.
tests() {
  local group=$1 each skip=()
  shift
  for each in modules node waiting program computing alone; do
    [ "$each" = "$group" ] || skip+=("-Dskip.$each")
  done
  mvn -B -ntp -fae test "${skip[@]}" -Dprotobuf.skip -Dmaven.main.skip \
    -Dmaven.compiler.useIncrementalCompilation=false "$@"
}

# Maven tests a module after those that it builds on. Nearly all modules build on the testkit, and the tests of the whole
# program on nearly all: these, which take longest, run beside the others, and those of the node beside those of the
# server. Some wait for disks, starts and back-offs while another computes; with more at a time processors only change
# between them, and what waits for its turn looks again and again: all takes longer.
tests modules -T 2 "$@" &
modules=$!
tests node -pl agent -am "$@" &
node=$!
tests waiting -T 2 -pl kernel,testkit,local-plugin -am "$@" &
waiting=$!
# The program that tests start, with its quick starts: whoever built it first would have that much less time.
./cleat version >&2 || status=1
tests program -T 2 -pl process-tests,sim -am "$@" || status=1
wait "$modules" || status=1
wait "$node" || status=1
wait "$waiting" || status=1
# What attacks the machine would disturb all others but these.
tests computing -T 2 -pl fuzz,architecture -am "$@" &
computing=$!
tests alone -pl process-tests -am "$@" || status=1
wait "$computing" || status=1

if [ -n "$format" ]; then
  if wait "$format"; then
    echo "$sources" >build/formatted
  else
    echo "the sources are not formatted: run ./dev format" >&2
    status=1
  fi
fi
"$JAVA_HOME/bin/java" scripts/CountTests.java || status=1
exit "$status"
