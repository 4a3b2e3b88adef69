package dev.postrider.channels.mattermost;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.Settings;
import dev.postrider.channels.mattermost.MattermostApi.Answer;
import dev.postrider.message.Receipt;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import tools.jackson.databind.JsonNode;

/**
 * Looks for a part by the key in its post's props. Whoever may not read a channel is refused, so
 * what is not in a whole answer is not there.
 */
final class MattermostSearch {
  /** Mattermost gives no more than this, and not the newest. */
  private static final int MOST = 1000;

  /** How far Mattermost's clock and ours may be apart. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final MattermostApi api;
  private final Scheduler time;
  private final Duration settle;

  MattermostSearch(MattermostApi api, Settings settings, Scheduler time) {
    this.api = api;
    this.time = time;
    settle = settings.duration("settle", Duration.ofSeconds(3));
  }

  /** Looks once whatever is under way has arrived. */
  Reconciliation settled(Dispatch dispatch, String channel) {
    time.pause(settle); // it may still be under way: what is not there yet may come
    return find(dispatch, channel);
  }

  Reconciliation find(Dispatch dispatch, String channel) {
    Instant since = dispatch.mayBeThereSince().minus(SKEW);
    Answer answer =
        api.list("/channels/" + channel + "/posts?since=" + since.toEpochMilli(), false);
    if (!(answer instanceof Answer.Done(JsonNode list, _))) {
      return new Reconciliation.Inconclusive();
    }
    for (JsonNode post : list.path("posts").values()) {
      if (post.path("props").path(MattermostRequest.KEY).asString("").equals(dispatch.key())) {
        return new Reconciliation.Found(new Receipt(post.path("id").asString(""), false));
      }
    }
    boolean whole = list.path("order").isArray() && list.path("order").size() < MOST;
    return whole && list.path("posts").isObject()
        ? new Reconciliation.Absent()
        : new Reconciliation.Inconclusive();
  }
}
