package dev.postrider.postgres.message;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.jdbc.message.AcceptedPart;
import dev.postrider.jdbc.message.FailedReceipts;
import dev.postrider.jdbc.message.Fingerprint;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.batch.BatchSideEffects;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.postgres.read.PlatformName;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.InboundSql;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.postgres.sql.RunSql;
import dev.postrider.postgres.write.WriteOp;
import dev.postrider.store.message.ReportResult;
import dev.postrider.store.message.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a batch says of receipts: claims of messages whose parts were accepted, and word from
 * platforms. The owner of an account claims, any node hears word, at the same moment perhaps: the
 * rows are added where they are missing, else locked and looked at, both in the order of their
 * names, and written once. Messages that ended and of whose parts it is now known that they failed
 * are locked after that, by their rows.
 */
public final class ReceiptWriter {
  /** Whose part a receipt is. */
  private record Claim(long row, MessageId message, int part, boolean replay) {}

  /** What is known of a receipt; either it is claimed, or since a moment it is not. */
  private record Word(
      String receipt,
      @Nullable Claim claim,
      @Nullable DeliveryReport furthest,
      @Nullable Long unclaimed) {

    Word claimed(@Nullable Claim by) {
      return claim != null || by == null ? this : new Word(receipt, by, furthest, null);
    }

    Word heard(@Nullable DeliveryReport report) {
      return report == null || (furthest != null && !report.state().beats(furthest.state()))
          ? this
          : new Word(receipt, claim, report, unclaimed);
    }

    boolean isFailed() {
      return furthest != null && furthest.state() == DeliveryReport.State.FAILED;
    }

    @Nullable Long row() {
      return claim == null ? null : claim.row;
    }

    @Nullable Long part() {
      return claim == null ? null : (long) claim.part;
    }

    @Nullable Long state() {
      return furthest == null ? null : (long) Values.state(furthest.state());
    }

    @Nullable Long at() {
      return furthest == null ? null : Values.micros(furthest.at());
    }

    @Nullable String detail() {
      return furthest == null ? null : Rows.clean(furthest.detail());
    }

    boolean isPermanent() {
      return furthest != null && furthest.permanent();
    }
  }

  private record Line(PlatformName name, Word word) {}

  private final JdbcSession session;
  private final BatchColumns columns;
  private final Accounts accounts;
  private final BatchSideEffects sideEffects;
  private final Map<PlatformName, Word> news = new TreeMap<>();
  private final Map<Long, Settled> settled = new HashMap<>(0);

  /** A message of this batch that has ended, with parts that the platform reports on. */
  private record Settled(WriteOp.Settle op, WriteOp.Written written) {}

  public ReceiptWriter(
      JdbcSession session, BatchColumns columns, Accounts accounts, BatchSideEffects sideEffects) {
    this.session = session;
    this.columns = columns;
    this.accounts = accounts;
    this.sideEffects = sideEffects;
  }

  /** To be written with the rest; if it has ended, its result may be another then. */
  public void claim(WriteOp.Settle op, WriteOp.Written written) throws SQLException {
    claim(op.settlement.message(), op.accepted);
    if (!op.accepted.isEmpty() && op.settlement.status().ended()) {
      settled.put(op.row, new Settled(op, written));
    }
  }

  /** To be written with the rest; nearly always there is nothing to claim. */
  public void claim(StoredMessage message, List<AcceptedPart> parts) throws SQLException {
    for (AcceptedPart part : parts) {
      PlatformName name =
          new PlatformName(
              accounts.idOrNew(message.message().account()), Fingerprint.of(part.receipt()));
      Claim claim = new Claim(message.row(), message.id(), part.part(), message.replayOf() != null);
      news.merge(
          name, new Word(part.receipt(), claim, null, null), (before, _) -> before.claimed(claim));
    }
  }

