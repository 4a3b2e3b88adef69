package dev.postrider.jdbc.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.jdbc.export.ExportField.Json;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Message;
import dev.postrider.store.ImportReceipt;
import dev.postrider.store.ImportedMessage;
import dev.postrider.store.StoreExport.Kind;
import dev.postrider.store.message.NewMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What comes from another queue, as the lines that an export would have of it. */
final class ImportedLines {
  private ImportedLines() {}

  static String of(ImportReceipt receipt) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", receipt.name());
    fields.put("size", receipt.size());
    fields.put("hash", receipt.sha256());
    fields.put("at", receipt.at());
    return ExportJson.write(Kind.IMPORT_RECEIPT, fields);
  }

  /** Without a place: a queued message joins the end of its lane. */
  static String of(ImportedMessage imported) {
    NewMessage entry = imported.message();
    Message message = entry.message();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", entry.id());
    fields.put("account", message.account());
    fields.put("chat", message.to());
    fields.put("status", imported.status().label());
    fields.put("attempts", (long) imported.attempts());
    fields.put("reservation", (long) imported.attempts());
    if (entry.possibleDuplicate()) {
      fields.put("possibleDuplicate", true);
    }
    fields.put("createdAt", entry.createdAt());
    fields.put("dueAt", entry.dueAt());
    fields.put("expiresAt", entry.expiresAt());
    put(fields, "triedAt", imported.triedAt());
    put(fields, "endedAt", imported.endedAt());
    put(fields, "progress", json(MessageCodec.progress(entry.progress())));
    put(fields, "error", imported.error());
    put(fields, "reason", imported.reason());
    put(fields, "content", json(MessageCodec.content(message)));
    put(fields, "plan", json(MessageCodec.plan(entry.id(), message, entry.plan())));
    HistoryEntry last = imported.lastAttempt();
    if (last != null) {
      fields.put("history", List.of(of(last)));
    }
    return ExportJson.write(Kind.MESSAGE, fields);
  }

  private static Map<String, Object> of(HistoryEntry entry) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("at", entry.at());
    fields.put("attempt", (long) entry.attempt());
    fields.put("part", (long) entry.part());
    fields.put("outcome", entry.outcome());
    put(fields, "error", entry.error());
    put(fields, "nextAt", entry.nextAt());
    return fields;
  }

  private static @Nullable Json json(byte @Nullable [] stored) {
    return stored == null ? null : new Json(new String(stored, UTF_8));
  }

  private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, value);
    }
  }
}
