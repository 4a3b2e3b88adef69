package dev.postrider.channels.webhook;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.http.Json;
import dev.postrider.message.Attachment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is posted for one part: the same bytes on every try. */
final class WebhookPayload {
  private WebhookPayload() {}

  static byte[] of(Dispatch dispatch) throws IOException {
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("id", dispatch.id().toString());
    data.put("account", dispatch.message().account());
    data.put("to", dispatch.to());
    data.put("text", dispatch.text());
    data.put("format", dispatch.message().format().name().toLowerCase(Locale.ROOT));
    data.put("media", media(dispatch.cargo()));
    data.put("threadId", dispatch.threadId());
    data.put("replyToId", dispatch.replyToId());
    data.put("silent", dispatch.silent());
    data.put("metadata", dispatch.message().metadata());
    data.put("channelData", dispatch.channelData());
    data.put("part", dispatch.index() + 1);
    data.put("parts", dispatch.plan().parts().size());
    Map<String, Object> payload = new LinkedHashMap<>();
    payload.put("type", "message");
    payload.put("timestamp", dispatch.id().givenAt().toString());
    payload.put("data", data);
    return Json.write(payload).getBytes(StandardCharsets.UTF_8);
  }

  private static List<Map<String, Object>> media(List<PartFile> files) throws IOException {
    List<Map<String, Object>> media = new ArrayList<>();
    for (PartFile cargo : files) {
      Attachment file = cargo.attachment();
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("kind", file.kind().label());
      if (file.filename() != null) {
        one.put("filename", file.filename());
      }
      if (cargo.bytes() == null) {
        one.put("url", file.url());
      } else {
        one.put("type", String.valueOf(file.type()));
        one.put("size", cargo.bytes().size());
        one.put("content", base64(cargo.bytes()));
      }
      media.add(one);
    }
    return media;
  }

  private static String base64(PartFile.Bytes bytes) throws IOException {
    try (InputStream in = bytes.open()) {
      return Base64.getEncoder().encodeToString(in.readAllBytes());
    }
  }
}
