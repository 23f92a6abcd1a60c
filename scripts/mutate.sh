#!/usr/bin/env bash
# Changes the compiled program in one small place after the other, runs the tests that come by
# there, and says which changes none of them noticed: ./dev mutate PART [-tests=TEST,...] [CLASS...]
set -euo pipefail
cd "$(dirname "$0")/.."
part=${1:-}
[ $# -eq 0 ] || shift
slow= more=
case "$part" in
  # Hostile values go over thousands of records, and tell little of one place.
  state) module=state slow='*.HostileStateTest' ;;
  # Tests of sizes go over thousands of rows: for each change that nothing notices, minutes.
  server.decide) module=server slow='*.AnySizeTest,*.EveryDecisionFitsTest' ;;
  # Calls that hang are waited for 3 s each, and for each change that nothing notices all of them.
  agent.volumes) module=agent more=,-Dcleat.volumes.try=500 ;;
  csi) module=csi ;;
  *)
    echo "usage: ./dev mutate state | server.decide | agent.volumes | csi [-tests=TEST,...] [CLASS...]" >&2
    exit 2
    ;;
esac
package=io.cleat.$part
out=$PWD/build/mutants/$part
rm -rf "$out"
mkdir -p "$out"

classes= tests=
for word in "$@"; do
  case "$word" in
    -tests=*)
      tests=${word#-tests=}
      tests=$package.${tests//,/,$package.}
      ;;
    *) classes+="${classes:+,}$package.$word,$package.$word\$*" ;;
  esac
done

mvn -B -ntp -q test-compile dependency:build-classpath -pl "$module" -am \
  -Dmdep.includeScope=test -Dmdep.outputFile="$out/classpath" >&2
mvn -B -ntp -q -f scripts/pitest.xml dependency:build-classpath \
  -Dmdep.outputFile="$out/tool" >&2
# Its own copy: what is built meanwhile does not change what is being measured.
cp -r "$module/target/classes" "$module/target/test-classes" "$out/"

# Where the module's tests are run else: some read what lies beside it.
root=$PWD
cd "$module"
jvm=--enable-native-access=ALL-UNNAMED,--sun-misc-unsafe-memory-access=allow,-XX:ErrorFile=$out/crash-%p.log
# A changed program that is killed leaves mounts and processes: they go with namespaces of their own. What others have
# mounted at this moment is copied into these, and would be in use there for as long as this runs.
others='cut -d " " -f 5 /proc/self/mountinfo | tac | grep "^${TMPDIR:-/tmp}/" |
  while read -r at; do umount -l "$at" 2>/dev/null; done; exec "$@"'
apart=()
[ "$(id -u)" -ne 0 ] || apart=(unshare --mount --pid --fork --kill-child --mount-proc sh -c "$others" sh)
"${apart[@]}" "$JAVA_HOME/bin/java" \
  -cp "$(cat "$out/tool"):$out/test-classes:$out/classes:$(cat "$out/classpath")" \
  org.pitest.mutationtest.commandline.MutationCoverageReport \
  --reportDir "$out" --sourceDirs src/main/java --outputFormats CSV \
  --timestampedReports=false --includeLaunchClasspath=true --threads "$(nproc)" \
  --targetClasses "${classes:-$package.*}" --targetTests "${tests:-$package.*}" \
  --excludedTestClasses "${slow:-none}" --timeoutConst 10000 --mutationUnitSize 12 \
  --jvmArgs "$jvm,-XX:+UseSerialGC,-Dcleat.root=$root$more" >"$out/log" 2>&1 || {
  tail -30 "$out/log" >&2
  exit 1
}

# file, class, mutator, method, line, status, test
awk -F, -v part="$part" '
  {
    class = $2; sub(/.*\./, "", class)
    mutator = $3; sub(/.*\./, "", mutator); sub(/Mutator$/, "", mutator)
    all[class]++
    if ($6 == "KILLED" || $6 == "MEMORY_ERROR") noticed[class]++
    else if ($6 == "TIMED_OUT" || $6 == "RUN_ERROR") ended[class]++
    else {
      if ($6 == "NO_COVERAGE") unseen[class]++
      else survived[class]++
      places[++n] = sprintf("%-28s %5d  %-28s %-36s %s", class, $5, $4, mutator,
        $6 == "NO_COVERAGE" ? "no test comes by" : "survived")
    }
  }
  END {
    printf "%-28s %8s %8s %8s %9s %8s\n", "class of " part, "changes", "noticed", "no end", \
      "survived", "unseen"
    for (class in all) {
      total++; a += all[class]; k += noticed[class]; e += ended[class]; s += survived[class]; u += unseen[class]
      printf "%-28s %8d %8d %8d %9d %8d\n", class, all[class], noticed[class], ended[class], \
        survived[class], unseen[class] | "sort"
    }
    close("sort")
    printf "%-28s %8d %8d %8d %9d %8d\n", total " classes", a, k, e, s, u
    if (n > 0) print ""
    for (i = 1; i <= n; i++) print places[i] | "sort"
    close("sort")
  }' "$out/mutations.csv" | tee "$out/table"
