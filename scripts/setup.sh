#!/usr/bin/env bash
# Lists what helps the build and the tests, each with its reason; -y installs what is absent.
# Installing again does nothing: what is there is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."

# Debian package | what shows that it is there | what it is for
packages() {
  cat <<'LIST'
btrfs-progs|mkfs.btrfs|makes and grows the file systems of the bundled plugin's btrfs volumes
containernetworking-plugins|/usr/lib/cni/bridge|the CNI plugins that connect allocations of network mode bridge
crun|crun|the other container runtime that the exec driver takes: its tests run over both
docker-registry|docker-registry|a registry of images: a test has tasks pull from one of its own, on loopback
e2fsprogs|mkfs.ext4|makes and grows the file systems of the bundled plugin's ext4 volumes
gcc|gcc|compiles the shim, the one native program
iproute2|ip|makes the network namespaces of allocations
iptables|iptables|what the CNI plugins map ports with
libc6-dev|/usr/include/stdio.h|the static C library that the shim is linked with, and the headers, those of FUSE too: a test mounts a small FUSE file system and kills it
podman|podman|an engine with Docker's API: the tests of the docker driver start one of their own
runc|runc|makes the containers of the exec driver
xfsprogs|mkfs.xfs|makes and grows the file systems of the bundled plugin's xfs volumes
LIST
  # Only where no other Go is: the conformance suite of CSI is a Go program.
  if ! find_go; then
    echo 'golang|go|builds csi-sanity'
  fi
}

# Program | Go module at a pinned version | what it is for
tools() {
  cat <<'LIST'
csi-sanity|github.com/kubernetes-csi/csi-test/v5/cmd/csi-sanity@v5.6.0|the conformance suite of CSI: ./dev conformance, and a test in ./dev check
LIST
}

# A driver plugin of this tree, over the real go-plugin: what tests of such drivers run.
readonly FIXTURE=cleat-driver-fixture
readonly FIXTURE_SOURCES=driver-plugin/src/test/go

fixture_version() { (cd "$FIXTURE_SOURCES" && cat ./*.go go.mod go.sum | sha256sum | cut -d' ' -f1); }

has_fixture() {
  local file
  file="$(tool_directory)/$FIXTURE"
  [ -x "$file" ] && [ "$(cat "$file.version" 2>/dev/null)" = "$(fixture_version)" ]
}

build_fixture() {
  local target
  target="$(tool_directory)/$FIXTURE"
  echo "setup: building $FIXTURE (about half a minute)"
  mkdir -p "$(tool_directory)"
  (cd "$FIXTURE_SOURCES" && CGO_ENABLED=0 "$(go_program)" build -trimpath -o "$target" .) || {
    echo "setup: $FIXTURE was not built; here is: $("$(go_program)" version)" >&2
    exit 1
  }
  fixture_version >"$target.version"
}

find_go() { command -v go >/dev/null || [ -x /usr/local/go/bin/go ]; }

go_program() {
  if command -v go >/dev/null; then echo go; else echo /usr/local/go/bin/go; fi
}

has() {
  case "$1" in
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null || [ -x "/usr/sbin/$1" ] || [ -x "/sbin/$1" ] ;;
  esac
}

# A Go program of exactly the pinned version: what it was built from is written in it.
has_tool() {
  local program=$1 module=$2 file
  file="$(tool_directory)/$program"
  [ -x "$file" ] || return 1
  [ "$(cat "$file.version" 2>/dev/null)" = "$module" ] && return 0
  # Built by someone else: Go itself can tell the version.
  find_go && "$(go_program)" version -m "$file" 2>/dev/null | grep -q "[[:space:]]${module##*@}[[:space:]]"
}

tool_directory() { echo "${GOBIN:-${GOPATH:-$HOME/go}/bin}"; }

list() {
  local package shows reason program module
  echo "Debian packages:"
  while IFS='|' read -r package shows reason; do
    printf '  %-7s %-12s %s\n' "$(has "$shows" && echo there || echo absent)" "$package" "$reason"
  done < <(packages)
  echo "Tools, in $(tool_directory):"
  while IFS='|' read -r program module reason; do
    printf '  %-7s %-12s %s (%s)\n' "$(has_tool "$program" "$module" && echo there || echo absent)" \
      "$program" "$reason" "${module##*@}"
  done < <(tools)
  printf '  %-7s %-12s %s\n' "$(has_fixture && echo there || echo absent)" "$FIXTURE" \
    "a driver plugin over the real go-plugin, for the tests of such drivers (built from $FIXTURE_SOURCES)"
}

install() {
  local package shows program module reason missing=()
  while IFS='|' read -r package shows reason; do
    has "$shows" || missing+=("$package")
  done < <(packages)
  if [ ${#missing[@]} -gt 0 ]; then
    command -v apt-get >/dev/null || {
      echo "setup: this is no Debian; install what is in: ${missing[*]}" >&2
      exit 1
    }
    echo "setup: installing ${missing[*]}"
    # The lists may be absent or old: they are fetched only when the first try fails.
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null 2>&1 || {
      apt-get update -qq
      DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
    }
  fi
  while IFS='|' read -r program module reason; do
    has_tool "$program" "$module" && continue
    echo "setup: building $program ${module##*@} (about a minute)"
    # Outside of any Go module, so that nothing but the pinned version counts.
    (cd / && "$(go_program)" install "$module") || {
      echo "setup: $program was not built. It needs Go 1.21 or newer (Debian 13 has it), which fetches the Go" >&2
      echo "  it wants by itself; here is: $("$(go_program)" version)" >&2
      exit 1
    }
    echo "$module" >"$(tool_directory)/$program.version"
  done < <(tools)
  has_fixture || build_fixture
}

case "${1:-}" in
  "") list; echo "./dev setup -y installs what is absent." ;;
  -y) install; list ;;
  *) echo "usage: ./dev setup [-y]" >&2; exit 2 ;;
esac
