package dev.postrider.channels.googlechat;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.Settings;
import dev.postrider.channels.googlechat.GoogleChatRequest.Replied;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.message.Fix;
import dev.postrider.message.Receipt;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One app's connection, with its service account. Thread-safe. */
final class GoogleChatLink implements Link {
  private static final String USUAL_BASE = "https://chat.googleapis.com";

  private final String base;
  private final ServiceAccount account;
  private final HttpSender http;
  private final GoogleToken tokens;
  private final GoogleChatVerdict verdict;
  private final Memory memory;

  GoogleChatLink(Settings settings, InstantSource clock, Memory memory) {
    this.memory = memory;
    base = base(settings);
    account = ServiceAccount.of(settings);
    http = HttpSender.of(settings, account.secrets());
    tokens = new GoogleToken(account, http, clock);
    verdict = new GoogleChatVerdict(PermanentErrors.of(settings), clock);
  }

  static String base(Settings settings) {
    return settings.web("baseUrl", USUAL_BASE) + "/v1/";
  }

  /** What a question told, or the outcome of whatever needed the answer. */
  private sealed interface Asked {
    record Told(JsonNode body) implements Asked {}

    record Not(Outcome outcome) implements Asked {}
  }

  /** Asks something without effect: whatever becomes of it, no message went out. */
  private Asked ask(String path, String space, String token) {
    return switch (http.send(HttpCall.get(URI.create(base + path)).bearer(token))) {
      case HttpResult.Unreachable(String cause) -> new Asked.Not(new Outcome.Unreachable(cause));
      case HttpResult.Failed failed -> new Asked.Not(new Outcome.NotSent(failed.cause()));
      case HttpResult.Response response -> {
        JsonNode body = Json.readObject(response.body());
        if (response.status() == 200 && body != null) {
          tokens.took(token);
          yield new Asked.Told(body);
        }
        Outcome refusal = refusal(response, space, token);
        yield new Asked.Not(
            refusal instanceof Outcome.Unknown(String cause)
                ? new Outcome.NotSent(cause)
                : refusal);
      }
    };
  }

  private Outcome refusal(HttpResult.Response response, String space, String token) {
    Outcome refusal = verdict.refusal(response, space);
    return response.status() == 401 && refusal instanceof Outcome.AccountBroken(String cause)
        ? tokens.refused(token, cause)
        : refusal;
  }

  @Override
  public Outcome send(Dispatch part) {
    return switch (tokens.get()) {
      case TokenSource.Result.Failed(Outcome outcome) -> outcome;
      case TokenSource.Result.Good(TokenSource.Token token) -> send(part, token.value());
    };
  }

  private Outcome send(Dispatch part, String token) {
    if (part.to().startsWith("users/")) {
      return findDirectMessage(part.to(), token);
    }
    String name = GoogleChatRequest.repliesTo(part);
    Replied replied = null;
    if (name != null) {
      switch (ask(name, part.to(), token)) {
        case Asked.Told(JsonNode message) -> replied = Replied.of(message);
        case Asked.Not(Outcome.Rejected(_, String cause)) -> {
          if (!part.state().has(Fix.DropReply.class)) {
            return new Outcome.Repairable(
                new Fix.DropReply(), "the message to reply to cannot be read: " + cause);
          }
        }
        case Asked.Not(Outcome outcome) -> {
          return outcome;
        }
      }
    }
    return post(part, new GoogleChatRequest(part, replied), token);
  }

  /** A person is written to in the space that the app has with them: there from now on. */
  private Outcome findDirectMessage(String user, String token) {
    String path =
        "spaces:findDirectMessage?name=" + URLEncoder.encode(user, StandardCharsets.UTF_8);
    return switch (ask(path, user, token)) {
      case Asked.Told(JsonNode space) when Json.text(space, "name") instanceof String name ->
          new Outcome.Repairable(new Fix.NewChat(name), user + " is written to in " + name);
      case Asked.Told _ -> new Outcome.NotSent("Google named no space for " + user);
      case Asked.Not(Outcome.Rejected(_, String cause)) ->
          new Outcome.Rejected(
              Blame.TARGET,
              cause + " (there is no direct message with them; they must add the app first)");
      case Asked.Not(Outcome outcome) -> outcome;
    };
  }

