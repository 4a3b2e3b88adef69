package dev.postrider.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Resolves {@code ${NAME}} from the environment and {@code ${file:/path}} from a file, so that
 * secrets need not stand in the configuration. <code>$${</code> is a literal <code>${</code>.
 */
final class References {
  private static final Pattern REFERENCE = Pattern.compile("\\$?\\$\\{([^}]*)}");
  private static final String FILE = "file:";

  private final Map<String, String> environment;
  private final Set<String> used = new HashSet<>();

  References(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Variables that were referred to, whether they are set or not. */
  Set<String> used() {
    return used;
  }

  /**
   * The text with its references resolved.
   *
   * @throws IllegalArgumentException naming what is missing
   */
  String resolve(String text) {
    return text.contains("${")
        ? REFERENCE
            .matcher(text)
            .replaceAll(found -> Matcher.quoteReplacement(value(found.group(), found.group(1))))
        : text;
  }

  private String value(String whole, String name) {
    if (whole.startsWith("$$")) {
      return whole.substring(1);
    }
    if (name.startsWith(FILE)) {
      String path = name.substring(FILE.length());
      try {
        return Files.readString(Path.of(path)).strip();
      } catch (IOException | InvalidPathException e) {
        throw new IllegalArgumentException(
            "refers to the file " + path + ", which cannot be read", e);
      }
    }
    used.add(name);
    @Nullable String value = environment.get(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "refers to the environment variable " + name + ", which is not set");
    }
    return value;
  }
}
