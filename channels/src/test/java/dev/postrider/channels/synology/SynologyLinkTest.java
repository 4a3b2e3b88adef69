package dev.postrider.channels.synology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Channel.SharedPace;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SynologyLinkTest {
  private final FakeNas nas = new FakeNas();
  private final Channel channel = new SynologyChannel();
  private final List<Link> links = new ArrayList<>();
  private TestAccount account = TestAccount.of(webhook());

  private AccountConfig webhook() {
    return AccountConfig.of("sy", "synology-chat")
        .set("webhookUrl", nas.webhookUrl())
        .set("timeout", "5m");
  }

  private AccountConfig bot() {
    return AccountConfig.of("sy", "synology-chat")
        .set("baseUrl", nas.platform.baseUrl() + "/")
        .set("token", FakeNas.TOKEN)
        .set("timeout", "5m");
  }

  private Link link(AccountConfig config) {
    account = TestAccount.of(config);
    links.add(channel.open(account));
    return links.getLast();
  }

  @AfterEach
  void close() {
    links.forEach(Link::close);
    nas.close();
  }

  // ---- the two ways

  @Test
  void a_webhook_posts_a_payload_in_a_form_and_gets_no_id() throws Exception {
    Link link = link(webhook());

    assertThat(link.send(account.part("ops", "50 % & \"more\" + Grüße 👋")))
        .isEqualTo(Outcome.delivered(""));
    assertThat(nas.posts).containsExactly(Json.tree(Map.of("text", "50 % & \"more\" + Grüße 👋")));
  }

  @Test
  void a_bot_names_the_user_and_is_told_the_post() throws Exception {
    Link link = link(bot());

    assertThat(link.send(account.part("4", "hello"))).isEqualTo(Outcome.delivered("146028888001"));
    assertThat(nas.posts)
        .containsExactly(Json.tree(Map.of("text", "hello", "user_ids", List.of(4))));
    assertThat(nas.lists).as("nobody had to be looked up").isZero();
  }

  @Test
  void settings_that_name_both_ways_or_neither_are_refused_with_both_names() {
    assertThatThrownBy(() -> link(webhook().set("token", "x")))
        .hasMessageContaining("webhookUrl and token are both set; give webhookUrl for an incoming")
        .hasMessageContaining("or baseUrl and token for a bot");
    assertThatThrownBy(() -> link(AccountConfig.of("sy", "synology-chat")))
        .hasMessageContaining("webhookUrl and token are both missing; give webhookUrl");
    assertThatThrownBy(
            () -> link(AccountConfig.of("sy", "synology-chat").set("token", FakeNas.TOKEN)))
        .hasMessageContaining("baseUrl is missing");
  }

  @Test
  void an_address_that_is_not_a_webhooks_is_refused_without_being_told() {
    String url = nas.webhookUrl();
    for (String wrong :
        List.of(
            url.replace("&method", ";method").replaceFirst(";.*", ""),
            url.replace("entry.cgi", "other.cgi"),
            "nas.local")) {
      assertThatThrownBy(() -> link(webhook().set("webhookUrl", wrong)))
          .hasMessageContaining("is not the address that Chat shows for an incoming webhook")
          .hasMessageNotContaining(FakeNas.TOKEN);
    }
    assertThatThrownBy(() -> link(webhook().set("webhookUrl", url.replace("incoming", "chatbot"))))
        .hasMessageContaining("for a bot give baseUrl and token");
  }

  @Test
  void quotation_marks_around_a_token_do_no_harm() throws Exception {
    Link webhook = link(webhook().set("webhookUrl", nas.webhookUrl().replace("%22", "\"")));
    assertThat(webhook.send(account.part("ops", "x"))).isInstanceOf(Outcome.Delivered.class);

    Link bot = link(bot().set("token", "%22" + FakeNas.TOKEN + "%22"));
    assertThat(bot.send(account.part("4", "x"))).isInstanceOf(Outcome.Delivered.class);
  }

  // ---- people

  private Outcome toName(Link link, String name) throws Exception {
    return link.send(account.part(name, "hello"));
  }

  @Test
  void a_person_is_found_by_name_or_nickname_and_the_list_is_asked_for_once() throws Exception {
    Link link = link(bot());
    toName(link, "@ann");
    toName(link, "@ann lee");
    toName(link, "@bob");

    assertThat(nas.posts)
        .extracting(post -> post.path("user_ids").path(0).asInt())
        .containsExactly(4, 4, 7);
    assertThat(nas.lists).isEqualTo(1);
  }

  @Test
  void a_name_that_could_be_two_people_gets_nothing() throws Exception {
    nas.users.add(FakeNas.user(9, "mallory", "ann"));

    assertThat(toName(link(bot()), "@ann"))
        .isEqualTo(
            new Outcome.Rejected(
                Blame.TARGET, "several people are called @ann; write to one by number: [4, 9]"));
    assertThat(nas.posts).isEmpty();
  }

  @Test
  void somebody_who_joined_meanwhile_is_looked_for_and_who_left_is_forgotten() throws Exception {
    Link link = link(bot());
    assertThat(toName(link, "@cy")).isInstanceOf(Outcome.Rejected.class);
    nas.users.add(FakeNas.user(8, "cy", ""));
    assertThat(toName(link, "@cy"))
        .as("not asked again so soon")
        .isInstanceOf(Outcome.Rejected.class);

    account.scheduler().pass(Duration.ofSeconds(10));
    assertThat(toName(link, "@cy")).isInstanceOf(Outcome.Delivered.class);

    nas.users.removeLast();
    account.scheduler().pass(Duration.ofMinutes(5));
    assertThat(toName(link, "@cy")).isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void what_goes_wrong_with_the_list_has_posted_nothing() throws Exception {
    Link link = link(bot());
    nas.platform.answer(Reply.html(500, "Oops"));
    assertThat(toName(link, "@ann")).isInstanceOf(Outcome.NotSent.class);
    nas.platform.answer(FakeNas.error(404, "bot is not legal"));
    assertThat(toName(link, "@ann")).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(toName(link, "@ann")).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void a_user_whom_the_bot_cannot_reach_is_the_targets_fault() throws Exception {
    Link link = link(bot());
    assertThat(toName(link, "12"))
        .isEqualTo(
            new Outcome.Rejected(
                Blame.TARGET,
                "800 no target: Chat has no such user, or the bot is hidden from them"));

    nas.platform.answer(FakeNas.success(Map.of("fail", List.of(4), "succ", Map.of())));
    assertThat(toName(link, "4"))
        .isEqualTo(new Outcome.Rejected(Blame.TARGET, "Chat could not post to user 4"));
  }

  // ---- files and buttons

  private Dispatch withFile(String planned, String address) {
    Attachment file =
        new Attachment(planned, MediaKind.IMAGE, "a.png", "image/png", 3, false, false);
    Message message = Message.to("sy", "ops").text("look").build();
    Part part = new Part("look", null, List.of(), List.of(file));
    Dispatch one = account.part("ops", "look");
    PartFile cargo = new PartFile(file.at(address), null, null);
    return new Dispatch(
        one.id(), message, new Plan(one.id(), List.of(part)), 0, one.state(), List.of(cargo));
  }

  private static final String OURS = "media:" + "ab".repeat(32);

  @Test
  void a_file_goes_by_its_address_with_the_text() throws Exception {
    link(webhook()).send(withFile("https://example.org/a.png", "https://example.org/a.png"));

    assertThat(nas.posts)
        .containsExactly(
            Json.tree(Map.of("text", "look", "file_url", "https://example.org/a.png")));
  }

  @Test
  void a_file_that_the_nas_cannot_have_goes_as_a_link_unless_it_is_ours() throws Exception {
    Link link = link(webhook());
    for (int code : List.of(117, 409)) {
      nas.platform.answer(FakeNas.error(code, ""));
      assertThat(link.send(withFile("https://example.org/a", "https://example.org/a")))
          .isInstanceOf(Outcome.Repairable.class);
    }
    nas.platform.answer(FakeNas.error(409, ""));
    assertThat(link.send(withFile(OURS, "https://us/media/x")))
        .isInstanceOf(Outcome.Rejected.class);
    nas.platform.answer(FakeNas.error(117, ""));
    assertThat(link.send(withFile(OURS, "https://us/media/x")))
        .isInstanceOfSatisfying(
            Outcome.NotSent.class, it -> assertThat(it.cause()).contains("http.publicUrl"));
  }

  @Test
  void buttons_go_along_and_wrong_ones_are_refused_early() throws Exception {
    List<Map<String, Object>> buttons =
        List.of(
            Map.of(
                "callback_id",
                "deploy",
                "text",
                "Deploy?",
                "actions",
                List.of(Map.of("type", "button", "text", "Yes", "name", "ok", "value", "yes"))));
    Message.Builder message =
        Message.to("sy", "ops").text("x").channelData(Map.of("attachments", buttons));
    Link link = link(webhook());
    Dispatch part = account.part(message);
    channel.check(message.build(), part.plan());
    link.send(part);
    assertThat(nas.posts).containsExactly(Json.tree(Map.of("text", "x", "attachments", buttons)));

    assertRefused(message.channelData(Map.of("user_ids", List.of(1))), "channelData.user_ids");
    assertRefused(message.channelData(Map.of("attachments", List.of())), "channelData.attachments");
    assertRefused(
        message.channelData(Map.of("attachments", List.of(Map.of("text", "x")))),
        "channelData.attachments[0].callback_id");
    assertRefused(
        message.channelData(button("tpye", "button")),
        "channelData.attachments[0].actions[0].tpye");
    assertRefused(
        message.channelData(button("value", 7)), "channelData.attachments[0].actions[0].value");
    assertRefused(
        message.channelData(button("type", "select")),
        "channelData.attachments[0].actions[0].type");
  }

  /** With a field that is wrong, in a button that is right else. */
  private static Map<String, Object> button(String name, Object value) {
    Map<String, Object> button = new LinkedHashMap<>(Map.of("type", "button", "text", "Yes"));
    button.put(name, value);
    return Map.of(
        "attachments",
        List.of(Map.of("callback_id", "deploy", "text", "?", "actions", List.of(button))));
  }

  private void assertRefused(Message.Builder message, String field) {
    Message built = message.build();
    Plan plan = account.part(message).plan();
    assertThatThrownBy(() -> channel.check(built, plan))
        .isInstanceOfSatisfying(InvalidInput.class, e -> assertThat(e.field()).isEqualTo(field));
  }

  // ---- the NAS

  @Test
  void accounts_of_one_nas_share_its_pace_however_they_reach_it() {
    SharedPace webhook =
        channel.sharedPace(
            AccountConfig.of("a", "synology-chat")
                .set("webhookUrl", "https://NAS.local:5001/webapi/entry.cgi?token=\"x\""));
    SharedPace bot =
        channel.sharedPace(
            AccountConfig.of("b", "synology-chat").set("baseUrl", "http://nas.local:5000"));

    assertThat(webhook).isEqualTo(bot);
    assertThat(bot).isEqualTo(new SharedPace("nas.local", Pace.perSecond(2).burst(1)));
    assertThat(channel.sharedPace(AccountConfig.of("c", "synology-chat"))).isNull();
  }

  // ---- probing

  @Test
  void a_bots_probe_says_how_many_it_sees_and_names_a_wrong_token() throws Exception {
    assertThat(link(bot()).probe())
        .isEqualTo(new Probe.Healthy("a bot on 127.0.0.1; users that it sees: 2"));
    assertThat(link(bot().set("token", "another-token")).probe())
        .isInstanceOfSatisfying(
            Probe.Broken.class, it -> assertThat(it.cause()).contains("the token is wrong"));
    nas.hasChat = false;
    assertThat(link(bot()).probe())
        .isInstanceOfSatisfying(
            Probe.Broken.class, it -> assertThat(it.cause()).contains("does not run on the NAS"));
  }

  @Test
  void a_webhooks_probe_posts_nothing_and_claims_nothing_after_a_refusal() throws Exception {
    Link link = link(webhook());
    assertThat(link.probe())
        .isEqualTo(
            new Probe.Healthy(
                "a webhook on 127.0.0.1; its token is seen to be right once it has posted"));

    nas.platform.answer(FakeNas.error(404, "bot is not legal"));
    assertThat(link.send(account.part("ops", "x"))).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(link.probe()).as("nobody was asked").isEqualTo(new Probe.Healthy(""));

    nas.hasChat = false;
    assertThat(link.probe())
        .isInstanceOfSatisfying(
            Probe.Broken.class, it -> assertThat(it.cause()).contains("is not installed"));
    assertThat(nas.posts).isEmpty();
  }

  @Test
  void no_token_is_told() throws Exception {
    Link link = link(bot());
    nas.platform.answer(Reply.html(500, FakeNas.TOKEN));

    assertThat(link.send(account.part("4", "x")).toString()).doesNotContain(FakeNas.TOKEN);
  }
}
