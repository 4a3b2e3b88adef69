package dev.postrider.view;

import dev.postrider.internal.account.WaitReasons;
import dev.postrider.message.MessageId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a message, a lane or an account is not being sent from now, and until when. Of several
 * reasons it is the one that must go first; {@link WaitReasons} has their order.
 */
public sealed interface WaitingFor {
  /** All kinds. */
  List<String> KINDS =
      List.of(
          "pace",
          "retry",
          "behind",
          "lanePaused",
          "accountPaused",
          "accountBroken",
          "unreachable",
          "storeDown",
          "window",
          "sendAt",
          "otherNode",
          "receipt");

  /** Its name on the wire. */
  default String kind() {
    return switch (this) {
      case Pace _ -> "pace";
      case Retry _ -> "retry";
      case Behind _ -> "behind";
      case LanePaused _ -> "lanePaused";
      case AccountPaused _ -> "accountPaused";
      case AccountBroken _ -> "accountBroken";
      case Unreachable _ -> "unreachable";
      case StoreDown _ -> "storeDown";
      case Window _ -> "window";
      case SendAt _ -> "sendAt";
      case OtherNode _ -> "otherNode";
      case Receipt _ -> "receipt";
    };
  }

  /** When this ends, or is looked at again; never in the past, null if nobody knows. */
  default @Nullable Instant until() {
    return null;
  }

  /** When this began; null if nobody knows. */
  @Nullable Instant since();

  /** Why, for people. */
  default @Nullable String cause() {
    return null;
  }

  /** The message that goes first. */
  default @Nullable MessageId messageId() {
    return null;
  }

  /**
   * It is due, and waits for a token of its chat, its account or its channel, for a free slot or
   * for its turn among other chats.
   *
   * @param until when the token is there; null if it is a matter of its turn alone
   */
  record Pace(@Nullable Instant until, @Nullable Instant since, @Nullable String cause)
      implements WaitingFor {}

  /** An attempt has failed, and the next comes then. */
  record Retry(@Nullable Instant until, @Nullable Instant since, @Nullable String cause)
      implements WaitingFor {}

  /** Its next part waits until the platform has sent the one before, at most until then. */
  record Receipt(@Nullable Instant until, @Nullable Instant since, String cause)
      implements WaitingFor {}

  /** Another message of its lane goes first. */
  record Behind(MessageId messageId, @Nullable Instant since) implements WaitingFor {}

  /** Its lane was stopped, by an operator or a failure. */
  record LanePaused(@Nullable Instant since, String cause) implements WaitingFor {}

  /** Its account was stopped by an operator. */
  record AccountPaused(@Nullable Instant since, String cause) implements WaitingFor {}

  /**
   * The platform refuses its account, or the account is not configured any more.
   *
   * @param until when the platform is asked again
   */
  record AccountBroken(@Nullable Instant until, @Nullable Instant since, String cause)
      implements WaitingFor {}

  /**
   * Its account's platform cannot be reached, or its link has not been ready yet.
   *
   * @param until when it is tried again
   */
  record Unreachable(@Nullable Instant until, @Nullable Instant since, String cause)
      implements WaitingFor {}

  /** The store takes no writes, so nothing is sent. */
  record StoreDown(@Nullable Instant since, String cause) implements WaitingFor {}

  /** Its run waits for the delivery window to open. */
  record Window(@Nullable Instant until, @Nullable Instant since, @Nullable String cause)
      implements WaitingFor {}

  /** Whoever sent it wants it to be sent then. */
  record SendAt(@Nullable Instant until, @Nullable Instant since) implements WaitingFor {}

  /** Another node works its account, or none does yet. */
  record OtherNode(@Nullable Instant since, String cause) implements WaitingFor {}
}
