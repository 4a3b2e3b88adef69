package dev.postrider.channels.imessage;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.process.JsonRpc.Answer;
import dev.postrider.channels.process.JsonRpc.Notification;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Fix;
import dev.postrider.message.Receipt;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One account's {@code imsg}, which sends and listens. There is one at a time: {@link #listen}
 * starts it, and the engine calls that again when it has ended. Thread-safe.
 */
final class IMessageLink implements Link {
  private static final String AWAY = "imsg does not run";
  private static final int CHATS = 1000;

  private final IMessageSettings settings;
  private final AccountContext context;
  private final Scheduler time;
  private final IMessageSearch search;

  /** The numbers of groups' chats, by address. */
  private final Map<String, Long> groups = new ConcurrentHashMap<>();

  private boolean closed; // guarded by this
  private @Nullable Imsg running; // guarded by this
  private @Nullable Imsg latest; // guarded by this

  /** The one that listens already; one to come where there is none. */
  private volatile CompletableFuture<Imsg> standing = new CompletableFuture<>();

  IMessageLink(AccountContext context) {
    this.context = context;
    settings = IMessageSettings.of(context.config());
    time = context.scheduler();
    search = new IMessageSearch(context.memory(), settings.patience());
    context.notReady(settings.obstacle().isEmpty() ? "imsg is starting" : settings.obstacle());
  }

  // ---- listening

  @Override
  public boolean listens() {
    return true;
  }

  @Override
  public void listen(InboundSink inlet) throws IOException, InterruptedException {
    if (!settings.obstacle().isEmpty()) {
      throw new ListeningRefused(settings.obstacle());
    }
    Imsg imsg = start();
    String cause = AWAY;
    try {
      hear(imsg, inlet);
    } catch (IOException e) {
      cause = String.valueOf(e.getMessage());
      throw e;
    } finally {
      stop();
      context.notReady(cause);
    }
  }

  private @Nullable Imsg current() {
    return standing.getNow(null);
  }

  private synchronized boolean isRunning(Imsg imsg) {
    return running == imsg;
  }

  private synchronized boolean stands(Imsg imsg) {
    return isRunning(imsg) && standing.complete(imsg);
  }

  private synchronized void gone(Imsg imsg) {
    if (current() == imsg) {
      standing = new CompletableFuture<>();
    }
  }

