package dev.postrider.channel;

import dev.postrider.message.Fix;
import dev.postrider.message.Receipt;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one try at one part came to. Every adapter answers with one of these; the engine does the
 * rest.
 */
public sealed interface Outcome {

  /**
   * The platform has it, or has queued it and reports its final fate later.
   *
   * @param handles what it calls the bytes that came with the part, by their hash
   * @param memory what to know again when sending; stored in the same write as the receipt
   * @param note what people should know of it all the same; null if nothing
   */
  record Delivered(
      Receipt receipt,
      Map<String, FileHandle> handles,
      List<Remembered> memory,
      @Nullable String note)
      implements Outcome {
    public Delivered {
      handles = Map.copyOf(handles);
      memory = List.copyOf(memory);
    }

    public Delivered(Receipt receipt, Map<String, FileHandle> handles, List<Remembered> memory) {
      this(receipt, handles, memory, null);
    }

    public Delivered(Receipt receipt, Map<String, FileHandle> handles) {
      this(receipt, handles, List.of());
    }

    public Delivered(Receipt receipt) {
      this(receipt, Map.of());
    }
  }

  /** Not processed: this scope must wait. Costs no attempt; the delay is never shortened. */
  record Throttled(ThrottleScope scope, Duration delay, String cause) implements Outcome {}

  /**
   * Proven not processed, because the platform, or the chat's server, cannot be reached: no
   * connection was made, or a gateway said that nobody is behind it. Costs no attempt: the message
   * waits until the platform answers.
   *
   * @param cause in words that stay the same from try to try
   * @param notBefore how long whoever answered wants to be left alone
   */
  record Unreachable(String cause, Duration notBefore) implements Outcome {
    public Unreachable(String cause) {
      this(cause, Duration.ZERO);
    }
  }

  /** Nothing was sent, because a file's server cannot be reached: the message alone waits. */
  record MediaUnreachable(Duration delay, String cause) implements Outcome {}

  /** Proven not processed: the platform said so. */
  record NotSent(String cause) implements Outcome {}

  /** Bytes went out and no verdict came back. */
  record Unknown(String cause) implements Outcome {}

  /**
   * Some of it may be visible, and to send it again would show that twice: it waits for a person,
   * whatever {@code onUnknown} says.
   */
  record Hold(String cause) implements Outcome {}

  /** The same part would pass in an altered form. */
  record Repairable(Fix fix, String cause) implements Outcome {}

  /** This message can never pass, or this chat can never be reached. */
  record Rejected(Blame blame, String cause) implements Outcome {}

  /** The account itself is refused: a revoked token, a suspension. */
  record AccountBroken(String cause) implements Outcome {}

  /** What a rejection is about. */
  enum Blame {
    MESSAGE,
    TARGET
  }

  static Outcome delivered(String id) {
    return new Delivered(new Receipt(id, false));
  }

  static Outcome accepted(String id) {
    return new Delivered(new Receipt(id, true));
  }

  /** The outcome's name in history and events. */
  default String label() {
    return switch (this) {
      case Delivered d -> d.receipt().accepted() ? "accepted" : "delivered";
      case Throttled _ -> "throttled";
      case Unreachable _ -> "unreachable";
      case MediaUnreachable _ -> "media-unreachable";
      case NotSent _ -> "not-sent";
      case Unknown _ -> "unknown";
      case Hold _ -> "hold";
      case Repairable _ -> "repairable";
      case Rejected _ -> "rejected";
      case AccountBroken _ -> "account-broken";
    };
  }
}
