package dev.postrider.channel;

import dev.postrider.config.ContentSettings;
import dev.postrider.config.Pace;
import java.util.function.Function;

/**
 * What a channel can do and how fast by default; every number can be overridden per account.
 *
 * @param dialect how text is written
 * @param text how long the text of one part may be
 * @param media what parts may carry besides text
 * @param deduplicates whether the platform drops a part it has already seen under the same key
 * @param pace default pace of an account
 * @param chatPace default pace of a chat, which may depend on what kind of chat it is
 * @param concurrency default number of chats sent to at the same time
 */
public record Capabilities(
    Dialect dialect,
    TextLimit text,
    MediaRules media,
    boolean deduplicates,
    Pace pace,
    Function<String, Pace> chatPace,
    int concurrency) {

  /** A channel for text alone, without idempotency keys or limits of pace: a start to build on. */
  public static Capabilities of(Dialect dialect, TextLimit text) {
    return new Capabilities(
        dialect, text, MediaRules.NONE, false, Pace.UNLIMITED, _ -> Pace.UNLIMITED, 16);
  }

  /** What an account makes of it. */
  public Capabilities within(ContentSettings account) {
    TextLimit limit = account.textLimit() == null ? text : text.withSize(account.textLimit());
    return new Capabilities(
        dialect,
        account.mode() == null ? limit : limit.withSplit(account.mode()),
        account.mediaLimit() == null ? media : media.upTo(account.mediaLimit()),
        deduplicates,
        pace,
        chatPace,
        concurrency);
  }

  public Capabilities withText(TextLimit other) {
    return new Capabilities(dialect, other, media, deduplicates, pace, chatPace, concurrency);
  }

  public Capabilities withMedia(MediaRules other) {
    return new Capabilities(dialect, text, other, deduplicates, pace, chatPace, concurrency);
  }

  public Capabilities deduplicating(boolean does) {
    return new Capabilities(dialect, text, media, does, pace, chatPace, concurrency);
  }

  public Capabilities paced(Pace account, Function<String, Pace> chat, int chatsAtOnce) {
    return new Capabilities(dialect, text, media, deduplicates, account, chat, chatsAtOnce);
  }
}
