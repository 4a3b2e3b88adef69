package dev.postrider.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postrider.testkit.internal.fault.Fault;
import dev.postrider.testkit.internal.fault.FaultHarness;
import dev.postrider.testkit.internal.fault.Sign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Faults of the surroundings, done to a real server under load: a few in every build, and all of
 * them by {@code dev/faults}, which also writes docs/reliability.md.
 */
class FaultsTest {
  private static final Path PAGE = Documents.ROOT.resolve("docs/reliability.md");
  private static final String BEGIN = "<!-- written by dev/faults -->\n";
  private static final String END = "<!-- end of what dev/faults writes -->";
  private static final Pattern FIGURE = Pattern.compile("\\d+\\.\\d s");
  private static final String WANTED = System.getProperty("postrider.faults", "quick");
  private static final Map<String, Duration> RECOVERED = new LinkedHashMap<>();

  @TempDir Path folder;

  static List<Fault> faults() {
    return Fault.all().stream().filter(FaultsTest::isWanted).toList();
  }

  private static boolean isWanted(Fault fault) {
    return switch (WANTED) {
      case "quick" -> fault.quick();
      case "all", "write" -> true;
      default -> fault.name().contains(WANTED);
    };
  }

  @ParameterizedTest
  @EnabledOnOs(OS.LINUX)
  @MethodSource("faults")
  void what_must_hold_holds_and_the_operator_sees_it(Fault fault) throws Exception {
    assumeTrue(
        !fault.needsRoot() || "root".equals(System.getProperty("user.name")),
        "this mounts a disk of its own, and takes root");

    FaultHarness.Report report = FaultHarness.run(fault, folder);

    RECOVERED.put(fault.name(), report.recovered());
    System.out.println(
        "%s: well again %s after %s"
            .formatted(fault.name(), seconds(report.recovered()), fault.ends()));
    assertThat(report.violations()).as(fault.name()).isEmpty();
  }

  @AfterAll
  static void write() throws IOException {
    if (WANTED.equals("write")) {
      String page = Documents.read(PAGE);
      int begin = page.indexOf(BEGIN) + BEGIN.length();
      Files.writeString(
          PAGE, page.substring(0, begin) + table() + page.substring(page.indexOf(END)));
    }
  }

  @Test
  void the_page_tells_of_every_fault_what_its_test_holds() {
    String page = Documents.read(PAGE);
    String written = page.substring(page.indexOf(BEGIN) + BEGIN.length(), page.indexOf(END));

    assertThat(FIGURE.matcher(written).replaceAll("–"))
        .as("dev/faults write")
        .isEqualTo(FIGURE.matcher(table()).replaceAll("–"));
  }

  private static String table() {
    return Fault.all().stream()
        .map(FaultsTest::row)
        .collect(
            Collectors.joining(
                "",
                "| fault | what holds | what an operator sees | well again |\n|---|---|---|---|\n",
                ""));
  }

  private static String row(Fault fault) {
    Duration recovered = RECOVERED.get(fault.name());
    return "| %s | %s | %s | %s after %s |\n"
        .formatted(
            fault.name(),
            fault.holds(),
            fault.signs().isEmpty()
                ? "–"
                : fault.signs().stream().map(Sign::toString).collect(Collectors.joining("<br>")),
            recovered == null ? "–" : seconds(recovered),
            fault.ends());
  }

  private static String seconds(Duration duration) {
    return "%.1f s".formatted(duration.toMillis() / 1000.0);
  }
}
