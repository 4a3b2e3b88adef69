package dev.postrider.channels.sidecar;

import dev.postrider.channels.http.Json;
import java.io.EOFException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A sidecar without a program: answers by the script, and records what it was asked. */
final class FakeSidecar implements Wire.Opener {
  static final String END = "end"; // in place of an answer: it ends
  private static final String OVER = "\0";

  final BlockingQueue<JsonNode> asked = new LinkedBlockingQueue<>();
  final AtomicInteger starts = new AtomicInteger();
  final AtomicInteger running = new AtomicInteger();
  final List<Integer> atOnce = new CopyOnWriteArrayList<>();
  private final Map<String, String> answers = new LinkedHashMap<>();
  private volatile @Nullable Run run;

  FakeSidecar() {
    when("hello", "{\"result\": {\"protocol\": 1, \"name\": \"fake\"}}");
    when("ping", "{\"result\": {}}");
  }

  /** Answers a method with the rest of a JSON-RPC answer; with nothing if that is empty. */
  synchronized FakeSidecar when(String method, String answer) {
    answers.put(method, answer);
    return this;
  }

  private synchronized String answer(String method) {
    return answers.getOrDefault(method, "");
  }

  /** Tells something by itself. */
  void tell(String method, String params) {
    current().out.add("{\"method\": \"" + method + "\", \"params\": " + params + "}");
  }

  void ready() {
    tell("state", "{\"state\": \"ready\", \"identity\": \"Ann\"}");
  }

  void say(String line) {
    current().out.add(line);
  }

  void end() {
    current().close();
  }

  private Run current() {
    Run now = run;
    if (now == null) {
      throw new AssertionError("it does not run");
    }
    return now;
  }

  @Override
  public Wire open() {
    starts.incrementAndGet();
    atOnce.add(running.incrementAndGet());
    Run started = new Run();
    run = started;
    return started;
  }

  private final class Run implements Wire {
    final BlockingQueue<String> out = new LinkedBlockingQueue<>();
    private boolean over;

    @Override
    public String next() throws IOException, InterruptedException {
      String line = out.take();
      if (line.equals(OVER)) {
        out.add(OVER);
        throw new EOFException("fake has ended with 0");
      }
      return line;
    }

    @Override
    public void say(String line) throws IOException {
      JsonNode request = Json.readObject(line);
      if (request == null) {
        throw new AssertionError("no JSON: " + line);
      }
      String answer = answer(request.path("method").asString());
      if (answer.equals(END)) {
        close();
      } else if (!answer.isEmpty()) {
        out.add("{\"id\": " + request.path("id") + ", " + answer.substring(1));
      }
      asked.add(request);
    }

    @Override
    public synchronized void close() {
      if (!over) {
        over = true;
        running.decrementAndGet();
        out.add(OVER);
      }
    }
  }
}
