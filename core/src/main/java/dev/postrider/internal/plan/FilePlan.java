package dev.postrider.internal.plan;

import dev.postrider.channel.MediaRules;
import dev.postrider.internal.media.MediaFit;
import dev.postrider.message.Attachment;
import dev.postrider.message.Media;
import dev.postrider.problem.InvalidInput;
import dev.postrider.store.media.Blob;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a message's files on its channel.
 *
 * @param carried those its parts carry, in order
 * @param linked those the platform cannot take; people get the address
 */
record FilePlan(List<Attachment> carried, List<Media> linked) {
  private static final int MOST = 100;

  static FilePlan sort(
      List<Media> media, MediaRules rules, Function<String, Optional<Blob>> custody) {
    if (media.size() > MOST) {
      throw new InvalidInput("media", "must not hold more than " + MOST + " files");
    }
    List<Attachment> carried = new ArrayList<>();
    List<Media> linked = new ArrayList<>();
    for (int i = 0; i < media.size(); i++) {
      String field = "media[" + i + "]";
      Media file = media.get(i);
      Blob blob = inCustody(file, field, custody);
      Attachment attachment =
          blob == null ? MediaFit.unseen(file, rules) : MediaFit.fit(file, blob, rules);
      if (attachment != null) {
        carried.add(attachment);
      } else if (blob == null) {
        linked.add(file);
      } else {
        throw tooMuch(field, blob, rules);
      }
    }
    return new FilePlan(carried, linked);
  }

  private static @Nullable Blob inCustody(
      Media file, String field, Function<String, Optional<Blob>> custody) {
    String hash = file.hash();
    if (hash == null) {
      requireAddress(file.url(), field + ".url");
      return null;
    }
    return custody
        .apply(hash)
        .orElseThrow(
            () ->
                new InvalidInput(
                    field + ".url", "names a file that is not here, or not any more; upload it"));
  }

  /** A {@code file:} address would name a file of ours to whoever may send. */
  private static void requireAddress(String url, String field) {
    try {
      URI address = new URI(url);
      String scheme = String.valueOf(address.getScheme());
      if (scheme.matches("(?i)https?") && address.getHost() != null) {
        return;
      }
    } catch (URISyntaxException e) {
      // Told below: what is wrong with it is of no use without knowing what it should be.
    }
    throw new InvalidInput(
        field, "must be an address that begins with https:// or http://, a data: URI or an upload");
  }

  private static InvalidInput tooMuch(String field, Blob blob, MediaRules rules) {
    if (rules.kinds().isEmpty()) {
      return new InvalidInput(
          field, "this channel carries no files; give an address, and it goes out as a link");
    }
    if (blob.size() <= rules.largest()) {
      return new InvalidInput(
          field,
          blob.type()
              + " is no file this channel takes; give an address, and it goes out as a link");
    }
    return new InvalidInput(
        field,
        ("%s of %d bytes is more than the %d this channel takes; give an address, and it"
                + " goes out as a link")
            .formatted(blob.type(), blob.size(), rules.largest()));
  }
}
