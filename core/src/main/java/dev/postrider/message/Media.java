package dev.postrider.message;

import org.jspecify.annotations.Nullable;

/** One attachment, by address. */
public record Media(String url, @Nullable String kind, @Nullable String filename) {
  public Media {
    if (url.isBlank()) {
      throw new InvalidMessage("media.url", "must not be empty; give the address of the file");
    }
  }
}
