package dev.postrider.channels.email;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A mail server on the loopback address that answers each command as the test likes: by its verb,
 * {@code HELLO} for the greeting and {@code .} for the end of a letter.
 */
final class FakeSmtp implements AutoCloseable {
  private static final Map<String, String> POLITE =
      Map.of(
          "HELLO", "220 fake",
          "EHLO", "250-fake\r\n250-AUTH PLAIN LOGIN\r\n250 DSN",
          "STARTTLS", "220 go on",
          "AUTH", "235 2.7.0 welcome",
          "DATA", "354 go on",
          ".", "250 2.0.0 queued as 1",
          "QUIT", "221 bye");

  private final ServerSocket listener;
  private final Set<Socket> callers = ConcurrentHashMap.newKeySet();
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final Set<String> silent = ConcurrentHashMap.newKeySet();
  private final Map<String, Duration> slow = new ConcurrentHashMap<>();
  private final Set<String> last = ConcurrentHashMap.newKeySet();
  private final List<String> commands = new CopyOnWriteArrayList<>();
  private final List<String> letters = new CopyOnWriteArrayList<>();

  private final @Nullable SSLContext tls;

  FakeSmtp() throws IOException {
    this(null);
  }

  /** Knows STARTTLS if there is something to do it with. */
  FakeSmtp(@Nullable SSLContext tls) throws IOException {
    this.tls = tls;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Answers a verb with this from now on. */
  FakeSmtp answer(String verb, String text) {
    answers.put(verb, text);
    return this;
  }

  /** Closes the connection after a verb, without an answer unless one was given. */
  FakeSmtp hangUpAfter(String verb) {
    last.add(verb);
    return this;
  }

  /** Takes its time over a verb. */
  FakeSmtp stall(String verb, Duration time) {
    slow.put(verb, time);
    return this;
  }

  /** Never answers a verb. */
  FakeSmtp ignore(String verb) {
    silent.add(verb);
    return this;
  }

  List<String> commands() {
    return commands;
  }

  /** The letters that arrived whole, whatever became of the answer. */
  List<String> letters() {
    return letters;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket caller = listener.accept();
        callers.add(caller);
        Thread.startVirtualThread(() -> serve(caller, true));
      } catch (IOException e) {
        if (!listener.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private static Socket secured(SSLContext tls, Socket caller) throws IOException {
    SSLSocket secured = (SSLSocket) tls.getSocketFactory().createSocket(caller, null, true);
    secured.setUseClientMode(false);
    return secured;
  }

  private void serve(Socket caller, boolean greet) {
    try (caller) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(caller.getInputStream(), StandardCharsets.ISO_8859_1));
      boolean on = !greet || reply("HELLO", caller.getOutputStream());
      for (String line = on ? in.readLine() : null; line != null; line = in.readLine()) {
        commands.add(line);
        String verb = line.split(" ")[0].toUpperCase(Locale.ROOT);
        if (!reply(verb, caller.getOutputStream())) {
          return;
        }
        if (verb.equals("STARTTLS") && tls != null) {
          serve(secured(tls, caller), false);
          return;
        }
        if (verb.equals("DATA") && !answers.containsKey("DATA")) {
          letters.add(letter(in));
          if (!reply(".", caller.getOutputStream())) {
            return;
          }
        }
      }
    } catch (IOException _) {
      // The caller went away, which is its right.
    }
  }

  private boolean reply(String verb, OutputStream out) throws IOException {
    boolean hangUp = last.contains(verb);
    LockSupport.parkNanos(slow.getOrDefault(verb, Duration.ZERO).toNanos());
    String text = answers.get(verb);
    if (!silent.contains(verb) && (text != null || !hangUp)) {
      String said = text == null ? POLITE.getOrDefault(verb, "250 ok") : text;
      out.write((said + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }
    return !hangUp;
  }

  private static String letter(BufferedReader in) throws IOException {
    StringBuilder letter = new StringBuilder();
    for (String line = in.readLine(); !".".equals(line); line = in.readLine()) {
      if (line == null) {
        throw new IOException("cut off");
      }
      letter.append(line.startsWith(".") ? line.substring(1) : line).append("\r\n");
    }
    return letter.toString();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket caller : callers) {
      caller.close();
    }
  }
}
