package dev.postrider.channels.nextcloud;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.time.Scheduler;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** One bot on one server. Thread-safe. */
final class NextcloudLink implements Link {
  private final HttpSender http;
  private final NextcloudApi api;
  private final NextcloudVerdict verdict;
  private final BotAccess access;
  private final @Nullable NextcloudSearch search;

  NextcloudLink(Settings settings, Scheduler time, Memory memory, RandomGenerator random) {
    UserLogin user = UserLogin.of(settings);
    http = HttpSender.of(settings, secrets(settings, user));
    api = new NextcloudApi(http, settings, random);
    verdict = new NextcloudVerdict(time);
    access = new BotAccess(api, verdict, memory, NextcloudChannel.conversation(settings));
    search = user == null ? null : new NextcloudSearch(http, settings, user, time);
  }

  static Secrets secrets(Settings settings, @Nullable UserLogin user) {
    String secret = NextcloudApi.secret(settings);
    return user == null
        ? Secrets.of(secret)
        : Secrets.of(secret, user.appPassword(), user.authorization());
  }

  @Override
  public Outcome send(Dispatch dispatch) {
    Outcome obstacle = NextcloudRequest.obstacle(dispatch);
    if (obstacle != null) {
      return obstacle;
    }
    return switch (api.post(dispatch.to(), NextcloudRequest.of(dispatch))) {
      case HttpResult.Failed failed -> failed.outcome();
      case HttpResult.Response response -> judged(verdict.of(response, dispatch), dispatch.to());
    };
  }

  private Outcome judged(Outcome outcome, String conversation) {
    return switch (outcome) {
      case Outcome.Delivered(var receipt, _, _, _) ->
          new Outcome.Delivered(receipt, Map.of(), access.accepted(conversation));
      case Outcome.AccountBroken(String cause) when cause.equals(NextcloudVerdict.REFUSED) ->
          access.refused(conversation);
      default -> outcome;
    };
  }

  /** A bot cannot read; a user who is in the conversation can. */
  @Override
  public Reconciliation reconcile(Dispatch dispatch) {
    return search == null ? new Reconciliation.Inconclusive() : search.find(dispatch);
  }

  @Override
  public Probe probe() {
    return access.probe();
  }

  @Override
  public void close() {
    http.close();
  }
}
