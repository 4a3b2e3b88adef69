package dev.postrider.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.postrider.server.Documents;
import dev.postrider.server.Documents.Fence;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every piece of configuration that a page shows is accepted, once its secrets are there. */
class DocumentedConfigurationTest {
  /** As a token, a signing secret and a key it is long enough and of the right form. */
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwQ9r8GKYqrTw=";

  static Stream<Fence> configurations() {
    List<Fence> all =
        Documents.pages().stream()
            .flatMap(page -> Documents.fences(page).stream())
            .filter(fence -> fence.language().equals("yaml"))
            .filter(fence -> !fence.text().contains("# notice.yaml")) // a reminder
            .filter(fence -> !fence.text().startsWith("scrape_configs:")) // of Prometheus
            .filter(fence -> !fence.text().startsWith("postrider:")) // of Spring Boot's example
            .filter(fence -> !fence.text().contains("channel: ntfy")) // of a jar that is not here
            .filter(fence -> !fence.text().contains("${file:") && !fence.text().contains("…"))
            .toList();
    assertThat(all).hasSizeGreaterThan(10);
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void what_a_page_shows_is_accepted(Fence fence) {
    Map<String, String> environment = new HashMap<>();
    Pattern.compile("\\$\\{(\\w+)}")
        .matcher(fence.text())
        .results()
        .forEach(name -> environment.put(name.group(1), SECRET));
    environment.replace("NOSTR_KEY", "0".repeat(63) + "1"); // not every text is a key
    String text =
        fence.text().contains("account: ops-bot")
            ? fence.text() + "accounts: [ { id: ops-bot, channel: sandbox } ]\n"
            : fence.text();
    ConfigLoader loader = ConfigLoader.forChannelsOnClassPath(environment);

    assertThatCode(() -> loader.read(fence.page().toString(), text, List.of()))
        .doesNotThrowAnyException();
  }
}
