package dev.postrider.sqlite;

import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import dev.postrider.store.message.NewMessage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SplittableRandom;

/** Plain messages to be stored. */
final class Plain {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Ids IDS = new Ids(InstantSource.system(), new SplittableRandom());

  private Plain() {}

  static NewMessage message(String chat, String text) {
    MessageId id = IDS.nextMessageId();
    return new NewMessage(
        id,
        Message.to("bot", chat).text(text).build(),
        new Plan(id, List.of(Part.plain(text))),
        Progress.none(1),
        NOW,
        NOW,
        NOW.plus(Duration.ofDays(1)),
        null,
        Long.MAX_VALUE,
        null,
        null,
        false);
  }
}
