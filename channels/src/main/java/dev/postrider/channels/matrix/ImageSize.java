package dev.postrider.channels.matrix;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The size of a picture in pixels, as people see it, from the beginning of its bytes. */
record ImageSize(int width, int height) {
  /** A JPEG may have much ahead of its size: previews, profiles. */
  private static final int LONGEST_HEAD = 1 << 20;

  /** A field of Exif, and the type that its value has. */
  private static final int ORIENTATION = 0x0112;

  private static final int SHORT = 3;

  /** Null if they are no PNG, GIF, JPEG or WebP, or are cut short. */
  static @Nullable ImageSize read(InputStream bytes) throws IOException {
    byte[] head = bytes.readNBytes(LONGEST_HEAD);
    try {
      ImageSize size = read(head);
      return size == null || size.width < 1 || size.height < 1 ? null : size;
    } catch (IndexOutOfBoundsException | EOFException e) {
      return null;
    }
  }

  private static @Nullable ImageSize read(byte[] head) throws IOException {
    ByteBuffer little = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    if (has(head, 0, "\u0089PNG")) {
      ByteBuffer big = ByteBuffer.wrap(head);
      return new ImageSize(big.getInt(16), big.getInt(20));
    }
    if (has(head, 0, "GIF8")) {
      return new ImageSize(little.getChar(6), little.getChar(8));
    }
    if (has(head, 0, "RIFF") && has(head, 8, "WEBP")) {
      return webp(head, little);
    }
    return has(head, 0, "\u00ff\u00d8") ? jpeg(head) : null;
  }

  private static @Nullable ImageSize webp(byte[] head, ByteBuffer little) {
    if (has(head, 12, "VP8 ")) { // 14 bits each
      return new ImageSize(little.getChar(26) & 0x3fff, little.getChar(28) & 0x3fff);
    }
    if (has(head, 12, "VP8L")) { // 14 bits each, less one, without a gap
      int bits = little.getInt(21);
      return new ImageSize((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1);
    }
    if (has(head, 12, "VP8X")) { // 24 bits each, less one
      return new ImageSize(
          (little.getInt(24) & 0xffffff) + 1, (little.getInt(26) >>> 8 & 0xffffff) + 1);
    }
    return null;
  }

  /** Goes from segment to segment until one says how a frame is coded. */
  private static @Nullable ImageSize jpeg(byte[] head) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(head));
    in.skipNBytes(2);
    boolean onItsSide = false;
    while (true) {
      int marker = in.readUnsignedByte();
      while (marker == 0xff) {
        marker = in.readUnsignedByte();
      }
      if (marker >= 0xd0 && marker <= 0xd9) {
        continue; // without a length
      }
      int length = in.readUnsignedShort();
      boolean frame = marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8;
      if (frame && marker != 0xcc) {
        in.skipNBytes(1);
        int height = in.readUnsignedShort();
        int width = in.readUnsignedShort();
        return onItsSide ? new ImageSize(height, width) : new ImageSize(width, height);
      }
      if (marker == 0xda) {
        return null; // the picture itself, and no word on its size
      }
      if (marker == 0xe1) {
        onItsSide |= isOnItsSide(in.readNBytes(Math.max(0, length - 2)));
      } else {
        in.skipNBytes(Math.max(0, length - 2));
      }
    }
  }

  /**
   * Whether a camera says (Exif) that it was held upright, so that whoever shows the picture turns
   * it by a quarter. What cannot be read says nothing.
   */
  private static boolean isOnItsSide(byte[] said) {
    boolean little = has(said, 0, "Exif\0\0II*\0");
    if (!little && !has(said, 0, "Exif\0\0MM\0*")) {
      return false;
    }
    ByteBuffer tiff = ByteBuffer.wrap(said, 6, said.length - 6).slice();
    tiff.order(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    try {
      int directory = tiff.getInt(4);
      int entries = tiff.getChar(directory);
      for (int i = 0; i < entries; i++) {
        int entry = directory + 2 + 12 * i;
        if (tiff.getChar(entry) == ORIENTATION) {
          int turn = tiff.getChar(entry + 8);
          return tiff.getChar(entry + 2) == SHORT && turn >= 5 && turn <= 8;
        }
      }
    } catch (IndexOutOfBoundsException e) {
      // cut short, or nonsense
    }
    return false;
  }

  private static boolean has(byte[] head, int at, String magic) {
    byte[] wanted = magic.getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i < wanted.length; i++) {
      if (at + i >= head.length || head[at + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }
}
