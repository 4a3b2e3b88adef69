package dev.postrider.server.openclaw;

import dev.postrider.message.EndReason;
import dev.postrider.message.Status;
import org.jspecify.annotations.Nullable;

/** What becomes of an entry. */
public enum Fate {
  QUEUED("queued", "queued"),
  RESENT("resent", "queued, though they may have arrived before"),
  HELD("held", "dead letters (held): sending had begun, and they may have arrived"),
  TOO_OLD("tooOld", "dead letters (expired): older than --max-age"),
  UNDATED("undated", "dead letters (failed): nobody knows how old they are"),
  FAILED("failed", "dead letters (failed): they had failed before"),
  UNSENDABLE(
      "unsendable", "dead letters (failed), in whole or in part: they cannot be sent as they are"),
  DELIVERED("delivered", "delivered before: nothing to do"),
  KNOWN("importedBefore", "imported before: nothing to do");

  private final String label;
  private final String words;

  Fate(String label, String words) {
    this.label = label;
    this.words = words;
  }

  /** Its name in JSON. */
  public String label() {
    return label;
  }

  public String words() {
    return words;
  }

  /** What its messages are here; null if it has none. */
  @Nullable Status status() {
    return switch (this) {
      case QUEUED, RESENT -> Status.QUEUED;
      case HELD -> Status.HELD;
      case TOO_OLD -> Status.EXPIRED;
      case UNDATED, FAILED, UNSENDABLE -> Status.FAILED;
      case DELIVERED, KNOWN -> null;
    };
  }

  /** Why its messages have ended, in a word; null if they have not. */
  @Nullable String reason() {
    return switch (this) {
      case HELD -> EndReason.OUTCOME_UNKNOWN.label();
      case TOO_OLD -> EndReason.EXPIRED.label();
      case UNDATED -> "age-unknown";
      case FAILED -> "failed-before-import";
      case UNSENDABLE -> EndReason.REJECTED_MESSAGE.label();
      case QUEUED, RESENT, DELIVERED, KNOWN -> null;
    };
  }
}