  private Outcome post(Dispatch part, GoogleChatRequest request, String token) {
    URI uri = URI.create(base + part.to() + "/messages?" + request.query());
    return switch (http.send(HttpCall.post(uri).bearer(token).json(request.body()))) {
      case HttpResult.Failed failed -> failed.outcome();
      case HttpResult.Response response -> {
        String name = posted(response);
        if (name != null) {
          tokens.took(token);
          yield Outcome.delivered(name);
        }
        yield isThereAlready(response)
            ? Outcome.delivered(part.to() + "/messages/" + GoogleChatRequest.messageId(part))
            : SpaceMembership.explained(
                repaired(refusal(response, part.to(), token), request), part.to(), memory);
      }
    };
  }

  /** The name of a message that was posted; null if the answer does not say so. */
  static @Nullable String posted(HttpResult.Response response) {
    JsonNode body = Json.readObject(response.body());
    return response.status() / 100 == 2 && body != null ? Json.text(body, "name") : null;
  }

  /** An earlier try has arrived: nobody else uses the names that our messages have. */
  private static boolean isThereAlready(HttpResult.Response response) {
    JsonNode error = GoogleChatVerdict.error(response);
    return error != null && error.path("status").asString("").equals("ALREADY_EXISTS");
  }

  /** What may pass in another form. */
  static Outcome repaired(Outcome refusal, GoogleChatRequest request) {
    if (!(refusal instanceof Outcome.Rejected(Blame blame, String cause))) {
      return refusal;
    }
    if (request.orFails() && cause.startsWith("404 ")) {
      return new Outcome.Repairable(new Fix.DropReply(), cause + " (the thread is gone)");
    }
    if (blame == Blame.MESSAGE && request.quotes()) {
      return new Outcome.Repairable(new Fix.DropReply(), cause);
    }
    return blame == Blame.MESSAGE
            && request.showsImages()
            && cause.toLowerCase(Locale.ROOT).contains("image")
        ? new Outcome.Repairable(new Fix.AsDocument(), cause)
        : refusal;
  }

  /** Asks for the message by its name of ours; that it is not there counts if the space is. */
  @Override
  public Reconciliation reconcile(Dispatch part) {
    if (part.to().startsWith("users/")) {
      return new Reconciliation.Absent(); // nothing is posted before the space is known
    }
    if (!(tokens.get() instanceof TokenSource.Result.Good(TokenSource.Token token))) {
      return new Reconciliation.Inconclusive();
    }
    String name = part.to() + "/messages/" + GoogleChatRequest.messageId(part);
    return switch (ask(name, part.to(), token.value())) {
      case Asked.Told(JsonNode message) ->
          new Reconciliation.Found(new Receipt(message.path("name").asString(name), false));
      case Asked.Not(Outcome.Rejected(_, String cause))
          when cause.startsWith("404 ")
              && ask(part.to(), part.to(), token.value()) instanceof Asked.Told ->
          new Reconciliation.Absent();
      case Asked.Not _ -> new Reconciliation.Inconclusive();
    };
  }

  @Override
  public Probe probe() {
    return switch (tokens.get()) {
      case TokenSource.Result.Failed(Outcome outcome) -> Probe.of(outcome, "");
      case TokenSource.Result.Good(TokenSource.Token token) -> probe(token.value());
    };
  }

  private Probe probe(String token) {
    return switch (ask("spaces?pageSize=1", "", token)) {
      case Asked.Told(JsonNode body) ->
          new Probe.Healthy(
              body.path("spaces").isEmpty()
                  ? account.email() + " (in no space yet: add the app to one)"
                  : account.email());
      case Asked.Not(Outcome.Rejected(_, String cause)) -> new Probe.Broken(cause);
      case Asked.Not(Outcome outcome) -> Probe.of(outcome, "");
    };
  }

  @Override
  public void close() {
    http.close();
  }
}
