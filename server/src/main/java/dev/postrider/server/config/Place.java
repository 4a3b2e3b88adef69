package dev.postrider.server.config;

/** Where a setting comes from, as people find it: a line of a file, a variable, an option. */
public record Place(String text) {

  static Place line(String file, int line) {
    return new Place(file + " line " + line);
  }

  static Place variable(String name) {
    return new Place("environment variable " + name);
  }

  static Place option(String name) {
    return new Place("option " + name);
  }

  @Override
  public String toString() {
    return text;
  }
}
