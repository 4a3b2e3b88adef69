package dev.postrider.channels.telegram;

import dev.postrider.channel.FileHandle;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.message.Receipt;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads what Telegram delivered: the ids of the messages, and what it calls the files. */
final class TelegramReceipt {
  private TelegramReceipt() {}

  /**
   * @param result one message, or those of an album in the order of its files
   */
  static Outcome of(JsonNode result, List<PartFile> files) {
    List<JsonNode> messages = result.isArray() ? result.valueStream().toList() : List.of(result);
    String ids =
        messages.stream()
            .map(message -> message.path("message_id").asString(""))
            .collect(Collectors.joining(","));
    Map<String, FileHandle> handles = new LinkedHashMap<>();
    for (int i = 0; i < Math.min(files.size(), messages.size()); i++) {
      String hash = files.get(i).attachment().hash();
      String fileId = fileId(messages.get(i), TelegramRequest.kind(files.get(i).attachment()));
      if (hash != null && fileId != null) {
        handles.put(hash, FileHandle.of(fileId));
      }
    }
    return new Outcome.Delivered(new Receipt(ids, false), handles);
  }

  /**
   * The file's id under the name it was sent by. Telegram may see something else in the bytes (a
   * silent video is an animation to it) and answers under that name.
   */
  private static @Nullable String fileId(JsonNode message, String kind) {
    return Stream.of(kind, "animation", "video", "document", "audio", "voice")
        .map(message::path)
        .map(file -> file.isArray() ? file.path(file.size() - 1) : file) // the largest of a photo
        .map(file -> file.path("file_id").asString(""))
        .filter(id -> !id.isEmpty())
        .findFirst()
        .orElse(null);
  }
}
