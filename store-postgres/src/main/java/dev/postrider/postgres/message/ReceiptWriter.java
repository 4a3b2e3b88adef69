package dev.postrider.postgres.message;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.jdbc.message.AcceptedPart;
import dev.postrider.jdbc.message.Fingerprint;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.MessageId;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.postgres.read.PlatformName;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.InboundSql;
import dev.postrider.postgres.write.WriteOp;
import dev.postrider.store.message.ReportResult;
import dev.postrider.store.message.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a batch says of receipts: claims of messages whose parts were accepted, and word from
 * platforms. The owner of an account claims, any node hears word, at the same moment perhaps: the
 * rows are added where they are missing, else locked and looked at, both in the order of their
 * names, and written once.
 */
public final class ReceiptWriter {
  /** Whose part a receipt is. */
  private record Claim(long row, MessageId message, int part) {}

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
  }

  private record Line(PlatformName name, Word word) {}

  private final JdbcSession session;
  private final BatchColumns columns;
  private final Accounts accounts;
  private final Map<PlatformName, Word> news = new TreeMap<>();

  public ReceiptWriter(JdbcSession session, BatchColumns columns, Accounts accounts) {
    this.session = session;
    this.columns = columns;
    this.accounts = accounts;
  }

  /** To be written with the rest; nearly always there is nothing to claim. */
  public void claim(StoredMessage message, List<AcceptedPart> parts) throws SQLException {
    for (AcceptedPart part : parts) {
      PlatformName name =
          new PlatformName(
              accounts.idOrNew(message.message().account()), Fingerprint.of(part.receipt()));
      Claim claim = new Claim(message.row(), message.id(), part.part());
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
      answer(ops, before);
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
                columns.nullableLongs(lines, line -> line.word.unclaimed)));
    return lines.stream().map(Line::name).filter(name -> !added.contains(name)).toList();
  }

  private Map<PlatformName, Word> old(List<PlatformName> names) throws SQLException {
    Map<PlatformName, Word> old = new HashMap<>();
    if (!names.isEmpty()) {
      session.all(
          InboundSql.LOCK_WORDS,
          row -> old.put(new PlatformName(row.getInt(1), row.getObject(9, UUID.class)), word(row)),
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
    long unclaimed = row.getLong(8);
    return new Word(
        receipt,
        message == null ? null : new Claim(row.getLong(10), new MessageId(message), row.getInt(4)),
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
          columns.nullableLongs(changed, line -> line.word.unclaimed));
    }
  }

  private void answer(List<WriteOp.Tell> ops, Map<PlatformName, Word> before) throws SQLException {
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
                claim == null ? -1 : claim.part));
      }
      op.is(answers);
    }
  }
}
