package dev.postrider.channels.imessage;

import dev.postrider.channels.Settings;
import dev.postrider.config.AccountConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An account's settings.
 *
 * @param command what is run, and whether that is the usual program, which macOS alone has
 * @param patience how long one request may take
 * @param idle how long the program may be quiet before it is asked whether it still works
 * @param attachments where Messages keeps files
 */
record IMessageSettings(
    List<String> command,
    boolean usual,
    String service,
    String transport,
    Duration patience,
    Duration settle,
    Duration idle,
    Path attachments) {
  static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final List<String> USUAL = List.of("imsg", "rpc");

  static IMessageSettings of(AccountConfig account) {
    Settings settings = Settings.of(account);
    List<String> given = settings.texts("command");
    List<String> command =
        given.size() == 1 ? Stream.of(given.getFirst().strip().split("\\s+")).toList() : given;
    if (command.stream().anyMatch(String::isBlank)) {
      throw settings.wrong("command", "has an empty word; give it as [imsg, rpc]");
    }
    return new IMessageSettings(
        command.isEmpty() ? USUAL : command,
        command.isEmpty(),
        oneOf(settings, "service", "auto", Set.of("auto", "imessage", "sms")),
        oneOf(settings, "transport", "auto", Set.of("auto", "bridge", "applescript")),
        positive(settings, "timeout", PATIENCE),
        settings.duration("settle", Duration.ofSeconds(5)),
        positive(settings, "idle", Duration.ofMinutes(1)),
        Path.of(
            settings.text(
                "attachments", System.getProperty("user.home") + "/Library/Messages/Attachments")));
  }

  private static String oneOf(Settings settings, String key, String usual, Set<String> known) {
    String value = settings.text(key, usual).toLowerCase(Locale.ROOT);
    if (!known.contains(value)) {
      throw settings.wrong(key, "must be one of " + known.stream().sorted().toList());
    }
    return value;
  }

  private static Duration positive(Settings settings, String key, Duration usual) {
    Duration value = settings.duration(key, usual);
    if (!value.isPositive()) {
      throw settings.wrong(key, "must be longer than zero");
    }
    return value;
  }

  /** Why it cannot work here; empty if it can. */
  String obstacle() {
    String system = System.getProperty("os.name", "");
    return usual && !system.startsWith("Mac")
        ? "imsg sends on macOS only, and this is "
            + system
            + "; run Postrider on the Mac, or use the channel bluebubbles"
        : "";
  }
}
