package dev.postrider.channels.whatsappweb;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Remembered;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one event of a bridge leaves. Not thread-safe. */
final class Heard {
  /** When the bridge last told something of its own accord. */
  static final String HEARD = "heard";

  final List<InboundMessage> arrivals = new ArrayList<>();
  final List<DeliveryReport> reports = new ArrayList<>();
  final List<Remembered> memory = new ArrayList<>();
  final List<Alias> aliases = new ArrayList<>();

  /** Until when WhatsApp lets the account write to no stranger; null if nobody said so. */
  @Nullable Instant closedUntil;

  /** Those to whom it has refused something as to strangers. */
  final Set<String> strangers = new HashSet<>();

  void arrived(InboundMessage message) {
    arrivals.add(message);
    if (Jid.isPerson(message.chat())) {
      memory.add(Remembered.of(message.chat(), Strangers.KNOWN, "in")); // no stranger any more
    }
  }

  /** Both are one person. */
  void named(@Nullable String one, @Nullable String other) {
    if (one != null && other != null && Jid.isHidden(one) && Jid.isNumber(other)) {
      aliases.add(new Alias(one, other));
    }
  }

  void at(Instant time) {
    memory.add(Remembered.of(null, HEARD, time.toString()));
  }

  /** What is to be known of a refusal, however often it is told. */
  List<Remembered> closing() {
    List<Remembered> all = new ArrayList<>();
    if (closedUntil != null) {
      all.add(Strangers.closedUntil(closedUntil));
    }
    strangers.forEach(chat -> all.add(Remembered.forget(chat, Strangers.KNOWN)));
    return all;
  }

  Hook.Answer answer() {
    memory.addAll(closing());
    return new Hook.Answer.Genuine(arrivals, reports, Hook.Reply.OK, memory, aliases);
  }
}
