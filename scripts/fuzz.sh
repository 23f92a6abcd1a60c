#!/usr/bin/env bash
# Builds and runs the fuzzer (io.cleat.fuzz.Main); arguments as docs/fuzzing.md has them.
set -euo pipefail
cd "$(dirname "$0")/.."
# A whole agent is a test of process-tests; what follows are its settings.
if [ "${1:-}" = agent ]; then
  shift
  exec mvn -B -ntp -q test -pl process-tests -am -Dtest=HostileRequestsTest \
    -Dsurefire.failIfNoSpecifiedTests=false "$@"
fi
jars=$PWD/fuzz/target/jars
mvn -B -ntp -q package -pl fuzz -am -DskipTests -Dcleat.fuzz.jars="$jars" >&2
# The stacks and the compiler are those of the agent.
exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx1g \
  --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow "-Dcleat.root=$PWD" \
  -cp "fuzz/target/fuzz-0.1.0.jar:$jars/*" io.cleat.fuzz.Main "$@"
