package dev.postrider.channels.imessage;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.channel.MediaRules.Rule;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.TextLimit.Unit;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.Pace;
import dev.postrider.message.MediaKind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What iMessage takes, whoever brings it. */
public final class IMessageLimits {
  private static final TextLimit TEXT = TextLimit.of(4_000, Unit.UTF16);

  /** Apple publishes no limit, and blocks who writes like a machine. */
  private static final Pace ACCOUNT = Pace.perSecond(1).burst(3);

  private static final Pace CHAT = Pace.perSecond(1).burst(1);

  private static final MediaRules MEDIA =
      new MediaRules(
          EnumSet.allOf(MediaKind.class).stream()
              .collect(
                  Collectors.toMap(
                      Function.identity(), _ -> new Rule(Set.of(), 100L << 20, false))),
          null, // a file takes no text along
          1,
          List.of(),
          false,
          true,
          Reuse.NONE);

  private IMessageLimits() {}

  /**
   * @param concurrency how many requests at once
   */
  public static Capabilities capabilities(int concurrency) {
    return Capabilities.of(Dialects.PLAIN, TEXT)
        .withMedia(MEDIA)
        .paced(ACCOUNT, _ -> CHAT, concurrency);
  }
}
