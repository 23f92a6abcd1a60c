#!/usr/bin/env bash
# Builds everything and runs all tests. Installs nothing; what cannot run here is counted as skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
status=0
mvn -B -ntp -q -N spotless:check || { echo "the sources are not formatted: run ./dev format" >&2; status=1; }
mvn -B -ntp -fae clean package "$@" || status=$?
"$JAVA_HOME/bin/java" scripts/CountTests.java || status=1
exit "$status"
