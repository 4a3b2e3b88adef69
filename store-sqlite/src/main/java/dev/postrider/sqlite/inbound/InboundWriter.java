package dev.postrider.sqlite.inbound;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.jdbc.InboundReader;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.inbound.InboundCodec;
import dev.postrider.jdbc.message.AcceptedPart;
import dev.postrider.jdbc.message.Fingerprint;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.MessageId;
import dev.postrider.message.Progress;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.sqlite.sql.InboundFileSql;
import dev.postrider.sqlite.sql.InboundSql;
import dev.postrider.sqlite.sql.RunSql;
import dev.postrider.store.inbound.InboundFile;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.ReceiveResult;
import dev.postrider.store.message.ReportResult;
import dev.postrider.store.message.StoredMessage;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what comes from platforms: inbound messages, and delivery reports on what was sent.
 * To be called inside the committer's transaction; belongs to the writer's thread.
 */
public final class InboundWriter {
  private final JdbcSession session;
  private final Accounts accounts;
  private final SessionWriter sessions;

  public InboundWriter(JdbcSession session, Accounts accounts, SessionWriter sessions) {
    this.session = session;
    this.accounts = accounts;
    this.sessions = sessions;
  }

  // ---- inbound messages

  /** An inbound message with what is stored of it; encoded before the writer's turn. */
  public record Encoded(NewInbound event, byte[] name, byte[] content) {
    public static Encoded of(NewInbound event, ContentCipher cipher) {
      return new Encoded(
          event,
          Rows.bytes(Fingerprint.of(event.arrival().platformId())),
          cipher.seal(Column.EVENT, event.id().value(), InboundCodec.arrival(event.arrival())));
    }
  }

  public List<ReceiveResult> receive(String name, List<Encoded> events, @Nullable String cursor)
      throws SQLException {
    int account = accounts.idOrNew(session, name);
    List<ReceiveResult> received = new ArrayList<>(events.size());
    for (Encoded event : events) {
      received.add(receive(account, event));
    }
    if (cursor != null) {
      session.update(InboundSql.SAVE_CURSOR, account, cursor);
    }
    return received;
  }

  private ReceiveResult receive(int account, Encoded encoded) throws SQLException {
    ReceiveResult known =
        session.one(
            InboundSql.KNOWN_EVENT,
            row -> new ReceiveResult(new InboundId(Rows.uuid(row.getBytes(1))), false),
            account,
            encoded.name);
    if (known != null) {
      return known;
    }
    NewInbound event = encoded.event;
    InboundMessage arrival = event.arrival();
    long at = Values.micros(event.receivedAt());
    String lane = sessions.now(event.sessionId());
    int head = sessions.join(lane, account, arrival.chat(), arrival.threadId(), at);
    session.update(
        InboundSql.ADD_EVENT,
        Rows.bytes(event.id().value()),
        account,
        encoded.name,
        lane,
        head,
        at,
        null,
        encoded.content);
    for (int file = 0; file < event.files(); file++) {
      session.update(InboundFileSql.ADD_FILE, Rows.bytes(event.id().value()), file, at);
    }
    return new ReceiveResult(event.id(), true);
  }

  public int prune(Instant instant, int limit) throws SQLException {
    long before = Values.micros(instant);
    session.update(InboundSql.DELETE_NOTES, before, limit);
    session.update(InboundFileSql.DELETE_FILES, before, limit);
    int gone = session.update(InboundSql.DELETE_EVENTS, before, limit);
    gone += sessions.prune(before, limit - gone);
    return gone + session.update(InboundSql.DELETE_UNCLAIMED, before, limit - gone);
  }

  // ---- files that are kept

  public List<InboundFile> claimFiles(Instant now, Instant latest, Instant until, int limit)
      throws SQLException {
    return session.all(
        InboundFileSql.CLAIM_FILES,
        row -> InboundReader.file(row, new InboundId(Rows.uuid(row.getBytes(6)))),
        Values.micros(until),
        Values.micros(latest),
        Values.micros(now),
        limit);
  }

  public boolean fileDone(InboundFile file, @Nullable Instant nextAt) throws SQLException {
    return session.update(
            InboundFileSql.FILE_DONE,
            InboundReader.state(file, nextAt),
            nextAt == null ? 0 : Values.micros(nextAt),
            file.hash(),
            file.error(),
            Rows.bytes(file.inbound().value()),
            file.index(),
            file.attempts())
        > 0;
  }

  // ---- receipts

  /** The message's accepted parts are the ones that word with these receipts is about. */
  public void claim(StoredMessage message, Progress progress) throws SQLException {
    List<AcceptedPart> parts = AcceptedPart.of(progress);
    for (AcceptedPart accepted : parts) {
      Integer told =
          session.one(
              InboundSql.CLAIM,
              row -> (Integer) row.getObject(1),
              accounts.idOrNew(session, message.message().account()),
              Rows.bytes(Fingerprint.of(accepted.receipt())),
              accepted.receipt(),
              message.row(),
              accepted.part());
      if (told != null || message.replayOf() != null) { // or its run takes it for failed
        session.update(RunSql.RUN_REPORTED, message.row());
      }
    }
    if (!parts.isEmpty()) {
      session.update(InboundSql.SET_RECEIPT_STATUS, message.row());
    }
  }

  /**
   * A report's result.
   *
   * @param row the message it is about, if one has claimed the receipt
   */
  public record Reported(ReportResult result, @Nullable Long row) {}

  public List<Reported> report(String name, List<DeliveryReport> reports, Instant now)
      throws SQLException {
    int account = accounts.idOrNew(session, name);
    List<Reported> all = new ArrayList<>(reports.size());
    for (DeliveryReport report : reports) {
      all.add(report(account, report, now));
    }
    return all;
  }

  private Reported report(int account, DeliveryReport report, Instant now) throws SQLException {
    record Known(
        @Nullable MessageId message,
        int part,
        @Nullable DeliveryReport furthest,
        @Nullable Long row) {}
    byte[] name = Rows.bytes(Fingerprint.of(report.receipt()));
    Known known =
        session.one(
            InboundSql.WORD_ON,
            row -> {
              byte[] uid = row.getBytes(3);
              return new Known(
                  uid == null ? null : Rows.id(uid),
                  uid == null ? -1 : row.getInt(4),
                  Values.report(row, 4, report.receipt()),
                  uid == null ? null : row.getLong(10));
            },
            account,
            name);
    DeliveryReport.State furthest =
        known == null || known.furthest == null ? null : known.furthest.state();
    boolean changed = report.state().beats(furthest);
    if (changed) {
      session.update(
          InboundSql.SAVE_WORD,
          account,
          name,
          report.receipt(),
          Values.state(report.state()),
          Values.micros(report.at()),
          report.detail(),
          report.permanent() ? 1 : 0,
          Values.micros(now));
      if (known != null && known.row != null) {
        session.update(InboundSql.SET_RECEIPT_STATUS, known.row);
        session.update(RunSql.RUN_REPORTED, known.row);
      }
    }
    return known == null
        ? new Reported(new ReportResult(report, changed, null, -1), null)
        : new Reported(new ReportResult(report, changed, known.message, known.part), known.row);
  }

  /** Its receipts go with a message. */
  public void delete(long message) throws SQLException {
    session.update(InboundSql.DELETE_RECEIPTS, message);
    session.update(InboundSql.DELETE_RECEIPT_STATUS, message);
    session.update(RunSql.DELETE_RUN_REPORT, message);
    session.update(InboundSql.DELETE_RETRY, message);
  }
}
