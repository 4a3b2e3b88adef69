package dev.postrider.server.config;

/** Where a setting comes from, as people find it: a line of a file, a variable, an option. */
public record ConfigSource(String text) {

  static ConfigSource line(String file, int line) {
    return new ConfigSource(file + " line " + line);
  }

  static ConfigSource variable(String name) {
    return new ConfigSource("environment variable " + name);
  }

  static ConfigSource option(String name) {
    return new ConfigSource("option " + name);
  }

  @Override
  public String toString() {
    return text;
  }
}
