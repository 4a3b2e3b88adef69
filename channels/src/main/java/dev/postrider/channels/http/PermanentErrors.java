package dev.postrider.channels.http;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channels.Settings;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Error texts that mean "never", for answers whose codes leave it open. Built in are those that
 * chat platforms and the bridges in front of them use when the addressee is out of reach; an
 * account adds its own with {@code permanentErrors}.
 */
public final class PermanentErrors {
  private static final int LONGEST_TEXT = 2_000;

  private static final List<Pattern> OUT_OF_REACH =
      Stream.of(
              "chat not found",
              "user not found",
              "bot was blocked",
              "bot was kicked",
              "user blocked",
              "chat_id is empty",
              "no conversation reference found",
              "ambiguous.*recipient",
              "recipient is not a valid",
              "bot.*not.*member",
              "user .* not in room")
          .map(text -> Pattern.compile(text, Pattern.CASE_INSENSITIVE))
          .toList();

  private final List<Pattern> own;

  public PermanentErrors(List<Pattern> own) {
    this.own = List.copyOf(own);
  }

  /** What {@link #of} reads. */
  public static final Channel.Setting SETTING =
      new Channel.Setting(
          "permanentErrors", false, false, "error texts (regex) that end a message");

  public static PermanentErrors of(Settings settings) {
    return new PermanentErrors(settings.patterns("permanentErrors"));
  }

  /** A rejection, if what the cause says is known to be permanent; else what it would be. */
  public Outcome or(Outcome otherwise, String cause) {
    Blame blame = blame(cause);
    return blame == null ? otherwise : new Outcome.Rejected(blame, cause);
  }

  /** What the text puts the blame on, or null if it is not known to be permanent. */
  public @Nullable Blame blame(String text) {
    String start = text.substring(0, Math.min(text.length(), LONGEST_TEXT));
    if (OUT_OF_REACH.stream().anyMatch(pattern -> pattern.matcher(start).find())) {
      return Blame.TARGET;
    }
    return own.stream().anyMatch(pattern -> pattern.matcher(start).find()) ? Blame.MESSAGE : null;
  }
}
