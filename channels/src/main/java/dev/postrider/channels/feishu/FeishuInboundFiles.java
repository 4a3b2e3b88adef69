package dev.postrider.channels.feishu;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.FileAnswer;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.token.TokenSource;
import dev.postrider.channels.token.TokenSource.Result;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Fetches the files of messages, each by its key and that of its message. Thread-safe. */
final class FeishuInboundFiles implements InboundFiles {
  private static final Pattern KEY = Pattern.compile("[\\w-]+");

  /** The file is not in this message, the message is gone, or such files are not given out. */
  private static final Set<Integer> GONE = Set.of(234003, 234005, 234040, 234043, 230110, 230011);

  private final AccountConfig account;
  private final MediaSettings media;
  private volatile @Nullable TokenSource tokens;

  FeishuInboundFiles(AccountConfig account, MediaSettings media) {
    this.account = account;
    this.media = media;
  }

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    InboundMessage.File file = message.media().get(index);
    String id = message.messageId();
    String key = file.id();
    if (id == null || key == null || !KEY.matcher(id + key).matches()) {
      throw new Unavailable(Why.GONE, "Feishu has not said what the file is called");
    }
    Settings settings = Settings.of(account);
    InboundFetch fetch =
        new InboundFetch(settings, Secrets.of(settings.required("appSecret")), media);
    String type = file.kind().equals("image") ? "image" : "file";
    URI address =
        URI.create(
            FeishuToken.base(settings)
                + "/im/v1/messages/"
                + id
                + "/resources/"
                + key
                + "?type="
                + type);
    TokenSource source = tokens(settings, fetch);
    String token = token(source);
    FileAnswer answer = fetch.get(HttpCall.get(address).bearer(token));
    if (answer instanceof FileAnswer.Other(HttpResult.Response response)
        && FeishuVerdict.isTokenRefused(response)) {
      source.refused(token);
      answer = fetch.get(HttpCall.get(address).bearer(token(source)));
    }
    return switch (answer) {
      case FileAnswer.Found found -> found.file();
      case FileAnswer.Other(HttpResult.Response response) -> throw refusal(response);
    };
  }

  /** One for all files, so that Feishu is not asked for a token with each. */
  private synchronized TokenSource tokens(Settings settings, InboundFetch fetch) {
    TokenSource known = tokens;
    if (known == null) {
      InstantSource clock = InstantSource.system();
      FeishuVerdict verdict = new FeishuVerdict(PermanentErrors.of(settings), clock);
      known = FeishuToken.source(settings, clock, verdict, call -> ask(fetch, call));
      tokens = known;
    }
    return known;
  }

  private static HttpResult ask(InboundFetch fetch, HttpCall call) {
    try {
      return fetch.ask(call);
    } catch (Unavailable e) {
      return new HttpResult.Unreachable(String.valueOf(e.getMessage()));
    }
  }

  private static String token(TokenSource tokens) throws Unavailable {
    return switch (tokens.get()) {
      case Result.Good(TokenSource.Token token) -> token.value();
      case Result.Failed(Outcome.AccountBroken(String cause)) ->
          throw new Unavailable(Why.REFUSED, "Feishu gives no token: " + cause);
      case Result.Failed failed ->
          throw new Unavailable(
              Why.UNREACHABLE, "Feishu gives no token: " + failed.outcome().label());
    };
  }

  private static Unavailable refusal(HttpResult.Response response) {
    JsonNode body = Json.readObject(response.body());
    int code = body == null ? 0 : body.path("code").asInt(0);
    return GONE.contains(code)
        ? new Unavailable(
            Why.GONE, "Feishu does not have the file (any more): " + response.excerpt())
        : InboundFetch.refusal(response, "Feishu");
  }
}
