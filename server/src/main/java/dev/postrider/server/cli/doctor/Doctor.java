package dev.postrider.server.cli.doctor;

import dev.postrider.channel.Channel;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.PostriderConfig;
import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.ConfigOptions;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Screen;
import dev.postrider.server.cli.terminal.Style;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.config.BadConfig;
import dev.postrider.server.config.ConfigLoader;
import dev.postrider.server.config.HttpSettings;
import dev.postrider.server.config.ServerConfig;
import dev.postrider.server.log.Logging;
import dev.postrider.server.tls.TlsSettings;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.json.JsonMapper;

/** {@code postrider doctor}: looks for what is wrong, and says what to do. */
@Command(
    name = "doctor",
    description = {
      "Checks configuration, store, disk, clock and accounts; says what is wrong and what to do.",
      "Works whether the server runs or not, and changes nothing. Exits with 1 if something needs"
          + " attention."
    },
    footer = "  postrider doctor --config postrider.yaml")
public final class Doctor implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ConfigOptions options;
  @Mixin private Remote remote;

  Doctor(Terminal terminal) {
    this.terminal = terminal;
    this.options = new ConfigOptions(terminal);
    this.remote = new Remote(terminal);
  }

  @Override
  public Integer call() {
    Logging.quiet();
    List<Finding> findings = new ArrayList<>();
    @Nullable ServerConfig config = configuration(findings);
    if (config != null) {
      look(config, findings);
    }
    boolean well = findings.stream().allMatch(Finding::well);
    if (remote.wantsJson()) {
      json(config, findings, well);
    } else {
      words(config, findings);
    }
    return well ? 0 : Failure.FAILED;
  }

  private void look(ServerConfig config, List<Finding> findings) {
    Map<String, Channel> channels =
        ServiceLoader.load(Channel.class).stream()
            .map(ServiceLoader.Provider::get)
            .collect(Collectors.toMap(Channel::name, channel -> channel, (first, _) -> first));
    List<AccountConfig> accounts = config.postrider().accounts();
    new SecretsCheck(channels, options.file()).run(accounts, findings);
    new WebhooksCheck(config.postrider(), channels).run(findings);
    files(config.postrider(), channels, findings);
    new StoreCheck(config).run(findings);
    new ClockCheck(InstantSource.system(), ClockCheck::date).run(accounts, channels, findings);
    @Nullable TlsSettings tls = config.http().tls();
    Client client = remote.client(address(config.http()), tls == null ? null : tls.certificate());
    new AccountsCheck(accounts, channels, client).run(findings);
  }

  /** Where programs on this machine find the server. */
  static String address(HttpSettings http) {
    String host =
        switch (http.host()) {
          case "0.0.0.0" -> "127.0.0.1";
          case "::", "[::]" -> "[::1]";
          default ->
              http.host().contains(":") && !http.host().startsWith("[")
                  ? "[" + http.host() + "]"
                  : http.host();
        };
    return (http.tls() == null ? "http://" : "https://") + host + ":" + http.port();
  }

  /** Some platforms fetch files here, and only over TLS. */
  static void files(PostriderConfig config, Map<String, Channel> channels, List<Finding> findings) {
    @Nullable String base = config.media().publicUrl();
    if (base == null || base.startsWith("https:")) {
      return; // without an address such a channel refuses bytes, and says so
    }
    for (AccountConfig account : config.accounts()) {
      @Nullable Channel channel = channels.get(account.channel());
      if (channel != null
          && channel.capabilities(account).media().reuse() == Reuse.BY_SECURE_ADDRESS) {
        findings.add(
            Finding.bad(
                "files",
                "%s can send no files of yours: its platform fetches them over https, not at %s."
                    .formatted(account.id(), base),
                "Set http.publicUrl to an https address; docs/deployment.md says how to have "
                    + "one."));
      }
    }
  }

  private @Nullable ServerConfig configuration(List<Finding> findings) {
    try {
      ServerConfig config = options.load(loader());
      var file = options.file();
      findings.add(
          Finding.well(
              "configuration",
              file == null ? "The defaults; there is no file." : "Read from " + file + "."));
      config
          .warnings()
          .forEach(
              warning ->
                  findings.add(Finding.bad("configuration", warning.sentence(), warning.remedy())));
      return config;
    } catch (BadConfig e) {
      e.problems()
          .forEach(
              problem ->
                  findings.add(
                      Finding.bad(
                          "configuration",
                          problem.toString(),
                          "Correct it; the server does not start.")));
      return null;
    }
  }

  private ConfigLoader loader() {
    return ConfigLoader.forChannelsOnClassPath(terminal.environment());
  }

  private void words(@Nullable ServerConfig config, List<Finding> findings) {
    Screen out = terminal.out();
    long bad = findings.stream().filter(finding -> !finding.well()).count();
    out.print(
        bad == 0 ? Style.GOOD : Style.BAD,
        bad == 0
            ? "Everything is well."
            : bad == 1 ? "1 thing needs attention." : bad + " things need attention.");
    out.println();
    out.println();
    findings.stream().filter(finding -> !finding.well()).forEach(finding -> line(out, finding));
    findings.stream().filter(Finding::well).forEach(finding -> line(out, finding));
    if (config != null) {
      out.println();
      Table table = new Table("SETTING", "VALUE", "FROM");
      loader()
          .inForce(config)
          .forEach(value -> table.row(value.key(), value.value(), value.source()));
      table.print(out, "");
    }
  }

  private static void line(Screen out, Finding finding) {
    out.print(finding.well() ? Style.GOOD : Style.BAD, finding.well() ? "ok   " : "BAD  ");
    out.hanging("%-14s ".formatted(finding.area()), 5, Table.plain(finding.sentence()));
    if (!finding.remedy().isEmpty()) {
      out.hanging(" ".repeat(20), 0, Table.plain(finding.remedy()));
    }
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
            .map(
                f ->
                    Map.of(
                        "area", f.area(),
                        "well", f.well(),
                        "sentence", f.sentence(),
                        "remedy", f.remedy()))
            .toList());
    terminal.data().println(new JsonMapper().writeValueAsString(report));
  }
}
