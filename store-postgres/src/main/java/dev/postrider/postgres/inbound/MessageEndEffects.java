package dev.postrider.postgres.inbound;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.TurnState;
import dev.postrider.jdbc.inbound.SessionMirror;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Message;
import dev.postrider.message.Status;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.sql.SessionSql;
import dev.postrider.postgres.sql.TurnSql;
import dev.postrider.postgres.write.InboundWriteOp;
import dev.postrider.postgres.write.WriteOp;
import dev.postrider.store.inbound.SessionReply;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the ends of a batch: of messages, for the histories of their sessions, and of
 * messages and inbound messages, for turns.
 *
 * <p>Whoever deletes a message's row of {@code follow} draws the consequences, once. A turn is over
 * when its inbound message has ended and no such row names it, and two nodes may each delete one of
 * the last two. So whoever deletes one, or ends the inbound message, writes the turn's row before
 * it asks whether any is left: the second of them waits for the first there, and then sees what
 * that has deleted.
 */
public final class MessageEndEffects {
  private final JdbcSession session;
  private final BatchColumns columns;
  private final Accounts accounts;
  private final SessionRows sessions;

  public MessageEndEffects(
      JdbcSession session, BatchColumns columns, Accounts accounts, SessionRows sessions) {
    this.session = session;
    this.columns = columns;
    this.accounts = accounts;
    this.sessions = sessions;
  }

  /** The session this speaks in will change. */
  public void expect(InboundWriteOp.Follow op) throws SQLException {
    SessionReply said = op.said;
    if (said != null) {
      Message message = said.message();
      sessions.expect(
          said.sessionId(),
          accounts.idOrNew(message.account()),
          message.to(),
          message.threadId(),
          said.at());
    }
  }

  /** A turn of which something has ended. */
  private static final class Turn {
    final long row;
    final UUID id;
    int delivered;
    int lost;
    long at;
    InboundWriteOp.@Nullable Follow last;
    LeaseWriter.@Nullable Returned event;

    Turn(long row, UUID id) {
      this.row = row;
      this.id = id;
    }

    void count(InboundWriteOp.Follow op) {
      delivered += op.status == Status.DELIVERED ? 1 : 0;
      lost += op.status.deadLetter() ? 1 : 0;
      at = Math.max(at, Values.micros(op.at));
      last = op;
    }

    void ended(LeaseWriter.Returned returned) {
      at = Math.max(at, Values.micros(returned.back().at()));
      event = returned;
    }

    /** A value of the inbound message's end, or null if it has not ended here. */
    <T> @Nullable T of(Function<LeaseWriter.Returned, @Nullable T> value) {
      return event == null ? null : value.apply(event);
    }
  }

  /**
   * Follows messages, and ends turns. The answers of what is returned are accepted, and the
   * sessions that are spoken in are locked. Tells each the result.
   */
  public void write(List<InboundWriteOp.Follow> ops, List<LeaseWriter.Returned> returned)
      throws SQLException {
    List<InboundWriteOp.Follow> followed = unfollow(ops);
    mirror(followed);
    Map<Long, Turn> turns = turns(followed, returned);
    save(turns.values());
    Map<WriteOp<?>, TurnState> endedBy = new HashMap<>();
    end(turns.values())
        .forEach(
            (row, state) -> {
              Turn turn = turns.get(row);
              WriteOp<?> by =
                  turn == null
                      ? null
                      : turn.last != null ? turn.last : turn.of(LeaseWriter.Returned::op);
              if (by != null) {
                endedBy.put(by, state);
              }
            });
    followed.forEach(op -> op.isDone(endedBy.get(op)));
    returned.forEach(one -> one.op().isApplied(endedBy.get(one.op())));
  }

  /** Gives those that nobody has followed before. */
  private List<InboundWriteOp.Follow> unfollow(List<InboundWriteOp.Follow> ops)
      throws SQLException {
    if (ops.isEmpty()) {
      return List.of();
    }
    List<Long> rows = ops.stream().map(op -> op.row).distinct().sorted().toList();
    Map<Long, Optional<UUID>> mine = new HashMap<>();
    session.all(
        TurnSql.UNFOLLOW,
        found -> mine.put(found.getLong(1), Optional.ofNullable(found.getObject(2, UUID.class))),
        columns.longs(rows, row -> row));
    List<InboundWriteOp.Follow> followed = new ArrayList<>(ops.size());
    for (InboundWriteOp.Follow op : ops) {
      Optional<UUID> turn = mine.remove(op.row);
      if (turn != null) {
        op.turn = turn.map(InboundId::new).orElse(null);
        followed.add(op);
      } else {
        op.isNothing();
      }
    }
    return followed;
  }

