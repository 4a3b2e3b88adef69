package dev.postrider.channels.slack;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.FloodWatch;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.slack.SlackApi.Answer;
import dev.postrider.time.Scheduler;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One app's connection to one workspace. Thread-safe. */
final class SlackLink implements Link {
  private final HttpSender http;
  private final SlackApi api;
  private final SlackFiles files;
  private final SlackSearch search;
  private final FloodWatch floods;
  private final @Nullable SlackSocket socket;

  SlackLink(Settings settings, Scheduler time) {
    String token = settings.required("token");
    String appToken = settings.text("appToken", "");
    http = HttpSender.of(settings, Secrets.of(token, appToken));
    SlackVerdict verdict = new SlackVerdict(time);
    api = new SlackApi(http, verdict, settings, token);
    files = new SlackFiles(http, api, verdict);
    search = new SlackSearch(api, settings, time);
    floods = new FloodWatch(time);
    socket =
        appToken.isBlank()
            ? null
            : new SlackSocket(http, new SlackApi(http, verdict, settings, appToken), settings);
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    Outcome obstacle = SlackRequest.obstacle(dispatch);
    if (obstacle != null) {
      return obstacle;
    }
    return dispatch.cargo().isEmpty() ? post(dispatch) : files.send(dispatch);
  }

  private Outcome post(Dispatch dispatch) {
    return switch (api.write(SlackApi.POST, SlackRequest.post(dispatch))) {
      case Answer.Failed(Outcome outcome) -> floods.widen(outcome, dispatch.to());
      case Answer.Done(var body) -> {
        String ts = body.path("ts").asString("");
        yield ts.isEmpty() ? new Outcome.Unknown("ok, but without ts") : Outcome.delivered(ts);
      }
    };
  }

  @Override
  public Reconciliation reconcile(Dispatch dispatch) {
    return search.find(dispatch, files.doubted(dispatch.key()));
  }

  @Override
  public Probe probe() {
    return switch (api.read("auth.test", Map.of())) {
      case Answer.Done(var body) -> new Probe.Healthy("@" + body.path("user").asString(""));
      case Answer.Failed(Outcome outcome) -> Probe.of(outcome, "");
    };
  }

  @Override
  public boolean listens() {
    return socket != null;
  }

  @Override
  public void listen(InboundSink inlet) throws Exception {
    if (socket != null) {
      socket.listen(inlet);
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
