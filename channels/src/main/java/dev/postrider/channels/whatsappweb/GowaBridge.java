package dev.postrider.channels.whatsappweb;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.LoginRequest;
import dev.postrider.channel.LoginState;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.FileAnswer;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.KeptFiles;
import dev.postrider.channels.http.Multipart;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.Secrets;
import dev.postrider.message.MediaKind;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * GOWA: JSON and forms over HTTP, a user's name and password, a device id where one program holds
 * several accounts. It gives every message an id of its own.
 */
final class GowaBridge implements Bridge {
  /** Fields of channel data that GOWA takes. */
  static final Set<String> OPTIONS = Set.of("mentions", "duration");

  private static final int HISTORY = 50;
  private static final long LARGEST_PICTURE = 1 << 20;
  private static final Duration CODE_LASTS = Duration.ofMinutes(2);
  private static final int LONG_ANSWER = 4 << 20;

  private final Settings settings;
  private final InstantSource clock;
  private LoginState.@Nullable ScanQr picture; // guarded by this
  private LoginState.@Nullable TypeCode code; // guarded by this
  private final String base;
  private final String authorization;
  private final String device;
  private final HttpSender http;
  private final GowaVerdict verdict;
  private final KeptFiles files = KeptFiles.plain();

  GowaBridge(Settings settings, InstantSource clock) {
    this.settings = settings;
    this.clock = clock;
    base = settings.web("baseUrl", WahaBridge.USUAL);
    authorization = authorization(settings);
    device = device(settings);
    http =
        HttpSender.of(
            settings,
            Secrets.of(settings.text("password", ""), authorization.replace("Basic ", "")));
    verdict = new GowaVerdict(PermanentErrors.of(settings), clock);
  }

  static String authorization(Settings settings) {
    String pair = settings.text("username", "") + ":" + settings.text("password", "");
    return pair.equals(":")
        ? ""
        : "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
  }

  static String device(Settings settings) {
    String device = settings.text("deviceId", "");
    if (!device.matches("[\\x21-\\x7e]*")) {
      throw settings.wrong("deviceId", "has characters that no device id has");
    }
    return device;
  }

  /** A request with what shows who we are. */
  static HttpCall signed(HttpCall call, String authorization, String device) {
    HttpCall known = authorization.isEmpty() ? call : call.header("Authorization", authorization);
    return device.isEmpty() ? known : known.header("X-Device-Id", device);
  }

  private HttpCall call(String method, String path) {
    return signed(HttpCall.of(method, URI.create(base + path)), authorization, device);
  }

  private Answer ask(HttpCall call) {
    return switch (http.send(call)) {
      case HttpResult.Failed failed -> new Answer.Failed(failed.outcome());
      case HttpResult.Response response -> verdict.of(response);
    };
  }

  @Override
  public Session state() {
    return switch (ask(call("GET", "/app/status"))) {
      case Answer.Said(JsonNode body) when !body.path("is_logged_in").asBoolean(false) ->
          new Session.NotReady(GowaVerdict.NOT_PAIRED, true);
      case Answer.Said(JsonNode body) ->
          body.path("is_connected").asBoolean(false)
              ? new Session.Working(identity(body))
              : new Session.NotReady(GowaVerdict.RECONNECTS, false);
      case Answer.NotReady(String cause, boolean login) -> new Session.NotReady(cause, login);
      case Answer.ClosedToStrangers(String cause) -> new Session.Away(cause);
      case Answer.Failed(Outcome.AccountBroken(String cause)) -> new Session.Broken(cause);
      case Answer.Failed(Outcome outcome) -> new Session.Away(WhatsAppWebLink.cause(outcome));
    };
  }

  private static String identity(JsonNode body) {
    String jid = Jid.of(body.path("jid").asString(""));
    return jid == null ? body.path("device_id").asString("paired") : jid;
  }

