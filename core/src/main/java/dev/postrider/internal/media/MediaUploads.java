package dev.postrider.internal.media;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.FileHandle;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.MediaRules.Reuse;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.UploadResult;
import dev.postrider.media.Fetcher;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.MediaKind;
import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.media.Blob;
import dev.postrider.store.media.Blobs;
import dev.postrider.store.media.Upload;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the files of an account's parts ready when they go out, and uploads each once.
 *
 * <p>A platform that keeps what it got gives a handle for it. The handle is stored before the
 * outcome of the part that brought it, and every later part with the same bytes names it. While one
 * part is on its way with bytes that have no handle yet, other parts with the same bytes wait for
 * its end: they then find the handle, or, if it came to nothing, the next of them takes the bytes
 * along. An album takes its turns in the order of the hashes, so that two albums never wait for
 * each other.
 *
 * <p>A handle that the platform has lost is forgotten and the bytes go out again; that is the fix
 * {@link Fix.UploadInstead}. Thread-safe.
 */
public final class MediaUploads {
  private static final Logger log = LoggerFactory.getLogger(MediaUploads.class);

  private final String account;
  private final MediaRules rules;
  private final FileHandles handles;
  private final Custody custody;
  private final Downloads downloads;
  private final MediaAddresses addresses;

  public MediaUploads(
      String account,
      MediaRules rules,
      Store store,
      Scheduler time,
      Custody custody,
      Downloads downloads,
      MediaAddresses addresses) {
    this.account = account;
    this.rules = rules;
    this.handles = new FileHandles(account, rules.reuse(), store, time);
    this.custody = custody;
    this.downloads = downloads;
    this.addresses = addresses;
  }

  /** The way to the platform: calls that may be given up, and tell the results. */
  public interface Way {
    Outcome send(Dispatch dispatch);

    UploadResult upload(PartFile cargo);
  }

  /** Sends a part with its files. */
  public Outcome send(Dispatch dispatch, Way way) {
    if (dispatch.part().media().isEmpty() || dispatch.state().has(Fix.LinkInstead.class)) {
      return way.send(dispatch);
    }
    List<Attachment> files = new ArrayList<>();
    for (Attachment planned : dispatch.part().media()) {
      switch (seen(planned, dispatch)) {
        case Seen.Ready ready -> files.add(ready.file);
        case Seen.Not not -> {
          return not.outcome;
        }
      }
    }
    boolean documents = dispatch.state().has(Fix.AsDocument.class) || !isAlbum(files);
    List<Attachment> ready =
        documents ? files.stream().map(file -> file.as(MediaKind.DOCUMENT)).toList() : files;
    return switch (rules.reuse()) {
      case NONE ->
          way.send(dispatch.carrying(ready.stream().map(file -> cargo(file, null)).toList()));
      case BY_ADDRESS, BY_SECURE_ADDRESS -> sendAddresses(dispatch, ready, way);
      case BY_SENDING, BY_UPLOAD -> sendOnce(dispatch, ready, way);
    };
  }

  // ---- sending addresses

  private Outcome sendAddresses(Dispatch dispatch, List<Attachment> files, Way way) {
    String lacking = addresses.lacking(rules);
    if (lacking != null && files.stream().anyMatch(this::needsAddress)) {
      return new Outcome.Rejected(Blame.MESSAGE, lacking);
    }
    try {
      Instant tried = dispatch.mayHaveArrivedAt();
      return way.send(
          dispatch.carrying(files.stream().map(file -> addressed(file, tried)).toList()));
    } catch (StoreUnavailable e) {
      return new Outcome.NotSent("the store is away: " + e.getMessage());
    }
  }

  private boolean needsAddress(Attachment file) {
    return file.hash() != null && rules.needsAddress(file.kind());
  }

  private PartFile addressed(Attachment file, @Nullable Instant tried) {
    String hash = file.hash();
    return hash != null && rules.needsAddress(file.kind())
        ? new PartFile(file.at(addresses.named(hash, tried)), null, null)
        : cargo(file, null);
  }

  // ---- seeing what there is

  private sealed interface Seen {
    /** A file in custody, or one that the platform fetches itself. */
    record Ready(Attachment file) implements Seen {}

    /** The result of the part instead. */
    record Not(Outcome outcome) implements Seen {}
  }

  private Seen seen(Attachment planned, Dispatch dispatch) {
    boolean fetchedByPlatform =
        rules.fetches(planned.kind()) && !dispatch.state().has(Fix.UploadInstead.class);
    if (planned.hash() != null || fetchedByPlatform) {
      return new Seen.Ready(planned);
    }
    try {
      Blob blob = downloads.fetch(planned.url());
      Attachment file = MediaFit.seen(planned, blob, rules);
      return file == null
          ? instead(blob.size() + " bytes of " + blob.type() + " are not for this channel")
          : new Seen.Ready(file.held(blob.hash()));
    } catch (Fetcher.Refused e) {
      return new Seen.Not(
          new Outcome.Rejected(Blame.MESSAGE, "media was not fetched: " + e.getMessage()));
    } catch (Blobs.TooLarge e) {
      return instead("the file has " + e.getMessage());
    } catch (UnreachableHosts.Away e) {
      return new Seen.Not(
          new Outcome.MediaUnreachable(e.delay(), "media was not fetched: " + e.getMessage()));
    } catch (IOException e) {
      return new Seen.Not(new Outcome.NotSent("media was not fetched: " + e.getMessage()));
    }
  }

