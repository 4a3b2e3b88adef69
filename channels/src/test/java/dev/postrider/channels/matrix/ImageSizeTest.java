package dev.postrider.channels.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.FileHandle;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageSizeTest {

  private static ImageSize read(byte[] bytes) throws IOException {
    return ImageSize.read(new ByteArrayInputStream(bytes));
  }

  private static byte[] drawn(String format) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(640, 300, BufferedImage.TYPE_INT_RGB), format, bytes);
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "gif", "jpg"})
  void a_picture_that_java_drew_has_the_size_it_was_drawn_with(String format) throws IOException {
    assertThat(read(drawn(format))).isEqualTo(new ImageSize(640, 300));
  }

  /** Heads made by RFC 9649: lossy, lossless, extended. */
  @ParameterizedTest
  @CsvSource({
    "UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoCAAMA, 2, 3",
    "UklGRhoAAABXRUJQVlA4TA0AAAAvAYAAAA==, 2, 3",
    "UklGRlIAAABXRUJQVlA4WAoAAAASAAAAfwIAKwEA, 640, 300",
  })
  void a_webp_says_its_size_in_three_ways(String head, int width, int height) throws IOException {
    assertThat(read(Base64.getDecoder().decode(head))).isEqualTo(new ImageSize(width, height));
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "gif", "jpg"})
  void half_a_head_is_no_size(String format) throws IOException {
    assertThat(read(Arrays.copyOf(drawn(format), 8))).isNull();
    assertThat(read("just text".getBytes(java.nio.charset.StandardCharsets.UTF_8))).isNull();
    assertThat(read(new byte[0])).isNull();
  }

  @Test
  void a_handle_keeps_the_size_and_one_from_before_has_none() {
    UploadedFile sized = new UploadedFile("mxc://x/abc", new ImageSize(640, 300));
    assertThat(UploadedFile.of(sized.handle())).isEqualTo(sized);
    assertThat(UploadedFile.of(FileHandle.of("mxc://x/abc")))
        .isEqualTo(new UploadedFile("mxc://x/abc", null));
  }
}
