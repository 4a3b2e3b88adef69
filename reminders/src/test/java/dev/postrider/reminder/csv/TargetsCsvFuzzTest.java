package dev.postrider.reminder.csv;

import dev.postrider.problem.InvalidInput;
import dev.postrider.testkit.internal.fuzz.Fuzzing;
import java.io.StringReader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables that spreadsheets and people break: they are read, or what is wrong is said. */
class TargetsCsvFuzzTest {
  private static final List<String> TABLES =
      List.of(
          "to,name,account\n-1001,Team A,sandbox\n\"-1002\",\"Team \"\"B\"\"\",sandbox\n",
          "to;name;greeting\r\n1;Ä;\"a\r\nb\"\r\n\r\n2;;\r\n",
          "to\tname\n1\tx\n2\ty\n",
          "\uFEFFto,a,b\n1,{{x}},=1+1\n");

  @Test
  void any_table_is_read_or_refused_in_words() {
    Fuzzing.run(
        "CSV",
        5_000,
        noise -> {
          String table =
              noise.oneIn(10)
                  ? noise.text() + "\n" + noise.text()
                  : noise.mutated(noise.of(TABLES));
          try {
            TargetsCsv.read(new StringReader(table));
          } catch (InvalidInput e) {
            return; // said
          }
        });
  }
}
