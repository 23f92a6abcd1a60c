#!/usr/bin/env bash
# Builds and runs the measurements (io.cleat.bench.Main) with the server's flags; arguments choose some by name.
set -euo pipefail
cd "$(dirname "$0")/.."
jars=$PWD/bench/target/jars
mvn -B -ntp -q package -pl bench -am -DskipTests -Dcleat.bench="$jars" >&2
exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m \
  --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
  -cp "bench/target/bench-0.1.0.jar:$jars/*" io.cleat.bench.Main "$@"
