package dev.postrider.jdbc.session;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.Head;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.TargetStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** How values are stored: the same numbers in every database. */
public final class Values {
  public static final int LATE = 1;
  public static final int POSSIBLE_DUPLICATE = 2;
  public static final int UNORDERED = 4;
  public static final int SCHEDULED = 8;

  public static final Status[] STATUSES = {
    Status.QUEUED,
    Status.SENDING,
    Status.DELIVERED,
    Status.FAILED,
    Status.EXPIRED,
    Status.HELD,
    Status.CANCELLED
  };

  public static final DeliveryReport.State[] STATES = {
    DeliveryReport.State.SENT,
    DeliveryReport.State.DELIVERED,
    DeliveryReport.State.READ,
    DeliveryReport.State.FAILED
  };

  public static final InboundStatus[] INBOUND_STATUSES = {
    InboundStatus.PENDING,
    InboundStatus.LEASED,
    InboundStatus.HANDLED,
    InboundStatus.FAILED,
    InboundStatus.DISCARDED
  };

  public static final TurnState[] TURN_STATES = {
    TurnState.OPEN, TurnState.DELIVERED, TurnState.FAILED, TurnState.EMPTY
  };

  public static final RunStatus[] RUN_STATUSES = {
    RunStatus.WAITING,
    RunStatus.RUNNING,
    RunStatus.PAUSED,
    RunStatus.SUCCESS,
    RunStatus.PARTIAL,
    RunStatus.FAILED,
    RunStatus.CANCELLED
  };

  public static final TargetStatus[] TARGET_STATUSES = {
    TargetStatus.PENDING,
    TargetStatus.SENDING,
    TargetStatus.SENT,
    TargetStatus.FAILED,
    TargetStatus.SKIPPED,
    TargetStatus.CANCELLED,
    TargetStatus.DELIVERED,
    TargetStatus.READ
  };

  private Values() {}

  /** A head whose six columns begin after this many others. */
  public static Head head(ResultSet row, int after, String account) throws SQLException {
    return head(
        row.getLong(after + 1),
        account,
        row.getString(after + 2),
        row.getInt(after + 4),
        row.getLong(after + 5),
        row.getInt(after + 6));
  }

  public static Head head(
      long row, String account, String chat, int priority, long due, int flags) {
    return new Head(
        row,
        account,
        chat,
        priority == 0 ? Priority.LIVE : Priority.BULK,
        instant(due),
        (flags & UNORDERED) == 0,
        (flags & SCHEDULED) != 0);
  }

  public static int status(Status status) {
    return switch (status) {
      case QUEUED -> 0;
      case SENDING -> 1;
      case DELIVERED -> 2;
      case FAILED -> 3;
      case EXPIRED -> 4;
      case HELD -> 5;
      case CANCELLED -> 6;
    };
  }

  public static Status status(int stored) {
    return STATUSES[stored];
  }

  public static int state(DeliveryReport.State state) {
    return switch (state) {
      case SENT -> 0;
      case DELIVERED -> 1;
      case READ -> 2;
      case FAILED -> 3;
    };
  }

  /**
   * The furthest word on a receipt, whose four columns begin after this many others; null if there
   * is none.
   */
  public static @Nullable DeliveryReport report(ResultSet row, int after, String receipt)
      throws SQLException {
    int state = row.getInt(after + 1);
    return row.wasNull()
        ? null
        : new DeliveryReport(
            receipt,
            STATES[state],
            instant(row.getLong(after + 2)),
            row.getString(after + 3),
            row.getBoolean(after + 4));
  }

  public static int status(InboundStatus status) {
    return switch (status) {
      case PENDING -> 0;
      case LEASED -> 1;
      case HANDLED -> 2;
      case FAILED -> 3;
      case DISCARDED -> 4;
    };
  }

  public static InboundStatus inboundStatus(int stored) {
    return INBOUND_STATUSES[stored];
  }

  public static int turn(TurnState state) {
    return switch (state) {
      case OPEN -> 0;
      case DELIVERED -> 1;
      case FAILED -> 2;
      case EMPTY -> 3;
    };
  }

  public static @Nullable Integer nullableTurn(@Nullable TurnState state) {
    return state == null ? null : turn(state);
  }

  /** Null if the event was never handed out. */
  public static @Nullable TurnState nullableTurn(ResultSet row, int column) throws SQLException {
    int stored = row.getInt(column);
    return row.wasNull() ? null : TURN_STATES[stored];
  }

  public static int status(RunStatus status) {
    return switch (status) {
      case WAITING -> 0;
      case RUNNING -> 1;
      case PAUSED -> 2;
      case SUCCESS -> 3;
      case PARTIAL -> 4;
      case FAILED -> 5;
      case CANCELLED -> 6;
    };
  }

  public static RunStatus runStatus(int stored) {
    return RUN_STATUSES[stored];
  }

  public static int status(TargetStatus status) {
    return switch (status) {
      case PENDING -> 0;
      case SENDING -> 1;
      case SENT -> 2;
      case FAILED -> 3;
      case SKIPPED -> 4;
      case CANCELLED -> 5;
      case DELIVERED -> 6;
      case READ -> 7;
    };
  }

  public static TargetStatus targetStatus(int stored) {
    return TARGET_STATUSES[stored];
  }

  public static int priority(Priority priority) {
    return switch (priority) {
      case LIVE -> 0;
      case BULK -> 1;
    };
  }

  public static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  public static @Nullable Long nullableMicros(@Nullable Instant instant) {
    return instant == null ? null : micros(instant);
  }

  public static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** An account's state from its name, pause and breakage, which follow the column. */
  public static AccountState accountState(ResultSet row, int after) throws SQLException {
    return new AccountState(
        row.getString(after + 1),
        row.getString(after + 2),
        nullableInstant(row, after + 3),
        row.getString(after + 4),
        nullableInstant(row, after + 5));
  }

  public static @Nullable Instant nullableInstant(ResultSet row, int column) throws SQLException {
    long micros = row.getLong(column);
    return row.wasNull() ? null : instant(micros);
  }
}
