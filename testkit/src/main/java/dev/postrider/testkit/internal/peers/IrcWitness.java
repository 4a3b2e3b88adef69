package dev.postrider.testkit.internal.peers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Another client on an IRC server: what it hears is what really arrived. */
public final class IrcWitness implements AutoCloseable {
  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(5);

  private final Socket socket;
  private final String nick;
  private final List<String> heard = new ArrayList<>(); // guarded by this

  /** Enters the server and is in these channels when it returns. */
  public IrcWitness(int port, String nick, String... channels)
      throws IOException, InterruptedException {
    this.nick = nick;
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    Thread.ofVirtual().start(this::listen);
    say("CAP REQ :message-tags");
    say("NICK " + nick);
    say("USER " + nick + " 0 * :" + nick);
    say("CAP END");
    await(line -> line.contains(" 376 ") || line.contains(" 422 "));
    for (String channel : channels) {
      say("JOIN " + channel);
      await(line -> line.contains(" 366 " + nick + " " + channel + " "));
    }
  }

  private void listen() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.contains("PING ")) {
          say(line.replaceFirst(".*PING ", "PONG "));
        }
        synchronized (this) {
          heard.add(line);
          notifyAll();
        }
      }
    } catch (IOException e) {
      // gone
    }
  }

  /** Says a line of IRC. */
  public void say(String line) throws IOException {
    socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Waits until such a line was heard, and gives it. */
  public synchronized String await(Predicate<String> line) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE;
    while (true) {
      for (String each : heard) {
        if (line.test(each)) {
          return each;
        }
      }
      if (System.nanoTime() > end) {
        throw new AssertionError(nick + " never heard it, but " + heard);
      }
      wait(1000);
    }
  }

  /** Waits until all that was said before is heard. */
  public void sync() throws IOException, InterruptedException {
    String token = "sync-" + System.nanoTime();
    say("PING " + token);
    await(line -> line.contains("PONG") && line.endsWith(token));
  }

  /** What was said where, by anybody, in order. */
  public synchronized List<String> said(String target) {
    String before = " PRIVMSG " + target + " :";
    return heard.stream()
        .filter(line -> line.contains(before))
        .map(line -> line.substring(line.indexOf(before) + before.length()))
        .toList();
  }

  /** The lines that were heard and are such, in order. */
  public synchronized List<String> heard(Predicate<String> line) {
    return heard.stream().filter(line).toList();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
