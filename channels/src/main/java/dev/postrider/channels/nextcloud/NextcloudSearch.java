package dev.postrider.channels.nextcloud;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.message.Receipt;
import dev.postrider.time.Scheduler;
import java.net.URI;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** Looks for a part in its conversation, as a user, by the reference id it was posted with. */
final class NextcloudSearch {
  private static final int MOST_PAGES = 10;
  private static final int LONGEST_PAGE = 8 << 20;
  private static final String PAGE =
      "?lookIntoFuture=0&limit=100&setReadMarker=0&noStatusUpdate=1&markNotificationsAsRead=0";

  /** How far Nextcloud's clock and ours may be apart. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final HttpSender http;
  private final String chats;
  private final UserLogin user;
  private final Scheduler time;
  private final Duration settle;

  NextcloudSearch(HttpSender http, Settings settings, UserLogin user, Scheduler time) {
    this.http = http;
    this.chats = NextcloudApi.base(settings) + "/ocs/v2.php/apps/spreed/api/v1/chat/";
    this.user = user;
    this.time = time;
    settle = settings.duration("settle", Duration.ofSeconds(3));
  }

  Reconciliation find(Dispatch dispatch) {
    time.pause(settle); // it may still be under way: what is not there yet may come
    long oldest = dispatch.mayBeThereSince().minus(SKEW).getEpochSecond();
    String before = "";
    for (int page = 0; page < MOST_PAGES; page++) {
      URI uri = URI.create(chats + dispatch.to() + PAGE + before);
      if (!(http.send(user.on(HttpCall.get(uri)).upTo(LONGEST_PAGE))
          instanceof Response response)) {
        return new Reconciliation.Inconclusive();
      }
      if (response.status() == 304 && page > 0) {
        return new Reconciliation.Absent(); // there is nothing before that
      }
      OcsAnswer answer = OcsAnswer.of(response);
      String last = response.headers().getOrDefault("x-chat-last-given", "");
      if (answer == null || answer.status() != 200 || !answer.data().isArray()) {
        return new Reconciliation.Inconclusive();
      }
      boolean reached = false;
      for (JsonNode message : answer.data().values()) {
        if (message.path("referenceId").asString("").equals(dispatch.key())) {
          return new Reconciliation.Found(new Receipt(message.path("id").asString(""), false));
        }
        reached |= message.path("timestamp").asLong(Long.MAX_VALUE) < oldest;
      }
      if (reached) {
        return new Reconciliation.Absent();
      }
      if (!last.matches("\\d{1,19}")) {
        return new Reconciliation.Inconclusive();
      }
      before = "&lastKnownMessageId=" + last;
    }
    return new Reconciliation.Inconclusive();
  }
}
