package dev.postrider.postgres;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.TurnState;
import dev.postrider.jdbc.ContentCipher;
import dev.postrider.jdbc.Mirror;
import dev.postrider.jdbc.Raw;
import dev.postrider.jdbc.RawEvent;
import dev.postrider.jdbc.Turns;
import dev.postrider.message.Status;
import dev.postrider.store.Acceptance;
import dev.postrider.store.Followed;
import dev.postrider.store.HandBack;
import dev.postrider.store.HandOut;
import dev.postrider.store.HandedBack;
import dev.postrider.store.Mirrored;
import dev.postrider.store.StoredMessage;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A write about events that are handed out, or about what follows; it needs no lease. */
abstract sealed class DeskOp<T> extends Op<T> {

  /** Somebody wants events. */
  static final class Take extends DeskOp<List<RawEvent>> {
    final HandOut wish;

    Take(HandOut wish) {
      this.wish = wish;
    }

    void is(List<RawEvent> events) {
      result(List.copyOf(events));
    }
  }

  /** A lease is to last. */
  static final class Extend extends DeskOp<Boolean> {
    final UUID lease;
    final Instant until;

    Extend(UUID lease, Instant until) {
      this.lease = lease;
      this.until = until;
    }

    void is(boolean extended) {
      result(extended);
    }
  }

  /** What came of an event. */
  static final class GiveBack extends DeskOp<HandedBack> {
    final HandBack back;
    final List<Accept> answers;

    GiveBack(HandBack back, ContentCipher cipher) {
      this.back = back;
      this.answers = back.answers().stream().map(answer -> Accept.answer(answer, cipher)).toList();
    }

    @Override
    Set<String> accepts() {
      return answers.stream()
          .map(answer -> answer.entry.message().account())
          .collect(Collectors.toSet());
    }

    boolean ends() {
      return back.status().ended();
    }

    void isStale() {
      result(HandedBack.STALE);
    }

    /** The first answer that was refused; null if all were taken. */
    HandedBack.@Nullable Refusal refusal() {
      for (int i = 0; i < answers.size(); i++) {
        Acceptance acceptance = answers.get(i).acceptance();
        if (acceptance != null && !acceptance.taken()) {
          return new HandedBack.Refusal(i, acceptance);
        }
      }
      return null;
    }

    void isRefused(HandedBack.Refusal refusal) {
      result(HandedBack.refused(refusal.answer(), refusal.why()));
    }

    /** To be called when the answers have their own answers. */
    void isApplied(@Nullable TurnState turn) {
      List<Acceptance> accepted =
          answers.stream().map(answer -> Objects.requireNonNull(answer.acceptance())).toList();
      result(HandedBack.applied(turn, accepted));
    }
  }

  /** The end of a message, which is known: what has ended does not change. */
  static final class Follow extends DeskOp<Followed> {
    final long row;
    final byte[] content;
    final @Nullable Mirrored said;
    @Nullable InboundId turn; // as was noted when it was accepted, once that is known
    final Status status;
    final Instant at;
    String turnAccount = ""; // of the turn's event, once that is found

    Follow(Raw ended, Instant at) {
      StoredMessage message = ended.decode();
      this.row = message.row();
      this.content = ended.content();
      this.status = message.status();
      this.said = status == Status.DELIVERED ? Mirror.of(message) : null;
      this.turn = Turns.of(message.message());
      this.at = at;
    }

    void isDone(@Nullable TurnState state) {
      result(
          new Followed(
              said,
              state == null || turn == null
                  ? null
                  : new Followed.TurnEnd(turn, turnAccount, state)));
    }

    void isNothing() {
      result(Followed.NOTHING);
    }
  }
}