  private static Seen instead(String cause) {
    return new Seen.Not(new Outcome.Repairable(new Fix.LinkInstead(), cause));
  }

  /**
   * What was planned by the files' names may turn out to be no album; as documents they still go.
   */
  private boolean isAlbum(List<Attachment> files) {
    return files.size() < 2
        || files.stream().allMatch(one -> files.stream().allMatch(two -> joins(one, two)));
  }

  private boolean joins(Attachment one, Attachment other) {
    return !one.loop() && !other.loop() && rules.together(one.kind(), other.kind());
  }

  // ---- sending, each file once

  private Outcome sendOnce(Dispatch dispatch, List<Attachment> files, Way way) {
    Map<String, Upload> known = new HashMap<>();
    List<FileHandles.Turn> ours = new ArrayList<>();
    try {
      look(files, known, ours);
      if (rules.reuse() == Reuse.BY_UPLOAD) {
        Outcome failed = upload(files, known, way);
        if (failed != null) {
          return failed;
        }
        ours.forEach(FileHandles.Turn::close); // nobody needs to wait for the part itself
      }
      Outcome outcome =
          way.send(
              dispatch.carrying(
                  files.stream().map(file -> cargo(file, known.get(handles.key(file)))).toList()));
      learn(outcome, files, known);
      return outcome;
    } catch (StoreUnavailable e) {
      return new Outcome.NotSent("the store is away: " + e.getMessage());
    } finally {
      ours.forEach(FileHandles.Turn::close);
    }
  }

  private void look(
      List<Attachment> files, Map<String, Upload> known, List<FileHandles.Turn> ours) {
    Set<String> seen = new HashSet<>();
    for (Attachment file : files.stream().sorted(MediaUploads::byHash).toList()) {
      if (file.hash() != null && seen.add(handles.key(file))) {
        Upload upload = handles.find(file, ours);
        if (upload != null) {
          known.put(handles.key(file), upload);
        }
      }
    }
  }

  /** An outcome stands, whether or not the store can be told what it taught about the files. */
  private void learn(Outcome outcome, List<Attachment> files, Map<String, Upload> known) {
    try {
      switch (outcome) {
        case Outcome.Delivered delivered -> {
          for (Attachment file : files) {
            FileHandle handle = delivered.handles().get(String.valueOf(file.hash()));
            if (handle != null && isOnlyForm(file, files)) {
              handles.save(file, handle);
            }
          }
        }
        case Outcome.Repairable(Fix.UploadInstead _, _) -> known.values().forEach(handles::forget);
        case Outcome.Throttled _,
            Outcome.Unreachable _,
            Outcome.MediaUnreachable _,
            Outcome.NotSent _,
            Outcome.Unknown _,
            Outcome.Hold _,
            Outcome.Repairable _,
            Outcome.Rejected _,
            Outcome.AccountBroken _ -> {}
      }
    } catch (StoreUnavailable e) {
      log.info("Account {}: a handle was not noted: {}", account, e.getMessage());
    }
  }

  /** Bytes that a part showed in several forms have a handle each, and one was told. */
  private boolean isOnlyForm(Attachment file, List<Attachment> files) {
    return files.stream()
        .filter(other -> Objects.equals(other.hash(), file.hash()))
        .allMatch(other -> handles.key(other).equals(handles.key(file)));
  }

  private static int byHash(Attachment one, Attachment other) {
    return String.valueOf(one.hash()).compareTo(String.valueOf(other.hash()));
  }

  private @Nullable Outcome upload(List<Attachment> files, Map<String, Upload> known, Way way) {
    for (Attachment file : files) {
      if (file.hash() == null || known.containsKey(handles.key(file))) {
        continue;
      }
      switch (way.upload(cargo(file, null))) {
        case UploadResult.Done done ->
            known.put(handles.key(file), handles.save(file, done.handle()));
        case UploadResult.Failed failed -> {
          return failed.outcome();
        }
      }
    }
    return null;
  }

  private PartFile cargo(Attachment file, @Nullable Upload upload) {
    String hash = file.hash();
    if (upload != null) {
      return new PartFile(file, FileHandle.of(upload.handle()), null);
    }
    return new PartFile(file, null, hash == null ? null : new Held(hash, file.size()));
  }

  private final class Held implements PartFile.Bytes {
    private final String hash;
    private final long size;

    Held(String hash, long size) {
      this.hash = hash;
      this.size = size;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public InputStream open() throws IOException {
      return custody.open(hash);
    }
  }
}
