# Sourced by both launchers, ./postrider of a clone and bin/postrider of a package: how Java runs
# Postrider from a folder with postrider.jar and lib/.

# Caches of loaded and linked classes fit only the flags they were made with: header layout above all.
common_flags="--enable-native-access=ALL-UNNAMED -XX:+UseCompactObjectHeaders -Djava.awt.headless=true"
cli_flags="-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
quiet_cache="-Xlog:aot=off -Xlog:cds=off"

# Makes the caches, which halve the start: train JAVA FOLDER. One comes from a server's short life, for
# `serve`; the other from a question to that server, for all other commands.
train() {
  scratch=$(mktemp -d)
  "$1" $common_flags -XX:AOTCacheOutput="$2/serve.aot" $quiet_cache \
    -jar "$2/postrider.jar" serve --data "$scratch" --port 0 >"$scratch/out" 9>&- &
  trainee=$!
  tries=0
  until grep -qs 'is at http://' "$scratch/out" || ! kill -0 "$trainee" || [ $tries -ge 300 ]; do
    tries=$((tries + 1))
    sleep 0.2
  done
  address=$(sed -n 's/.* is at \(http:[^ ]*\).*/\1/p' "$scratch/out")
  "$1" $common_flags $cli_flags -XX:AOTCacheOutput="$2/command.aot" $quiet_cache \
    -jar "$2/postrider.jar" status --url "$address" 9>&- || rm -f "$2/command.aot"
  kill "$trainee"
  wait "$trainee" || : # a server that is told to stop ends with the signal's number
  rm -rf "$scratch"
}

# Hands over to Java: run JAVA FOLDER [ARGUMENT...]
run() {
  java=$1
  folder=$2
  shift 2
  command=
  for word; do
    case $word in
      -*) ;;
      *)
        command=$word
        break
        ;;
    esac
  done

  set -- -jar "$folder/postrider.jar" "$@"
  case $command in
    serve) cache=$folder/serve.aot ;;
    *) cache=$folder/command.aot ;;
  esac
  if [ -f "$cache" ] && ! [ "$folder/postrider.jar" -nt "$cache" ]; then
    set -- -XX:AOTCache="$cache" $quiet_cache "$@"
  fi
  # Native code that lies ready need not be copied out of its jar, to where programs may not run.
  if [ -d "$folder/native" ]; then
    set -- -Dorg.sqlite.lib.path="$folder/native" -Dfr.acinq.secp256k1.lib.path="$folder/native" "$@"
  fi
  # Java cannot ask a terminal how wide it is.
  if [ -t 1 ] && size=$(stty size 2>/dev/null </dev/tty); then
    export COLUMNS="${size#* }"
  fi
  set -f # the options below are lists of words, not patterns
  case $command in
    # A process without memory must end, so that whoever watches over it starts it again.
    serve) set -- $common_flags -XX:+ExitOnOutOfMemoryError ${POSTRIDER_JAVA_OPTS:-} "$@" ;;
    *) set -- $common_flags $cli_flags "$@" ;;
  esac
  exec "$java" "$@"
}
