package dev.postrider.postgres;

import dev.postrider.inbound.Report;
import dev.postrider.jdbc.Accepted;
import dev.postrider.jdbc.Fingerprint;
import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.message.MessageId;
import dev.postrider.store.Reported;
import dev.postrider.store.StoredMessage;
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
final class Receipts {
  /** Whose part a receipt is. */
  private record Claim(long row, MessageId message, int part) {}

  /** What is known of a receipt; either it is claimed, or since a moment it is not. */
  private record Word(
      String receipt, @Nullable Claim claim, @Nullable Report furthest, @Nullable Long unclaimed) {

    Word claimed(@Nullable Claim by) {
      return claim != null || by == null ? this : new Word(receipt, by, furthest, null);
    }

    Word heard(@Nullable Report report) {
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

  private record Line(Name name, Word word) {}

  private final Session session;
  private final Batches batches;
  private final Accounts accounts;
  private final Map<Name, Word> news = new TreeMap<>();

  Receipts(Session session, Batches batches, Accounts accounts) {
    this.session = session;
    this.batches = batches;
    this.accounts = accounts;
  }

  /** To be written with the rest; nearly always there is nothing to claim. */
  void claim(StoredMessage message, List<Accepted> parts) throws SQLException {
    for (Accepted part : parts) {
      Name name =
          new Name(accounts.idOrNew(message.message().account()), Fingerprint.of(part.receipt()));
      Claim claim = new Claim(message.row(), message.id(), part.part());
      news.merge(
          name, new Word(part.receipt(), claim, null, null), (before, _) -> before.claimed(claim));
    }
  }

  void write(List<Op.Tell> ops) throws SQLException {
    for (Op.Tell op : ops) {
      int account = accounts.idOrNew(op.account);
      for (Op.Heard heard : op.reports) {
        Report report = heard.report();
        news.merge(
            new Name(account, heard.name()),
            new Word(report.receipt(), null, report, Values.micros(op.at)),
            (before, _) -> before.heard(report));
      }
    }
    if (!news.isEmpty()) {
      Map<Name, Word> before = old(add(lines(news)));
      save(before);
      answer(ops, before);
    }
    ops.stream().filter(op -> op.reports.isEmpty()).forEach(op -> op.is(List.of()));
  }

  private static List<Line> lines(Map<Name, Word> words) {
    return words.entrySet().stream()
        .map(entry -> new Line(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Tells which of them were there. */
  private List<Name> add(List<Line> lines) throws SQLException {
    Set<Name> added =
        new HashSet<>(
            session.all(
                InboundSql.ADD_WORDS,
                Rows::name,
                batches.ints(lines, line -> line.name.account()),
                batches.uuids(lines, line -> line.name.fingerprint()),
                batches.texts(lines, line -> Rows.clean(line.word.receipt)),
                batches.nullableLongs(lines, line -> line.word.row()),
                batches.nullableLongs(lines, line -> line.word.part()),
                batches.nullableLongs(lines, line -> line.word.state()),
                batches.nullableLongs(lines, line -> line.word.at()),
                batches.texts(lines, line -> line.word.detail()),
                batches.nullableLongs(lines, line -> line.word.unclaimed)));
    return lines.stream().map(Line::name).filter(name -> !added.contains(name)).toList();
  }

  private Map<Name, Word> old(List<Name> names) throws SQLException {
    Map<Name, Word> old = new HashMap<>();
    if (!names.isEmpty()) {
      session.all(
          InboundSql.LOCK_WORDS,
          row -> old.put(new Name(row.getInt(1), row.getObject(9, UUID.class)), word(row)),
          batches.ints(names, Name::account),
          batches.uuids(names, Name::fingerprint));
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

  private void save(Map<Name, Word> before) throws SQLException {
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
          batches.ints(changed, line -> line.name.account()),
          batches.uuids(changed, line -> line.name.fingerprint()),
          batches.nullableLongs(changed, line -> line.word.row()),
          batches.nullableLongs(changed, line -> line.word.part()),
          batches.nullableLongs(changed, line -> line.word.state()),
          batches.nullableLongs(changed, line -> line.word.at()),
          batches.texts(changed, line -> line.word.detail()),
          batches.nullableLongs(changed, line -> line.word.unclaimed));
    }
  }

  private void answer(List<Op.Tell> ops, Map<Name, Word> before) throws SQLException {
    Map<Name, Report.State> furthest = new HashMap<>();
    before.forEach(
        (name, word) -> {
          if (word.furthest != null) {
            furthest.put(name, word.furthest.state());
          }
        });
    for (Op.Tell op : ops) {
      int account = accounts.idOrNew(op.account);
      List<Reported> answers = new ArrayList<>(op.reports.size());
      for (Op.Heard heard : op.reports) {
        Name name = new Name(account, heard.name());
        Report report = heard.report();
        Word word = news.get(name);
        Claim claim = word == null ? null : word.claim;
        boolean changed = report.state().beats(furthest.get(name));
        if (changed) {
          furthest.put(name, report.state());
        }
        answers.add(
            new Reported(
                report,
                changed,
                claim == null ? null : claim.message,
                claim == null ? -1 : claim.part));
      }
      op.is(answers);
    }
  }
}
