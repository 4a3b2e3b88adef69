package dev.postrider.channels.signal;

import static dev.postrider.channels.signal.FakeSignalCli.ANN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignalInboundFilesTest {
  private final FakeSignalCli signal = new FakeSignalCli();

  @TempDir Path folder;

  @AfterEach
  void end() {
    signal.close();
  }

  private static String read(AccountConfig account, @Nullable String id, String chat)
      throws Exception {
    InboundMessage message =
        new InboundMessage(
            "1",
            InboundMessage.Kind.MESSAGE,
            chat,
            InboundMessage.ChatKind.DM,
            new InboundMessage.Sender(ANN, null),
            null,
            List.of(new InboundMessage.File("document", id, null, "a.txt", "text/plain", null)),
            null,
            null,
            null,
            null,
            Map.of());
    InboundFiles files = new SignalChannel().inboundFiles(account, MediaSettings.DEFAULTS);
    try (InboundFiles.Opened file = files.open(message, 0)) {
      byte[] bytes = file.bytes().readAllBytes();
      assertThat(file.size()).isEqualTo(bytes.length);
      return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
    }
  }

  private static void unavailable(Unavailable.Why why, AccountConfig account, @Nullable String id) {
    assertThatThrownBy(() -> read(account, id, ANN))
        .isInstanceOfSatisfying(Unavailable.class, it -> assertThat(it.why()).isEqualTo(why));
  }

  @Test
  void signal_cli_is_asked_by_the_files_id_and_its_chat() throws Exception {
    signal.answers.put("getAttachment", _ -> "\"result\":{\"data\":\"aGVsbG8=\"}");

    assertThat(read(signal.account(), "k3Jx.txt", ANN)).isEqualTo("hello");
    assertThat(signal.asked("getAttachment").path("recipient").asString()).isEqualTo(ANN);
    assertThat(read(signal.account(), "k3Jx.txt", "group." + FakeSignalCli.GROUP))
        .isEqualTo("hello");
    assertThat(signal.asked("getAttachment").path("groupId").asString())
        .isEqualTo(FakeSignalCli.GROUP);
  }

  @Test
  void a_file_that_signal_cli_has_no_more_is_gone() {
    signal.answers.put(
        "getAttachment", _ -> FakeSignalCli.refusal(-1, "Could not find attachment", null));
    unavailable(Unavailable.Why.GONE, signal.account(), "k3Jx.txt");
    unavailable(Unavailable.Why.GONE, signal.account(), null);
  }

  @Test
  void a_signal_cli_that_does_not_answer_is_unreachable() {
    unavailable(
        Unavailable.Why.UNREACHABLE,
        signal.account().set("baseUrl", "http://127.0.0.1:1"),
        "k3Jx.txt");
  }

  @Test
  void the_folder_is_read_and_nothing_beside_it() throws Exception {
    Files.writeString(folder.resolve("k3Jx.txt"), "from the folder");
    Path inner = Files.createDirectory(folder.resolve("attachments"));
    Files.writeString(inner.resolve("k3Jx.txt"), "hello");
    AccountConfig account = signal.account().set("attachmentsFolder", inner.toString());

    assertThat(read(account, "k3Jx.txt", ANN)).isEqualTo("hello");
    unavailable(Unavailable.Why.GONE, account, "../k3Jx.txt");
    unavailable(Unavailable.Why.GONE, account, "..");
    unavailable(Unavailable.Why.GONE, account, "another.txt");
    assertThat(signal.platform.requests()).isEmpty();
  }
}
