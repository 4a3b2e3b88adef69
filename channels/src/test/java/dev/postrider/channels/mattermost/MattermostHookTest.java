package dev.postrider.channels.mattermost;

import static dev.postrider.channels.mattermost.FakeMattermost.ANN;
import static dev.postrider.channels.mattermost.FakeMattermost.BOT;
import static dev.postrider.channels.mattermost.FakeMattermost.TOWN;
import static dev.postrider.channels.mattermost.FakeMattermost.id;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Hook;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Outgoing webhooks and slash commands: who knows the token is Mattermost. */
class MattermostHookTest {
  private static final String OUTGOING = "xr3j5x3p4pfk7kk6ck7b4e6ghh";
  private static final String COMMAND = "9jrxumd1yfyntqb8qaabbbbbba";
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final String FORM = "application/x-www-form-urlencoded";

  private final AccountConfig account =
      AccountConfig.of("mm", "mattermost")
          .set("webhookSecret", List.of(OUTGOING, COMMAND))
          .set("userId", BOT);
  private final Hook hook = Objects.requireNonNull(new MattermostChannel().hook(account));

  private static Map<String, String> outgoing(String token) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("token", token);
    fields.put("team_id", id("team"));
    fields.put("team_domain", "acme");
    fields.put("channel_id", TOWN);
    fields.put("channel_name", "town-square");
    fields.put("timestamp", "1700000000");
    fields.put("user_id", ANN);
    fields.put("user_name", "ann");
    fields.put("post_id", id("post"));
    fields.put("text", "deploy & go ä");
    fields.put("trigger_word", "deploy");
    fields.put("file_ids", id("file1") + "," + id("file2"));
    return fields;
  }

  private static Map<String, String> command(String token) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("channel_id", TOWN);
    fields.put("channel_name", BOT + "__" + ANN);
    fields.put("command", "/ask");
    fields.put("response_url", "https://chat.example.org/hooks/commands/secret");
    fields.put("text", "what now");
    fields.put("token", token);
    fields.put("trigger_id", trigger(1_700_000_000));
    fields.put("user_id", ANN);
    fields.put("user_name", "ann");
    return fields;
  }

  private static String form(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), UTF_8))
        .collect(Collectors.joining("&"));
  }

  private Answer read(Map<String, String> headers, String body) {
    return hook.read(new Hook.Request("POST", headers, Map.of(), body.getBytes(UTF_8), NOW));
  }

  private Answer readForm(Map<String, String> fields) {
    return read(Map.of("content-type", FORM), form(fields));
  }

  private static InboundMessage only(Answer answer) {
    Answer.Genuine genuine = (Answer.Genuine) answer;
    assertThat(new String(genuine.reply().body(), UTF_8)).isEqualTo("{}");
    assertThat(genuine.arrivals()).hasSize(1);
    return genuine.arrivals().getFirst();
  }

  @Test
  void an_outgoing_webhook_tells_a_message() {
    InboundMessage message = only(readForm(outgoing(OUTGOING)));
    assertThat(message.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(message.platformId()).as("as over the socket").isEqualTo(id("post"));
    assertThat(message.chat()).isEqualTo(TOWN);
    assertThat(message.chatKind()).isEqualTo(ChatKind.GROUP);
    assertThat(message.text()).isEqualTo("deploy & go ä");
    assertThat(message.sender()).isEqualTo(new InboundMessage.Sender(ANN, "ann"));
    assertThat(message.sentAt()).isEqualTo(NOW);
    assertThat(message.media())
        .extracting(InboundMessage.File::id)
        .containsExactly(id("file1"), id("file2"));
  }

  @Test
  void json_says_the_same_with_a_finer_time() {
    Map<String, Object> fields = new LinkedHashMap<>(outgoing(OUTGOING));
    fields.put("timestamp", 1_700_000_000_123L);
    InboundMessage message =
        only(read(Map.of("content-type", "application/json"), Json.write(fields)));
    assertThat(message.text()).isEqualTo("deploy & go ä");
    assertThat(message.sentAt()).isEqualTo(NOW.plusMillis(123));
  }

  @Test
  void a_slash_command_tells_an_action() {
    InboundMessage message = only(readForm(command(COMMAND)));
    assertThat(message.kind()).isEqualTo(Kind.ACTION);
    assertThat(message.platformId()).isEqualTo(id("trigger"));
    assertThat(message.text()).isEqualTo("/ask what now");
    assertThat(message.chatKind()).isEqualTo(ChatKind.DM);
    Hook.Request get = new Hook.Request("GET", Map.of(), command(COMMAND), new byte[0], NOW);
    assertThat(only(hook.read(get))).isEqualTo(message);
  }

  @Test
  void a_repeat_has_the_id_of_the_first() {
    assertThat(only(readForm(outgoing(OUTGOING))).platformId())
        .isEqualTo(only(readForm(outgoing(OUTGOING))).platformId());
    assertThat(only(readForm(command(COMMAND))).platformId())
        .isEqualTo(only(readForm(command(COMMAND))).platformId());
  }

  @Test
  void what_is_played_back_long_afterwards_is_refused() {
    Map<String, String> command = command(COMMAND);
    for (long seconds : new long[] {-3601, 3601}) {
      Map<String, String> post = outgoing(OUTGOING);
      post.put("timestamp", "" + (1_700_000_000 + seconds));
      command.put("trigger_id", trigger(1_700_000_000 + seconds));
      for (Answer answer : List.of(readForm(post), readForm(command))) {
        assertThat(answer)
            .isInstanceOfSatisfying(
                Answer.Forged.class, it -> assertThat(it.cause()).contains("too long ago"));
      }
    }
    Map<String, String> late = outgoing(OUTGOING);
    late.put("timestamp", "" + (1_700_000_000 - 3600));
    assertThat(only(readForm(late)).sentAt()).isEqualTo(NOW.minusSeconds(3600));
    command.put("trigger_id", trigger(1_700_000_000 - 3600));
    assertThat(only(readForm(command)).sentAt()).isEqualTo(NOW.minusSeconds(3600));

    Hook patient =
        Objects.requireNonNull(new MattermostChannel().hook(account.set("tolerance", "2h")));
    late.put("timestamp", "" + (1_700_000_000 - 7000));
    assertThat(
            patient.read(
                new Hook.Request(
                    "POST",
                    Map.of("content-type", FORM),
                    Map.of(),
                    form(late).getBytes(UTF_8),
                    NOW)))
        .isInstanceOf(Answer.Genuine.class);
    late.remove("timestamp");
    assertThat(readForm(late)).as("where no time is sent").isInstanceOf(Answer.Genuine.class);
  }

  private static String trigger(long seconds) {
    String inner = id("trigger") + ":" + ANN + ":" + seconds + "000:signed";
    return Base64.getEncoder().encodeToString(inner.getBytes(UTF_8));
  }

  @Test
  void nothing_that_lets_its_bearer_speak_is_kept() {
    assertThat(only(readForm(command(COMMAND))).raw())
        .doesNotContainKeys("token", "response_url", "trigger_id")
        .containsKey("command");
    assertThat(only(readForm(outgoing(OUTGOING))).raw()).doesNotContainKey("token");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "x",
        "xr3j5x3p4pfk7kk6ck7b4e6gh",
        "xr3j5x3p4pfk7kk6ck7b4e6ghhh",
        "XR3J5X3P4PFK7KK6CK7B4E6GHH"
      })
  void a_wrong_token_is_a_forgery(String token) {
    assertThat(readForm(outgoing(token)))
        .isInstanceOfSatisfying(
            Answer.Forged.class, it -> assertThat(it.cause()).doesNotContain(OUTGOING));
    assertThat(readForm(command(token))).isInstanceOf(Answer.Forged.class);
    assertThat(read(Map.of("authorization", "Token " + token), "{}"))
        .isInstanceOf(Answer.Forged.class);
  }

  @Test
  void a_request_without_a_token_is_a_forgery() {
    Map<String, String> bare = outgoing(OUTGOING);
    bare.remove("token");
    assertThat(readForm(bare)).isInstanceOf(Answer.Forged.class);
    assertThat(read(Map.of(), "<html>")).isInstanceOf(Answer.Forged.class);
    assertThat(read(Map.of("authorization", "Bearer " + COMMAND), form(bare)))
        .isInstanceOf(Answer.Forged.class);
  }

  @Test
  void a_command_may_bring_its_token_in_the_head() {
    Map<String, String> bare = command(COMMAND);
    bare.remove("token");
    Map<String, String> headers = Map.of("content-type", FORM, "authorization", "Token " + COMMAND);
    assertThat(only(read(headers, form(bare))).text()).isEqualTo("/ask what now");
  }

  @Test
  void what_is_neither_is_malformed() {
    for (String missing : List.of("channel_id", "user_id", "post_id")) {
      Map<String, String> fields = outgoing(OUTGOING);
      fields.remove(missing);
      assertThat(readForm(fields)).as(missing).isInstanceOf(Answer.Malformed.class);
    }
    assertThat(read(Map.of("authorization", "Token " + COMMAND), "no json"))
        .isInstanceOf(Answer.Malformed.class);
  }

  @Test
  void what_our_own_user_posted_is_left_out() {
    Map<String, String> own = outgoing(OUTGOING);
    own.put("user_id", BOT);
    assertThat(((Answer.Genuine) readForm(own)).arrivals()).isEmpty();
    Hook unknowing =
        Objects.requireNonNull(
            new MattermostChannel()
                .hook(AccountConfig.of("mm", "mattermost").set("webhookSecret", OUTGOING)));
    Hook.Request request =
        new Hook.Request(
            "POST", Map.of("content-type", FORM), Map.of(), form(own).getBytes(UTF_8), NOW);
    assertThat(((Answer.Genuine) unknowing.read(request)).arrivals()).hasSize(1);
  }

  @Test
  void an_account_without_a_secret_has_no_hook() {
    assertThat(new MattermostChannel().hook(AccountConfig.of("mm", "mattermost"))).isNull();
  }
}
