package dev.postrider.bench;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import java.util.concurrent.atomic.AtomicLong;

/** A platform that takes everything at once, so that only our own cost is measured. */
final class NoopChannel implements Channel {
  final AtomicLong sent = new AtomicLong();
  volatile long firstSendNanos;

  @Override
  public String name() {
    return "noop";
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return new Capabilities(
        4096,
        Capabilities.TextUnit.UTF16,
        false,
        false,
        true,
        Pace.UNLIMITED,
        _ -> Pace.UNLIMITED,
        4096);
  }

  @Override
  public Link open(AccountContext context) {
    return new Link() {
      @Override
      public Outcome send(Dispatch dispatch) {
        long count = sent.incrementAndGet();
        if (count == 1) {
          firstSendNanos = System.nanoTime();
        }
        return Outcome.delivered("n");
      }
    };
  }
}
