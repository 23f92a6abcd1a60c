#!/usr/bin/env bash
# Runs csi-sanity against the bundled plugin (ConformanceTest), for each type of volume, and prints its figures.
# Fails when a spec fails, and when the suite or root is missing: nothing was shown then.
set -euo pipefail
cd "$(dirname "$0")/.."
figures=local-plugin/target/conformance.txt
rm -f "$figures"
mvn -B -ntp -q test -pl local-plugin -am -Dtest=ConformanceTest -Dtest.jvm.more=-Dcleat.conformance=true -Dsurefire.failIfNoSpecifiedTests=false "$@" || status=$?
if [ ! -f "$figures" ]; then
  echo "conformance: csi-sanity did not run; it needs root, and ./dev setup -y brings it" >&2
  exit "${status:-1}"
fi
cat "$figures"
exit "${status:-0}"
