package dev.postrider.sqlite;

import dev.postrider.jdbc.export.SqlExport;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.file.StoreAccess;
import dev.postrider.sqlite.message.LanePauses;
import dev.postrider.sqlite.read.Rows;
import dev.postrider.sqlite.sql.ExportSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Everything in a file, as lines. */
final class SqliteExport extends SqlExport {
  private final JdbcSession writer;
  private final Accounts accounts;
  private final LanePauses pauses;
  private final StoreAccess access;

  SqliteExport(JdbcSession writer, Accounts accounts, LanePauses pauses, StoreAccess access) {
    super(accounts.cipher());
    this.writer = writer;
    this.accounts = accounts;
    this.pauses = pauses;
    this.access = access;
  }

  @Override
  public String inUseBecause() {
    return ""; // whoever opened the file has it alone
  }

  @Override
  protected <T> T read(Work<T> work) {
    return access.read(work::run);
  }

  @Override
  protected <T> T write(Work<T> work) {
    return access.await(access.write(() -> work.run(writer)));
  }

  @Override
  protected @Nullable Own own(Kind kind) {
    return switch (kind) {
      case ACCOUNT -> new Own(null, ExportSql.ADD_ACCOUNT, List.of());
      case MESSAGE ->
          new Own(ExportSql.MESSAGES, ExportSql.ADD_MESSAGE, List.of(ExportSql.JOIN_LANE));
      case LANE_PAUSE ->
          new Own(ExportSql.LANE_PAUSES, ExportSql.ADD_LANE_PAUSE, List.of(ExportSql.PAUSE_HEADS));
      case INBOUND ->
          new Own(ExportSql.INBOUND, ExportSql.ADD_INBOUND, List.of(ExportSql.ADD_HEAD_OF_SESSION));
      default -> null;
    };
  }

  @Override
  protected String column(String table, String column) {
    return column;
  }

  @Override
  protected String byBytes(String column) {
    return column;
  }

  @Override
  protected String accountName(int number) {
    return accounts.name(number);
  }

  @Override
  protected int accountNumber(JdbcSession session, String name) throws SQLException {
    return accounts.idOrNew(session, name);
  }

  @Override
  protected Object id(UUID id) {
    return Rows.bytes(id);
  }

  @Override
  protected @Nullable UUID id(ResultSet row, String column) throws SQLException {
    byte[] id = row.getBytes(column);
    return id == null ? null : Rows.uuid(id);
  }

  @Override
  protected Object flag(boolean flag) {
    return flag ? 1 : 0;
  }

  @Override
  protected String text(String text) {
    return text;
  }

  @Override
  protected void added(JdbcSession session, Kind kind, List<Map<String, Object>> rows) {
    if (kind == Kind.LANE_PAUSE) {
      pauses.noted();
    }
  }
}
