package dev.postrider.channel;

import dev.postrider.config.Pace;
import java.util.function.Function;

/**
 * What a channel can do and how fast by default; every number can be overridden per account.
 *
 * @param textLimit longest text of one part, in {@code textUnit}
 * @param markup whether the platform has a markup of its own that {@code format: native} may use
 * @param media whether parts may carry media; if not, media goes out as links in the text
 * @param deduplicates whether the platform drops a part it has already seen under the same key
 * @param pace default pace of an account
 * @param chatPace default pace of a chat, which may depend on what kind of chat it is
 * @param concurrency default number of chats sent to at the same time
 */
public record Capabilities(
    int textLimit,
    TextUnit textUnit,
    boolean markup,
    boolean media,
    boolean deduplicates,
    Pace pace,
    Function<String, Pace> chatPace,
    int concurrency) {

  /** What a platform counts when it counts text. */
  public enum TextUnit {
    UTF16,
    CODE_POINTS,
    UTF8_BYTES
  }
}
