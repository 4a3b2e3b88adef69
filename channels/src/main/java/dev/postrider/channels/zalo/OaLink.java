package dev.postrider.channels.zalo;

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
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.token.TokenSource.Result;
import dev.postrider.channels.token.TokenSource.Token;
import dev.postrider.problem.InvalidInput;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One Official Account's connection. Thread-safe. */
final class OaLink implements Link {
  /** Zalo keeps files for seven days. */
  private static final Duration FILES_LAST = Duration.ofDays(6);

  private final String base;
  private final HttpSender http;
  private final OaLogin login;
  private final OaVerdict verdict;

  OaLink(Settings settings, InstantSource clock, Memory memory) {
    base = settings.web("baseUrl", "https://openapi.zalo.me");
    if (settings.flag("polling", false)) {
      throw settings.wrong("polling", "is for bots; an Official Account has a webhook");
    }
    boolean reports = !settings.text("oaSecretKey", "").isEmpty();
    verdict = new OaVerdict(PermanentErrors.of(settings), clock, memory, reports);
    http = HttpSender.of(settings, OaLogin.secrets(settings));
    login = new OaLogin(settings, clock, memory, http);
  }

  /** An answer of Zalo's, or the outcome of whatever it was asked for. */
  private sealed interface Answer {
    record Came(Response response) implements Answer {}

    record None(Outcome outcome) implements Answer {}
  }

  private Answer ask(HttpCall call) {
    return switch (login.token()) {
      case Result.Failed(Outcome outcome) -> new Answer.None(outcome);
      case Result.Good(Token token) ->
          switch (http.send(call.secret("access_token", token.value()))) {
            case HttpResult.Failed failed -> new Answer.None(failed.outcome());
            case Response response -> answered(response, token.value());
          };
    };
  }

  private Answer answered(Response response, String token) {
    if (OaVerdict.refusesToken(response)) {
      return new Answer.None(login.refused(token, OaVerdict.cause(response)));
    }
    login.passed();
    return new Answer.Came(response);
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    try {
      OaRequest request = OaRequest.of(dispatch);
      HttpCall call = HttpCall.post(URI.create(base + request.path())).json(request.body());
      return switch (ask(call)) {
        case Answer.None(Outcome outcome) -> outcome;
        case Answer.Came(Response response) -> verdict.of(response, dispatch.to());
      };
    } catch (InvalidInput e) {
      return new Outcome.Rejected(Blame.MESSAGE, e.first().toString());
    }
  }

  @Override
  public UploadResult upload(PartFile cargo) throws IOException {
    OaUpload upload = OaUpload.of(cargo);
    URI uri = URI.create(base + "/v2.0/oa/upload/" + upload.kind());
    return switch (ask(HttpCall.post(uri).form(upload.form()))) {
      case Answer.None(Outcome outcome) -> failed(outcome);
      case Answer.Came(Response response) -> {
        String id = id(response);
        yield id == null
            ? failed(verdict.of(response, null))
            : new UploadResult.Done(new FileHandle(upload.handle(id), FILES_LAST));
      }
    };
  }

  /** Whatever became of the bytes, the part that needs them was not sent. */
  private static UploadResult failed(Outcome outcome) {
    return new UploadResult.Failed(
        switch (outcome) {
          case Outcome.Unknown(String cause) -> new Outcome.NotSent(cause);
          case Outcome.Delivered _ ->
              new Outcome.NotSent("Zalo took a file and did not say what it calls it");
          default -> outcome;
        });
  }

  private static @Nullable String id(Response response) {
    JsonNode body = Json.readObject(response.body());
    if (body == null || body.path("error").asInt(-1) != 0) {
      return null;
    }
    String attachment = Json.text(body.path("data"), "attachment_id");
    return attachment == null ? Json.text(body.path("data"), "token") : attachment;
  }

  @Override
  public Probe probe() {
    return switch (ask(HttpCall.get(URI.create(base + "/v2.0/oa/getoa")))) {
      case Answer.None(Outcome outcome) -> Probe.of(outcome, "");
      case Answer.Came(Response response) ->
          Probe.of(verdict.of(response, null), identity(response) + login.trouble());
    };
  }

  private static String identity(Response response) {
    JsonNode body = Json.readObject(response.body());
    JsonNode oa = body == null ? null : body.path("data");
    return oa == null ? "" : oa.path("name").asString(oa.path("oa_id").asString(""));
  }

  @Override
  public void close() {
    http.close();
  }
}
