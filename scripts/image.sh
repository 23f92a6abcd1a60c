#!/usr/bin/env bash
# Packs the bundled storage plugin as an image: an OCI image layout in one file, of this machine's platform. In it are
# the plugin's jars, a Java runtime of the modules that it needs, the programs that make and grow file systems, a shell
# and what one looks around with in it, and the libraries of all these, from this machine.
#
# Packs nothing if the file is there and was made of the same.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
out=${1:-build/local-plugin.tar}
case "$out" in
  -*) echo "usage: ./dev image [FILE]" >&2 && exit 2 ;;
esac
say() { echo "$1" >&2; }
# The plugin as ./cleat runs it, built if it is not.
./cleat version >/dev/null
build=$PWD/build
# shellcheck disable=SC1091
. "$build/launch.env"
java=${CLEAT_JAVA%/bin/java}
[ -x "$java/bin/jlink" ] || { say "image: $java has no jlink: it takes a JDK, not a runtime" && exit 1; }
[ -f "$CLEAT_LIB/local-plugin.classpath" ] ||
  { say "image: what is built here is too old to be packed; build it anew: ./cleat version" && exit 1; }
jars=("$CLEAT_LIB"/local-plugin-*.jar)
IFS=: read -ra names <<<"$(cat "$CLEAT_LIB/local-plugin.classpath")"
jars+=("${names[@]/#./$CLEAT_LIB}")

programs=()
missing=
for name in mkfs.ext4 resize2fs e2fsck mkfs.xfs xfs_growfs mkfs.btrfs sh cat date dd ls sleep tail tr; do
  if path=$(PATH=$PATH:/usr/sbin:/sbin command -v "$name"); then programs+=("$path"); else missing+=" $name"; fi
done
# One is a shell script that calls others.
for name in xfs_io xfs_spaceman; do
  if path=$(PATH=$PATH:/usr/sbin:/sbin command -v "$name"); then programs+=("$path"); fi
done
# By content, but for libraries: they change with the programs of their packages.
made_of=$(sha256sum scripts/image.sh "$java/release" "${jars[@]}" "${programs[@]}" | cut -d' ' -f1 | sha256sum | cut -d' ' -f1)
if [ -f "$out" ] && tar -xOf "$out" ./index.json 2>/dev/null | grep -q "\"io.cleat.made-of\":\"$made_of\""; then
  echo "$out: $(du -h "$out" | cut -f1), as it was"
  exit
fi

work=$(mktemp -d)
trap 'rm -rf "$work" "$out.$$"' EXIT
root=$work/root
mkdir -p "$root/opt/cleat"
cp "${jars[@]}" "$root/opt/cleat/"

say "making a Java runtime"
# Where /bin and its like are links into /usr, they are that in the image: scripts begin with #!/bin/sh.
for name in bin sbin lib lib64; do
  if [ -L "/$name" ]; then
    mkdir -p "$root/usr/$name"
    ln -s "usr/$name" "$root/$name"
  fi
done
mkdir -p "$root/usr/lib" "$root/etc" "$root/tmp" "$root/run" "$root/proc" "$root/sys" "$root/dev"
"$java/bin/jlink" --strip-debug --no-header-files --no-man-pages --output "$root/usr/lib/jvm" \
  --add-modules java.base,java.logging,java.management,java.naming,java.xml,jdk.unsupported

say "copying programs and libraries"
# What a program is linked with, and the loader, to where they are here; of links both, as names are looked up by them.
with_libraries() {
  local library
  ldd "$1" 2>&1 | grep -o '/[^ ]*' | while read -r library; do
    # The runtime's own are in their place.
    case "$library" in "$work"/*) continue ;; esac
    [ ! -e "$library" ] || copy "$library"
  done
}
copy() {
  local from path
  from=$(readlink -f "$1")
  for path in "$1" "$from"; do
    [ -e "$root$path" ] || { mkdir -p "$root${path%/*}" && cp --preserve=mode "$from" "$root$path"; }
  done
}
for path in "${programs[@]}"; do
  copy "$path"
  with_libraries "$path"
done
[ ! -e /etc/mke2fs.conf ] || cp /etc/mke2fs.conf "$root/etc/"
find "$root/usr/lib/jvm" -type f \( -name '*.so' -o -path '*/bin/*' \) | while read -r path; do with_libraries "$path"; done
printf 'root:x:0:0:root:/:/bin/sh\n' >"$root/etc/passwd"
printf 'root:x:0:\n' >"$root/etc/group"
chmod 1777 "$root/tmp"

say "packing"
layout=$work/layout
blobs=$layout/blobs/sha256
mkdir -p "$blobs"
pack() { tar -C "$1" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -cf "$2" .; }
sum() { sha256sum "$1" | cut -d' ' -f1; }
# Moves a file to where the layout has it; prints its digest.
blob() {
  local digest
  digest=$(sum "$1")
  mv "$1" "$blobs/$digest"
  echo "$digest"
}
size() { stat -c %s "$blobs/$1"; }
pack "$root" "$work/layer.tar"
unpacked=$(sum "$work/layer.tar")
gzip -n -6 "$work/layer.tar"
layer=$(blob "$work/layer.tar.gz")
case $(uname -m) in
  x86_64) platform=amd64 ;;
  aarch64) platform=arm64 ;;
  *) platform=$(uname -m) ;;
esac
cat >"$work/config" <<TEXT
{"architecture":"$platform","os":"linux","config":{"Entrypoint":["/usr/lib/jvm/bin/java","-XX:+UseSerialGC","-XX:TieredStopAtLevel=1",\
"-Xms8m","-Xmx64m","-Xss512k","-XX:+ExitOnOutOfMemoryError","--enable-native-access=ALL-UNNAMED","--sun-misc-unsafe-memory-access=allow",\
"-cp","/opt/cleat/*","io.cleat.localplugin.Main"],"Env":["PATH=/usr/sbin:/usr/bin:/sbin:/bin","LC_ALL=C.UTF-8"],"WorkingDir":"/"},\
"rootfs":{"type":"layers","diff_ids":["sha256:$unpacked"]}}
TEXT
config=$(blob "$work/config")
cat >"$work/manifest" <<TEXT
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",\
"config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"sha256:$config","size":$(size "$config")},\
"layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar+gzip","digest":"sha256:$layer","size":$(size "$layer")}]}
TEXT
manifest=$(blob "$work/manifest")
version=$(basename "${jars[0]}" .jar)
version=${version#local-plugin-}
cat >"$layout/index.json" <<TEXT
{"schemaVersion":2,"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:$manifest",\
"size":$(size "$manifest"),"annotations":{"org.opencontainers.image.ref.name":"localhost/cleat-local-plugin:$version","io.cleat.made-of":"$made_of"},\
"platform":{"architecture":"$platform","os":"linux"}}]}
TEXT
echo '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
mkdir -p "$(dirname "$out")"
# Moved into its place: whoever reads it meanwhile has the old one, and nobody half of one.
pack "$layout" "$out.$$"
mv -f "$out.$$" "$out"
[ -z "$missing" ] || say "left out, since this machine has none:$missing"
echo "$out: $(du -h "$out" | cut -f1), sha256:$manifest"
