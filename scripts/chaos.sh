#!/usr/bin/env bash
# Kills agents and plugins, and damages the files of agents, for as long as it takes to try all of it: each point of
# mounting and unmounting, each moment of the bundled plugin's calls, each damage of each durable file, and -restarts N
# deaths (20 where nothing is said) under workloads that come and go.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" -eq 0 ] || { echo "chaos: its agents mount: run it as root" >&2; exit 2; }
restarts=20
case "${1:-}" in
  '') ;;
  -restarts | --restarts) restarts=${2:-} ;;
  *) restarts= ;;
esac
[[ $restarts =~ ^[1-9][0-9]{0,3}$ ]] || { echo "usage: ./dev chaos [-restarts N]" >&2; exit 2; }
exec mvn -B -ntp test -pl process-tests,local-plugin -am -Dtest=KillPointTest,LoopKillPointTest,StartKillPointTest,KillTest,DamagedFilesTest,ManyRestartsTest \
  -Dsurefire.failIfNoSpecifiedTests=false -Dcleat.points=all -Dcleat.damages=all "-Dcleat.restarts=$restarts" \
  -Dcleat.workloads=30 \
  -Dtest.seconds=$((7200 + restarts * 60))
