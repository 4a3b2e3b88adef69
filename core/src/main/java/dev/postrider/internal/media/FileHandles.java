package dev.postrider.internal.media;

import dev.postrider.channel.FileHandle;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.store.Store;
import dev.postrider.store.media.Upload;
import dev.postrider.time.Scheduler;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What an account's platform calls bytes it has, and whose turn it is to bring those it does not
 * have yet. Thread-safe.
 */
final class FileHandles {
  /** How long a handle is used for which the platform names no end. */
  private static final Duration LASTS = Duration.ofDays(30);

  private final String account;
  private final Reuse reuse;
  private final Store store;
  private final Scheduler time;
  private final Map<String, Turn> turns = new HashMap<>(); // guarded by itself

  FileHandles(String account, Reuse reuse, Store store, Scheduler time) {
    this.account = account;
    this.reuse = reuse;
    this.store = store;
    this.time = time;
  }

  /** The right to bring some bytes, and the duty to let others know when that is over. */
  final class Turn implements AutoCloseable {
    private final String key;
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();

    private Turn(String key) {
      this.key = key;
    }

    @Override
    public void close() {
      synchronized (turns) {
        turns.remove(key, this);
      }
      over.complete(true);
    }
  }

  /** The handle of a file; else, once nobody else is at it, null, and the turn is added to ours. */
  @Nullable Upload find(Attachment file, List<Turn> ours) {
    while (true) {
      Turn mine = new Turn(key(file));
      Turn other;
      synchronized (turns) {
        other = turns.putIfAbsent(mine.key, mine);
      }
      if (other != null) {
        time.await(other.over);
        continue;
      }
      ours.add(mine);
      Upload known = known(file);
      if (known != null) {
        ours.remove(mine);
        mine.close();
      }
      return known;
    }
  }

  private @Nullable Upload known(Attachment file) {
    return store
        .upload(account, String.valueOf(file.hash()), variant(file))
        .filter(upload -> upload.expiresAt().isAfter(time.instant()))
        .orElse(null);
  }

  Upload save(Attachment file, FileHandle handle) {
    Duration lasts = handle.lasts() == null ? LASTS : handle.lasts();
    Upload upload =
        new Upload(
            account,
            String.valueOf(file.hash()),
            variant(file),
            handle.value(),
            time.instant().plus(lasts));
    time.await(store.save(upload));
    return upload;
  }

  void forget(Upload upload) {
    time.await(store.forget(upload));
  }

  String key(Attachment file) {
    return file.hash() + " " + variant(file);
  }

  /**
   * A handle given for a part is good for parts that show the bytes in the same way: as the same
   * kind, and under the same name if that is seen.
   */
  private String variant(Attachment file) {
    if (reuse != Reuse.BY_SENDING) {
      return "";
    }
    String kind = file.loop() ? "loop" : file.kind().label();
    String name = file.filename();
    boolean shown = file.kind() == MediaKind.DOCUMENT || file.kind() == MediaKind.AUDIO;
    return shown && name != null ? kind + "-" + digest(name) : kind;
  }

  /** Names are encrypted where they are stored, and this is not. */
  private static String digest(String name) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
