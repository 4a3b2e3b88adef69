# Sourced by dev/package-test: a program of somebody else's, built on the artifacts by their BOM.

try_maven() {
  artifacts=$packages/maven/dev/postrider
  [ ! -d "$artifacts/postrider-site" ] && [ ! -d "$artifacts/postrider-bench" ] && [ ! -d "$artifacts/postrider-packaging" ] ||
    fail "a module was published that is for nobody else"
  for module in core store-sqlite channels server; do
    for kind in '' -sources -javadoc; do
      found=$(find "$artifacts/postrider-$module/$version" -name "postrider-$module-*[0-9T]$kind.jar")
      [ -n "$found" ] || fail "postrider-$module has no jar$kind"
    done
  done
  ready_maven
  # With what this build has fetched and nothing of ours; linked, since it is large, and nothing in it is changed.
  mkdir "$work/repository"
  cp -al "${HOME:?}/.m2/repository/." "$work/repository/" 2>/dev/null ||
    cp -a "$HOME/.m2/repository/." "$work/repository/"
  rm -rf "$work/repository/dev/postrider"
  cp -R packaging/consumer "$work/consumer"
  (
    cd "$work/consumer"
    mvn -B -q -ntp --offline -Daether.offline.protocols=file -Dmaven.repo.local="$work/repository" \
      -Dpostrider.version="$version" -Dpostrider.repository="file://$packages/maven" package
    "$jdk/bin/java" --enable-native-access=ALL-UNNAMED -cp 'target/classes:target/lib/*' Consumer
  ) >"$work/console" 2>&1 || {
    cat "$work/console" >&2
    fail "a program on our artifacts cannot be built or run"
  }
  grep -qx 'delivered' "$work/console" || fail "the program delivered nothing: $(cat "$work/console")"
  well "a program with our BOM was built offline from the artifacts, and delivered a message"
}
