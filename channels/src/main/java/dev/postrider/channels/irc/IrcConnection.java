package dev.postrider.channels.irc;

import dev.postrider.channels.socket.LineSocket;
import dev.postrider.channels.socket.PendingAnswers;
import dev.postrider.channels.socket.PendingAnswers.End;
import dev.postrider.channels.socket.PendingAnswers.Question;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection, and what the server answers to each command on it.
 *
 * <p>With labels (IRCv3 labeled-response) an answer names its command. Without them a PING follows
 * each command. The server works in the order in which it reads, so its PONG proves that the
 * command was read, and what it refused between the PONG before and this one it refused of this
 * command.
 *
 * <p>One thread reads; asking is thread-safe.
 */
final class IrcConnection implements AutoCloseable {
  private static final int LONGEST = 16 << 10;
  private static final String FENCE = "read-";

  /** How a command ended. */
  sealed interface Reply {
    /** What the server said to it, in order; empty if that was nothing. */
    record Said(List<IrcMessage> all) implements Reply {}

    /** It went out, and no answer came. */
    record Open(String cause) implements Reply {}

    /** It did not go out. */
    record Unsent(String cause) implements Reply {}
  }

  /** A command and the tags it has. A command may have several lines. */
  record Command(Map<String, String> tags, List<String> lines) {
    static Command of(String line) {
      return new Command(Map.of(), List.of(line));
    }
  }

  /** A command that waits for its PONG, and what was refused meanwhile. */
  private record Fence(String id, List<IrcMessage> said) {}

  private final LineSocket socket;
  private final Scheduler time;
  private final Duration patience;
  private final PendingAnswers<List<IrcMessage>> pending;
  private final Deque<Fence> fences = new ArrayDeque<>(); // guarded by itself

  /** Commands go out whole, and in the order of their fences. */
  private final ReentrantLock writing = new ReentrantLock();

  private volatile @Nullable String ended;

  private IrcConnection(LineSocket socket, Scheduler time, Duration patience) {
    this.socket = socket;
    this.time = time;
    this.patience = patience;
    pending = new PendingAnswers<>(time);
  }

  static IrcConnection open(IrcSettings settings, Scheduler time) throws IOException {
    LineSocket.Peer peer =
        new LineSocket.Peer(settings.host(), settings.port(), settings.connectTimeout(), LONGEST);
    LineSocket socket =
        settings.secure() ? LineSocket.tls(peer, settings.tls()) : LineSocket.plain(peer);
    return new IrcConnection(socket, time, settings.timeout());
  }

  /** Says something to which no answer is awaited. */
  void say(String line) throws IOException {
    writing.lock();
    try {
      write(line);
    } finally {
      writing.unlock();
    }
  }

  /** A peer that reads nothing any more must not keep us: then the connection is over. */
  private void write(String line) throws IOException {
    Scheduler.Timer limit = time.after(patience, this::close);
    try {
      socket.say(line);
    } finally {
      limit.cancel();
    }
  }

  /**
   * Says something and waits for the answer.
   *
   * @param labels whether the server answers by label
   * @throws Scheduler.Interrupted if the task is interrupted while it waits
   */
  Reply ask(Command command, boolean labels) {
    try {
      writing.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply.Unsent("interrupted");
    }
    Question<List<IrcMessage>> question;
    try {
      String cause = ended;
      if (cause != null) {
        return new Reply.Unsent(cause);
      }
      question = pending.ask(patience);
      write(command, question.id(), labels);
    } catch (IOException e) {
      // Whoever reads finds out, after what the server still had to say.
      return new Reply.Open("the connection broke while it was being written to");
    } finally {
      writing.unlock();
    }
    return switch (time.await(question.end())) {
      case End.Answered<List<IrcMessage>>(List<IrcMessage> said) -> new Reply.Said(said);
      case End.TimedOut<List<IrcMessage>> _ -> new Reply.Open("the server did not answer in time");
      case End.Lost<List<IrcMessage>>(String cause) -> new Reply.Open(cause);
    };
  }

  private void write(Command command, String id, boolean labels) throws IOException {
    Map<String, String> tags = new LinkedHashMap<>(command.tags);
    if (labels) {
      tags.put("label", id);
    } else {
      synchronized (fences) {
        fences.add(new Fence(FENCE + id, new ArrayList<>()));
      }
    }
    write(IrcMessage.tagged(tags, command.lines.getFirst()));
    for (String line : command.lines.subList(1, command.lines.size())) {
      write(line);
    }
    if (!labels) {
      write(IrcMessage.line("PING", FENCE + id));
    }
  }

  /** What the server says next. Asks for a sign of life if it says nothing for so long. */
  IrcMessage next(Duration idle) throws IOException {
    while (true) {
      IrcMessage message = IrcMessage.parse(socket.nextKeptAlive(idle, "PING :alive"));
      if (message != null) {
        return message;
      }
    }
  }

  /** Gives the answer that the server gave by label. */
  void answer(String label, List<IrcMessage> said) {
    pending.answered(label, said);
  }

  /** The PONG that stands behind a command. */
  void pong(String token) {
    List<Fence> passed = new ArrayList<>();
    synchronized (fences) {
      if (fences.stream().noneMatch(fence -> fence.id.equals(token))) {
        return;
      }
      do {
        passed.add(fences.remove());
      } while (!passed.getLast().id.equals(token));
    }
    for (Fence fence : passed) {
      pending.answered(fence.id.substring(FENCE.length()), fence.said);
    }
  }

  /** What the server said without a label: it belongs to the command whose PONG comes next. */
  void said(IrcMessage message) {
    synchronized (fences) {
      Fence first = fences.peek();
      if (first != null) {
        first.said.add(message);
      }
    }
  }

  /** Ends the connection, and with it all that waits for an answer. */
  void end(String cause) {
    ended = cause;
    close();
    pending.lost(cause);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed all the same.
    }
  }
}
