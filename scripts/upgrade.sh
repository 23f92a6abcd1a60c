#!/usr/bin/env bash
# Replaces a server and a node of an earlier release by this one, and back, under a workload: ./dev upgrade [REVISION].
# Where nothing is said, the release is the newest tag; without one, the tree before the node protocol last changed.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" -eq 0 ] || { echo "upgrade: its agents mount: run it as root" >&2; exit 2; }
revision=${1:-$(git describe --tags --abbrev=0 2>/dev/null || true)}
[ -n "$revision" ] ||
  revision=$(git log -n 1 --format=%h^ -- wire/src/main/java/io/cleat/wire/WireFormat.java)
revision=$(git rev-parse --short --verify "$revision^{commit}") ||
  { echo "usage: ./dev upgrade [REVISION]" >&2; exit 2; }
earlier=$PWD/build/earlier/$revision
if [ ! -x "$earlier/cleat" ]; then
  mkdir -p "$earlier"
  git archive "$revision" | tar -x -C "$earlier"
fi
echo "upgrade: from $revision ($(git log -n 1 --format=%s "$revision"))" >&2
"$earlier/cleat" agent -h >/dev/null
exec mvn -B -ntp -q test -pl process-tests -am -Dtest=UpgradeTest -Dsurefire.failIfNoSpecifiedTests=false \
  "-Dcleat.previous=$earlier/cleat"
