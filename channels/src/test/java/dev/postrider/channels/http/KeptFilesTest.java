package dev.postrider.channels.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.PartFile;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Base64;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KeptFilesTest {
  private final AtomicInteger reads = new AtomicInteger();
  private final KeptFiles files = KeptFiles.base64();

  private PartFile file(byte[] bytes, boolean held) {
    Attachment attachment =
        new Attachment("https://x/a", MediaKind.DOCUMENT, "a", null, bytes.length, false, false);
    return new PartFile(
        held ? attachment.held("ab".repeat(32)) : attachment,
        null,
        new PartFile.Bytes() {
          @Override
          public long size() {
            return bytes.length;
          }

          @Override
          public InputStream open() {
            reads.incrementAndGet();
            return new ByteArrayInputStream(bytes);
          }
        });
  }

  @Test
  void what_goes_to_many_chats_is_read_and_encoded_once() throws Exception {
    byte[] bytes = {1, 2, 3, 4, 5};
    for (int chat = 0; chat < 1_000; chat++) {
      PartFile.Bytes encoded = files.of(file(bytes, true));
      try (InputStream in = encoded.open()) {
        assertThat(in.readAllBytes()).isEqualTo(Base64.getEncoder().encode(bytes));
      }
      assertThat(encoded.size()).isEqualTo(8);
    }
    assertThat(reads).hasValue(1);
  }

  @Test
  void what_is_not_kept_is_encoded_as_it_goes_out() throws Exception {
    for (int size : new int[] {0, 1, 2, 3, 12_287, 12_288, 12_289, 100_000}) {
      byte[] bytes = new byte[size];
      new Random(size).nextBytes(bytes);
      PartFile.Bytes encoded = files.of(file(bytes, false));
      try (InputStream in = encoded.open()) {
        byte[] all = in.readAllBytes();
        assertThat(all).isEqualTo(Base64.getEncoder().encode(bytes));
        assertThat(encoded.size()).isEqualTo(all.length);
      }
    }
  }

  @Test
  void what_goes_out_as_it_is_is_read_once_too() throws Exception {
    KeptFiles plain = KeptFiles.plain();
    byte[] bytes = {1, 2, 3, 4, 5};
    for (int chat = 0; chat < 1_000; chat++) {
      try (InputStream in = plain.of(file(bytes, true)).open()) {
        assertThat(in.readAllBytes()).isEqualTo(bytes);
      }
    }
    assertThat(reads).hasValue(1);
    try (InputStream in = plain.of(file(bytes, false)).open()) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
  }
}
