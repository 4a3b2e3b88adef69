package dev.postrider.server.config;

import dev.postrider.config.AccountConfig;
import dev.postrider.config.PostriderConfig;
import dev.postrider.reminder.config.ReminderSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything the server needs to be told.
 *
 * @param pushes where inbound messages are pushed, by account; the others are fetched
 * @param reminders how their runs fan out
 * @param alerts what operators are told, and where
 * @param health from when on the server says that it is degraded
 * @param tracing where spans go
 * @param values every value that was given, as it may be shown
 * @param warnings what looks like a mistake but does no harm
 */
public record ServerConfig(
    PostriderConfig postrider,
    HttpSettings http,
    LogSettings logging,
    Map<String, PushSettings> pushes,
    ReminderSettings reminders,
    AlertSettings alerts,
    HealthSettings health,
    TracingSettings tracing,
    List<Shown> values,
    List<Warning> warnings) {
  public ServerConfig {
    pushes = Map.copyOf(pushes);
    values = List.copyOf(values);
    warnings = List.copyOf(warnings);
  }

  /** Where messages live, without any password. */
  public String storeShown() {
    return ConfigSection.masked(postrider.store());
  }

  public Set<String> accountNames() {
    return postrider.accounts().stream().map(AccountConfig::id).collect(Collectors.toSet());
  }

  /** Where a SQLite file lies; null if the data are elsewhere. */
  public @Nullable Path dataDirectory() {
    String store = postrider.store();
    return store.startsWith("sqlite:")
        ? Path.of(store.substring("sqlite:".length())).toAbsolutePath().getParent()
        : null;
  }

  /** A mistake that does no harm, and what to do about it. */
  public record Warning(String sentence, String remedy) {
    @Override
    public String toString() {
      return sentence + " " + remedy;
    }
  }

  /** A value that was given, with secrets masked, and where it was given. */
  public record Shown(String key, String value, ConfigSource source) {}
}