  private synchronized Imsg start() throws IOException {
    if (closed || running != null) {
      throw new IOException(closed ? "the account is closed" : "imsg runs already");
    }
    try {
      Imsg imsg = Imsg.start(settings.command(), time);
      running = imsg;
      latest = imsg;
      return imsg;
    } catch (IOException e) {
      context.notReady(String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private void stop() {
    Imsg ended;
    synchronized (this) {
      ended = running;
      running = null;
      standing = standing.isDone() ? new CompletableFuture<>() : standing;
    }
    if (ended != null) {
      ended.close();
    }
  }

  /** Reads what it says, while a task of its own asks it to tell, and whether it still works. */
  private void hear(Imsg imsg, InboundSink inlet) throws IOException, InterruptedException {
    Scheduler.Task asking = time.start("imsg of " + context.config().id(), () -> ask(imsg, inlet));
    try {
      while (true) {
        Notification told = imsg.next();
        if (told != null && told.method().equals("message")) {
          take(told.params().path("message"), inlet);
        } else if (told != null && told.method().equals("error")) {
          String said = told.params().path("error").path("message").asString("");
          throw new IOException("imsg no longer watches: " + said);
        }
      }
    } finally {
      asking.interrupt();
    }
  }

  private void ask(Imsg imsg, InboundSink inlet) {
    try {
      subscribe(imsg, inlet);
      if (!stands(imsg)) {
        return;
      }
      context.ready();
      if (!isRunning(imsg)) { // it ended meanwhile, and that was said before
        context.notReady(AWAY);
        return;
      }
      inlet.connected();
      while (true) {
        time.pause(settings.idle());
        // It may be busy with a request that may take its time.
        result(imsg, "chats.list", Map.of("limit", 1), settings.patience().multipliedBy(2));
      }
    } catch (IOException e) {
      imsg.fail(e);
    } catch (RuntimeException e) { // without this task nobody would hear it: it starts anew
      imsg.fail(new IOException("imsg could not be asked: " + e.getMessage(), e));
    }
  }

  private void subscribe(Imsg imsg, InboundSink inlet) throws IOException {
    String cursor = inlet.cursor();
    if (cursor == null) {
      cursor = Long.toString(newest(imsg));
      inlet.take(List.of(), List.of(), cursor);
    }
    result(
        imsg,
        "watch.subscribe",
        Map.of(
            "since_rowid", Long.parseLong(cursor), "attachments", true, "include_reactions", true),
        settings.patience());
  }

  /** The number of the newest message: what comes behind it is new. */
  private long newest(Imsg imsg) throws IOException {
    JsonNode chat =
        result(imsg, "chats.list", Map.of("limit", 1), settings.patience()).path("chats").path(0);
    if (!chat.has("id")) {
      return 0;
    }
    Map<String, ?> last = Map.of("chat_id", chat.path("id").asLong(), "limit", 1);
    JsonNode messages =
        result(imsg, "messages.history", last, settings.patience()).path("messages");
    return messages.path(0).path("id").asLong(0);
  }

  private static JsonNode result(Imsg imsg, String method, Map<String, ?> params, Duration patience)
      throws IOException {
    return switch (imsg.call(method, params, patience)) {
      case Answer.Result(JsonNode value) -> value;
      case Answer.Refused refused ->
          throw IMessageVerdict.of(refused) instanceof Outcome.AccountBroken(String cause)
              ? new ListeningRefused(cause)
              : new IOException("imsg refuses " + method + ": " + refused.data().asString(""));
      case Answer.NotAsked(String cause) -> throw new IOException(cause);
      case Answer.Unknown(String cause) -> throw new IOException(cause);
    };
  }

  private void take(JsonNode message, InboundSink inlet) {
    InboundMessage arrival = IMessageEvents.read(message);
    long row = message.path("id").asLong(0);
    String before = inlet.cursor();
    long last = before == null ? 0 : Long.parseLong(before);
    inlet.take(
        arrival == null ? List.of() : List.of(arrival),
        List.of(),
        Long.toString(Math.max(row, last)),
        List.of(),
        IMessageEvents.aliases(message));
  }

  // ---- sending

  @Override
  public Outcome send(Dispatch dispatch) throws IOException {
    Imsg imsg = current();
    if (imsg == null) {
      return new Outcome.Unreachable(AWAY);
    }
    // Messages may still have been at it when it was last looked for.
    if (dispatch.mayHaveArrivedAt() != null
        && MessageAction.of(dispatch) == null
        && search.find(imsg, dispatch) instanceof Reconciliation.Found(Receipt receipt)) {
      return new Outcome.Delivered(receipt);
    }
    Long chat = group(imsg, dispatch.to());
    if (dispatch.cargo().isEmpty()) {
      return send(imsg, dispatch, IMessageRequest.of(dispatch, settings, chat, null));
    }
    PartFile file = dispatch.cargo().getFirst();
    try (StagedFile staged = StagedFile.of(file)) {
      return send(imsg, dispatch, IMessageRequest.of(dispatch, settings, chat, staged.path()));
    } catch (IOException e) {
      return new Outcome.NotSent("a file cannot be read: " + e.getMessage());
    }
  }

  /** The number of a group's chat, by which every version of Messages knows it. */
  private @Nullable Long group(Imsg imsg, String to) {
    IMessageAddress address = IMessageAddress.of(to);
    if (!address.isGroup()) {
      return null;
    }
    Long known = groups.get(to);
    if (known == null
        && imsg.call("chats.list", Map.of("limit", CHATS), settings.patience())
            instanceof Answer.Result(JsonNode list)) {
      for (JsonNode chat : list.path("chats")) {
        if (address.is(chat)) {
          known = chat.path("id").asLong();
          groups.put(to, known);
        }
      }
    }
    return known;
  }

  private Outcome send(Imsg imsg, Dispatch dispatch, IMessageRequest request) {
    return switch (imsg.call(request.method(), request.params(), settings.patience())) {
      case Answer.Result(JsonNode result) -> delivered(dispatch, request, result);
      case Answer.NotAsked _ -> new Outcome.Unreachable(AWAY);
      case Answer.Unknown(String cause) -> {
        gone(imsg);
        yield new Outcome.Unknown(cause);
      }
      case Answer.Refused refused -> {
        boolean plain =
            dispatch.replyToId() != null
                && MessageAction.of(dispatch) == null
                && IMessageVerdict.isNoBridge(refused.data().asString(""));
        yield plain && IMessageVerdict.of(refused) instanceof Outcome.Rejected(_, String cause)
            ? new Outcome.Repairable(new Fix.DropReply(), cause)
            : IMessageVerdict.of(refused);
      }
    };
  }

  private static Outcome delivered(Dispatch dispatch, IMessageRequest request, JsonNode result) {
    if (!result.path("ok").asBoolean(false)) {
      return new Outcome.Unknown("imsg answers without a word whether it is sent");
    }
    if (MessageAction.of(dispatch) != null) {
      return Outcome.delivered(String.valueOf(request.params().get("message_guid")));
    }
    String guid = Json.text(result, "guid");
    Long row = Json.count(result.path("id"));
    return new Outcome.Delivered(
        new Receipt(guid == null ? "" : guid, true),
        Map.of(),
        row == null
            ? List.of()
            : List.of(Remembered.of(dispatch.to(), IMessageSearch.LAST_ROW, row.toString())),
        guid == null ? "Messages took it and did not say what it calls it" : null);
  }

  /** What is done to a message once more changes nothing. */
  @Override
  public Duration remembers(Dispatch part, Duration usual) {
    return MessageAction.of(part) == null ? usual : Capabilities.FOR_GOOD;
  }

  /** As a rule imsg has just ended: the engine starts it anew, and then it can be asked. */
  @Override
  public Reconciliation reconcile(Dispatch dispatch) {
    CompletableFuture<Imsg> next = standing;
    if (MessageAction.of(dispatch) != null || !time.awaitFor(next, settings.patience())) {
      return new Reconciliation.Inconclusive();
    }
    time.pause(settings.settle()); // Messages writes down what it sends a moment later
    return search.find(next.join(), dispatch);
  }

  // ---- the account

  @Override
  public Probe probe() throws IOException {
    if (!settings.obstacle().isEmpty()) {
      return new Probe.Broken(settings.obstacle());
    }
    Imsg listening = current();
    if (listening != null) {
      return health(listening);
    }
    synchronized (this) {
      if (running != null) {
        return new Probe.Unreachable("imsg is starting");
      }
    }
    try (Imsg brief = Imsg.start(settings.command(), time)) {
      Scheduler.Task reading = time.start("imsg, briefly", () -> readAll(brief));
      try {
        return health(brief);
      } finally {
        reading.interrupt();
      }
    } catch (IOException e) {
      return new Probe.Broken(
          e.getMessage() + " (install it: brew install steipete/tap/imsg; or set command)");
    }
  }

  private static void readAll(Imsg imsg) {
    try {
      while (true) {
        imsg.next();
      }
    } catch (IOException e) {
      imsg.fail(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Probe health(Imsg imsg) {
    return switch (imsg.call("chats.list", Map.of("limit", 1), settings.patience())) {
      case Answer.Result(JsonNode result) ->
          new Probe.Healthy(
              "Messages of "
                  + System.getProperty("user.name")
                  + (result.path("chats").isEmpty()
                      ? ", without a single chat: sign in to iMessage in Messages"
                      : ""));
      case Answer.Refused refused -> Probe.of(IMessageVerdict.of(refused), "");
      case Answer.NotAsked(String cause) -> new Probe.Unreachable(cause);
      case Answer.Unknown(String cause) -> new Probe.Unreachable(cause);
    };
  }

  @Override
  public void close() {
    Imsg last;
    synchronized (this) {
      closed = true;
      last = latest;
    }
    if (last != null) {
      last.close(); // also if somebody is at it: it has ended when this returns
    }
  }
}
