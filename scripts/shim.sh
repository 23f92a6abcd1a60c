#!/usr/bin/env bash
# Builds the one native program, shim/*.c, statically into build/shim; does nothing while it is
# newer than its sources.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

target=build/shim
compiler=${CC:-cc}

up_to_date() {
  [ -x "$target" ] || return 1
  local source
  for source in shim/*.c shim/*.h scripts/shim.sh; do
    [ "$target" -nt "$source" ] || return 1
  done
}

! up_to_date || exit 0
# shellcheck source=scripts/jdk.sh
. scripts/jdk.sh
find_compiler || exit 1
mkdir -p build
own=$(mktemp "build/shim.XXXXXX")
trap 'rm -f "$own"' EXIT
"$compiler" -static -Os -Wall -Wextra -Werror -o "$own" shim/*.c
chmod 755 "$own"
# Moved into its place, so that a shim that runs keeps its own file and nobody sees half a program.
mv -f "$own" "$target"
