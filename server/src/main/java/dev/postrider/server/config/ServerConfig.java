package dev.postrider.server.config;

import dev.postrider.config.PostriderConfig;
import java.util.List;

/**
 * Everything the server needs to be told.
 *
 * @param values every value that was given, as it may be shown
 * @param warnings what looks like a mistake but does no harm
 */
public record ServerConfig(
    PostriderConfig postrider,
    HttpSettings http,
    LogSettings logging,
    InboundSettings inbound,
    List<Shown> values,
    List<String> warnings) {
  public ServerConfig {
    values = List.copyOf(values);
    warnings = List.copyOf(warnings);
  }

  /** A value that was given, with secrets masked, and where it was given. */
  public record Shown(String key, String value, Place place) {}
}
