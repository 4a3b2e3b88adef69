package dev.postrider.server.cli.terminal;

import dev.postrider.config.NearestName;
import dev.postrider.view.WaitingFor;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The words that an option may be given: completed by shells, and checked before anything is asked.
 */
public abstract class Choices implements Iterable<String> {
  private final List<String> words;

  private Choices(String... words) {
    this.words = List.of(words);
  }

  @Override
  public Iterator<String> iterator() {
    return words.iterator();
  }

  /** What is wrong with what an option was given; empty if nothing is. */
  public static Optional<String> problem(OptionSpec option) {
    if (!(option.completionCandidates() instanceof Choices choices)
        || option.stringValues().isEmpty()) {
      return Optional.empty();
    }
    return List.of(option.stringValues().getLast().split(",")).stream()
        .filter(word -> !choices.words.contains(word.strip()))
        .findFirst()
        .map(
            word ->
                "%s: '%s' is not known%s."
                    .formatted(option.longestName(), word, NearestName.hint(word, choices.words))
                    .replace("?.", "?"));
  }

  /** How a message stands. */
  public static final class MessageStatus extends Choices {
    MessageStatus() {
      super("queued", "sending", "delivered", "failed", "expired", "held", "cancelled");
    }
  }

  /** How far a message got by its platform's word. */
  public static final class ReceiptStatus extends Choices {
    ReceiptStatus() {
      super("sent", "delivered", "read", "failed");
    }
  }

  /** How an inbound message stands. */
  public static final class InboundStatus extends Choices {
    InboundStatus() {
      super("pending", "leased", "handled", "failed", "discarded");
    }
  }

  /** How a run stands. */
  public static final class RunStatus extends Choices {
    RunStatus() {
      super("waiting", "running", "paused", "success", "partial", "failed", "cancelled");
    }
  }

  /** How a run's target stands. */
  public static final class TargetStatus extends Choices {
    TargetStatus() {
      super(
          "pending",
          "sending",
          "sent",
          "delivered",
          "read",
          "failed",
          "skipped",
          "suppressed",
          "cancelled");
    }
  }

  /** How a lane stands. */
  public static final class LaneState extends Choices {
    LaneState() {
      super("waiting", "sending", "paused");
    }
  }

  /** What messages and lanes wait for. */
  public static final class WaitingKind extends Choices {
    WaitingKind() {
      super(kinds("quietHours"));
    }
  }

  /** What messages are counted by that wait. */
  public static final class WaitingGroup extends Choices {
    WaitingGroup() {
      super(kinds("quietHours", "other"));
    }
  }

  private static String[] kinds(String... besides) {
    return Stream.concat(WaitingFor.KINDS.stream(), Stream.of(besides)).toArray(String[]::new);
  }

  /** The orders of lanes. */
  public static final class LaneOrder extends Choices {
    LaneOrder() {
      super("name", "age");
    }
  }

  /** How a text is written. */
  public static final class Format extends Choices {
    Format() {
      super("markdown", "plain", "native");
    }
  }

  /** Who goes first. */
  public static final class Priority extends Choices {
    Priority() {
      super("live", "bulk");
    }
  }

  /** What is done if nobody knows whether a message arrived. */
  public static final class OnUnknown extends Choices {
    OnUnknown() {
      super("resend", "hold");
    }
  }
}
