# Sourced by the commands in dev/ that need to know or set the version, which stands in all poms.

project_version() {
  sed -n '/<artifactId>postrider-parent</{n;s|.*<version>\(.*\)</version>.*|\1|p;}' pom.xml
}

set_version() {
  for pom in pom.xml */pom.xml; do
    sed -e "/<artifactId>postrider-parent</{n;s|<version>.*</version>|<version>$1</version>|;}" \
      -e "/<artifactId>postrider-bom</{n;s|<version>[0-9].*</version>|<version>$1</version>|;}" "$pom" >"$pom.new"
    mv "$pom.new" "$pom"
  done
}
