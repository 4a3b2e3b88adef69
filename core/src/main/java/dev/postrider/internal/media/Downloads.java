package dev.postrider.internal.media;

import dev.postrider.config.MediaSettings;
import dev.postrider.media.Fetcher;
import dev.postrider.store.media.Blob;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Fetches addresses into custody, each once for all who ask at about the same time: a reminder to a
 * thousand chats asks for one file, not for a thousand. Thread-safe.
 */
public final class Downloads {
  /** How long what an address gave is taken for what it gives. */
  private static final Duration FRESH = Duration.ofMinutes(5);

  /** What an address gave, or gives: one of the two. */
  private record Answer(@Nullable Blob blob, @Nullable IOException failure) {}

  private record Download(Instant began, CompletableFuture<Answer> answer) {}

  private final @Nullable Fetcher fetcher;
  private final MediaSettings settings;
  private final Custody custody;
  private final Scheduler time;
  private final Map<String, Download> recent = new HashMap<>(); // guarded by itself
  private final UnreachableHosts awayServers;

  /**
   * @param fetcher null if there is none on the class path
   */
  public Downloads(
      @Nullable Fetcher fetcher, MediaSettings settings, Custody custody, Scheduler time) {
    this.fetcher = fetcher;
    this.settings = settings;
    this.custody = custody;
    this.time = time;
    this.awayServers = new UnreachableHosts(time);
  }

  Blob fetch(String url) throws IOException {
    if (fetcher == null) {
      throw new Fetcher.Refused("nothing on the class path fetches addresses");
    }
    Instant now = time.instant();
    Download mine = new Download(now, new CompletableFuture<>());
    Download other;
    String server = server(url);
    awayServers.mayAsk(server);
    synchronized (recent) {
      recent.values().removeIf(each -> each.began.plus(FRESH).isBefore(now));
      other = recent.putIfAbsent(url, mine);
    }
    Answer answer = other == null ? download(url, server, fetcher, mine) : time.await(other.answer);
    if (answer.failure != null) {
      throw answer.failure;
    }
    return Objects.requireNonNull(answer.blob);
  }

  private static String server(String url) {
    try {
      String host = new URI(url).getAuthority();
      return host == null ? url : host;
    } catch (URISyntaxException _) {
      return url;
    }
  }

  private Answer download(String url, String server, Fetcher with, Download mine) {
    Answer answer = new Answer(null, new IOException("interrupted"));
    try {
      answer = new Answer(with.fetch(url, settings, custody::take), null);
      awayServers.answered(server);
    } catch (Fetcher.Unreachable e) {
      answer = new Answer(null, awayServers.away(server, String.valueOf(e.getMessage())));
    } catch (IOException e) {
      awayServers.answered(server);
      answer = new Answer(null, e);
    } finally {
      if (answer.failure != null) {
        synchronized (recent) {
          recent.remove(url, mine); // the next one tries again
        }
      }
      mine.answer.complete(answer);
    }
    return answer;
  }
}
