package dev.postrider.server.cli.doctor;

import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compares this machine's clock with those of the platforms, which tell it in every answer. */
final class ClockCheck {
  private static final Duration MUCH = Duration.ofSeconds(30);
  private static final int PATIENCE_MS = 5_000;
  private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s;,)]+");

  private final InstantSource clock;
  private final Function<URI, Optional<Instant>> platform;

  /**
   * @param platform asks what time it is at an address; empty if nobody says
   */
  ClockCheck(InstantSource clock, Function<URI, Optional<Instant>> platform) {
    this.clock = clock;
    this.platform = platform;
  }

  void run(List<AccountConfig> accounts, Map<String, Channel> channels, List<Finding> findings) {
    Set<URI> addresses = new LinkedHashSet<>();
    accounts.forEach(
        account -> address(account, channels.get(account.channel())).ifPresent(addresses::add));
    addresses.forEach(
        address ->
            platform.apply(address).map(time -> compared(address, time)).ifPresent(findings::add));
  }

  private Finding compared(URI address, Instant theirs) {
    Duration ahead = Duration.between(theirs, clock.instant());
    if (ahead.abs().compareTo(MUCH) < 0) {
      return Finding.well("clock", "It agrees with that of " + address.getHost() + ".");
    }
    return Finding.bad(
        "clock",
        "It is %,d s %s that of %s."
            .formatted(
                ahead.abs().toSeconds(),
                ahead.isNegative() ? "behind" : "ahead of",
                address.getHost()),
        "Let the machine set its clock by the network, for example with"
            + " 'timedatectl set-ntp true'.");
  }

  /** The account's own base address, else the one that its channel's setting tells of. */
  private static Optional<URI> address(AccountConfig account, @Nullable Channel channel) {
    @Nullable String own = account.text("baseUrl");
    String text =
        own != null || channel == null
            ? String.valueOf(own)
            : channel.settings().stream()
                .filter(setting -> setting.name().equals("baseUrl"))
                .map(Channel.Setting::description)
                .findFirst()
                .orElse("");
    Matcher found = ADDRESS.matcher(text);
    try {
      return found.find()
          ? Optional.of(URI.create(found.group())).filter(address -> address.getHost() != null)
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // one with a gap to be filled in
    }
  }

  /** What the answer's Date header says, if there is an answer. */
  static Optional<Instant> date(URI address) {
    try {
      HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
      connection.setConnectTimeout(PATIENCE_MS);
      connection.setReadTimeout(PATIENCE_MS);
      connection.setInstanceFollowRedirects(false);
      connection.setRequestMethod("HEAD");
      try {
        connection.getResponseCode();
        long millis = connection.getDate();
        return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return Optional.empty(); // the accounts are asked in their own way
    }
  }
}
