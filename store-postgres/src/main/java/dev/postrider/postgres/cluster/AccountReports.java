package dev.postrider.postgres.cluster;

import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.read.Rows;
import dev.postrider.store.cluster.AccountReport;
import java.sql.Array;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What nodes say of their accounts, as it stands in {@code node.reports}: a row per account. */
final class AccountReports {
  private static final String NEEDS_LOGIN = "login";

  private AccountReports() {}

  static @Nullable String[][] rows(List<AccountReport> reports) {
    return reports.stream().map(AccountReports::row).toArray(String[][]::new);
  }

  private static @Nullable String[] row(AccountReport report) {
    return new @Nullable String[] {
      report.account(),
      report.health(),
      micros(report.since()),
      Rows.clean(report.reason()),
      report.listening(),
      micros(report.listeningSince()),
      Rows.clean(report.listeningCause()),
      report.needsLogin() ? NEEDS_LOGIN : null
    };
  }

  static List<AccountReport> read(Array stored) throws SQLException {
    return stored.getArray() instanceof @Nullable String[][] rows
        ? Stream.of(rows)
            .map(
                row ->
                    new AccountReport(
                        String.valueOf(row[0]),
                        String.valueOf(row[1]),
                        instant(row[2]),
                        row[3],
                        row.length > 7 && NEEDS_LOGIN.equals(row[7]), // older nodes say seven
                        String.valueOf(row[4]),
                        instant(row[5]),
                        row[6]))
            .toList()
        : List.of(); // an empty array has one dimension
  }

  private static @Nullable String micros(@Nullable Instant instant) {
    return instant == null ? null : Long.toString(Values.micros(instant));
  }

  private static @Nullable Instant instant(@Nullable String micros) {
    return micros == null ? null : Values.instant(Long.parseLong(micros));
  }
}
