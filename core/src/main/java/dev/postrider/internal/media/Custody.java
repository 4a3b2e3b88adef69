package dev.postrider.internal.media;

import dev.postrider.config.MediaSettings;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import dev.postrider.store.media.Blob;
import dev.postrider.store.media.Blobs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Takes files into our own keeping. A message that brings bytes along, or names a local file, is
 * accepted only once they are here: nothing that happens to the original matters after that.
 * Thread-safe; taking in blocks.
 */
public final class Custody {
  private static final int REMEMBERED = 1_000;

  private final Blobs blobs;
  private final MediaSettings settings;
  private final InstantSource clock;
  private final Map<String, Blob> known =
      new LinkedHashMap<>(16, 0.75f, true) { // guarded by itself
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Blob> eldest) {
          return size() > REMEMBERED;
        }
      };

  public Custody(Blobs blobs, MediaSettings settings, InstantSource clock) {
    this.blobs = blobs;
    this.settings = settings;
    this.clock = clock;
  }

  /** Takes a file in; it is durable when this returns, and kept for a while even if unused. */
  public Blob take(InputStream bytes) throws IOException {
    byte[] head = bytes.readNBytes(MediaTypes.HEAD);
    InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), bytes);
    return remember(
        blobs.take(
            whole,
            MediaTypes.of(head),
            settings.largest(),
            clock.instant().plus(settings.keepUnused())));
  }

  /** Most bytes of one file. */
  public long largest() {
    return settings.largest();
  }

  /** What is known of a file; it may have been swept since it was last looked at. */
  public Optional<Blob> find(String hash) {
    synchronized (known) {
      Blob blob = known.get(hash);
      if (blob != null) {
        return Optional.of(blob);
      }
    }
    return blobs.find(hash).map(this::remember);
  }

  private Blob remember(Blob blob) {
    synchronized (known) {
      known.put(blob.hash(), blob);
    }
    return blob;
  }

  /** The bytes of a file. */
  public InputStream open(String hash) throws IOException {
    return blobs.open(hash);
  }

  /**
   * The message with everything it brings along in custody.
   *
   * @throws InvalidInput if a file cannot be read, or is too large
   */
  public Message takeIn(Message message) {
    if (message.media().stream().allMatch(file -> isElsewhere(file.url()))) {
      return message;
    }
    List<Media> taken = new ArrayList<>();
    for (int i = 0; i < message.media().size(); i++) {
      taken.add(takeIn(message.media().get(i), "media[" + i + "].url"));
    }
    return message.toBuilder().media(taken).build();
  }

  private static boolean isElsewhere(String url) {
    return !is("data:", url) && !is("file:", url);
  }

  private static boolean is(String scheme, String url) {
    return url.regionMatches(true, 0, scheme, 0, scheme.length());
  }

  private Media takeIn(Media file, String field) {
    String url = file.url();
    if (isElsewhere(url)) {
      return file;
    }
    try (InputStream bytes = is("data:", url) ? dataIn(url, field) : fileAt(url, field)) {
      Blob blob = take(bytes);
      return file.movedTo(Media.held(blob.hash()).url());
    } catch (Blobs.TooLarge e) {
      throw tooLarge(field);
    } catch (IOException e) {
      throw new InvalidInput(field, "cannot be read (" + reason(e) + ")");
    }
  }

  private InputStream dataIn(String url, String field) {
    if (url.length() / 4 * 3 > settings.largest() * 3) { // percent-encoded at worst
      throw tooLarge(field);
    }
    try {
      return new ByteArrayInputStream(DataUri.bytes(url));
    } catch (IllegalArgumentException e) {
      throw new InvalidInput(
          field, "is not a data URI such as data:image/png;base64,… (" + e.getMessage() + ")");
    }
  }

  private static InputStream fileAt(String url, String field) throws IOException {
    Path path = path(url, field);
    if (!Files.isRegularFile(path)) {
      throw new InvalidInput(field, "names no file that is there");
    }
    return Files.newInputStream(path);
  }

  private static Path path(String url, String field) {
    try {
      return Path.of(URI.create(url));
    } catch (IllegalArgumentException e) {
      throw new InvalidInput(field, "is not the address of a file such as file:///tmp/a.jpg");
    }
  }

  private InvalidInput tooLarge(String field) {
    return new InvalidInput(
        field, "holds more than the " + settings.largest() + " bytes of media.maxSize");
  }

  private static String reason(IOException e) {
    return e.getClass().getSimpleName().replace("Exception", "").toLowerCase(Locale.ROOT);
  }
}
