package dev.postrider.testkit.internal.peers;

import dev.postrider.testkit.internal.debian.DebianPackages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Debian's Chromium: the one of the system, else one unpacked into {@code target}. With fonts of
 * its own, so that pictures look the same wherever they are taken.
 */
public final class Chromium {
  private static final Path INSTALLED = Path.of("/usr/bin/chromium");

  /** Its libraries are where they were unpacked, or the system has them already. */
  private static final String START =
      """
      #!/bin/sh
      root='%s'
      LD_LIBRARY_PATH=$(find "$root" -name '*.so*' -exec dirname {} + | sort -u | tr '\\n' ':')
      export LD_LIBRARY_PATH FONTCONFIG_FILE='%s'
      exec '%s' "$@"
      """;

  private static final String FONTS =
      """
      <?xml version="1.0"?>
      <!DOCTYPE fontconfig SYSTEM "fonts.dtd">
      <fontconfig>
        <dir>%1$s/usr/share/fonts</dir>
        <dir>/usr/share/fonts</dir>
        <cachedir>%1$s/fonts-cache</cachedir>
        <alias><family>sans-serif</family><prefer><family>Inter</family></prefer></alias>
        <alias><family>system-ui</family><prefer><family>Inter</family></prefer></alias>
        <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
      </fontconfig>
      """;

  private Chromium() {}

  /** The command that starts it. */
  public static Path command() throws IOException {
    Path fonts = DebianPackages.unpack("fonts", "fonts-inter", "fonts-dejavu-core");
    Path settings = fonts.resolve("fonts.conf");
    Files.writeString(settings, FONTS.formatted(fonts));
    boolean installed = Files.isExecutable(INSTALLED);
    Path root = installed ? fonts : DebianPackages.unpackWithDependencies("chromium", "chromium");
    Path program = installed ? INSTALLED : root.resolve("usr/lib/chromium/chromium");
    Path start = fonts.resolve("start-chromium");
    Files.writeString(start, START.formatted(root, settings, program));
    if (!start.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + start + " executable");
    }
    return start;
  }
}
