# Sourced by dev/package-test: clean trees of Debian, and machines that run in them.

fail() {
  echo "package-test: $*" >&2
  exit 1
}

well() {
  echo "   $*"
}

# Runs a command again and again until it succeeds, for ten minutes; `said` has what it said last.
eventually() {
  tries=0
  until "$@" >"$work/said" 2>&1; do
    tries=$((tries + 1))
    [ $tries -lt 1200 ] || return 1
    sleep 0.5
  done
}

# A tree of Debian 12 with what every system has, and the named packages: debian_tree NAME [PACKAGE,...]. Mirrors and
# keys are those of this machine's apt.
debian_tree() {
  mirror "$work/apt"
  perl "$work/apt/mmdebstrap/usr/bin/mmdebstrap" --quiet --variant=minbase ${2:+--include="$2"} bookworm \
    "$work/$1" "$work/apt/sources.list" >"$work/mmdebstrap.log" 2>&1 || {
    cat "$work/mmdebstrap.log" >&2
    fail "no tree of Debian could be made"
  }
  for tool in java javac mvn; do
    ! chroot "$work/$1" sh -c "command -v $tool" >/dev/null || fail "the tree has $tool"
  done
}

# Lists of packages of its own, since the machine's may be missing or old, and the program that makes trees.
mirror() {
  [ ! -e "$1/mmdebstrap" ] || return 0
  mkdir -p "$1/lists/partial" "$1/cache"
  set -- "$1" -q -o Dir::State::lists="$1/lists" -o Dir::Cache="$1/cache" -o APT::Sandbox::User=root
  (
    cd "$1"
    shift
    apt-get "$@" update
    apt-get "$@" download mmdebstrap
    dpkg -x mmdebstrap_*.deb mmdebstrap
    apt-get "$@" indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' \
      'Created-By: Packages' 'Origin: Debian' >sources.list
  ) >"$1.log" 2>&1 || {
    cat "$1.log" >&2
    fail "this takes Debian 12 and its packages within reach"
  }
}

# Starts systemd in a tree, with processes, network, mounts and control groups of its own: boot TREE
boot() {
  group=/sys/fs/cgroup/systemd
  [ -d $group ] || group=/sys/fs/cgroup # of the second version
  group=$group/postrider-package-test-$$
  mkdir "$group"
  sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" \
    unshare --mount --pid --fork --uts --ipc --net --cgroup --kill-child \
    sh "$root/packaging/test/boot" "$1" >"$work/console" 2>&1 &
  machine=$!
  eventually booted || {
    cat "$work/console" >&2
    fail "systemd does not start in a tree here"
  }
}

booted() {
  first=$(pgrep -P "$machine") || return 1
  case $(on systemctl is-system-running) in
    running | degraded) ;;
    *) return 1 ;;
  esac
}

# Runs a command on the machine.
on() {
  nsenter --target "$first" --all --root env -i -C / PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"
}

# Pulls the machine's plug.
halt() {
  [ -n "${machine:-}" ] || return 0
  kill -9 "$machine" 2>/dev/null || :
  wait "$machine" 2>/dev/null || :
  machine=
  [ -z "${group:-}" ] || eventually remove_groups || :
}

# Only when the last process is gone.
remove_groups() {
  [ ! -d "$group" ] || find "$group" -depth -type d -exec rmdir {} +
}

# Awaits the end of what was started last, with this exit code.
expect_end() {
  code=0
  wait "$machine" || code=$?
  machine=
  [ $code = "$1" ] || fail "it ended with $code, not with $1: $(cat "$work/console")"
}

# Asks until a server takes messages: await_ready COMMAND...
await_ready() {
  eventually "$@" ready || fail "no server got ready: $(cat "$work/said")"
}

# Sends a message to the sandbox and sees it delivered; sets `message`: deliver COMMAND...
deliver() {
  answer=$("$@" send --account sandbox --to ann --text 'Good day' --wait 1m) || fail "not delivered: $answer"
  case $answer in
    *' delivered') message=${answer% delivered} ;;
    *) fail "not delivered: $answer" ;;
  esac
}

# Whether the server still has the message that was delivered: remembers COMMAND...
remembers() {
  "$@" messages show "$message" >"$work/shown" || fail "the message is gone"
  grep -q 'Good day' "$work/shown" && grep -q delivered "$work/shown" || fail "the message is not what it was"
}

# The version that a server's command line says of itself.
expect_version() {
  wanted=$1
  shift
  said=$("$@" version)
  case $said in
    "postrider $wanted "*) ;;
    *) fail "this is '$said', not $wanted" ;;
  esac
}
