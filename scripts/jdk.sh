# Finds JDK 25, Maven, a C compiler and mkfs.ext4, wherever this machine keeps them. Sourced, not run.
# Each finder says on stderr what is absent and the command that brings it, and returns 1.

# Sets JAVA_HOME to a JDK 25, though another may be the default.
find_jdk() {
  local home
  for home in "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/*jdk* "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/*; do
    if [ -x "$home/bin/javac" ] && grep -qs '^JAVA_VERSION="25[."]' "$home/release"; then
      # Without links: a container is shown this very directory.
      JAVA_HOME=$(readlink -f "$home")
      export JAVA_HOME
      return 0
    fi
  done
  echo "JDK 25 was not found: looked at JAVA_HOME, /usr/lib/jvm, /opt, ~/.sdkman and ~/.jdks." >&2
  echo "  to get it on Debian 13 or Ubuntu: apt-get install openjdk-25-jdk-headless" >&2
  echo "  elsewhere: unpack any JDK 25 build under /usr/lib/jvm, or point JAVA_HOME at it" >&2
  return 1
}

find_maven() {
  command -v mvn >/dev/null || {
    echo "Maven (3.8 or newer) was not found." >&2
    echo "  to get it: apt-get install maven" >&2
    return 1
  }
}

# The one native program, the shim, is linked statically, so that it needs nothing of its machine.
find_compiler() {
  local compiler=${CC:-cc} probe
  if ! command -v "$compiler" >/dev/null; then
    echo "A C compiler (looked for '$compiler') was not found; the shim, the parent of every task, is built with it." >&2
  else
    probe=$(mktemp)
    if echo 'int main(void) { return 0; }' | "$compiler" -static -x c -o "$probe" - 2>/dev/null; then
      rm -f "$probe"
      return 0
    fi
    rm -f "$probe"
    echo "The C compiler '$compiler' cannot link a static program: the static C library is absent." >&2
  fi
  echo "  to get it on Debian or Ubuntu: apt-get install gcc libc6-dev" >&2
  echo "  on Fedora: dnf install gcc glibc-static; on Alpine: apk add gcc musl-dev linux-headers" >&2
  return 1
}

find_mkfs() {
  command -v mkfs.ext4 >/dev/null || {
    echo "mkfs.ext4 was not found (the bundled plugin makes its images with it)." >&2
    echo "  to get it: apt-get install e2fsprogs" >&2
    return 1
  }
}

# A build is short: a small collector and the first compiler tier make it shorter on few cores.
quick_maven() {
  export MAVEN_OPTS="${MAVEN_OPTS:--XX:+UseSerialGC -XX:TieredStopAtLevel=1}"
}

find_tools() {
  local missing=0
  find_jdk || missing=1
  find_maven || missing=1
  [ $missing -eq 0 ] || exit 1
  quick_maven
}
