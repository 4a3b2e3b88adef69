package dev.postrider.testkit.internal.peers;

import dev.postrider.testkit.internal.debian.DebianPackages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Debian's Chromium: the one of the system, else one unpacked into {@code target}. */
public final class Chromium {
  private static final Path INSTALLED = Path.of("/usr/bin/chromium");

  private Chromium() {}

  /** The command that starts it. */
  public static Path command() throws IOException {
    if (Files.isExecutable(INSTALLED)) {
      return INSTALLED;
    }
    Path root = DebianPackages.unpackWithDependencies("chromium", "chromium", "fonts-dejavu-core");
    Path start = root.resolve("start-chromium");
    Files.writeString(start, STARTS.formatted(root));
    if (!start.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + start + " executable");
    }
    return start;
  }

  /** Its libraries and fonts are where they were unpacked. */
  private static final String STARTS =
      """
      #!/bin/sh
      root='%s'
      LD_LIBRARY_PATH=$(find "$root" -name '*.so*' -exec dirname {} + | sort -u | tr '\\n' ':')
      export LD_LIBRARY_PATH FONTCONFIG_SYSROOT="$root"
      exec "$root/usr/lib/chromium/chromium" "$@"
      """;
}
