package dev.postrider.channels.whatsapp;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.UploadResult;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Multipart;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.Secrets;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.MediaKind;
import dev.postrider.problem.InvalidInput;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One number's connection. Thread-safe. */
final class WhatsAppLink implements Link {
  private static final Set<String> TEXTS = Set.of("application/json", "application/xml");

  private final URI number;
  private final String token;
  private final Duration mediaLasts;
  private final Duration orderWait;
  private final HttpSender http;
  private final WhatsAppVerdict verdict;
  private final Memory memory;

  WhatsAppLink(Settings settings, InstantSource clock, Memory memory) {
    this.memory = memory;
    token = settings.required("token");
    number = number(settings);
    mediaLasts = settings.duration("mediaLasts", Duration.ofDays(29));
    orderWait = orderWait(settings);
    verdict = new WhatsAppVerdict(PermanentErrors.of(settings), clock);
    http = HttpSender.of(settings, Secrets.of(token));
  }

  /** Without webhooks nothing is ever told. */
  private static Duration orderWait(Settings settings) {
    String order = settings.text("order", "receipt");
    if (!order.equals("receipt") && !order.equals("none")) {
      throw settings.wrong("order", "is neither receipt nor none");
    }
    boolean told = !settings.text("appSecret", settings.text("webhookSecret", "")).isEmpty();
    Duration wait = settings.duration("orderWait", Duration.ofSeconds(10));
    return told && order.equals("receipt") ? wait : Duration.ZERO;
  }

  static URI number(Settings settings) {
    String id = settings.required("phoneNumberId");
    if (!id.matches("\\d+")) {
      throw settings.wrong(
          "phoneNumberId", "is not a number; Meta shows it beside the phone number");
    }
    String version = settings.text("apiVersion", "v23.0");
    if (!version.matches("v\\d+\\.\\d+")) {
      throw settings.wrong("apiVersion", "is not a version such as v23.0");
    }
    String base = settings.web("baseUrl", "https://graph.facebook.com");
    return URI.create(base + "/" + version + "/" + id);
  }

  private URI at(String rest) {
    return URI.create(number + rest);
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    if (wouldLoseItsText(dispatch)) {
      return new Outcome.Repairable(
          new Fix.AsDocument(), "the file turned out to be sound, which takes no caption");
    }
    try {
      Map<String, @Nullable Object> body = WhatsAppRequest.of(dispatch);
      return switch (http.send(HttpCall.post(at("/messages")).bearer(token).json(body))) {
        case HttpResult.Response response ->
            ServiceWindow.explained(verdict.of(response, dispatch.to()), dispatch.to(), memory);
        case HttpResult.Failed failed -> failed.outcome();
      };
    } catch (InvalidInput e) {
      return new Outcome.Rejected(Blame.MESSAGE, e.first().toString());
    }
  }

  /** A file takes Meta longer than the text after it, which would be shown first. */
  @Override
  public Duration sentWithin(Dispatch accepted) {
    boolean file = !accepted.part().media().isEmpty();
    int next = accepted.index() + 1;
    return file
            && next < accepted.plan().parts().size()
            && accepted.plan().parts().get(next).media().isEmpty()
        ? orderWait
        : Duration.ZERO;
  }

  /** Planned by its name, a file may be something else once its bytes are seen. */
  private static boolean wouldLoseItsText(Dispatch dispatch) {
    return dispatch.text() != null
        && dispatch.cargo().stream()
            .map(cargo -> cargo.attachment().kind())
            .anyMatch(kind -> kind == MediaKind.AUDIO || kind == MediaKind.VOICE);
  }

  @Override
  public UploadResult upload(PartFile cargo) {
    Attachment file = cargo.attachment();
    String type = type(file);
    Multipart form =
        Multipart.builder(String.valueOf(file.hash()))
            .field("messaging_product", "whatsapp")
            .field("type", type)
            .file(
                "file", WhatsAppRequest.filename(file), type, Objects.requireNonNull(cargo.bytes()))
            .build();
    return switch (http.send(HttpCall.post(at("/media")).bearer(token).form(form))) {
      case HttpResult.Response response -> uploaded(response);
      case HttpResult.Unreachable(String cause) ->
          new UploadResult.Failed(new Outcome.Unreachable(cause));
      // Whatever became of the bytes, the part that needs them was not sent.
      case HttpResult.NotSent(String cause) -> new UploadResult.Failed(new Outcome.NotSent(cause));
      case HttpResult.Unknown(String cause) -> new UploadResult.Failed(new Outcome.NotSent(cause));
    };
  }

  private UploadResult uploaded(HttpResult.Response response) {
    JsonNode body = Json.readObject(response.body());
    String id = body == null ? "" : body.path("id").asString("");
    if (response.status() / 100 == 2 && !id.isEmpty()) {
      return new UploadResult.Done(new FileHandle(id, mediaLasts));
    }
    Outcome refusal = verdict.refusal(response, "");
    return new UploadResult.Failed(
        refusal instanceof Outcome.Unknown(String cause) ? new Outcome.NotSent(cause) : refusal);
  }

  /** Meta goes by the type it is told, and knows one kind of text. */
  private static String type(Attachment file) {
    String type = file.type() == null ? MediaTypes.UNKNOWN : file.type();
    return type.startsWith("text/") || TEXTS.contains(type) ? "text/plain" : type;
  }

  @Override
  public Probe probe() {
    URI uri = at("?fields=display_phone_number");
    return switch (http.send(HttpCall.get(uri).bearer(token))) {
      case HttpResult.Response response -> probed(response);
      case HttpResult.Failed failed -> new Probe.Unreachable(failed.cause());
    };
  }

  private Probe probed(HttpResult.Response response) {
    JsonNode body = Json.readObject(response.body());
    if (response.status() / 100 == 2 && body != null && body.has("id")) {
      return new Probe.Healthy(
          body.path("display_phone_number").asString(body.path("id").asString()));
    }
    return Probe.of(verdict.refusal(response, ""), "");
  }

  @Override
  public void close() {
    http.close();
  }
}
