package dev.postrider.server.api;

import com.google.zxing.BinaryBitmap;
import com.google.zxing.ChecksumException;
import com.google.zxing.DecodeHintType;
import com.google.zxing.EncodeHintType;
import com.google.zxing.FormatException;
import com.google.zxing.NotFoundException;
import com.google.zxing.RGBLuminanceSource;
import com.google.zxing.WriterException;
import com.google.zxing.common.HybridBinarizer;
import com.google.zxing.qrcode.QRCodeReader;
import com.google.zxing.qrcode.decoder.ErrorCorrectionLevel;
import com.google.zxing.qrcode.encoder.ByteMatrix;
import com.google.zxing.qrcode.encoder.Encoder;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.jspecify.annotations.Nullable;

/** QR codes as rows of squares: from a text, and from a picture that a bridge made. */
final class QrCode {
  private static final int WIDEST = 2048;

  private static final Map<EncodeHintType, ?> UTF_8 = Map.of(EncodeHintType.CHARACTER_SET, "UTF-8");

  private QrCode() {}

  /** The squares row by row, {@code 1} for a dark one, without the quiet edge. */
  static List<String> rows(String text) {
    ByteMatrix squares;
    try {
      squares = Encoder.encode(text, ErrorCorrectionLevel.L, UTF_8).getMatrix();
    } catch (WriterException e) {
      throw HttpProblem.notReady("The platform's code is too long for a QR code.");
    }
    List<String> rows = new ArrayList<>();
    for (int y = 0; y < squares.getHeight(); y++) {
      StringBuilder row = new StringBuilder();
      for (int x = 0; x < squares.getWidth(); x++) {
        row.append(squares.get(x, y) == 1 ? '1' : '0');
      }
      rows.add(row.toString());
    }
    return rows;
  }

  /** What a picture of a QR code says; null if it cannot be read. */
  static @Nullable String read(byte[] png) {
    try {
      BufferedImage image = image(png);
      if (image == null) {
        return null;
      }
      int width = image.getWidth();
      int height = image.getHeight();
      int[] pixels = onWhite(image).getRGB(0, 0, width, height, null, 0, width);
      var source = new RGBLuminanceSource(width, height, pixels);
      return new QRCodeReader()
          .decode(
              new BinaryBitmap(new HybridBinarizer(source)),
              Map.of(DecodeHintType.TRY_HARDER, Boolean.TRUE))
          .getText();
    } catch (IOException | NotFoundException | ChecksumException | FormatException e) {
      return null;
    }
  }

  /** A small picture says so in its head; one that would fill the memory is not looked at. */
  private static @Nullable BufferedImage image(byte[] png) throws IOException {
    try (ImageInputStream in = ImageIO.createImageInputStream(new ByteArrayInputStream(png))) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
      if (!readers.hasNext()) {
        return null;
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(in, true, true);
        return reader.getWidth(0) > WIDEST || reader.getHeight(0) > WIDEST ? null : reader.read(0);
      } finally {
        reader.dispose();
      }
    }
  }

  /** What is transparent is white. */
  private static BufferedImage onWhite(BufferedImage image) {
    var white = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
    var graphics = white.createGraphics();
    graphics.drawImage(image, 0, 0, java.awt.Color.WHITE, null);
    graphics.dispose();
    return white;
  }
}
