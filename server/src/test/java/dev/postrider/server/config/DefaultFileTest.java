package dev.postrider.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.problem.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Keeps {@code postrider.default.yaml} honest. */
class DefaultFileTest {
  private static final Path FILE = Path.of("..", "postrider.default.yaml");

  @Test
  void it_says_what_is_in_force_without_it() throws IOException {
    ServerConfig written = ConfigFixture.read(Files.readString(FILE));
    ServerConfig unwritten = ConfigFixture.read("");

    assertThat(written.postrider()).isEqualTo(unwritten.postrider());
    assertThat(written.http()).isEqualTo(unwritten.http());
    assertThat(written.logging()).isEqualTo(unwritten.logging());
    assertThat(written.pushes()).isEqualTo(unwritten.pushes()).isEmpty();
    assertThat(written.alerts()).isEqualTo(unwritten.alerts());
    assertThat(written.tracing()).isEqualTo(unwritten.tracing());
    assertThat(written.reminders()).isEqualTo(unwritten.reminders());
  }

  @Test
  void it_loads_with_the_channels_we_ship() {
    ServerConfig config = ConfigLoader.forChannelsOnClassPath(Map.of()).load(FILE, List.of());

    assertThat(config.postrider().accounts()).hasSize(1);
  }

  @Test
  void it_holds_every_known_key() throws IOException {
    Set<String> known = new TreeSet<>();
    KnownKeys.of(ConfigFixture.CHANNELS.subList(0, 1)).forEach(known::add);
    known.removeIf(key -> key.startsWith("http.tokens."));
    Set<String> written = new TreeSet<>();
    List<Problem> problems = new ArrayList<>();
    collect("", YamlTree.read("default", Files.readString(FILE), problems), written);
    written.remove("http.tokens");

    assertThat(problems).isEmpty();
    assertThat(written).isEqualTo(known);
  }

  private static void collect(String path, Node node, Set<String> into) {
    switch (node) {
      case Node.Scalar _ -> into.add(path);
      case Node.Mapping mapping ->
          mapping
              .entries()
              .forEach(
                  (key, child) -> collect(path.isEmpty() ? key : path + "." + key, child, into));
      case Node.Sequence sequence
          when !sequence.items().isEmpty() && sequence.items().getFirst() instanceof Node.Mapping ->
          collect(path + ".0", sequence.items().getFirst(), into);
      case Node.Sequence _ -> into.add(path);
    }
  }
}
