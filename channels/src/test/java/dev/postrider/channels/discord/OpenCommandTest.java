package dev.postrider.channels.discord;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Plain answers to commands that Discord shows as "thinking". */
class OpenCommandTest {
  private static final String ORIGINAL = "/webhooks/9/tok-secret/messages/@original";
  private static final String FOLLOW_UP = "/webhooks/9/tok-secret?wait=true";

  private final FakePlatform discord = FakePlatform.start();
  private final TestAccount account =
      TestAccount.of(
          AccountConfig.of("dc", "discord")
              .set("token", "MTIz.very-secret.token")
              .set("baseUrl", discord.baseUrl())
              .set("timeout", "5m"));
  private final Link link = new DiscordChannel().open(account);
  private final String first = Snowflake.at(account.scheduler().instant());
  private final String second = Snowflake.at(account.scheduler().instant().plusSeconds(1));

  @BeforeEach
  void open() {
    discord.otherwise(_ -> Reply.json(200, "{\"id\":\"77\"}"));
  }

  @AfterEach
  void close() {
    link.close();
    discord.close();
  }

  private static JsonNode command(String id, int type) {
    return Json.tree(
        Map.of(
            "id",
            id,
            "type",
            type,
            "application_id",
            "9",
            "token",
            "tok-secret",
            "channel_id",
            "42",
            "data",
            Map.of("name", "remind")));
  }

  private void heard(String id, boolean isPrivate) {
    account.memory().write(OpenCommand.remember(command(id, 2), isPrivate));
  }

  private Message.Builder reply() {
    return Message.to("dc", "42").text("done").turnId("0199");
  }

  /** Sends, and lets the engine remember what came of it. */
  private Outcome send(Message.Builder message) throws Exception {
    Outcome outcome = link.send(account.part(message));
    if (outcome instanceof Outcome.Delivered delivered) {
      account.memory().write(delivered.memory());
    }
    return outcome;
  }

  private List<String> asked() {
    return discord.requests().stream().map(it -> it.method() + " " + it.path()).toList();
  }

  private JsonNode body() {
    return Json.readObject(discord.requests().getLast().text());
  }

  @Test
  void a_plain_answer_ends_the_thinking_and_the_next_follows_it() throws Exception {
    heard(first, false);

    send(reply().replyToId(first));
    assertThat(body())
        .isEqualTo(
            Json.tree(Map.of("content", "done", "allowed_mentions", Map.of("parse", List.of()))));
    send(reply().replyToId(first));

    assertThat(asked()).containsExactly("PATCH " + ORIGINAL, "POST " + FOLLOW_UP);
    assertThat(discord.requests())
        .extracting(Request::headers)
        .noneMatch(headers -> headers.containsKey("authorization"));
  }

  @Test
  void what_is_said_by_a_token_is_not_known_again_and_the_first_answer_can_be_said_twice()
      throws Exception {
    Duration usual = Duration.ofMinutes(2);
    assertThat(link.remembers(account.part(reply()), usual)).isEqualTo(usual);
    heard(first, false);
    assertThat(link.remembers(account.part(reply().replyToId(first)), usual))
        .isEqualTo(Capabilities.FOR_GOOD);

    send(reply().replyToId(first));

    assertThat(link.remembers(account.part(reply().replyToId(first)), usual)).isZero();
    Map<String, Object> interaction = Map.of("applicationId", "9", "token", "tok-secret");
    assertThat(
            link.remembers(
                account.part(reply().channelData(Map.of("interaction", interaction))), usual))
        .isZero();
  }

  @Test
  void an_answer_may_name_the_interaction_by_its_id() throws Exception {
    account.memory().write(OpenCommand.remember(command(first, 3), false)); // a button
    heard(second, false);

    assertThat(send(named(first))).isInstanceOf(Outcome.Delivered.class);
    send(named(second));

    assertThat(asked()).containsExactly("POST " + FOLLOW_UP, "PATCH " + ORIGINAL);
    assertThat(body().has("interaction")).isFalse();
    assertThat(send(named("70"))).isInstanceOf(Outcome.Rejected.class);
  }

  private static Message.Builder named(String id) {
    return Message.to("dc", "42").text("done").channelData(Map.of("interaction", Map.of("id", id)));
  }

  @Test
  void an_answer_of_the_turn_that_quotes_nothing_ends_the_last_one() throws Exception {
    heard(first, false);

    send(reply());
    send(reply());

    assertThat(asked()).containsExactly("PATCH " + ORIGINAL, "POST /channels/42/messages");
  }

  @Test
  void of_two_commands_each_answer_ends_its_own() throws Exception {
    heard(first, false);
    heard(second, false);

    send(reply().replyToId(first));
    send(reply());

    assertThat(asked()).containsExactly("PATCH " + ORIGINAL, "PATCH " + ORIGINAL);
    assertThat(account.memory().read("42", "command")).isEmpty();
  }

  @Test
  void a_message_that_is_no_answer_goes_to_the_chat() throws Exception {
    heard(first, false);

    send(Message.to("dc", "42").text("news"));
    send(reply().replyToId("17"));

    assertThat(asked()).containsExactly("POST /channels/42/messages", "POST /channels/42/messages");
  }

  @Test
  void a_repeat_of_the_first_answer_changes_the_same_message_again() throws Exception {
    heard(first, false);
    discord.answer(new Reply.HangUp());

    assertThat(send(reply().replyToId(first))).isInstanceOf(Outcome.Unknown.class);
    assertThat(link.reconcile(account.part(reply().replyToId(first))))
        .isEqualTo(new Reconciliation.Inconclusive());
    assertThat(send(reply().replyToId(first))).isInstanceOf(Outcome.Delivered.class);

    assertThat(asked()).containsExactly("PATCH " + ORIGINAL, "PATCH " + ORIGINAL);
  }

  @Test
  void an_answer_that_comes_too_late_goes_to_the_chat() throws Exception {
    heard(first, false);
    discord.answer(Reply.json(401, "{\"code\":50027,\"message\":\"Invalid Webhook Token\"}"));
    assertThat(send(reply().replyToId(first))).isInstanceOf(Outcome.Delivered.class);

    account.scheduler().pass(Duration.ofMinutes(15));
    send(reply().replyToId(first));

    assertThat(asked())
        .containsExactly(
            "PATCH " + ORIGINAL, "POST /channels/42/messages", "POST /channels/42/messages");
  }

  @Test
  void an_answer_to_a_command_that_was_not_acknowledged_goes_to_the_chat() throws Exception {
    heard(first, false);
    discord.answer(Reply.json(404, "{\"code\":10008,\"message\":\"Unknown Message\"}"));

    assertThat(send(reply().replyToId(first))).isInstanceOf(Outcome.Delivered.class);

    assertThat(asked()).containsExactly("PATCH " + ORIGINAL, "POST /channels/42/messages");
  }

  @Test
  void what_follows_a_private_answer_is_private() throws Exception {
    heard(first, true);

    send(reply().replyToId(first).channelData(Map.of("flags", 64)));
    assertThat(body().has("flags")).as("decided when the command came").isFalse();
    send(reply().replyToId(first));

    assertThat(body().path("flags").asInt()).isEqualTo(64);
  }

  @Test
  void what_is_malformed_leaves_nothing_and_no_token_is_shown() {
    assertThat(OpenCommand.remember(command("x", 2), false)).isEmpty();
    assertThat(OpenCommand.remember(Json.tree(Map.of("id", first, "type", 2)), false)).isEmpty();
    assertThat(OpenCommand.remember(command(first, 2), false).toString())
        .doesNotContain("tok-secret");
  }
}
