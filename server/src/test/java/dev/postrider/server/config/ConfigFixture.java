package dev.postrider.server.config;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Link;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.VerbatimDialect;
import dev.postrider.config.AccountConfig;
import java.util.List;
import java.util.Map;

/** Reads configurations that know two channels: one without settings, one with a secret. */
final class ConfigFixture {
  private ConfigFixture() {}

  static final List<Channel> CHANNELS =
      List.of(
          new Named("sandbox", List.of()),
          new Named(
              "telegram",
              List.of(
                  new Channel.Setting("token", true, true, "the bot's token from BotFather"),
                  new Channel.Setting("baseUrl", false, false, "where the platform listens"))));

  static ServerConfig read(String yaml) {
    return read(yaml, Map.of());
  }

  static ServerConfig read(String yaml, Map<String, String> environment) {
    return new ConfigLoader(CHANNELS, environment).read("postrider.yaml", yaml, List.of());
  }

  /** A channel that has settings and cannot be opened. */
  private record Named(String name, List<Setting> settings) implements Channel {
    @Override
    public Capabilities capabilities(AccountConfig account) {
      if ("nonsense".equals(account.text("baseUrl"))) {
        throw new IllegalArgumentException("baseUrl is not an address");
      }
      return Capabilities.of(new VerbatimDialect(), TextLimit.of(100, TextLimit.Unit.UTF16));
    }

    @Override
    public Link open(AccountContext context) {
      throw new UnsupportedOperationException();
    }
  }
}
