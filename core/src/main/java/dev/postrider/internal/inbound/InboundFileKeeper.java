package dev.postrider.internal.inbound;

import dev.postrider.channel.InboundFiles.Opened;
import dev.postrider.channel.InboundFiles.Unavailable;
import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.problem.Refused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.inbound.InboundFile;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.media.Blobs;
import dev.postrider.time.LatestInstant;
import dev.postrider.time.Signal;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the files of inbound messages into custody, so that they outlive the platform's ({@code
 * inbound.keepMedia}). Which are to be kept is stored with their messages. Any node may claim any;
 * a claim whose node dies is due again when it runs out. Whoever is not woken looks every few
 * seconds. Thread-safe.
 */
public final class InboundFileKeeper implements Events.Listener {
  private static final Logger log = LoggerFactory.getLogger(InboundFileKeeper.class);

  private static final int AT_ONCE = 4;
  private static final int MOST_ATTEMPTS = 8;
  private static final Duration LOOK_FOR_LEFTOVERS = Duration.ofMinutes(10);

  /** Longer than the longest download. */
  private static final Duration CLAIM = Duration.ofMinutes(15);

  private static final List<Duration> BACKOFF =
      List.of(
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofHours(1));

  private final EngineContext context;
  private final InboundDownloads downloads;
  private final boolean keeps;
  private final Signal news;
  private final LatestInstant clock = new LatestInstant();
  private volatile boolean stopped;

  /**
   * @param keeps whether files of any account are kept; else only what is left is seen to
   */
  public InboundFileKeeper(EngineContext context, InboundDownloads downloads, boolean keeps) {
    this.context = context;
    this.downloads = downloads;
    this.keeps = keeps;
    news = new Signal(context.time());
  }

  public void start() {
    for (int i = 0; i < (keeps ? AT_ONCE : 1); i++) {
      context.supervisor().start("keep files", this::work);
    }
  }

  public void stop() {
    stopped = true;
    news.ring();
  }

  @Override
  public void on(Event event) {
    if (keeps && event instanceof Event.InboundReceived) {
      clock.seen(event.at());
      news.ring();
    }
  }

  private void work() {
    while (!stopped) {
      try (Signal.Ear ear = news.listen()) {
        if (!keepOne()) {
          ear.await(keeps ? Signal.LOOK_AGAIN : LOOK_FOR_LEFTOVERS);
        }
      } catch (StoreUnavailable e) {
        log.info("Files of inbound messages wait for the store: {}", e.getMessage());
        context.time().pause(Signal.LOOK_AGAIN);
      }
    }
  }

  /** False if none was due. */
  private boolean keepOne() {
    Instant now = context.time().instant();
    List<InboundFile> claimed =
        context
            .time()
            .await(
                context
                    .store()
                    .inboundStore()
                    .claimFiles(now, clock.seen(now), now.plus(CLAIM), 1));
    claimed.forEach(this::keep);
    return !claimed.isEmpty();
  }

  private void keep(InboundFile file) {
    Instant now = context.time().instant();
    StoredInbound inbound = context.store().inbound(file.inbound()).orElse(null);
    if (inbound == null) {
      store(done(file, null, "its message is gone"), null);
      return;
    }
    try (Opened opened = downloads.fromPlatform(inbound, file.index())) {
      store(done(file, context.custody().take(opened.bytes()).hash(), null), null);
    } catch (Unavailable e) {
      boolean later = e.why() == Unavailable.Why.UNREACHABLE;
      failed(file, String.valueOf(e.getMessage()), later ? next(file, now) : null);
    } catch (Blobs.TooLarge e) {
      failed(file, "it has " + e.getMessage() + " (media.maxSize)", null);
    } catch (Refused e) {
      failed(file, String.valueOf(e.getMessage()), null);
    } catch (IOException e) {
      failed(file, String.valueOf(e.getMessage()), next(file, now));
    }
  }

  private static @Nullable Instant next(InboundFile file, Instant now) {
    int failed = Math.min(file.attempts(), BACKOFF.size());
    return file.attempts() >= MOST_ATTEMPTS ? null : now.plus(BACKOFF.get(failed - 1));
  }

  private void failed(InboundFile file, String error, @Nullable Instant nextAt) {
    if (nextAt == null) {
      log.warn(
          "File {} of inbound message {} is not kept: {}", file.index(), file.inbound(), error);
    }
    store(done(file, null, error), nextAt);
  }

  private void store(InboundFile file, @Nullable Instant nextAt) {
    context.time().await(context.store().inboundStore().fileDone(file, nextAt));
  }

  private static InboundFile done(
      InboundFile claimed, @Nullable String hash, @Nullable String error) {
    return new InboundFile(
        claimed.inbound(), claimed.index(), claimed.state(), claimed.attempts(), hash, error);
  }
}
