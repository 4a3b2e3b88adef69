package dev.postrider.server.cli.doctor;

import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.server.tls.Identity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether secrets are what they should be, and whether others on this machine can read them.
 */
final class SecretsCheck {
  private static final int SHORTEST = 8;
  private static final Pattern IN_FILE = Pattern.compile("\\$\\{file:([^}]+)}");
  private static final Set<String> OURS = Set.of("secret", "encryptionKey");

  private final Map<String, Channel> channels;
  private final @Nullable Path file;

  /**
   * @param file the configuration; null if there is none
   */
  SecretsCheck(Map<String, Channel> channels, @Nullable Path file) {
    this.channels = channels;
    this.file = file;
  }

  void run(List<AccountConfig> accounts, List<Finding> findings) {
    accounts.forEach(account -> values(account, findings));
    if (file != null) {
      files(file, findings);
    }
    if (findings.stream().noneMatch(finding -> finding.area().equals("secrets"))) {
      findings.add(Finding.well("secrets", "None is blank, cut short or readable by others."));
    }
  }

  private void values(AccountConfig account, List<Finding> findings) {
    for (String name : secrets(channels.get(account.channel())).toList()) {
      @Nullable String value = account.text(name);
      if (value == null || value.strip().length() >= SHORTEST) {
        continue;
      }
      findings.add(
          Finding.bad(
              "secrets",
              value.isBlank()
                  ? "%s of account %s is blank.".formatted(name, account.id())
                  : "%s of account %s has only %d characters."
                      .formatted(name, account.id(), value.strip().length()),
              "Look whether it was left out or cut off where it is set, and give the whole one."));
    }
  }

  private static Stream<String> secrets(@Nullable Channel channel) {
    return channel == null
        ? Stream.empty()
        : channel.settings().stream().filter(Channel.Setting::secret).map(Channel.Setting::name);
  }

  private void files(Path configuration, List<Finding> findings) {
    String text;
    try {
      text = Files.readString(configuration);
    } catch (IOException e) {
      return; // told by whoever reads it for its settings
    }
    if (holdsSecret(text)) {
      readable(configuration, findings);
    }
    for (MatchResult reference : IN_FILE.matcher(text).results().toList()) {
      readable(Path.of(reference.group(1).strip()), findings);
    }
  }

  /** Whether a secret stands in the text itself and not in a variable or a file it names. */
  private boolean holdsSecret(String text) {
    String names =
        Stream.concat(channels.values().stream().flatMap(SecretsCheck::secrets), OURS.stream())
            .distinct()
            .map(Pattern::quote)
            .collect(Collectors.joining("|"));
    return Pattern.compile("(?m)^[^#\\n]*\\b(" + names + ")\\s*:\\s*[\"']?[^\\s\"'$#{\\[,]")
        .matcher(text)
        .find();
  }

  private static void readable(Path secret, List<Finding> findings) {
    if (Identity.isOpenToOthers(secret)) {
      findings.add(
          Finding.bad(
              "secrets",
              "Everybody on this machine can read " + secret + ", and a secret is in it.",
              "Run: chmod o-r " + secret));
    }
  }
}
