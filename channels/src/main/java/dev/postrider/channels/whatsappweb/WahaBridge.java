package dev.postrider.channels.whatsappweb;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.KeptFiles;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.Secrets;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * WAHA: JSON over HTTP, a key, a session per paired account. A text goes out with an id that is
 * made of the part's key, so that a repeat is the same message.
 */
final class WahaBridge implements Bridge {
  static final String USUAL = "http://127.0.0.1:3000";
  private static final int HISTORY = 50;
  private static final Duration CODE_LASTS = Duration.ofMinutes(2);
  private static final int LONG_ANSWER = 4 << 20;

  private final InstantSource clock;
  private LoginState.@Nullable TypeCode code; // guarded by this
  private final String base;
  private final String key;
  private final String session;
  private final HttpSender http;
  private final WahaVerdict verdict;
  private final KeptFiles files = KeptFiles.base64();

  WahaBridge(String account, Settings settings, InstantSource clock) {
    this.clock = clock;
    base = settings.web("baseUrl", USUAL);
    key = settings.required("apiKey");
    session = session(settings);
    http = HttpSender.of(settings, Secrets.of(key));
    verdict = new WahaVerdict(account, PermanentErrors.of(settings), clock);
  }

  static String session(Settings settings) {
    String name = settings.text("session", "default");
    if (!name.matches("[\\w.-]{1,64}")) {
      throw settings.wrong("session", "is no name of a session: letters, digits, . _ and -");
    }
    return name;
  }

  private HttpCall call(String method, String path) {
    return HttpCall.of(method, URI.create(base + path)).header("X-Api-Key", key);
  }

  private Answer ask(HttpCall call) {
    return switch (http.send(call)) {
      case HttpResult.Failed failed -> new Answer.Failed(failed.outcome());
      case HttpResult.Response response -> verdict.of(response);
    };
  }

