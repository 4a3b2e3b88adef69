# Sourced by dev/package-test: the one runnable jar, on the Java of this machine.

try_jar() {
  java="$jdk/bin/java -jar $packages/postrider-$version-all.jar"
  start_jar
  expect_version "$version" $java
  [ "$($java channels --json | grep -c '"name"')" -gt 20 ] || fail "channels are missing"
  deliver $java
  kill -9 "$machine"
  expect_end 137
  start_jar
  remembers $java
  kill "$machine"
  expect_end 143
  unset POSTRIDER_URL
  well "one jar: a message was delivered, the server killed and started again; the message is there"
}

start_jar() {
  $java serve --data "$work/jar-data" --port 0 >"$work/console" 2>&1 &
  machine=$!
  eventually grep '^Postrider is at ' "$work/console" || fail "the jar starts no server: $(cat "$work/console")"
  POSTRIDER_URL=$(sed 's/^Postrider is at //' "$work/said")
  export POSTRIDER_URL
}