  @Override
  public Answer send(Dispatch part) {
    if (part.cargo().isEmpty()) {
      return ask(call("POST", "/send/message").json(text(part)));
    }
    PartFile file = part.cargo().getFirst();
    try {
      return ask(call("POST", "/send/" + way(file)).form(form(part, file, files.of(file))));
    } catch (IOException e) {
      return new Answer.Failed(new Outcome.NotSent("the file cannot be read: " + e.getMessage()));
    }
  }

  static Map<String, @Nullable Object> text(Dispatch part) {
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("phone", Jid.onWire(part.to()));
    body.put("message", part.text() == null ? "" : part.text());
    if (part.replyToId() != null) {
      body.put("reply_message_id", part.replyToId());
    }
    OPTIONS.forEach(
        name -> {
          if (part.channelData().get(name) != null) {
            body.put(name, part.channelData().get(name));
          }
        });
    return body;
  }

  private static Multipart form(Dispatch part, PartFile file, PartFile.Bytes bytes) {
    MediaKind kind = file.attachment().kind();
    Multipart.Builder form = Multipart.builder(part.key()).field("phone", Jid.onWire(part.to()));
    if (part.text() != null && kind != MediaKind.AUDIO && kind != MediaKind.VOICE) {
      form.field("caption", part.text());
    }
    if (part.replyToId() != null) {
      form.field("reply_message_id", part.replyToId());
    }
    if (kind == MediaKind.VOICE) {
      form.field("ptt", "true");
    }
    if (part.channelData().get("duration") != null) {
      form.field("duration", String.valueOf(part.channelData().get("duration")));
    }
    return form.file(
            way(file), WahaRequest.filename(file.attachment()), file.attachment().type(), bytes)
        .build();
  }

  /** The call that takes a file of this kind, and the name of its field. */
  private static String way(PartFile file) {
    return switch (file.attachment().kind()) {
      case IMAGE -> "image";
      case VIDEO -> "video";
      case AUDIO, VOICE -> "audio";
      case DOCUMENT -> "file";
    };
  }

  @Override
  public boolean hasOwnId(Dispatch part) {
    return false;
  }

  @Override
  public String sentId(JsonNode body) {
    return body.path("message_id").asString("");
  }

  @Override
  public @Nullable Boolean has(String chat, String id) {
    return null;
  }

  private static String messages(String chat, String query) {
    return "/chat/" + URLEncoder.encode(Jid.onWire(chat), UTF_8) + "/messages?" + query;
  }

  private JsonNode list(String path) throws IOException {
    return switch (ask(call("GET", path).upTo(LONG_ANSWER))) {
      case Answer.Said(JsonNode body) when body.path("data").isArray() -> body.path("data");
      case Answer answer -> throw new IOException(WhatsAppWebLink.cause(answer));
    };
  }

  @Override
  public @Nullable List<Sent> sentSince(String chat, Instant since) {
    String query =
        "limit=%d&is_from_me=true&start_time=%s"
            .formatted(HISTORY, URLEncoder.encode(since.toString(), UTF_8));
    try {
      List<Sent> all = new ArrayList<>();
      for (JsonNode message : list(messages(chat, query))) {
        all.add(
            new Sent(
                message.path("id").asString(""),
                Json.text(message, "content"),
                Json.text(message, "media_type") != null));
      }
      return all;
    } catch (IOException _) {
      return null;
    }
  }

  @Override
  public boolean isKnown(String chat) {
    try {
      return !list(messages(chat, "limit=1")).isEmpty();
    } catch (IOException _) {
      return false;
    }
  }

  @Override
  public Answer check(String chat) {
    return ask(call("GET", "/user/check?phone=" + Jid.user(chat)));
  }

  @Override
  public @Nullable String found(JsonNode body, String chat) {
    return body.path("is_on_whatsapp").asBoolean(false) ? chat : null;
  }

  /** GOWA turns hidden ids into numbers by itself. */
  @Override
  public @Nullable String number(String lid) {
    return null;
  }

