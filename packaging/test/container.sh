# Sourced by dev/package-test: the Containerfile, step by step in a tree, and what it makes, run as an engine would
# run it: a read-only root, its own user without any privilege, the server as the first process, a /tmp from which
# nothing can be run.

try_container() {
  debian_tree network iproute2
  debian_tree container
  make_image "$root/deploy/Containerfile" "$packages"
  cp -a "$work/container$volume" "$work/volume" # as an engine fills a new one
  well "every step of the Containerfile was taken in a tree of Debian"

  run_image
  expect_end 1
  grep -q POSTRIDER_TOKEN "$work/console" || fail "it does not say that it wants a token: $(cat "$work/console")"
  well "without a token it does not start, and says so"
  run_image POSTRIDER_TOKEN=a-token-for-this-test
  eventually inside $health || fail "its health check fails: $(cat "$work/said")"
  [ "$(inside sh -c 'id -u; cat /proc/1/comm' | tr '\n' ' ')" = "10001 java " ] || fail "it is not its own user's first process"
  inside grep -q /app/serve.aot /proc/1/maps || fail "the server does not use its cache"
  ! inside touch /written 2>/dev/null || fail "its root can be written to"
  well "with a read-only root, no privileges and a token it runs, and its health check says so"

  # Probes name the pod's address, and know no token.
  for path in /healthz /readyz; do
    inside bash -c "exec 3<>/dev/tcp/127.0.0.1/8080
      printf 'GET $path HTTP/1.1\r\nHost: 10.1.2.3:8080\r\nConnection: close\r\n\r\n' >&3
      head -n 1 <&3" | grep -q ' 200 ' || fail "$path does not answer 200"
  done
  deliver inside postrider
  kill -9 "$first"
  wait "$machine" || : # unshare cannot end by SIGKILL as its child did, and says 1
  run_image POSTRIDER_TOKEN=a-token-for-this-test
  await_ready inside postrider
  remembers inside postrider
  well "a message was delivered, the container killed and started again on its volume; the message is there"

  kill -"$stop" "$first"
  expect_end 143
  well "stopped, it ended with 143"
}

# Follows a Containerfile in the tree `container`; sets what it says about running: make_image FILE CONTEXT
make_image() {
  environment="PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
  sed -e '/^#/d' -e '/^$/d' -e ':a' -e '/\\$/{N;ba;}' -e 's/\\\n//g' "$1" >"$work/steps"
  while read -r step words; do
    case $step in
      FROM) [ "$words" = debian:12-slim ] || fail "the tree stands for debian:12-slim, not for $words" ;;
      ARG)
        case $words in
          VERSION) arguments="VERSION=$version" ;;
          *=*) arguments="$arguments $words" ;;
          *) fail "no value for the argument $words" ;;
        esac
        ;;
      ADD)
        words=$(env -i $arguments sh -c "echo $words")
        tar -xzf "$2/${words% *}" -C "$work/container${words#* }"
        ;;
      RUN) chroot "$work/container" env -i $environment $arguments sh -ec "$words" </dev/null ;;
      ENV) environment="$environment $(echo "$words" | tr -d '"')" ;;
      USER) user=$words ;;
      WORKDIR) folder=$words ;;
      VOLUME) volume=$words ;;
      STOPSIGNAL) stop=${words#SIG} ;;
      HEALTHCHECK) health=$(plain "${words#*CMD }") ;;
      ENTRYPOINT) entry=$(plain "$words") ;;
      CMD) entry="$entry $(plain "$words")" ;;
      EXPOSE) ;;
      *) fail "nothing here knows what $step means" ;;
    esac
  done <"$work/steps"
}

# The words of a JSON array of words without spaces.
plain() {
  echo "$1" | tr -d '[]",'
}

# Starts what was made: run_image [NAME=VALUE...]
run_image() {
  given=$*
  unshare --mount --pid --fork --uts --ipc --net --kill-child sh -ec '
    network=$1 tree=$2 volume=$3 where=$4
    shift 4
    mount --make-rprivate /
    chroot "$network" ip link set lo up
    mount --bind "$tree" "$tree"
    mount --bind "$volume" "$tree$where"
    mount -t proc proc "$tree/proc"
    mount -t tmpfs -o noexec,nosuid,nodev tmpfs "$tree/tmp"
    mount --bind /dev "$tree/dev"
    mount -o remount,bind,ro "$tree"
    cd "$tree"
    exec chroot "$tree" "$@"
  ' sh "$work/network" "$work/container" "$work/volume" "$volume" \
    $(as_user) sh -c 'cd "$0" && exec "$@"' "$folder" $entry >"$work/console" 2>&1 &
  machine=$!
}

# Runs a command in the container.
inside() {
  first=$(pgrep -P "$machine") || return 1
  nsenter --target "$first" --mount --uts --ipc --net --pid --root $(as_user) "$@"
}

as_user() {
  echo env -i -C / $environment $given setpriv --reuid "${user%:*}" --regid "${user#*:}" --clear-groups \
    --bounding-set -all --inh-caps -all --no-new-privs
}
