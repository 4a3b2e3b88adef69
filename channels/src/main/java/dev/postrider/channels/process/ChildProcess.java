package dev.postrider.channels.process;

import dev.postrider.channels.http.Secrets;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program that runs as long as somebody listens to it: a link starts it in {@code listen} and
 * closes it there, so that the engine starts it anew, after a pause that grows, whenever it ends.
 * It does not outlive this process, however that ends: whoever comes next must not meet it. What it
 * writes to its standard error goes to the log, without secrets. Thread-safe.
 */
public final class ChildProcess implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ChildProcess.class);
  private static final Duration TO_LEAVE = Duration.ofSeconds(5);
  private static final int LONGEST_LINE = 16 << 20;
  private static final int LONGEST_LOG_LINE = 2_000;

  /** What it has written and nobody has read; it waits when there is much. */
  private static final int UNREAD = 1_000;

  /**
   * Waits for a word. If we end without one, our end of the pipe closes, and it ends the program
   * and what that has started: a program may be deaf to the end of its own input.
   */
  private static final String GUARD =
      """
      trap '' HUP INT TERM
      read -r released || kill -KILL $(pgrep -P "$1" 2>/dev/null) "$1" 2>/dev/null
      """;

  private final String name;
  private final Process process;
  private final Process guard;
  private final OutputStream in;
  private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>(UNREAD);

  private ChildProcess(String name, Process process, Process guard, Secrets secrets) {
    this.name = name;
    this.process = process;
    this.guard = guard;
    in = process.getOutputStream();
    // Pipes cannot be interrupted, so others read them; both end when the process does.
    Thread.ofVirtual().name(name + " out").start(this::readLines);
    Thread.ofVirtual().name(name + " err").start(() -> logLines(secrets));
  }

  /**
   * Starts a program.
   *
   * @param command its file and arguments, which other users of the machine can see: no secrets
   * @param environment what it gets beside ours; secrets may be here
   */
  public static ChildProcess start(
      List<String> command, Map<String, String> environment, Secrets secrets) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    Process process = null;
    try {
      process = builder.start();
      return new ChildProcess(command.getFirst(), process, guard(process), secrets);
    } catch (IOException e) {
      if (process != null) {
        process.destroyForcibly();
      }
      throw new IOException(
          secrets.scrub(command.getFirst() + " cannot be started: " + e.getMessage()));
    }
  }

  private static Process guard(Process process) throws IOException {
    return new ProcessBuilder("/bin/sh", "-c", GUARD, "sh", Long.toString(process.pid()))
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.DISCARD)
        .start();
  }

  private void readLines() {
    try (InputStream out = process.getInputStream()) {
      BufferedReader reader =
          new BufferedReader(new InputStreamReader(out, StandardCharsets.UTF_8));
      for (String line = line(reader); line != null; line = line(reader)) {
        lines.put(Optional.of(line));
      }
    } catch (IOException e) {
      log.debug("{}: {}", name, e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end();
    }
  }

  /** Says that nothing more comes, also where there is no room to say so: what waits is dropped. */
  private void end() {
    while (!lines.offer(Optional.empty())) {
      lines.poll();
    }
  }

  private static @Nullable String line(BufferedReader reader) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = reader.read(); c >= 0; c = reader.read()) {
      if (c == '\n') {
        return line.toString().strip();
      }
      line.append((char) c);
      if (line.length() > LONGEST_LINE) {
        throw new IOException("a line without an end");
      }
    }
    return null;
  }

  private void logLines(Secrets secrets) {
    try (BufferedReader err =
        new BufferedReader(
            new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      for (String line = line(err); line != null; line = line(err)) {
        String shown = secrets.scrub(line.substring(0, Math.min(line.length(), LONGEST_LOG_LINE)));
        log.info("{}: {}", name, shown);
      }
    } catch (IOException e) {
      log.debug("{}: {}", name, e.getMessage());
    }
  }

  /**
   * The next line it writes.
   *
   * @throws EOFException once it has ended
   */
  public String next() throws IOException, InterruptedException {
    Optional<String> line = lines.take();
    if (line.isEmpty()) {
      end(); // for whoever asks again
      boolean gone = process.waitFor(TO_LEAVE.toMillis(), TimeUnit.MILLISECONDS);
      throw new EOFException(
          name + (gone ? " has ended with " + process.exitValue() : " says nothing any more"));
    }
    return line.get();
  }

  /** Writes it a line. */
  public synchronized void say(String line) throws IOException {
    in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Ends it and whatever it has started: first with a request, then without, at once if whoever
   * does so is interrupted meanwhile. It has ended when this returns, whoever else ends it.
   */
  @Override
  public void close() {
    List<ProcessHandle> all = process.descendants().toList();
    boolean interrupted = Thread.interrupted(); // an account that stops still lets it end in peace
    process.destroy();
    try {
      if (!process.waitFor(TO_LEAVE.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      interrupted = true;
      process.destroyForcibly();
    }
    all.forEach(ProcessHandle::destroyForcibly);
    release();
    // Nobody resists what was sent last, but a disk that is away may delay it.
    process.onExit().completeOnTimeout(process, TO_LEAVE.toMillis(), TimeUnit.MILLISECONDS).join();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** After the program has ended: its number may soon be another's. */
  private void release() {
    try (OutputStream word = guard.getOutputStream()) {
      word.write('\n');
    } catch (IOException e) {
      log.debug("{}: its guard is gone: {}", name, e.getMessage());
    }
  }
}