  private static String escaped(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  @Override
  public Session state() {
    return switch (ask(call("GET", "/api/sessions/" + session))) {
      case Answer.Said(JsonNode body) -> {
        String status = body.path("status").asString("");
        yield status.equals("WORKING")
            ? new Session.Working(identity(body.path("me")))
            : new Session.NotReady(WahaVerdict.words(status), WahaVerdict.needsPerson(status));
      }
      case Answer.NotReady(String cause, boolean login) -> new Session.NotReady(cause, login);
      case Answer.ClosedToStrangers(String cause) -> new Session.Away(cause);
      case Answer.Failed(Outcome.AccountBroken(String cause)) -> new Session.Broken(cause);
      case Answer.Failed(Outcome outcome) -> new Session.Away(WhatsAppWebLink.cause(outcome));
    };
  }

  private static String identity(JsonNode me) {
    String id = me.path("id").asString("");
    String name = me.path("pushName").asString("");
    return (name.isEmpty() ? "" : name + " ") + (id.isEmpty() ? "paired" : id);
  }

  @Override
  public Answer send(Dispatch part) {
    if (part.cargo().isEmpty()) {
      return ask(call("POST", "/api/sendText").json(WahaRequest.text(part, session)));
    }
    PartFile file = part.cargo().getFirst();
    Map<String, @Nullable Object> fields = WahaRequest.file(part, session, file);
    String path = "/api/" + WahaRequest.way(file);
    try {
      return ask(call("POST", path).file("application/json", body(fields, file)));
    } catch (IOException e) {
      return new Answer.Failed(new Outcome.NotSent("the file cannot be read: " + e.getMessage()));
    }
  }

  /** The request around the file, which is not copied for it. */
  private PartFile.Bytes body(Map<String, @Nullable Object> fields, PartFile file)
      throws IOException {
    String around = Json.write(fields);
    String about = Json.write(WahaRequest.about(file));
    String before =
        around.substring(0, around.length() - 1)
            + ",\"file\":"
            + about.substring(0, about.length() - 1)
            + ",\"data\":\"";
    return new Framed(before.getBytes(UTF_8), files.of(file), "\"}}".getBytes(UTF_8));
  }

  /** A text, a file and a text, one after the other. */
  private record Framed(byte[] before, PartFile.Bytes file, byte[] after)
      implements PartFile.Bytes {
    @Override
    public long size() {
      return before.length + file.size() + after.length;
    }

    @Override
    public InputStream open() throws IOException {
      return new SequenceInputStream(
          new SequenceInputStream(new ByteArrayInputStream(before), file.open()),
          new ByteArrayInputStream(after));
    }
  }

  @Override
  public boolean hasOwnId(Dispatch part) {
    return part.part().media().isEmpty();
  }

  @Override
  public String sentId(JsonNode body) {
    JsonNode id = body.path("id");
    String text = id.isObject() ? id.path("_serialized").asString("") : id.asString("");
    return bare(text.isEmpty() ? body.at("/key/id").asString("") : text);
  }

  /** {@code true_chat_ID_participant} without what is around the id. */
  static String bare(String id) {
    String[] parts = id.split("_", -1);
    return parts.length >= 3 ? parts[2] : id;
  }

  private String messages(String chat) {
    return "/api/" + session + "/chats/" + escaped(chat) + "/messages";
  }

  @Override
  public @Nullable Boolean has(String chat, String id) {
    String full = "true_" + chat + "_" + id;
    HttpCall call = call("GET", messages(chat) + "/" + escaped(full) + "?downloadMedia=false");
    return switch (http.send(call)) {
      case HttpResult.Response response
          when response.status() == 200
              && Json.readObject(response.body()) instanceof JsonNode body ->
          sentId(body).equals(id) ? Boolean.TRUE : null;
      case HttpResult.Response response when response.status() == 404 -> Boolean.FALSE;
      default -> null;
    };
  }

  @Override
  public @Nullable List<Sent> sentSince(String chat, Instant since) {
    String query =
        "?limit=%d&sortOrder=desc&downloadMedia=false&filter.fromMe=true&filter.timestamp.gte=%d"
            .formatted(HISTORY, since.getEpochSecond());
    if (!(ask(call("GET", messages(chat) + query).upTo(LONG_ANSWER))
            instanceof Answer.Said(JsonNode list)
        && list.isArray())) {
      return null;
    }
    List<Sent> all = new ArrayList<>();
    for (JsonNode message : list) {
      all.add(
          new Sent(
              sentId(message),
              Json.text(message, "body"),
              message.path("hasMedia").asBoolean(false)));
    }
    return all;
  }

  /** What WhatsApp has refused is in the history, too. */
  @Override
  public boolean isKnown(String chat) {
    return ask(call("GET", messages(chat) + "?limit=10&downloadMedia=false").upTo(LONG_ANSWER))
            instanceof Answer.Said(JsonNode list)
        && list.isArray()
        && list.valueStream()
            .anyMatch(it -> !it.path("fromMe").asBoolean(false) || it.path("ack").asInt(0) > 0);
  }

  @Override
  public Answer check(String chat) {
    String query = "?session=" + session + "&phone=" + Jid.user(chat);
    return ask(call("GET", "/api/contacts/check-exists" + query));
  }

  @Override
  public @Nullable String found(JsonNode body, String chat) {
    if (!body.path("numberExists").asBoolean(false)) {
      return null;
    }
    String jid = Jid.of(body.path("chatId").asString(""));
    return jid == null ? chat : jid;
  }

  @Override
  public @Nullable String number(String lid) {
    return ask(call("GET", "/api/" + session + "/lids/" + escaped(Jid.user(lid))))
            instanceof Answer.Said(JsonNode body)
        ? Jid.of(body.path("pn").asString(""))
        : null;
  }

  @Override
  public List<Recent> recent(int offset) throws IOException {
    String query = "?limit=%d&offset=%d".formatted(CHATS, offset);
    List<Recent> chats = new ArrayList<>();
    for (JsonNode chat : list("/api/" + session + "/chats/overview" + query)) {
      chats.add(
          new Recent(
              Jid.of(chat.path("id").asString("")),
              WahaEvents.seconds(chat.path("lastMessage").path("timestamp"))));
    }
    return chats;
  }

  @Override
  public List<JsonNode> said(String chat, Instant since, int offset) throws IOException {
    String query =
        "?limit=%d&offset=%d&filter.fromMe=false&filter.timestamp.gte=%d"
            .formatted(MESSAGES, offset, since.getEpochSecond());
    return list(messages(chat) + query).valueStream().toList();
  }

  @Override
  public void read(JsonNode said, String chat, Heard heard) {
    WahaEvents.message(said, heard);
  }

  /** What a webhook tells of it with a code, is here without one. */
  @Override
  public void refused(String chat, Instant since, Heard heard) throws IOException {
    String query =
        "?limit=%d&downloadMedia=false&filter.fromMe=true&filter.ack=ERROR&filter.timestamp.gte=%d"
            .formatted(MESSAGES, since.getEpochSecond());
    List<JsonNode> refused =
        list(messages(chat) + query)
            .valueStream()
            .filter(it -> it.path("fromMe").asBoolean(false) && it.path("ack").asInt(0) < 0)
            .toList();
    boolean stranger = !refused.isEmpty() && Jid.isPerson(chat) && !isKnown(chat);
    refused.forEach(it -> WahaEvents.refused(it, chat, stranger, clock.instant(), heard));
  }

  private JsonNode list(String path) throws IOException {
    return switch (ask(call("GET", path).upTo(LONG_ANSWER))) {
      case Answer.Said(JsonNode list) when list.isArray() -> list;
      case Answer answer -> throw new IOException(WhatsAppWebLink.cause(answer));
    };
  }

  @Override
  public synchronized LoginState login(LoginRequest request) {
    return switch (ask(call("GET", "/api/sessions/" + session))) {
      case Answer.Said(JsonNode body) -> login(body, request);
      case Answer.Failed(Outcome.AccountBroken(String cause)) when cause.startsWith("404") ->
          begun(
              call("POST", "/api/sessions").json(Map.of("name", session, "start", true)),
              "WAHA makes the session " + session);
      case Answer answer -> new LoginState.Failed(WhatsAppWebLink.cause(answer));
    };
  }

  private LoginState login(JsonNode body, LoginRequest request) {
    String status = body.path("status").asString("");
    String path = "/api/sessions/" + session;
    return switch (status) {
      case "WORKING" -> {
        code = null;
        yield new LoginState.LoggedIn(identity(body.path("me")));
      }
      case "STOPPED" -> begun(call("POST", path + "/start"), "the session starts");
      case "FAILED" -> begun(call("POST", path + "/restart"), "the session starts anew");
      case "SCAN_QR_CODE" -> request.phone() == null ? picture() : code(request.phone());
      default -> new LoginState.Waiting(WahaVerdict.words(status));
    };
  }

  private LoginState begun(HttpCall call, String what) {
    return ask(call) instanceof Answer.Failed(Outcome outcome)
        ? new LoginState.Failed(WhatsAppWebLink.cause(outcome))
        : new LoginState.Waiting(what);
  }

  private LoginState picture() {
    return switch (ask(call("GET", "/api/" + session + "/auth/qr?format=raw"))) {
      case Answer.Said(JsonNode body) when body.path("value").isString() ->
          LoginState.ScanQr.text(body.path("value").asString(), null);
      case Answer.Said _ -> new LoginState.Waiting("WAHA prepares the QR code");
      case Answer.NotReady(String cause, _) -> new LoginState.Waiting(cause);
      case Answer answer -> new LoginState.Failed(WhatsAppWebLink.cause(answer));
    };
  }

  /** Each request makes a new code, so one is shown as long as it is good. */
  private LoginState code(String phone) {
    Instant now = clock.instant();
    if (code != null && code.validUntil() != null && code.validUntil().isAfter(now)) {
      return code;
    }
    HttpCall call =
        call("POST", "/api/" + session + "/auth/request-code").json(Map.of("phoneNumber", phone));
    return switch (ask(call)) {
      case Answer.Said(JsonNode body) when body.path("code").isString() -> {
        LoginState.TypeCode made =
            new LoginState.TypeCode(body.path("code").asString(), now.plus(CODE_LASTS));
        code = made;
        yield made;
      }
      case Answer.Said _ -> new LoginState.Failed("WAHA gave no code");
      case Answer answer -> new LoginState.Failed(WhatsAppWebLink.cause(answer));
    };
  }

  @Override
  public void close() {
    http.close();
  }
}
