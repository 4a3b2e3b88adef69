package dev.postrider.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class LogLinesTest {

  @Test
  void a_line_for_people_holds_time_level_short_name_and_message() {
    assertThat(new TextLines().format(record("all is well", null)))
        .matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} WARN  Engine: all is well\\R");
  }

  @Test
  void nobody_can_forge_a_line() {
    assertThat(new TextLines().format(record("a\nb", null)).strip().lines()).hasSize(1);
  }

  @Test
  void nobody_can_steer_a_terminal_by_a_line_of_the_log() {
    String evil = "a\u001b[2Jb\u009bc\u202ed\u2066e\u007ff\u0000";
    for (Throwable thrown :
        new Throwable[] {null, new IllegalStateException(evil), new SQLException(evil, "57P01")}) {
      String line = new TextLines().format(record(evil, thrown));
      assertThat(line).contains("a\\u001b[2Jb\\u009bc\\u202ed\\u2066e\\u007ff\\u0000");
      assertThat(line.replaceAll("\\R|\t", ""))
          .doesNotContainPattern("[\\p{Cntrl}\\x80-\\x9f\\u202e\\u2066]");
    }
    assertThat(new TextLines().format(record("Zoë שלום 👩‍👩‍👧 ok", null)))
        .contains("Zoë שלום 👩‍👩‍👧 ok");
  }

  @Test
  void an_exception_is_told_in_full() {
    assertThat(new TextLines().format(record("oh", new IllegalStateException("why"))))
        .contains("IllegalStateException: why", "at dev.postrider");
  }

  @Test
  void a_database_that_is_away_is_told_in_one_line() {
    var away = new IllegalStateException(new SQLException("terminating connection\n now", "57P01"));

    assertThat(new TextLines().format(record("oh", away)).strip().lines())
        .singleElement()
        .asString()
        .endsWith(
            "oh: java.lang.IllegalStateException: java.sql.SQLException: terminating connection "
                + " now");
    assertThat(new JsonLines().format(record("oh", away))).doesNotContain("\\tat");
  }

  @Test
  void a_line_for_machines_is_one_json_object() {
    assertThat(new JsonLines().format(record("he said \"hi\"\n", null)))
        .isEqualTo(
            "{\"time\":\"2026-01-01T00:00:00Z\",\"level\":\"WARN\","
                + "\"logger\":\"dev.postrider.Engine\",\"thread\":7,\"message\":\"he"
                + " said \\\"hi\\\"\\n"
                + "\"}\n");
  }

  private static LogRecord record(String message, Throwable thrown) {
    LogRecord record = new LogRecord(Level.WARNING, message);
    record.setLoggerName("dev.postrider.Engine");
    record.setInstant(Instant.parse("2026-01-01T00:00:00Z"));
    record.setLongThreadID(7);
    record.setThrown(thrown);
    return record;
  }
}
