#!/usr/bin/env bash
# Builds the program and runs the measurements (io.cleat.bench.Main); arguments choose some by name.
set -euo pipefail
cd "$(dirname "$0")/.."
./cleat version >&2
scripts/shim.sh
jars=$PWD/bench/target/jars
mvn -B -ntp -q package -pl bench -am -DskipTests -Dcleat.bench="$jars" >&2
exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx64m "-Dcleat.launcher=$PWD/cleat" \
  -cp "bench/target/bench-0.1.0.jar:$jars/*" io.cleat.bench.Main "$@"
