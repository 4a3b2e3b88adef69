package dev.postrider.channels.synology;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One incoming webhook, or one bot, on one NAS. Thread-safe. */
final class SynologyLink implements Link {
  private final ChatAddress address;
  private final HttpSender http;
  private final SynologyVerdict verdict;
  private final SynologyUsers users;
  private volatile boolean refused;

  SynologyLink(Settings settings, InstantSource clock) {
    address = ChatAddress.of(settings);
    http = HttpSender.of(settings, Secrets.of(address.token()));
    verdict = new SynologyVerdict(clock, address.bot());
    users = new SynologyUsers(http, address, verdict, clock);
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    if (!address.bot()) {
      return post("incoming", dispatch, null);
    }
    return switch (users.find(dispatch.to())) {
      case SynologyUsers.Answer.Failed(Outcome outcome) -> outcome;
      case SynologyUsers.Answer.Found(long user) -> post("chatbot", dispatch, user);
    };
  }

  private Outcome post(String method, Dispatch dispatch, @Nullable Long user) {
    String payload = Json.write(SynologyRequest.of(dispatch, user));
    HttpCall call = HttpCall.post(address.method(method)).fields(Map.of("payload", payload));
    Outcome outcome =
        switch (http.send(call)) {
          case HttpResult.Failed failed -> failed.outcome();
          case HttpResult.Response response -> verdict.of(response, dispatch, user);
        };
    refused = outcome instanceof Outcome.AccountBroken;
    return outcome;
  }

  @Override
  public Probe probe() {
    if (!address.bot()) {
      return probeWebhook();
    }
    Outcome failure = users.ask();
    return failure == null
        ? new Probe.Healthy(address + "; users that it sees: " + users.count())
        : Probe.of(failure, "");
  }

  /**
   * A webhook can only post. So the NAS is asked whether it has Chat; whether the token is right is
   * known once something was posted, and after a refusal only by trying again.
   */
  private Probe probeWebhook() {
    return switch (http.send(HttpCall.get(address.knownCalls()))) {
      case HttpResult.Failed failed -> new Probe.Unreachable(failed.cause());
      case HttpResult.Response response -> {
        JsonNode body = SynologyVerdict.answer(response);
        if (body == null) {
          yield Probe.of(verdict.foreign(response), "");
        }
        yield body.path("data").has("SYNO.Chat.External")
            ? new Probe.Healthy(
                refused ? "" : address + "; its token is seen to be right once it has posted")
            : new Probe.Broken("Synology Chat Server is not installed on the NAS, or does not run");
      }
    };
  }

  @Override
  public void close() {
    http.close();
  }
}
