package dev.postrider.channels.bluebubbles;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.Settings;
import dev.postrider.channels.bluebubbles.BlueBubblesApi.Answer;
import dev.postrider.channels.bluebubbles.BlueBubblesApi.Asked;
import dev.postrider.channels.bluebubbles.BlueBubblesApi.Info;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.imessage.ChatGuid;
import dev.postrider.channels.imessage.MessageAction;
import dev.postrider.message.Receipt;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One account's connection to the server on its Mac. Thread-safe. */
final class BlueBubblesLink implements Link {
  private static final String REMEDY =
      "; switch the Private API on in BlueBubbles and see that its helper is connected";

  private final HttpSender http;
  private final BlueBubblesApi api;
  private final BlueBubblesSearch search;
  private final Scheduler time;
  private final Duration settle;
  private final Duration poll;

  BlueBubblesLink(AccountContext context) {
    Settings settings = Settings.of(context.config());
    time = context.scheduler();
    http = HttpSender.of(settings, secrets(settings));
    api = new BlueBubblesApi(http, settings, time);
    search = new BlueBubblesSearch(api, context.memory());
    settle = settings.duration("settle", Duration.ofSeconds(10));
    poll = settings.duration("poll", Duration.ofMinutes(1));
  }

  /** The password stands in addresses, which errors like to quote. */
  static Secrets secrets(Settings settings) {
    String password = settings.required("password");
    return Secrets.of(password, BlueBubblesApi.encoded(password));
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    String action = MessageAction.of(dispatch);
    // The Mac may still have been at it when it was last looked for.
    if (dispatch.mayHaveArrivedAt() != null
        && action == null
        && search.find(dispatch) instanceof Reconciliation.Found(Receipt receipt)) {
      return new Outcome.Delivered(receipt);
    }
    List<String> graces = BlueBubblesRequest.graces(dispatch);
    String substance = BlueBubblesRequest.substance(dispatch);
    if (!api.isServiceOpen() && graces.isEmpty() && substance == null) {
      return send(dispatch, api.service(), true, null);
    }
    return switch (api.info()) {
      case Asked.Not(Outcome outcome) -> unseen(outcome);
      case Asked.Known(Info info) -> {
        boolean on = info.privateApi() && info.helper();
        if (substance != null && !on) {
          yield new Outcome.Rejected(
              Blame.MESSAGE, "channelData." + substance + " needs the Private API" + REMEDY);
        }
        String note =
            on || graces.isEmpty()
                ? null
                : "sent without " + String.join(" and ", graces) + ": the Private API is off";
        yield action == null
            ? send(dispatch, api.service(info), on, note)
            : act(dispatch, api.service(info), action);
      }
    };
  }

  /** Nothing was sent yet when this went wrong. */
  private static Outcome unseen(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Unknown(String cause) -> new Outcome.NotSent(cause);
      case Outcome.Rejected(_, String cause) -> new Outcome.NotSent(cause);
      default -> outcome;
    };
  }

  private Outcome send(Dispatch dispatch, String service, boolean graced, @Nullable String note) {
    String chat = ChatGuid.of(dispatch.to()).on(service);
    HttpCall call =
        dispatch.cargo().isEmpty()
            ? api.slow("/message/text", BlueBubblesApi.TEXT_PATIENCE)
                .json(BlueBubblesRequest.text(dispatch, chat, api.method(), graced))
            : api.slow("/message/attachment", BlueBubblesApi.FILE_PATIENCE)
                .form(BlueBubblesRequest.file(dispatch, chat, api.method(), graced));
    return switch (api.ask(call)) {
      case Answer.Failed(Outcome outcome) -> outcome;
      case Answer.Done done -> delivered(dispatch, done.data(), note);
    };
  }

  private static Outcome delivered(Dispatch dispatch, JsonNode message, @Nullable String note) {
    String guid = Json.text(message, "guid");
    Long failure = Json.count(message.path("error"));
    Long row = Json.count(message.path("originalROWID"));
    if (failure != null && failure != 0) {
      return BlueBubblesVerdict.failed(failure);
    }
    return guid == null
        ? new Outcome.Unknown("taken, but without an id")
        : new Outcome.Delivered(
            new Receipt(guid, true),
            Map.of(),
            row == null
                ? List.of()
                : List.of(Remembered.of(dispatch.to(), BlueBubblesSearch.LAST_ROW, row.toString())),
            note);
  }

  /** Does something to a message that is there; once more would change nothing. */
  private Outcome act(Dispatch dispatch, String service, String action) {
    String chat = ChatGuid.of(dispatch.to()).on(service);
    HttpCall call =
        api.slow(BlueBubblesRequest.path(dispatch, action), BlueBubblesApi.TEXT_PATIENCE)
            .json(BlueBubblesRequest.body(dispatch, chat, action));
    return switch (api.ask(call)) {
      case Answer.Failed(Outcome outcome) -> outcome;
      case Answer.Done done -> {
        String guid = Json.text(done.data(), "guid");
        yield guid == null
            ? new Outcome.Unknown("taken, but without an id")
            : Outcome.delivered(guid);
      }
    };
  }

  @Override
  public Duration remembers(Dispatch part, Duration usual) {
    return MessageAction.of(part) == null ? usual : Capabilities.FOR_GOOD;
  }

  @Override
  public Reconciliation reconcile(Dispatch dispatch) {
    if (MessageAction.of(dispatch) != null) {
      return new Reconciliation.Inconclusive();
    }
    time.pause(settle); // Messages writes down what it sends a moment later
    return search.find(dispatch);
  }

  @Override
  public Probe probe() {
    return switch (api.ask(api.call("GET", "/ping"))) {
      case Answer.Failed(Outcome.Unreachable(String cause, _)) ->
          new Probe.Unreachable(
              cause + " (is the Mac awake, on the network, and BlueBubbles running on it?)");
      case Answer.Failed(Outcome outcome) -> Probe.of(outcome, "");
      case Answer.Done _ ->
          switch (api.freshInfo()) {
            case Asked.Not(Outcome outcome) -> Probe.of(outcome, "");
            case Asked.Known(Info info) -> health(info);
          };
    };
  }

  private Probe health(Info info) {
    boolean needed = api.method().equals(BlueBubblesApi.PRIVATE_API);
    if (needed && !info.privateApi()) {
      return new Probe.Broken(
          "the Private API is off: switch it on in BlueBubbles, or set method: apple-script");
    }
    if (needed && !info.helper()) {
      return new Probe.Unreachable("the Private API's helper is not connected to Messages");
    }
    String apple = Json.text(info.data(), "detected_imessage");
    String version = info.data().path("server_version").asString("?");
    return new Probe.Healthy(
        (apple == null ? "nobody, as it seems: sign in to iMessage in Messages on the Mac" : apple)
            + " (BlueBubbles "
            + version
            + ", macOS "
            + info.data().path("os_version").asString("?")
            + (info.privateApi() && info.helper() ? ", Private API on)" : ", Private API off)"));
  }

  @Override
  public boolean listens() {
    return poll.isPositive();
  }

  @Override
  public void listen(InboundSink inlet) throws IOException {
    new BlueBubblesCatchUp(api, time, poll).listen(inlet);
  }

  @Override
  public void close() {
    http.close();
  }
}
