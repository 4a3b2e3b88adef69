package dev.postrider.channels.signal;

import dev.postrider.channels.Settings;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.process.ChildProcess;
import dev.postrider.channels.socket.LineSocket;
import dev.postrider.channels.socket.UnixLineSocket;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** One connection to signal-cli on which each line is a message. */
interface Lines extends AutoCloseable {
  String next() throws IOException, InterruptedException;

  void say(String line) throws IOException;

  @Override
  void close() throws IOException;

  /** Makes a connection. */
  @FunctionalInterface
  interface Opener {
    Lines open() throws IOException;
  }

  /** As the account's {@code socket} or {@code command} says. */
  static Opener opener(Settings settings, Secrets secrets, int longest) {
    List<String> command = settings.texts("command");
    if (!command.isEmpty()) {
      return () -> of(ChildProcess.start(command, Map.of(), secrets));
    }
    String address = settings.required("socket");
    Duration patience = settings.duration("connectTimeout", Duration.ofSeconds(10));
    if (address.startsWith("/")) {
      return () -> of(UnixLineSocket.connect(Path.of(address), longest));
    }
    int colon = address.lastIndexOf(':');
    if (colon < 1 || !address.substring(colon + 1).matches("\\d{1,5}")) {
      throw settings.wrong("socket", "is neither HOST:PORT nor a path that begins with /");
    }
    LineSocket.Peer peer =
        new LineSocket.Peer(
            address.substring(0, colon),
            Integer.parseInt(address.substring(colon + 1)),
            patience,
            longest);
    return () -> of(LineSocket.plain(peer));
  }

  private static Lines of(ChildProcess program) {
    return new Lines() {
      @Override
      public String next() throws IOException, InterruptedException {
        return program.next();
      }

      @Override
      public void say(String line) throws IOException {
        program.say(line);
      }

      @Override
      public void close() {
        program.close();
      }
    };
  }

  private static Lines of(UnixLineSocket socket) {
    return new Lines() {
      @Override
      public String next() throws IOException {
        return socket.next();
      }

      @Override
      public void say(String line) throws IOException {
        socket.say(line);
      }

      @Override
      public void close() throws IOException {
        socket.close();
      }
    };
  }

  private static Lines of(LineSocket socket) {
    return new Lines() {
      @Override
      public String next() throws IOException {
        String line = null;
        while (line == null) { // whoever pings finds out if nobody is there
          line = socket.next(Duration.ofDays(1));
        }
        return line;
      }

      @Override
      public void say(String line) throws IOException {
        socket.say(line);
      }

      @Override
      public void close() throws IOException {
        socket.close();
      }
    };
  }
}
