package dev.postrider.channels.socket;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Turns a connection into a WebSocket (RFC 6455, section 4.1). */
final class WebSocketHandshake {
  private static final String OF_THE_PROTOCOL = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int LONGEST_ANSWER = 32 << 10;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final URI address;
  private final Map<String, String> headers;
  private final String key;

  WebSocketHandshake(URI address, Map<String, String> headers) {
    this.address = address;
    this.headers = headers;
    byte[] random = new byte[16];
    RANDOM.nextBytes(random);
    key = Base64.getEncoder().encodeToString(random);
  }

  byte[] request() {
    String path = address.getRawPath();
    StringBuilder text = new StringBuilder("GET ");
    text.append(path == null || path.isEmpty() ? "/" : path);
    if (address.getRawQuery() != null) {
      text.append('?').append(address.getRawQuery());
    }
    text.append(" HTTP/1.1\r\nHost: ").append(address.getHost());
    if (address.getPort() >= 0) {
      text.append(':').append(address.getPort());
    }
    text.append("\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13");
    text.append("\r\nSec-WebSocket-Key: ").append(key).append("\r\n");
    headers.forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Reads the answer, and not a byte of what comes behind it. */
  void readAnswer(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
      int b = in.read();
      if (b < 0) {
        throw new EOFException("no answer");
      }
      if (head.length() >= LONGEST_ANSWER) {
        throw new IOException("an answer without an end");
      }
      head.append((char) b);
    }
    String[] lines = head.toString().split("\r\n");
    String[] status = lines[0].split(" ", 3);
    if (status.length < 2 || !status[0].startsWith("HTTP/1.") || !status[1].matches("\\d{3}")) {
      throw new IOException("no answer of a web server");
    }
    Map<String, String> fields = new HashMap<>();
    for (int i = 1; i < lines.length; i++) {
      String[] field = lines[i].split(":", 2);
      fields.put(field[0].toLowerCase(Locale.ROOT), field.length < 2 ? "" : field[1].strip());
    }
    if (!status[1].equals("101")) {
      throw new IOException("status " + status[1] + " instead of a socket");
    }
    if (!accepted().equals(fields.get("sec-websocket-accept"))) {
      throw new IOException("it does not speak WebSocket");
    }
  }

  private String accepted() {
    try {
      byte[] text = (key + OF_THE_PROTOCOL).getBytes(StandardCharsets.US_ASCII);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
