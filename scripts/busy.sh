#!/usr/bin/env bash
# Runs the check several times in a row beside busy loops, as on a machine that has other work, and prints what each
# took and counted. What a run said is in build/busy. All is compiled, and the program built with its quick starts,
# before the loops begin: what they are to disturb are the tests.
set -euo pipefail
cd "$(dirname "$0")/.."
times=5
loops=2
while [ $# -gt 0 ]; do
  case "$1" in
    -times | --times) times=${2:-} ;;
    -loops | --loops) loops=${2:-} ;;
    *) times= ;;
  esac
  [ $# -lt 2 ] || shift
  shift
done
[[ $times =~ ^[1-9][0-9]?$ && $loops =~ ^[0-9]{1,2}$ ]] || {
  echo "usage: ./dev busy [-times N] [-loops N]: 5 times beside 2 loops unless said otherwise" >&2
  exit 2
}
rm -rf build/busy
mkdir -p build/busy
# shellcheck source=scripts/compile.sh
. scripts/compile.sh
{ compile_all && ./cleat version; } >build/busy/compile.log 2>&1 || {
  tail -20 build/busy/compile.log >&2
  exit 1
}
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
for ((i = 0; i < loops; i++)); do
  while :; do :; done &
done
status=0
printf '%-4s  %-11s  %s\n' run took result
for ((run = 1; run <= times; run++)); do
  started=$SECONDS
  scripts/check.sh >"build/busy/check-$run.log" 2>&1 || status=1
  took=$((SECONDS - started))
  printf '%-4d  %-11s  %s\n' "$run" "$((took / 60)) min $((took % 60)) s" "$(tail -1 "build/busy/check-$run.log")"
  grep -E '^(failed|passed only when run once more):' "build/busy/check-$run.log" || true
done
exit "$status"
