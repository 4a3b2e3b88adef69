package dev.postrider.channels.sidecar;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Channel.Setting;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.process.JsonRpc;
import dev.postrider.message.Fix;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One account behind a sidecar, which runs as long as the account listens. Whoever runs one holds
 * the lock until it has ended, so that there are never two: many platforms throw out the first when
 * a second comes. Its session is kept in the account's memory. Thread-safe.
 */
public final class SidecarLink implements Link {
  private static final String SESSION = "session";
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final Duration IDLE = Duration.ofMinutes(1);
  private static final Duration LOGIN = Duration.ofSeconds(20);
  private static final String ENDED = "the sidecar has ended";

  private final AccountContext context;
  private final Wire.Opener opener;
  private final Duration timeout;
  private final Duration idle;
  private final ReentrantLock one = new ReentrantLock();
  private final Object guard = new Object();
  private @Nullable Wire open; // guarded by guard
  private boolean closed; // guarded by guard
  private volatile @Nullable SidecarConnection standing; // that speaks our protocol
  private volatile @Nullable String readyAs; // null while it cannot send
  private volatile String trouble = "";
  private volatile String connecting = ""; // why it is not connected, in its own words

  /** Over the program of the account's {@code command}. */
  public SidecarLink(AccountContext context) {
    this(context, Wire.program(command(Settings.of(context.config()))));
  }

  SidecarLink(AccountContext context, Wire.Opener opener) {
    Settings settings = Settings.of(context.config());
    this.context = context;
    this.opener = opener;
    timeout = settings.duration("timeout", TIMEOUT);
    idle = settings.duration("idle", IDLE);
    context.notReady("the sidecar is being started");
  }

  /** The settings of every account behind a sidecar. */
  public static List<Setting> settings() {
    return List.of(
        new Setting("command", true, false, "the sidecar to start, as a list: node, sidecar.mjs"),
        new Setting("timeout", false, false, "how long a message may take; 1m"),
        new Setting("idle", false, false, "how long the sidecar may be quiet; 1m"));
  }

  /** Refuses settings that no sidecar can be started with. */
  public static List<String> command(Settings settings) {
    List<String> command = settings.texts("command");
    if (command.isEmpty()) {
      throw settings.wrong(
          "command", "is missing; give the program and its arguments as a list: [node, FILE]");
    }
    return command;
  }

  // ---- sending

  @Override
  public Outcome send(Dispatch dispatch) {
    SidecarConnection connection = standing;
    if (connection == null || readyAs == null) {
      return SidecarVerdict.notConnected();
    }
    String quote = null;
    String replyTo = dispatch.replyToId();
    if (replyTo != null) {
      quote = context.memory().read(dispatch.to(), SidecarEvents.quoteKey(replyTo)).orElse(null);
      if (quote == null) {
        return new Outcome.Repairable(
            new Fix.DropReply(), "the message that is answered is not known any more");
      }
    }
    JsonRpc.Answer answer;
    try (SidecarFiles files = SidecarFiles.of(dispatch.cargo())) {
      answer =
          connection.call(
              "send",
              SidecarRequest.of(dispatch, files.fields(), quote),
              timeout.plus(PartFile.allowance(dispatch.cargo())));
    } catch (IOException e) {
      return new Outcome.NotSent("a file cannot be handed to the sidecar: " + e.getMessage());
    }
    if (SidecarVerdict.isLoggedOut(answer)
        && answer instanceof JsonRpc.Answer.Refused(_, String cause, _)) {
      needsLogin(cause);
    }
    return SidecarVerdict.read(answer);
  }

  // ---- listening

  @Override
  public boolean listens() {
    return true;
  }

  @Override
  public void listen(InboundSink inlet) throws IOException, InterruptedException {
    one.lockInterruptibly();
    try (SidecarConnection connection = connect()) {
      connection.follow(hello(inlet.cursor()), new Listener(connection, inlet));
    } catch (ListeningRefused e) {
      trouble = String.valueOf(e.getMessage());
      throw e;
    } catch (IOException e) {
      trouble = e.getMessage() + (connecting.isEmpty() ? "" : ": " + connecting);
      throw new IOException(trouble, e);
    } finally {
      connecting = "";
      standing = null;
      readyAs = null;
      context.notReady(trouble.isEmpty() ? ENDED : trouble);
      one.unlock();
    }
  }

  private SidecarConnection connect() throws IOException {
    Wire wire = opener.open();
    synchronized (guard) {
      if (!closed) {
        open = wire;
        return new SidecarConnection(wire, context.scheduler(), idle);
      }
    }
    wire.close();
    throw new IOException("the account is closed");
  }

  private Map<String, Object> hello(@Nullable String cursor) throws IOException {
    Map<String, Object> hello = new LinkedHashMap<>();
    hello.put("protocol", SidecarConnection.PROTOCOL);
    hello.put("account", context.config().id());
    try {
      context.memory().read(null, SESSION).ifPresent(session -> hello.put(SESSION, session));
    } catch (NotSentException e) {
      throw new IOException("the session cannot be read: " + e.getMessage(), e);
    }
    if (cursor != null) {
      hello.put("cursor", cursor);
    }
    return hello;
  }

