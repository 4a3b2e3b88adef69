package dev.postrider.channels.mattermost;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.mattermost.MattermostApi.Answer;
import dev.postrider.channels.mattermost.MattermostApi.Named;
import dev.postrider.channels.mattermost.MattermostFiles.Brought;
import dev.postrider.message.Fix;
import dev.postrider.message.Receipt;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** One token's connection to one site. Thread-safe. */
final class MattermostLink implements Link {
  private static final String LOUD = "posted with a notification: only bots may post silently";

  private final HttpSender http;
  private final MattermostApi api;
  private final MattermostFiles files;
  private final MattermostSearch search;
  private final MattermostSocket socket;
  private final boolean listens;

  MattermostLink(Settings settings, Scheduler time) {
    http = HttpSender.of(settings, Secrets.of(settings.required("token")));
    api = new MattermostApi(http, new MattermostVerdict(time), settings);
    files = new MattermostFiles(api);
    search = new MattermostSearch(api, settings, time);
    socket = new MattermostSocket(http, api, settings, time);
    listens = settings.flag("websocket", false);
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    for (String name : MattermostRequest.WEBHOOK_EXTRAS) {
      if (dispatch.channelData().containsKey(name)) {
        return new Outcome.Rejected(
            Blame.MESSAGE, "channelData." + name + " is for accounts with a webhookUrl");
      }
    }
    return switch (channel(dispatch)) {
      case Named.Not(Outcome outcome) -> outcome;
      case Named.Known(String channel) -> send(dispatch, channel);
    };
  }

  private Named channel(Dispatch dispatch) {
    return MattermostChannel.isPerson(dispatch.to())
        ? api.direct(dispatch.to())
        : new Named.Known(dispatch.to());
  }

  private Outcome send(Dispatch dispatch, String channel) {
    // An earlier try may have arrived, and Mattermost may have forgotten its key by now.
    if (dispatch.mayHaveArrivedAt() != null
        && MattermostRequest.ephemeral(dispatch) == null
        && search.find(dispatch, channel) instanceof Reconciliation.Found(Receipt receipt)) {
      return new Outcome.Delivered(receipt);
    }
    String root = null;
    if (MattermostRequest.root(dispatch) instanceof String answered) {
      switch (root(dispatch, answered)) {
        case Named.Not(Outcome outcome) -> {
          return outcome;
        }
        case Named.Known(String first) -> root = first;
      }
    }
    return switch (files.bring(dispatch, channel)) {
      case Brought.Not(Outcome outcome) -> outcome;
      case Brought.All(List<String> ids) -> {
        Map<String, Object> post = MattermostRequest.post(dispatch, channel, root, ids);
        String person = MattermostRequest.ephemeral(dispatch);
        yield person == null ? post(dispatch, post, ids) : whisper(person, post);
      }
    };
  }

  /** The first post of the thread that a post belongs to: only that can be answered. */
  private Named root(Dispatch dispatch, String post) {
    if (!MattermostRequest.isId(post)) {
      return lost("replyToId is not the id of a post");
    }
    if (dispatch.threadId() != null) {
      return new Named.Known(post);
    }
    return switch (api.ask(api.call("GET", "/posts/" + post), Blame.TARGET)) {
      case Answer.Failed(_, Outcome.Rejected(_, String cause)) -> lost(cause);
      case Answer.Failed(_, Outcome outcome) -> new Named.Not(MattermostApi.unseen(outcome));
      case Answer.Done(JsonNode body, _) -> {
        String root = body.path("root_id").asString("");
        yield new Named.Known(root.isEmpty() ? post : root);
      }
    };
  }

  private static Named lost(String cause) {
    return new Named.Not(new Outcome.Repairable(new Fix.DropReply(), cause));
  }

  private Outcome post(Dispatch dispatch, Map<String, Object> post, List<String> ids) {
    Outcome stranger = dispatch.silent() ? api.introduce() : null;
    if (stranger != null) {
      return stranger;
    }
    boolean silent = dispatch.silent() && api.me().bot();
    String path = silent ? "/posts?silent=true" : "/posts";
    String note = dispatch.silent() && !silent ? LOUD : null;
    return switch (api.ask(api.call("POST", path).json(post), Blame.MESSAGE)) {
      case Answer.Failed(_, Outcome outcome) -> outcome;
      case Answer.Done(JsonNode body, _) -> {
        String missing = MattermostFiles.missing(body, ids);
        yield delivered(body, missing == null ? note : missing);
      }
    };
  }

  /** A post for one person's eyes, which Mattermost neither stores nor knows again. */
  private Outcome whisper(String person, Map<String, Object> post) {
    return switch (api.person(person)) {
      case Named.Not(Outcome outcome) -> outcome;
      case Named.Known(String user) ->
          switch (api.ask(
              api.call("POST", "/posts/ephemeral").json(Map.of("user_id", user, "post", post)),
              Blame.MESSAGE)) {
            case Answer.Done(JsonNode body, _) -> delivered(body, null);
            case Answer.Failed(int status, Outcome.Rejected(_, String cause)) when status == 403 ->
                new Outcome.Rejected(
                    Blame.MESSAGE,
                    cause
                        + " (ephemeral posts need the permission create_post_ephemeral, which"
                        + " only system admins have by default)");
            case Answer.Failed(_, Outcome outcome) -> outcome;
          };
    };
  }

  private static Outcome delivered(JsonNode post, @Nullable String note) {
    String id = post.path("id").asString("");
    return id.isEmpty()
        ? new Outcome.Unknown("taken, but without an id")
        : new Outcome.Delivered(new Receipt(id, false), Map.of(), List.of(), note);
  }

  @Override
  public Duration remembers(Dispatch part, Duration usual) {
    return MattermostRequest.ephemeral(part) == null ? usual : Duration.ZERO;
  }

  @Override
  public Reconciliation reconcile(Dispatch dispatch) {
    return MattermostRequest.ephemeral(dispatch) == null
            && channel(dispatch) instanceof Named.Known(String channel)
        ? search.settled(dispatch, channel)
        : new Reconciliation.Inconclusive();
  }

  @Override
  public Probe probe() {
    return switch (api.whoAmI()) {
      case Answer.Done(JsonNode body, _) when body.path("id").asString("").isEmpty() ->
          new Probe.Broken("the answer names nobody; check whether baseUrl is the site's address");
      case Answer.Done(JsonNode body, _) -> new Probe.Healthy(identity(body));
      case Answer.Failed(int status, _) when status == 200 ->
          new Probe.Broken(
              "a web page answers in place of Mattermost's API; give baseUrl as the site's own"
                  + " address, with its path if it has one, and without a team or channel");
      case Answer.Failed(_, Outcome outcome) -> Probe.of(outcome, "");
    };
  }

  private String identity(JsonNode me) {
    String name = "@" + me.path("username").asString("");
    boolean alone =
        api.list("/users/me/teams", true) instanceof Answer.Done(JsonNode teams, _)
            && teams.isEmpty();
    return alone ? name + ", in no team yet: add it to one, and to the channels it is for" : name;
  }

  @Override
  public boolean listens() {
    return listens;
  }

  @Override
  public void listen(InboundSink inlet) throws IOException, InterruptedException {
    socket.listen(inlet);
  }

  @Override
  public void close() {
    http.close();
  }
}
