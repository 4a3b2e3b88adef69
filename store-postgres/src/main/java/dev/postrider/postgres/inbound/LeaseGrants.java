package dev.postrider.postgres.inbound;

import dev.postrider.jdbc.inbound.RawInbound;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.read.PostgresReader;
import dev.postrider.postgres.sql.TurnSql;
import dev.postrider.postgres.write.InboundWriteOp;
import dev.postrider.store.inbound.LeaseRequest;
import dev.postrider.store.message.Page;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Hands out inbound messages to all who want some in a batch. It looks at what is due, deals it
 * out, and then takes what was dealt, passing by what another node is taking at this moment. What
 * was passed by is made up for by another look; nothing is locked that is not handed out, so that
 * nobody else passes by what is free.
 */
public final class LeaseGrants {
  private final JdbcSession session;
  private final BatchColumns columns;
  private final Accounts accounts;
  private final PostgresReader rows;
  private final long turn;
  private final Set<Long> seen = new HashSet<>();

  /**
   * @param turn rises from batch to batch, so that another account comes first each time
   */
  public LeaseGrants(JdbcSession session, BatchColumns columns, Accounts accounts, long turn) {
    this.session = session;
    this.columns = columns;
    this.accounts = accounts;
    this.rows = new PostgresReader(session, accounts);
    this.turn = turn;
  }

  /** Somebody who wants inbound messages, what is left of the wish, and what is granted. */
  private static final class Wanting {
    final LeaseRequest request;
    final Set<Integer> accounts = new HashSet<>();
    final Deque<UUID> leases;
    final List<RawInbound> granted = new ArrayList<>();
    private long bytes; // of what was dealt

    Wanting(LeaseRequest request) {
      this.request = request;
      this.leases = new ArrayDeque<>(request.leases());
    }

    boolean wants(Due event) {
      return !leases.isEmpty()
          && bytes < Page.MOST_BYTES
          && accounts.contains(event.account)
          && event.due <= Values.micros(event.isNew ? request.latest() : request.now());
    }
  }

  /**
   * @param isNew whether it was never handed out
   */
  private record Due(long row, int account, long due, boolean isNew, long bytes) {}

  private record Dealt(Due event, UUID lease, Wanting to) {}

  public void handOut(List<InboundWriteOp.Take> ops) throws SQLException {
    List<Wanting> all = new ArrayList<>(ops.size());
    for (InboundWriteOp.Take op : ops) {
      Wanting one = new Wanting(op.request);
      for (String name : op.request.accounts()) {
        Integer account = accounts.id(name);
        if (account != null) {
          one.accounts.add(account);
        }
      }
      all.add(one);
    }
    boolean passedBy = true;
    while (passedBy) {
      List<Dealt> dealt = deal(look(all), all);
      passedBy = take(dealt) < dealt.size();
    }
    for (int i = 0; i < ops.size(); i++) {
      ops.get(i).is(all.get(i).granted);
    }
  }

  /** What is due of the accounts that somebody wants inbound messages of, by account. */
  private List<Due> look(List<Wanting> all) throws SQLException {
    record Look(long now, long latest, int most) {}
    Map<Integer, Look> looks = new TreeMap<>();
    for (Wanting one : all) {
      if (!one.leases.isEmpty()) {
        Look own =
            new Look(
                Values.micros(one.request.now()),
                Values.micros(one.request.latest()),
                one.leases.size());
        one.accounts.forEach(
            account ->
                looks.merge(
                    account,
                    own,
                    (a, b) ->
                        new Look(
                            Math.max(a.now, b.now),
                            Math.max(a.latest, b.latest),
                            Math.addExact(a.most, b.most))));
      }
    }
    List<Map.Entry<Integer, Look>> wanted = List.copyOf(looks.entrySet());
    return wanted.isEmpty()
        ? List.of()
        : session.all(
            TurnSql.HEADS_DUE,
            row ->
                new Due(
                    row.getLong(1),
                    row.getInt(2),
                    row.getLong(3),
                    row.getInt(4) == 0,
                    row.getLong(5)),
            columns.ints(wanted, Map.Entry::getKey),
            columns.longs(wanted, entry -> entry.getValue().now),
            columns.longs(wanted, entry -> entry.getValue().latest),
            columns.ints(wanted, entry -> entry.getValue().most),
            columns.longs(List.copyOf(seen), row -> row));
  }

  /** Deals inbound messages out, one of each account by turns, the longest due first. */
  private List<Dealt> deal(List<Due> events, List<Wanting> all) {
    Map<Integer, Deque<Due>> byAccount = new TreeMap<>();
    events.forEach(
        event -> byAccount.computeIfAbsent(event.account, _ -> new ArrayDeque<>()).add(event));
    Deque<Deque<Due>> order = new ArrayDeque<>(byAccount.values());
    for (int i = Math.floorMod(turn, Math.max(1, order.size())); i > 0; i--) {
      order.add(order.remove());
    }
    List<Dealt> dealt = new ArrayList<>();
    while (!order.isEmpty()) {
      Deque<Due> account = order.remove();
      Due event = account.remove();
      Wanting taker = taker(event, all);
      if (taker != null) {
        taker.bytes += event.bytes;
        dealt.add(new Dealt(event, taker.leases.remove(), taker));
      }
      if (!account.isEmpty()) {
        order.add(account); // the others are next
      }
    }
    return dealt;
  }

  private static @Nullable Wanting taker(Due event, List<Wanting> all) {
    return all.stream().filter(one -> one.wants(event)).findFirst().orElse(null);
  }

  /** Tells how many of them were there to be taken. */
  private int take(List<Dealt> dealt) throws SQLException {
    if (dealt.isEmpty()) {
      return 0;
    }
    Map<Long, RawInbound> taken = new HashMap<>();
    session
        .all(
            TurnSql.INBOUND,
            rows::rawEvent,
            columns.longs(dealt, one -> one.event.row),
            columns.uuids(dealt, Dealt::lease),
            columns.longs(dealt, one -> Values.micros(one.to.request.now())),
            columns.longs(dealt, one -> Values.micros(one.to.request.latest())),
            columns.longs(dealt, one -> Values.micros(one.to.request.until())),
            columns.texts(dealt, one -> one.to.request.holder()))
        .forEach(event -> taken.put(event.row(), event));
    for (Dealt one : dealt) {
      seen.add(one.event.row);
      RawInbound event = taken.get(one.event.row);
      if (event == null) {
        one.to.leases.addFirst(one.lease);
        one.to.bytes -= one.event.bytes;
      } else {
        one.to.granted.add(event);
      }
    }
    return taken.size();
  }
}
