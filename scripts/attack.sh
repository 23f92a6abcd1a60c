#!/usr/bin/env bash
# Runs the whole battery of attempts against the walls (docs/isolation.md, "The battery"); with names, those attempts of
# the tasks and users that have such a text in theirs. -all also prints what held.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" -eq 0 ] || { echo "attack: it attacks an agent, which mounts: run it as root" >&2; exit 2; }
tests=AttackBatteryTest,PluginAttacksTest
all=false
names=
for word in "$@"; do
  case "$word" in
    -all) all=true ;;
    -*) echo "usage: ./dev attack [-all] [NAME...]" >&2; exit 2 ;;
    *) names=${names:+$names,}$word tests=AttackBatteryTest ;;
  esac
done
rm -rf build/attack
status=0
mvn -B -ntp -q test -pl process-tests -am -Dtest="$tests" -Dsurefire.failIfNoSpecifiedTests=false \
  -Dcleat.attack.full=true -Dcleat.attack.answer=1000 -Dcleat.attack.all=$all -Dcleat.attack="$names" >&2 || status=$?
cat build/attack/*.txt || status=1
exit "$status"
