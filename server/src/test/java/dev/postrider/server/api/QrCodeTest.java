package dev.postrider.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class QrCodeTest {
  private static byte[] png(List<String> rows, int scale, boolean transparent) throws IOException {
    int edge = 4;
    int size = (rows.size() + 2 * edge) * scale;
    int type = transparent ? BufferedImage.TYPE_INT_ARGB : BufferedImage.TYPE_INT_RGB;
    var image = new BufferedImage(size, size, type);
    var graphics = image.createGraphics();
    if (!transparent) {
      graphics.setColor(Color.WHITE);
      graphics.fillRect(0, 0, size, size);
    }
    graphics.setColor(Color.BLACK);
    for (int y = 0; y < rows.size(); y++) {
      for (int x = 0; x < rows.size(); x++) {
        if (rows.get(y).charAt(x) == '1') {
          graphics.fillRect((x + edge) * scale, (y + edge) * scale, scale, scale);
        }
      }
    }
    var bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  @Test
  void what_is_drawn_can_be_read_again_also_from_a_bridges_picture() throws IOException {
    for (String text :
        List.of(
            "2@abc,def==,ghi",
            "sgnl://linkdevice?uuid=" + "x".repeat(200) + "&pub_key=y%2B",
            "https://qr.example.org/đăng-nhập")) {
      assertThat(QrCode.read(png(QrCode.rows(text), 5, false))).isEqualTo(text);
      assertThat(QrCode.read(png(QrCode.rows(text), 3, true))).isEqualTo(text);
    }
  }

  @Test
  void a_picture_that_is_no_code_or_too_large_is_not_read() throws IOException {
    assertThat(QrCode.read(new byte[] {1, 2, 3})).isNull();
    assertThat(QrCode.read(new byte[0])).isNull();
    assertThat(QrCode.read(png(List.of("0"), 5, false))).isNull();
    assertThat(QrCode.read(png(QrCode.rows("x"), 100, false))).isNull();
  }
}
