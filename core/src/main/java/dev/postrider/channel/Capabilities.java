package dev.postrider.channel;

import dev.postrider.config.ContentSettings;
import dev.postrider.config.Pace;
import dev.postrider.inbound.DeliveryReport;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;

/**
 * What a channel can do and how fast by default; every number can be overridden per account.
 *
 * @param dialect how text is written
 * @param text how long the text of one part may be
 * @param media what parts may carry besides text
 * @param remembers how long the platform recognises a part by its key and drops a repeat, in most
 *     cases; zero if it does not
 * @param remembersPart the same of a given part, as some may go another way than most
 * @param pace default pace of an account
 * @param chatPace default pace of a chat, which may depend on what kind of chat it is
 * @param concurrency default number of chats sent to at the same time
 * @param options the fields of channel data that say how a message is sent ({@code username}), and
 *     go with each of its parts; all others are content, and go with the last
 * @param reports what the platform tells of a part after it has accepted it; nothing if its first
 *     answer is its last
 */
public record Capabilities(
    Dialect dialect,
    TextLimit text,
    MediaRules media,
    Duration remembers,
    Function<Dispatch, Duration> remembersPart,
    Pace pace,
    Function<String, Pace> chatPace,
    int concurrency,
    Set<String> options,
    Set<DeliveryReport.State> reports) {

  public Capabilities {
    options = Set.copyOf(options);
    reports = Set.copyOf(reports);
  }

  /** Longer than any message lives. */
  public static final Duration FOR_GOOD = Duration.ofDays(3650);

  /** A channel for text alone, without idempotency keys or limits of pace: a start to build on. */
  public static Capabilities of(Dialect dialect, TextLimit text) {
    return new Capabilities(
        dialect,
        text,
        MediaRules.NONE,
        Duration.ZERO,
        _ -> Duration.ZERO,
        Pace.UNLIMITED,
        _ -> Pace.UNLIMITED,
        16,
        Set.of(),
        Set.of());
  }

  /** What an account makes of it. */
  public Capabilities within(ContentSettings account) {
    TextLimit limit = account.textLimit() == null ? text : text.withSize(account.textLimit());
    return new Capabilities(
        dialect,
        account.mode() == null ? limit : limit.withSplit(account.mode()),
        account.mediaLimit() == null ? media : media.upTo(account.mediaLimit()),
        remembers,
        remembersPart,
        pace,
        chatPace,
        concurrency,
        options,
        reports);
  }

  public Capabilities withMedia(MediaRules other) {
    return new Capabilities(
        dialect,
        text,
        other,
        remembers,
        remembersPart,
        pace,
        chatPace,
        concurrency,
        options,
        reports);
  }

  /** The platform drops a repeated part for so long after it came first. */
  public Capabilities remembering(Duration howLong) {
    return remembering(howLong, _ -> howLong);
  }

  /** The platform drops a repeat of most parts for so long, and of a given part for this long. */
  public Capabilities remembering(Duration mostly, Function<Dispatch, Duration> part) {
    return new Capabilities(
        dialect, text, media, mostly, part, pace, chatPace, concurrency, options, reports);
  }

  public boolean deduplicates() {
    return remembers.isPositive();
  }

  public Capabilities paced(Pace account, Function<String, Pace> chat, int chatsAtOnce) {
    return new Capabilities(
        dialect,
        text,
        media,
        remembers,
        remembersPart,
        account,
        chat,
        chatsAtOnce,
        options,
        reports);
  }

  /** These fields of channel data go with every part. */
  public Capabilities withOptions(Set<String> names) {
    return new Capabilities(
        dialect,
        text,
        media,
        remembers,
        remembersPart,
        pace,
        chatPace,
        concurrency,
        names,
        reports);
  }

  /** The platform tells this of a part after it has accepted it. */
  public Capabilities reporting(DeliveryReport.State... later) {
    return new Capabilities(
        dialect,
        text,
        media,
        remembers,
        remembersPart,
        pace,
        chatPace,
        concurrency,
        options,
        Set.of(later));
  }
}
