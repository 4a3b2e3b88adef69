# Sourced by dev/package-test: the Debian package through its whole life.

try_debian() {
  debian_tree debian systemd
  boot "$work/debian"
  cp "$packages"/postrider_*.deb "$packages/next"/postrider_*.deb "$work/debian/root/"
  this=$(package_of "$packages")
  newer=$(package_of "$packages/next")

  install_package "$this"
  await_ready on postrider
  expect_version "$version" on postrider
  [ "$(on stat -c '%a %U:%G' /etc/postrider/postrider.yaml)" = "640 root:postrider" ] || fail "others can read the configuration"
  [ "$(on stat -c '%a %U:%G' /var/lib/postrider)" = "700 postrider:postrider" ] || fail "others can read the data"
  process=$(on systemctl show --property MainPID --value postrider)
  [ "$(on stat -c %U "/proc/$process")" = postrider ] || fail "it does not run as its own user"
  on grep -q /app/serve.aot "/proc/$process/maps" || fail "the server does not use its cache"
  well "installed, it runs as its own user; others can read neither its configuration nor its data"

  on bash -c '. /usr/share/bash-completion/completions/postrider && complete -p postrider' >/dev/null
  on test -s /usr/share/man/man1/postrider.1.gz || fail "there is no manual page"
  [ -z "$(on systemd-analyze verify --man=no postrider.service 2>&1 | grep postrider)" ] || fail "systemd finds something wrong with the unit"
  exposure=$(on systemd-analyze security postrider.service | sed -n 's/.*level for postrider.service: \([0-9.]* [A-Z]*\).*/\1/p')
  well "manual page and completions are there; systemd rates the unit's exposure at $exposure"

  deliver on postrider
  on systemctl kill --signal=KILL postrider
  await_other_process "$process"
  await_ready on postrider
  remembers on postrider
  well "a message was delivered, the server killed and started again by systemd; the message is there"

  on install -d -o postrider -g postrider -m 0700 /var/backups/postrider
  on systemctl enable --quiet --now postrider-backup.timer
  on systemctl start postrider-backup.service
  on find /var/backups/postrider -name 'postrider-*.zip' -size +0 | grep -q . || fail "the unit for backups made none"
  well "backups are enabled as its page says, and one was made beside the running server"

  on sh -c 'echo "delivery: { maxAttempts: 7 }" >>/etc/postrider/postrider.yaml'
  process=$(on systemctl show --property MainPID --value postrider)
  install_package "$newer"
  await_other_process "$process"
  await_ready on postrider
  expect_version "$next" on postrider
  remembers on postrider
  on grep -q 'maxAttempts: 7' /etc/postrider/postrider.yaml || fail "the upgrade took the configuration away"
  [ "$(on stat -c '%a %U:%G' /etc/postrider/postrider.yaml)" = "640 root:postrider" ] || fail "the upgrade opened the configuration"
  well "upgraded to $next, it was restarted and has its messages and its changed configuration"

  on systemctl --quiet is-active postrider-backup.timer || fail "the upgrade ended the backups"
  on systemctl disable --quiet --now postrider
  install_package "$newer"
  ! on systemctl --quiet is-active postrider || fail "an upgrade started what was disabled"
  on systemctl enable --quiet --now postrider
  await_ready on postrider
  on dpkg --remove postrider >/dev/null 2>&1
  ! on systemctl --quiet is-active postrider postrider-backup.timer || fail "it was removed, and runs"
  on test -s /var/lib/postrider/postrider.db -a -s /etc/postrider/postrider.yaml || fail "removing it took more than the program"
  install_package "$newer"
  await_ready on postrider
  remembers on postrider
  well "an upgrade leaves it disabled, removing it stops it, and installed again it has its messages"

  on dpkg --purge postrider >/dev/null 2>&1
  for place in /var/lib/postrider /etc/postrider /usr/lib/postrider \
    /etc/systemd/system/multi-user.target.wants/postrider.service /etc/systemd/system/timers.target.wants/postrider-backup.timer; do
    ! on test -e $place -o -L $place || fail "purging it left $place"
  done
  well "purged, it has left nothing but its user"
  halt
}

package_of() {
  (cd "$1" && echo postrider_*.deb)
}

install_package() {
  on env DEBIAN_FRONTEND=noninteractive dpkg --install "/root/$1" >"$work/dpkg.log" 2>&1 || {
    cat "$work/dpkg.log" >&2
    fail "$1 cannot be installed"
  }
}
