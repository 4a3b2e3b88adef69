package dev.postrider.jdbc.export;

import static dev.postrider.jdbc.export.ExportField.required;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.jdbc.export.ExportField.Account;
import dev.postrider.jdbc.export.ExportField.Json;
import dev.postrider.jdbc.inbound.InboundCodec;
import dev.postrider.jdbc.inbound.TurnEnds;
import dev.postrider.jdbc.message.Fingerprint;
import dev.postrider.jdbc.message.IncomingBytes;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Ordering;
import dev.postrider.message.Status;
import dev.postrider.store.StoreExport.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What stores keep in columns of their own, though an exported line says it elsewhere. */
final class ExportDerived {
  private ExportDerived() {}

  static void add(
      Kind kind, SqlExport store, Map<String, Object> line, Map<String, Object> values) {
    switch (kind) {
      case ACCOUNT -> values.put("account", new Account(required(line, "name")));
      case MESSAGE -> message(store, line, values);
      case INBOUND -> inbound(store, line, values);
      default -> {}
    }
  }

  private static byte @Nullable [] json(Map<String, Object> line, String name) {
    return line.get(name) instanceof Json(String text)
        ? text.getBytes(StandardCharsets.UTF_8)
        : null;
  }

  private static byte[] content(Map<String, Object> line) {
    byte[] content = json(line, "content");
    if (content == null) {
      throw new IllegalArgumentException("'content' is missing");
    }
    return content;
  }

  private static void message(
      SqlExport store, Map<String, Object> line, Map<String, Object> values) {
    MessageId id = MessageId.parse(required(line, "id"));
    Message message =
        MessageCodec.message(required(line, "account"), required(line, "chat"), content(line));
    Status status = Status.valueOf(required(line, "status").toUpperCase(Locale.ROOT));
    boolean active = !status.ended();
    values.put("active", store.flag(active));
    values.put(
        "flags",
        flag(line, "late", Values.LATE)
            | flag(line, "possibleDuplicate", Values.POSSIBLE_DUPLICATE)
            | flag(line, "scheduled", Values.SCHEDULED)
            | (message.ordering() == Ordering.FIFO ? 0 : Values.UNORDERED));
    values.put(
        "joins",
        store.flag(
            active
                && message.ordering() == Ordering.FIFO
                && !line.containsKey("place")
                && !line.containsKey("scheduled")));
    values.putIfAbsent("priority", Values.priority(message.priority()));
    put(store, values, "idem_key", message.idempotencyKey());
    values.put("keyed", store.flag(message.idempotencyKey() != null));
    put(store, values, "turn", message.turnId());
    put(store, values, "session", message.sessionId());
    put(store, values, "run", message.runId());
    InboundId turn = TurnEnds.of(message);
    if (turn != null) {
      values.put("turn_id", store.id(turn.value()));
    }
    boolean needsFiles = active || status.deadLetter();
    Set<String> files =
        needsFiles ? MessageCodec.plan(id, message, json(line, "plan")).hashes() : Set.<String>of();
    values.put(
        "files",
        files.stream().filter(IncomingBytes::isName).map(hash -> Map.of("hash", hash)).toList());
  }

  private static int flag(Map<String, Object> line, String name, int flag) {
    return line.containsKey(name) ? flag : 0;
  }

  private static void put(
      SqlExport store, Map<String, Object> values, String column, @Nullable String text) {
    if (text != null) {
      values.put(column, store.text(text));
    }
  }

  private static void inbound(
      SqlExport store, Map<String, Object> line, Map<String, Object> values) {
    boolean replays = line.containsKey("replayOf");
    String platformId = InboundCodec.arrival(content(line)).platformId();
    InboundStatus status = InboundStatus.valueOf(required(line, "status").toUpperCase(Locale.ROOT));
    values.put("active", store.flag(!status.ended()));
    values.put("name", store.id(Fingerprint.of(replays ? required(line, "id") : platformId)));
  }
}
