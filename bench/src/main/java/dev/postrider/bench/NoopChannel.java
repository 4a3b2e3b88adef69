package dev.postrider.bench;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.VerbatimDialect;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A platform that takes everything at once, so that only our own cost is measured. */
public final class NoopChannel implements Channel {
  private static final int CONCURRENCY = 4096;

  private final Function<Dispatch, Outcome> platform;
  private volatile CompletableFuture<Long> first = new CompletableFuture<>();

  NoopChannel() {
    this(_ -> Outcome.delivered("n"));
  }

  /**
   * @param platform what comes of a part, at once
   */
  public NoopChannel(Function<Dispatch, Outcome> platform) {
    this.platform = platform;
  }

  /** Forgets earlier requests. */
  void expectFirst() {
    first = new CompletableFuture<>();
  }

  /** When the first request since then came, in nanoseconds of this JVM. */
  long awaitFirst() {
    return first.join();
  }

  @Override
  public String name() {
    return "noop";
  }

  @Override
  public Capabilities capabilities(AccountConfig account) {
    return Capabilities.of(new VerbatimDialect(), TextLimit.of(4096, TextLimit.Unit.UTF16))
        .remembering(Capabilities.FOR_GOOD)
        .paced(Pace.UNLIMITED, _ -> Pace.UNLIMITED, CONCURRENCY);
  }

  @Override
  public Link open(AccountContext context) {
    return new Link() {
      @Override
      public Outcome send(Dispatch dispatch) {
        if (!first.isDone()) {
          first.complete(System.nanoTime());
        }
        return platform.apply(dispatch);
      }
    };
  }
}
