package dev.postrider.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MediaKind;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MediaTypesTest {
  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @CsvSource({
    "FFD8FFE000104A46, image/jpeg",
    "89504E470D0A1A0A, image/png",
    "474946383961, image/gif",
    "52494646000000005745425056503820, image/webp",
    "0000001C6674797068656963, image/heic",
    "0000001C667479706D696631, image/heif",
    "0000001C6674797061766966, image/avif",
    "0000001C6674797069736F6D, video/mp4",
    "000000146674797071742020, video/quicktime",
    "0000001C667479704D344120, audio/mp4",
    "1A45DFA3, video/webm",
    "494433040000, audio/mpeg",
    "FFFB9064, audio/mpeg",
    "FFF15080, audio/aac",
    "4F676753000200, audio/ogg",
    "524946460000000057415645, audio/wav",
    "664C6143, audio/flac",
    "255044462D312E37, application/pdf",
    "504B0304, application/zip",
    "00010203, application/octet-stream",
    "'', application/octet-stream"
  })
  void the_first_bytes_tell_the_type(String hex, String type) {
    assertThat(MediaTypes.of(java.util.HexFormat.of().parseHex(hex))).isEqualTo(type);
  }

  @Test
  void text_is_text_in_any_script() {
    assertThat(MediaTypes.of("hello, wörld\n".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("text/plain");
    assertThat(MediaTypes.of(latin("BM is how a bitmap begins"))).isEqualTo("image/bmp");
  }

  @ParameterizedTest
  @CsvSource({
    "cat.JPG, image/jpeg",
    "https://example.org/a/cat.png?size=1.mp4#x.gif, image/png",
    "archive.tar.gz, application/gzip",
    "speech.opus, audio/ogg"
  })
  void a_name_lets_expect_a_type(String name, String type) {
    assertThat(MediaTypes.byName(name)).isEqualTo(type);
  }

  @Test
  void a_name_may_say_nothing() {
    assertThat(MediaTypes.byName("https://example.org/download")).isNull();
    assertThat(MediaTypes.byName("cat.")).isNull();
  }

  @Test
  void a_file_without_a_name_gets_one() {
    assertThat(MediaTypes.name(MediaKind.IMAGE, "image/jpeg")).isEqualTo("image.jpg");
    assertThat(MediaTypes.name(MediaKind.DOCUMENT, "application/pdf")).isEqualTo("document.pdf");
    assertThat(MediaTypes.name(MediaKind.DOCUMENT, MediaTypes.UNKNOWN)).isEqualTo("document");
    assertThat(MediaTypes.name(MediaKind.VIDEO, null)).isEqualTo("video");
  }
}