  public void write(List<WriteOp.Tell> ops) throws SQLException {
    for (WriteOp.Tell op : ops) {
      int account = accounts.idOrNew(op.account);
      for (WriteOp.Heard heard : op.reports) {
        DeliveryReport report = heard.report();
        news.merge(
            new PlatformName(account, heard.name()),
            new Word(report.receipt(), null, report, Values.micros(op.at)),
            (before, _) -> before.heard(report));
      }
    }
    if (!news.isEmpty()) {
      Map<PlatformName, Word> before = old(add(lines(news)));
      save(before);
      Map<Long, StoredMessage> failed = fail(failing(ops, before));
      setStatus(before);
      tellRuns(before);
      answer(ops, before, failed);
    }
    ops.stream().filter(op -> op.reports.isEmpty()).forEach(op -> op.is(List.of()));
  }

  private static List<Line> lines(Map<PlatformName, Word> words) {
    return words.entrySet().stream()
        .map(entry -> new Line(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Tells which of them were there. */
  private List<PlatformName> add(List<Line> lines) throws SQLException {
    Set<PlatformName> added =
        new HashSet<>(
            session.all(
                InboundSql.ADD_WORDS,
                Rows::name,
                columns.ints(lines, line -> line.name.account()),
                columns.uuids(lines, line -> line.name.fingerprint()),
                columns.texts(lines, line -> Rows.clean(line.word.receipt)),
                columns.nullableLongs(lines, line -> line.word.row()),
                columns.nullableLongs(lines, line -> line.word.part()),
                columns.nullableLongs(lines, line -> line.word.state()),
                columns.nullableLongs(lines, line -> line.word.at()),
                columns.texts(lines, line -> line.word.detail()),
                columns.flags(lines, line -> line.word.isPermanent()),
                columns.nullableLongs(lines, line -> line.word.unclaimed)));
    return lines.stream().map(Line::name).filter(name -> !added.contains(name)).toList();
  }

  private Map<PlatformName, Word> old(List<PlatformName> names) throws SQLException {
    Map<PlatformName, Word> old = new HashMap<>();
    if (!names.isEmpty()) {
      session.all(
          InboundSql.LOCK_WORDS,
          row -> old.put(new PlatformName(row.getInt(1), row.getObject(10, UUID.class)), word(row)),
          columns.ints(names, PlatformName::account),
          columns.uuids(names, PlatformName::fingerprint));
    }
    if (old.size() < names.size()) {
      throw new PgErrors.Collision("a receipt was forgotten while word on it came");
    }
    return old;
  }

  private static Word word(ResultSet row) throws SQLException {
    String receipt = row.getString(2);
    UUID message = row.getObject(3, UUID.class);
    long unclaimed = row.getLong(9);
    return new Word(
        receipt,
        message == null
            ? null
            : new Claim(row.getLong(11), new MessageId(message), row.getInt(4), false),
        Values.report(row, 4, receipt),
        message == null ? unclaimed : null);
  }

  private void save(Map<PlatformName, Word> before) throws SQLException {
    List<Line> changed = new ArrayList<>();
    before.forEach(
        (name, old) -> {
          Word added = news.get(name);
          Word now = added == null ? old : old.claimed(added.claim).heard(added.furthest);
          news.put(name, now);
          if (!now.equals(old)) {
            changed.add(new Line(name, now));
          }
        });
    if (!changed.isEmpty()) {
      session.update(
          InboundSql.SAVE_WORDS,
          columns.ints(changed, line -> line.name.account()),
          columns.uuids(changed, line -> line.name.fingerprint()),
          columns.nullableLongs(changed, line -> line.word.row()),
          columns.nullableLongs(changed, line -> line.word.part()),
          columns.nullableLongs(changed, line -> line.word.state()),
          columns.nullableLongs(changed, line -> line.word.at()),
          columns.texts(changed, line -> line.word.detail()),
          columns.flags(changed, line -> line.word.isPermanent()),
          columns.nullableLongs(changed, line -> line.word.unclaimed));
    }
  }

  /** How far the messages got whose receipts were claimed or heard of. */
  private void setStatus(Map<PlatformName, Word> before) throws SQLException {
    Map<Long, Integer> rows = new TreeMap<>(); // with their accounts
    news.forEach(
        (name, word) -> {
          if (word.claim != null && !word.equals(before.get(name))) {
            rows.put(word.claim.row, name.account());
          }
        });
    if (!rows.isEmpty()) {
      List<Long> all = List.copyOf(rows.keySet());
      session.update(
          InboundSql.LOCK_RECEIPT_STATUS,
          columns.longs(all, row -> row),
          columns.ints(all, row -> rows.getOrDefault(row, 0)));
      session.update(InboundSql.SET_RECEIPT_STATUS, columns.longs(all, row -> row));
    }
  }

  /** Runs are to take in what was told of their messages. */
  private void tellRuns(Map<PlatformName, Word> before) throws SQLException {
    Set<Long> rows = new TreeSet<>();
    news.forEach(
        (name, word) -> {
          if (word.claim != null
              && (word.furthest != null || word.claim.replay) // a replay is news by itself
              && !word.equals(before.get(name))) {
            rows.add(word.claim.row);
          }
        });
    if (!rows.isEmpty()) {
      session.update(RunSql.RUN_REPORTED, columns.longs(List.copyOf(rows), row -> row));
    }
  }

  // ---- messages that failed after all

  /**
   * The rows of messages of whose parts this batch has learned that they failed, and when; {@code
   * TreeMap}: nodes lock in one order.
   */
  private Map<Long, Failing> failing(List<WriteOp.Tell> ops, Map<PlatformName, Word> before)
      throws SQLException {
    Map<Long, Failing> rows = new TreeMap<>();
    for (Word word : news.values()) {
      Settled mine = word.claim == null ? null : settled.get(word.claim.row);
      if (mine != null
          && word.isFailed()
          && mine.op.settlement.onReceiptFailed() != OnReceiptFailed.RECORD) {
        rows.put(
            mine.op.row,
            new Failing(
                mine.op.settlement.at(),
                mine.op.settlement.onReceiptFailed() == OnReceiptFailed.RETRY));
      }
    }
    for (WriteOp.Tell op : ops) {
      String account = op.counts();
      for (WriteOp.Heard heard : account == null ? List.<WriteOp.Heard>of() : op.reports) {
        PlatformName name = new PlatformName(accounts.idOrNew(op.account), heard.name());
        Word word = news.get(name);
        Word old = before.get(name);
        if (word != null
            && word.claim != null
            && word.isFailed()
            && (old == null || !old.isFailed())) {
          boolean retry = op.onFailed == OnReceiptFailed.RETRY;
          rows.putIfAbsent(word.claim.row, new Failing(op.at, retry));
        }
      }
    }
    return rows;
  }

  /**
   * When it was learned that a message failed.
   *
   * @param retry whether it is to be sent again if that may help
   */
  private record Failing(Instant at, boolean retry) {}

  /** Gives those that were delivered before this batch and have ended as failed. */
  private Map<Long, StoredMessage> fail(Map<Long, Failing> rows) throws SQLException {
    Map<Long, StoredMessage> ended = new HashMap<>();
    if (rows.isEmpty()) {
      return ended;
    }
    List<Long> all = List.copyOf(rows.keySet());
    Map<Long, List<FailedReceipts.Part>> parts = new HashMap<>();
    List<StoredMessage> messages =
        session.all(
            MessageSql.LOCK_ENDED,
            row -> Rows.message(row, accounts),
            columns.longs(all, row -> row));
    session.all(
        InboundSql.FAILED_PARTS,
        row ->
            parts
                .computeIfAbsent(row.getLong(1), _ -> new ArrayList<>())
                .add(new FailedReceipts.Part(row.getInt(2), row.getString(3), row.getBoolean(4))),
        columns.longs(all, row -> row));
    List<FailedReceipts> failed = new ArrayList<>();
    for (StoredMessage message : messages) {
      FailedReceipts one =
          FailedReceipts.of(
              message, parts.getOrDefault(message.row(), List.of()), failing(rows, message).at);
      if (one != null) {
        failed.add(one);
      }
    }
    store(failed);
    List<Long> again =
        failed.stream()
            .filter(one -> one.ends() && one.mayHelp() && failing(rows, one.before()).retry)
            .map(one -> one.before().row())
            .toList();
    if (!again.isEmpty()) {
      session.update(InboundSql.ADD_RETRIES, columns.longs(again, row -> row));
    }
    for (FailedReceipts one : failed) {
      StoredMessage after = one.after();
      if (!one.mayHelp()) {
        session.update(InboundSql.DELETE_RETRY, after.row());
      }
      if (one.ends()) {
        sideEffects.deadLetterAdded(accounts.idOrNew(after.message().account()));
        Settled mine = settled.get(after.row());
        if (mine == null) {
          ended.put(after.row(), after);
        } else {
          mine.op.is(mine.written.with(after));
        }
      }
    }
    return ended;
  }

  private static Failing failing(Map<Long, Failing> rows, StoredMessage message) {
    return rows.getOrDefault(message.row(), new Failing(message.createdAt(), false));
  }

  private void store(List<FailedReceipts> failed) throws SQLException {
    if (failed.isEmpty()) {
      return;
    }
    List<StoredMessage> after = failed.stream().map(FailedReceipts::after).toList();
    session.update(
        MessageSql.RECEIPTS_FAILED,
        columns.longs(after, StoredMessage::row),
        columns.ints(after, message -> Values.status(message.status())),
        columns.nullableLongs(after, message -> Values.nullableMicros(message.endedAt())),
        columns.bytes(after, message -> MessageCodec.progress(message.progress())),
        columns.texts(after, message -> Rows.clean(message.error())),
        columns.texts(after, StoredMessage::reason));
    session.update(
        MessageSql.ADD_HISTORY,
        columns.longs(after, StoredMessage::row),
        columns.longs(failed, one -> Values.micros(one.history().at())),
        columns.ints(failed, one -> one.history().attempt()),
        columns.ints(failed, one -> one.history().part()),
        columns.texts(failed, one -> one.history().outcome()),
        columns.texts(failed, one -> Rows.clean(one.history().error())),
        columns.nullableLongs(failed, _ -> null));
  }

  /**
   * @param failed by row, those that this batch's reports have ended
   */
  private void answer(
      List<WriteOp.Tell> ops, Map<PlatformName, Word> before, Map<Long, StoredMessage> failed)
      throws SQLException {
    Map<PlatformName, DeliveryReport.State> furthest = new HashMap<>();
    before.forEach(
        (name, word) -> {
          if (word.furthest != null) {
            furthest.put(name, word.furthest.state());
          }
        });
    for (WriteOp.Tell op : ops) {
      int account = accounts.idOrNew(op.account);
      List<ReportResult> answers = new ArrayList<>(op.reports.size());
      for (WriteOp.Heard heard : op.reports) {
        PlatformName name = new PlatformName(account, heard.name());
        DeliveryReport report = heard.report();
        Word word = news.get(name);
        Claim claim = word == null ? null : word.claim;
        boolean changed = report.state().beats(furthest.get(name));
        if (changed) {
          furthest.put(name, report.state());
        }
        answers.add(
            new ReportResult(
                report,
                changed,
                claim == null ? null : claim.message,
                claim == null ? -1 : claim.part,
                changed && claim != null && report.state() == DeliveryReport.State.FAILED
                    ? failed.remove(claim.row)
                    : null));
      }
      op.is(answers);
    }
  }
}