  /** What one run of the sidecar tells. */
  private final class Listener implements SidecarConnection.Ear {
    private final SidecarConnection connection;
    private final InboundSink inlet;

    Listener(SidecarConnection connection, InboundSink inlet) {
      this.connection = connection;
      this.inlet = inlet;
    }

    @Override
    public void greeted() {
      trouble = "";
      standing = connection;
    }

    @Override
    public void told(JsonRpc.Notification notification) throws IOException {
      switch (notification.method()) {
        case "state" -> state(notification.params());
        case "session" -> keep(Json.text(notification.params(), "session"));
        default -> {
          SidecarEvents.Told told = SidecarEvents.read(notification, context.scheduler().instant());
          if (told != null) {
            inlet.take(told.messages(), told.reports(), told.cursor(), told.memory());
          }
        }
      }
    }

    private void state(JsonNode told) {
      String cause = told.path("cause").asString("it does not say why");
      switch (told.path("state").asString("")) {
        case "ready" -> {
          connecting = "";
          readyAs = told.path("identity").asString("");
          inlet.connected();
          context.ready();
        }
        case "needsLogin" -> {
          needsLogin(cause);
          inlet.failing("not logged in: " + cause);
        }
        default -> {
          readyAs = null;
          connecting = cause;
          context.notReady("the sidecar connects: " + cause);
          inlet.failing(cause);
        }
      }
    }

    /** Before whatever comes next: a login that is not stored would be lost with the process. */
    private void keep(@Nullable String session) throws IOException {
      if (session != null
          && session.getBytes(StandardCharsets.UTF_8).length > Remembered.MAX_BYTES) {
        throw new IOException(
            "the sidecar's session has more than " + Remembered.MAX_BYTES + " bytes");
      }
      inlet.take(List.of(), List.of(), null, List.of(new Remembered(null, SESSION, session, null)));
    }
  }

  private void needsLogin(String cause) {
    readyAs = null;
    context.needsLogin(cause);
  }

  // ---- logging in, and looking

  @Override
  public LoginState login(LoginRequest request) {
    SidecarConnection connection = standing;
    if (connection == null) {
      return trouble.isEmpty()
          ? new LoginState.Waiting("the sidecar is being started")
          : new LoginState.Failed("the sidecar does not run: " + trouble);
    }
    String identity = readyAs;
    if (identity != null) {
      return new LoginState.LoggedIn(identity);
    }
    String phone = request.phone();
    LoginState state =
        SidecarLogin.read(
            connection.call("login", phone == null ? Map.of() : Map.of("phone", phone), LOGIN));
    return state instanceof LoginState.LoggedIn && readyAs == null
        ? new LoginState.Waiting("logged in; it connects") // and its session may not be stored yet
        : state;
  }

  @Override
  public Probe probe() throws InterruptedException {
    SidecarConnection connection = standing;
    if (connection != null) {
      return probe(connection);
    }
    if (!one.tryLock()) {
      return new Probe.Unreachable("the sidecar is being started");
    }
    try (Wire wire = opener.open()) { // without a session it connects to nobody
      new SidecarConnection(wire, context.scheduler(), idle)
          .follow(
              Map.of("protocol", SidecarConnection.PROTOCOL, "account", context.config().id()),
              new Greeting());
      return new Probe.Unreachable(ENDED);
    } catch (Greeting.Heard e) {
      return new Probe.Healthy(""); // it runs; only the server knows whether it is logged in
    } catch (IOException e) {
      return new Probe.Unreachable(String.valueOf(e.getMessage()));
    } finally {
      one.unlock();
    }
  }

  private Probe probe(SidecarConnection connection) {
    String identity = readyAs;
    JsonRpc.Answer answer = connection.call("ping", Map.of(), LOGIN);
    if (!(answer instanceof JsonRpc.Answer.Result)) {
      return new Probe.Unreachable("the sidecar does not answer");
    }
    return identity == null
        ? new Probe.Unreachable(
            "not logged in, or not connected; " + AccountContext.howToLogIn(context.config().id()))
        : new Probe.Healthy(identity.isEmpty() ? "logged in" : identity);
  }

  /** Listens until the sidecar has said that it speaks our protocol, and no longer. */
  private static final class Greeting implements SidecarConnection.Ear {
    /** It has. */
    static final class Heard extends RuntimeException {
      private static final long serialVersionUID = 1L;
    }

    @Override
    public void greeted() {
      throw new Heard();
    }

    @Override
    public void told(JsonRpc.Notification notification) {}
  }

  @Override
  public void close() {
    Wire last;
    synchronized (guard) {
      closed = true;
      last = open;
    }
    if (last != null) {
      last.close();
    }
  }
}
