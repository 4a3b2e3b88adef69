package dev.postrider.server.config;

/** One thing wrong with the configuration: where, which key, what to do. */
public record Problem(Place place, String key, String sentence) {
  @Override
  public String toString() {
    return place + ": " + (key.isEmpty() ? "" : key + " ") + sentence;
  }
}
