package dev.postrider.channels.slack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Receipt;
import dev.postrider.problem.InvalidInput;
import dev.postrider.testkit.platform.Reply;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files in three steps, of which only the last shows anything to anybody. */
class SlackFilesTest {
  private final FakeSlack slack = new FakeSlack();
  private final TestAccount account =
      TestAccount.of(
          AccountConfig.of("sl", "slack")
              .set("token", "xoxb-very-secret")
              .set("baseUrl", slack.baseUrl())
              .set("timeout", "5m"));
  private final Link link = new SlackChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    slack.close();
  }

  record Held(byte[] content) implements PartFile.Bytes {
    @Override
    public long size() {
      return content.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(content);
    }
  }

  static PartFile file(String name, int size) {
    Attachment attachment =
        new Attachment(
            "media:" + "a".repeat(64), MediaKind.IMAGE, name, "image/png", size, false, false);
    return new PartFile(attachment, null, new Held(new byte[size]));
  }

  /** A part that plans to carry these files, and carries them. */
  private static Dispatch carrying(Dispatch part, PartFile... files) {
    List<Attachment> planned = List.of(files).stream().map(PartFile::attachment).toList();
    Part whole = part.part().with(planned);
    return new Dispatch(
        part.id(),
        part.message(),
        new Plan(part.id(), List.of(whole)),
        0,
        part.state(),
        List.of(files));
  }

  private Dispatch part(PartFile... files) {
    return carrying(
        account.markup(Message.to("sl", "C1").text("a & b").threadId("17.01"), "a &amp; b"), files);
  }

  @Test
  void bytes_are_announced_brought_and_shown_with_their_text_in_the_thread() throws Exception {
    assertThat(link.send(part(file("größe.png", 300_000)))).isEqualTo(Outcome.delivered("F1"));

    assertThat(slack.calls("files.getUploadURLExternal"))
        .containsExactly(Json.tree(Map.of("filename", "größe.png", "length", "300000")));
    assertThat(slack.uploads.get("F1")).hasSize(300_000);
    assertThat(slack.calls("files.completeUploadExternal"))
        .containsExactly(
            Json.tree(
                Map.of(
                    "files",
                    List.of(Map.of("id", "F1", "title", "größe.png")),
                    "channel_id",
                    "C1",
                    "initial_comment",
                    "a &amp; b",
                    "thread_ts",
                    "17.01")));
  }

  @Test
  void the_token_goes_to_slack_and_not_to_the_place_of_uploads() throws Exception {
    link.send(part(file("a.png", 4)));
    assertThat(slack.platform.requests())
        .allSatisfy(
            request ->
                assertThat(request.headers().containsKey("authorization"))
                    .isEqualTo(request.path().startsWith("/api/")));
  }

  @Test
  void several_files_are_one_message() throws Exception {
    assertThat(link.send(part(file("a.png", 4), file("b.png", 5))))
        .isEqualTo(Outcome.delivered("F1,F2"));
    assertThat(slack.uploads).hasSize(2);
    assertThat(slack.messages).hasSize(1);
  }

  @Test
  void a_file_without_a_name_gets_one_by_its_type() throws Exception {
    link.send(part(file(null, 4)));
    assertThat(slack.calls("files.getUploadURLExternal").getFirst().path("filename").asString())
        .isEqualTo("image.png");
  }

  @Test
  void the_ts_is_taken_where_slack_tells_it() throws Exception {
    slack.platform.answer(
        FakeSlack.ok(
            Map.of("file_id", "F1", "upload_url", slack.platform.baseUrl() + "/upload/F1")),
        Reply.text(200, "text/plain", "OK"),
        FakeSlack.ok(
            Map.of(
                "files",
                List.of(
                    Map.of(
                        "id",
                        "F1",
                        "shares",
                        Map.of("private", Map.of("C1", List.of(Map.of("ts", "18.0001")))))))));
    assertThat(link.send(part(file("a.png", 4)))).isEqualTo(Outcome.delivered("18.0001"));
  }

  @Test
  void a_person_gets_files_in_the_channel_that_slack_opens_for_them() throws Exception {
    Dispatch part = carrying(account.part("U123", "look"), file("a.png", 4));
    assertThat(link.send(part)).isEqualTo(Outcome.delivered("F1"));
    assertThat(slack.calls("conversations.open"))
        .containsExactly(Json.tree(Map.of("users", "U123")));
    assertThat(slack.calls("files.completeUploadExternal").getFirst().path("channel_id").asString())
        .isEqualTo("D7");
  }

  private static Reply[] afterSteps(FakeSlack slack, int steps, Reply last) {
    Reply place =
        FakeSlack.ok(
            Map.of("file_id", "F1", "upload_url", slack.platform.baseUrl() + "/upload/F1"));
    Reply brought = Reply.text(200, "text/plain", "OK");
    return switch (steps) {
      case 0 -> new Reply[] {last};
      case 1 -> new Reply[] {place, last};
      default -> new Reply[] {place, brought, last};
    };
  }

  static List<Reply> faults() {
    return List.of(
        new Reply.HangUp(),
        new Reply.Reset(),
        Reply.html(500, "oops"),
        Reply.html(502, "oops"),
        Reply.html(408, "too slow"));
  }

  /** At the third step there is an answer to read; at the second, the status is all there is. */
  static List<Reply> hollowAnswers() {
    return List.of(Reply.html(200, "<h1>Welcome to our hotel</h1>"), Reply.json(200, "{\"ok\":tr"));
  }

  @ParameterizedTest
  @MethodSource({"faults", "hollowAnswers"})
  void a_failure_before_there_is_a_place_is_not_sent(Reply fault) throws Exception {
    slack.platform.answer(afterSteps(slack, 0, fault));
    assertThat(link.send(part(file("a.png", 4)))).isInstanceOf(Outcome.NotSent.class);
    assertThat(link.send(part(file("a.png", 4)))).isInstanceOf(Outcome.Delivered.class);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void a_failure_of_the_upload_is_not_sent(Reply fault) throws Exception {
    slack.platform.answer(afterSteps(slack, 1, fault));
    assertThat(link.send(part(file("a.png", 4)))).isInstanceOf(Outcome.NotSent.class);
    assertThat(link.send(part(file("a.png", 4)))).isInstanceOf(Outcome.Delivered.class);
  }

  @ParameterizedTest
  @MethodSource({"faults", "hollowAnswers"})
  void a_failure_to_show_them_is_unknown(Reply fault) throws Exception {
    slack.platform.answer(afterSteps(slack, 2, fault));
    assertThat(link.send(part(file("a.png", 4)))).isInstanceOf(Outcome.Unknown.class);
    assertThat(link.send(part(file("a.png", 4)))).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void a_place_that_is_none_is_not_sent() throws Exception {
    for (String place : List.of("", "ftp://x/y", "no place", "/upload/F1")) {
      slack.platform.answer(FakeSlack.ok(Map.of("file_id", "F1", "upload_url", place)));
      assertThat(link.send(part(file("a.png", 4)))).isInstanceOf(Outcome.NotSent.class);
    }
    slack.platform.answer(FakeSlack.ok(Map.of()));
    assertThat(link.send(part(file("a.png", 4)))).isInstanceOf(Outcome.NotSent.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void a_refusal_means_the_same_at_every_step(int steps) throws Exception {
    slack.platform.answer(afterSteps(slack, steps, FakeSlack.error("file_uploads_disabled")));
    assertThat(link.send(part(file("a.png", 4))))
        .isEqualTo(new Outcome.Rejected(Blame.MESSAGE, "file_uploads_disabled"));
    slack.platform.answer(afterSteps(slack, steps, FakeSlack.error("token_revoked")));
    assertThat(link.send(part(file("a.png", 4))))
        .isEqualTo(new Outcome.AccountBroken("token_revoked"));
  }

  @Test
  void a_throttled_place_of_uploads_throttles() throws Exception {
    Reply slow = Reply.html(429, "slow").header("Retry-After", "9");
    slack.platform.answer(afterSteps(slack, 1, slow));
    assertThat(link.send(part(file("a.png", 4)))).isInstanceOf(Outcome.Throttled.class);
  }

  @Test
  void a_limit_of_a_method_is_the_accounts_for_slack_counts_it_by_the_workspace() throws Exception {
    slack.platform.answer(
        Reply.json(429, "{\"ok\":false,\"error\":\"ratelimited\"}").header("Retry-After", "9"));
    assertThat(link.send(part(file("a.png", 4))))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.ACCOUNT,
                Duration.ofSeconds(9),
                "429 ratelimited for files.getUploadURLExternal"));
  }

  @Test
  void files_whose_showing_is_in_doubt_are_found_by_what_slack_calls_them() throws Exception {
    Dispatch part = part(file("a.png", 4));
    slack.platform.answer(afterSteps(slack, 2, new Reply.HangUp()));
    assertThat(link.send(part)).isInstanceOf(Outcome.Unknown.class);

    assertThat(link.reconcile(part))
        .as("Slack shows files some time after it took them")
        .isEqualTo(new Reconciliation.Inconclusive());

    String ts = slack.add(Map.of("files", List.of(Map.of("id", "F1"))));
    assertThat(link.reconcile(part)).isEqualTo(new Reconciliation.Found(new Receipt(ts, false)));
  }

  @Test
  void files_of_before_a_restart_cannot_be_told_from_others() throws Exception {
    slack.add(Map.of("files", List.of(Map.of("id", "F1"))));
    assertThat(link.reconcile(part(file("a.png", 4)))).isEqualTo(new Reconciliation.Inconclusive());
  }

  @Test
  void channel_data_on_a_file_is_refused() {
    Dispatch part =
        carrying(
            account.part(Message.to("sl", "C1").text("x").channelData(Map.of("mrkdwn", false))),
            file("a.png", 4));
    assertThatThrownBy(() -> new SlackChannel().check(part.message(), part.plan()))
        .isInstanceOf(InvalidInput.class);
  }

  @Test
  void slack_fetches_nothing_and_takes_ten_files_of_any_kind_together() {
    Capabilities can = new SlackChannel().capabilities(account.config());
    for (MediaKind kind : MediaKind.values()) {
      assertThat(can.media().fetches(kind)).isFalse();
      assertThat(can.media().takes(kind, "x/y", 1 << 30)).isTrue();
      assertThat(can.media().together(kind, MediaKind.DOCUMENT)).isTrue();
    }
    assertThat(can.media().album()).isEqualTo(10);
  }
}
