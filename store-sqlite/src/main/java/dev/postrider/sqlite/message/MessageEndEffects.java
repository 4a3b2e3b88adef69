package dev.postrider.sqlite.message;

import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.inbound.SessionMirror;
import dev.postrider.jdbc.inbound.TurnEnds;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.inbound.SessionWriter;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.sqlite.sql.InboundSql;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.sqlite.sql.TurnSql;
import dev.postrider.store.inbound.EndEffects;
import dev.postrider.store.inbound.SessionReply;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.StoredMessage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the end of a message: its session's history, and the end of its turn. To be
 * called inside the committer's transaction; belongs to the writer's thread.
 *
 * <p>A row of {@code follow} stands for what is still to be done, from the write that accepts the
 * message on. Whoever deletes it does it; so it is done once, and a turn for which such rows are
 * left is not over.
 */
public final class MessageEndEffects {
  private final JdbcSession session;
  private final Accounts accounts;
  private final SessionWriter sessions;

  public MessageEndEffects(JdbcSession session, Accounts accounts, SessionWriter sessions) {
    this.session = session;
    this.accounts = accounts;
    this.sessions = sessions;
  }

  /** The message is to be followed. */
  void add(long row, Message message) throws SQLException {
    InboundId turn = TurnEnds.of(message);
    session.update(TurnSql.ADD_FOLLOW, row, turn == null ? null : Rows.bytes(turn.value()));
  }

  /** Whether a new message may name the turn it names. */
  boolean mayName(NewMessage entry) throws SQLException {
    InboundId turn = TurnEnds.claimedBy(entry);
    UUID given = entry.message().leaseId();
    if (turn == null) {
      return given == null;
    }
    Boolean allowed =
        session.one(
            InboundSql.OPEN_TURN,
            row -> {
              byte[] lease = row.getBytes(3);
              return TurnEnds.mayName(
                  given,
                  Values.inboundStatus(row.getInt(1)),
                  row.getInt(2),
                  lease == null ? null : Rows.uuid(lease));
            },
            (Object) Rows.bytes(turn.value()));
    return allowed == null ? given == null : allowed;
  }

  public EndEffects follow(MessageId id, Instant now) throws SQLException {
    StoredMessage message =
        session.one(MessageSql.BY_UID, row -> Rows.message(row, accounts), (Object) Rows.uid(id));
    if (message == null || !message.status().ended()) {
      return EndEffects.NOTHING;
    }
    Unfollowed mine = unfollow(message.row());
    return mine == null ? EndEffects.NOTHING : follow(message, mine, now);
  }

  /** The message goes; what was to be done with its end is done before. */
  void delete(long row) throws SQLException {
    Unfollowed mine = unfollow(row);
    if (mine == null) {
      return;
    }
    StoredMessage message =
        session.one(MessageSql.BY_ROW, found -> Rows.message(found, accounts), row);
    if (message != null && message.endedAt() != null) {
      follow(message, mine, message.endedAt());
    }
  }

  /** What was still to be followed: the turn that the message names, if it names one. */
  private record Unfollowed(@Nullable InboundId turn) {}

  /** Null if somebody has followed it before. */
  private @Nullable Unfollowed unfollow(long row) throws SQLException {
    return session.one(
        TurnSql.FOLLOW,
        gone -> {
          byte[] turn = gone.getBytes(1);
          return new Unfollowed(turn == null ? null : new InboundId(Rows.uuid(turn)));
        },
        row);
  }

  private EndEffects follow(StoredMessage message, Unfollowed mine, Instant now)
      throws SQLException {
    boolean delivered = message.status() == Status.DELIVERED;
    SessionReply said = delivered ? SessionMirror.of(message) : null;
    if (said != null) {
      sessions.mirror(said);
    }
    InboundId turn = mine.turn;
    if (turn == null) {
      return new EndEffects(said, null);
    }
    if (delivered || message.status().deadLetter()) {
      session.update(
          TurnSql.COUNT_MESSAGE, delivered ? 1 : 0, delivered ? 0 : 1, Rows.bytes(turn.value()));
    }
    return new EndEffects(said, endTurn(turn, now));
  }

  /** Ends the turn if its event has ended and nothing is to be followed any more. */
  public EndEffects.@Nullable TurnEnd endTurn(InboundId turn, Instant now) throws SQLException {
    byte[] uid = Rows.bytes(turn.value());
    EndEffects.TurnEnd end =
        session.one(
            TurnSql.TURN_OVER,
            row ->
                new EndEffects.TurnEnd(
                    turn,
                    accounts.name(row.getInt(4)),
                    TurnEnds.end(
                        Values.inboundStatus(row.getInt(1)), row.getInt(2), row.getInt(3))),
            (Object) uid);
    if (end != null) {
      session.update(TurnSql.END_TURN, Values.turn(end.state()), Values.micros(now), uid);
    }
    return end;
  }
}
