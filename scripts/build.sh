# Builds Cleat for ./cleat and lays it out under build/. Sourced by it, only when something is out of date.
#
#   build/stamp        its time: when the sources of the present build were read
#   build/launch.env   where java, the jars and the class path are
#   build/lib          link to the present jars; the directory before it stays, since a process may still use it
#   build/lib.N/*.aot  ahead-of-time caches, one per role, trained on those very jars
#   build/lib.N/local-plugin.classpath  which of the jars the bundled plugin needs; see scripts/image.sh
#   build/build.log    what Maven said
#   build/shim         the native program; see scripts/shim.sh
#
# CLEAT_JARS=DIR       the jars that launch needs, as ./dev check has just built them, and the file "begun" of the
#                      time when it began: Maven is not called a second time

# shellcheck source=scripts/jdk.sh
. "$root/scripts/jdk.sh"

say() { printf 'cleat: %s\n' "$*" >&2; }

# The roles that are trained; each answers "rehearse ROLE" by running once through what it does at start.
trained_roles="help cli local-plugin confined agent"

# Names everything that is absent at once, with what brings it. $1 is what for: "jars", "native" or both.
require_tools() {
  local absent=0
  case "$1" in
    *jars*)
      find_jdk || absent=1
      find_maven || absent=1
      ;;
  esac
  case "$1" in
    *native*)
      find_compiler || absent=1
      find_mkfs || absent=1
      ;;
  esac
  [ $absent -eq 0 ] || exit 1
}

# Builds the jars unless another process just did.
bring_up_to_date() {
  if ! mkdir -p "$build" 2>/dev/null || ! [ -w "$build" ]; then
    if [ -f "$build/launch.env" ]; then
      say "$build cannot be written: running what was built before, though the sources are newer"
      return 0
    fi
    say "nothing is built yet, and $build cannot be written: run ./cleat version once as a user who may"
    exit 1
  fi
  exec 9>"$build/lock"
  flock -n 9 || {
    say "another ./cleat is building here: waiting for it"
    flock 9
  }
  if ! fresh; then
    compile_and_lay_out
  fi
  exec 9>&-
}

compile_and_lay_out() {
  local started=$SECONDS lib number=1 old failed=
  quick_maven
  touch "$build/stamp.next"
  if [ -e "$build/lib" ]; then
    say "the sources changed: building"
    number=$(($(readlink "$build/lib" | sed 's/.*\.//') + 1))
  else
    say "first use: building (Maven fetches what it needs; later starts skip this)"
  fi
  lib=$build/lib.$number
  rm -rf "$lib"
  mkdir "$lib"
  if [ -n "${CLEAT_JARS:-}" ] && compgen -G "$root/launch/target/launch-*.jar" >/dev/null; then
    say "  with the jars of $CLEAT_JARS"
    cp "$CLEAT_JARS"/*.jar "$CLEAT_JARS"/local-plugin.classpath "$lib/"
    # What was changed since is not in them.
    touch -r "$CLEAT_JARS/begun" "$build/stamp.next"
  else
    (cd "$root" && mvn -B -ntp -Dstyle.color=never -Dquick -Dmaven.test.skip=true -Dcleat.layout="$lib" \
      -pl launch -am package 9>&-) 2>&1 | tee "$build/build.log" | show_progress "$started" || failed=1
  fi
  if [ -n "$failed" ]; then
    # What the compiler said, each once; else what Maven said; else how it ended.
    { grep '^\[ERROR\] /' "$build/build.log" | sort -u || grep '^\[ERROR\] [^-]' "$build/build.log" ||
      tail -20 "$build/build.log"; } | sed -n 1,20p >&2
    rm -rf "$lib"
    say "the build failed; everything Maven said is in $build/build.log"
    exit 1
  fi
  cp "$root"/launch/target/launch-*.jar "$lib/"
  write_settings "$lib" >"$build/launch.env.next"
  # shellcheck disable=SC1091
  . "$build/launch.env.next"
  train "$lib" "$CLEAT_CLASSPATH" "$started"
  ln -sfn "lib.$number" "$build/lib.next"
  mv -T "$build/lib.next" "$build/lib"
  mv "$build/stamp.next" "$build/stamp"
  mv "$build/launch.env.next" "$build/launch.env"
  for old in "$build"/lib.*; do
    case "${old##*.}" in
      "$number" | "$((number - 1))") ;;
      *) rm -rf "$old" ;;
    esac
  done
  say "built in $((SECONDS - started)) s"
}

# What ./cleat reads: all but the JDK lies in its own build directory, wherever the tree was copied to.
write_settings() {
  local jar name=${1##*/} classpath=
  for jar in "$1"/*.jar; do classpath+="${classpath:+:}\$CLEAT_LIB/$(printf %q "${jar##*/}")"; done
  printf 'CLEAT_JAVA=%q\nCLEAT_LIB=$build/%q\nCLEAT_CLASSPATH=%s\n' "$JAVA_HOME/bin/java" "$name" "$classpath"
}

# Turns Maven's log into one line per module.
show_progress() {
  local line
  while IFS= read -r line; do
    if [[ $line =~ ^\[INFO\]\ Building\ ([^ ]+)\ .*\[([0-9]+)/([0-9]+)\]$ ]]; then
      say "  module ${BASH_REMATCH[2]} of ${BASH_REMATCH[3]}: ${BASH_REMATCH[1]} ($((SECONDS - $1)) s)"
    fi
  done
}

# An ahead-of-time cache per role. One that cannot be made is done without: the program only starts slower.
# Profiles are of use to the second compiler tier only. With them an agent takes 20 MB more, and half a second more of
# processor time until it is ready, as what was hot in the rehearsal is compiled a second time at once.
train() {
  local lib=$1 classpath=$2 role
  # The agent is rehearsed with tasks where it can be; without the native program its server is alone.
  "$root/scripts/shim.sh" >"$build/train.log" 2>&1 9>&- || true
  say "  preparing quick starts: $trained_roles ($((SECONDS - $3)) s)"
  for role in $trained_roles; do
    train_role "$lib" "$classpath" "$role" >"$build/train.$role.log" 2>&1 9>&- &
  done
  wait
  for role in $trained_roles; do
    cat "$build/train.$role.log" >>"$build/train.log"
    rm -f "$build/train.$role.log"
    [ -e "$lib/$role.aot" ] || say "  no quick start for $role: see $build/train.log"
  done
}

train_role() {
  local lib=$1 classpath=$2 role=$3 compiler
  compiler_of "$role"
  if ! timeout 300 "$JAVA_HOME/bin/java" "${jvm[@]}" "${compiler[@]}" -XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining \
    "-XX:AOTCacheOutput=$lib/$role.aot" "-Dcleat.shim=$build/shim" \
    -cp "$classpath" io.cleat.launch.Main rehearse "$role" ||
    ! "$JAVA_HOME/bin/java" "${jvm[@]}" "${compiler[@]}" "-XX:AOTCache=$lib/$role.aot" -XX:AOTMode=on \
      -cp "$classpath" io.cleat.launch.Main version; then
    rm -f "$lib/$role.aot"
  fi
}
