package dev.postrider.channels.mattermost;

import static dev.postrider.channels.mattermost.FakeMattermost.ANN;
import static dev.postrider.channels.mattermost.FakeMattermost.BOT;
import static dev.postrider.channels.mattermost.FakeMattermost.TOKEN;
import static dev.postrider.channels.mattermost.FakeMattermost.TOWN;
import static dev.postrider.channels.mattermost.FakeMattermost.error;
import static dev.postrider.channels.mattermost.FakeMattermost.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.Receipt;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Posts of a bot on the wire. */
class MattermostLinkTest {
  private final StillTime time = new StillTime();
  private final FakeMattermost mattermost = new FakeMattermost(time);
  private final AccountConfig config =
      AccountConfig.of("mm", "mattermost")
          .set("token", TOKEN)
          .set("baseUrl", mattermost.platform.baseUrl() + "/")
          .set("timeout", "5m");
  private final TestAccount account = new TestAccount(config, time, new ArrayList<>());
  private final Link link = new MattermostChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    mattermost.close();
  }

  private Message.Builder message() {
    return Message.to("mm", TOWN).text("hello");
  }

  /** What Mattermost was asked for a part that it took. */
  private JsonNode posted(Dispatch dispatch) throws Exception {
    assertThat(link.send(dispatch)).isInstanceOf(Outcome.Delivered.class);
    return mattermost.calls("/posts").getLast();
  }

  @Test
  void a_post_says_where_what_and_by_which_key_and_no_more() throws Exception {
    Dispatch part = account.part(message());
    assertThat(link.send(part)).isEqualTo(Outcome.delivered(id("post1x")));
    Request request = mattermost.platform.onlyRequest();
    assertThat(request.headers()).containsEntry("authorization", "Bearer " + TOKEN);
    assertThat(request.path()).isEqualTo("/api/v4/posts");
    assertThat(mattermost.calls("/posts").getFirst())
        .isEqualTo(
            Json.tree(
                Map.of(
                    "channel_id",
                    TOWN,
                    "message",
                    "hello",
                    "props",
                    Map.of("postrider_key", part.key()),
                    "pending_post_id",
                    part.key())));
  }

  @Test
  void the_same_part_again_within_half_a_minute_is_the_same_post() throws Exception {
    Dispatch part = account.part(message());
    Outcome first = link.send(part);
    time.pass(Duration.ofSeconds(29));
    assertThat(link.send(part)).isEqualTo(first);
    assertThat(mattermost.posts).hasSize(1);
    assertThat(new MattermostChannel().capabilities(config).remembers())
        .isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void a_post_that_is_still_being_made_is_asked_for_again_under_the_same_key() throws Exception {
    Dispatch part = account.part(message());
    mattermost.platform.answer(error(500, "api.post.deduplicate_create_post.pending"));
    assertThat(link.send(part))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class, it -> assertThat(it.delay()).isEqualTo(Duration.ofSeconds(2)));
    assertThat(link.send(part)).isInstanceOf(Outcome.Delivered.class);
    assertThat(mattermost.calls("/posts"))
        .extracting(post -> post.path("pending_post_id").asString())
        .containsExactly(part.key(), part.key());
  }

  @Test
  void a_post_whose_answer_was_lost_is_found_by_its_key() throws Exception {
    Dispatch part = account.part(message());
    mattermost.posts.clear();
    link.send(part);
    mattermost.add(TOWN, ANN, "something else", Map.of());
    time.pass(Duration.ofMinutes(10));
    assertThat(link.reconcile(part.inDoubt(time.instant().minus(Duration.ofMinutes(10)))))
        .isEqualTo(new Reconciliation.Found(new Receipt(id("post1x"), false)));
  }

  @Test
  void a_post_in_doubt_is_looked_for_before_it_goes_out_again() throws Exception {
    Dispatch part = account.part(message());
    Outcome first = link.send(part);
    Dispatch again = part.inDoubt(time.instant());
    time.pass(Duration.ofMinutes(10)); // its key is forgotten
    assertThat(link.send(again)).isEqualTo(first);
    assertThat(mattermost.posts).hasSize(1);
    mattermost.posts.clear();
    assertThat(link.send(again)).as("it is not there").isInstanceOf(Outcome.Delivered.class);
    assertThat(mattermost.posts).hasSize(1);
  }

  @Test
  void a_post_that_is_not_in_a_channel_that_can_be_read_is_absent() throws Exception {
    Dispatch part = account.part(message()).inDoubt(time.instant());
    assertThat(link.reconcile(part)).isInstanceOf(Reconciliation.Absent.class);
    mattermost.add(TOWN, ANN, "something else", Map.of());
    assertThat(link.reconcile(part)).isInstanceOf(Reconciliation.Absent.class);
    String asked = mattermost.platform.requests().getLast().path();
    assertThat(asked).startsWith("/api/v4/channels/" + TOWN + "/posts?since=");
  }

  @Test
  void a_look_up_waits_until_a_late_request_has_settled() throws Exception {
    java.time.Instant before = time.instant();
    link.reconcile(account.part(message()).inDoubt(before));
    assertThat(time.instant()).isEqualTo(before.plusSeconds(3));
    TestAccount patient = new TestAccount(config.set("settle", "9s"), time, new ArrayList<>());
    try (Link other = new MattermostChannel().open(patient)) {
      other.reconcile(patient.part(message()).inDoubt(before));
    }
    assertThat(time.instant()).isEqualTo(before.plusSeconds(12));
  }

  @Test
  void a_channel_that_cannot_be_read_to_its_end_proves_nothing() throws Exception {
    Dispatch part = account.part(message()).inDoubt(time.instant());
    for (Reply unreadable :
        List.of(
            error(403, "api.context.permissions.app_error"),
            error(500, "app.post.get_posts_since.app_error"),
            Reply.html(200, "<h1>Hotel</h1>"),
            Reply.json(200, "{\"order\":[]}"),
            Reply.json(200, "{}"))) {
      mattermost.platform.answer(unreadable);
      assertThat(link.reconcile(part)).isInstanceOf(Reconciliation.Inconclusive.class);
    }
    for (int i = 0; i < 1000; i++) {
      mattermost.add(TOWN, ANN, "n" + i, Map.of());
    }
    assertThat(link.reconcile(part)).isInstanceOf(Reconciliation.Inconclusive.class);
  }

  @Test
  void every_part_of_an_answer_goes_to_the_thread() throws Exception {
    String root = String.valueOf(mattermost.add(TOWN, ANN, "question", Map.of()).get("id"));
    assertThat(posted(account.part(message().threadId(root))).path("root_id").asString())
        .isEqualTo(root);
    assertThat(posted(account.part(message().replyToId(root))).path("root_id").asString())
        .isEqualTo(root);
  }

  @Test
  void an_answer_to_an_answer_goes_to_the_thread_of_both() throws Exception {
    String root = String.valueOf(mattermost.add(TOWN, ANN, "question", Map.of()).get("id"));
    String answer =
        String.valueOf(mattermost.add(TOWN, ANN, "more", Map.of("root_id", root)).get("id"));
    assertThat(posted(account.part(message().replyToId(answer))).path("root_id").asString())
        .isEqualTo(root);
  }

  @Test
  void a_thread_that_is_gone_is_left_out() throws Exception {
    for (Message.Builder gone :
        List.of(
            message().threadId(id("gone")),
            message().replyToId(id("gone")),
            message().replyToId("not an id"))) {
      assertThat(link.send(account.part(gone)))
          .isInstanceOfSatisfying(
              Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.DropReply()));
      assertThat(posted(account.part(gone, new Fix.DropReply())).has("root_id")).isFalse();
    }
  }

  @Test
  void a_person_is_written_to_by_id_and_by_name() throws Exception {
    String chat = id("dmann");
    assertThat(posted(account.part("user:" + ANN, "hi")).path("channel_id").asString())
        .isEqualTo(chat);
    assertThat(posted(account.part("@ann", "hi")).path("channel_id").asString()).isEqualTo(chat);
    assertThat(mattermost.platform.requests())
        .extracting(Request::path)
        .as("the chat is asked for once, the name every time")
        .containsExactly(
            "/api/v4/users/me",
            "/api/v4/channels/direct",
            "/api/v4/posts",
            "/api/v4/users/username/ann",
            "/api/v4/posts");
  }

  @Test
  void nobody_by_that_name_is_the_chats_fault() throws Exception {
    assertThat(link.send(account.part("@nobody", "hi")))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.blame()).isEqualTo(Blame.TARGET));
  }

  @Test
  void a_chat_that_could_not_be_opened_was_not_sent_to() throws Exception {
    mattermost.platform.answer(error(500, "app.user.get.app_error"));
    assertThat(link.send(account.part("user:" + ANN, "hi"))).isInstanceOf(Outcome.NotSent.class);
  }

  @Test
  void a_bot_posts_silently_and_a_person_cannot() throws Exception {
    assertThat(link.send(account.part(message().silent(true))))
        .isEqualTo(Outcome.delivered(id("post1x")));
    assertThat(mattermost.platform.requests().getLast().path())
        .isEqualTo("/api/v4/posts?silent=true");
    mattermost.bot = false;
    try (Link person = new MattermostChannel().open(account)) {
      assertThat(person.send(account.part(message().silent(true))))
          .isInstanceOfSatisfying(
              Outcome.Delivered.class,
              it -> assertThat(it.note()).contains("only bots may post silently"));
    }
    assertThat(mattermost.platform.requests().getLast().path()).isEqualTo("/api/v4/posts");
  }

  @Test
  void a_silent_post_is_not_sent_before_it_is_known_who_posts() throws Exception {
    mattermost.platform.answer(error(500, "app.user.get.app_error"));
    assertThat(link.send(account.part(message().silent(true)))).isInstanceOf(Outcome.NotSent.class);
    assertThat(mattermost.posts).isEmpty();
  }

  @Test
  void everybody_is_called_only_if_that_is_asked_for() throws Exception {
    String text = "@all, _@Here_ **@channel** mail@all.example @allison @channels @here.";
    assertThat(posted(account.part(message().text(text))).path("message").asString())
        .isEqualTo(
            "@\u200ball, _@\u200bHere_ **@\u200bchannel** mail@all.example @allison @channels"
                + " @\u200bhere.");
    assertThat(
            posted(account.part(message().text(text).channelData(Map.of("mentions", true))))
                .path("message")
                .asString())
        .isEqualTo(text);
  }

  @Test
  void a_text_full_of_calls_still_fits_a_post() throws Exception {
    int limit = new MattermostChannel().capabilities(config).text().size();
    String text = "@all ".repeat(limit / 5);
    assertThat(posted(account.part(message().text(text))).path("message").asString())
        .hasSizeLessThanOrEqualTo(16_383);
  }

  @Test
  void attachments_props_and_priority_are_the_senders() throws Exception {
    JsonNode post =
        posted(
            account.part(
                message()
                    .channelData(
                        Map.of(
                            "attachments",
                            List.of(Map.of("text", "more")),
                            "props",
                            Map.of("card", "aside", "postrider_key", "forged"),
                            "priority",
                            "urgent"))));
    assertThat(post.at("/props/attachments/0/text").asString()).isEqualTo("more");
    assertThat(post.at("/props/card").asString()).isEqualTo("aside");
    assertThat(post.at("/props/postrider_key").asString())
        .isEqualTo(post.path("pending_post_id").asString());
    assertThat(post.at("/metadata/priority/priority").asString()).isEqualTo("urgent");
  }

  @Test
  void an_ephemeral_post_is_shown_to_one_person_and_never_known_again() throws Exception {
    Dispatch part = account.part(message().channelData(Map.of("ephemeral", "@ann")));
    assertThat(link.send(part)).isEqualTo(Outcome.delivered(id("whisper1")));
    assertThat(mattermost.whispers.getFirst().path("user_id").asString()).isEqualTo(ANN);
    assertThat(mattermost.whispers.getFirst().at("/post/channel_id").asString()).isEqualTo(TOWN);
    assertThat(link.remembers(part, Duration.ofSeconds(25))).isEqualTo(Duration.ZERO);
    assertThat(link.remembers(account.part(message()), Duration.ofSeconds(25)))
        .isEqualTo(Duration.ofSeconds(25));
    assertThat(link.reconcile(part)).isInstanceOf(Reconciliation.Inconclusive.class);
  }

  @Test
  void an_ephemeral_post_without_the_permission_says_which_one_is_needed() throws Exception {
    mattermost.whispering = false;
    assertThat(link.send(account.part(message().channelData(Map.of("ephemeral", ANN)))))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(Blame.MESSAGE);
              assertThat(it.cause()).contains("create_post_ephemeral", "system admins");
            });
  }

  @Test
  void what_only_a_webhook_can_do_is_refused() throws Exception {
    assertThat(link.send(account.part(message().channelData(Map.of("username", "Eve")))))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.cause()).contains("webhookUrl"));
  }

  @Test
  void a_probe_says_who_we_are() throws Exception {
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("@rider"));
    mattermost.inTeam = false;
    assertThat(link.probe())
        .isInstanceOfSatisfying(
            Probe.Healthy.class, it -> assertThat(it.identity()).contains("@rider", "in no team"));
  }

  @Test
  void a_probe_names_the_usual_mistakes() throws Exception {
    assertThat(probe(config.set("token", "another-token")))
        .isInstanceOf(Probe.Broken.class)
        .asString()
        .contains("disabled", "personal access tokens")
        .doesNotContain(TOKEN, "another-token");
    assertThat(probe(config.set("baseUrl", mattermost.platform.baseUrl() + "/acme/channels/x")))
        .isInstanceOf(Probe.Broken.class)
        .asString()
        .contains("baseUrl", "without a team or channel");
    assertThat(probe(config.set("baseUrl", "http://127.0.0.1:1")))
        .isInstanceOf(Probe.Unreachable.class);
  }

  private static Probe probe(AccountConfig config) throws Exception {
    try (Link link = new MattermostChannel().open(TestAccount.of(config))) {
      return link.probe();
    }
  }

  @Test
  void a_site_below_a_path_is_found_there() throws Exception {
    mattermost.platform.answer(FakeMattermost.json(200, Map.of("id", BOT, "username", "rider")));
    probe(config.set("baseUrl", mattermost.platform.baseUrl() + "/chat/"));
    assertThat(mattermost.platform.requests().getFirst().path()).isEqualTo("/chat/api/v4/users/me");
  }

  @Test
  void an_account_is_a_bot_or_a_webhook() {
    refused(AccountConfig.of("mm", "mattermost"), "token is missing", "baseUrl", "webhookUrl");
    refused(
        config.set("webhookUrl", "https://chat.example.org/hooks/abc"),
        "token and webhookUrl are both given",
        "baseUrl");
    refused(AccountConfig.of("mm", "mattermost").set("token", TOKEN), "baseUrl is missing");
    refused(
        config.set("baseUrl", "https://x.example/api/v4/"),
        "baseUrl is the address of the site, without /api/v4");
  }

  /** When the configuration is read, and when a program opens it. */
  private static void refused(AccountConfig wrong, String... why) {
    assertThatThrownBy(() -> new MattermostChannel().checkAccount(wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(why);
    assertThatThrownBy(() -> new MattermostChannel().open(TestAccount.of(wrong)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(why);
  }
}
