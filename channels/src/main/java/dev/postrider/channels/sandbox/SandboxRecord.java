package dev.postrider.channels.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.http.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A file to which each delivery is added, a line of JSON each, before its sender hears of it: a
 * platform that outlives the process, even if that is killed. Belongs to its inbox.
 */
record SandboxRecord(Path file) {
  /** Tells the key and the id of each delivery before; what a kill has cut off is not one. */
  void read(BiConsumer<String, String> delivered) {
    if (!Files.exists(file)) {
      return;
    }
    try (BufferedReader lines = Files.newBufferedReader(file, UTF_8)) {
      for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode one = Json.readObject(line);
        String key = one == null ? null : Json.text(one, "key");
        if (one != null && key != null) {
          delivered.accept(key, String.valueOf(Json.text(one, "platformId")));
        }
      }
      append("\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void add(SandboxDelivery delivery) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("at", delivery.at().toString());
    line.put("platformId", delivery.platformId());
    line.put("chat", delivery.chat());
    line.put("text", delivery.text() == null ? "" : delivery.text());
    line.put("key", delivery.key());
    append(Json.write(line) + "\n");
  }

  private void append(String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
