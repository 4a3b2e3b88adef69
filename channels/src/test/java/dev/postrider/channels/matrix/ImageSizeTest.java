package dev.postrider.channels.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.FileHandle;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
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

  // ---- pictures that are to be turned

  private static final int ORIENTATION = 0x0112;

  /** A JPEG that Java drew, with what a camera says of it behind its first marker. */
  private static byte[] taken(byte[] exif) throws IOException {
    byte[] drawn = drawn("jpg");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(drawn, 0, 2);
    DataOutputStream segment = new DataOutputStream(bytes);
    segment.writeShort(0xffe1);
    segment.writeShort(2 + 6 + exif.length);
    segment.write("Exif\0\0".getBytes(StandardCharsets.ISO_8859_1));
    segment.write(exif);
    bytes.write(drawn, 2, drawn.length - 2);
    return bytes.toByteArray();
  }

  /** A TIFF head, and a directory with a camera's name before the orientation. */
  private static byte[] exif(ByteOrder order, int orientation) {
    return exif(order, ORIENTATION, 3, orientation);
  }

  private static byte[] exif(ByteOrder order, int tag, int type, int value) {
    ByteBuffer bytes = ByteBuffer.allocate(64).order(order);
    bytes.put((order == ByteOrder.BIG_ENDIAN ? "MM" : "II").getBytes(StandardCharsets.US_ASCII));
    bytes.putShort((short) 42).putInt(12).putInt(0); // the directory, after a gap
    bytes.putShort((short) 2);
    bytes.putShort((short) 0x010f).putShort((short) 2).putInt(4).put(new byte[] {'c', 'a', 'm', 0});
    bytes.putShort((short) tag).putShort((short) type).putInt(1);
    bytes.putShort((short) value).putShort((short) 0);
    bytes.putInt(0);
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  static List<ByteOrder> orders() {
    return List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN);
  }

  @ParameterizedTest
  @MethodSource("orders")
  void a_picture_that_was_taken_upright_is_as_wide_as_people_see_it(ByteOrder order)
      throws IOException {
    for (int orientation = 0; orientation <= 9; orientation++) {
      boolean lies = orientation >= 5 && orientation <= 8;
      assertThat(read(taken(exif(order, orientation))))
          .as("orientation %s", orientation)
          .isEqualTo(lies ? new ImageSize(300, 640) : new ImageSize(640, 300));
    }
  }

  @Test
  void java_itself_reads_such_a_picture_and_its_size_lying() throws IOException {
    BufferedImage lying =
        ImageIO.read(new ByteArrayInputStream(taken(exif(ByteOrder.BIG_ENDIAN, 6))));

    assertThat(List.of(lying.getWidth(), lying.getHeight())).containsExactly(640, 300);
  }

  @Test
  void what_a_camera_says_and_nobody_understands_leaves_the_size_as_it_is() throws IOException {
    byte[] exif = exif(ByteOrder.LITTLE_ENDIAN, 6);
    List<byte[]> odd = new ArrayList<>();
    for (int length = 0; length < 36; length++) {
      odd.add(Arrays.copyOf(exif, length)); // cut short before the value
    }
    odd.add(exif(ByteOrder.LITTLE_ENDIAN, 0x0113, 3, 6)); // another tag
    odd.add(exif(ByteOrder.LITTLE_ENDIAN, ORIENTATION, 2, 6)); // no number
    byte[] beyond = exif.clone();
    beyond[4] = beyond[5] = beyond[6] = beyond[7] = (byte) 0xff; // a directory anywhere
    odd.add(beyond);
    byte[] endless = exif.clone();
    endless[12] = endless[13] = (byte) 0xff; // of many entries
    odd.add(Arrays.copyOf(endless, 30));
    byte[] unordered = exif.clone();
    unordered[0] = 'X';
    odd.add(unordered);

    for (byte[] each : odd) {
      assertThat(read(taken(each))).as(Arrays.toString(each)).isEqualTo(new ImageSize(640, 300));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "gif", "jpg"})
  void half_a_head_is_no_size(String format) throws IOException {
    assertThat(read(Arrays.copyOf(drawn(format), 8))).isNull();
    assertThat(read("just text".getBytes(StandardCharsets.UTF_8))).isNull();
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
