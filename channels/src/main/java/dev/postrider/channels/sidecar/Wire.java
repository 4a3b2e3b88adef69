package dev.postrider.channels.sidecar;

import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.process.ChildProcess;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What carries the lines to and from a sidecar. */
interface Wire extends AutoCloseable {
  String next() throws IOException, InterruptedException;

  void say(String line) throws IOException;

  @Override
  void close();

  /** Starts a sidecar. */
  @FunctionalInterface
  interface Opener {
    Wire open() throws IOException;
  }

  /** A program of ours; what it must keep secret goes over the wire, never into its arguments. */
  static Opener program(List<String> command) {
    return () -> {
      ChildProcess child = ChildProcess.start(command, Map.of(), Secrets.of());
      return new Wire() {
        @Override
        public String next() throws IOException, InterruptedException {
          return child.next();
        }

        @Override
        public void say(String line) throws IOException {
          child.say(line);
        }

        @Override
        public void close() {
          child.close();
        }
      };
    };
  }
}
