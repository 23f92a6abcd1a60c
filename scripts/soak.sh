#!/usr/bin/env bash
# Makes and deletes a volume and a job twice a second, for an hour unless -minutes or -hours says otherwise, and prints what the
# agent took meanwhile: a line for each twelfth of the time, and the slope for a thousand of them.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" -eq 0 ] || { echo "soak: its agent mounts: run it as root" >&2; exit 2; }
minutes=60
case "${1:-}" in
  '') ;;
  -minutes | --minutes) minutes=${2:-} ;;
  -hours | --hours) [[ ${2:-} =~ ^[1-9][0-9]{0,2}$ ]] && minutes=$((60 * $2)) || minutes= ;;
  *) minutes= ;;
esac
[[ $minutes =~ ^[1-9][0-9]{0,4}$ ]] || { echo "usage: ./dev soak [-minutes N | -hours N]" >&2; exit 2; }
rm -rf build/soak
status=0
mvn -B -ntp -q test -pl process-tests -am -Dtest=SoakTest -Dsurefire.failIfNoSpecifiedTests=false \
  -Dcleat.soak.seconds=$((minutes * 60)) -Dtest.seconds=$((minutes * 60 + 1500)) >&2 || status=$?
cat build/soak/table || status=1
exit "$status"
