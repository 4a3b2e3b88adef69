package dev.postrider.channels.nextcloud;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Hook;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channel.Remembered;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NextcloudHookTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String RANDOM = "R".repeat(64);

  private final Hook hook = hook(account());

  private static AccountConfig account() {
    return AccountConfig.of("nc", "nextcloud-talk").set("secret", FakeTalk.SECRET);
  }

  private static Hook hook(AccountConfig account) {
    return Objects.requireNonNull(new NextcloudChannel().hook(account));
  }

  private static Hook.Request request(String body, Map<String, String> headers) {
    return new Hook.Request("POST", headers, Map.of(), body.getBytes(UTF_8), NOW);
  }

  private static Map<String, String> signed(String secret, String random, String body) {
    return Map.of(
        "x-nextcloud-talk-random",
        random,
        "x-nextcloud-talk-signature",
        FakeTalk.hmac(secret, random + body));
  }

  private Answer post(String body, String random) {
    return hook.read(request(body, signed(FakeTalk.SECRET, random, body)));
  }

  private Answer.Genuine genuine(String body) {
    Answer answer = post(body, RANDOM);
    assertThat(answer).isInstanceOf(Answer.Genuine.class);
    return (Answer.Genuine) answer;
  }

  private InboundMessage arrival(String body) {
    return genuine(body).arrivals().getFirst();
  }

  private static String event(String type, String rest) {
    return """
        {"type":"%s","actor":{"type":"Person","id":"users/ada-lovelace","name":"Ada Lovelace"},\
        "target":{"type":"Collection","id":"n3xtc10ud","name":"world"},\
        "published":"2026-03-01T13:00:00+01:00",%s}"""
        .formatted(type, rest);
  }

  private static String note(String message, String parameters, String more) {
    String content =
        "{\\\"message\\\":\\\"" + message + "\\\",\\\"parameters\\\":" + parameters + "}";
    return """
        "object":{"type":"Note","id":"1567","name":"message","content":"%s",\
        "mediaType":"text/markdown"%s}"""
        .formatted(content, more);
  }

  // ---- who sends

  @Test
  void a_request_that_is_not_signed_with_our_secret_is_forged() {
    String body = event("Create", note("hi", "[]", ""));

    assertThat(hook.read(request(body, Map.of()))).isInstanceOf(Answer.Forged.class);
    assertThat(hook.read(request(body, signed("another", RANDOM, body))))
        .isInstanceOf(Answer.Forged.class);
    assertThat(hook.read(request(body + " ", signed(FakeTalk.SECRET, RANDOM, body))))
        .as("another body")
        .isInstanceOf(Answer.Forged.class);
    assertThat(
            hook.read(
                request(
                    body,
                    Map.of(
                        "x-nextcloud-talk-random",
                        "S".repeat(64),
                        "x-nextcloud-talk-signature",
                        FakeTalk.hmac(FakeTalk.SECRET, RANDOM + body)))))
        .as("another random value")
        .isInstanceOf(Answer.Forged.class);
  }

  /** Made by {@code printf '%s' "$RANDOM$BODY" | openssl dgst -sha256 -hmac "$SECRET"}. */
  @Test
  void what_openssl_has_signed_is_taken_and_signed_alike() {
    String random = "0123456789abcdef".repeat(4);
    String body =
        """
        {"type":"Create","actor":{"type":"Person","id":"users/ada","name":"Ada"},\
        "object":{"type":"Note",\
        "id":"1567","name":"message","content":"{\\"message\\":\\"Grüße 👋\\",\\"parameters\\":{}}",\
        "mediaType":"text/markdown"},\
        "target":{"type":"Collection","id":"n3xtc10ud","name":"world"}}""";
    String theirs = "20f28cce40d7de73397057a15987359996e5b2f6efede5bb9fdc0717c1ab1ca1";

    assertThat(
            hook.read(
                request(
                    body,
                    Map.of(
                        "x-nextcloud-talk-random", random, "x-nextcloud-talk-signature", theirs))))
        .isInstanceOf(Answer.Genuine.class);
    assertThat(NextcloudApi.sign(FakeTalk.SECRET, random, "Grüße 👋".getBytes(UTF_8)))
        .as("what a bot sends")
        .isEqualTo("e16c8446fe8ec56ff3e65d6475444a8deccc95813d8d1269d8d5538a30f0539d");
  }

  @Test
  void the_signature_covers_the_raw_bytes_and_may_be_in_capitals() {
    String body = event("Create", note("Grüße 👋", "[]", ""));
    String signature = FakeTalk.hmac(FakeTalk.SECRET, RANDOM + body).toUpperCase(Locale.ROOT);

    assertThat(
            hook.read(
                request(
                    body,
                    Map.of(
                        "x-nextcloud-talk-random",
                        RANDOM,
                        "x-nextcloud-talk-signature",
                        signature))))
        .isInstanceOf(Answer.Genuine.class);
  }

  @Test
  void what_happened_long_ago_is_refused_as_far_as_tolerance_says() {
    String old = event("Create", note("hi", "[]", "")).replace("2026-03-01T13", "2026-03-01T11");
    assertThat(post(old, RANDOM)).isInstanceOf(Answer.Forged.class);

    Hook patient = hook(account().set("tolerance", "3h"));
    assertThat(patient.read(request(old, signed(FakeTalk.SECRET, RANDOM, old))))
        .isInstanceOf(Answer.Genuine.class);
  }

  @Test
  void an_event_that_is_played_back_has_the_same_id_and_another_one_has_not() {
    String like = event("Like", note("hi", "[]", "") + ",\"content\":\"👍\"");

    assertThat(arrival(like).platformId()).isEqualTo(arrival(like).platformId());
    assertThat(((Answer.Genuine) post(like, "S".repeat(64))).arrivals().getFirst().platformId())
        .isNotEqualTo(arrival(like).platformId());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"type\":\"Create\"}",
        "{\"type\":\"Create\",\"target\":{\"id\":\"n3xtc10ud\"},\"object\":{}}",
        "{\"type\":\"Create\",\"target\":{\"id\":\"../etc\"},\"object\":{\"id\":\"1\"}}",
        "{\"type\":\"Leave\",\"object\":{\"id\":7}}"
      })
  void what_talk_would_not_say_is_malformed(String body) {
    assertThat(post(body, RANDOM)).isInstanceOf(Answer.Malformed.class);
  }

  @Test
  void without_a_secret_there_is_no_hook() {
    assertThat(new NextcloudChannel().hook(AccountConfig.of("nc", "nextcloud-talk"))).isNull();
  }

  // ---- what it means

  @Test
  void a_message_is_read_with_those_it_names() {
    String parameters =
        "{\\\"mention-call1\\\":{\\\"type\\\":\\\"call\\\",\\\"id\\\":\\\"n3xtc10ud\\\","
            + "\\\"name\\\":\\\"world\\\"}}";
    InboundMessage arrival =
        arrival(event("Create", note("hi {mention-call1} and {braces}!", parameters, "")));

    assertThat(arrival.text()).isEqualTo("hi @world and {braces}!");
    assertThat(arrival.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(arrival.chat()).isEqualTo("n3xtc10ud");
    assertThat(arrival.sender())
        .isEqualTo(new InboundMessage.Sender("users/ada-lovelace", "Ada Lovelace"));
    assertThat(arrival.platformId()).isEqualTo("1567");
    assertThat(arrival.messageId()).isEqualTo("1567");
    assertThat(arrival.sentAt()).isEqualTo(NOW);
    assertThat(arrival.raw().get("type")).isEqualTo("Create");
  }

  @Test
  void a_reply_and_its_thread_are_named() {
    String more = ",\"inReplyTo\":{\"type\":\"Note\",\"object\":{\"id\":\"1500\"}},\"threadId\":7";
    InboundMessage arrival = arrival(event("Create", note("yes", "[]", more)));

    assertThat(arrival.replyToId()).isEqualTo("1500");
    assertThat(arrival.threadId()).isEqualTo("7");
  }

  @Test
  void a_file_is_a_file_and_its_caption_the_text() {
    String file =
        "{\\\"file\\\":{\\\"type\\\":\\\"file\\\",\\\"id\\\":\\\"77\\\",\\\"name\\\":\\\"a.png\\\","
            + "\\\"size\\\":\\\"12\\\",\\\"mimetype\\\":\\\"image/png\\\","
            + "\\\"link\\\":\\\"https://cloud/f/77\\\"}}";

    assertThat(arrival(event("Create", note("{file}", file, ""))).text()).isNull();
    InboundMessage captioned = arrival(event("Create", note("look {file}", file, "")));
    assertThat(captioned.text()).isEqualTo("look");
    assertThat(captioned.media())
        .containsExactly(
            new InboundMessage.File(
                "image", "77", "https://cloud/f/77", "a.png", "image/png", 12L));
  }

  @Test
  void a_reaction_names_its_message_and_one_that_is_taken_back_has_no_text() {
    String like = note("hi", "[]", "") + ",\"content\":\"👍\"";
    InboundMessage given = arrival(event("Like", like));
    assertThat(given.kind()).isEqualTo(Kind.REACTION);
    assertThat(given.text()).isEqualTo("👍");
    assertThat(given.messageId()).isEqualTo("1567");

    InboundMessage taken = arrival(event("Undo", "\"object\":{\"type\":\"Like\"," + like + "}"));
    assertThat(taken.kind()).isEqualTo(Kind.REACTION);
    assertThat(taken.text()).isNull();
    assertThat(taken.messageId()).isEqualTo("1567");
  }

  private static String membership(String type) {
    return """
        {"type":"%s","actor":{"type":"Application","id":"bots/bot-a78f","name":"Bot123"},\
        "object":{"type":"Collection","id":"n3xtc10ud","name":"world"},\
        "published":"2026-03-01T12:00:00+00:00"}"""
        .formatted(type);
  }

  @Test
  void a_bot_that_is_removed_is_seen_in_the_inbox_and_remembered() {
    Answer.Genuine left = genuine(membership("Leave"));

    assertThat(left.arrivals())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.kind()).isEqualTo(Kind.OTHER);
              assertThat(it.chat()).isEqualTo("n3xtc10ud");
              assertThat(it.raw().get("type")).isEqualTo("Leave");
            });
    assertThat(left.memory())
        .containsExactly(Remembered.of("n3xtc10ud", "removedAt", "2026-03-01T12:00:00Z"));
  }

  @Test
  void a_bot_that_is_enabled_again_is_removed_no_more() {
    assertThat(genuine(membership("Join")).memory())
        .containsExactly(
            Remembered.forget("n3xtc10ud", "removedAt"),
            Remembered.of(null, "conversation", "n3xtc10ud"));
  }

  @Test
  void what_bots_do_and_what_nobody_knows_is_acknowledged_and_left_out() {
    String bots =
        event("Activity", note("x", "[]", "")).replace("users/ada-lovelace", "bots/bot-a78f");

    assertThat(genuine(bots).arrivals()).isEmpty();
    assertThat(genuine(event("Announce", note("x", "[]", ""))).arrivals()).isEmpty();
  }

  @Test
  void what_talk_itself_says_in_a_conversation_is_kept_as_something_else() {
    assertThat(arrival(event("Activity", note("call_started", "[]", ""))).kind())
        .isEqualTo(Kind.OTHER);
  }
}
