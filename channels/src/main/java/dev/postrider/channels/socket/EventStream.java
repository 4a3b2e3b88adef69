package dev.postrider.channels.socket;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads Server-Sent Events as the HTML standard describes them. Comments, which servers send to
 * keep a connection alive, are passed by. For one thread.
 */
public final class EventStream implements AutoCloseable {

  /**
   * One event.
   *
   * @param id how far the stream is read with it, to go on from there; null if it never said
   * @param type {@code message} unless it says otherwise
   */
  public record Event(@Nullable String id, String type, String data) {}

  private final BufferedReader in;
  private final int longest;
  private @Nullable String lastId;
  private @Nullable Duration retry;
  private boolean atStart = true;
  private boolean afterReturn;

  /**
   * @param longest characters that an event may have
   */
  public EventStream(InputStream body, int longest) {
    in = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    this.longest = longest;
  }

  /** What comes next; null at the end of the stream, with which an unfinished event is lost. */
  public @Nullable Event next() throws IOException {
    StringBuilder data = new StringBuilder();
    String type = "";
    boolean any = false;
    for (String line = line(); line != null; line = line()) {
      if (line.isEmpty()) {
        if (any) {
          return new Event(lastId, type.isEmpty() ? "message" : type, data.toString());
        }
        type = "";
        continue;
      }
      int colon = line.indexOf(':');
      String field = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : line.substring(colon + 1);
      value = value.startsWith(" ") ? value.substring(1) : value;
      switch (field) {
        case "data" -> {
          data.append(any ? "\n" : "").append(value);
          any = true;
        }
        case "event" -> type = value;
        case "id" -> lastId = value.indexOf('\0') < 0 ? value : lastId;
        case "retry" ->
            retry = value.matches("\\d{1,9}") ? Duration.ofMillis(Long.parseLong(value)) : retry;
        default -> {} // a comment, or something new
      }
      if (data.length() > longest) {
        throw new IOException("the stream has an event without an end");
      }
    }
    return null;
  }

  /** Like a reader's, but bounded: a line that never ends must not fill the memory. */
  private @Nullable String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      boolean second = c == '\n' && afterReturn;
      afterReturn = c == '\r';
      if (second || (atStart && c == '\ufeff')) { // half an end of a line; a byte order mark
        atStart = false;
        continue;
      }
      atStart = false;
      if (c == '\n' || c == '\r') {
        return line.toString();
      }
      line.append((char) c);
      if (line.length() > longest) {
        throw new IOException("the stream has a line without an end");
      }
    }
    return null;
  }

  /** How long the server wants to be left alone before the next connection; null if it says not. */
  public @Nullable Duration retry() {
    return retry;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
