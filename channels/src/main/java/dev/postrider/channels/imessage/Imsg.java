package dev.postrider.channels.imessage;

import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.process.ChildProcess;
import dev.postrider.channels.process.JsonRpc;
import dev.postrider.channels.process.JsonRpc.Answer;
import dev.postrider.channels.process.JsonRpc.Notification;
import dev.postrider.time.Scheduler;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A running {@code imsg rpc}. It works on one request after the other, so one that it does not
 * answer holds up all that follow: then it has to go. Thread-safe; one reads.
 */
final class Imsg implements AutoCloseable {
  private final ChildProcess process;
  private final JsonRpc rpc;
  private volatile @Nullable IOException failure;

  private Imsg(ChildProcess process, Scheduler time) {
    this.process = process;
    rpc = new JsonRpc(process::say, time);
  }

  static Imsg start(List<String> command, Scheduler time) throws IOException {
    return new Imsg(ChildProcess.start(command, Map.of(), Secrets.of()), time);
  }

  /** Asks, and waits for the answer; whoever gets none in time ends the program. */
  Answer call(String method, Map<String, ?> params, Duration patience) {
    try {
      Answer answer = rpc.call(method, params, patience);
      if (answer instanceof Answer.Unknown(String cause)) {
        fail(new IOException(cause));
      }
      return answer;
    } catch (Scheduler.Interrupted e) {
      fail(new IOException("nobody waited for an answer to " + method));
      throw e;
    }
  }

  /**
   * Reads the next line.
   *
   * @return what it told by itself; null for an answer
   * @throws IOException once it has ended, with the reason if there is a better one
   */
  @Nullable Notification next() throws IOException, InterruptedException {
    try {
      return rpc.heard(process.next());
    } catch (EOFException e) {
      IOException known = failure;
      throw known == null ? e : known;
    }
  }

  /** Ends it for a reason. */
  void fail(IOException reason) {
    synchronized (this) {
      failure = failure == null ? reason : failure;
    }
    end(String.valueOf(reason.getMessage()));
  }

  private void end(String cause) {
    rpc.lost(cause);
    process.close();
  }

  @Override
  public void close() {
    end("imsg was ended");
  }
}
