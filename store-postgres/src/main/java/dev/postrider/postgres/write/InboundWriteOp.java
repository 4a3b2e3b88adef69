package dev.postrider.postgres.write;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.TurnState;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.inbound.RawInbound;
import dev.postrider.jdbc.inbound.SessionMirror;
import dev.postrider.jdbc.inbound.TurnEnds;
import dev.postrider.jdbc.message.RawMessage;
import dev.postrider.message.Status;
import dev.postrider.store.inbound.Completion;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.inbound.EndEffects;
import dev.postrider.store.inbound.LeaseRequest;
import dev.postrider.store.inbound.SessionReply;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.StoredMessage;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A write about inbound messages that are handed out, or about what follows; it needs no lease. */
public abstract sealed class InboundWriteOp<T> extends WriteOp<T> {

  /** Somebody wants events. */
  public static final class Take extends InboundWriteOp<List<RawInbound>> {
    public final LeaseRequest request;

    public Take(LeaseRequest request) {
      this.request = request;
    }

    public void is(List<RawInbound> events) {
      result(List.copyOf(events));
    }
  }

  /** A lease is to last. */
  public static final class Extend extends InboundWriteOp<Boolean> {
    public final UUID lease;
    public final Instant until;

    public Extend(UUID lease, Instant until) {
      this.lease = lease;
      this.until = until;
    }

    public void is(boolean extended) {
      result(extended);
    }
  }

  /** The result of an inbound message. */
  public static final class GiveBack extends InboundWriteOp<CompletionResult> {
    public final Completion completion;
    public final List<Accept> answers;

    public GiveBack(Completion completion, ContentCipher cipher) {
      this.completion = completion;
      this.answers =
          completion.answers().stream().map(answer -> Accept.answer(answer, cipher)).toList();
    }

    @Override
    public Set<String> accepts() {
      return answers.stream()
          .map(answer -> answer.entry.message().account())
          .collect(Collectors.toSet());
    }

    public boolean ends() {
      return completion.status().ended();
    }

    public void isStale() {
      result(CompletionResult.STALE);
    }

    /** The first answer that was refused; null if all were taken. */
    public CompletionResult.@Nullable Refusal refusal() {
      for (int i = 0; i < answers.size(); i++) {
        AcceptResult acceptance = answers.get(i).acceptance();
        if (acceptance != null && !acceptance.taken()) {
          return new CompletionResult.Refusal(i, acceptance);
        }
      }
      return null;
    }

    public void isRefused(CompletionResult.Refusal refusal) {
      result(CompletionResult.refused(refusal.answer(), refusal.why()));
    }

    /** To be called when the answers have their own answers. */
    public void isApplied(@Nullable TurnState turn) {
      List<AcceptResult> accepted =
          answers.stream().map(answer -> Objects.requireNonNull(answer.acceptance())).toList();
      result(CompletionResult.applied(turn, accepted));
    }
  }

  /** The end of a message, which is known: what has ended does not change. */
  public static final class Follow extends InboundWriteOp<EndEffects> {
    public final long row;
    public final byte[] content;
    final @Nullable public SessionReply said;
    public @Nullable InboundId turn; // as was noted when it was accepted, once that is known
    public final Status status;
    public final Instant at;
    public String turnAccount = ""; // of the turn's inbound message, once that is found

    public Follow(RawMessage ended, Instant at) {
      StoredMessage message = ended.decode();
      this.row = message.row();
      this.content = ended.content();
      this.status = message.status();
      this.said = status == Status.DELIVERED ? SessionMirror.of(message) : null;
      this.turn = TurnEnds.of(message.message());
      this.at = at;
    }

    public void isDone(@Nullable TurnState state) {
      result(
          new EndEffects(
              said,
              state == null || turn == null
                  ? null
                  : new EndEffects.TurnEnd(turn, turnAccount, state)));
    }

    public void isNothing() {
      result(EndEffects.NOTHING);
    }
  }
}
