package dev.postrider.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.server.Documents;
import dev.postrider.testkit.internal.peers.NpmPackages;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The files of {@code deploy/} that no test runs: what is set in them exists, and the schemas of
 * Kubernetes and Compose have nothing against them ({@code -Dpostrider.peers=skip} skips those).
 */
class DeployedFilesTest {
  private static final Path FILES = Documents.ROOT.resolve("deploy");
  private static final Pattern EMBEDDED = Pattern.compile("(?ms)^  postrider.yaml: \\|\n(.*?)^---");
  private static final Pattern IN_COMPOSE = Pattern.compile("(?m)^      (POSTRIDER_\\w+): (.*)$");
  private static final Pattern IN_KUBERNETES =
      Pattern.compile("- name: (POSTRIDER_\\w+)\n +value: (.*)");
  private static final Map<String, String> SECRETS =
      Map.of(
          "POSTRIDER_TOKEN", "ruling-the-server-for-good",
          "OPS_TOKEN", "ruling-the-server-for-good",
          "TELEGRAM_TOKEN", "1:token",
          "DB_PASSWORD", "secret");

  @Test
  void others_find_nothing_wrong_with_them() throws Exception {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
    Path home = NpmPackages.install(Path.of("src/test/deploy"), Path.of("target/deploy"));
    Process node =
        NpmPackages.run(
            home, List.of("node", "check.mjs", FILES.toAbsolutePath().toString()), Redirect.PIPE);
    String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(said).isEmpty();
    assertThat(node.waitFor()).isZero();
  }

  @Test
  void the_first_configuration_is_local_and_its_example_is_not_without_tokens() throws Exception {
    ServerConfig first = load(FILES.resolve("postrider.yaml"), Map.of());
    assertThat(first.http().host()).isEqualTo("127.0.0.1");

    Path full = Files.createTempFile("postrider", ".yaml");
    try {
      String example = read("postrider.yaml").replaceAll("(?m)^# (?=http:|accounts:| )", "");
      ServerConfig changed = load(Files.writeString(full, example), Map.of());
      assertThat(changed.http().tokens()).hasSize(1);
      assertThat(changed.postrider().accounts()).hasSize(1);
    } finally {
      Files.delete(full);
    }
  }

  @Test
  void the_container_and_its_companions_set_what_exists() throws Exception {
    Map<String, String> composed = set(IN_COMPOSE, "compose.yaml");
    composed.keySet().remove("POSTRIDER_TOKEN"); // a secret, which Compose fills in
    assertThat(composed).containsOnlyKeys("POSTRIDER_STORE", "POSTRIDER_CLUSTER_NODE");

    ServerConfig config = load(FILES.resolve("container.yaml"), composed);
    assertThat(config.http().tokens()).hasSize(1);
    assertThat(config.postrider().store()).startsWith("jdbc:postgresql://db/");
  }

  @Test
  void the_servers_in_kubernetes_share_one_database_under_names_of_their_own() throws Exception {
    String file = read("kubernetes.yaml");
    MatchResult embedded = EMBEDDED.matcher(file).results().findFirst().orElseThrow();
    Map<String, String> named = set(IN_KUBERNETES, "kubernetes.yaml");
    named.replaceAll((_, value) -> value.replace("$(NODE)", "postrider-1"));

    Path copy = Files.createTempFile("postrider", ".yaml");
    try {
      Files.writeString(copy, embedded.group(1).stripIndent());
      ServerConfig config = load(copy, named);
      assertThat(config.postrider().store()).startsWith("jdbc:postgresql:");
      assertThat(config.postrider().cluster().node()).isEqualTo("postrider-1");
    } finally {
      Files.delete(copy);
    }
  }

  /** Loads it as a server would, which has nothing to complain of. */
  private static ServerConfig load(Path file, Map<String, String> variables) {
    Map<String, String> environment = new HashMap<>(SECRETS);
    environment.putAll(variables);
    ServerConfig config = ConfigLoader.forChannelsOnClassPath(environment).load(file, List.of());
    assertThat(config.warnings()).isEmpty();
    return config;
  }

  private static Map<String, String> set(Pattern variable, String file) throws IOException {
    Map<String, String> variables = new HashMap<>();
    variable
        .matcher(read(file))
        .results()
        .forEach(match -> variables.put(match.group(1), match.group(2)));
    return variables;
  }

  private static String read(String file) throws IOException {
    return Files.readString(FILES.resolve(file));
  }
}
