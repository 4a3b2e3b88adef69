# Sourced by ./postrider, ./check and the commands in dev/. find_jdk sets `jdk` to the home of a JDK
# new enough for Postrider, or explains what to install and fails. Versions are read from each JDK's
# `release` file: starting every Java on the machine to ask for its version would take seconds.

jdk_wanted=25

# Sets `major` to the feature version of the JDK in $1; 0 if there is none.
jdk_major() {
  major=0
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
  while IFS='=' read -r release_key release_value; do
    if [ "$release_key" = JAVA_VERSION ]; then
      release_value=${release_value#\"}
      major=${release_value%%[!0-9]*}
      major=${major:-0}
      return 0
    fi
  done <"$1/release"
}

find_jdk() {
  jdk=
  java_on_path=$(command -v java) && java_on_path=$(readlink -f "$java_on_path") || java_on_path=

  # What the user points at wins, if it will do.
  for candidate in "${JDK_HOME:-}" "${JAVA_HOME:-}" "${java_on_path%/bin/java}"; do
    [ -n "$candidate" ] || continue
    jdk_major "$candidate"
    if [ "$major" -ge "$jdk_wanted" ]; then
      jdk=$candidate
      return 0
    fi
  done

  # Then the lowest that will do: it is the one we test with.
  lowest=
  for candidate in /usr/lib/jvm/* /usr/java/* /usr/local/java/* /opt/* /opt/*/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${SDKMAN_DIR:-${HOME:-}/.sdkman}"/candidates/java/* "${HOME:-}"/.jdks/*; do
    jdk_major "$candidate"
    if [ "$major" -ge "$jdk_wanted" ] && [ "$major" -lt "${lowest:-999}" ]; then
      jdk=$candidate lowest=$major
    fi
  done
  [ -n "$jdk" ] && return 0

  cat >&2 <<MESSAGE
postrider: needs a JDK $jdk_wanted or newer, and found none.
Looked at JDK_HOME, JAVA_HOME, java on the PATH, /usr/lib/jvm, /opt, SDKMAN and ~/.jdks.
Install one, for example:
  Debian, Ubuntu   apt install openjdk-$jdk_wanted-jdk-headless
  Fedora           dnf install java-$jdk_wanted-openjdk-devel
  macOS            brew install --cask temurin@$jdk_wanted
  SDKMAN           sdk install java $jdk_wanted-tem
  by hand          https://adoptium.net/temurin/releases/?version=$jdk_wanted
or set JAVA_HOME to the one you have, then run this again.
MESSAGE
  return 1
}

# Prepares the environment for `mvn`, or explains how to get it and fails.
ready_maven() {
  if ! command -v mvn >/dev/null; then
    cat >&2 <<MESSAGE
postrider: needs Maven 3.8.7 or newer to build, and there is no mvn on the PATH.
Install it, for example:
  Debian, Ubuntu   apt install maven
  Fedora           dnf install maven
  macOS            brew install maven
  SDKMAN           sdk install maven
  by hand          https://maven.apache.org/install.html
MESSAGE
    return 1
  fi
  export JAVA_HOME="$jdk"
  # Libraries inside Maven and its plugins still use what Java 25 warns about.
  export MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED ${MAVEN_OPTS:-}"
}
