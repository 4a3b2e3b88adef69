package dev.postrider.channels.irc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ServerSocketFactory;

/**
 * A network of one server that does as it is told: by itself it greets, lets in, and echoes where
 * that was agreed; rules come before. It records what it read.
 */
final class FakeIrc implements AutoCloseable {
  static final String[] MODERN = {
    "labeled-response", "echo-message", "message-tags", "batch", "server-time", "cap-notify"
  };

  /** What to answer to lines like this; {@code CLOSE} hangs up. */
  private record Rule(Pattern line, List<String> answers, boolean once) {}

  private final ServerSocket server;
  private final List<String> capabilities;
  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private final List<Client> clients = new CopyOnWriteArrayList<>();
  private final List<String> heard = new ArrayList<>(); // guarded by this
  private volatile String facts = "CASEMAPPING=rfc1459 CHANTYPES=# LINELEN=512";
  private volatile boolean deaf;

  FakeIrc(String... capabilities) throws IOException {
    this(ServerSocketFactory.getDefault(), capabilities);
  }

  FakeIrc(ServerSocketFactory sockets, String... capabilities) throws IOException {
    this.capabilities = List.of(capabilities);
    server = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Tells this of itself, instead of what is usual. */
  FakeIrc being(String tokens) {
    facts = tokens;
    return this;
  }

  /**
   * Answers lines in which this is found. In an answer {@code {label}} becomes the label of the
   * line, {@code {nick}} the client's nick, {@code {1}} what the first group found.
   */
  FakeIrc when(String line, String... answers) {
    rules.addFirst(new Rule(Pattern.compile(line), List.of(answers), false));
    return this;
  }

  /** The same, for the next such line only. */
  FakeIrc once(String line, String... answers) {
    rules.addFirst(new Rule(Pattern.compile(line), List.of(answers), true));
    return this;
  }

  /** Accepts connections from now on and reads nothing. */
  FakeIrc deaf() {
    deaf = true;
    return this;
  }

  private void accept() {
    try {
      while (true) {
        Client client = new Client(server.accept());
        clients.add(client);
        Thread.ofVirtual().start(client::serve);
      }
    } catch (IOException e) {
      // closed
    }
  }

  /** Says something to everybody. */
  void say(String line) {
    clients.forEach(client -> client.say(line));
  }

  void sayRaw(String bytes) {
    clients.forEach(client -> client.write(bytes));
  }

  void hangUp() {
    clients.forEach(Client::close);
  }

  int connections() {
    return clients.size();
  }

  /** All it read, of all connections. */
  synchronized List<String> heard() {
    return List.copyOf(heard);
  }

  List<String> heard(String word) {
    return heard().stream().filter(line -> line.contains(word)).toList();
  }

  /** Waits until it has read such a line, and gives it. */
  synchronized String await(Predicate<String> line) throws InterruptedException {
    long end = System.nanoTime() + 120_000_000_000L;
    while (true) {
      for (String each : heard) {
        if (line.test(each)) {
          return each;
        }
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("never heard; but " + heard);
      }
      wait(1000);
    }
  }

  private synchronized void record(String line) {
    heard.add(line);
    notifyAll();
  }

  @Override
  public void close() throws IOException {
    server.close();
    hangUp();
  }

  private final class Client {
    private final Socket socket;
    private final Set<String> enabled = ConcurrentHashMap.newKeySet();
    private String nick = "";
    private boolean user;
    private boolean negotiating;
    private boolean in;
    private int messages;

    Client(Socket socket) {
      this.socket = socket;
    }

    void serve() {
      if (deaf) {
        return;
      }
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          record(line);
          handle(line);
        }
      } catch (IOException | UncheckedIOException e) {
        // gone
      }
    }

    private void handle(String line) {
      Matcher label = Pattern.compile("^@\\S*label=([^; ]+)").matcher(line);
      String tag = label.find() ? label.group(1) : "";
      for (Rule rule : rules) {
        Matcher found = rule.line.matcher(line);
        if (found.find() && (!rule.once || rules.remove(rule))) {
          for (String answer : rule.answers) {
            String first = found.groupCount() > 0 ? found.group(1) : "";
            answer(answer.replace("{label}", tag).replace("{nick}", nick).replace("{1}", first));
          }
          return;
        }
      }
      IrcMessage message = IrcMessage.parse(line);
      if (message != null) {
        usual(message, tag);
      }
    }

    private void answer(String line) {
      if (line.equals("CLOSE")) {
        close();
      } else {
        say(line);
      }
    }

    private void usual(IrcMessage message, String label) {
      String labelled = label.isEmpty() ? "" : "label=" + label + ";";
      switch (message.command()) {
        case "CAP" -> capability(message);
        case "NICK" -> {
          String before = nick;
          nick = message.last();
          if (in) {
            say(":" + before + "!u@host.example NICK " + nick);
          }
          greet();
        }
        case "USER" -> {
          user = true;
          greet();
        }
        case "JOIN" -> {
          for (String channel : message.param(0).split(",")) {
            String tags = label.isEmpty() ? "" : "@label=" + label + " ";
            say(tags + ":" + nick + "!u@host.example JOIN " + channel);
          }
        }
        case "PING" ->
            say(
                (label.isEmpty() ? "" : "@label=" + label + " ")
                    + ":srv PONG srv :"
                    + message.last());
        case "PRIVMSG", "NOTICE" -> {
          messages++;
          if (enabled.contains("echo-message")) {
            String tags =
                enabled.contains("message-tags") ? "@" + labelled + "msgid=m" + messages + " " : "";
            say(
                tags
                    + ":"
                    + nick
                    + "!u@host.example "
                    + message.command()
                    + " "
                    + message.param(0)
                    + " :"
                    + message.last());
          }
        }
        default -> {} // nothing to say to that
      }
    }

    private void capability(IrcMessage message) {
      switch (message.param(0)) {
        case "LS" -> {
          if (!capabilities.isEmpty()) {
            negotiating = true;
            say(":srv CAP * LS :" + String.join(" ", capabilities));
          } else {
            say(":srv 421 * CAP :Unknown command");
          }
        }
        case "REQ" -> {
          enabled.addAll(List.of(message.last().split(" ")));
          say(":srv CAP * ACK :" + message.last());
        }
        case "END" -> {
          negotiating = false;
          greet();
        }
        default -> {} // nothing else
      }
    }

    private void greet() {
      if (!in && user && !nick.isEmpty() && !negotiating) {
        in = true;
        say(":srv 001 " + nick + " :Welcome " + nick);
        say(":srv 005 " + nick + " " + facts + " :are supported");
        say(":srv 422 " + nick + " :no words today");
      }
    }

    void say(String line) {
      write(line + "\r\n");
    }

    synchronized void write(String bytes) {
      try {
        OutputStream out = socket.getOutputStream();
        out.write(bytes.getBytes(StandardCharsets.UTF_8));
        out.flush();
      } catch (IOException e) {
        // gone
      }
    }

    void close() {
      try {
        socket.close();
      } catch (IOException e) {
        // closed
      }
    }
  }
}
