package dev.postrider.channels.zalo;

import dev.postrider.channel.PartFile;
import dev.postrider.channels.http.Multipart;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Objects;

/**
 * A file on its way to an Official Account: where it is uploaded, and how a message names it then.
 *
 * @param kind {@code image}, {@code gif} or {@code file}, as the path says
 */
record OaUpload(String kind, PartFile cargo) {
  static OaUpload of(PartFile cargo) {
    return new OaUpload(
        switch (cargo.attachment().kind()) {
          case IMAGE -> "image";
          case VIDEO -> "gif";
          case AUDIO, VOICE, DOCUMENT -> "file";
        },
        cargo);
  }

  /** Zalo goes by the ending of the name. */
  Multipart form() {
    Attachment file = cargo.attachment();
    String name =
        file.filename() == null ? MediaTypes.name(file.kind(), file.type()) : file.filename();
    return Multipart.builder(String.valueOf(file.hash()))
        .file("file", name, file.type(), Objects.requireNonNull(cargo.bytes()))
        .build();
  }

  /** What Zalo calls it, with the size of a moving picture, which messages have to tell. */
  String handle(String id) throws IOException {
    if (!kind.equals("gif")) {
      return kind + ":" + id;
    }
    try (InputStream bytes = Objects.requireNonNull(cargo.bytes()).open()) {
      ByteBuffer head = ByteBuffer.wrap(bytes.readNBytes(10)).order(ByteOrder.LITTLE_ENDIAN);
      boolean whole = head.limit() == 10;
      int width = whole ? head.getChar(6) : 1;
      int height = whole ? head.getChar(8) : 1;
      return kind + ":" + width + "x" + height + ":" + id;
    }
  }

  /** How a message names what was uploaded. */
  static Map<String, Object> attachment(PartFile cargo) {
    String handle = cargo.handle() == null ? "" : cargo.handle().value();
    int colon = handle.indexOf(':');
    String kind = handle.substring(0, Math.max(colon, 0));
    String id = handle.substring(colon + 1);
    return switch (kind) {
      case "file" -> Map.of("type", "file", "payload", Map.of("token", id));
      case "gif" -> {
        int end = id.indexOf(':');
        String[] size = id.substring(0, end).split("x");
        yield OaRequest.media(
            Map.of(
                "media_type", "gif",
                "attachment_id", id.substring(end + 1),
                "width", Integer.valueOf(size[0]),
                "height", Integer.valueOf(size[1])));
      }
      default -> OaRequest.media(Map.of("media_type", "image", "attachment_id", id));
    };
  }
}
