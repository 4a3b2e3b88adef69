package dev.postrider.channels.bluebubbles;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.imessage.ChatGuid;
import dev.postrider.time.Scheduler;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The server's REST API. The password stands in every address. Thread-safe. */
final class BlueBubblesApi {
  static final String EXAMPLE = "http://mac.local:1234";
  static final String PRIVATE_API = "private-api";
  static final String APPLE_SCRIPT = "apple-script";

  /** The server itself gives a text up after two minutes, and a file after twenty. */
  static final Duration TEXT_PATIENCE = Duration.ofSeconds(150);

  static final Duration FILE_PATIENCE = Duration.ofMinutes(20);

  private static final String IMESSAGE = "iMessage";
  private static final String PATH = "/api/v1";
  private static final int LONGEST_LIST = 32 << 20;

  /** How long what the server said of itself counts. */
  private static final Duration FRESH = Duration.ofMinutes(1);

  private final HttpSender http;
  private final BlueBubblesVerdict verdict;
  private final Scheduler time;
  private final String base;
  private final String password;
  private final String method;
  private final String service;
  private final boolean patient;
  private volatile @Nullable Info known;

  BlueBubblesApi(HttpSender http, Settings settings, Scheduler time) {
    this.http = http;
    this.time = time;
    verdict = new BlueBubblesVerdict(time);
    check(settings);
    base = site(settings);
    password = settings.required("password");
    method = settings.text("method", APPLE_SCRIPT);
    service = settings.text("service", "");
    patient = settings.text("timeout", "").isEmpty();
  }

  static void check(Settings settings) {
    site(settings);
    if (!Set.of(APPLE_SCRIPT, PRIVATE_API).contains(settings.text("method", APPLE_SCRIPT))) {
      throw settings.wrong("method", "must be " + APPLE_SCRIPT + " or " + PRIVATE_API);
    }
    if (!Set.of("", IMESSAGE, ChatGuid.ANY).contains(settings.text("service", ""))) {
      throw settings.wrong("service", "must be iMessage or any; leave it out to ask the Mac");
    }
  }

  /** The server's address. */
  static String site(Settings settings) {
    String site = settings.requiredWeb("baseUrl", EXAMPLE);
    if (site.contains("?") || site.endsWith(PATH)) {
      throw settings.wrong(
          "baseUrl", "is the server's own address, without " + PATH + " and without a password");
    }
    return site;
  }

  static URI address(String site, String password, String path) {
    char next = path.indexOf('?') < 0 ? '?' : '&';
    return URI.create(site + PATH + path + next + "password=" + encoded(password));
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8).replace("+", "%20");
  }

  /** The result of a call. */
  sealed interface Answer {
    /**
     * @param body the whole of it; what was asked for is its {@code data}
     */
    record Done(JsonNode body) implements Answer {
      JsonNode data() {
        return body.path("data");
      }
    }

    record Failed(Outcome outcome) implements Answer {}
  }

  /** What the server says of itself. */
  record Info(JsonNode data, Instant at) {
    boolean privateApi() {
      return data.path("private_api").asBoolean(false);
    }

    boolean helper() {
      return data.path("helper_connected").asBoolean(false);
    }

    int macOs() {
      String version = data.path("os_version").asString("").replaceFirst("\\D.*", "");
      return version.isEmpty() || version.length() > 4 ? 0 : Integer.parseInt(version);
    }
  }

  /** How texts and files are sent that need nothing special. */
  String method() {
    return method;
  }

  HttpCall call(String verb, String path) {
    return HttpCall.of(verb, address(base, password, path));
  }

  /** The same for a request that is answered when Messages has done its work. */
  HttpCall slow(String path, Duration patience) {
    HttpCall call = call("POST", path);
    return patient ? call.waiting(patience) : call;
  }

  Answer list(String path, Object query) {
    return ask(call("POST", path).json(query).upTo(LONGEST_LIST));
  }

  Answer ask(HttpCall call) {
    return switch (http.send(call)) {
      case HttpResult.Failed failed -> new Answer.Failed(failed.outcome());
      case HttpResult.Response response -> {
        JsonNode body = response.whole() ? Json.readObject(response.body()) : null;
        if (response.status() == 200 && body != null && body.path("status").asInt(0) == 200) {
          yield new Answer.Done(body);
        }
        yield new Answer.Failed(verdict.refusal(response));
      }
    };
  }

  /** What the server says of itself, or why it does not. */
  sealed interface Asked {
    record Known(Info info) implements Asked {}

    record Not(Outcome outcome) implements Asked {}
  }

  /** What the server said of itself a moment ago, or says now. */
  Asked info() {
    Info last = known;
    return last != null && last.at.plus(FRESH).isAfter(time.instant())
        ? new Asked.Known(last)
        : freshInfo();
  }

  Asked freshInfo() {
    return switch (ask(call("GET", "/server/info"))) {
      case Answer.Failed(Outcome outcome) -> new Asked.Not(outcome);
      case Answer.Done done -> {
        Info info = new Info(done.data(), time.instant());
        known = info;
        yield new Asked.Known(info);
      }
    };
  }

  /** Whether the Mac has to be asked what it calls its chats. */
  boolean isServiceOpen() {
    return service.isEmpty();
  }

  /** What chats of iMessage are called on that Mac. */
  String service(Info info) {
    return service.isEmpty() ? info.macOs() >= 26 ? ChatGuid.ANY : IMESSAGE : service;
  }

  /** The same where nobody has to be asked. */
  String service() {
    return service.isEmpty() ? IMESSAGE : service;
  }
}
