package dev.postrider.channels.feishu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the files of messages are got. */
class FeishuInboundFilesTest {
  private static final String BYTES = "bytes of a file";

  private final FakePlatform platform = FakePlatform.start();
  private final AtomicInteger tokens = new AtomicInteger();
  private final InboundFiles files =
      new FeishuChannel()
          .inboundFiles(
              AccountConfig.of("fs", "feishu")
                  .set("appId", "cli_1")
                  .set("appSecret", FakeFeishu.APP_SECRET)
                  .set("baseUrl", platform.baseUrl()),
              MediaSettings.DEFAULTS);

  @BeforeEach
  void start() {
    platform.when(
        request -> request.path().endsWith("/tenant_access_token/internal"),
        _ ->
            Reply.json(
                200,
                "{\"code\":0,\"expire\":7200,\"tenant_access_token\":\"t-token-"
                    + tokens.incrementAndGet()
                    + "\"}"));
    platform.when(
        request -> request.path().contains("/resources/"),
        _ -> Reply.text(200, "image/png", BYTES));
  }

  @AfterEach
  void end() {
    platform.close();
  }

  private static InboundMessage message(String kind, String key) {
    return new InboundMessage(
        "om_1",
        InboundMessage.Kind.MESSAGE,
        "oc_1",
        InboundMessage.ChatKind.DM,
        new InboundMessage.Sender("ou_1", null),
        null,
        List.of(new InboundMessage.File(kind, key, null, "a", null, null)),
        "om_1",
        null,
        null,
        null,
        Map.of());
  }

  private String read(String kind) throws Exception {
    try (InboundFiles.Opened file = files.open(message(kind, "key-1"), 0)) {
      return new String(file.bytes().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @CsvSource({"image, image", "document, file", "voice, file", "video, file"})
  void a_file_is_asked_for_by_message_and_key(String kind, String type) throws Exception {
    assertThat(read(kind)).isEqualTo(BYTES);
    assertThat(platform.requests().getLast().path())
        .isEqualTo("/open-apis/im/v1/messages/om_1/resources/key-1?type=" + type);
    assertThat(platform.requests().getLast().headers())
        .containsEntry("authorization", "Bearer t-token-1");
  }

  @Test
  void many_files_take_one_token() throws Exception {
    read("image");
    read("image");
    assertThat(tokens).hasValue(1);
  }

  @Test
  void a_token_that_is_refused_is_renewed_once() throws Exception {
    read("image");
    platform.answer(FakeFeishu.error(400, 99991663, "Invalid access token"));
    assertThat(read("image")).isEqualTo(BYTES);
    assertThat(tokens).hasValue(2);
  }

  @ParameterizedTest
  @CsvSource({
    "400, 234003, GONE",
    "400, 230110, GONE",
    "400, 234004, REFUSED",
    "403, 99991672, REFUSED",
    "429, 99991400, UNREACHABLE",
    "500, 2200, UNREACHABLE"
  })
  void why_a_file_cannot_be_had_is_told(int status, int code, Why why) throws Exception {
    read("image");
    platform.answer(FakeFeishu.error(status, code, "Oops"));
    assertThatThrownBy(() -> read("image"))
        .isInstanceOfSatisfying(Unavailable.class, it -> assertThat(it.why()).isEqualTo(why))
        .hasMessageContaining("" + code);
  }

  @Test
  void without_a_token_nothing_is_asked_and_no_secret_is_told() {
    platform.answer(
        FakeFeishu.error(200, 10014, "app secret " + FakeFeishu.APP_SECRET + " invalid"));
    assertThatThrownBy(() -> read("image"))
        .isInstanceOfSatisfying(
            Unavailable.class, it -> assertThat(it.why()).isEqualTo(Why.REFUSED))
        .hasMessageNotContaining(FakeFeishu.APP_SECRET);
    assertThat(platform.requests()).hasSize(1);
  }

  @Test
  void a_token_that_an_answer_repeats_is_hidden() throws Exception {
    read("image");
    platform.answer(FakeFeishu.error(403, 99991672, "t-token-1 lacks a scope"));
    assertThatThrownBy(() -> read("image"))
        .hasMessageContaining("lacks a scope")
        .hasMessageNotContaining("t-token-1");
  }

  @Test
  void a_key_that_is_an_address_goes_nowhere() {
    assertThatThrownBy(() -> files.open(message("image", "../../x?y"), 0))
        .isInstanceOfSatisfying(Unavailable.class, it -> assertThat(it.why()).isEqualTo(Why.GONE));
    assertThat(platform.requests()).isEmpty();
  }
}
