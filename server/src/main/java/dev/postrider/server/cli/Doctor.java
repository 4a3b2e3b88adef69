package dev.postrider.server.cli;

import dev.postrider.server.cli.terminal.ConfigOptions;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.config.BadConfig;
import dev.postrider.server.config.ConfigLoader;
import dev.postrider.server.config.ServerConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.json.JsonMapper;

/** {@code postrider doctor}: looks for what is wrong, and says what to do. */
@Command(
    name = "doctor",
    description = {
      "Checks configuration, store, disk, clock and accounts; says what is wrong and what to do.",
      "Works whether the server runs or not, and changes nothing."
    })
final class Doctor implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ConfigOptions options;
  @Mixin private Remote remote;

  Doctor(Terminal terminal) {
    this.terminal = terminal;
    this.options = new ConfigOptions(terminal);
    this.remote = new Remote(terminal);
  }

  /** What was looked at, how it is, and what to do if it is not well. */
  record Finding(String area, boolean well, String sentence) {}

  @Override
  public Integer call() {
    List<Finding> findings = new ArrayList<>();
    @Nullable ServerConfig config = configuration(findings);
    if (config != null) {
      new StoreCheck(config).run(findings);
      new AccountsCheck(config, remote.client()).run(findings);
    }
    boolean well = findings.stream().allMatch(Finding::well);
    if (remote.wantsJson()) {
      json(config, findings, well);
    } else {
      words(config, findings, well);
    }
    return well ? 0 : Failure.FAILED;
  }

  private @Nullable ServerConfig configuration(List<Finding> findings) {
    try {
      ServerConfig config = options.load(loader());
      var file = options.file();
      findings.add(
          new Finding(
              "configuration",
              true,
              file == null ? "The defaults; there is no file." : "Read from " + file + "."));
      config
          .warnings()
          .forEach(warning -> findings.add(new Finding("configuration", true, warning)));
      return config;
    } catch (BadConfig e) {
      e.problems()
          .forEach(
              problem -> findings.add(new Finding("configuration", false, problem.toString())));
      return null;
    }
  }

  private ConfigLoader loader() {
    return ConfigLoader.forChannelsOnClassPath(terminal.environment());
  }

  private void words(@Nullable ServerConfig config, List<Finding> findings, boolean well) {
    if (config != null) {
      Table table = new Table("SETTING", "VALUE", "FROM");
      loader()
          .inForce(config)
          .forEach(value -> table.row(value.key(), value.value(), value.source()));
      table.print(terminal.out(), "");
      terminal.out().println();
    }
    for (Finding finding : findings) {
      terminal
          .out()
          .println(
              "%-4s %-14s %s"
                  .formatted(
                      finding.well() ? "ok" : "BAD",
                      finding.area(),
                      Table.plain(finding.sentence())));
    }
    terminal.out().println();
    terminal.out().println(well ? "All is well." : "Something is wrong; see the lines marked BAD.");
  }

  private void json(@Nullable ServerConfig config, List<Finding> findings, boolean well) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("well", well);
    report.put(
        "settings",
        config == null
            ? List.of()
            : loader().inForce(config).stream()
                .map(v -> Map.of("key", v.key(), "value", v.value(), "from", v.source().text()))
                .toList());
    report.put(
        "findings",
        findings.stream()
            .map(f -> Map.of("area", f.area(), "well", f.well(), "sentence", f.sentence()))
            .toList());
    terminal.data().println(new JsonMapper().writeValueAsString(report));
  }
}
