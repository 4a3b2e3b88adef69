package dev.postrider.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.Receipt;
import dev.postrider.testkit.platform.FakeTelegram;
import dev.postrider.testkit.platform.Reply;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Files on the wire, and what Telegram calls them afterwards. */
class TelegramFilesTest {
  private final FakeTelegram telegram = FakeTelegram.start();
  private final TestAccount account =
      TestAccount.of(
          AccountConfig.of("tg", "telegram")
              .set("token", "1:secret")
              .set("baseUrl", telegram.baseUrl())
              .set("timeout", "5m"));
  private final Link link = new TelegramChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    telegram.close();
  }

  private static Attachment file(char hash, MediaKind kind) {
    return new Attachment(
        "media:" + String.valueOf(hash).repeat(64), kind, "größe \"1\".jpg", null, 4, false, false);
  }

  private record Held(byte[] content) implements PartFile.Bytes {
    @Override
    public long size() {
      return content.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(content);
    }
  }

  private static PartFile bytes(char hash, MediaKind kind, int size) {
    return new PartFile(file(hash, kind), null, new Held(new byte[size]));
  }

  private Dispatch part(PartFile... files) {
    return account
        .markup(Message.to("tg", "42").text("a <b> c"), "a &lt;b&gt; c")
        .carrying(List.of(files));
  }

  @Test
  void bytes_arrive_whole_and_their_handle_comes_back() throws Exception {
    Outcome outcome = link.send(part(bytes('a', MediaKind.IMAGE, 3_000_000)));

    assertThat(outcome)
        .isEqualTo(
            new Outcome.Delivered(
                new Receipt("1", false), Map.of("a".repeat(64), FileHandle.of("file-1"))));
    assertThat(telegram.uploads())
        .containsExactly(
            new FakeTelegram.Uploaded("file-1", "photo", "größe %221%22.jpg", 3_000_000));
    assertThat(telegram.deliveries().getFirst().text()).isEqualTo("a &lt;b&gt; c");
  }

  @Test
  void a_handle_is_sent_instead_of_the_bytes() throws Exception {
    link.send(part(bytes('a', MediaKind.IMAGE, 9)));

    Outcome outcome =
        link.send(part(new PartFile(file('a', MediaKind.IMAGE), FileHandle.of("file-1"), null)));

    assertThat(outcome).isInstanceOf(Outcome.Delivered.class);
    assertThat(telegram.uploads()).hasSize(1);
    assertThat(telegram.deliveries().getLast().media()).containsExactly("photo:file-1");
  }

  @Test
  void an_album_gets_a_receipt_and_a_handle_for_each_file() throws Exception {
    Outcome outcome =
        link.send(part(bytes('a', MediaKind.IMAGE, 9), bytes('b', MediaKind.VIDEO, 9)));

    assertThat(outcome)
        .isEqualTo(
            new Outcome.Delivered(
                new Receipt("1,2", false),
                Map.of(
                    "a".repeat(64),
                    FileHandle.of("file-1"),
                    "b".repeat(64),
                    FileHandle.of("file-2"))));
    assertThat(telegram.deliveries()).hasSize(1);
  }

  @Test
  void a_handle_telegram_has_lost_is_repaired_by_the_bytes() throws Exception {
    Outcome outcome =
        link.send(part(new PartFile(file('a', MediaKind.IMAGE), FileHandle.of("lost"), null)));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Repairable.class,
            repairable -> assertThat(repairable.fix()).isEqualTo(new Fix.UploadInstead()));
  }

  @Test
  void a_file_that_cannot_be_opened_leaves_no_doubt() throws Exception {
    PartFile.Bytes gone =
        new PartFile.Bytes() {
          @Override
          public long size() {
            return 4;
          }

          @Override
          public InputStream open() throws IOException {
            throw new FileNotFoundException("gone");
          }
        };

    assertThat(link.send(part(new PartFile(file('a', MediaKind.IMAGE), null, gone))))
        .isInstanceOf(Outcome.NotSent.class);
    assertThat(telegram.platform().requests()).isEmpty();
  }

  @Test
  void an_upload_without_an_answer_is_unknown() throws Exception {
    telegram.lose(new Reply.HangUp());

    assertThat(link.send(part(bytes('a', MediaKind.IMAGE, 9)))).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void a_silent_video_that_telegram_takes_for_an_animation_still_gives_its_handle() {
    Outcome outcome =
        TelegramReceipt.of(
            Json.tree(Map.of("message_id", 7, "animation", Map.of("file_id", "CgAC"))),
            List.of(bytes('a', MediaKind.VIDEO, 9)));

    assertThat(outcome)
        .isEqualTo(
            new Outcome.Delivered(
                new Receipt("7", false), Map.of("a".repeat(64), FileHandle.of("CgAC"))));
  }
}
