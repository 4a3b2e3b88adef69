package dev.postrider.server.cli.terminal;

/** How a text looks on a terminal with colours. */
public enum Style {
  PLAIN(""),
  HEADING("1"),
  GOOD("32"),
  WARNING("33"),
  BAD("31");

  static final String OFF = "\u001b[0m";

  private final String code;

  Style(String code) {
    this.code = code;
  }

  String on() {
    return "\u001b[" + code + "m";
  }

  /** The style of the word for a state or an outcome. */
  static Style of(String state) {
    return switch (state) {
      case "delivered", "ready", "success", "handled", "sent", "read", "alive", "ok" -> GOOD;
      case "held", "paused", "degraded", "partial", "starting", "unknown", "not-sent" -> WARNING;
      case "failed", "expired", "broken", "unreachable", "rejected", "DEAD" -> BAD;
      default -> PLAIN;
    };
  }
}