  // ---- histories

  private record Line(SessionReply said, int account, byte[] content) {}

  private void mirror(List<InboundWriteOp.Follow> followed) throws SQLException {
    List<Line> lines = new ArrayList<>(followed.size());
    for (InboundWriteOp.Follow op : followed) {
      SessionReply said = op.said;
      if (said != null) {
        sessions.of(said.sessionId()).spoke(Values.micros(said.at()));
        lines.add(new Line(said, accounts.idOrNew(said.message().account()), op.content));
      }
    }
    if (!lines.isEmpty()) {
      session.update(
          SessionSql.MIRROR,
          columns.texts(lines, line -> sessions.of(line.said.sessionId()).name()),
          columns.longs(lines, line -> Values.micros(line.said.at())),
          columns.uuids(lines, line -> line.said.id().value()),
          columns.ints(lines, Line::account),
          columns.texts(lines, line -> line.said.message().to()),
          columns.bytes(lines, Line::content),
          columns.bytes(lines, line -> SessionMirror.receipts(line.said.receipts())));
    }
  }

  // ---- turns

  /** In the order of their rows, so that nodes lock them in one order. */
  private Map<Long, Turn> turns(
      List<InboundWriteOp.Follow> followed, List<LeaseWriter.Returned> returned)
      throws SQLException {
    Map<Long, Turn> turns = new TreeMap<>();
    for (LeaseWriter.Returned one : returned) {
      if (one.op().ends()) {
        long row = one.held().row();
        turns
            .computeIfAbsent(row, _ -> new Turn(row, one.back().inbound().id().value()))
            .ended(one);
      }
    }
    Map<UUID, Named> named = named(followed);
    for (InboundWriteOp.Follow op : followed) {
      InboundId id = op.turn;
      Named event = id == null ? null : named.get(id.value());
      if (id != null && event != null) {
        op.turnAccount = event.account;
        turns.computeIfAbsent(event.row, row -> new Turn(row, id.value())).count(op);
      }
    }
    return turns;
  }

  private record Named(long row, String account) {}

  /** The inbound messages among what messages name as their turns. */
  private Map<UUID, Named> named(List<InboundWriteOp.Follow> followed) throws SQLException {
    List<UUID> names =
        followed.stream()
            .map(op -> op.turn)
            .filter(Objects::nonNull)
            .map(InboundId::value)
            .distinct()
            .toList();
    Map<UUID, Named> events = new HashMap<>();
    if (!names.isEmpty()) {
      session.all(
          TurnSql.EVENTS_BY_UID,
          found ->
              events.put(
                  found.getObject(1, UUID.class),
                  new Named(found.getLong(2), accounts.name(found.getInt(3)))),
          columns.uuids(names, id -> id));
    }
    return events;
  }

  private void save(Collection<Turn> turns) throws SQLException {
    if (turns.isEmpty()) {
      return;
    }
    List<Turn> all = List.copyOf(turns);
    session.update(
        TurnSql.SAVE_TURNS,
        columns.longs(all, turn -> turn.row),
        columns.ints(all, turn -> turn.delivered),
        columns.ints(all, turn -> turn.lost),
        columns.nullableLongs(
            all, turn -> turn.of(one -> (long) Values.status(one.back().status()))),
        columns.nullableLongs(
            all, turn -> turn.of(one -> Values.micros(one.back().inbound().receivedAt()))),
        columns.nullableLongs(all, turn -> turn.of(one -> (long) one.held().attempts())),
        columns.nullableLongs(all, turn -> turn.of(one -> (long) one.deaths())),
        columns.nullableLongs(all, turn -> turn.of(one -> Values.micros(one.back().dueAt()))),
        columns.nullableLongs(all, turn -> turn.of(one -> one.held().handedOut())),
        columns.nullableLongs(all, turn -> turn.of(one -> Values.micros(one.back().at()))),
        columns.texts(all, turn -> turn.of(LeaseWriter.Returned::error)));
  }

  /** Gives the turns that are over now. */
  private Map<Long, TurnState> end(Collection<Turn> turns) throws SQLException {
    Map<Long, TurnState> over = new HashMap<>();
    if (!turns.isEmpty()) {
      List<Turn> all = List.copyOf(turns);
      session.all(
          TurnSql.END_TURNS,
          row -> {
            TurnState state = Values.nullableTurn(row, 2);
            return state == null ? null : over.put(row.getLong(1), state);
          },
          columns.longs(all, turn -> turn.row),
          columns.uuids(all, turn -> turn.id),
          columns.longs(all, turn -> turn.at));
    }
    return over;
  }
}
