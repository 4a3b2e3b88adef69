package dev.postrider.channels.discord;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.Settings;
import dev.postrider.channels.discord.DiscordApi.Route;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.message.Fix;
import dev.postrider.message.Receipt;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One bot's connection. Thread-safe. */
final class DiscordLink implements Link {
  private static final int PAGE = 100;
  private static final int LONGEST_PAGE = 8 << 20;
  private static final int DIRECT_CHATS = 10_000;

  /** Our clock may be ahead of Discord's, which gives the ids. */
  private static final Duration CLOCKS_APART = Duration.ofMinutes(1);

  private final String base;
  private final String token;
  private final AccountContext context;
  private final DiscordApi api;
  private final boolean listens;
  private final Gateway gateway;

  /** The chats with users, by user, of late. Guarded by itself. */
  private final Map<String, String> directs =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > DIRECT_CHATS;
        }
      };

  DiscordLink(Settings settings, AccountContext context) {
    this.context = context;
    token = settings.required("token");
    base = settings.web("baseUrl", DiscordChannel.BASE);
    if (!token.matches("[\\x21-\\x7e]+")) {
      throw settings.wrong("token", "has characters that no token has");
    }
    listens = settings.flag("gateway", false);
    Integer wanted = settings.count("intents");
    api = new DiscordApi(settings, Secrets.of(token), context.scheduler());
    gateway =
        new Gateway(
            api,
            this::call,
            token,
            wanted == null ? Gateway.INTENTS : wanted,
            PrivateCommands.of(settings));
  }

  private HttpCall call(String method, String path) {
    return HttpCall.of(method, URI.create(base + path)).header("Authorization", "Bot " + token);
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    Interaction interaction = Interaction.of(dispatch.message());
    if (interaction != null) {
      return answer(dispatch, interaction);
    }
    OpenCommand command = OpenCommand.of(dispatch, context.memory());
    Outcome answered = command == null ? null : answer(dispatch, command);
    if (answered != null) {
      return answered;
    }
    String reply = dispatch.replyToId();
    if (reply != null && !Snowflake.is(reply)) {
      return new Outcome.Repairable(
          new Fix.DropReply(), "replyToId is not the id of a Discord message");
    }
    return switch (chat(dispatch)) {
      case Outcome.Delivered(Receipt chat, _, _, _) -> post(dispatch, chat.id());
      // Nobody has seen anything yet.
      case Outcome.Unknown(String cause) -> new Outcome.NotSent(cause);
      case Outcome other -> other;
    };
  }

  private Outcome post(Dispatch dispatch, String chat) {
    String path = "/channels/" + chat + "/messages";
    DiscordRequest request = DiscordRequest.message(dispatch);
    boolean quoting = request.fields().containsKey("message_reference");
    return api.send(Route.of(ApiRoute.BOT, path), request.on(call("POST", path)), quoting);
  }

  /**
   * What is said by an interaction's token has no nonce; to say its first answer again is an edit.
   */
  @Override
  public Duration remembers(Dispatch part, Duration usual) {
    if (Interaction.of(part.message()) != null) {
      return Duration.ZERO;
    }
    OpenCommand command = OpenCommand.of(part, context.memory());
    if (command == null) {
      return usual;
    }
    return isFirst(part, command) ? Capabilities.FOR_GOOD : Duration.ZERO;
  }

  private static boolean isFirst(Dispatch part, OpenCommand command) {
    return !command.isAnswered() && part.index() == 0;
  }

  /** The answer to a command; null if it is too late for one, so that it goes to the chat. */
  private @Nullable Outcome answer(Dispatch dispatch, OpenCommand command) {
    String path = "/webhooks/" + command.applicationId() + "/" + command.token();
    Route route = new Route(ApiRoute.INTERACTION, path, Secrets.of(command.token()));
    boolean first = isFirst(dispatch, command);
    Outcome outcome =
        first
            ? api.send(
                route,
                DiscordRequest.answer(dispatch)
                    .on(HttpCall.of("PATCH", URI.create(base + path + "/messages/@original"))),
                false)
            : api.send(
                route,
                DiscordRequest.further(dispatch, command.isPrivate())
                    .on(HttpCall.post(URI.create(base + path + "?wait=true"))),
                false);
    return switch (outcome) {
      case Outcome.Delivered(Receipt receipt, var handles, _, _) when first ->
          new Outcome.Delivered(receipt, handles, command.answered(context.memory()));
      case Outcome.Rejected(_, String cause) when ApiRoute.isOver(cause) -> null;
      // Nothing is "thinking" there: Discord did not take that the command was received.
      case Outcome.Rejected(_, String cause) when cause.startsWith("404 ") -> null;
      case Outcome other -> other;
    };
  }

  /** An answer to an interaction, which needs its token and no bot's. */
  private Outcome answer(Dispatch dispatch, Interaction to) {
    if (to.isOver(context.scheduler().instant())) {
      return ApiRoute.over(to.toString());
    }
    if (to.token() == null) {
      OpenCommand known =
          OpenCommand.byId(String.valueOf(to.id()), dispatch.to(), context.memory());
      Outcome answered = known == null ? null : answer(dispatch, known);
      return answered == null ? ApiRoute.over(to.toString()) : answered;
    }
    if (dispatch.replyToId() != null) {
      return DiscordWebhookLink.cannotQuote();
    }
    String path = "/webhooks/" + to.applicationId() + "/" + to.token();
    Route route = new Route(ApiRoute.INTERACTION, path, Secrets.of(to.token()));
    HttpCall call = HttpCall.post(URI.create(base + path + "?wait=true"));
    return api.send(route, DiscordRequest.followUp(dispatch).on(call), false);
  }

  /** Delivered, with the id of the chat, or why there is none. */
  private Outcome chat(Dispatch dispatch) {
    String thread = dispatch.threadId();
    if (thread != null) {
      return Outcome.delivered(thread);
    }
    String user = DiscordChannel.user(dispatch.to());
    return user == null ? Outcome.delivered(dispatch.to()) : direct(user);
  }

  private Outcome direct(String user) {
    String known;
    synchronized (directs) {
      known = directs.get(user);
    }
    if (known != null) {
      return Outcome.delivered(known);
    }
    String path = "/users/@me/channels";
    HttpCall call = call("POST", path).json(Map.of("recipient_id", user));
    Outcome opened = api.send(Route.of(ApiRoute.BOT, path), call, false);
    if (opened instanceof Outcome.Delivered(Receipt chat, _, _, _)) {
      synchronized (directs) {
        directs.put(user, chat.id());
      }
    }
    return opened;
  }

  /**
   * Reads what was written in the chat since the message came to us. A message with our nonce is
   * ours. Whether Discord always tells the nonce is not documented; so a bot's message without one
   * may be ours as well, and only where there is none the part has certainly not arrived. A bot
   * that may not read the history is shown an empty one.
   */
  @Override
  public Reconciliation reconcile(Dispatch dispatch) {
    if (Interaction.of(dispatch.message()) != null
        || OpenCommand.of(dispatch, context.memory()) != null
        || !(chat(dispatch) instanceof Outcome.Delivered(Receipt chat, _, _, _))) {
      return new Reconciliation.Inconclusive();
    }
    Instant since = dispatch.mayBeThereSince().minus(CLOCKS_APART);
    String query = "?limit=" + PAGE + "&after=" + Snowflake.at(since);
    JsonNode page = page("/channels/" + chat.id() + "/messages" + query);
    if (page == null) {
      return new Reconciliation.Inconclusive();
    }
    String nonce = DiscordRequest.nonce(dispatch.key());
    List<JsonNode> bots =
        page.valueStream().filter(it -> it.path("author").path("bot").asBoolean(false)).toList();
    for (JsonNode message : bots) {
      if (nonce.equals(message.path("nonce").asString(""))) {
        return new Reconciliation.Found(new Receipt(message.path("id").asString(""), false));
      }
    }
    boolean mayBeOurs = bots.stream().anyMatch(it -> it.path("nonce").asString("").isEmpty());
    return page.size() < PAGE && !mayBeOurs && (!page.isEmpty() || isReadable(chat.id()))
        ? new Reconciliation.Absent()
        : new Reconciliation.Inconclusive();
  }

  /** Whether anything at all can be seen in a chat. */
  private boolean isReadable(String chat) {
    JsonNode newest = page("/channels/" + chat + "/messages?limit=1");
    return newest != null && !newest.isEmpty();
  }

  private @Nullable JsonNode page(String path) {
    return api.send(call("GET", path).upTo(LONGEST_PAGE)) instanceof HttpResult.Response response
            && response.status() == 200
        ? Json.readArray(response.body())
        : null;
  }

  @Override
  public Probe probe() {
    return api.probe(ApiRoute.BOT, call("GET", "/users/@me"), "username");
  }

  @Override
  public boolean listens() {
    return listens;
  }

  @Override
  public void listen(InboundSink inlet) throws Exception {
    gateway.listen(inlet);
  }

  @Override
  public void close() {
    api.close();
  }
}
