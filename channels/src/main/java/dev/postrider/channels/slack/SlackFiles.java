package dev.postrider.channels.slack;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.UploadResult;
import dev.postrider.channels.WebAddress;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.slack.SlackApi.Answer;
import java.net.URI;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Files go to Slack in three steps: ask for a place, bring the bytes there, have them shown. The
 * first two show nothing to anybody, so only the third can leave a doubt; what it was about to show
 * is remembered until the doubt is gone. Thread-safe.
 */
final class SlackFiles {
  private static final int MOST_DOUBTS = 1_000;

  private final HttpSender http;
  private final SlackApi api;
  private final SlackVerdict verdict;
  private final Map<String, Set<String>> doubts =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Set<String>> eldest) {
          return size() > MOST_DOUBTS;
        }
      };

  SlackFiles(HttpSender http, SlackApi api, SlackVerdict verdict) {
    this.http = http;
    this.api = api;
    this.verdict = verdict;
  }

  Outcome send(Dispatch dispatch) {
    String channel = dispatch.to();
    if (SlackRequest.isPerson(channel)) {
      switch (api.open(channel)) {
        case Answer.Done(JsonNode opened) -> channel = SlackApi.channel(opened);
        case Answer.Failed(Outcome outcome) -> {
          return unseen(outcome);
        }
      }
    }
    Map<String, String> titles = new LinkedHashMap<>();
    for (PartFile file : dispatch.cargo()) {
      switch (bring(file)) {
        case UploadResult.Done(FileHandle id) ->
            titles.put(id.value(), SlackRequest.filename(file.attachment()));
        case UploadResult.Failed(Outcome outcome) -> {
          return unseen(outcome);
        }
      }
    }
    return show(dispatch, channel, titles);
  }

  /** Nobody saw anything, however unclear the answer was. */
  private static Outcome unseen(Outcome outcome) {
    return outcome instanceof Outcome.Unknown(String cause) ? new Outcome.NotSent(cause) : outcome;
  }

  private UploadResult bring(PartFile file) {
    PartFile.Bytes bytes = Objects.requireNonNull(file.bytes(), "Slack gets every file as bytes");
    Map<String, Object> announcement =
        Map.of("filename", SlackRequest.filename(file.attachment()), "length", bytes.size());
    return switch (api.read("files.getUploadURLExternal", announcement)) {
      case Answer.Failed(Outcome outcome) -> new UploadResult.Failed(outcome);
      case Answer.Done(JsonNode place) -> bring(bytes, place);
    };
  }

  private UploadResult bring(PartFile.Bytes bytes, JsonNode place) {
    URI address = WebAddress.of(place.path("upload_url").asString(""));
    String id = place.path("file_id").asString("");
    if (address == null || id.isEmpty()) {
      return new UploadResult.Failed(new Outcome.NotSent("Slack names no place for an upload"));
    }
    HttpResult result = http.send(HttpCall.post(address).file("application/octet-stream", bytes));
    return result instanceof HttpResult.Response(int status, _, _, _) && status == 200
        ? new UploadResult.Done(FileHandle.of(id))
        : new UploadResult.Failed(refused(result));
  }

  private Outcome refused(HttpResult result) {
    return switch (result) {
      case HttpResult.Response response when response.status() == 429 ->
          verdict.throttled(response, "429 from the place of uploads");
      case HttpResult.Response response ->
          new Outcome.NotSent(
              response.status() + " from the place of uploads: " + response.excerpt());
      case HttpResult.Unreachable(String cause) -> new Outcome.Unreachable(cause);
      case HttpResult.NotSent(String cause) -> new Outcome.NotSent(cause);
      case HttpResult.Unknown(String cause) -> new Outcome.NotSent(cause);
    };
  }

  private Outcome show(Dispatch dispatch, String channel, Map<String, String> titles) {
    doubt(dispatch.key(), titles.keySet());
    Outcome outcome =
        switch (api.write(
            "files.completeUploadExternal", SlackRequest.share(dispatch, channel, titles))) {
          case Answer.Failed(Outcome failure) -> failure;
          case Answer.Done(JsonNode body) -> Outcome.delivered(receipt(body, channel, titles));
        };
    if (!(outcome instanceof Outcome.Unknown)) {
      forget(dispatch.key());
    }
    return outcome;
  }

  /** The message's ts if Slack tells it, which it often does only later; else the files' ids. */
  private static String receipt(JsonNode body, String channel, Map<String, String> titles) {
    JsonNode shares = body.path("files").path(0).path("shares");
    for (JsonNode kind : shares.values()) {
      String ts = kind.path(channel).path(0).path("ts").asString("");
      if (!ts.isEmpty()) {
        return ts;
      }
    }
    return String.join(",", titles.keySet());
  }

  private synchronized void doubt(String key, Set<String> ids) {
    doubts.computeIfAbsent(key, _ -> new HashSet<>()).addAll(ids);
  }

  private synchronized void forget(String key) {
    doubts.remove(key);
  }

  /** The files that a part whose outcome is unknown may have shown; none if that is not known. */
  synchronized Set<String> doubted(String key) {
    return Set.copyOf(doubts.getOrDefault(key, Set.of()));
  }
}