  @Override
  public List<Recent> recent(int offset) throws IOException {
    List<Recent> chats = new ArrayList<>();
    for (JsonNode chat : list("/chats?limit=%d&offset=%d".formatted(CHATS, offset))) {
      chats.add(
          new Recent(
              Jid.of(chat.path("jid").asString("")), GowaEvents.time(chat, "last_message_time")));
    }
    return chats;
  }

  @Override
  public List<JsonNode> said(String chat, Instant since, int offset) throws IOException {
    String query =
        "limit=%d&offset=%d&is_from_me=false&start_time=%s"
            .formatted(MESSAGES, offset, URLEncoder.encode(since.toString(), UTF_8));
    return list(messages(chat, query)).valueStream().toList();
  }

  @Override
  public void read(JsonNode said, String chat, Heard heard) {
    GowaEvents.history(said, chat, heard);
  }

  /** GOWA refuses such a message when it is sent. */
  @Override
  public void refused(String chat, Instant since, Heard heard) {}

  /** Each call of GOWA's makes a new code, so one is shown as long as it is good. */
  @Override
  public synchronized LoginState login(LoginRequest request) throws IOException {
    return switch (state()) {
      case Session.Working(String identity) -> {
        picture = null;
        code = null;
        yield new LoginState.LoggedIn(identity);
      }
      case Session.NotReady(_, boolean login) when login ->
          request.phone() == null ? picture() : code(request.phone());
      case Session.NotReady(String cause, _) -> new LoginState.Waiting(cause);
      case Session.Broken(String cause) -> new LoginState.Failed(cause);
      case Session.Away(String cause) -> new LoginState.Failed(cause);
    };
  }

  private LoginState code(String phone) {
    if (code != null && isGood(code.validUntil())) {
      return code;
    }
    return switch (ask(
        call("GET", "/app/login-with-code?phone=" + URLEncoder.encode(phone, UTF_8)))) {
      case Answer.Said(JsonNode body) -> {
        Instant until = clock.instant().plus(CODE_LASTS);
        LoginState.TypeCode made =
            new LoginState.TypeCode(body.path("pair_code").asString(""), until);
        code = made;
        yield made;
      }
      case Answer answer -> refused(answer);
    };
  }

  private LoginState picture() throws IOException {
    if (picture != null && isGood(picture.validUntil())) {
      return picture;
    }
    return switch (ask(call("GET", "/app/login"))) {
      case Answer.Said(JsonNode body) -> {
        long seconds = Math.clamp(body.path("qr_duration").asLong(30), 5, 120);
        // GOWA names the picture by the address that it has for itself.
        String link = body.path("qr_link").asString("");
        int path = link.indexOf("/statics/");
        if (path < 0) {
          yield new LoginState.Failed("GOWA has not said where its QR code is");
        }
        LoginState.ScanQr made =
            LoginState.ScanQr.picture(
                fetched(link.substring(path)), clock.instant().plusSeconds(seconds));
        picture = made;
        yield made;
      }
      case Answer answer -> refused(answer);
    };
  }

  private byte[] fetched(String path) throws IOException {
    HttpSender once = HttpSender.of(settings, Secrets.of(settings.text("password", "")));
    try {
      return switch (once.open(call("GET", path), LARGEST_PICTURE)) {
        case FileAnswer.Found found -> {
          try (var file = found.file()) {
            yield file.bytes().readAllBytes();
          }
        }
        case FileAnswer.Other(HttpResult.Response response) ->
            throw new IOException("GOWA's QR code: " + response.status());
      };
    } finally {
      once.close();
    }
  }

  private boolean isGood(@Nullable Instant until) {
    return until != null && until.isAfter(clock.instant());
  }

  private static LoginState refused(Answer answer) {
    return new LoginState.Failed(WhatsAppWebLink.cause(answer));
  }

  @Override
  public void close() {
    http.close();
  }
}
