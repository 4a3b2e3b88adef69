package dev.postrider.channels.sidecar;

import java.util.Map;

/**
 * A chat as sidecars and as people name it: a person by the id alone, a group as {@code group:ID}.
 */
public record SidecarChat(String id, boolean group) {
  private static final String GROUP = "group:";
  private static final String PERSON = "user:";

  /** As it was written; {@code user:ID} is the long form of a person. */
  public static SidecarChat read(String to) {
    String written = to.strip();
    if (written.startsWith(GROUP)) {
      return new SidecarChat(written.substring(GROUP.length()).strip(), true);
    }
    return new SidecarChat(
        written.startsWith(PERSON) ? written.substring(PERSON.length()).strip() : written, false);
  }

  /** The one name of its lane. */
  public String name() {
    return group ? GROUP + id : id;
  }

  Map<String, String> fields() {
    return Map.of("id", id, "kind", group ? "group" : "person");
  }
}
