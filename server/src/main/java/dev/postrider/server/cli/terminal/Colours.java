package dev.postrider.server.cli.terminal;

import java.util.Map;

/** When there are colours. The constants are written as people write them. */
public enum Colours {
  auto,
  always,
  never;

  boolean shown(boolean interactive, Map<String, String> environment) {
    return switch (this) {
      case always -> true;
      case never -> false;
      case auto ->
          interactive
              && environment.getOrDefault("NO_COLOR", "").isEmpty()
              && !environment.getOrDefault("TERM", "").equals("dumb");
    };
  }
}
