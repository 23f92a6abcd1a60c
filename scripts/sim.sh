#!/usr/bin/env bash
# Builds and runs the simulation (io.cleat.sim.Main): --seed N, --seeds A-B or --minutes M, --of lost-pasts.
set -euo pipefail
cd "$(dirname "$0")/.."
jars=$PWD/sim/target/jars
mvn -B -ntp -q package -pl sim -am -DskipTests -Dcleat.sim="$jars" >&2
exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmn200m -Xmx700m \
  --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
  --add-opens java.base/java.lang=ALL-UNNAMED \
  --add-opens java.base/java.util.concurrent.locks=ALL-UNNAMED -Djdk.trackAllThreads=false \
  -cp "sim/target/sim-0.1.0.jar:$jars/*" io.cleat.sim.Main "$@"
