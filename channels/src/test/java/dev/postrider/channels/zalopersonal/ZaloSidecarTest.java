package dev.postrider.channels.zalopersonal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.Link;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.sidecar.LiveAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * The sidecar of this repository, run by Node, with a stand-in for zca-js that records: the real
 * one needs Zalo's network and a phone.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ZaloSidecarTest {
  private static final Path FOLDER =
      Path.of("../sidecars/zalo-personal").toAbsolutePath().normalize();
  private static final LoginRequest SCAN = new LoginRequest(null);

  @TempDir Path home;
  private @Nullable LiveAccount account;
  private @Nullable Link link;

  @BeforeAll
  static void node() {
    assumeFalse("skip".equals(System.getProperty("postrider.peers")), "-Dpostrider.peers=skip");
  }

  private CompletableFuture<Exception> start(String... environment) {
    List<String> command = new ArrayList<>(List.of("/usr/bin/env"));
    command.addAll(List.of(environment));
    command.add("POSTRIDER_ZCA_JS=" + FOLDER.resolve("test/fake-zca-js.mjs"));
    command.add("FAKE_ZCA_RECORD=" + home.resolve("record"));
    command.add("FAKE_ZCA_SCRIPT=" + home.resolve("script"));
    command.add("FAKE_ZCA_SCAN_AFTER=300");
    command.add("node");
    command.add(FOLDER.resolve("sidecar.mjs").toString());
    account = new LiveAccount(AccountConfig.of("z", "zalo-personal").set("command", command));
    link = new ZaloPersonalChannel().open(account);
    return account.listen(link);
  }

  private LiveAccount account() {
    return Objects.requireNonNull(account);
  }

  private Link link() {
    return Objects.requireNonNull(link);
  }

  @AfterEach
  void close() {
    if (link != null) {
      link.close();
      account().close();
    }
  }

  private void logIn() throws Exception {
    account().awaitTold("not ready: log in");
    LoginState state = link().login(SCAN);
    while (!(state instanceof LoginState.LoggedIn)) {
      assertThat(state).isNotInstanceOf(LoginState.Failed.class);
      Thread.onSpinWait();
      state = link().login(SCAN);
    }
    account().awaitTold("ready");
  }

  private List<JsonNode> recorded(String field) throws IOException {
    return Files.readAllLines(home.resolve("record")).stream()
        .map(Json::readObject)
        .filter(Objects::nonNull)
        .filter(line -> line.has(field))
        .toList();
  }

  private void happens(String event) throws IOException {
    Files.writeString(
        home.resolve("script"),
        event.replace("\n", " ") + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static Dispatch part(Message.Builder message) {
    return TestAccount.of(AccountConfig.of("z", "zalo-personal")).part(message);
  }

  private Outcome send(String to, String text) throws Exception {
    return link().send(part(Message.to("z", to).text(text)));
  }

  @Test
  void a_person_scans_and_the_session_is_used_again_without_one() throws Exception {
    CompletableFuture<Exception> end = start();
    account().awaitTold("not ready: log in with 'postrider accounts login z': nobody");
    LoginState scan = link().login(SCAN);
    assertThat(scan)
        .isInstanceOfSatisfying(
            LoginState.ScanQr.class,
            qr -> {
              assertThat(qr.png()).startsWith(0x89, 'P', 'N', 'G');
              assertThat(qr.validUntil()).isNotNull();
            });
    assertThat(link().login(new LoginRequest("84901234567")).toString()).contains("QR code only");
    account().awaitTold("ready");
    assertThat(link().login(SCAN)).isEqualTo(new LoginState.LoggedIn("Ann Nguyen"));
    assertThat(account().memory().read(null, "session").orElseThrow()).contains("fresh-cookie");

    account().interrupt();
    end.get();
    account().listen(link());
    account().awaitTold("ready");
    assertThat(recorded("qr")).hasSize(1);
    assertThat(recorded("login").getFirst().path("imei").asString()).isEqualTo("imei-1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Failed to fetch login info: Bad Gateway",
        "Failed to fetch server info: Too Many Requests",
        "Failed to fetch login info: ",
        "ECONNRESET",
        "ECONNREFUSED",
        "UND_ERR_HEADERS_TIMEOUT",
        "html"
      })
  void a_hiccup_at_a_restart_does_not_log_the_account_out(String hiccup) throws Exception {
    CompletableFuture<Exception> end = start();
    logIn();
    account().interrupt();
    end.get();
    steer("login", hiccup);
    Exception ended = account().listen(link()).get(1, TimeUnit.MINUTES);
    assertThat(ended).hasMessageContaining("has ended with 1: Zalo");
    assertThat(link().login(SCAN)).isInstanceOf(LoginState.Failed.class);

    Files.delete(home.resolve("record.login"));
    account().listen(link());
    account().awaitTold("ready");
    assertThat(recorded("qr")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Đăng nhập thất bại",
        "Failed to fetch login info: Unauthorized",
        "Failed to fetch server info: Phiên đăng nhập đã hết hạn"
      })
  void a_session_that_zalo_itself_refuses_asks_for_a_person(String refusal) throws Exception {
    CompletableFuture<Exception> end = start();
    logIn();
    account().interrupt();
    end.get();
    steer("login", refusal);
    account().listen(link());
    assertThat(account().awaitTold("not ready: log in")).contains(refusal);
    assertThat(link().login(SCAN)).isInstanceOf(LoginState.ScanQr.class);
  }

  private void steer(String what, String how) throws IOException {
    Files.writeString(home.resolve("record." + what), how);
  }

  @Test
  void a_session_that_dies_while_the_socket_stands_uses_up_no_attempts() throws Exception {
    CompletableFuture<Exception> end = start();
    logIn();
    steer("dead", "");
    steer("login", "Đăng nhập thất bại");
    assertThat(send("7", "#code 102")).isInstanceOf(Outcome.NotSent.class);
    assertThat(send("8", "#code 102")).isInstanceOf(Outcome.NotSent.class);
    assertThat(send("9", "#code 102")).isInstanceOf(Outcome.Unreachable.class);
    assertThat(end.get(1, TimeUnit.MINUTES)).hasMessageContaining("Session expired");
    account().listen(link());
    assertThat(account().awaitTold("not ready: log in")).contains("session of last time");
    assertThat(send("9", "hello")).isInstanceOf(Outcome.Unreachable.class);
  }

  @Test
  void messages_that_zalo_refuses_do_not_log_the_account_out() throws Exception {
    CompletableFuture<Exception> end = start();
    logIn();
    for (int i = 0; i < 7; i++) {
      assertThat(send("7", "#code 118")).isInstanceOf(Outcome.NotSent.class);
    }
    assertThat(send("7", "hello")).isInstanceOf(Outcome.Delivered.class);
    assertThat(end).isNotDone();
    assertThat(recorded("whoAmI").size()).isBetween(2, 5); // not for each of them
  }

  @Test
  void a_login_that_is_declined_on_the_phone_fails_and_begins_anew() throws Exception {
    start("FAKE_ZCA_DECLINES=1");
    account().awaitTold("not ready: log in");
    LoginState state = link().login(SCAN);
    while (!(state instanceof LoginState.Failed)) {
      Thread.onSpinWait();
      state = link().login(SCAN);
    }
    assertThat(state).isEqualTo(new LoginState.Failed("it was declined on the phone"));
    assertThat(link().login(SCAN)).isInstanceOf(LoginState.ScanQr.class);
  }

  @Test
  void texts_with_styles_and_quotes_go_to_people_and_groups() throws Exception {
    start();
    logIn();
    assertThat(send("7", "hello")).isInstanceOf(Outcome.Delivered.class);
    happens(
        """
        ["message", {"type": 1, "threadId": "9", "isSelf": false, "data": {"msgId": "55",
         "cliMsgId": "3", "uidFrom": "8", "dName": "Binh", "ts": "1763287200000",
         "msgType": "webchat", "content": "who?", "ttl": 0}}]
        """);
    LiveAccount.next(account().messages);
    TestAccount parts = TestAccount.of(AccountConfig.of("z", "zalo-personal"));
    assertThat(
            link()
                .send(
                    parts.part(
                        Message.to("z", "group:9")
                            .text("me")
                            .replyToId("55")
                            .channelData(Map.of("urgency", "urgent", "ttl", 60_000)))))
        .isInstanceOf(Outcome.Delivered.class);

    List<JsonNode> sends = recorded("send");
    assertThat(sends.get(0).at("/send/msg").asString()).isEqualTo("hello");
    assertThat(sends.get(0).path("type").asInt()).isZero();
    assertThat(sends.get(1).path("thread").asString()).isEqualTo("9");
    assertThat(sends.get(1).path("type").asInt()).isEqualTo(1);
    assertThat(sends.get(1).at("/send/quote/cliMsgId").asString()).isEqualTo("3");
    assertThat(sends.get(1).at("/send/quote/content").asString()).isEqualTo("who?");
    assertThat(sends.get(1).at("/send/urgency").asInt()).isEqualTo(2);
    assertThat(sends.get(1).at("/send/ttl").asInt()).isEqualTo(60_000);
  }

  @Test
  void a_file_goes_out_with_its_name_and_size_and_is_not_left_behind() throws Exception {
    start();
    logIn();
    byte[] gif = "GIF89a\u0005\0\u0007\0..".getBytes(StandardCharsets.ISO_8859_1);
    Attachment about =
        new Attachment(
            "media:x", MediaKind.IMAGE, "holiday", "image/gif", gif.length, false, false);
    PartFile file =
        new PartFile(
            about,
            (FileHandle) null,
            new PartFile.Bytes() {
              @Override
              public long size() {
                return gif.length;
              }

              @Override
              public InputStream open() {
                return new ByteArrayInputStream(gif);
              }
            });
    Dispatch text = part(Message.to("z", "7").text("ignored"));
    Dispatch dispatch =
        new Dispatch(
            text.id(),
            text.message(),
            new dev.postrider.message.Plan(
                text.id(),
                List.of(new dev.postrider.message.Part(null, null, List.of(), List.of(about)))),
            0,
            text.state(),
            List.of(file));
    assertThat(link().send(dispatch)).isInstanceOf(Outcome.Delivered.class);

    JsonNode sent = recorded("send").getFirst().at("/send/attachments/0");
    assertThat(sent.path("filename").asString()).isEqualTo("holiday.gif");
    assertThat(sent.at("/metadata/width").asInt()).isEqualTo(5);
    assertThat(sent.at("/metadata/height").asInt()).isEqualTo(7);
    assertThat(sent.at("/metadata/totalSize").asInt()).isEqualTo(gif.length);
    assertThat(sent.path("text").asString()).startsWith("GIF89a");
  }

  @Test
  void what_zca_js_throws_has_its_outcome() throws Exception {
    start();
    logIn();
    Map<String, String> outcomes =
        Map.of(
            "#code 118", "NotSent[cause=Zalo: 118 refused]",
            "#status 500", "Unknown[cause=Zalo: Request failed with status code 500]",
            "#status 403", "NotSent[cause=Zalo: Request failed with status code 403]",
            "#status 429", "Throttled[scope=ACCOUNT, delay=PT5M",
            "#bad", "Rejected[blame=MESSAGE",
            "#cut", "Unknown[cause=Zalo: ECONNRESET fetch failed]",
            "#away", "Unreachable[cause=Zalo cannot be reached");
    for (Map.Entry<String, String> each : outcomes.entrySet()) {
      assertThat(send("7", each.getKey()).toString()).startsWith(each.getValue());
    }
  }

  @Test
  void what_happens_on_zalo_comes_in() throws Exception {
    start();
    logIn();
    happens(
        """
        ["message", {"type": 0, "threadId": "7", "isSelf": false, "data": {"msgId": "71",
         "uidFrom": "7", "dName": "An", "ts": "1763287200000", "msgType": "chat.photo",
         "content": {"title": "look", "href": "https://f.example/1.jpg", "description": ""},
         "quote": {"globalMsgId": 70}}}]
        """);
    happens(
        """
        ["message", {"type": 0, "threadId": "7", "isSelf": true, "data": {"msgId": "72",
         "uidFrom": "42", "msgType": "webchat", "content": "mine"}}]
        """);
    happens(
        """
        ["reaction", {"threadId": "9", "isGroup": true, "isSelf": false, "data": {"msgId": "73",
         "uidFrom": "8", "content": {"rIcon": "/-heart", "rMsg": [{"gMsgID": 71}]}}}]
        """);
    happens("[\"delivered_messages\", [{\"data\": {\"msgId\": \"m1\", \"realMsgId\": \"0\"}}]]");
    happens("[\"seen_messages\", [{\"data\": {\"msgId\": \"m1\"}}]]");

    InboundMessage photo = LiveAccount.next(account().messages);
    assertThat(photo.platformId()).isEqualTo("71");
    assertThat(photo.text()).isEqualTo("look");
    assertThat(photo.replyToId()).isEqualTo("70");
    assertThat(photo.media().getFirst().url()).isEqualTo("https://f.example/1.jpg");
    assertThat(photo.sentAt()).isEqualTo("2025-11-16T10:00:00Z");
    InboundMessage heart = LiveAccount.next(account().messages); // ours is left out
    assertThat(heart.kind()).isEqualTo(Kind.REACTION);
    assertThat(heart.chat()).isEqualTo("group:9");
    assertThat(heart.messageId()).isEqualTo("71");
    assertThat(LiveAccount.next(account().reports).state())
        .isEqualTo(DeliveryReport.State.DELIVERED);
    assertThat(LiveAccount.next(account().reports).state()).isEqualTo(DeliveryReport.State.READ);
  }

  @Test
  void after_a_lost_connection_it_asks_for_what_came_meanwhile() throws Exception {
    CompletableFuture<Exception> end = start();
    logIn();
    happens(
        """
        ["message", {"type": 1, "threadId": "9", "isSelf": false, "data": {"msgId": "80",
         "uidFrom": "8", "msgType": "webchat", "content": "x"}}]
        """);
    LiveAccount.next(account().messages);
    happens("[\"closed\", 1006, \"\"]");
    assertThat(end.get()).hasMessageContaining("has ended with 0");
    Files.delete(home.resolve("script"));

    account().listen(link());
    account().awaitTold("ready");
    send("7", "a word, so that what was asked before is written");
    assertThat(recorded("oldMessages"))
        .anyMatch(asked -> asked.path("last").asString().equals("80"));
  }

  @Test
  void somebody_elses_session_asks_for_a_person_and_does_not_fight() throws Exception {
    CompletableFuture<Exception> end = start();
    logIn();
    happens("[\"closed\", 3000, \"\"]");
    assertThat(account().awaitTold("not ready")).contains("Zalo Web", "accounts login z");
    assertThat(end).isNotDone();
    assertThat(send("7", "x")).isInstanceOf(Outcome.Unreachable.class);
  }

  @Test
  void a_sidecar_without_its_library_says_what_to_install() throws Exception {
    account =
        new LiveAccount(
            AccountConfig.of("z", "zalo-personal")
                .set(
                    "command",
                    List.of(
                        "/usr/bin/env",
                        "POSTRIDER_ZCA_JS=file:///no/such/module.mjs",
                        "node",
                        FOLDER.resolve("sidecar.mjs").toString())));
    link = new ZaloPersonalChannel().open(account);
    assertThat(account().listen(link()).get()).hasMessageContaining("npm ci");
    assertThat(link().probe().toString()).contains("npm ci");
  }
}
