package dev.postrider.channel;

import dev.postrider.config.ContentSettings;
import dev.postrider.config.Pace;
import dev.postrider.inbound.DeliveryReport;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What a channel can do and how fast by default; every number can be overridden per account.
 *
 * @param dialect how text is written
 * @param text how long the text of one part may be
 * @param media what parts may carry besides text
 * @param remembers how long the platform recognises a part by its key and drops a repeat, as a
 *     rule; zero if it does not
 * @param pace default pace of an account
 * @param chatPace default pace of a chat, which may depend on what kind of chat it is
 * @param concurrency default number of chats sent to at the same time
 * @param options the fields of channel data that say how a message is sent ({@code username}), and
 *     go with each of its parts; all others are content, and go with the last
 * @param reports what the platform tells of a part after it has accepted it; nothing if its first
 *     answer is its last
 * @param bundle how many pieces one request may have, where the platform counts requests; 1 if each
 *     goes alone
 * @param recipients how many chats one request can bring the same to, with the fate of each known;
 *     1 if each has its own. Runs that say the same to all send to as many at the same time
 * @param jitter by up to this fraction each interval of the account's pace is longer than it need
 *     be, at random; 0 for even intervals
 */
public record Capabilities(
    Dialect dialect,
    TextLimit text,
    MediaRules media,
    Duration remembers,
    Pace pace,
    Function<String, Pace> chatPace,
    int concurrency,
    Set<String> options,
    Set<DeliveryReport.State> reports,
    int bundle,
    int recipients,
    double jitter) {

  public Capabilities {
    if (!(jitter >= 0 && jitter <= 10)) {
      throw new IllegalArgumentException("jitter is a fraction from 0 to 10");
    }
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
        Pace.UNLIMITED,
        _ -> Pace.UNLIMITED,
        16,
        Set.of(),
        Set.of(),
        1,
        1,
        0);
  }

  /** What an account makes of it. */
  public Capabilities within(ContentSettings account) {
    TextLimit limit = account.textLimit() == null ? text : text.withSize(account.textLimit());
    return with(
        it -> {
          it.text = account.mode() == null ? limit : limit.withSplit(account.mode());
          it.media = account.mediaLimit() == null ? media : media.upTo(account.mediaLimit());
        });
  }

  public Capabilities withMedia(MediaRules other) {
    return with(it -> it.media = other);
  }

  /**
   * The platform drops a repeated part for so long after it came first. Where that is not so for
   * all parts, {@link Link#remembers} says more.
   */
  public Capabilities remembering(Duration howLong) {
    return with(it -> it.remembers = howLong);
  }

  public boolean deduplicates() {
    return remembers.isPositive();
  }

  public Capabilities paced(Pace account, Function<String, Pace> chat, int chatsAtOnce) {
    return with(
        it -> {
          it.pace = account;
          it.chatPace = chat;
          it.concurrency = chatsAtOnce;
        });
  }

  /** These fields of channel data go with every part. */
  public Capabilities withOptions(Set<String> names) {
    return with(it -> it.options = names);
  }

  /** The platform tells this of a part after it has accepted it. */
  public Capabilities reporting(DeliveryReport.State... later) {
    return with(it -> it.reports = Set.of(later));
  }

  /** So many pieces of a message go out in one request, as one part ({@link Dispatch#pieces}). */
  public Capabilities bundling(int pieces) {
    return with(it -> it.bundle = pieces);
  }

  /**
   * One request can bring the same to so many chats. The link does that by itself for bulk messages
   * that are under way at the same time, so the concurrency must be larger.
   */
  public Capabilities sharing(int chats) {
    return with(it -> it.recipients = chats);
  }

  /**
   * The account's requests go out at uneven intervals, as people's do: each is longer than the pace
   * asks for by up to this fraction of it. So the pace is never exceeded.
   */
  public Capabilities unevenly(double fraction) {
    return with(it -> it.jitter = fraction);
  }

  private Capabilities with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return new Capabilities(
        dialect,
        draft.text,
        draft.media,
        draft.remembers,
        draft.pace,
        draft.chatPace,
        draft.concurrency,
        draft.options,
        draft.reports,
        draft.bundle,
        draft.recipients,
        draft.jitter);
  }

  /** Capabilities being changed. */
  private static final class Draft {
    TextLimit text;
    MediaRules media;
    Duration remembers;
    Pace pace;
    Function<String, Pace> chatPace;
    int concurrency;
    Set<String> options;
    Set<DeliveryReport.State> reports;
    int bundle;
    int recipients;
    double jitter;

    Draft(Capabilities from) {
      text = from.text;
      media = from.media;
      remembers = from.remembers;
      pace = from.pace;
      chatPace = from.chatPace;
      concurrency = from.concurrency;
      options = from.options;
      reports = from.reports;
      bundle = from.bundle;
      recipients = from.recipients;
      jitter = from.jitter;
    }
  }
}
