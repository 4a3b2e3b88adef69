package dev.postrider.internal.inbound;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Opened;
import dev.postrider.channel.InboundFiles.Unavailable;
import dev.postrider.inbound.InboundId;
import dev.postrider.internal.account.AccountRegistry;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.media.Custody;
import dev.postrider.problem.Refused;
import dev.postrider.store.inbound.InboundFile;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.media.Blob;
import dev.postrider.store.media.Blobs;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the files of inbound messages: those kept here, and others through their channels. */
public final class InboundDownloads {
  private static final Logger log = LoggerFactory.getLogger(InboundDownloads.class);

  private final AccountRegistry accounts;
  private final Custody custody;
  private final Function<InboundId, List<InboundFile>> files;
  private final long largest;

  public InboundDownloads(AccountRegistry accounts, EngineContext context) {
    this.accounts = accounts;
    custody = context.custody();
    files = id -> context.store().inboundStore().files(List.of(id)).getOrDefault(id, List.of());
    largest = custody.largest();
  }

  /**
   * Opens a file; reading it fails with {@link Blobs.TooLarge} beyond the limit.
   *
   * @throws Refused if the message has no such file
   * @throws Unavailable if it cannot be had
   * @throws Blobs.TooLarge if it is known to be too large
   */
  public Opened open(StoredInbound inbound, int index) throws IOException {
    int files = inbound.arrival().media().size();
    if (index < 0 || index >= files) {
      throw new Refused(
          Refused.Cause.NOT_FOUND,
          "inbound message "
              + inbound.id()
              + " has no file "
              + index
              + "; it has "
              + files
              + ", counted from 0");
    }
    Opened kept = kept(inbound, index);
    return kept == null ? fromPlatform(inbound, index) : kept;
  }

  /** The file as it is kept here; null if it is not. A replayed message has the first one's. */
  private @Nullable Opened kept(StoredInbound inbound, int index) throws IOException {
    InboundId first = inbound.replayOf();
    Opened own = kept(inbound.id(), index);
    return own != null || first == null ? own : kept(first, index);
  }

  private @Nullable Opened kept(InboundId id, int index) throws IOException {
    for (InboundFile file : files.apply(id)) {
      String hash = file.hash();
      Blob blob = file.index() != index || hash == null ? null : custody.find(hash).orElse(null);
      if (blob != null) {
        return new Opened(custody.open(blob.hash()), blob.size());
      }
    }
    return null;
  }

  /** Opens a file at its platform. */
  Opened fromPlatform(StoredInbound inbound, int index) throws IOException {
    Opened opened = ask(inbound, index);
    if (opened.size() > largest) {
      opened.close();
      throw new Blobs.TooLarge(largest);
    }
    return new Opened(new Bounded(opened.bytes(), largest), opened.size());
  }

  private Opened ask(StoredInbound inbound, int index) throws IOException {
    String account = inbound.account();
    if (!accounts.names().contains(account)) {
      throw new Unavailable(
          Unavailable.Why.GONE,
          "account '" + account + "' is not configured any more, so nobody can ask its platform");
    }
    AccountRegistry.Known known = accounts.known(account);
    InboundFiles files = known.inboundFiles();
    if (files == null) {
      throw new Unavailable(
          Unavailable.Why.REFUSED,
          "channel '" + known.channel().name() + "' cannot fetch the files of inbound messages");
    }
    try {
      return files.open(inbound.arrival(), index);
    } catch (RuntimeException e) {
      log.warn("Opening file {} of inbound message {} failed", index, inbound.id(), e);
      throw new Unavailable(
          Unavailable.Why.REFUSED, "the channel failed; the server's log says more");
    }
  }

  /** Whoever said nothing about the size, or said too little, is cut off. */
  private static final class Bounded extends FilterInputStream {
    private final long largest;
    private long left;

    Bounded(InputStream bytes, long largest) {
      super(bytes);
      this.largest = largest;
      left = largest;
    }

    @Override
    public int read() throws IOException {
      int one = super.read();
      count(one < 0 ? 0 : 1);
      return one;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = super.read(into, offset, length);
      count(Math.max(read, 0));
      return read;
    }

    private void count(int read) throws IOException {
      left -= read;
      if (left < 0) {
        throw new Blobs.TooLarge(largest);
      }
    }
  }
}
