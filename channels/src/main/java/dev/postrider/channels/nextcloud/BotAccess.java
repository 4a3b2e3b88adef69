package dev.postrider.channels.nextcloud;

import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpResult.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Whether Talk accepts the bot. Talk has one answer, 401, for a wrong secret, a bot that may not
 * post, and a conversation that the bot is not in; and every 401 brings the account nearer to being
 * blocked. So after the first one a conversation is asked that is known to have taken the bot: if
 * it still does, the fault is the other one's; if it does not, or none is known, the account stops.
 * Thread-safe.
 */
final class BotAccess {
  /** When the bot was removed from a conversation. */
  static final String REMOVED = "removedAt";

  /** A conversation that the bot is in, for the account as a whole. */
  static final String CONVERSATION = "conversation";

  private static final int MAY_RESPOND = 2;

  private final NextcloudApi api;
  private final NextcloudVerdict verdict;
  private final Memory memory;
  private final @Nullable String chosen;

  private @Nullable String last;
  private @Nullable String lastBut;
  private @Nullable String refused;

  BotAccess(NextcloudApi api, NextcloudVerdict verdict, Memory memory, @Nullable String chosen) {
    this.api = api;
    this.verdict = verdict;
    this.memory = memory;
    this.chosen = chosen;
  }

  /** A conversation took a message; gives what is worth remembering of that. */
  synchronized List<Remembered> accepted(String conversation) {
    boolean first = last == null;
    if (!conversation.equals(last)) {
      lastBut = last;
      last = conversation;
    }
    refused = null;
    return first ? List.of(Remembered.of(null, CONVERSATION, conversation)) : List.of();
  }

  /** Whose fault a 401 is. */
  Outcome refused(String conversation) {
    String removed = memory.read(conversation, REMOVED).orElse(null);
    if (removed != null) {
      return new Outcome.Rejected(
          Blame.TARGET, "401: the bot was removed from this conversation at " + removed);
    }
    String other = otherThan(conversation);
    return switch (other == null ? null : api.reactToNothing(other)) {
      case null -> broken(conversation);
      case HttpResult.Failed failed ->
          new Outcome.NotSent("401, and whose fault it is could not be asked: " + failed.cause());
      case Response response ->
          isAccepted(response)
              ? new Outcome.Rejected(
                  Blame.TARGET,
                  "401: the bot is not enabled in this conversation, but in others it is")
              : response.status() == 401
                  ? broken(conversation)
                  : new Outcome.NotSent("401, and then " + response.status());
    };
  }

  private synchronized Outcome broken(String conversation) {
    refused = conversation;
    return new Outcome.AccountBroken(NextcloudVerdict.REFUSED);
  }

  private @Nullable String otherThan(String conversation) {
    synchronized (this) {
      String known = conversation.equals(last) ? lastBut : last;
      if (known != null) {
        return known;
      }
    }
    String known = chosen == null ? remembered() : chosen;
    return conversation.equals(known) ? null : known;
  }

  private @Nullable String remembered() {
    try {
      return memory.read(null, CONVERSATION).orElse(null);
    } catch (NotSentException e) { // the store is away: then none is known
      return null;
    }
  }

  /** Talk knows the bot: it only did not find what to react to. */
  private static boolean isAccepted(Response response) {
    OcsAnswer answer = OcsAnswer.of(response);
    return answer != null
        && (answer.status() == 400 || answer.status() == 404)
        && answer.code() == answer.status();
  }

  // ---- probing

  /** Asks the server, and as the bot in a conversation if one is known. */
  Probe probe() {
    return switch (api.capabilities()) {
      case HttpResult.Failed failed -> new Probe.Unreachable(failed.cause());
      case Response response -> {
        OcsAnswer answer = OcsAnswer.of(response);
        yield answer == null
            ? Probe.of(verdict.notNextcloud(response), "")
            : answer.status() == 200
                ? probe(answer.data().path("capabilities").path("spreed"), answer.data())
                : new Probe.Unreachable(answer.status() + " from Nextcloud");
      }
    };
  }

  private Probe probe(JsonNode talk, JsonNode server) {
    if (!has(talk, "bots-v1")) {
      return new Probe.Broken(
          talk.isMissingNode()
              ? "the Talk app is not installed on this server, or not enabled"
              : "Talk is too old for bots; it takes Talk 17.1");
    }
    String name =
        "a bot of Talk %s on Nextcloud %s"
            .formatted(
                talk.path("version").asString("?"),
                server.path("version").path("string").asString("?"));
    String conversation = toAsk();
    return conversation == null
        ? new Probe.Healthy(name + "; its secret is seen to be right once it has posted")
        : has(talk, "bot-features-api")
            ? askedFeatures(conversation, name)
            : asked(conversation, name);
  }

  private static boolean has(JsonNode talk, String feature) {
    return talk.path("features").valueStream().anyMatch(each -> each.asString("").equals(feature));
  }

  /** What has refused us comes first: to pass there is what is waited for. */
  private @Nullable String toAsk() {
    synchronized (this) {
      if (last != null || refused != null) {
        return last == null ? refused : last;
      }
    }
    return chosen == null ? remembered() : chosen;
  }

  private Probe asked(String conversation, String name) {
    return switch (api.reactToNothing(conversation)) {
      case HttpResult.Failed failed -> new Probe.Unreachable(failed.cause());
      case Response response ->
          isAccepted(response) ? new Probe.Healthy(name) : unaccepted(response, conversation);
    };
  }

  private Probe askedFeatures(String conversation, String name) {
    return switch (api.features(conversation)) {
      case HttpResult.Failed failed -> new Probe.Unreachable(failed.cause());
      case Response response -> {
        OcsAnswer answer = OcsAnswer.of(response);
        if (answer == null || answer.status() != 200) {
          yield unaccepted(response, conversation);
        }
        yield (answer.data().path("features").asInt(0) & MAY_RESPOND) != 0
            ? new Probe.Healthy(name)
            : new Probe.Broken(
                "the bot was installed without --feature response, so Talk answers 401 to whatever"
                    + " it posts: occ talk:bot:state --feature webhook --feature response"
                    + " <bot-id> 1");
      }
    };
  }

  private static Probe unaccepted(Response response, String conversation) {
    return response.status() == 401
        ? new Probe.Broken(
            NextcloudVerdict.REFUSED
                + " ("
                + conversation
                + "; if that is the wrong one to ask, name another as the account's conversation)")
        : new Probe.Unreachable(response.status() + " " + response.excerpt());
  }
}
