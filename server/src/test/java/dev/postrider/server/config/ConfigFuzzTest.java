package dev.postrider.server.config;

import dev.postrider.testkit.internal.fuzz.Fuzzing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Configurations that editors and people break: they are read, or what is wrong is said. */
class ConfigFuzzTest {
  private static final String SMALL =
      """
      store: sqlite:x.db
      http: { host: 127.0.0.1, port: 8080, tokens: [ { name: ops, secret: "0123456789abcdef", \
      role: admin } ] }
      accounts:
        - id: tg-main
          channel: telegram
          token: "1:x"
          pace: { perMinute: 40, burst: 5, concurrency: 3, chat: { perSecond: 1, perMinute: 20 } }
          delivery: { maxAttempts: 8 }
      delivery: { backoff: [5s, 25s, 2m, 10m], lateAfter: 30m, expireAfter: 24h }
      inbound: { backoff: [1s], maxAttempts: 5, pushTo: null }
      base: &base { a: 1 }
      """;

  @Test
  void any_configuration_is_read_or_refused_in_words() throws Exception {
    List<String> files = new ArrayList<>(List.of(SMALL, SMALL, SMALL));
    for (String source : List.of("postrider.default.yaml", "../postrider.default.yaml")) {
      if (Files.exists(Path.of(source))) {
        files.add(Files.readString(Path.of(source)));
      }
    }
    Fuzzing.run(
        "configuration",
        1_500,
        noise -> {
          String yaml = noise.oneIn(20) ? noise.text() : noise.mutated(noise.of(files));
          try {
            ConfigLoader.forChannelsOnClassPath(Map.of()).read("postrider.yaml", yaml, List.of());
          } catch (BadConfig e) {
            return; // said
          }
        });
  }
}
