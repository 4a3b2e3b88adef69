package dev.postrider.postgres;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.jdbc.message.Fingerprint;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.MessageId;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.InboundSql;
import dev.postrider.store.Transfer.Word;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The part of {@link Moving} that is about receipts. */
final class MovingWords {
  private final Accounts accounts;

  MovingWords(Accounts accounts) {
    this.accounts = accounts;
  }

  // ---- out

  List<Word> after(JdbcSession session, @Nullable Word last, int limit) throws SQLException {
    return session.all(
        InboundSql.CARRY_WORDS,
        this::word,
        last == null ? -1 : accounts.idOrNew(last.account()),
        last == null ? new UUID(0, 0) : Fingerprint.of(last.receipt()),
        limit);
  }

  List<Word> find(JdbcSession session, BatchColumns arrays, List<Word> words) throws SQLException {
    List<Line> lines = lines(words);
    return session.all(
        InboundSql.CARRY_THESE_WORDS,
        this::word,
        arrays.ints(lines, Line::account),
        arrays.uuids(lines, Line::name));
  }

  private Word word(ResultSet row) throws SQLException {
    String receipt = row.getString(2);
    UUID message = row.getObject(3, UUID.class);
    return new Word(
        accounts.name(row.getInt(1)),
        receipt,
        message == null ? null : new MessageId(message),
        message == null ? -1 : row.getInt(4),
        Values.report(row, 4, receipt),
        Values.nullableInstant(row, 8));
  }

  // ---- in

  /** A word with the account's number. */
  private record Line(int account, Word word) {
    UUID name() {
      return Fingerprint.of(word.receipt());
    }

    @Nullable UUID message() {
      MessageId id = word.message();
      return id == null ? null : id.value();
    }

    @Nullable DeliveryReport furthest() {
      return word.furthest();
    }
  }

  private List<Line> lines(List<Word> words) throws SQLException {
    List<Line> lines = new ArrayList<>(words.size());
    for (Word word : words) {
      lines.add(new Line(accounts.idOrNew(word.account()), word));
    }
    return lines;
  }

  /** Tells how many were added. */
  int add(JdbcSession session, BatchColumns arrays, List<Word> words) throws SQLException {
    List<Line> lines = lines(words);
    return session.update(
        InboundSql.CARRY_WORDS_IN,
        arrays.ints(lines, Line::account),
        arrays.uuids(lines, Line::name),
        arrays.texts(lines, line -> Rows.clean(line.word.receipt())),
        arrays.uuids(lines, Line::message),
        arrays.nullableLongs(
            lines, line -> line.word.message() == null ? null : (long) line.word.part()),
        arrays.nullableLongs(
            lines,
            line -> line.furthest() == null ? null : (long) Values.state(line.furthest().state())),
        arrays.nullableLongs(
            lines, line -> line.furthest() == null ? null : Values.micros(line.furthest().at())),
        arrays.texts(
            lines, line -> line.furthest() == null ? null : Rows.clean(line.furthest().detail())),
        arrays.nullableLongs(lines, line -> Values.nullableMicros(line.word.unclaimedSince())));
  }
}
