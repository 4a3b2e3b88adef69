package dev.postrider.channels.signal;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.signal.Daemon.Reply;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.time.Scheduler;
import dev.postrider.time.SystemScheduler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Fetches files that signal-cli has downloaded: from its folder, or by asking it.
 *
 * @param folder where signal-cli keeps them; null to ask
 */
record SignalInboundFiles(@Nullable Path folder, String number, Function<Scheduler, Daemon> daemon)
    implements InboundFiles {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}");

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    String id = message.media().get(index).id();
    if (id == null || !ID.matcher(id).matches()) {
      throw new Unavailable(Why.GONE, "signal-cli has not said what it calls the file");
    }
    return folder == null ? asked(message, id) : read(folder.resolve(id));
  }

  private static Opened read(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw new Unavailable(
          Why.GONE, "signal-cli's folder does not have the file any more, or it cannot be read");
    }
    return new Opened(Files.newInputStream(file), Files.size(file));
  }

  private Opened asked(InboundMessage message, String id) throws IOException {
    Map<String, Object> params = new LinkedHashMap<>();
    params.put("account", number);
    params.put("id", id);
    SignalAddress.put(message.chat(), params);
    try (SystemScheduler time = new SystemScheduler();
        Daemon signal = daemon.apply(time)) {
      return switch (signal.askOnce("getAttachment", params)) {
        case Reply.Said(JsonNode result) -> decoded(result);
        case Reply.Refused(_, String said, _) ->
            throw new Unavailable(Why.GONE, "signal-cli does not give the file: " + said);
        case Reply.Failed _ ->
            throw new Unavailable(
                Why.UNREACHABLE, "signal-cli does not answer, or the file is too large for it");
      };
    }
  }

  private static Opened decoded(JsonNode result) throws IOException {
    String data = Json.text(result, "data");
    try {
      byte[] bytes = Base64.getDecoder().decode(data == null ? "" : data);
      return new Opened(new ByteArrayInputStream(bytes), bytes.length);
    } catch (IllegalArgumentException e) {
      throw new Unavailable(Why.GONE, "signal-cli's answer is no file");
    }
  }
}
