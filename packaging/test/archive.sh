# Sourced by dev/package-test: the archive, installed as the head of its unit says.

try_archive() {
  debian_tree archive systemd
  boot "$work/archive"
  command="on /opt/postrider/bin/postrider"

  unpack "$packages" "$version"
  on useradd --system --home-dir /var/lib/postrider --shell /usr/sbin/nologin postrider
  on install -D -g postrider -m 0640 /opt/postrider/deploy/postrider.yaml /etc/postrider/postrider.yaml
  on cp /opt/postrider/deploy/postrider.service /etc/systemd/system/
  on systemctl enable --quiet --now postrider
  await_ready $command
  expect_version "$version" $command
  well "installed from the archive, it runs under systemd without a JDK or Maven"
  process=$(on systemctl show --property MainPID --value postrider)
  on grep -q /app/serve.aot "/proc/$process/maps" || fail "the server does not use its cache"
  on grep -q /app/native/libsqlitejdbc.so "/proc/$process/maps" || fail "SQLite was copied out of its jar"
  well "its cache of loaded classes is in use, and SQLite where it lies"

  deliver $command
  on systemctl kill --signal=KILL postrider
  await_other_process "$process"
  await_ready $command
  remembers $command
  well "a message was delivered, the server killed and started again by systemd; the message is there"

  on systemctl stop postrider
  [ "$(on systemctl show --property ExecMainStatus,Result --value postrider | sort | tr '\n' ' ')" = "143 success " ] ||
    fail "a stop did not end with 143, or systemd takes that for a failure"
  unpack "$packages/next" "$next"
  on systemctl start postrider
  await_ready $command
  expect_version "$next" $command
  remembers $command
  well "stopped, it ended with 143, which counts as success; $next has the message of $version"

  mv "$work/archive/opt/postrider/runtime" "$work/archive/opt/postrider/elsewhere"
  ! $command version >"$work/said" 2>&1 || fail "it runs without its Java"
  grep -q 'runtime/bin/java is missing' "$work/said" || fail "it does not say what is missing: $(cat "$work/said")"
  well "without its Java it says so, and looks for no other"
  halt
}

unpack() {
  tar -xzf "$1/postrider-$2-linux-"*.tar.gz -C "$work/archive/opt"
  folder=$(cd "$work/archive/opt" && echo "postrider-$2-linux-"*)
  on ln -sfn "$folder" /opt/postrider
}

# Systemd starts a killed server after two seconds.
await_other_process() {
  killed=$1
  eventually another_process || fail "systemd did not start it again"
}

another_process() {
  other=$(on systemctl show --property MainPID --value postrider)
  [ "$other" != 0 ] && [ "$other" != "$killed" ]
}
