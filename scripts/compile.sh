# Compiles and packages all for ./dev check, unless that was done of these very sources: all or nothing. Sourced by
# check.sh and busy.sh, with the options that the check has, in the tree's root.
#
#   build/compiled   what it was made of, and what was made
#   build/jars       the jars of the program that tests start

# Whose classes, and whose formatting, need not be found out again: the sources, the examples, which are in a jar, the
# compiler and the options.
sources=$({ find pom.xml ./*/pom.xml .mvn ./*/src examples -type f -print0 | sort -z | xargs -0 sha256sum
  cat "$JAVA_HOME/release"
  mvn -v
  echo "$@"; } | sha256sum)
# The program that tests start is laid out from these very jars, not built a second time under them.
export CLEAT_JARS=$PWD/build/jars

# What the compiler made of them, each by its name.
compiled() {
  echo "$sources"
  find ./*/target/classes ./*/target/test-classes ./*/target/*.jar "$CLEAT_JARS" -type f 2>/dev/null | sort
}

# Nobody may have compiled or removed anything since.
is_compiled() {
  [ -f build/compiled ] && [ "$(cat build/compiled)" = "$(compiled)" ] &&
    [ -z "$(find ./*/target/classes ./*/target/test-classes ./*/target/*.jar -newer build/compiled -print -quit)" ]
}

compile_all() {
  if is_compiled; then
    echo "nothing changed since all was compiled: remove build/compiled to compile it anew"
    rm -rf ./*/target/surefire-reports
  else
    rm -rf "$CLEAT_JARS" build/compiled
    mkdir -p "$CLEAT_JARS"
    touch "$CLEAT_JARS/begun"
    # Maven warns of the plugin that selects a JDK, which is not marked for several modules at a time: it has nothing to
    # select, as find_tools has.
    mvn -B -ntp -T 5 clean package -DskipTests "-Dcleat.layout=$CLEAT_JARS" "$@" || return 1
    compiled >build/compiled
  fi
}
