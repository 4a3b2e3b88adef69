package dev.postrider.server.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.postgres.PostgresStoreProvider;
import dev.postrider.server.config.ConfigLoader;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.time.SystemScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the doctor says of a database's format, before a server of this version starts on it. */
class StoreFormatTest {
  private final PostgresServer server = PostgresServer.shared();
  private final String url = server.newSchema();
  private final int ours = new PostgresStoreProvider().format();

  @AfterEach
  void drop() {
    server.drop(url);
  }

  private List<String> said() {
    List<Finding> findings = new ArrayList<>();
    new StoreCheck(
            ConfigLoader.forChannelsOnClassPath(Map.of("POSTRIDER_STORE", url))
                .load(null, List.of()))
        .run(findings);
    return findings.stream().map(Finding::sentence).toList();
  }

  private void isWritten(String change) {
    try (SystemScheduler time = new SystemScheduler()) {
      new PostgresStoreProvider().open(url, ClusterSettings.of("test"), time).close();
    }
    server.execute(
        change.replace("postrider_format", url.replaceAll(".*=", "") + ".postrider_format"));
  }

  @Test
  void an_empty_database_has_none() {
    assertThat(said()).noneMatch(sentence -> sentence.contains("format"));
  }

  @Test
  void one_of_this_version_is_its_own() {
    isWritten("SELECT 1 FROM postrider_format");

    assertThat(said()).contains("Its format is " + ours + ", this version's own.");
  }

  @Test
  void an_older_one_is_brought_up_to_date_by_the_next_start() {
    isWritten("DELETE FROM postrider_format WHERE version > 21");

    assertThat(said()).contains("Its format is 21; the next start brings it to " + ours + ".");
  }

  @Test
  void a_newer_one_is_good_as_long_as_this_version_may_work_on_it() {
    isWritten("INSERT INTO postrider_format (version, oldest) VALUES (98, 21)");

    assertThat(said())
        .contains(
            "Its format is 98; this version knows " + ours + ", and may work beside newer ones.");
    server.execute(
        "INSERT INTO "
            + url.replaceAll(".*=", "")
            + ".postrider_format (version, oldest) VALUES (99, 99)");
    assertThat(said())
        .contains("A newer Postrider wrote it (format 99; this one knows " + ours + ").");
  }
}
