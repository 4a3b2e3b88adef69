package dev.postrider.postgres;

import dev.postrider.inbound.InboundStatus;
import dev.postrider.jdbc.export.SqlExport;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Status;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.batch.BatchSideEffects;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.ExportSql;
import dev.postrider.store.cluster.ClusterSnapshot;
import dev.postrider.store.failure.StoreUnavailable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Everything in a database, as lines. */
final class PostgresExport extends SqlExport {
  private static final Set<Long> DEAD_MESSAGE =
      Stream.of(Status.values())
          .filter(Status::deadLetter)
          .map(status -> (long) Values.status(status))
          .collect(Collectors.toSet());
  private static final Set<Long> DEAD_INBOUND = Set.of((long) Values.status(InboundStatus.FAILED));

  private final PostgresStore store;
  private final DataSource database;
  private final Accounts accounts;

  PostgresExport(PostgresStore store, DataSource database, Accounts accounts) {
    super(accounts.cipher());
    this.store = store;
    this.database = database;
    this.accounts = accounts;
  }

  @Override
  public String inUseBecause() {
    List<String> alive =
        store.roll().nodes().stream()
            .filter(ClusterSnapshot.Node::alive)
            .map(ClusterSnapshot.Node::name)
            .toList();
    return alive.isEmpty()
        ? ""
        : "servers work on it: " + String.join(", ", alive) + "; stop them first";
  }

  @Override
  protected <T> T read(Work<T> work) {
    return write(work);
  }

  @Override
  protected <T> T write(Work<T> work) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      T result = work.run(new JdbcSession(connection));
      connection.commit();
      return result;
    } catch (SQLException e) {
      StoreUnavailable known = PgErrors.unavailable(e);
      throw known == null ? new StoreUnavailable(String.valueOf(e.getMessage()), e) : known;
    }
  }

  @Override
  protected @Nullable Own own(Kind kind) {
    return switch (kind) {
      case ACCOUNT -> new Own(null, ExportSql.ADD_ACCOUNT, List.of());
      case MESSAGE ->
          new Own(
              ExportSql.MESSAGES,
              ExportSql.ADD_MESSAGE,
              List.of(
                  ExportSql.ADD_QUEUED_MESSAGE, ExportSql.ADD_ENDED_MESSAGE, ExportSql.JOIN_LANE));
      case LANE_PAUSE -> new Own(null, ExportSql.ADD_LANE_PAUSE, List.of(ExportSql.PAUSE_HEADS));
      case INBOUND ->
          new Own(
              ExportSql.INBOUND,
              ExportSql.ADD_INBOUND,
              List.of(
                  ExportSql.ADD_WAITING_INBOUND,
                  ExportSql.ADD_ENDED_INBOUND,
                  ExportSql.ADD_OPEN_TURN));
      default -> null;
    };
  }

  @Override
  protected String column(String table, String column) {
    return switch (table + "." + column) {
      case "mirrored.uid" -> "message";
      case "inbound_note.inbound" -> "event";
      default -> column;
    };
  }

  @Override
  protected String byBytes(String column) {
    return column + " COLLATE \"C\"";
  }

  @Override
  protected String accountName(int number) throws SQLException {
    return accounts.name(number);
  }

  @Override
  protected int accountNumber(JdbcSession session, String name) throws SQLException {
    return accounts.idOrNew(name);
  }

  @Override
  protected Object id(UUID id) {
    return id;
  }

  @Override
  protected @Nullable UUID id(ResultSet row, String column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  @Override
  protected Object flag(boolean flag) {
    return flag;
  }

  @Override
  protected String text(String text) {
    return Rows.asStored(text);
  }

  /** Each account's row says how many wait, and how many are dead letters. */
  @Override
  protected void added(JdbcSession session, Kind kind, List<Map<String, Object>> rows)
      throws SQLException {
    BatchSideEffects sideEffects = new BatchSideEffects();
    for (Map<String, Object> row : rows) {
      if (kind == Kind.MESSAGE) {
        count(row, sideEffects::messageAdded, sideEffects::deadLetterAdded, DEAD_MESSAGE);
      } else if (kind == Kind.INBOUND) {
        count(row, sideEffects::inboundAdded, sideEffects::inboundDeadLetterAdded, DEAD_INBOUND);
      }
    }
    sideEffects.write(session, new BatchColumns(session.connection(), "", ""));
  }

  private static void count(
      Map<String, Object> row, IntConsumer came, IntConsumer died, Set<Long> dead) {
    int account = (Integer) Objects.requireNonNull(row.get("account"));
    if (Boolean.TRUE.equals(row.get("active"))) {
      came.accept(account);
    } else if (dead.contains(Objects.requireNonNull(row.get("status")))) {
      died.accept(account);
    }
  }
}
