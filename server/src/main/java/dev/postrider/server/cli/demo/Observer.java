package dev.postrider.server.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Failure;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares what was accepted with what the sandbox has recorded as arrived. */
final class Observer {
  private final Path record;
  private final Map<String, Integer> accepted;
  private final Map<String, Integer> arrived = new HashMap<>(); // the last number of each chat
  private long read;
  private int delivered;
  private int outOfOrder;
  private int repeated;
  private long retried;
  private long retriedBefore; // by servers that were killed

  /**
   * @param accepted how many messages of each chat, as it grows
   */
  Observer(Path record, Map<String, Integer> accepted) {
    this.record = record;
    this.accepted = accepted;
  }

  /**
   * How it goes.
   *
   * @param lost accepted, not arrived, and given up
   */
  record Figures(
      int accepted, int delivered, long retried, long lost, int outOfOrder, int repeated) {
    int waiting() {
      return accepted - delivered;
    }

    boolean isRight() {
      return waiting() == 0 && lost == 0 && outOfOrder == 0 && repeated == 0;
    }

    @Override
    public String toString() {
      return ("accepted %,d, delivered %,d, waiting %,d, retried %,d, lost %,d, out of order %,d,"
              + " repeated %,d")
          .formatted(accepted, delivered, waiting(), retried, lost, outOfOrder, repeated);
    }
  }

  Figures look(Client client) throws IOException {
    readRecord();
    long lost = 0;
    try {
      JsonNode stats = client.get("/v1/stats");
      retried = stats.path("retried").asLong();
      lost = stats.path("deadLetters").asLong();
    } catch (Failure e) {
      // between a kill and the next start: the figures are those from before
    }
    int all = accepted.values().stream().mapToInt(Integer::intValue).sum();
    return new Figures(all, delivered, retriedBefore + retried, lost, outOfOrder, repeated);
  }

  /** A server that starts counts from 0. */
  void killed() {
    retriedBefore += retried;
    retried = 0;
  }

  private void readRecord() throws IOException {
    if (!Files.exists(record)) {
      return;
    }
    byte[] fresh;
    try (RandomAccessFile file = new RandomAccessFile(record.toFile(), "r")) {
      file.seek(read);
      fresh = new byte[(int) (file.length() - read)];
      file.readFully(fresh);
    }
    int end = fresh.length;
    while (end > 0 && fresh[end - 1] != '\n') {
      end--; // a line that is being written
    }
    read += end;
    new String(fresh, 0, end, UTF_8).lines().filter(line -> !line.isBlank()).forEach(this::arrived);
  }

  private void arrived(String line) {
    JsonNode delivery;
    try {
      delivery = JsonMapper.shared().readTree(line);
    } catch (JacksonException e) {
      return; // cut off by a kill: its sender never heard of it, and it comes again
    }
    String chat = delivery.path("chat").asString();
    String text = delivery.path("text").asString();
    int number = Integer.parseInt(text.substring(0, text.indexOf(':')));
    int last = arrived.getOrDefault(chat, 0);
    if (number <= last) {
      repeated++;
      return;
    }
    outOfOrder += number == last + 1 ? 0 : 1;
    delivered++;
    arrived.put(chat, number);
  }
}
