package dev.postrider.message;

import org.jspecify.annotations.Nullable;

/** One attachment, by address. */
public record Media(String url, @Nullable String kind, @Nullable String filename) {
  public Media {
    if (!url.startsWith("https://") && !url.startsWith("http://")) {
      throw new InvalidMessage(
          "media.url", "must be an address that begins with https:// or http://");
    }
  }
}
